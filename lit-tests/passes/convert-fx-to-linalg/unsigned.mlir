// Arguments of type ui8 become i8, and are compared as what they were.
// RUN: fx-opt %s --pass-pipeline='builtin.module(func.func(convert-fx-to-linalg,canonicalize,cse))' | FileCheck %s

// CHECK-LABEL: func.func @compare(
// CHECK-SAME:    %{{.*}}: tensor<4xi8> {fx.unsigned}
// CHECK:         arith.cmpi ugt
func.func @compare(%a: tensor<4xui8>, %b: tensor<4xui8>) -> tensor<4xi1> {
  %y = fx.gt %a, %b : (tensor<4xui8>, tensor<4xui8>) -> tensor<4xi1>
  return %y : tensor<4xi1>
}

// CHECK-LABEL: func.func @search(
// CHECK:         arith.cmpi ult
func.func @search(%x: tensor<4xui8>, %bounds: tensor<3xui8>) -> tensor<4xi64> {
  %y = fx.bucketize %x, %bounds : (tensor<4xui8>, tensor<3xui8>) -> tensor<4xi64>
  return %y : tensor<4xi64>
}
