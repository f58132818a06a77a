// Every op in a form that its rule refuses is reported, each at its place (docs/refused.md).
// RUN: fx-opt %s --pass-pipeline='builtin.module(func.func(fx-decompose))' --verify-diagnostics

func.func @two(%x: tensor<?x4xf32>, %q: tensor<1x?x8x4xf32>, %k: tensor<1x2x8x4xf32>) -> (tensor<?xf32>, tensor<1x?x8x4xf32>) {
  // expected-error @+1 {{'fx.pdist' op needs the number of rows at compile time}}
  %a = fx.pdist %x {p = 2.0} : (tensor<?x4xf32>) -> tensor<?xf32>
  // expected-error @+1 {{'fx.scaled_dot_product_attention' op with grouped heads needs the number of heads at compile time}}
  %b = fx.scaled_dot_product_attention %q, %k, %k {enable_gqa = true}
    : (tensor<1x?x8x4xf32>, tensor<1x2x8x4xf32>, tensor<1x2x8x4xf32>) -> tensor<1x?x8x4xf32>
  return %a, %b : tensor<?xf32>, tensor<1x?x8x4xf32>
}
