// Sizes that depend on data: positions of true elements index, and what they select goes on through kernels.
// RUN: fxc run %s --arg 0=0 | FileCheck %s --check-prefix=SOME
// RUN: fxc run %s --arg 0=9 | FileCheck %s --check-prefix=NONE

// SOME: output.0 i64 [4, 2] {{.*}} [0, 1, 0, 2, 1, 0, ..]
// SOME: output.1 f32 [4] {{.*}} [6, 4, 3, 2]
// SOME: output.2 f32 [2, 2] {{.*}} [-1, 0, -6, 0]
// SOME: output.3 f32 [2, 3] {{.*}} [-1, 8, 8, 8, 0, 8]
// SOME: output.4 f32 [] [3.75000]
// NONE: output.0 i64 [0, 2] []
// NONE: output.1 f32 [0] []
// NONE: output.2 f32 [2, 0] []
// NONE: output.3 f32 [2, 3] {{.*}} [-1, 2, 3, 4, 0, 6]
// NONE: output.4 f32 [] {{.*}}[NaN]
func.func @main(%n: i64) -> (tensor<?x2xi64>, tensor<?xf32>, tensor<2x?xf32>, tensor<2x3xf32>, tensor<f32>) {
  %x = arith.constant dense<[[-1.0, 2.0, 3.0], [4.0, 0.0, 6.0]]> : tensor<2x3xf32>
  %mask = fx.gt %x, %n : (tensor<2x3xf32>, i64) -> tensor<2x3xi1>
  %at = fx.nonzero %mask : (tensor<2x3xi1>) -> tensor<?x2xi64>

  // Selected elements from last to first, and their mean.
  %y = fx.masked_select %x, %mask : (tensor<2x3xf32>, tensor<2x3xi1>) -> tensor<?xf32>
  %two = fx.flip %y [0] : (tensor<?xf32>) -> tensor<?xf32>
  %z = fx.index %x[%mask] : (tensor<2x3xf32>, tensor<2x3xi1>) -> tensor<?xf32>
  %w = fx.add %y, %z : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  %mean = fx.mean %w : (tensor<?xf32>) -> tensor<f32>
  %half = arith.constant 0.5 : f64
  %m = fx.mul %mean, %half : (tensor<f32>, f64) -> tensor<f32>

  // A mask of one dim.
  %row = fx.select %mask dim 0 [0] : (tensor<2x3xi1>) -> tensor<3xi1>
  %columns = fx.index %x[_, %row] : (tensor<2x3xf32>, tensor<3xi1>) -> tensor<2x?xf32>
  %largest = fx.amax %x dim [1] {keepdim = true} : (tensor<2x3xf32>) -> tensor<2x1xf32>
  %less = fx.sub %columns, %largest : (tensor<2x?xf32>, tensor<2x1xf32>) -> tensor<2x?xf32>

  %eight = arith.constant dense<8.0> : tensor<f32>
  %put = fx.index_put %x[%mask], %eight : (tensor<2x3xf32>, tensor<2x3xi1>, tensor<f32>) -> tensor<2x3xf32>
  return %at, %two, %less, %put, %m : tensor<?x2xi64>, tensor<?xf32>, tensor<2x?xf32>, tensor<2x3xf32>, tensor<f32>
}
