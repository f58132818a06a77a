// Gradients of resampling gather: one reduction per dim that changes size, over the places that may read an element.
// RUN: fx-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(convert-fx-to-linalg))' | FileCheck %s

// At most 5 places of the result take from one of the input.
// CHECK-LABEL: func.func @bilinear(
// CHECK-SAME:    %[[G:.*]]: tensor<2x3x8x16xbf16>)
// CHECK:         %[[COLUMNS:.*]] = linalg.generic {{{.*}}iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%{{.*}} : tensor<5xi8>) outs(%{{.*}} : tensor<2x3x8x8xf32>)
// CHECK:           scf.if
// CHECK:             tensor.extract %[[G]]
// CHECK:         linalg.generic {{{.*}}iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%{{.*}} : tensor<5xi8>) outs(%{{.*}} : tensor<2x3x4x8xf32>)
// CHECK:             tensor.extract %[[COLUMNS]]
// CHECK:         arith.truncf
func.func @bilinear(%g: tensor<2x3x8x16xbf16>) -> tensor<2x3x4x8xbf16> {
  %y = fx.upsample_bilinear2d_backward %g output_size [8, 16] input_size [2, 3, 4, 8] {align_corners = false} : (tensor<2x3x8x16xbf16>) -> tensor<2x3x4x8xbf16>
  return %y : tensor<2x3x4x8xbf16>
}

// -----

// A dim that keeps its size is left alone.
// CHECK-LABEL: func.func @rows(
// CHECK:         "reduction"
// CHECK-NOT:     "reduction"
// CHECK:         return
func.func @rows(%g: tensor<2x3x8x8xf32>) -> tensor<2x3x4x8xf32> {
  %y = fx.upsample_nearest2d_backward %g output_size [8, 8] input_size [2, 3, 4, 8] : (tensor<2x3x8x8xf32>) -> tensor<2x3x4x8xf32>
  return %y : tensor<2x3x4x8xf32>
}

// -----

// Run-time sizes bound the loop at run time.
// CHECK-LABEL: func.func @dynamic(
// CHECK:         arith.fptosi %{{.*}} : f64 to i64
// CHECK:         %[[MOST:.*]] = arith.select %{{.*}} : i64
// CHECK-NEXT:    %[[STEPS:.*]] = arith.index_cast %[[MOST]] : i64 to index
// CHECK:         tensor.empty(%[[STEPS]]) : tensor<?xi8>
func.func @dynamic(%g: tensor<1x1x?xf32> {fx.dims = [1, 1, "n"]}, %m: index {fx.symbol = "m"}) -> tensor<1x1x?xf32>
    attributes {fx.symbols = {m = array<i64: 1, -1>, n = array<i64: 1, -1>}} {
  %c2 = arith.constant 2 : index
  %n = tensor.dim %g, %c2 : tensor<1x1x?xf32>
  %y = fx.upsample_linear1d_backward %g output_size [%n] input_size [1, 1, %m] {align_corners = true} : (tensor<1x1x?xf32>, index, index) -> tensor<1x1x?xf32>
  return %y : tensor<1x1x?xf32>
}
