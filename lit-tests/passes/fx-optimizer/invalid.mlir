// Functions that cannot be updated are reported with the parameter's name.
// RUN: fx-opt %s --split-input-file --pass-pipeline='builtin.module(fx-optimizer)' --verify-diagnostics

// expected-error @+1 {{there is no gradient of a parameter}}
func.func @main(%w: tensor<4xf32> {fx.kind = "parameter", fx.target = "w"}) -> tensor<4xf32> {
  return %w : tensor<4xf32>
}

// -----

// expected-error @+1 {{there is a gradient of 'v', which is no argument}}
func.func @main(%w: tensor<4xf32> {fx.kind = "parameter", fx.target = "w"})
    -> (tensor<4xf32> {fx.kind = "parameter_gradient", fx.target = "v"}) {
  return %w : tensor<4xf32>
}

// -----

// expected-error @+1 {{parameter 'w' is tensor<4xcomplex<f32>>, only floats can be trained}}
func.func @main(%w: tensor<4xcomplex<f32>> {fx.kind = "parameter", fx.target = "w"})
    -> (tensor<4xcomplex<f32>> {fx.kind = "parameter_gradient", fx.target = "w"}) {
  return %w : tensor<4xcomplex<f32>>
}

// -----

// expected-error @+1 {{parameter 'w' is changed by the function itself, it cannot be trained}}
func.func @main(%w: tensor<4xf32> {fx.kind = "parameter", fx.target = "w"})
    -> (tensor<4xf32> {fx.kind = "parameter_gradient", fx.target = "w"}, tensor<4xf32> {fx.kind = "parameter_mutation", fx.mutates = "w"}) {
  return %w, %w : tensor<4xf32>, tensor<4xf32>
}
