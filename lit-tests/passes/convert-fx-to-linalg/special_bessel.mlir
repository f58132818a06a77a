// Bessel and Airy functions: a branch between the expansions near 0 and far away; the far one alone has sines or exponentials.
// RUN: fx-opt %s --pass-pipeline='builtin.module(func.func(convert-fx-to-linalg))' | FileCheck %s

// CHECK-LABEL: func.func @j1(
// CHECK:           %[[NEAR:.*]] = arith.cmpf ole, %{{.*}}, %{{.*}} : f64
// CHECK:           scf.if %[[NEAR]] -> (f64)
// CHECK-NOT:         math.sin
// CHECK:           else
// CHECK:             math.sin
// CHECK:             math.cos
func.func @j1(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = fx.special_bessel_j1 %x : (tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// The scaled function has its exponential near 0, the other one far away.
// CHECK-LABEL: func.func @i0e(
// CHECK:           scf.if
// CHECK:             math.exp
// CHECK:           else
// CHECK-NOT:         math.exp
// CHECK:         return
func.func @i0e(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = fx.special_i0e %x : (tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// CHECK-LABEL: func.func @i0(
// CHECK:           scf.if
// CHECK-NOT:         math.exp
// CHECK:           else
// CHECK:             math.exp
// CHECK:         return
func.func @i0(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = fx.i0 %x : (tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// CHECK-LABEL: func.func @airy(
// CHECK:           scf.if
// CHECK:           else
// CHECK:             scf.if
// CHECK:               math.exp
// CHECK:             else
// CHECK:               math.sin
func.func @airy(%x: tensor<4xf64>) -> tensor<4xf64> {
  %y = fx.special_airy_ai %x : (tensor<4xf64>) -> tensor<4xf64>
  return %y : tensor<4xf64>
}
