// Bessel and Airy functions in f64: on both sides of where their expansions meet, at 0, below 0, at infinity.
// RUN: fxc run %s | FileCheck %s

// J
// CHECK:      output.0 {{.*}} [0.938470, -0.0483838, 0.173990, 0.169297, 0.0199859, NaN]
// CHECK-NEXT: output.1 {{.*}} [0.242268, 0.497094, 0.233201, 0.236047, 0.0771454, NaN]
// Y
// CHECK-NEXT: output.2 {{.*}} [-inf, 0.498070, 0.221929, 0.225090, NaN]
// CHECK-NEXT: output.3 {{.*}} [-inf, 0.145918, -0.160487, -0.155621, NaN]
// I
// CHECK-NEXT: output.4 {{.*}} [1.06348, 3.28984, 423.584, 431.582, 1.07375e42]
// CHECK-NEXT: output.5 {{.*}} [0.645035, 0.270046, 0.143525, 0.143339, 0.0399444]
// CHECK-NEXT: output.6 {{.*}} [0.257894, 2.51672, 396.115, 403.667, -1.06837e42]
// CHECK-NEXT: output.7 {{.*}} [0.156421, 0.206585, 0.134217, 0.134068, -0.0397442]
// CHECK-NEXT: output.8 {{.*}} [1.06348, 3.28984, 423.584, 431.582, 1.07375e42]
// CHECK-NEXT: output.9 {{.*}} [0.257894, 2.51672, 396.115, 403.667, -1.06837e42]
// K
// CHECK-NEXT: output.10 {{.*}} [inf, 0.115302, 0.112504, 4.65663e-45, NaN]
// CHECK-NEXT: output.11 {{.*}} [inf, 0.843494, 0.839656, 0.125176, NaN]
// CHECK-NEXT: output.12 {{.*}} [inf, 0.141718, 0.138041, 4.67985e-45, NaN]
// CHECK-NEXT: output.13 {{.*}} [inf, 1.03674, 1.03024, 0.125800, NaN]
// Ai
// CHECK-NEXT: output.14 {{.*}} [0.355028, 0.0354585, 0.0343967, -0.0781573, -0.0623457, 0.176753]
func.func @main() -> (tensor<6xf64>, tensor<6xf64>, tensor<5xf64>, tensor<5xf64>, tensor<5xf64>, tensor<5xf64>,
                      tensor<5xf64>, tensor<5xf64>, tensor<5xf64>, tensor<5xf64>, tensor<5xf64>, tensor<5xf64>,
                      tensor<5xf64>, tensor<5xf64>, tensor<6xf64>) {
  %c0 = arith.constant dense<[0.5, 2.5, 7.99, 8.01, -100.0, 0x7FF0000000000000]> : tensor<6xf64>
  %y0 = fx.special_bessel_j0 %c0 : (tensor<6xf64>) -> tensor<6xf64>
  %y1 = fx.special_bessel_j1 %c0 : (tensor<6xf64>) -> tensor<6xf64>
  %c1 = arith.constant dense<[0.0, 2.5, 7.99, 8.01, -100.0]> : tensor<5xf64>
  %y2 = fx.special_bessel_y0 %c1 : (tensor<5xf64>) -> tensor<5xf64>
  %y3 = fx.special_bessel_y1 %c1 : (tensor<5xf64>) -> tensor<5xf64>
  %c2 = arith.constant dense<[0.5, 2.5, 7.99, 8.01, -100.0]> : tensor<5xf64>
  %y4 = fx.i0 %c2 : (tensor<5xf64>) -> tensor<5xf64>
  %y5 = fx.special_i0e %c2 : (tensor<5xf64>) -> tensor<5xf64>
  %y6 = fx.special_i1 %c2 : (tensor<5xf64>) -> tensor<5xf64>
  %y7 = fx.special_i1e %c2 : (tensor<5xf64>) -> tensor<5xf64>
  %y8 = fx.special_modified_bessel_i0 %c2 : (tensor<5xf64>) -> tensor<5xf64>
  %y9 = fx.special_modified_bessel_i1 %c2 : (tensor<5xf64>) -> tensor<5xf64>
  %c3 = arith.constant dense<[0.0, 1.99, 2.01, 100.0, -1.0]> : tensor<5xf64>
  %y10 = fx.special_modified_bessel_k0 %c3 : (tensor<5xf64>) -> tensor<5xf64>
  %y11 = fx.special_scaled_modified_bessel_k0 %c3 : (tensor<5xf64>) -> tensor<5xf64>
  %y12 = fx.special_modified_bessel_k1 %c3 : (tensor<5xf64>) -> tensor<5xf64>
  %y13 = fx.special_scaled_modified_bessel_k1 %c3 : (tensor<5xf64>) -> tensor<5xf64>
  %c4 = arith.constant dense<[0.0, 1.99, 2.01, -3.99, -4.01, -100.0]> : tensor<6xf64>
  %y14 = fx.special_airy_ai %c4 : (tensor<6xf64>) -> tensor<6xf64>
  return %y0, %y1, %y2, %y3, %y4, %y5, %y6, %y7, %y8, %y9, %y10, %y11, %y12, %y13, %y14 : tensor<6xf64>, tensor<6xf64>,
         tensor<5xf64>, tensor<5xf64>, tensor<5xf64>, tensor<5xf64>, tensor<5xf64>, tensor<5xf64>, tensor<5xf64>,
         tensor<5xf64>, tensor<5xf64>, tensor<5xf64>, tensor<5xf64>, tensor<5xf64>, tensor<6xf64>
}
