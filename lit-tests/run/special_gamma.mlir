// The gamma family in f64: at usual places, near zeros, below 0, at poles and at infinity.
// RUN: fxc run %s | FileCheck %s

// ln |Γ|
// CHECK:      output.0 {{.*}} [-1.30901, inf, 0, 0.284683, 359.134, inf]
// ψ: NaN at a pole, minus Euler's constant at 1
// CHECK-NEXT: output.1 {{.*}} [1.38887, -inf, NaN, -0.577216, 4.60016]
// Its first derivative: π^2/6 at 1
// CHECK-NEXT: output.2 {{.*}} [9.62088, inf, 1.64493, 0.490358, 0.0100502, 0]
// Its fourth
// CHECK-NEXT: output.3 {{.*}} [-0.0223008, -inf, -24.8863, -0.313756, -6.12100e-8]
// CHECK-NEXT: output.4 {{.*}} [1.88100, 36.8129]
// ζ(3), ζ(2, 1/2) = π^2/2, poles, x < 1
// CHECK-NEXT: output.5 {{.*}} [1.20206, 4.93480, inf, inf, NaN]
// P: by the series, the fraction, the expansion for large a; a = 0, x = infinity, a < 0
// CHECK-NEXT: output.6 {{.*}} [0.520500, 0.985694, 0.627679, 1, 1, NaN]
// Q: by the series of small x too
// CHECK-NEXT: output.7 {{.*}} [0.479500, 0.0143059, 0.372321, 0.00562676, 0, NaN]
func.func @main() -> (tensor<6xf64>, tensor<5xf64>, tensor<6xf64>, tensor<5xf64>, tensor<2xf64>, tensor<5xf64>,
                      tensor<6xf64>, tensor<6xf64>) {
  %c0 = arith.constant dense<[-3.5, 0.0, 1.0, 2.5, 100.0, 0x7FF0000000000000]> : tensor<6xf64>
  %y0 = fx.lgamma %c0 : (tensor<6xf64>) -> tensor<6xf64>
  %c1 = arith.constant dense<[-3.5, 0.0, -1.0, 1.0, 100.0]> : tensor<5xf64>
  %y1 = fx.digamma %c1 : (tensor<5xf64>) -> tensor<5xf64>
  %y2 = fx.polygamma %c0 n 1 : (tensor<6xf64>) -> tensor<6xf64>
  %c2 = arith.constant dense<[-3.5, 0.0, 1.0, 2.5, 100.0]> : tensor<5xf64>
  %y3 = fx.polygamma %c2 n 4 : (tensor<5xf64>) -> tensor<5xf64>
  %c3 = arith.constant dense<[2.5, 10.0]> : tensor<2xf64>
  %y4 = fx.mvlgamma %c3 p 3 : (tensor<2xf64>) -> tensor<2xf64>
  %c4 = arith.constant dense<[3.0, 2.0, 1.0, 2.0, 0.5]> : tensor<5xf64>
  %c5 = arith.constant dense<[1.0, 0.5, 2.0, -1.0, 2.0]> : tensor<5xf64>
  %y5 = fx.special_zeta %c4, %c5 : (tensor<5xf64>, tensor<5xf64>) -> tensor<5xf64>
  %c6 = arith.constant dense<[0.5, 0.5, 1000.0, 0.0, 2.0, -1.0]> : tensor<6xf64>
  %c7 = arith.constant dense<[0.25, 3.0, 1010.0, 1.0, 0x7FF0000000000000, 1.0]> : tensor<6xf64>
  %y6 = fx.igamma %c6, %c7 : (tensor<6xf64>, tensor<6xf64>) -> tensor<6xf64>
  %c8 = arith.constant dense<[0.5, 0.5, 1000.0, 0.01, 2.0, -1.0]> : tensor<6xf64>
  %c9 = arith.constant dense<[0.25, 3.0, 1010.0, 0.5, 0x7FF0000000000000, 1.0]> : tensor<6xf64>
  %y7 = fx.igammac %c8, %c9 : (tensor<6xf64>, tensor<6xf64>) -> tensor<6xf64>
  return %y0, %y1, %y2, %y3, %y4, %y5, %y6, %y7 : tensor<6xf64>, tensor<5xf64>, tensor<6xf64>, tensor<5xf64>, tensor<2xf64>,
         tensor<5xf64>, tensor<6xf64>, tensor<6xf64>
}
