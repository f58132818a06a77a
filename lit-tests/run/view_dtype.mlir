// Bits as elements that are narrower, wider, complex, truth values; equal bytes that are results with and without a sign.
// RUN: fxc run %s --arg 0=4 | FileCheck %s
// RUN: fxc run %s --arg 0=4 --target=interp | FileCheck %s

// CHECK:      output.0 i32 [8] {{.*}} [0, 0, 1985229328, -19088744, -324508640, -38177488, ..]
// CHECK-NEXT: output.1 i16 [8] {{.*}} [0, 0, 0, 16256, 0, 16384, ..]
// CHECK-NEXT: output.2 u8 [16] {{.*}} mean 23.9375
// CHECK-NEXT: output.3 f32 [4] {{.*}} [0, 1, 2, 3]
// CHECK-NEXT: output.4 f64 [4] {{.*}} [0, 0.00781250, 2.00000, 32.0000]
// CHECK-NEXT: output.5 i16 [16] {{.*}} [0, 0, 0, 0, 0, 16256, ..]
// CHECK-NEXT: output.6 f64 [2, 2] {{.*}} [0, 0.00781250, 2.00000, 32.0000]
// CHECK-NEXT: output.7 u8 [4] {{.*}} [0, 1, 1, 1]
// CHECK-NEXT: output.8 i8 [4] {{.*}} [0, 1, 1, 1]
// CHECK-NEXT: output.9 bool [2] [0, 1]
// CHECK-NEXT: output.10 i64 [] [4.61169e18]
func.func @main(%n: index) -> (tensor<?xi32>, tensor<?xi16>, tensor<?xui8>, tensor<?xf32>, tensor<?xf64>, tensor<?xi16>, tensor<?x2xf64>, tensor<?xui8>, tensor<?xi8>, tensor<2xi1>, tensor<i64>) {
  %zero = arith.constant 0 : i64
  %i = fx.arange %zero to %n as i64 : (i64, index) -> tensor<?xi64>
  %f = fx.to_copy %i as f32 : (tensor<?xi64>) -> tensor<?xf32>
  %c = fx.complex %f, %f : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xcomplex<f32>>
  %t = fx.gt %f, %zero : (tensor<?xf32>, i64) -> tensor<?xi1>
  %factor = arith.constant -81985529216486896 : i64
  %large = fx.mul %i, %factor : (tensor<?xi64>, i64) -> tensor<?xi64>
  %bytes = arith.constant dense<[0, 255]> : tensor<2xui8>
  %one = arith.constant dense<(1.0, 2.0)> : tensor<complex<f32>>

  %0 = fx.view_dtype %large as i32 : (tensor<?xi64>) -> tensor<?xi32>
  %1 = fx.view_dtype %f as i16 : (tensor<?xf32>) -> tensor<?xi16>
  %2 = fx.view_dtype %1 as ui8 : (tensor<?xi16>) -> tensor<?xui8>
  %wide = fx.view_dtype %2 as i64 : (tensor<?xui8>) -> tensor<?xi64>
  %3 = fx.view_dtype %wide as f32 : (tensor<?xi64>) -> tensor<?xf32>
  %4 = fx.view_dtype %c as f64 : (tensor<?xcomplex<f32>>) -> tensor<?xf64>
  %5 = fx.view_dtype %c as i16 : (tensor<?xcomplex<f32>>) -> tensor<?xi16>
  %pairs = fx.view_dtype %c as complex<f64> : (tensor<?xcomplex<f32>>) -> tensor<?xcomplex<f64>>
  %6 = fx.view_as_real %pairs : (tensor<?xcomplex<f64>>) -> tensor<?x2xf64>
  %7 = fx.view_dtype %t as ui8 : (tensor<?xi1>) -> tensor<?xui8>
  %8 = fx.view_dtype %t as i8 : (tensor<?xi1>) -> tensor<?xi8>
  %9 = fx.view_dtype %bytes as i1 : (tensor<2xui8>) -> tensor<2xi1>
  %10 = fx.view_dtype %one as i64 : (tensor<complex<f32>>) -> tensor<i64>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10 : tensor<?xi32>, tensor<?xi16>, tensor<?xui8>, tensor<?xf32>, tensor<?xf64>, tensor<?xi16>, tensor<?x2xf64>, tensor<?xui8>, tensor<?xi8>, tensor<2xi1>, tensor<i64>
}
