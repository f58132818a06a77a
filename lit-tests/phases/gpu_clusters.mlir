// Rows so few that processors would have none lie in the registers of a cluster, whose blocks read each other's workgroup memory.
// Rows that one block cannot hold are shared by blocks that keep them there. Rows that start anywhere are read where memory is
// aligned. An architecture without clusters keeps long rows in workgroup memory, or reads them again and again.
// REQUIRES: ptxas
// RUN: fxc compile %s --target=sm_90a --emit=gpu | FileCheck %s
// RUN: fxc compile %s --target=sm_90a --emit=ptx > %t.ptx && ptxas -arch=sm_90a -v -o /dev/null %t.ptx 2> %t.log
// RUN: FileCheck %s --check-prefix=PTX < %t.ptx
// RUN: FileCheck %s --check-prefix=SPILLS < %t.log
// RUN: fxc compile %s --target=sm_80 --emit=gpu | FileCheck %s --check-prefix=AMPERE
// RUN: fxc compile %s --target=sm_80 --emit=ptx > %t.ptx && ptxas -arch=sm_80 -o /dev/null %t.ptx
// SPILLS-NOT: {{[1-9][0-9]*}} bytes spill

// Both values of a row meet in the cluster; the last barrier is waited for at the end.
// CHECK:       gpu.func @kernel_0(
// CHECK-SAME:    fx.schedule = "registers threads=256 accesses=8 width=4 rows=1 blocks=8"
// CHECK-SAME:    nvvm.cluster_dim = array<i32: 8, 1, 1>
// CHECK-COUNT-2: llvm.inline_asm {{.*}}barrier.cluster.wait
// CHECK:         llvm.inline_asm {{.*}}barrier.cluster.arrive
// CHECK:         memref.store
// CHECK:         llvm.inline_asm {{.*}}barrier.cluster.wait
// CHECK-NEXT:    gpu.return
// PTX:         .entry kernel_0(
// PTX:         .reqnctapercluster 8
// PTX-COUNT-8: ld.global.nc.v4.b32
// PTX-NOT:     ld.global
// PTX:         ld.shared::cluster.f32
// PTX:         ret;
// AMPERE:      gpu.func @kernel_{{.*}}fx.schedule = "teams

// CHECK:       gpu.func @kernel_1(
// CHECK-SAME:    fx.schedule = "staged threads=512 blocks=2 rows=1 width=4 bytes=114688 held=2"

// CHECK:       gpu.func @kernel_2(
// CHECK-SAME:    fx.schedule = "registers threads=128 accesses=4 width=8 rows=1 shifted"
// PTX:         .entry kernel_2(
// PTX-COUNT-4: ld.global.nc.v4.b32
// PTX-NOT:     ld.global
// PTX:         ret;
func.func @main(%a: tensor<8x65536xf32>, %b: tensor<2048x65536xf32>, %d: tensor<1024x4001xbf16>)
    -> (tensor<8x65536xf32>, tensor<2048x65536xf32>, tensor<1024x4001xbf16>) {
  %0 = fx.softmax %a dim 1 : (tensor<8x65536xf32>) -> tensor<8x65536xf32>
  %1 = fx.softmax %b dim 1 : (tensor<2048x65536xf32>) -> tensor<2048x65536xf32>
  %3 = fx.softmax %d dim 1 : (tensor<1024x4001xbf16>) -> tensor<1024x4001xbf16>
  return %0, %1, %3 : tensor<8x65536xf32>, tensor<2048x65536xf32>, tensor<1024x4001xbf16>
}
