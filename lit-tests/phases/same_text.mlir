// The same program gives the same text in each run, whatever order a table of its arguments has in memory.
// RUN: fxc compile %s --emit=gpu -o %t.first
// RUN: fxc compile %s --emit=gpu -o %t.second
// RUN: fxc compile %s --emit=gpu -o %t.third
// RUN: diff %t.first %t.second
// RUN: diff %t.first %t.third
func.func @main(%a: tensor<2x3x5x7xf32>, %b: tensor<3x5x7xf32>, %c: tensor<5x7xf32>, %d: tensor<7xf32>, %e: tensor<2x1x1x1xf32>) -> tensor<2x3x5x7xf32> {
  %0 = fx.add %a, %b : (tensor<2x3x5x7xf32>, tensor<3x5x7xf32>) -> tensor<2x3x5x7xf32>
  %1 = fx.mul %0, %c : (tensor<2x3x5x7xf32>, tensor<5x7xf32>) -> tensor<2x3x5x7xf32>
  %2 = fx.sub %1, %d : (tensor<2x3x5x7xf32>, tensor<7xf32>) -> tensor<2x3x5x7xf32>
  %3 = fx.mul %2, %e : (tensor<2x3x5x7xf32>, tensor<2x1x1x1xf32>) -> tensor<2x3x5x7xf32>
  return %3 : tensor<2x3x5x7xf32>
}
