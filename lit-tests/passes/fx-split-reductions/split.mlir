// A long reduction with few results is cut into parts, which a second one reduces.
// RUN: fx-opt %s --fx-split-reductions | FileCheck %s

#row = affine_map<(d0, d1) -> (d0, d1)>
#rows = affine_map<(d0, d1) -> (d0)>

// CHECK-LABEL: func.func @few
// CHECK-SAME:    (%[[X:.*]]: tensor<4x1048576xf32>, %[[INIT:.*]]: tensor<4xf32>)
// CHECK-DAG:     %[[NEUTRAL:.*]] = arith.constant dense<-0.000000e+00> : tensor<4x256xf32>
// CHECK-DAG:     %[[CUT:.*]] = tensor.expand_shape %[[X]] {{\[}}[0], [1, 2]] output_shape [4, 256, 4096]
// CHECK:         %[[PARTS:.*]] = linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "reduction"]} ins(%[[CUT]] : tensor<4x256x4096xf32>) outs(%[[NEUTRAL]] : tensor<4x256xf32>)
// CHECK:           arith.mulf
// CHECK:           arith.addf
// CHECK:         %[[ALL:.*]] = linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]} ins(%[[PARTS]] : tensor<4x256xf32>) outs(%[[INIT]] : tensor<4xf32>)
// CHECK-NOT:       arith.mulf
// CHECK:           arith.addf
// CHECK:         return %[[ALL]]
func.func @few(%x: tensor<4x1048576xf32>, %init: tensor<4xf32>) -> tensor<4xf32> {
  %y = linalg.generic {indexing_maps = [#row, #rows], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<4x1048576xf32>) outs(%init : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %square = arith.mulf %in, %in : f32
    %sum = arith.addf %out, %square : f32
    linalg.yield %sum : f32
  } -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// Many rows, short ones, sizes that a run knows, and a sum that is no associative op alone stay.
// CHECK-LABEL: func.func @others
// CHECK-NOT:     tensor.expand_shape
// CHECK:         return
func.func @others(%a: tensor<1024x1048576xf32>, %b: tensor<4x4096xf32>, %c: tensor<4x?xf32>, %d: tensor<4x1048576xf32>, %many: tensor<1024xf32>, %init: tensor<4xf32>)
    -> (tensor<1024xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %0 = linalg.generic {indexing_maps = [#row, #rows], iterator_types = ["parallel", "reduction"]} ins(%a : tensor<1024x1048576xf32>) outs(%many : tensor<1024xf32>) {
  ^bb0(%in: f32, %out: f32):
    %sum = arith.addf %out, %in : f32
    linalg.yield %sum : f32
  } -> tensor<1024xf32>
  %1 = linalg.generic {indexing_maps = [#row, #rows], iterator_types = ["parallel", "reduction"]} ins(%b : tensor<4x4096xf32>) outs(%init : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %sum = arith.addf %out, %in : f32
    linalg.yield %sum : f32
  } -> tensor<4xf32>
  %2 = linalg.generic {indexing_maps = [#row, #rows], iterator_types = ["parallel", "reduction"]} ins(%c : tensor<4x?xf32>) outs(%init : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %sum = arith.addf %out, %in : f32
    linalg.yield %sum : f32
  } -> tensor<4xf32>
  %3 = linalg.generic {indexing_maps = [#row, #rows], iterator_types = ["parallel", "reduction"]} ins(%d : tensor<4x1048576xf32>) outs(%init : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %half = arith.mulf %out, %in : f32
    %sum = arith.addf %half, %in : f32
    linalg.yield %sum : f32
  } -> tensor<4xf32>
  return %0, %1, %2, %3 : tensor<1024xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}
