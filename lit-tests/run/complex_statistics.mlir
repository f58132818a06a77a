// Variance, sums of exponentials, norms and points of complex numbers.
// RUN: fxc run %s | FileCheck %s
// RUN: fxc run %s --target=interp | FileCheck %s

// Real: E|z - mean|^2.
// CHECK:      output.0 f32 [2] {{.*}} [4.02083, 9.66667]
// CHECK-NEXT: output.1 f32 [] [2.43627]
// CHECK-NEXT: output.2 f32 [2] {{.*}} [1.63724, 2.53859]
// Complex, as pairs of parts.
// CHECK-NEXT: output.3 f32 [2, 2] {{.*}} [1.50000, 0.416667, 0.666667, 1.33333]
// CHECK-NEXT: output.4 f32 [2, 2] {{.*}} [2.89148, -0.891674, 4.01947, 1.00205]
// CHECK-NEXT: output.5 f32 [2, 3, 2] {{.*}} [0.490690, 1.58085, 2.31133, -0.370796, 0.335265, 0.242566, ..]
// CHECK-NEXT: output.6 f32 [3, 2] {{.*}} [1, 0, 1.50000, 1.50000, 2, 3]
// CHECK-NEXT: output.7 f64 [3, 2] {{.*}} [10{{(.0000)?}}, 0, -30.0933, -9.71559, 81.1215, 58.4748]
func.func @main() -> (tensor<2xf32>, tensor<f32>, tensor<2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x3x2xf32>, tensor<3x2xf32>, tensor<3x2xf64>) {
  %z = arith.constant dense<[[(1.0, 2.0), (3.0, -1.0), (0.5, 0.25)], [(0.0, 1.0), (-2.0, 2.0), (4.0, 1.0)]]> : tensor<2x3xcomplex<f32>>
  %0 = fx.var %z dim [1] : (tensor<2x3xcomplex<f32>>) -> tensor<2xf32>
  %1 = fx.std %z : (tensor<2x3xcomplex<f32>>) -> tensor<f32>
  %2, %mean = fx.std_mean %z dim [1] {unbiased = false} : (tensor<2x3xcomplex<f32>>) -> (tensor<2xf32>, tensor<2xcomplex<f32>>)
  %sum = fx.logsumexp %z dim [1] : (tensor<2x3xcomplex<f32>>) -> tensor<2xcomplex<f32>>
  %norm = fx.rms_norm %z normalized_shape [3] : (tensor<2x3xcomplex<f32>>) -> tensor<2x3xcomplex<f32>>
  %a = arith.constant 1.0 : f64
  %b = complex.constant [2.0, 3.0] : complex<f64>
  %points = fx.linspace %a to %b steps 3 as complex<f32> : (f64, complex<f64>) -> tensor<3xcomplex<f32>>
  %powers = fx.logspace %a to %b steps 3 base 10.0 as complex<f64> : (f64, complex<f64>) -> tensor<3xcomplex<f64>>
  %3 = fx.view_as_real %mean : (tensor<2xcomplex<f32>>) -> tensor<2x2xf32>
  %4 = fx.view_as_real %sum : (tensor<2xcomplex<f32>>) -> tensor<2x2xf32>
  %5 = fx.view_as_real %norm : (tensor<2x3xcomplex<f32>>) -> tensor<2x3x2xf32>
  %6 = fx.view_as_real %points : (tensor<3xcomplex<f32>>) -> tensor<3x2xf32>
  %7 = fx.view_as_real %powers : (tensor<3xcomplex<f64>>) -> tensor<3x2xf64>
  return %0, %1, %2, %3, %4, %5, %6, %7 : tensor<2xf32>, tensor<f32>, tensor<2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x3x2xf32>, tensor<3x2xf32>, tensor<3x2xf64>
}
