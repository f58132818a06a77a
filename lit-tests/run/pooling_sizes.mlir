// The number of windows, rounded up, of a size known at run time: none begins after the last element.
// RUN: fxc run %s --arg 0=7 | FileCheck %s --check-prefix=SEVEN
// RUN: fxc run %s --arg 0=6 | FileCheck %s --check-prefix=SIX
// RUN: fxc run %s --arg 0=6 --target=interp | FileCheck %s --check-prefix=SIX

// SEVEN: output.0 f32 [1, 3] {{.*}} [0.500000, 3.50000, 6.50000]
// SEVEN: output.1 f32 [1, 4] {{.*}} [1, 3, 5, 7]
// SEVEN: output.2 f32 [1, 4] {{.*}} [2, 4, 6, 7]
// SEVEN: output.3 i64 [1, 4] {{.*}} [1, 3, 5, 6]
// SIX:   output.0 f32 [1, 3] {{.*}} [0.500000, 3.50000, 3]
// SIX:   output.1 f32 [1, 3] {{.*}} [1, 3, 5]
// SIX:   output.2 f32 [1, 4] {{.*}} [2, 4, 6, 6]
// SIX:   output.3 i64 [1, 4] {{.*}} [1, 3, 5, 5]
func.func @main(%n: index) -> (tensor<1x?xf32>, tensor<1x?xf32>, tensor<1x?xf32>, tensor<1x?xi64>) {
  %one = arith.constant 1 : i64
  %step = arith.constant 1 : index
  %end = arith.addi %n, %step : index
  %i = fx.arange %one to %end as f32 : (i64, index) -> tensor<?xf32>
  %x = fx.view %i [1, %n] : (tensor<?xf32>) -> tensor<1x?xf32>
  %mean = fx.avg_pool1d %x kernel_size [2] {ceil_mode = true, stride = array<i64: 3>, padding = array<i64: 1>} : (tensor<1x?xf32>) -> tensor<1x?xf32>
  %own = fx.max_pool1d %x kernel_size [1] {ceil_mode = true, stride = array<i64: 2>} : (tensor<1x?xf32>) -> tensor<1x?xf32>
  %most, %at = fx.max_pool1d_with_indices %x kernel_size [3] {ceil_mode = true, stride = array<i64: 2>, padding = array<i64: 1>} : (tensor<1x?xf32>) -> (tensor<1x?xf32>, tensor<1x?xi64>)
  return %mean, %own, %most, %at : tensor<1x?xf32>, tensor<1x?xf32>, tensor<1x?xf32>, tensor<1x?xi64>
}
