// Resampling and its gradient are transposed to each other; a factor that was given is kept. Sampling at points has a gradient
// op of its own, in whose place simpler ops stand where that is differentiated too.
// RUN: fx-opt %s --fx-autodiff --canonicalize --split-input-file | FileCheck %s
// RUN: fx-opt %s --fx-autodiff=order=2 --canonicalize --split-input-file | FileCheck %s --check-prefix=TWICE

// CHECK-LABEL: func.func @main(
// CHECK-SAME:    %[[X:arg0]]: tensor<1x2x?xf32>
// CHECK:         %[[Y:.*]] = fx.upsample_linear1d %[[X]]
// CHECK-DAG:     %[[FROM:.*]] = tensor.dim %[[X]]
// CHECK-DAG:     %[[TO:.*]] = tensor.dim %[[Y]]
// CHECK:         fx.upsample_linear1d_backward %{{.*}} output_size [%[[TO]]] input_size [1, 2, %[[FROM]]] {align_corners = false, scales = 1.500000e+00 : f64}
func.func @main(%x: tensor<1x2x?xf32>) -> tensor<1x2x?xf32> {
  %y = fx.upsample_linear1d %x output_size [] {align_corners = false, scale_factors = array<f64: 1.5>} : (tensor<1x2x?xf32>) -> tensor<1x2x?xf32>
  return %y : tensor<1x2x?xf32>
}

// -----

// CHECK-LABEL: func.func @main(
// CHECK:         %[[DX:.*]], %[[DGRID:.*]] = fx.grid_sampler_backward
// CHECK-SAME:    output_mask = array<i1: true, true>
// CHECK:         return %{{.*}}, %[[DX]], %[[DGRID]]
// TWICE-LABEL: func.func @main(
// TWICE-NOT:     fx.grid_sampler_backward
// TWICE:         fx.scatter_add
// TWICE:         fx.gather
// TWICE-NOT:     fx.grid_sampler_backward
func.func @main(%x: tensor<2x3x5x4xf32>, %grid: tensor<2x6x7x2xf32>) -> tensor<2x3x6x7xf32> {
  %y = fx.grid_sampler %x, %grid {align_corners = false, interpolation_mode = 0 : i64, padding_mode = 1 : i64} : (tensor<2x3x5x4xf32>, tensor<2x6x7x2xf32>) -> tensor<2x3x6x7xf32>
  return %y : tensor<2x3x6x7xf32>
}
