// Each contract names the op, the phase and the pass that is at fault.
// RUN: fx-opt %s --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(verify-linalg)'

func.func @fx_in_linalg(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+2 {{'fx.exp' op is not legal in phase 'linalg': its dialect is none of linalg, tensor}}
  // expected-note @+1 {{the contract of phase 'linalg' is made by 'convert-fx-to-linalg'}}
  %y = fx.exp %x : (tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
