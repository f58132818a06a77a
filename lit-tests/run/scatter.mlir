// Writes at computed places; an index outside is an error that names it, the dim and its size.
// RUN: fxc run %s --arg 0=4 | FileCheck %s
// RUN: not fxc run %s --arg 0=5 2>&1 | FileCheck %s --check-prefix=OUTSIDE
// RUN: not fxc run %s --arg 0=-1 2>&1 | FileCheck %s --check-prefix=NEGATIVE
// RUN: not fxc run %s --arg 0=-6 2>&1 | FileCheck %s --check-prefix=BEFORE

// CHECK: output.0 u8 [2, 5] {{.*}} [0, 44, 0, 0, 0, 0, ..]
// CHECK: output.1 bf16 [5] {{.*}} [0, 0, 0, 0, 260]
// CHECK: output.2 bf16 [5] {{.*}} [0, 0, 0, 0, 256]

// OUTSIDE:  error: {{.*}}:[[#@LINE+14]]:{{[0-9]+}}: operator 'fx::index_put': index 5 is out of bounds for dimension 0 with size 5
// NEGATIVE: error: {{.*}}:[[#@LINE+14]]:{{[0-9]+}}: operator 'fx::scatter': index -1 is out of bounds for dimension 0 with size 5
// BEFORE:   error: {{.*}}:[[#@LINE+12]]:{{[0-9]+}}: operator 'fx::index_put': index -6 is out of bounds for dimension 0 with size 5
func.func @main(%n: i64) -> (tensor<2x5xui8>, tensor<5xbf16>, tensor<5xbf16>) {
  // Integers wrap.
  %bytes = arith.constant dense<0> : tensor<2x5xui8>
  %twice = arith.constant dense<1> : tensor<2xi64>
  %two = arith.constant dense<[[200, 100], [100, 200]]> : tensor<2x2xui8>
  %wrapped = fx.index_put %bytes[_, %twice], %two {accumulate = true} : (tensor<2x5xui8>, tensor<2xi64>, tensor<2x2xui8>) -> tensor<2x5xui8>

  // Scattered sums of halves are rounded at the end, those of index_put one after the other; there negative indices wrap.
  %x = arith.constant dense<0.0> : tensor<5xbf16>
  %at = fx.full [4] %n as i64 : (i64) -> tensor<4xi64>
  %s = arith.constant dense<[256.0, 1.0, 1.0, 1.0]> : tensor<4xbf16>
  %put = fx.index_put %x[%at], %s {accumulate = true} : (tensor<5xbf16>, tensor<4xi64>, tensor<4xbf16>) -> tensor<5xbf16>
  %sum = fx.scatter_add %x, %at, %s dim 0 : (tensor<5xbf16>, tensor<4xi64>, tensor<4xbf16>) -> tensor<5xbf16>
  return %wrapped, %sum, %put : tensor<2x5xui8>, tensor<5xbf16>, tensor<5xbf16>
}
