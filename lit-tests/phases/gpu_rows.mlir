// A row whose reductions are associative ops takes a team of threads, which keep it in registers if it fits, or read it for
// each reduction; other rows take a thread each.
// REQUIRES: ptxas
// RUN: fxc compile %s --target=sm_90a --emit=gpu | FileCheck %s
// RUN: fxc compile %s --target=sm_90a --emit=ptx > %t.ptx && ptxas -arch=sm_90a -o /dev/null %t.ptx
// RUN: FileCheck %s --check-prefix=PTX < %t.ptx
// RUN: fxc compile %s --target=sm_80 --emit=ptx > %t.ptx && ptxas -arch=sm_80 -o /dev/null %t.ptx

// Maximum and sum each meet in five shuffles, a buffer, a barrier and two shuffles. The row is read once, in accesses of 16
// bytes; the last of the 128 threads drop what they compute again.
// CHECK:       gpu.func @kernel_0(
// CHECK-SAME:    llvm.align = 16
// CHECK-SAME:    workgroup(%[[FIRST:.*]] : memref<4xf32, #gpu.address_space<workgroup>>{{.*}}, %[[SECOND:.*]] : memref<4xf32, #gpu.address_space<workgroup>>
// CHECK-SAME:    fx.schedule = "registers threads=128 accesses=2 width=4 rows=1"
// CHECK-SAME:    known_block_size = array<i32: 128, 1, 1>
// CHECK-NOT:     scf.for
// CHECK:         arith.select
// CHECK-COUNT-5: gpu.shuffle xor
// CHECK:         memref.store %{{.*}}, %[[FIRST]]
// CHECK:         gpu.barrier
// CHECK:         gpu.shuffle xor
// CHECK-COUNT-8: math.exp
// CHECK-COUNT-5: gpu.shuffle xor
// CHECK:         memref.store %{{.*}}, %[[SECOND]]
// CHECK:         gpu.barrier
// CHECK-NOT:     math.exp
// PTX:         .entry kernel_0(
// PTX-COUNT-2:   ld.global.nc.v4.b32
// PTX-NOT:       ld.global
// PTX-COUNT-2:   st.global.v4.b32
// PTX-NOT:       {{[ls][dt]}}.global
// PTX:         .entry kernel_1(

// CHECK:       gpu.func @kernel_1(
// CHECK-NOT:     gpu.shuffle
// CHECK:         gpu.return

// CHECK:       gpu.func @kernel_2(
// CHECK-SAME:    fx.schedule = "teams threads=1024"
// CHECK-SAME:    known_block_size = array<i32: 1024, 1, 1>
// CHECK-COUNT-2: scf.for
// PTX:         .entry kernel_2(
// PTX:           ld.global.nc.v4.b32
func.func @main(%x: tensor<8x1000xf32>, %z: tensor<2048x1048576xf32>) -> (tensor<8x1000xf32>, tensor<8xi64>, tensor<2048x1048576xf32>) {
  %0 = fx.softmax %x dim 1 : (tensor<8x1000xf32>) -> tensor<8x1000xf32>
  %1 = fx.argmax %x dim 1 : (tensor<8x1000xf32>) -> tensor<8xi64>
  %2 = fx.softmax %z dim 1 : (tensor<2048x1048576xf32>) -> tensor<2048x1048576xf32>
  return %0, %1, %2 : tensor<8x1000xf32>, tensor<8xi64>, tensor<2048x1048576xf32>
}
