// What a function changes is one of its arguments, and keeps its type.
// RUN: fx-opt %s --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(verify-fx)'

// expected-error @+1 {{the new value of 'x' has type tensor<3x2xf32>, expected tensor<2x3xf32>}}
func.func @main(%x: tensor<2x3xf32> {fx.kind = "input", fx.target = "x"}) -> (tensor<3x2xf32> {fx.kind = "input_mutation", fx.mutates = "x"}) {
  %y = fx.t %x : (tensor<2x3xf32>) -> tensor<3x2xf32>
  return %y : tensor<3x2xf32>
}

// -----

// expected-error @+1 {{a result is the new value of 'y', which is no argument}}
func.func @main(%x: tensor<2xf32> {fx.kind = "buffer", fx.target = "x"}) -> (tensor<2xf32> {fx.kind = "buffer_mutation", fx.mutates = "y"}) {
  return %x : tensor<2xf32>
}

// -----

// Sizes that only run time knows may be the same.
func.func @main(%x: tensor<?xf32> {fx.kind = "input", fx.target = "x"}, %y: tensor<2xf32>) -> (tensor<2xf32> {fx.kind = "input_mutation", fx.mutates = "x"}) {
  return %y : tensor<2xf32>
}
