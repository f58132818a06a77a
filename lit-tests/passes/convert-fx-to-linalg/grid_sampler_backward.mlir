// Gradients of grid sampling: elements look through the points, points sum over channels; only what is asked for.
// RUN: fx-opt %s --pass-pipeline='builtin.module(func.func(convert-fx-to-linalg))' | FileCheck %s

// CHECK-LABEL: func.func @input(
// CHECK:         linalg.generic {{.*}}ins(%{{.*}} : tensor<4x6xi8>) outs(%{{.*}} : tensor<2x3x8x9xf32>)
// One branch per spatial dim.
// CHECK:           scf.if
// CHECK:             scf.if
// CHECK-NOT:     "reduction"
// CHECK:         return
func.func @input(%g: tensor<2x3x4x6xf32>, %x: tensor<2x3x8x9xf32>, %p: tensor<2x4x6x2xf32>) -> tensor<2x3x8x9xf32> {
  %dx, %dp = fx.grid_sampler_backward %g, %x, %p {interpolation_mode = 0 : i64, padding_mode = 0 : i64, align_corners = false, output_mask = array<i1: true, false>} : (tensor<2x3x4x6xf32>, tensor<2x3x8x9xf32>, tensor<2x4x6x2xf32>) -> (tensor<2x3x8x9xf32>, none)
  return %dx : tensor<2x3x8x9xf32>
}

// CHECK-LABEL: func.func @grid(
// CHECK-SAME:    %[[G:.*]]: tensor<2x3x4x6xf32>, %{{.*}}: tensor<2x3x8x9xf32>
// CHECK:         linalg.generic {{.*}}ins(%[[G]] : tensor<2x3x4x6xf32>) outs(%{{.*}} : tensor<2x4x6x2xf32>)
// CHECK-NOT:     tensor<2x3x8x9xf32>)
// CHECK:         return
func.func @grid(%g: tensor<2x3x4x6xf32>, %x: tensor<2x3x8x9xf32>, %p: tensor<2x4x6x2xf32>) -> tensor<2x4x6x2xf32> {
  %dx, %dp = fx.grid_sampler_backward %g, %x, %p {interpolation_mode = 0 : i64, padding_mode = 0 : i64, align_corners = false, output_mask = array<i1: false, true>} : (tensor<2x3x4x6xf32>, tensor<2x3x8x9xf32>, tensor<2x4x6x2xf32>) -> (none, tensor<2x4x6x2xf32>)
  return %dp : tensor<2x4x6x2xf32>
}
