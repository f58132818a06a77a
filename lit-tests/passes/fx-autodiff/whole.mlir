// Functions that PyTorch exports in parts are differentiated as a whole; another choice is not.
// RUN: fx-opt --fx-autodiff --split-input-file %s | FileCheck %s

// CHECK-LABEL: func.func @main
// CHECK-SAME:  %[[X:.*]]: tensor<4xf32>
// CHECK:       fx.softplus_backward %{{.*}}, %[[X]] {beta = 3.000000e+00 : f64, threshold = 2.000000e+01 : f64}
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c3 = arith.constant 3 : i64
  %c20 = arith.constant 20.0 : f64
  %scaled = fx.mul %x, %c3 : (tensor<4xf32>, i64) -> tensor<4xf32>
  %power = fx.exp %scaled : (tensor<4xf32>) -> tensor<4xf32>
  %log = fx.log1p %power : (tensor<4xf32>) -> tensor<4xf32>
  %soft = fx.div %log, %c3 : (tensor<4xf32>, i64) -> tensor<4xf32>
  %beyond = fx.gt %scaled, %c20 : (tensor<4xf32>, f64) -> tensor<4xi1>
  %y = fx.where %beyond, %x, %soft : (tensor<4xi1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

// The divisor is not the factor.
// CHECK-LABEL: func.func @main
// CHECK-NOT:   fx.softplus
// CHECK:       return
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c3 = arith.constant 3 : i64
  %c4 = arith.constant 4 : i64
  %c20 = arith.constant 20.0 : f64
  %scaled = fx.mul %x, %c3 : (tensor<4xf32>, i64) -> tensor<4xf32>
  %power = fx.exp %scaled : (tensor<4xf32>) -> tensor<4xf32>
  %log = fx.log1p %power : (tensor<4xf32>) -> tensor<4xf32>
  %soft = fx.div %log, %c4 : (tensor<4xf32>, i64) -> tensor<4xf32>
  %beyond = fx.gt %scaled, %c20 : (tensor<4xf32>, f64) -> tensor<4xi1>
  %y = fx.where %beyond, %x, %soft : (tensor<4xi1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
