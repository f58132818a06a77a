// Gradients of padding: an element takes from each of its images; cropped ends have none.
// RUN: fxc run %s | FileCheck %s

// Images 2 1 0 1 2 3 2, of four.
// CHECK:      output.0 f32 {{.*}} [3, 6, 13, 6]
// 0 0 0 1 2 2 of three.
// CHECK-NEXT: output.1 f32 {{.*}} [6, 4, 11]
// 2 3 3 of four.
// CHECK-NEXT: output.2 f32 {{.*}} [0, 0, 1, 5]
// CHECK-NEXT: output.3 f32 {{.*}} [2, 4, 1, 2]
func.func @main() -> (tensor<1x4xf32>, tensor<1x3xf32>, tensor<1x4xf32>, tensor<1x2x2xf32>) {
  %x = arith.constant dense<0.0> : tensor<1x4xf32>
  %a = arith.constant dense<[[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]]> : tensor<1x7xf32>
  %reflected = fx.reflection_pad1d_backward %a, %x padding [2, 1] : (tensor<1x7xf32>, tensor<1x4xf32>) -> tensor<1x4xf32>
  %y = arith.constant dense<0.0> : tensor<1x3xf32>
  %b = arith.constant dense<[[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]]> : tensor<1x6xf32>
  %replicated = fx.replication_pad1d_backward %b, %y padding [2, 1] : (tensor<1x6xf32>, tensor<1x3xf32>) -> tensor<1x3xf32>
  %c = arith.constant dense<[[1.0, 2.0, 3.0]]> : tensor<1x3xf32>
  %cropped = fx.replication_pad1d_backward %c, %x padding [-2, 1] : (tensor<1x3xf32>, tensor<1x4xf32>) -> tensor<1x4xf32>
  %z = arith.constant dense<0.0> : tensor<1x2x2xf32>
  %d = arith.constant dense<1.0> : tensor<1x3x3xf32>
  %both = fx.replication_pad2d_backward %d, %z padding [0, 1, 1, 0] : (tensor<1x3x3xf32>, tensor<1x2x2xf32>) -> tensor<1x2x2xf32>
  return %reflected, %replicated, %cropped, %both : tensor<1x4xf32>, tensor<1x3xf32>, tensor<1x4xf32>, tensor<1x2x2xf32>
}
