// Every operator that looks up elements checks its positions. Each has fewer places than the one before, so that the first
// one that lacks place n is the first to fail.
// RUN: fxc run %s --arg 0=1 | FileCheck %s
// RUN: not fxc run %s --arg 0=9 2>&1 | FileCheck %s --check-prefix=GATHER
// RUN: not fxc run %s --arg 0=8 2>&1 | FileCheck %s --check-prefix=EMBEDDING
// RUN: not fxc run %s --arg 0=7 2>&1 | FileCheck %s --check-prefix=TAKE
// RUN: not fxc run %s --arg 0=6 2>&1 | FileCheck %s --check-prefix=ALONG
// RUN: not fxc run %s --arg 0=5 2>&1 | FileCheck %s --check-prefix=FILL
// RUN: not fxc run %s --arg 0=4 2>&1 | FileCheck %s --check-prefix=COPY
// RUN: not fxc run %s --arg 0=3 2>&1 | FileCheck %s --check-prefix=ONE-HOT
// RUN: not fxc run %s --arg 0=2 2>&1 | FileCheck %s --check-prefix=SORTER

// CHECK:     output.3 f32 [2] {{.*}} [1, 1]
// CHECK:     output.4 f32 [5] {{.*}} [0, 7, 0, 0, 0]
// CHECK:     output.6 i64 [2, 3] {{.*}} [0, 1, 0, 0, 1, 0]
// GATHER:    error: {{.*}}:[[#@LINE+14]]:{{[0-9]+}}: 'fx.gather' op: index 9 is out of bounds for dimension 0 with size 9
// EMBEDDING: error: {{.*}}:[[#@LINE+16]]:{{[0-9]+}}: 'fx.embedding' op: index 8 is out of bounds for dimension 0 with size 8
// TAKE:      error: {{.*}}:[[#@LINE+18]]:{{[0-9]+}}: 'fx.take' op: index 7 is out of range for a tensor of 7 elements
// ALONG:     error: {{.*}}:[[#@LINE+20]]:{{[0-9]+}}: 'fx.take_along_dim' op: index 6 is out of bounds for dimension 0 with size 6
// FILL:      error: {{.*}}:[[#@LINE+23]]:{{[0-9]+}}: 'fx.index_fill' op: index 5 is out of bounds for dimension 0 with size 5
// COPY:      error: {{.*}}:[[#@LINE+26]]:{{[0-9]+}}: 'fx.index_copy' op: index 4 is out of bounds for dimension 0 with size 4
// ONE-HOT:   error: {{.*}}:[[#@LINE+27]]:{{[0-9]+}}: 'fx.one_hot' op: class 3 is not one of 3, counted from 0
// SORTER:    error: {{.*}}:[[#@LINE+29]]:{{[0-9]+}}: 'fx.searchsorted' op: sorter index 2 is out of range for 2 elements
func.func @main(%n: i64)
    -> (tensor<2xf32>, tensor<2x4xf32>, tensor<2xf32>, tensor<2xf32>, tensor<5xf32>, tensor<4xf32>, tensor<2x3xi64>, tensor<4xi64>) {
  %at = fx.full [2] %n as i64 : (i64) -> tensor<2xi64>
  %one = arith.constant 1.0 : f64

  %x9 = fx.full [9] %one as f32 : (f64) -> tensor<9xf32>
  %gathered = fx.gather %x9, %at dim 0 : (tensor<9xf32>, tensor<2xi64>) -> tensor<2xf32>

  %x8 = fx.full [8, 4] %one as f32 : (f64) -> tensor<8x4xf32>
  %embedded = fx.embedding %x8, %at padding_idx [-1] : (tensor<8x4xf32>, tensor<2xi64>) -> tensor<2x4xf32>

  %x7 = fx.full [7] %one as f32 : (f64) -> tensor<7xf32>
  %taken = fx.take %x7, %at : (tensor<7xf32>, tensor<2xi64>) -> tensor<2xf32>

  %x6 = fx.full [6] %one as f32 : (f64) -> tensor<6xf32>
  %along = fx.take_along_dim %x6, %at dim 0 : (tensor<6xf32>, tensor<2xi64>) -> tensor<2xf32>

  %x5 = arith.constant dense<0.0> : tensor<5xf32>
  %seven = arith.constant 7.0 : f64
  %filled = fx.index_fill %x5, %at, %seven dim 0 : (tensor<5xf32>, tensor<2xi64>, f64) -> tensor<5xf32>

  %x4 = arith.constant dense<0.0> : tensor<4xf32>
  %source = arith.constant dense<[2.0, 3.0]> : tensor<2xf32>
  %copied = fx.index_copy %x4, %at, %source dim 0 : (tensor<4xf32>, tensor<2xi64>, tensor<2xf32>) -> tensor<4xf32>

  %classes = fx.one_hot %at {num_classes = 3 : i64} : (tensor<2xi64>) -> tensor<2x3xi64>

  %x2 = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %found = fx.searchsorted %x2, %copied, %at : (tensor<2xf32>, tensor<4xf32>, tensor<2xi64>) -> tensor<4xi64>
  return %gathered, %embedded, %taken, %along, %filled, %copied, %classes, %found
    : tensor<2xf32>, tensor<2x4xf32>, tensor<2xf32>, tensor<2xf32>, tensor<5xf32>, tensor<4xf32>, tensor<2x3xi64>, tensor<4xi64>
}
