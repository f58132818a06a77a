// Gradients of pooling with windows that divide a row, and with windows at random places.
// RUN: fxc run %s | FileCheck %s

// Windows [0, 3) and [2, 5).
// CHECK:      output.0 f32 {{.*}} [1, 1, 3, 2, 2]
// CHECK-NEXT: output.1 f32 {{.*}} [0, 0, 9, 0, 0]
// More windows than elements: 0, 0 1, 1.
// CHECK-NEXT: output.2 bf16 {{.*}} [3, 6]
// Windows begin at 0, 2 and 4.
// CHECK-NEXT: output.3 f32 {{.*}} [5, 7, 9]
// CHECK-NEXT: output.4 i64 {{.*}} [1, 2, 5]
// CHECK-NEXT: output.5 f32 {{.*}} [0, 1, 2, 0, 0, 3]
func.func @main() -> (tensor<1x1x5xf32>, tensor<1x1x5xf32>, tensor<1x1x2xbf16>, tensor<1x1x3xf32>, tensor<1x1x3xi64>, tensor<1x1x6xf32>) {
  %x = arith.constant dense<[[[1.0, 2.0, 8.0, 4.0, 5.0]]]> : tensor<1x1x5xf32>
  %g = arith.constant dense<[[[3.0, 6.0]]]> : tensor<1x1x2xf32>
  %mean = fx.adaptive_avg_pool2d_backward %g, %x : (tensor<1x1x2xf32>, tensor<1x1x5xf32>) -> tensor<1x1x5xf32>
  %places = arith.constant dense<2> : tensor<1x1x2xi64>
  %maximum = fx.adaptive_max_pool2d_backward %g, %x, %places : (tensor<1x1x2xf32>, tensor<1x1x5xf32>, tensor<1x1x2xi64>) -> tensor<1x1x5xf32>

  %y = arith.constant dense<0.0> : tensor<1x1x2xbf16>
  %h = arith.constant dense<[[[2.0, 2.0, 5.0]]]> : tensor<1x1x3xbf16>
  %wide = fx.adaptive_avg_pool2d_backward %h, %y : (tensor<1x1x3xbf16>, tensor<1x1x2xbf16>) -> tensor<1x1x2xbf16>

  %z = arith.constant dense<[[[1.0, 5.0, 7.0, 6.0, 4.0, 9.0]]]> : tensor<1x1x6xf32>
  %u = arith.constant dense<0.25> : tensor<1x1x2xf32>
  %largest, %at = fx.fractional_max_pool2d %z, %u kernel_size [1, 2] output_size [1, 3] : (tensor<1x1x6xf32>, tensor<1x1x2xf32>) -> (tensor<1x1x3xf32>, tensor<1x1x3xi64>)
  %k = arith.constant dense<[[[1.0, 2.0, 3.0]]]> : tensor<1x1x3xf32>
  %back = fx.fractional_max_pool2d_backward %k, %z, %at {kernel_size = array<i64: 1, 2>, output_size = array<i64: 1, 3>} : (tensor<1x1x3xf32>, tensor<1x1x6xf32>, tensor<1x1x3xi64>) -> tensor<1x1x6xf32>
  return %mean, %maximum, %wide, %largest, %at, %back : tensor<1x1x5xf32>, tensor<1x1x5xf32>, tensor<1x1x2xbf16>, tensor<1x1x3xf32>, tensor<1x1x3xi64>, tensor<1x1x6xf32>
}
