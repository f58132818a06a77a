// Gradients of distances: that of equal rows is 0.
// RUN: fxc run %s | FileCheck %s

// CHECK:      output.0 f32 [2, 2] {{.*}} [-0.600000, -0.800000, 0, 0]
// CHECK-NEXT: output.1 f32 [2, 2] {{.*}} [-1, -1, 1, 1]
// CHECK-NEXT: output.2 f32 [2, 2] {{.*}} [0, -1, 0, 0]
// CHECK-NEXT: output.3 f32 [3, 2] {{.*}} [-3, -4, 0.600000, 0.800000, 2.40000, 3.20000]
func.func @main() -> (tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<3x2xf32>) {
  %x = arith.constant dense<[[0.0, 0.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %y = arith.constant dense<[[3.0, 4.0]]> : tensor<1x2xf32>
  %one = arith.constant dense<1.0> : tensor<2x1xf32>
  %d2 = arith.constant dense<[[5.0], [0.0]]> : tensor<2x1xf32>
  %euclidean = fx.cdist_backward %one, %x, %y, %d2 {p = 2.0 : f64} : (tensor<2x1xf32>, tensor<2x2xf32>, tensor<1x2xf32>, tensor<2x1xf32>) -> tensor<2x2xf32>
  %w = arith.constant dense<[[1.0, 2.0]]> : tensor<1x2xf32>
  %d1 = arith.constant dense<[[3.0], [4.0]]> : tensor<2x1xf32>
  %blocks = fx.cdist_backward %one, %x, %w, %d1 {p = 1.0 : f64} : (tensor<2x1xf32>, tensor<2x2xf32>, tensor<1x2xf32>, tensor<2x1xf32>) -> tensor<2x2xf32>
  %largest = arith.constant dense<[[4.0], [0.0]]> : tensor<2x1xf32>
  %chessboard = fx.cdist_backward %one, %x, %y, %largest {p = 0x7FF0000000000000 : f64} : (tensor<2x1xf32>, tensor<2x2xf32>, tensor<1x2xf32>, tensor<2x1xf32>) -> tensor<2x2xf32>

  // Rows 0 and 1, 0 and 2, 1 and 2, of which the last two are equal.
  %z = arith.constant dense<[[0.0, 0.0], [3.0, 4.0], [3.0, 4.0]]> : tensor<3x2xf32>
  %g = arith.constant dense<[1.0, 4.0, 7.0]> : tensor<3xf32>
  %d = arith.constant dense<[5.0, 5.0, 0.0]> : tensor<3xf32>
  %pairs = fx.pdist_backward %g, %z, %d {p = 2.0 : f64} : (tensor<3xf32>, tensor<3x2xf32>, tensor<3xf32>) -> tensor<3x2xf32>
  return %euclidean, %blocks, %chessboard, %pairs : tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<3x2xf32>
}
