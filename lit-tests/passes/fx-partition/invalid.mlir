// What is no joint function, or options that are no options.
// RUN: fx-opt %s --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(fx-partition)'

// expected-error @+1 {{the function has no gradients: it is not a joint function}}
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}

// -----

// expected-error @+1 {{the function has no cotangents among its arguments: differentiate it with 'cotangents=arguments'}}
func.func @main(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32> {fx.kind = "input_gradient", fx.target = "x"}) {
  return %x, %x : tensor<4xf32>, tensor<4xf32>
}

// -----

// expected-error @+1 {{there is no function '@main'}}
module {}

// -----

// expected-error @+1 {{there is a function '@forward' already}}
module {
  func.func @main() {
    return
  }
  func.func @forward() {
    return
  }
}
