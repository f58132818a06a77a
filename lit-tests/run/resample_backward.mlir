// Gradients of resampling: each place of the input takes from the places of the result that read it.
// RUN: fxc run %s | FileCheck %s

// CHECK:      output.0 f32 {{.*}} [6, 9, 13]
// CHECK-NEXT: output.1 f32 {{.*}} [2, 6, 7]
// CHECK-NEXT: output.2 f32 {{.*}} [1, 1, 2, 2]
// CHECK-NEXT: output.3 f32 {{.*}} [28, 4]
// CHECK-NEXT: output.4 bf16 {{.*}} [16, 13, 35, 32]
// CHECK-NEXT: output.5 f64 {{.*}} [3, 5, 7, 6]
// CHECK-NEXT: output.6 f32 {{.*}} [14, 22, 6, 6]
func.func @main() -> (tensor<1x1x3xf32>, tensor<1x1x3xf32>, tensor<1x1x4xf32>, tensor<1x1x2xf32>, tensor<1x1x1x4xbf16>, tensor<1x1x1x4xf64>, tensor<1x1x2x2xf32>) {
  // Places 0 0 0 1 1 2 2.
  %a = arith.constant dense<[[[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]]]> : tensor<1x1x7xf32>
  %nearest = fx.upsample_nearest1d_backward %a output_size [7] input_size [1, 1, 3] : (tensor<1x1x7xf32>) -> tensor<1x1x3xf32>

  // Places 0, 1/2, 1, 3/2, 2; then 1/2 and 5/2.
  %b = arith.constant dense<[[[1.0, 2.0, 3.0, 4.0, 5.0]]]> : tensor<1x1x5xf32>
  %aligned = fx.upsample_linear1d_backward %b output_size [5] input_size [1, 1, 3] {align_corners = true} : (tensor<1x1x5xf32>) -> tensor<1x1x3xf32>
  %c = arith.constant dense<[[[2.0, 4.0]]]> : tensor<1x1x2xf32>
  %linear = fx.upsample_linear1d_backward %c output_size [2] input_size [1, 1, 4] {align_corners = false} : (tensor<1x1x2xf32>) -> tensor<1x1x4xf32>

  // A factor that does not fit the sizes: places 0, 0, 1/8, 3/8.
  %d = arith.constant dense<8.0> : tensor<1x1x4xf32>
  %given = fx.upsample_linear1d_backward %d output_size [4] input_size [1, 1, 2] {align_corners = false, scales = 4.0 : f64} : (tensor<1x1x4xf32>) -> tensor<1x1x2xf32>

  // Weights -3/32, 19/32, 19/32, -3/32, those beyond the edge at the edge.
  %e = arith.constant dense<[[[[32.0, 64.0]]]]> : tensor<1x1x1x2xbf16>
  %cubic = fx.upsample_bicubic2d_backward %e output_size [1, 2] input_size [1, 1, 1, 4] {align_corners = false} : (tensor<1x1x1x2xbf16>) -> tensor<1x1x1x4xbf16>

  // Weights 3/7, 3/7, 1/7 and 1/7, 3/7, 3/7.
  %f = arith.constant dense<[[[[7.0, 14.0]]]]> : tensor<1x1x1x2xf64>
  %smooth = fx.upsample_bilinear2d_aa_backward %f output_size [1, 2] input_size [1, 1, 1, 4] {align_corners = false} : (tensor<1x1x1x2xf64>) -> tensor<1x1x1x4xf64>

  %g = arith.constant dense<[[[[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0], [1.0, 1.0, 1.0, 1.0], [2.0, 2.0, 2.0, 2.0]]]]> : tensor<1x1x4x4xf32>
  %blocks = fx.upsample_nearest_exact2d_backward %g output_size [4, 4] input_size [1, 1, 2, 2] : (tensor<1x1x4x4xf32>) -> tensor<1x1x2x2xf32>
  return %nearest, %aligned, %linear, %given, %cubic, %smooth, %blocks : tensor<1x1x3xf32>, tensor<1x1x3xf32>, tensor<1x1x4xf32>, tensor<1x1x2xf32>, tensor<1x1x1x4xbf16>, tensor<1x1x1x4xf64>, tensor<1x1x2x2xf32>
}
