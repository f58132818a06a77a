// Tags of activation checkpoints decide what is saved, in each strategy.
// RUN: fx-opt %s --split-input-file --pass-pipeline='builtin.module(fx-autodiff{cotangents=arguments},canonicalize,cse,fx-partition{strategy=min-cut})' | FileCheck %s --check-prefixes=CHECK,CUT
// RUN: fx-opt %s --split-input-file --pass-pipeline='builtin.module(fx-autodiff{cotangents=arguments},canonicalize,cse,fx-partition{strategy=default})' | FileCheck %s --check-prefixes=CHECK,DEFAULT
// RUN: fx-opt %s --split-input-file --pass-pipeline='builtin.module(fx-autodiff{cotangents=arguments},canonicalize,cse,fx-partition{strategy=budget budget=1.0})' | FileCheck %s --check-prefixes=CHECK,DEFAULT
// RUN: fx-opt %s --split-input-file --pass-pipeline='builtin.module(fx-autodiff{cotangents=arguments},canonicalize,cse,fx-partition{strategy=budget budget=0})' | FileCheck %s --check-prefixes=CHECK,LEAST

// Without a tag: `sin` of the first product is saved by the default strategy, and computed again by a minimum cut.

// DEFAULT:             recomputed_ops = 0 : i64
// CUT:                 recomputed_ops = 1 : i64
// LEAST:               recomputed_products = 1 : i64, saved_bytes = 0 : i64
// CHECK-LABEL:         func.func @forward(
// CHECK-LABEL:         func.func @backward(
func.func @main(%w: tensor<8x8xf32> {fx.kind = "parameter", fx.target = "w"}, %x: tensor<4x8xf32> {fx.kind = "input", fx.target = "x"}) -> tensor<4x8xf32> {
  %0 = fx.mm %x, %w : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  %1 = fx.sin %0 : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %2 = fx.mm %1, %w : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  return %2 : tensor<4x8xf32>
}

// -----

// What must be saved is not computed again, whatever the budget is.

// CHECK-LABEL: func.func @forward(
// CHECK:         fx.sin %{{.*}} {fx.recompute = "must_save"}
// CHECK:         return
// CHECK-LABEL: func.func @backward(
// CHECK-NOT:     fx.sin
// CHECK:         return
func.func @main(%w: tensor<8x8xf32> {fx.kind = "parameter", fx.target = "w"}, %x: tensor<4x8xf32> {fx.kind = "input", fx.target = "x"}) -> tensor<4x8xf32> {
  %0 = fx.mm %x, %w : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  %1 = fx.sin %0 {fx.recompute = "must_save"} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %2 = fx.mm %1, %w : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  return %2 : tensor<4x8xf32>
}

// -----

// What is preferably saved is computed again if the budget asks for it.

// CHECK-LABEL: func.func @backward(
// CUT-NOT:       fx.sin
// DEFAULT-NOT:   fx.sin
// LEAST:         fx.sin
// CHECK:         return
func.func @main(%w: tensor<8x8xf32> {fx.kind = "parameter", fx.target = "w"}, %x: tensor<4x8xf32> {fx.kind = "input", fx.target = "x"}) -> tensor<4x8xf32> {
  %0 = fx.mm %x, %w : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  %1 = fx.sin %0 {fx.recompute = "prefer_save"} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %2 = fx.mm %1, %w : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  return %2 : tensor<4x8xf32>
}

// -----

// A checkpointed block: nothing of it is saved, products are computed again.

// CHECK:       recomputed_products = 1 : i64, saved_bytes = 0 : i64
// CHECK-LABEL: func.func @forward(
// CHECK:         %[[Y:.*]] = fx.mm
// CHECK:         return %{{[^,]*}} : tensor<4x8xf32>
// CHECK-LABEL: func.func @backward(
// CHECK:         fx.mm %{{.*}}fx.recompute = "must_recompute"
// CHECK:         fx.sin %{{.*}}fx.recompute = "must_recompute"
func.func @main(%w: tensor<8x8xf32> {fx.kind = "parameter", fx.target = "w"}, %x: tensor<4x8xf32> {fx.kind = "input", fx.target = "x"}) -> tensor<4x8xf32> {
  %0 = fx.mm %x, %w {fx.recompute = "must_recompute"} : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  %1 = fx.sin %0 {fx.recompute = "must_recompute"} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %2 = fx.mm %1, %w {fx.recompute = "must_recompute"} : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  return %2 : tensor<4x8xf32>
}

// -----

// The same as a preference; what sorts is not computed again for a preference.

// CHECK:       recomputed_products = 1 : i64
// CHECK-LABEL: func.func @forward(
// CHECK:         fx.sort
// CHECK-LABEL: func.func @backward(
// CHECK-NOT:     fx.sort
// CHECK:         fx.mm %{{.*}}fx.recompute = "prefer_recompute"
// CHECK:         fx.sin %{{.*}}fx.recompute = "prefer_recompute"
// CHECK-NOT:     fx.sort
// CHECK:         return
func.func @main(%w: tensor<8x8xf32> {fx.kind = "parameter", fx.target = "w"}, %x: tensor<4x8xf32> {fx.kind = "input", fx.target = "x"}) -> tensor<4x8xf32> {
  %s:2 = fx.sort %x dim 1 {fx.recompute = "prefer_recompute"} : (tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xi64>)
  %0 = fx.mm %s#0, %w {fx.recompute = "prefer_recompute"} : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  %1 = fx.sin %0 {fx.recompute = "prefer_recompute"} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %2 = fx.mm %1, %w : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  return %2 : tensor<4x8xf32>
}

// -----

// Two checkpointed blocks: what the second takes from the first is saved, also behind a view; the rest is computed again.

// CHECK:       recomputed_products = 2 : i64, saved_bytes = 128 : i64
// CHECK-LABEL: func.func @forward(
// CHECK:         fx.mm
// CHECK:         %[[BORDER:.*]] = fx.mm
// CHECK:         return %{{[^,]*}}, %[[BORDER]]
// CHECK-LABEL: func.func @backward(
// CHECK-SAME:    %[[SAVED:[^:]*]]: tensor<4x8xf32> {fx.kind = "input", fx.name = "saved.0"
func.func @main(%w: tensor<8x8xf32> {fx.kind = "parameter", fx.target = "w"}, %v: tensor<4x4xf32> {fx.kind = "parameter", fx.target = "v"},
                %x: tensor<4x8xf32> {fx.kind = "input", fx.target = "x"}) -> tensor<8x4xf32> {
  %0 = fx.mm %x, %w {fx.recompute = "prefer_recompute", fx.recompute_group = 0 : i64} : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  %1 = fx.sin %0 {fx.recompute = "prefer_recompute", fx.recompute_group = 0 : i64} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %2 = fx.mm %1, %w {fx.recompute = "prefer_recompute", fx.recompute_group = 0 : i64} : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  %3 = fx.t %2 {fx.recompute = "prefer_recompute", fx.recompute_group = 0 : i64} : (tensor<4x8xf32>) -> tensor<8x4xf32>
  %4 = fx.mm %3, %v {fx.recompute = "prefer_recompute", fx.recompute_group = 1 : i64} : (tensor<8x4xf32>, tensor<4x4xf32>) -> tensor<8x4xf32>
  %5 = fx.sin %4 {fx.recompute = "prefer_recompute", fx.recompute_group = 1 : i64} : (tensor<8x4xf32>) -> tensor<8x4xf32>
  %6 = fx.mm %5, %v {fx.recompute = "prefer_recompute", fx.recompute_group = 1 : i64} : (tensor<8x4xf32>, tensor<4x4xf32>) -> tensor<8x4xf32>
  return %6 : tensor<8x4xf32>
}

// -----

// Random numbers are drawn once, also in a checkpointed block: what was drawn is saved.

// CHECK-LABEL: func.func @forward(
// CHECK:         %[[NOISE:.*]] = fx.rand_like
// CHECK:         return %{{[^,]*}}, %[[NOISE]]
// CHECK-LABEL: func.func @backward(
// CHECK-NOT:     fx.rand_like
func.func @main(%x: tensor<4x8xf32> {fx.kind = "input", fx.target = "x"}) -> tensor<4x8xf32> {
  %0 = fx.rand_like %x {fx.recompute = "must_recompute"} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %1 = fx.mul %x, %0 {fx.recompute = "must_recompute"} : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return %1 : tensor<4x8xf32>
}
