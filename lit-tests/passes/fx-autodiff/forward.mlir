// Tangents are further arguments and results. The rule of a product is transposed.
// RUN: fx-opt %s --fx-autodiff=mode=forward --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @main
// CHECK-SAME:    %[[A:arg0]]: tensor<3x4xf32>, %[[B:arg1]]: tensor<4x5xf32>
// CHECK-SAME:    %[[DA:arg2]]: tensor<3x4xf32> {fx.kind = "input", fx.name = "tangent.arg0", fx.target = "tangent.arg0"}
// CHECK-SAME:    %[[DB:arg3]]: tensor<4x5xf32>
// CHECK:         %[[Y:.*]] = fx.mm %[[A]], %[[B]]
// CHECK-DAG:     %[[L:.*]] = fx.mm %[[DA]], %[[B]]
// CHECK-DAG:     %[[R:.*]] = fx.mm %[[A]], %[[DB]]
// CHECK:         %[[D:.*]] = fx.add
// CHECK-NEXT:    return %[[Y]], %[[D]]
func.func @main(%a: tensor<3x4xf32>, %b: tensor<4x5xf32>) -> tensor<3x5xf32> {
  %y = fx.mm %a, %b : (tensor<3x4xf32>, tensor<4x5xf32>) -> tensor<3x5xf32>
  return %y : tensor<3x5xf32>
}
