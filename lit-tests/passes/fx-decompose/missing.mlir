// Every op without a rule is reported, each at its place, before anything is changed.
// RUN: fx-opt %s --pass-pipeline='builtin.module(func.func(fx-decompose))' --verify-diagnostics

func.func @two(%x: tensor<4xf32>, %q: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  // expected-error @+2 {{'fx.special_zeta' op cannot be compiled}}
  // expected-note @+1 {{replace Missing(..) in the row of 'fx.special_zeta'}}
  %a = fx.special_zeta %x, %q : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  // expected-error @+2 {{'fx.igamma' op cannot be compiled}}
  // expected-note @+1 {{replace Missing(..) in the row of 'fx.igamma'}}
  %b = fx.igamma %x, %q : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %a, %b : tensor<4xf32>, tensor<4xf32>
}
