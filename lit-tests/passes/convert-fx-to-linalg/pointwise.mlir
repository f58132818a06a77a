// A pointwise op is one generic: size-1 dims are read at 0, numbers are captured in the promoted type.
// RUN: fx-opt %s --pass-pipeline='builtin.module(func.func(convert-fx-to-linalg))' | FileCheck %s

// CHECK-DAG: #[[ID:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-DAG: #[[ROW:.*]] = affine_map<(d0, d1) -> (d0, 0)>
// CHECK-LABEL: func.func @broadcast(
// CHECK:         linalg.generic {indexing_maps = [#[[ID]], #[[ROW]], #[[ID]]], iterator_types = ["parallel", "parallel"]}
// CHECK:           arith.addf
func.func @broadcast(%a: tensor<4x8xf32>, %b: tensor<4x1xf32>) -> tensor<4x8xf32> {
  %y = fx.add %a, %b : (tensor<4x8xf32>, tensor<4x1xf32>) -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// CHECK-LABEL: func.func @number(
// CHECK:         linalg.generic
// CHECK:           %[[TWO:.*]] = arith.constant 2.000000e+00 : f32
// CHECK:           arith.mulf %{{.*}}, %[[TWO]] : f32
func.func @number(%a: tensor<4xf32>) -> tensor<4xf32> {
  %c = arith.constant 2 : i64
  %y = fx.mul %a, %c : (tensor<4xf32>, i64) -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// Bytes become signless, and are extended without a sign.
// CHECK-LABEL: func.func @bytes(
// CHECK-SAME:    tensor<4xi8> {fx.unsigned}
// CHECK:           arith.uitofp
func.func @bytes(%a: tensor<4xui8>) -> tensor<4xf32> {
  %y = fx.to_copy %a as f32 : (tensor<4xui8>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
