// Gradients are further results; broadcast operands are summed, the latest use comes first in a sum.
// RUN: fx-opt %s --fx-autodiff=cotangents=arguments | FileCheck %s
// RUN: fx-opt %s --fx-autodiff="cotangents=arguments by=1" | FileCheck %s --check-prefix=ONE

// CHECK-LABEL: func.func @main
// CHECK-SAME:    %[[X:arg0]]: tensor<3x4xf32>, %[[B:arg1]]: tensor<4xf32>, %[[N:arg2]]: tensor<4xi64>
// CHECK-SAME:    %[[G:arg3]]: tensor<3x4xf32> {fx.cotangent = 0 : i64, fx.kind = "input", fx.name = "cotangent.0", fx.target = "cotangent.0"}
// CHECK-SAME:    -> (tensor<3x4xf32>, tensor<3x4xf32> {fx.kind = "input_gradient", fx.target = "arg0"}, tensor<4xf32> {fx.kind = "input_gradient", fx.target = "arg1"})
// CHECK:         %[[P:.*]] = fx.mul %[[X]], %[[B]]
// CHECK:         %[[S:.*]] = fx.sin %[[P]]
// CHECK:         %[[Y:.*]] = fx.add %[[S]], %[[X]]
// CHECK:         %[[C:.*]] = fx.cos %[[P]]
// CHECK:         %[[GP:.*]] = fx.mul %[[G]], %[[C]]
// CHECK:         %[[GX:.*]] = fx.mul %[[GP]], %[[B]]
// CHECK:         %[[GB:.*]] = fx.mul %[[GP]], %[[X]]
// CHECK:         fx.add %[[G]], %[[GX]]
// CHECK:         fx.sum %[[GB]] dim [0]
// ONE:         -> (tensor<3x4xf32>, tensor<4xf32> {fx.kind = "input_gradient", fx.target = "arg1"})
func.func @main(%x: tensor<3x4xf32>, %b: tensor<4xf32>, %n: tensor<4xi64>) -> tensor<3x4xf32> {
  %p = fx.mul %x, %b : (tensor<3x4xf32>, tensor<4xf32>) -> tensor<3x4xf32>
  %s = fx.sin %p : (tensor<3x4xf32>) -> tensor<3x4xf32>
  %y = fx.add %s, %x : (tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
  return %y : tensor<3x4xf32>
}
