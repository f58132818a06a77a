// Rows that are sorted: items in registers, exchanged by shuffles inside of a warp, through workgroup memory between warps. Code
// does not grow with the row.
// REQUIRES: ptxas
// RUN: fxc compile %s --target=sm_90a --emit=gpu | FileCheck %s
// RUN: fxc compile %s --target=sm_90a --emit=ptx > %t.ptx && ptxas -arch=sm_90a -o /dev/null %t.ptx
// RUN: FileCheck %s --check-prefix=PTX < %t.ptx
// RUN: fxc compile %s --target=sm_80+deterministic --emit=ptx > %t80.ptx && ptxas -arch=sm_80 -o /dev/null %t80.ptx

// A warp takes a row: an item is a key of 16 bits above its place. Two runs keep the eight items that come first.
// CHECK:       gpu.func @kernel_0({{.*}}workgroup(%{{.*}} : memref<36xi32, #gpu.address_space<workgroup>>){{.*}}fx.schedule = "sort threads=32 items=8 rows=4 kept=1"
// CHECK:         scf.for
// CHECK:           scf.for
// CHECK-NOT:         scf.if
// CHECK-NOT:         gpu.barrier
// CHECK-COUNT-8:     gpu.shuffle xor
// CHECK-NOT:         gpu.shuffle
// CHECK:             scf.yield
// CHECK:           scf.yield
// CHECK:         gpu.barrier
// CHECK-NOT:     gpu.barrier
// CHECK:       gpu.func @kernel_1({{.*}}fx.schedule = "sort threads=128 items=16 rows=1 kept=128"
// CHECK:         scf.for
// CHECK:           scf.for
// CHECK:             scf.if
// CHECK-COUNT-2:       gpu.barrier
// CHECK-NOT:           gpu.barrier
// CHECK:             else
// CHECK-COUNT-32:      gpu.shuffle xor
// A key of 64 bits has its place in a word of its own. The last block has no second row.
// CHECK:       gpu.func @kernel_2({{.*}}workgroup(%{{.*}} : memref<{{.*}}xi64, {{.*}}>, %{{.*}} : memref<{{.*}}xi32, {{.*}}>){{.*}}fx.schedule = "sort threads=1024 items=16 rows=1 kept=1024"
// CHECK:       gpu.func @kernel_3({{.*}}fx.schedule = "sort threads=64 items=16 rows=2 kept=64"
// CHECK:         arith.minui
// PTX-LABEL:   .entry kernel_0(
// PTX:           .maxntid 128
// PTX:           shfl.sync.bfly.b32
func.func @main(%router: tensor<1024x256xbf16>, %x: tensor<64x2048xf32>, %y: tensor<3x16000xi64>, %z: tensor<33x1000xf16>)
    -> (tensor<1024x8xbf16>, tensor<1024x8xi64>, tensor<64x2048xf32>, tensor<64x2048xi64>, tensor<3x16000xi64>, tensor<33x1000xi64>) {
  %rv, %ri = fx.topk %router k [8] dim 1 : (tensor<1024x256xbf16>) -> (tensor<1024x8xbf16>, tensor<1024x8xi64>)
  %xv, %xi = fx.sort %x dim 1 : (tensor<64x2048xf32>) -> (tensor<64x2048xf32>, tensor<64x2048xi64>)
  %yi = fx.argsort %y dim 1 {descending = true} : (tensor<3x16000xi64>) -> tensor<3x16000xi64>
  %zi = fx.argsort %z dim 1 : (tensor<33x1000xf16>) -> tensor<33x1000xi64>
  return %rv, %ri, %xv, %xi, %yi, %zi : tensor<1024x8xbf16>, tensor<1024x8xi64>, tensor<64x2048xf32>, tensor<64x2048xi64>, tensor<3x16000xi64>, tensor<33x1000xi64>
}
