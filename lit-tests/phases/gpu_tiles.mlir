// What is read across rows passes through workgroup memory by tiles whose lines are 256 bytes: 64 floats, 128 halves, 32 doubles;
// less where a side is shorter. Two values that are read across share the tile.
// REQUIRES: ptxas
// RUN: fxc compile %s --target=sm_90a --emit=gpu | FileCheck %s
// RUN: fxc compile %s --target=sm_90a --emit=ptx > %t.ptx && ptxas -arch=sm_90a -o /dev/null %t.ptx

// A tile may reach beyond the tensor: what is beyond is read at the last place, and not stored.
// CHECK:       gpu.func @kernel_0({{.*}}workgroup({{.*}}memref<16640xbf16
// CHECK-SAME:    fx.schedule = "tiles side=128 across dim 0"
// CHECK-SAME:    known_block_size = array<i32: 512, 1, 1>
// CHECK-COUNT-8:  arith.minui
// CHECK:         gpu.barrier
// CHECK-COUNT-8: scf.if
// CHECK:       gpu.func @kernel_1({{.*}}memref<4224xbf16
// CHECK-SAME:    fx.schedule = "tiles side=64 across dim 1"
// CHECK-NOT:     arith.minui
// CHECK:       gpu.func @kernel_2({{.*}}memref<4160xf32{{.*}}memref<4160xf32
// CHECK-SAME:    fx.schedule = "tiles side=64 across dim 0"
// CHECK:       gpu.func @kernel_3(
// CHECK-SAME:    fx.schedule = "tiles side=32 across dim 0"
func.func @main(%a: tensor<136x264xbf16>, %b: tensor<9x64x192xbf16>, %c: tensor<256x512xf32>, %d: tensor<256x512xf32>, %e: tensor<256x160xf64>)
    -> (tensor<264x136xbf16>, tensor<9x192x64xbf16>, tensor<512x256xf32>, tensor<160x256xf64>) {
  %0 = fx.permute %a [1, 0] : (tensor<136x264xbf16>) -> tensor<264x136xbf16>
  %1 = fx.relu %0 : (tensor<264x136xbf16>) -> tensor<264x136xbf16>
  %2 = fx.permute %b [0, 2, 1] : (tensor<9x64x192xbf16>) -> tensor<9x192x64xbf16>
  %3 = fx.relu %2 : (tensor<9x192x64xbf16>) -> tensor<9x192x64xbf16>
  %4 = fx.permute %c [1, 0] : (tensor<256x512xf32>) -> tensor<512x256xf32>
  %5 = fx.permute %d [1, 0] : (tensor<256x512xf32>) -> tensor<512x256xf32>
  %6 = fx.mul %4, %5 : (tensor<512x256xf32>, tensor<512x256xf32>) -> tensor<512x256xf32>
  %7 = fx.permute %e [1, 0] : (tensor<256x160xf64>) -> tensor<160x256xf64>
  %8 = fx.relu %7 : (tensor<160x256xf64>) -> tensor<160x256xf64>
  return %1, %3, %6, %8 : tensor<264x136xbf16>, tensor<9x192x64xbf16>, tensor<512x256xf32>, tensor<160x256xf64>
}
