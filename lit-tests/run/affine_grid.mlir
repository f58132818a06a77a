// The regular grid under an affine map, by centres and by edges, and the gradient of the map.
// RUN: fxc run %s | FileCheck %s

// CHECK:      output.0 f32 [1, 1, 3, 2] {{.*}} [-1, 0.500000, 1, 0.500000, 3, 0.500000]
// CHECK-NEXT: output.1 f32 [1, 1, 2, 2] {{.*}} [0, 0.500000, 2, 0.500000]
// CHECK-NEXT: output.2 f32 [1, 2, 3] {{.*}} [2, 0, 9, 2, 0, 12]
func.func @main() -> (tensor<1x1x3x2xf32>, tensor<1x1x2x2xf32>, tensor<1x2x3xf32>) {
  %theta = arith.constant dense<[[[2.0, 0.0, 1.0], [0.0, 1.0, 0.5]]]> : tensor<1x2x3xf32>
  %centres = fx.affine_grid_generator %theta size [1, 1, 1, 3] {align_corners = true} : (tensor<1x2x3xf32>) -> tensor<1x1x3x2xf32>
  %edges = fx.affine_grid_generator %theta size [1, 1, 1, 2] {align_corners = false} : (tensor<1x2x3xf32>) -> tensor<1x1x2x2xf32>
  %g = arith.constant dense<[[[[2.0, 3.0], [3.0, 4.0], [4.0, 5.0]]]]> : tensor<1x1x3x2xf32>
  %map = fx.affine_grid_generator_backward %g size [1, 1, 1, 3] {align_corners = true} : (tensor<1x1x3x2xf32>) -> tensor<1x2x3xf32>
  return %centres, %edges, %map : tensor<1x1x3x2xf32>, tensor<1x1x2x2xf32>, tensor<1x2x3xf32>
}
