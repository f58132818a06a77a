// Scans on a GPU: rows that take one turn of a team or several, rows of a warp, rows and columns of a thread. Sums of ones are
// exact in any order; of equal numbers the last is the largest.
// REQUIRES: gpu
// RUN: fxc run %s --target=cuda --arg 0=1 | FileCheck %s
// RUN: fxc run %s --arg 0=1 | FileCheck %s

func.func @main(%n: i64) -> (tensor<64x4096xf32>, tensor<8x10000xi64>, tensor<8x10000xi64>, tensor<5x77xf32>, tensor<96x64xf32>, tensor<64x16xf32>) {
  %one = fx.full [64, 4096] %n as f32 : (i64) -> tensor<64x4096xf32>
  %whole = fx.cumsum %one dim 1 : (tensor<64x4096xf32>) -> tensor<64x4096xf32>

  %long = fx.full [8, 10000] %n as f32 : (i64) -> tensor<8x10000xf32>
  %turns = fx.cumsum %long dim 1 {dtype = i64} : (tensor<8x10000xf32>) -> tensor<8x10000xi64>
  %largest, %places = fx.cummax %long dim 1 : (tensor<8x10000xf32>) -> (tensor<8x10000xf32>, tensor<8x10000xi64>)

  %odd = fx.full [5, 77] %n as f32 : (i64) -> tensor<5x77xf32>
  %warps = fx.cumsum %odd dim 1 : (tensor<5x77xf32>) -> tensor<5x77xf32>

  %tall = fx.full [96, 64] %n as f32 : (i64) -> tensor<96x64xf32>
  %columns = fx.cumsum %tall dim 0 : (tensor<96x64xf32>) -> tensor<96x64xf32>

  %narrow = fx.full [64, 16] %n as f32 : (i64) -> tensor<64x16xf32>
  %rows = fx.cumsum %narrow dim 1 : (tensor<64x16xf32>) -> tensor<64x16xf32>
  return %whole, %turns, %places, %warps, %columns, %rows : tensor<64x4096xf32>, tensor<8x10000xi64>, tensor<8x10000xi64>, tensor<5x77xf32>, tensor<96x64xf32>, tensor<64x16xf32>
}
