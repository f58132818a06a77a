// Fractional pooling needs a sample for each plane and dim.
// RUN: fx-opt %s --pass-pipeline='builtin.module(func.func(convert-fx-to-linalg))' -verify-diagnostics

func.func @samples(%x: tensor<2x3x6x6xf32>, %u: tensor<2x2x2xf32>) -> tensor<2x3x3x3xf32> {
  // expected-error @+1 {{'fx.fractional_max_pool2d' op expects 'random_samples' to have 3 entries in dim 1, got 2}}
  %y, %at = fx.fractional_max_pool2d %x, %u kernel_size [2, 2] output_size [3, 3] : (tensor<2x3x6x6xf32>, tensor<2x2x2xf32>) -> (tensor<2x3x3x3xf32>, tensor<2x3x3x3xi64>)
  return %y : tensor<2x3x3x3xf32>
}
