// Random ops are neither merged nor erased; dropout that does nothing folds away.
// RUN: fx-opt %s -canonicalize -cse | FileCheck %s

// CHECK-LABEL: func.func @two_samples
// CHECK:         %[[A:.*]] = fx.rand [4]
// CHECK-NEXT:    %[[B:.*]] = fx.rand [4]
// CHECK-NEXT:    return %[[A]], %[[B]]
func.func @two_samples() -> (tensor<4xf32>, tensor<4xf32>) {
  %a = fx.rand [4] : tensor<4xf32>
  %b = fx.rand [4] : tensor<4xf32>
  return %a, %b : tensor<4xf32>, tensor<4xf32>
}

// An erased sample would change those after it.
// CHECK-LABEL: func.func @unused
// CHECK:         fx.rand [4]
func.func @unused() {
  %a = fx.rand [4] : tensor<4xf32>
  return
}

// CHECK-LABEL: func.func @dropout
// CHECK-SAME:    %[[X:.*]]: tensor<4xf32>
// CHECK:         %[[Y:.*]] = fx.dropout %[[X]] p 5.000000e-01 train true
// CHECK-NEXT:    return %[[Y]]
func.func @dropout(%x: tensor<4xf32>) -> tensor<4xf32> {
  %a = fx.dropout %x p 0.5 train false : (tensor<4xf32>) -> tensor<4xf32>
  %b = fx.dropout %a p 0.0 train true : (tensor<4xf32>) -> tensor<4xf32>
  %c = fx.dropout %b p 0.5 train true : (tensor<4xf32>) -> tensor<4xf32>
  return %c : tensor<4xf32>
}
