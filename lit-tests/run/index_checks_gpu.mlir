// A check that fails on a GPU is an error at the end of the call, with the numbers that the kernel found.
// REQUIRES: gpu
// RUN: fxc run %s --target=cuda --arg 0=1 --arg 1=2 | FileCheck %s
// RUN: not fxc run %s --target=cuda --arg 0=7 --arg 1=2 2>&1 | FileCheck %s --check-prefix=OUTSIDE
// RUN: not fxc run %s --target=cuda --arg 0=0 --arg 1=0 2>&1 | FileCheck %s --check-prefix=NOTHING

// CHECK:   output.0 f32 [1000] {{.*}} [6, 6, 6, 6, 6, 6, ..]
// OUTSIDE: error: {{.*}}:[[#@LINE+6]]:{{[0-9]+}}: 'fx.embedding' op: index 7 is out of bounds for dimension 0 with size 2
// NOTHING: error: {{.*}}:[[#@LINE+5]]:{{[0-9]+}}: 'fx.embedding' op: index 0 is out of bounds for dimension 0 with size 0
func.func @main(%n: i64, %size: index) -> tensor<1000xf32> {
  %at = fx.full [1000] %n as i64 : (i64) -> tensor<1000xi64>
  %two = arith.constant 2.0 : f64
  %table = fx.full [%size, 3] %two as f32 : (f64) -> tensor<?x3xf32>
  %rows = fx.embedding %table, %at padding_idx [-1] : (tensor<?x3xf32>, tensor<1000xi64>) -> tensor<1000x3xf32>
  %sums = fx.sum %rows dim [1] : (tensor<1000x3xf32>) -> tensor<1000xf32>
  return %sums : tensor<1000xf32>
}
