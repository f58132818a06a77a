// Ops that fail on singular matrices, or give part of a decomposition, are another op that checks.
// RUN: fx-opt %s --pass-pipeline='builtin.module(func.func(fx-decompose))' | FileCheck %s

// CHECK-LABEL: func.func @inverse(
// CHECK:         %[[Y:.*]], %{{.*}} = fx.linalg_inv_ex %{{.*}} {check_errors = true}
// CHECK:         return %[[Y]]
func.func @inverse(%a: tensor<3x3xf32>) -> tensor<3x3xf32> {
  %y = fx.linalg_inv %a : (tensor<3x3xf32>) -> tensor<3x3xf32>
  return %y : tensor<3x3xf32>
}

// CHECK-LABEL: func.func @cholesky(
// CHECK:         fx.linalg_cholesky_ex %{{.*}} {check_errors = true, upper = true}
func.func @cholesky(%a: tensor<3x3xf32>) -> tensor<3x3xf32> {
  %y = fx.cholesky %a {upper = true} : (tensor<3x3xf32>) -> tensor<3x3xf32>
  return %y : tensor<3x3xf32>
}

// The logarithm of a negative determinant is NaN.
// CHECK-LABEL: func.func @logdet(
// CHECK:         %[[SIGN:.*]], %[[LOG:.*]], %{{.*}}, %{{.*}} = fx.linalg_slogdet
// CHECK:         %[[NEGATIVE:.*]] = fx.eq %[[SIGN]]
// CHECK:         fx.where %[[NEGATIVE]], %{{.*}}, %[[LOG]]
func.func @logdet(%a: tensor<2x3x3xf32>) -> tensor<2xf32> {
  %y = fx.logdet %a : (tensor<2x3x3xf32>) -> tensor<2xf32>
  return %y : tensor<2xf32>
}

// CHECK-LABEL: func.func @eigvalsh(
// CHECK:         fx.linalg_eigh %{{.*}} {UPLO = "U", compute_v = false}
func.func @eigvalsh(%a: tensor<3x3xf32>) -> tensor<3xf32> {
  %y = fx.linalg_eigvalsh %a {UPLO = "U"} : (tensor<3x3xf32>) -> tensor<3xf32>
  return %y : tensor<3xf32>
}
