// Positions in dims whose sizes are known only at run time, and may be 0: then nothing is read, and any position is wrong.
// RUN: fxc run %s --arg 0=1 --arg 1=2 --arg 2=4 --arg 3=2 | FileCheck %s
// RUN: fxc run %s --arg 0=1 --arg 1=0 --arg 2=0 --arg 3=0 | FileCheck %s --check-prefix=EMPTY
// RUN: not fxc run %s --arg 0=5 --arg 1=2 --arg 2=4 --arg 3=2 2>&1 | FileCheck %s --check-prefix=OUTSIDE
// RUN: not fxc run %s --arg 0=0 --arg 1=0 --arg 2=4 --arg 3=2 2>&1 | FileCheck %s --check-prefix=NOTHING
// RUN: not fxc run %s --arg 0=1 --arg 1=2 --arg 2=4 --arg 3=0 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not fxc run %s --arg 0=-1 --arg 1=2 --arg 2=4 --arg 3=2 2>&1 | FileCheck %s --check-prefix=NEGATIVE

// CHECK:    output.0 f32 [4] {{.*}} [6, 6, 6, 6]
// CHECK:    output.1 f32 [2] {{.*}} [0, 9]
// EMPTY:    output.0 f32 [0]
// OUTSIDE:  error: {{.*}}:[[#@LINE+8]]:{{[0-9]+}}: 'fx.embedding' op: index 5 is out of bounds for dimension 0 with size 2
// NOTHING:  error: {{.*}}:[[#@LINE+7]]:{{[0-9]+}}: 'fx.embedding' op: index 0 is out of bounds for dimension 0 with size 0
// NEGATIVE: error: {{.*}}:[[#@LINE+6]]:{{[0-9]+}}: 'fx.embedding' op: index -1 is out of bounds for dimension 0 with size 2
// NONE:     error: assertion failed: {{.*}}:[[#@LINE+11]]:{{[0-9]+}}: 'fx.index_fill' op: an index is out of bounds for a dimension of size 0
func.func @main(%n: i64, %size: index, %count: index, %others: index) -> (tensor<?xf32>, tensor<?xf32>) {
  %at = fx.full [%count] %n as i64 : (i64) -> tensor<?xi64>
  %two = arith.constant 2.0 : f64
  %table = fx.full [%size, 3] %two as f32 : (f64) -> tensor<?x3xf32>
  %rows = fx.embedding %table, %at padding_idx [-1] : (tensor<?x3xf32>, tensor<?xi64>) -> tensor<?x3xf32>
  %sums = fx.sum %rows dim [1] : (tensor<?x3xf32>) -> tensor<?xf32>

  %zero = arith.constant 0.0 : f64
  %nine = arith.constant 9.0 : f64
  %x = fx.full [%others] %zero as f32 : (f64) -> tensor<?xf32>
  %filled = fx.index_fill %x, %at, %nine dim 0 : (tensor<?xf32>, tensor<?xi64>, f64) -> tensor<?xf32>
  return %sums, %filled : tensor<?xf32>, tensor<?xf32>
}
