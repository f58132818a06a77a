// Reductions of the same rows of the same tensors are one kernel on a GPU, which reads each element once, though neither needs
// what the other one gives; on a CPU they are two.
// RUN: fxc compile %s --target=sm_90a --emit=kernels | FileCheck %s
// RUN: fxc compile %s --target=sm_90a --emit=gpu | FileCheck %s --check-prefix=GPU
// RUN: fxc compile %s --target=cpu --emit=kernels | FileCheck %s --check-prefix=CPU

// Sums of columns, one of products: what the second one reads, the first one does too. Nothing joins a sum along other dims (%3), one
// that reads another tensor of that size (%4), one that needs the first one's result (%6), or what is no reduction of a team (%7).
// CHECK:       func.func @main
// CHECK-COUNT-5: call @kernel_
// CHECK-NOT:     call @kernel_
// CHECK:       func.func private @kernel_0({{.*}} -> (tensor<512xf32> {{.*}}, tensor<512xf32>
// CHECK-SAME:    fx.reduced = array<i1: true, false>
// CHECK-NOT:   -> (tensor<512xf32> {{{.*}}}, tensor

// CPU:         func.func @main
// CPU-COUNT-6: call @kernel_

// They share a loop.
// GPU:         gpu.func @kernel_0(
// GPU:           scf.for
// GPU-NOT:       scf.for
// GPU:         gpu.func @kernel_1(
func.func @main(%x: tensor<64x512xf32>, %y: tensor<64x512xf32>, %z: tensor<64x512xf32>)
    -> (tensor<512xf32>, tensor<512xf32>, tensor<64xf32>, tensor<512xf32>, tensor<512xf32>, tensor<512xi64>) {
  %0 = fx.mul %x, %y : (tensor<64x512xf32>, tensor<64x512xf32>) -> tensor<64x512xf32>
  %1 = fx.sum %0 dim [0] : (tensor<64x512xf32>) -> tensor<512xf32>
  %2 = fx.sum %y dim [0] : (tensor<64x512xf32>) -> tensor<512xf32>
  %3 = fx.sum %y dim [1] : (tensor<64x512xf32>) -> tensor<64xf32>
  %4 = fx.sum %z dim [0] : (tensor<64x512xf32>) -> tensor<512xf32>
  %5 = fx.permute %1 [0] : (tensor<512xf32>) -> tensor<512xf32>
  %w = fx.add %5, %x : (tensor<512xf32>, tensor<64x512xf32>) -> tensor<64x512xf32>
  %6 = fx.amax %w dim [0] : (tensor<64x512xf32>) -> tensor<512xf32>
  %7 = fx.argmax %y dim 0 : (tensor<64x512xf32>) -> tensor<512xi64>
  return %1, %2, %3, %4, %6, %7 : tensor<512xf32>, tensor<512xf32>, tensor<64xf32>, tensor<512xf32>, tensor<512xf32>, tensor<512xi64>
}
