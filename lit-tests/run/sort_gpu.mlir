// A GPU sorts as the host does: NaN is the greatest, 0 and -0 are equal, equal elements keep their order, and each is what it was.
// REQUIRES: gpu
// RUN: fxc run %s --target=cuda | FileCheck %s
// RUN: fxc run %s --target=cuda+deterministic | FileCheck %s
// RUN: fxc run %s | FileCheck %s

// CHECK: output.0 f32 [7] {{.*}} [-inf, -1, -0, 0, 2, 2, ..]
// CHECK: output.1 i64 [7] {{.*}} [6, 4, 1, 3, 0, 5, ..]
// CHECK: output.2 i64 [7] {{.*}} [2, 0, 5, 1, 3, 4, ..]
// CHECK: output.3 u8 [3] {{.*}} [255, 200, 200]
// CHECK: output.4 i64 [2, 2] {{.*}} [1, 0, 0, 1]
// CHECK: output.5 f32 [] {{.*}}[NaN]
// CHECK: output.6 f32 [] [-0]
func.func @main() -> (tensor<7xf32>, tensor<7xi64>, tensor<7xi64>, tensor<3xui8>, tensor<2x2xi64>, tensor<f32>, tensor<f32>) {
  %x = arith.constant dense<[2.0, -0.0, 0x7FC00000, 0.0, -1.0, 2.0, 0xFF800000]> : tensor<7xf32>
  %v, %i = fx.sort %x dim 0 : (tensor<7xf32>) -> (tensor<7xf32>, tensor<7xi64>)
  %j = fx.argsort %x dim 0 {descending = true} : (tensor<7xf32>) -> tensor<7xi64>
  %bytes = arith.constant dense<[3, 200, 7, 255, 0, 200]> : tensor<6xui8>
  %b, %k = fx.topk %bytes k [3] dim 0 : (tensor<6xui8>) -> (tensor<3xui8>, tensor<3xi64>)
  %bools = arith.constant dense<[[true, false], [false, false]]> : tensor<2x2xi1>
  %bv, %bi = fx.sort %bools dim 1 : (tensor<2x2xi1>) -> (tensor<2x2xi1>, tensor<2x2xi64>)
  %m = fx.median %x : (tensor<7xf32>) -> tensor<f32>
  %n = fx.nanmedian %x : (tensor<7xf32>) -> tensor<f32>
  return %v, %i, %j, %b, %bi, %m, %n : tensor<7xf32>, tensor<7xi64>, tensor<7xi64>, tensor<3xui8>, tensor<2x2xi64>, tensor<f32>, tensor<f32>
}
