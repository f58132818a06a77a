// Where the sizes of a tensor alone are needed, they are saved and not the tensor; a widened half is saved as a half.
// RUN: fx-opt %s --pass-pipeline='builtin.module(fx-autodiff{cotangents=arguments},canonicalize,cse,fx-partition{sizes=n=8})' | FileCheck %s

// CHECK-LABEL: func.func @forward(
// CHECK-SAME:    tensor<?x16xbf16> {fx.kind = "saved", fx.saved = 0 : i64}
// CHECK-LABEL: func.func @backward(
// CHECK-SAME:    tensor<?x16xbf16>
// CHECK:         fx.to_copy %{{.*}} as f32 : (tensor<?x16xbf16>) -> tensor<?x16xf32>
func.func @main(%x: tensor<?x8xbf16> {fx.kind = "input", fx.target = "x", fx.dims = ["n", 8]},
                %w: tensor<8x16xbf16> {fx.kind = "parameter", fx.target = "w"}) -> tensor<f32> attributes {fx.symbols = {n = array<i64: 1, 32>}} {
  %0 = fx.mm %x, %w : (tensor<?x8xbf16>, tensor<8x16xbf16>) -> tensor<?x16xbf16>
  %1 = fx.to_copy %0 as f32 : (tensor<?x16xbf16>) -> tensor<?x16xf32>
  %2 = fx.sin %1 : (tensor<?x16xf32>) -> tensor<?x16xf32>
  %3 = fx.mean %2 : (tensor<?x16xf32>) -> tensor<f32>
  return %3 : tensor<f32>
}
