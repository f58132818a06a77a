// Constraints of the pointwise ops, each violated once.
// RUN: fx-opt %s -split-input-file -verify-diagnostics

func.func @add_broadcast(%a: tensor<4x8xf32>, %b: tensor<4x7xf32>) {
  // expected-error @+2 {{'fx.add' op operands do not broadcast: size 8 against 7 in dim 1}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = fx.add %a, %b : (tensor<4x8xf32>, tensor<4x7xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @mul_promotion(%a: tensor<4xi32>, %b: f64) {
  // expected-error @+2 {{inferred type(s) 'tensor<4xf32>' are incompatible with return type(s) of operation 'tensor<4xi32>'}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = fx.mul %a, %b : (tensor<4xi32>, f64) -> tensor<4xi32>
  return
}

// -----

func.func @add_c1(%a: tensor<4xi32>) {
  // expected-error @+2 {{'fx.add' op expects an integer or bool alpha for a result of i32, got 5.000000e-01 : f64}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = fx.add %a, %a {alpha = 0.5 : f64} : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  return
}

// -----

func.func @add_c2(%a: tensor<4xf32>) {
  // expected-error @+2 {{'fx.add' op expects a number as alpha for a result of f32, got true}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = fx.add %a, %a {alpha = true} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @sub_c1(%a: tensor<4xi32>, %n: i64) {
  // expected-error @+2 {{'fx.sub' op expects an integer or bool alpha for a result of i32, got 5.000000e-01 : f64}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = fx.sub %n, %a {alpha = 0.5 : f64} : (i64, tensor<4xi32>) -> tensor<4xi32>
  return
}

// -----

func.func @sub_c2(%a: tensor<4xf32>) {
  // expected-error @+2 {{'fx.sub' op expects a number as alpha for a result of f32, got false}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = fx.sub %a, %a {alpha = false} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @addcdiv_c1(%a: tensor<4xf32>, %i: tensor<4xi32>, %b: tensor<4xi1>) {
  // expected-error @+2 {{'fx.addcdiv' op expects tensor1 or tensor2 to be float or complex, got i32 and i1}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = fx.addcdiv %a, %i, %b : (tensor<4xf32>, tensor<4xi32>, tensor<4xi1>) -> tensor<4xf32>
  return
}

// -----

func.func @div_c1(%a: tensor<4xf32>) {
  // expected-error @+2 {{'fx.div' op expects rounding_mode "trunc" or "floor", got "ceil"}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = fx.div %a, %a rounding "ceil" : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @lerp_c1(%a: tensor<4xf32>, %b: tensor<4xf64>, %w: f64) {
  // expected-error @+2 {{'fx.lerp' op expects operands of one element type, got f32 and f64}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = fx.lerp %a, %b, %w : (tensor<4xf32>, tensor<4xf64>, f64) -> tensor<4xf32>
  return
}

// -----

func.func @isclose_c1(%a: tensor<4xf32>, %b: tensor<4xf64>) {
  // expected-error @+2 {{'fx.isclose' op expects operands of one element type, got f32 and f64}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = fx.isclose %a, %b : (tensor<4xf32>, tensor<4xf64>) -> tensor<4xi1>
  return
}

// -----

func.func @isclose_c2(%a: tensor<4xf32>) {
  // expected-error-re @+2 {{'fx.isclose' op expects rtol and atol not to be negative, got -1.0{{.*}} and 1.0}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = fx.isclose %a, %a {rtol = -1.0 : f64} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  return
}

// -----

func.func @clamp_c1(%a: tensor<4xf32>) {
  // expected-error @+2 {{'fx.clamp' op expects a bound: min, max or both}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = fx.clamp %a : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @heaviside_c1(%a: tensor<4xf32>, %v: tensor<4xi32>) {
  // expected-error @+2 {{'fx.heaviside' op expects operands of one element type, got f32 and i32}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = fx.heaviside %a, %v : (tensor<4xf32>, tensor<4xi32>) -> tensor<4xf32>
  return
}

// -----

func.func @masked_fill_c1(%a: tensor<4xf32>, %m: tensor<4xi1>, %v: tensor<1xf32>) {
  // expected-error @+2 {{'fx.masked_fill' op expects value to be a number or a tensor of rank 0, got rank 1}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = fx.masked_fill %a, %m, %v : (tensor<4xf32>, tensor<4xi1>, tensor<1xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @polar_c1(%a: tensor<4xf32>, %b: tensor<4xf64>) {
  // expected-error @+2 {{'fx.polar' op expects operands of one element type, got f32 and f64}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = fx.polar %a, %b : (tensor<4xf32>, tensor<4xf64>) -> tensor<4xcomplex<f64>>
  return
}

// -----

func.func @mvlgamma_c1(%a: tensor<4xf32>) {
  // expected-error @+2 {{'fx.mvlgamma' op expects p >= 1, got 0}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = fx.mvlgamma %a p 0 : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @polygamma_c1(%a: tensor<4xf32>) {
  // expected-error @+2 {{'fx.polygamma' op expects n >= 0, got -1}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = fx.polygamma %a n -1 : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @gelu_c1(%a: tensor<4xf32>) {
  // expected-error @+2 {{'fx.gelu' op expects approximate "none" or "tanh", got "erf"}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = fx.gelu %a approximate "erf" : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @gelu_backward_c1(%a: tensor<4xf32>) {
  // expected-error @+2 {{'fx.gelu_backward' op expects approximate "none" or "tanh", got ""}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = fx.gelu_backward %a, %a approximate "" : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @glu_c1(%a: tensor<4x8xf32>) {
  // expected-error @+2 {{'fx.glu' op dim 2 is out of range for an operand of rank 2}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = fx.glu %a dim 2 : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @glu_c1_rank_zero(%a: tensor<f32>) {
  // expected-error @+2 {{'fx.glu' op expects an operand of rank 1 or more, got rank 0}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = fx.glu %a : (tensor<f32>) -> tensor<f32>
  return
}

// -----

func.func @glu_c2(%a: tensor<4x7xf32>) {
  // expected-error @+2 {{'fx.glu' op expects an even size in dim 1, got 7}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = fx.glu %a : (tensor<4x7xf32>) -> tensor<4x3xf32>
  return
}

// -----

func.func @glu_backward_c1(%g: tensor<4x4xf32>, %a: tensor<4x8xf32>) {
  // expected-error @+2 {{'fx.glu_backward' op dim -3 is out of range for an operand of rank 2}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = fx.glu_backward %g, %a dim -3 : (tensor<4x4xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @glu_backward_c2(%g: tensor<4x5xf32>, %a: tensor<4x8xf32>) {
  // expected-error @+2 {{'fx.glu_backward' op expects grad_output to be half of tensor<4x8xf32> in dim 1, got tensor<4x5xf32>}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = fx.glu_backward %g, %a dim 1 : (tensor<4x5xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @prelu_c1(%a: tensor<4x8xf32>, %w: tensor<1x8xf32>) {
  // expected-error @+2 {{'fx.prelu' op expects a weight of rank 0 or 1, got rank 2}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = fx.prelu %a, %w : (tensor<4x8xf32>, tensor<1x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @prelu_c2(%a: tensor<4x8xf32>, %w: tensor<4xf32>) {
  // expected-error @+2 {{'fx.prelu' op expects 1 weight or 8, the size of dim 1, got 4}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = fx.prelu %a, %w : (tensor<4x8xf32>, tensor<4xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @prelu_c3(%a: tensor<4x8xf16>, %w: tensor<8xf32>) {
  // expected-error @+2 {{'fx.prelu' op expects operands of one element type, got f16 and f32}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = fx.prelu %a, %w : (tensor<4x8xf16>, tensor<8xf32>) -> tensor<4x8xf16>
  return
}
