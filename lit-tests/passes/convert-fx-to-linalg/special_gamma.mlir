// The gamma family: branches for the sides of lgamma, a loop over the p of mvlgamma, one until terms vanish in zeta.
// RUN: fx-opt %s --pass-pipeline='builtin.module(func.func(convert-fx-to-linalg))' | FileCheck %s

// CHECK-LABEL: func.func @lgamma(
// CHECK:         linalg.generic
// CHECK-NOT:       arith.extf
// CHECK:           scf.if %{{.*}} -> (f64)
// CHECK-NOT:       arith.truncf
// CHECK:           linalg.yield %{{.*}} : f64
func.func @lgamma(%x: tensor<4xf64>) -> tensor<4xf64> {
  %y = fx.lgamma %x : (tensor<4xf64>) -> tensor<4xf64>
  return %y : tensor<4xf64>
}

// CHECK-LABEL: func.func @mvlgamma(
// CHECK-DAG:       %[[P:.*]] = arith.constant 3 : index
// CHECK:           scf.for %[[I:.*]] = %{{.*}} to %[[P]] step %{{.*}} iter_args(%[[SUM:.*]] = %{{.*}}) -> (f64)
// CHECK:             %[[NEXT:.*]] = arith.addf %[[SUM]], %{{.*}} : f64
// CHECK-NEXT:        scf.yield %[[NEXT]] : f64
func.func @mvlgamma(%x: tensor<4xf64>) -> tensor<4xf64> {
  %y = fx.mvlgamma %x p 3 : (tensor<4xf64>) -> tensor<4xf64>
  return %y : tensor<4xf64>
}

// Orders 0 and 1 have series of their own, without a power.
// CHECK-LABEL: func.func @trigamma(
// CHECK-NOT:       math.powf
// CHECK:           math.sin
// CHECK-NOT:       math.powf
// CHECK:         return
func.func @trigamma(%x: tensor<4xi32>) -> tensor<4xf32> {
  %y = fx.polygamma %x n 1 : (tensor<4xi32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// CHECK-LABEL: func.func @zeta(
// CHECK:           scf.while (%{{.*}}, %{{.*}}) : (f64, f64, f64, f64) -> (f64, f64, f64, f64)
// CHECK:             scf.condition(%{{.*}})
// CHECK:             math.powf
// CHECK:             scf.yield
func.func @zeta(%x: tensor<4xf32>, %q: tensor<4xf32>) -> tensor<4xf32> {
  %y = fx.special_zeta %x, %q : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// Only the way that an element needs is computed: two series and a fraction that are loops, and an expansion by erfc.
// CHECK-LABEL: func.func @igammac(
// CHECK:           scf.if
// CHECK:             math.erfc
// CHECK:           else
// CHECK-COUNT-3:     scf.while
// CHECK-NOT:       scf.while
// CHECK:         return
func.func @igammac(%a: tensor<4xf32>, %x: tensor<4xf32>) -> tensor<4xf32> {
  %y = fx.igammac %a, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
