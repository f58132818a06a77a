// What replaces an op has its tags: decompositions, by themselves and for derivatives, and ops with a further dim. Of dropout the
// mask that was drawn is saved, and the rest is computed again.
// RUN: fx-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(fx-decompose))' | FileCheck %s --check-prefix=PRIM
// RUN: fx-opt %s --split-input-file --pass-pipeline='builtin.module(fx-vmap)' | FileCheck %s --check-prefix=VMAP
// RUN: fx-opt %s --split-input-file --pass-pipeline='builtin.module(fx-autodiff{cotangents=arguments},canonicalize,cse,func.func(fx-decompose),canonicalize,cse,fx-partition)' | FileCheck %s

// PRIM-LABEL: func.func @main(
// PRIM:         fx.{{.*}}fx.recompute = "must_recompute", fx.recompute_group = 3 : i64

// VMAP-LABEL: func.func @main(
// VMAP:         fx.{{.*}}fx.recompute = "must_recompute", fx.recompute_group = 3 : i64

// CHECK:       saved_tensors = 0
// CHECK-LABEL: func.func @forward(
// CHECK-LABEL: func.func @backward(
// CHECK:         fx.{{.*}}fx.recompute = "must_recompute", fx.recompute_group = 3 : i64
func.func @main(%x: tensor<4x8xf32> {fx.kind = "input", fx.target = "x"}) -> tensor<4x8xf32> {
  %0 = fx.softmax %x dim 1 {fx.recompute = "must_recompute", fx.recompute_group = 3 : i64} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

// PRIM-LABEL: func.func @main(
// PRIM:         fx.{{.*}}fx.recompute = "must_recompute"

// VMAP-LABEL: func.func @main(

// CHECK:       saved_bytes = 32 : i64
// CHECK-LABEL: func.func @forward(
// CHECK-LABEL: func.func @backward(
// CHECK-NOT:     fx.bernoulli
// CHECK:         fx.div %{{.*}}fx.recompute = "must_recompute"
func.func @main(%x: tensor<4x8xf32> {fx.kind = "input", fx.target = "x"}) -> tensor<4x8xf32> {
  %0 = fx.dropout %x p 0.5 train true {fx.recompute = "must_recompute"} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}
