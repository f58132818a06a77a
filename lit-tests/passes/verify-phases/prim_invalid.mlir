// A composite op is not primitive.
// RUN: fx-opt %s --verify-diagnostics --pass-pipeline='builtin.module(verify-prim)'

func.func @composite(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // expected-error @+2 {{'fx.softmax' op is not legal in phase 'prim': it is not primitive}}
  // expected-note @+1 {{the contract of phase 'prim' is made by 'fx-decompose'}}
  %y = fx.softmax %x dim 1 : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}
