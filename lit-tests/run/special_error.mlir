// Error functions in f64: both tails, the ends of their domains.
// RUN: fxc run %s | FileCheck %s

// CHECK:      output.0 {{.*}} [16206.0, 0.615690, 0.427584, 0.0112815, 0, inf]
// CHECK-NEXT: output.1 {{.*}} [-454.321, -1.85631, -1.82581, -0.693147, -2.86652e-7, -inf]
// CHECK-NEXT: output.2 {{.*}} [-inf, -21.2735, -1.28155, 0, 2.32635, inf]
func.func @main() -> (tensor<6xf64>, tensor<6xf64>, tensor<6xf64>) {
  %c0 = arith.constant dense<[-3.0, 0.5, 1.0, 50.0, 0x7FF0000000000000, 0xFFF0000000000000]> : tensor<6xf64>
  %y0 = fx.special_erfcx %c0 : (tensor<6xf64>) -> tensor<6xf64>
  %c1 = arith.constant dense<[-30.0, -1.01, -0.99, 0.0, 5.0, 0xFFF0000000000000]> : tensor<6xf64>
  %y1 = fx.special_log_ndtr %c1 : (tensor<6xf64>) -> tensor<6xf64>
  %c2 = arith.constant dense<[0.0, 1.0e-100, 0.1, 0.5, 0.99, 1.0]> : tensor<6xf64>
  %y2 = fx.special_ndtri %c2 : (tensor<6xf64>) -> tensor<6xf64>
  return %y0, %y1, %y2 : tensor<6xf64>, tensor<6xf64>, tensor<6xf64>
}
