// Orthogonal polynomials in f64: by recurrence and by angles, at an end, for degrees 0 and -1.
// RUN: fxc run %s | FileCheck %s

// CHECK:      output.0 {{.*}} [0.998880, 0.388828, 97, -1, 1, 0]
// CHECK-NEXT: output.1 {{.*}} [1.01376, 0.0990889, 209, -8, 1, 0]
// CHECK-NEXT: output.2 {{.*}} [0.964160, 1.06488, 153, -15, 1, 0]
// CHECK-NEXT: output.3 {{.*}} [1.06336, -0.866707, 265, -1, 1, 0]
// CHECK-NEXT: output.4 {{.*}} [-0.883840, 0.532930, 577, -114243, 1, 0]
// CHECK-NEXT: output.5 {{.*}} [-0.679680, 0.902224, 1189, -235416, 1, 0]
// CHECK-NEXT: output.6 {{.*}} [-0.169280, 1.82546, 985, -275807, 1, 0]
// CHECK-NEXT: output.7 {{.*}} [-1.19008, -0.0210120, 1393, -195025, 1, 0]
// CHECK-NEXT: output.8 {{.*}} [31.7578, 7010.29, 76, -464, 1, 0]
// CHECK-NEXT: output.9 {{.*}} [4.23243, 250.391, -5, 20, 1, 0]
// CHECK-NEXT: output.10 {{.*}} [-0.0933327, -0.417943, 0.333333, 25.9766, 1, 0]
// CHECK-NEXT: output.11 {{.*}} [0.345386, 0.0637004, 55.3750, -1, 1, 0]
func.func @main() -> (tensor<6xf64>, tensor<6xf64>, tensor<6xf64>, tensor<6xf64>, tensor<6xf64>, tensor<6xf64>,
                      tensor<6xf64>, tensor<6xf64>, tensor<6xf64>, tensor<6xf64>, tensor<6xf64>, tensor<6xf64>) {
  %c0 = arith.constant dense<[0.3, 0.3, 2.0, -1.0, 0.3, 0.3]> : tensor<6xf64>
  %c1 = arith.constant dense<[5.0, 9.0, 4.0, 7.0, 0.0, -1.0]> : tensor<6xf64>
  %y0 = fx.special_chebyshev_polynomial_t %c0, %c1 : (tensor<6xf64>, tensor<6xf64>) -> tensor<6xf64>
  %y1 = fx.special_chebyshev_polynomial_u %c0, %c1 : (tensor<6xf64>, tensor<6xf64>) -> tensor<6xf64>
  %y2 = fx.special_chebyshev_polynomial_v %c0, %c1 : (tensor<6xf64>, tensor<6xf64>) -> tensor<6xf64>
  %y3 = fx.special_chebyshev_polynomial_w %c0, %c1 : (tensor<6xf64>, tensor<6xf64>) -> tensor<6xf64>
  %y4 = fx.special_shifted_chebyshev_polynomial_t %c0, %c1 : (tensor<6xf64>, tensor<6xf64>) -> tensor<6xf64>
  %y5 = fx.special_shifted_chebyshev_polynomial_u %c0, %c1 : (tensor<6xf64>, tensor<6xf64>) -> tensor<6xf64>
  %y6 = fx.special_shifted_chebyshev_polynomial_v %c0, %c1 : (tensor<6xf64>, tensor<6xf64>) -> tensor<6xf64>
  %y7 = fx.special_shifted_chebyshev_polynomial_w %c0, %c1 : (tensor<6xf64>, tensor<6xf64>) -> tensor<6xf64>
  %y8 = fx.special_hermite_polynomial_h %c0, %c1 : (tensor<6xf64>, tensor<6xf64>) -> tensor<6xf64>
  %y9 = fx.special_hermite_polynomial_he %c0, %c1 : (tensor<6xf64>, tensor<6xf64>) -> tensor<6xf64>
  %y10 = fx.special_laguerre_polynomial_l %c0, %c1 : (tensor<6xf64>, tensor<6xf64>) -> tensor<6xf64>
  %y11 = fx.special_legendre_polynomial_p %c0, %c1 : (tensor<6xf64>, tensor<6xf64>) -> tensor<6xf64>
  return %y0, %y1, %y2, %y3, %y4, %y5, %y6, %y7, %y8, %y9, %y10, %y11 : tensor<6xf64>, tensor<6xf64>, tensor<6xf64>,
         tensor<6xf64>, tensor<6xf64>, tensor<6xf64>, tensor<6xf64>, tensor<6xf64>, tensor<6xf64>, tensor<6xf64>,
         tensor<6xf64>, tensor<6xf64>
}
