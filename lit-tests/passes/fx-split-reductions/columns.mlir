// Results that are columns of memory stay beside each other in the parts; rows that a cluster reduces stay whole.
// RUN: fx-opt %s --fx-split-reductions='columns=128 keep-rows=262144' | FileCheck %s

#column = affine_map<(d0, d1) -> (d1, d0)>
#row = affine_map<(d0, d1) -> (d0, d1)>
#first = affine_map<(d0, d1) -> (d0)>

// CHECK-DAG:     #[[IN:.*]] = affine_map<(d0, d1, d2) -> (d0, d2, d1)>
// CHECK-DAG:     #[[OUT:.*]] = affine_map<(d0, d1, d2) -> (d0, d1)>
// CHECK-LABEL: func.func @columns
// CHECK-SAME:    (%[[X:.*]]: tensor<16384x8192xf32>, %[[INIT:.*]]: tensor<8192xf32>)
// CHECK:         %[[CUT:.*]] = tensor.expand_shape %[[X]] {{\[}}[0, 1], [2]] output_shape [16, 1024, 8192]
// CHECK:         %[[PARTS:.*]] = linalg.generic {indexing_maps = [#[[IN]], #[[OUT]]], iterator_types = ["parallel", "parallel", "reduction"]} ins(%[[CUT]] : tensor<16x1024x8192xf32>) outs({{.*}} : tensor<16x8192xf32>)
// CHECK:         %[[ALL:.*]] = linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]} ins(%[[PARTS]] : tensor<16x8192xf32>) outs(%[[INIT]] : tensor<8192xf32>)
// CHECK:         return %[[ALL]]
func.func @columns(%x: tensor<16384x8192xf32>, %init: tensor<8192xf32>) -> tensor<8192xf32> {
  %y = linalg.generic {indexing_maps = [#column, #first], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<16384x8192xf32>) outs(%init : tensor<8192xf32>) {
  ^bb0(%in: f32, %out: f32):
    %sum = arith.addf %out, %in : f32
    linalg.yield %sum : f32
  } -> tensor<8192xf32>
  return %y : tensor<8192xf32>
}

// CHECK-LABEL: func.func @rows
// CHECK-NOT:     tensor.expand_shape
// CHECK:         return
func.func @rows(%x: tensor<4x262144xf32>, %init: tensor<4xf32>) -> tensor<4xf32> {
  %y = linalg.generic {indexing_maps = [#row, #first], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<4x262144xf32>) outs(%init : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %sum = arith.addf %out, %in : f32
    linalg.yield %sum : f32
  } -> tensor<4xf32>
  return %y : tensor<4xf32>
}
