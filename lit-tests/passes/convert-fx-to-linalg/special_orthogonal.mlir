// Orthogonal polynomials: a loop over the degree, which is an element too; Chebyshev's by angles where that is exact.
// RUN: fx-opt %s --pass-pipeline='builtin.module(func.func(convert-fx-to-linalg))' | FileCheck %s

// CHECK-LABEL: func.func @legendre(
// CHECK:           %[[N:.*]] = math.trunc
// CHECK:           scf.while (%[[K:.*]] = %{{.*}}, %{{.*}} = %{{.*}}, %[[Q:.*]] = %{{.*}}) : (f64, f64, f64) -> (f64, f64, f64)
// CHECK:             %[[MORE:.*]] = arith.cmpf olt, %[[K]], %{{.*}}
// CHECK:             %[[NUMBER:.*]] = arith.cmpf oeq, %[[Q]], %[[Q]]
// CHECK:             %[[BOTH:.*]] = arith.andi %[[MORE]], %[[NUMBER]]
// CHECK:             scf.condition(%[[BOTH]])
func.func @legendre(%x: tensor<4x1xf32>, %n: tensor<3xi64>) -> tensor<4x3xf32> {
  %y = fx.special_legendre_polynomial_p %x, %n : (tensor<4x1xf32>, tensor<3xi64>) -> tensor<4x3xf32>
  return %y : tensor<4x3xf32>
}

// CHECK-LABEL: func.func @chebyshev(
// CHECK:           scf.if
// CHECK:             math.acos
// CHECK:           else
// CHECK:             scf.while
func.func @chebyshev(%x: tensor<4xf64>, %n: tensor<4xf64>) -> tensor<4xf64> {
  %y = fx.special_shifted_chebyshev_polynomial_u %x, %n : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
  return %y : tensor<4xf64>
}
