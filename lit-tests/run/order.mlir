// Sorting and what follows from it, on the host: unsigned bytes, bools, sizes known at run time, sizes that depend on data
// and that kernels and further calls use.
// RUN: fxc run %s --arg 0=6 | FileCheck %s --check-prefixes=CHECK,SIX
// RUN: fxc run %s --arg 0=0 | FileCheck %s --check-prefixes=CHECK,NONE

// SIX:   output.0 u8 [6] {{.*}} [255, 200, 200, 7, 3, 0]
// SIX:   output.1 i64 [6] {{.*}} [3, 1, 5, 2, 0, 4]
// NONE:  output.0 u8 [0] []
// NONE:  output.1 i64 [0] []

// Distinct values times their numbers, less their sum.
// SIX:   output.2 f32 [5] {{.*}} [-665, -662, -658, -265, -410]
// NONE:  output.2 f32 [0] []

// The counts as often as they say.
// SIX:   output.3 i64 [6] {{.*}} [1, 1, 1, 2, 2, 1]
// NONE:  output.3 i64 [0] []

// CHECK: output.4 bool [2, 2] [0, 1, 0, 0]
// CHECK: output.5 i64 [2, 2] {{.*}} [1, 0, 0, 1]
func.func @main(%n: index) -> (tensor<?xui8>, tensor<?xi64>, tensor<?xf32>, tensor<?xi64>, tensor<2x2xi1>, tensor<2x2xi64>) {
  %bytes = arith.constant dense<[3, 200, 7, 255, 0, 200]> : tensor<6xui8>
  %some = fx.slice %bytes dim 0 [0] to [%n] step [1] : (tensor<6xui8>) -> tensor<?xui8>
  %v, %i = fx.sort %some dim 0 {descending = true} : (tensor<?xui8>) -> (tensor<?xui8>, tensor<?xi64>)

  %floats = fx.to_copy %some as f32 : (tensor<?xui8>) -> tensor<?xf32>
  %u, %inverse, %c = fx.unique2 %floats {return_counts = true} : (tensor<?xf32>) -> (tensor<?xf32>, tensor<0xi64>, tensor<?xi64>)
  %w = fx.mul %u, %c : (tensor<?xf32>, tensor<?xi64>) -> tensor<?xf32>
  %s = fx.sum %w : (tensor<?xf32>) -> tensor<f32>
  %t = fx.sub %w, %s : (tensor<?xf32>, tensor<f32>) -> tensor<?xf32>
  %r = fx.repeat_interleave input %c repeats %c output_size [] : (tensor<?xi64>, tensor<?xi64>) -> tensor<?xi64>

  %b = arith.constant dense<[[true, false], [false, false]]> : tensor<2x2xi1>
  %bv, %bi = fx.sort %b dim 1 : (tensor<2x2xi1>) -> (tensor<2x2xi1>, tensor<2x2xi64>)
  return %v, %i, %t, %r, %bv, %bi : tensor<?xui8>, tensor<?xi64>, tensor<?xf32>, tensor<?xi64>, tensor<2x2xi1>, tensor<2x2xi64>
}
