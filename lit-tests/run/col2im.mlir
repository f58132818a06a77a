// Columns are added where their windows overlap.
// RUN: fxc run %s | FileCheck %s

// CHECK:      output.0 f32 [1, 1, 5] {{.*}} [1, 2, 7, 4, 9]
// CHECK-NEXT: output.1 f32 [1, 1, 3] {{.*}} [6, 8, 4]
func.func @main() -> (tensor<1x1x5xf32>, tensor<1x1x3xf32>) {
  // Windows at 0 1 2 and 2 3 4, place by place.
  %x = arith.constant dense<[[1.0, 3.0], [2.0, 4.0], [4.0, 9.0]]> : tensor<3x2xf32>
  %y = fx.col2im %x output_size [1, 5] kernel_size [1, 3] dilation [1, 1] padding [0, 0] stride [1, 2] : (tensor<3x2xf32>) -> tensor<1x1x5xf32>
  // With padding, places outside are dropped.
  %z = arith.constant dense<[[1.0, 2.0, 3.0, 4.0], [4.0, 5.0, 0.0, 6.0]]> : tensor<2x4xf32>
  %w = fx.col2im %z output_size [1, 3] kernel_size [1, 2] dilation [1, 1] padding [0, 1] stride [1, 1] : (tensor<2x4xf32>) -> tensor<1x1x3xf32>
  return %y, %w : tensor<1x1x5xf32>, tensor<1x1x3xf32>
}
