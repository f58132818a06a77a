// Constraints of losses, each violated.
// RUN: fx-opt %s -split-input-file -verify-diagnostics

func.func @loss_c1(%a: tensor<4xf32>) {
  // expected-error @+2 {{'fx.mse_loss' op expects reduction in [0, 2], got 3}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = fx.mse_loss %a, %a {reduction = 3 : i64} : (tensor<4xf32>, tensor<4xf32>) -> tensor<f32>
  return
}

// -----

func.func @loss_c2(%a: tensor<4xf32>, %b: tensor<3xf32>) {
  // expected-error @+2 {{'fx.kl_div' op operands do not broadcast: size 4 against 3 in dim 0}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = fx.kl_div %a, %b : (tensor<4xf32>, tensor<3xf32>) -> tensor<f32>
  return
}

// -----

func.func @loss_c3(%a: tensor<4xi64>) {
  // expected-error @+2 {{'fx.l1_loss' op expects a float or complex loss to take the mean of, got i64}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = fx.l1_loss %a, %a : (tensor<4xi64>, tensor<4xi64>) -> tensor<f32>
  return
}

// -----

func.func @binary_cross_entropy_c1(%a: tensor<4x8xf32>, %b: tensor<8xf32>) {
  // expected-error @+2 {{'fx.binary_cross_entropy' op target: expected rank 2, got 1}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = fx.binary_cross_entropy %a, %b : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<f32>
  return
}

// -----

func.func @nll_loss_c1(%a: tensor<4x10xf32>, %t: tensor<3xi64>) {
  // expected-error @+2 {{'fx.nll_loss' op target: expected equal sizes, got 3 and 4}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = fx.nll_loss %a, %t ignore_index [-100] : (tensor<4x10xf32>, tensor<3xi64>) -> tensor<f32>
  return
}

// -----

func.func @nll_loss_c1__rank(%a: tensor<f32>, %t: tensor<i64>) {
  // expected-error @+2 {{'fx.nll_loss' op expects an input of rank >= 1}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = fx.nll_loss %a, %t ignore_index [-100] : (tensor<f32>, tensor<i64>) -> tensor<f32>
  return
}

// -----

func.func @nll_loss_c2(%a: tensor<4x10xf32>, %t: tensor<4xi64>, %w: tensor<9xf32>) {
  // expected-error @+2 {{'fx.nll_loss_forward' op weight: expected equal sizes, got 9 and 10}}
  // expected-error @+1 {{failed to infer returned types}}
  %0:2 = fx.nll_loss_forward %a, %t weight %w ignore_index [-100] {reduction = 1 : i64} : (tensor<4x10xf32>, tensor<4xi64>, tensor<9xf32>) -> (tensor<f32>, tensor<f32>)
  return
}

// -----

func.func @nll_loss_c3(%a: tensor<4x10xf32>, %t: tensor<4xf32>) {
  // expected-error @+2 {{'fx.nll_loss' op expects a target of integers, got f32}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = fx.nll_loss %a, %t ignore_index [-100] : (tensor<4x10xf32>, tensor<4xf32>) -> tensor<f32>
  return
}

// -----

func.func @cross_entropy_loss_c1(%a: tensor<4x10xf32>, %t: tensor<4x9xf32>) {
  // expected-error @+2 {{'fx.cross_entropy_loss' op target: expected equal sizes, got 9 and 10}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = fx.cross_entropy_loss %a, %t ignore_index [-100] : (tensor<4x10xf32>, tensor<4x9xf32>) -> tensor<f32>
  return
}
