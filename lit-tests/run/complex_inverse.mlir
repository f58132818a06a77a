// Inverse circular and hyperbolic functions of complex numbers: inside, on both sides of a cut, on the axis, at infinity.
// RUN: fxc run %s | FileCheck %s

// The numbers are 1 + 2i, 2 + 0i and 2 - 0i; as pairs of their parts.
// CHECK:      output.0 {{.*}} [1.14372, -1.52857, 0, -1.31696, 0, 1.31696]
// CHECK-NEXT: output.1 {{.*}} [0.427079, 1.52857, 1.57080, 1.31696, 1.57080, -1.31696]
// CHECK-NEXT: output.2 {{.*}} [1.33897, 0.402359, 1.10715, 0, 1.10715, -0]
// CHECK-NEXT: output.3 {{.*}} [1.52857, 1.14372, 1.31696, 0, 1.31696, -0]
// CHECK-NEXT: output.4 {{.*}} [1.46935, 1.06344, 1.44364, 0, 1.44364, -0]
// CHECK-NEXT: output.5 {{.*}} [0.173287, 1.17810, 0.549306, 1.57080, 0.549306, -1.57080]
// Of infinity + i infinity
// CHECK-NEXT: output.6 {{.*}} [0.785398, -inf]
func.func @main() -> (tensor<3x2xf32>, tensor<3x2xf32>, tensor<3x2xf32>, tensor<3x2xf32>, tensor<3x2xf32>, tensor<3x2xf32>, tensor<1x2xf64>) {
  %z = arith.constant dense<[(1.0, 2.0), (2.0, 0.0), (2.0, -0.0)]> : tensor<3xcomplex<f32>>
  %acos = fx.acos %z : (tensor<3xcomplex<f32>>) -> tensor<3xcomplex<f32>>
  %asin = fx.asin %z : (tensor<3xcomplex<f32>>) -> tensor<3xcomplex<f32>>
  %atan = fx.atan %z : (tensor<3xcomplex<f32>>) -> tensor<3xcomplex<f32>>
  %acosh = fx.acosh %z : (tensor<3xcomplex<f32>>) -> tensor<3xcomplex<f32>>
  %asinh = fx.asinh %z : (tensor<3xcomplex<f32>>) -> tensor<3xcomplex<f32>>
  %atanh = fx.atanh %z : (tensor<3xcomplex<f32>>) -> tensor<3xcomplex<f32>>
  %0 = fx.view_as_real %acos : (tensor<3xcomplex<f32>>) -> tensor<3x2xf32>
  %1 = fx.view_as_real %asin : (tensor<3xcomplex<f32>>) -> tensor<3x2xf32>
  %2 = fx.view_as_real %atan : (tensor<3xcomplex<f32>>) -> tensor<3x2xf32>
  %3 = fx.view_as_real %acosh : (tensor<3xcomplex<f32>>) -> tensor<3x2xf32>
  %4 = fx.view_as_real %asinh : (tensor<3xcomplex<f32>>) -> tensor<3x2xf32>
  %5 = fx.view_as_real %atanh : (tensor<3xcomplex<f32>>) -> tensor<3x2xf32>
  %w = arith.constant dense<[(0x7FF0000000000000, 0x7FF0000000000000)]> : tensor<1xcomplex<f64>>
  %far = fx.acos %w : (tensor<1xcomplex<f64>>) -> tensor<1xcomplex<f64>>
  %6 = fx.view_as_real %far : (tensor<1xcomplex<f64>>) -> tensor<1x2xf64>
  return %0, %1, %2, %3, %4, %5, %6 : tensor<3x2xf32>, tensor<3x2xf32>, tensor<3x2xf32>, tensor<3x2xf32>, tensor<3x2xf32>, tensor<3x2xf32>, tensor<1x2xf64>
}
