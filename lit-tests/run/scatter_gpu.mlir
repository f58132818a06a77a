// A GPU's kernels write at computed places. What they write over is made anew in each call; sums of small integers are exact in
// any order. A position outside is an error at the end of the call.
// REQUIRES: gpu
// RUN: fxc run %s --target=cuda --arg 0=4 | FileCheck %s
// RUN: fxc run %s --target=cuda+deterministic --arg 0=4 | FileCheck %s
// RUN: fxc run %s --arg 0=4 | FileCheck %s
// RUN: not fxc run %s --target=cuda --arg 0=1000 2>&1 | FileCheck %s --check-prefix=OUTSIDE

// CHECK: output.0 f32 [1000, 64] min 0 max 65536 mean 65.5360
// CHECK: output.1 i64 [1000] {{.*}} [0, 0, 0, 0, 4096, 0, ..]
// CHECK: output.2 f32 [1000] {{.*}} [0, 0, 0, 0, 7, 0, ..]

// OUTSIDE: error: {{.*}}: index 1000 is out of bounds for dimension 0 with size 1000
func.func @main(%n: i64) -> (tensor<1000x64xf32>, tensor<1000xi64>, tensor<1000xf32>) {
  %same = fx.full [4096] %n as i64 : (i64) -> tensor<4096xi64>
  %sixteen = arith.constant 16.0 : f64
  %rows = fx.full [4096, 64] %sixteen as f32 : (f64) -> tensor<4096x64xf32>
  %table = fx.embedding_dense_backward %rows, %same num_weights [1000] padding_idx [-1] : (tensor<4096x64xf32>, tensor<4096xi64>) -> tensor<1000x64xf32>

  %one = arith.constant 1 : i64
  %ones = fx.full [4096] %one as i64 : (i64) -> tensor<4096xi64>
  %none = arith.constant dense<0> : tensor<1000xi64>
  %counts = fx.index_put %none[%same], %ones {accumulate = true} : (tensor<1000xi64>, tensor<4096xi64>, tensor<4096xi64>) -> tensor<1000xi64>

  %seven = arith.constant 7.0 : f64
  %sevens = fx.full [4096] %seven as f32 : (f64) -> tensor<4096xf32>
  %least = arith.constant dense<0.0> : tensor<1000xf32>
  %largest = fx.scatter_reduce %least, %same, %sevens dim 0 {reduce = "amax"} : (tensor<1000xf32>, tensor<4096xi64>, tensor<4096xf32>) -> tensor<1000xf32>
  return %table, %counts, %largest : tensor<1000x64xf32>, tensor<1000xi64>, tensor<1000xf32>
}
