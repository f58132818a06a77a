// A row whose reductions are associative ops takes a team of threads; other rows, and short ones, take a thread each.
// REQUIRES: ptxas
// RUN: fxc compile %s --target=sm_90a --emit=gpu | FileCheck %s
// RUN: fxc compile %s --target=sm_90a --emit=ptx > %t.ptx && ptxas -arch=sm_90a -o /dev/null %t.ptx
// RUN: fxc compile %s --target=sm_80 --emit=ptx > %t.ptx && ptxas -arch=sm_80 -o /dev/null %t.ptx

// Maximum and sum each meet in five shuffles, a buffer, a barrier and three shuffles.
// CHECK:       gpu.func @kernel_0(
// CHECK-SAME:    workgroup(%[[FIRST:.*]] : memref<8xf32, #gpu.address_space<workgroup>>{{.*}}, %[[SECOND:.*]] : memref<8xf32, #gpu.address_space<workgroup>>
// CHECK-SAME:    known_block_size = array<i32: 256, 1, 1>
// CHECK-COUNT-5: gpu.shuffle xor
// CHECK:         memref.store %{{.*}}, %[[FIRST]]
// CHECK:         gpu.barrier
// CHECK-COUNT-3: gpu.shuffle xor
// CHECK:         math.exp
// CHECK-COUNT-5: gpu.shuffle xor
// CHECK:         memref.store %{{.*}}, %[[SECOND]]
// CHECK:         gpu.barrier

// CHECK:       gpu.func @kernel_1(
// CHECK-NOT:     gpu.shuffle
// CHECK:         gpu.return
func.func @main(%x: tensor<8x1000xf32>) -> (tensor<8x1000xf32>, tensor<8xi64>) {
  %y = fx.softmax %x dim 1 : (tensor<8x1000xf32>) -> tensor<8x1000xf32>
  %z = fx.argmax %x dim 1 : (tensor<8x1000xf32>) -> tensor<8xi64>
  return %y, %z : tensor<8x1000xf32>, tensor<8xi64>
}
