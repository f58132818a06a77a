// An index outside is an error at the operator that has it, which names the index and what it should be in. Negative ones
// count from the end where PyTorch says so, and are errors elsewhere. Nothing outside is read.
// RUN: fxc run %s --arg 0=1 --arg 1=2 | FileCheck %s
// RUN: fxc run %s --arg 0=0 --arg 1=-1 2>&1 | FileCheck %s --check-prefix=WRAPS
// RUN: not fxc run %s --arg 0=7 --arg 1=0 2>&1 | FileCheck %s --check-prefix=SELECT
// RUN: not fxc run %s --arg 0=-1 --arg 1=0 2>&1 | FileCheck %s --check-prefix=NEGATIVE
// RUN: not fxc run %s --arg 0=-9223372036854775807 --arg 1=0 2>&1 | FileCheck %s --check-prefix=FAR
// RUN: not fxc run %s --arg 0=0 --arg 1=3 2>&1 | FileCheck %s --check-prefix=AFTER
// RUN: not fxc run %s --arg 0=0 --arg 1=-4 2>&1 | FileCheck %s --check-prefix=BEFORE
// RUN: not fxc run %s --arg 0=0 --arg 1=1000000000000 2>&1 | FileCheck %s --check-prefix=LARGE

// CHECK: output.0 f32 [4, 3] {{.*}} [4, 5, 6, 4, 5, 6, ..]
// CHECK: output.1 f32 [2, 4] {{.*}} [3, 3, 3, 3, 6, 6, ..]
// WRAPS: output.0 f32 [4, 3] {{.*}} [1, 2, 3, 1, 2, 3, ..]
// WRAPS: output.1 f32 [2, 4] {{.*}} [3, 3, 3, 3, 6, 6, ..]

// SELECT:   error: {{.*}}:[[#@LINE+9]]:{{[0-9]+}}: 'fx.index_select' op: index 7 is out of bounds for dimension 0 with size 2 (checked in kernel
// NEGATIVE: error: {{.*}}:[[#@LINE+8]]:{{[0-9]+}}: 'fx.index_select' op: index -1 is out of bounds for dimension 0 with size 2
// FAR:      error: {{.*}}:[[#@LINE+7]]:{{[0-9]+}}: 'fx.index_select' op: index -9223372036854775807 is out of bounds for dimension 0 with size 2
// AFTER:    error: {{.*}}:[[#@LINE+8]]:{{[0-9]+}}: 'fx.index' op: index 3 is out of bounds for dimension 1 with size 3
// BEFORE:   error: {{.*}}:[[#@LINE+7]]:{{[0-9]+}}: 'fx.index' op: index -4 is out of bounds for dimension 1 with size 3
// LARGE:    error: {{.*}}:[[#@LINE+6]]:{{[0-9]+}}: 'fx.index' op: index 1000000000000 is out of bounds for dimension 1 with size 3
func.func @main(%n: i64, %m: i64) -> (tensor<4x3xf32>, tensor<2x4xf32>) {
  %x = arith.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %at = fx.full [4] %n as i64 : (i64) -> tensor<4xi64>
  %rows = fx.index_select %x, %at dim 0 : (tensor<2x3xf32>, tensor<4xi64>) -> tensor<4x3xf32>
  %from_end = fx.full [4] %m as i64 : (i64) -> tensor<4xi64>
  %columns = fx.index %x[_, %from_end] : (tensor<2x3xf32>, tensor<4xi64>) -> tensor<2x4xf32>
  return %rows, %columns : tensor<4x3xf32>, tensor<2x4xf32>
}
