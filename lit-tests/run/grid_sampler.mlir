// Points at places 1/2, 3, 5 and -1/2 of a row: what they take, and the gradients.
// RUN: fxc run %s | FileCheck %s

// CHECK:      output.0 f32 {{.*}} [1.50000, 4, 0, 0.500000]
// CHECK-NEXT: output.1 f32 {{.*}} [1.50000, 4, 4, 1]
// CHECK-NEXT: output.2 f32 {{.*}} [1.50000, 4, 3, 1]
// CHECK-NEXT: output.3 f32 {{.*}} [1, 4, 0, 1]
// CHECK-NEXT: output.4 f32 {{.*}} [1.50000, 0.500000, 0, 2]
// At the border and beyond it the place does not depend on the coordinate.
// CHECK-NEXT: output.5 f32 {{.*}} max 2 mean 0.250000 [2, 
// CHECK-NEXT: output.6 f32 {{.*}} [2, 0, 0, 1]
func.func @main() -> (tensor<1x1x1x4xf32>, tensor<1x1x1x4xf32>, tensor<1x1x1x4xf32>, tensor<1x1x1x4xf32>, tensor<1x1x1x4xf32>, tensor<1x1x4x2xf32>, tensor<1x1x1x4xf32>) {
  %x = arith.constant dense<[[[[1.0, 2.0, 3.0, 4.0]]]]> : tensor<1x1x1x4xf32>
  %p = arith.constant dense<[[[[-0.5, 0.0], [0.75, 0.0], [1.75, 0.0], [-1.0, 0.0]]]]> : tensor<1x1x4x2xf32>
  %zeros = fx.grid_sampler %x, %p {interpolation_mode = 0 : i64, padding_mode = 0 : i64, align_corners = false} : (tensor<1x1x1x4xf32>, tensor<1x1x4x2xf32>) -> tensor<1x1x1x4xf32>
  %border = fx.grid_sampler %x, %p {interpolation_mode = 0 : i64, padding_mode = 1 : i64, align_corners = false} : (tensor<1x1x1x4xf32>, tensor<1x1x4x2xf32>) -> tensor<1x1x1x4xf32>
  %reflection = fx.grid_sampler %x, %p {interpolation_mode = 0 : i64, padding_mode = 2 : i64, align_corners = false} : (tensor<1x1x1x4xf32>, tensor<1x1x4x2xf32>) -> tensor<1x1x1x4xf32>
  %nearest = fx.grid_sampler %x, %p {interpolation_mode = 1 : i64, padding_mode = 0 : i64, align_corners = false} : (tensor<1x1x1x4xf32>, tensor<1x1x4x2xf32>) -> tensor<1x1x1x4xf32>

  %g = arith.constant dense<1.0> : tensor<1x1x1x4xf32>
  %dx, %dp = fx.grid_sampler_backward %g, %x, %p {interpolation_mode = 0 : i64, padding_mode = 1 : i64, align_corners = false, output_mask = array<i1: true, true>} : (tensor<1x1x1x4xf32>, tensor<1x1x1x4xf32>, tensor<1x1x4x2xf32>) -> (tensor<1x1x1x4xf32>, tensor<1x1x4x2xf32>)
  %dn, %none = fx.grid_sampler_backward %g, %x, %p {interpolation_mode = 1 : i64, padding_mode = 0 : i64, align_corners = false, output_mask = array<i1: true, false>} : (tensor<1x1x1x4xf32>, tensor<1x1x1x4xf32>, tensor<1x1x4x2xf32>) -> (tensor<1x1x1x4xf32>, none)
  return %zeros, %border, %reflection, %nearest, %dx, %dp, %dn : tensor<1x1x1x4xf32>, tensor<1x1x1x4xf32>, tensor<1x1x1x4xf32>, tensor<1x1x1x4xf32>, tensor<1x1x1x4xf32>, tensor<1x1x4x2xf32>, tensor<1x1x1x4xf32>
}
