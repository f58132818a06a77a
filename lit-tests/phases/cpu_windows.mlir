// A depthwise convolution is one kernel, with what follows it: a task pads the rows of one channel into a buffer, half a row of
// each parity together as windows are two apart, and sums tiles of rows that share what they read. A GPU keeps the padded copy.
// RUN: fxc compile %s --target=x86-64-v4 --emit=kernels | FileCheck %s --check-prefix=KERNELS
// RUN: fxc compile %s --target=sm_90a --emit=kernels | FileCheck %s --check-prefix=GPU
// RUN: fxc compile %s --target=x86-64-v4 --emit=gpu | FileCheck %s

// KERNELS-COUNT-1: call @kernel
// KERNELS-NOT:     call @kernel

// GPU:             call @kernel_0(
// GPU:             call @kernel_1(

// CHECK:           %[[BUFFER:.*]] = memref.alloca() {alignment = 64 : i64} : memref<[[SIZE:.*]]xf32>
// CHECK:           scf.for
// Rows in front of the tensor, in it, and behind it.
// CHECK:           scf.for
// CHECK:           vector.store %{{.*}}, %[[BUFFER]]
// CHECK:           scf.for
// CHECK:           %[[A:.*]] = vector.maskedload {{.*}} : memref<?xbf16>
// CHECK-NEXT:      %[[FIRST:.*]] = arith.extf %[[A]] : vector<16xbf16> to vector<16xf32>
// CHECK:           %[[B:.*]] = vector.maskedload {{.*}} : memref<?xbf16>
// CHECK-NEXT:      %[[SECOND:.*]] = arith.extf %[[B]] : vector<16xbf16> to vector<16xf32>
// CHECK:           vector.shuffle %[[FIRST]], %[[SECOND]] [0, 2, 4,
// CHECK:           vector.shuffle %[[FIRST]], %[[SECOND]] [1, 3, 5,
// CHECK:           scf.for
// CHECK:           vector.store %{{.*}}, %[[BUFFER]]
// Weights are vectors before the tiles: 8 rows of 9 taps, which read 17 rows of 3.
// CHECK-COUNT-9:   vector.broadcast %{{.*}} : f32 to vector<16xf32>
// CHECK:           scf.for
// CHECK:           scf.for
// CHECK:           llvm.inline_asm
// CHECK-COUNT-72:  vector.fma
// CHECK-NOT:       vector.fma
// CHECK-COUNT-8:   vector.store
// What follows reads the sums in one loop.
// CHECK:           scf.for
// CHECK:           arith.addf
// CHECK:           arith.maximumf
// CHECK:           arith.truncf
func.func @main(%x: tensor<4x24x64x64xbf16>, %w: tensor<24x1x3x3xbf16>, %b: tensor<24xbf16>) -> tensor<4x24x32x32xbf16> {
  %y = fx.conv2d %x, %w bias %b stride [2, 2] padding [1, 1] dilation [1, 1] groups [24] : (tensor<4x24x64x64xbf16>, tensor<24x1x3x3xbf16>, tensor<24xbf16>) -> tensor<4x24x32x32xbf16>
  %z = fx.relu %y : (tensor<4x24x32x32xbf16>) -> tensor<4x24x32x32xbf16>
  return %z : tensor<4x24x32x32xbf16>
}
