// The default strategy computes nothing twice; a budget of nothing saves nothing, though a product is computed twice.
// RUN: fx-opt %s --pass-pipeline='builtin.module(fx-autodiff{cotangents=arguments},canonicalize,cse,fx-partition{strategy=default})' | FileCheck %s --check-prefix=DEFAULT
// RUN: fx-opt %s --pass-pipeline='builtin.module(fx-autodiff{cotangents=arguments},canonicalize,cse,fx-partition{strategy=budget budget=0})' | FileCheck %s --check-prefix=NOTHING
// RUN: fx-opt %s --pass-pipeline='builtin.module(fx-autodiff{cotangents=arguments},canonicalize,cse,fx-partition{strategy=budget budget=1.0 keep=true})' | FileCheck %s --check-prefix=ALL

// DEFAULT:       recomputed_ops = 0 : i64
// DEFAULT-LABEL: func.func @forward(
// DEFAULT:         %[[A:.*]] = fx.mm
// DEFAULT:         %[[B:.*]] = fx.exp %[[A]]
// DEFAULT:         %[[C:.*]] = fx.sin %[[B]]
// DEFAULT:         return %[[C]], %[[B]] : tensor<4x8xf32>, tensor<4x8xf32>

// NOTHING:       recomputed_products = 1 : i64, saved_bytes = 0 : i64
// NOTHING-LABEL: func.func @backward(
// NOTHING:         fx.mm
// NOTHING:         fx.exp

// ALL:           recomputed_flops = 0 : i64
// ALL:           @forward
// ALL:           @backward
// ALL:           @main
func.func @main(%w: tensor<8x8xf32> {fx.kind = "parameter", fx.target = "w"},
                %x: tensor<4x8xf32> {fx.kind = "input", fx.target = "x"}) -> tensor<4x8xf32> {
  %0 = fx.mm %x, %w : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  %1 = fx.exp %0 : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %2 = fx.sin %1 : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return %2 : tensor<4x8xf32>
}
