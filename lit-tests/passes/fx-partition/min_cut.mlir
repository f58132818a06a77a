// What is cheap is computed again from the smallest value that it can be computed from; products are not.
// RUN: fx-opt %s --pass-pipeline='builtin.module(fx-autodiff{cotangents=arguments},canonicalize,cse,fx-partition)' | FileCheck %s

// CHECK:       fx.partition = {predicted_peak_bytes = {{[0-9]+}} : i64, recomputed_flops = 64 : i64, recomputed_ops = 2 : i64, recomputed_products = 0 : i64, saved_bytes = 128 : i64, saved_numbers = 0 : i64, saved_tensors = 1 : i64}
// CHECK:       func.func @forward(
// CHECK-SAME:    %[[W:.*]]: tensor<8x8xf32> {fx.kind = "parameter", fx.target = "w"}
// CHECK-SAME:    %[[X:.*]]: tensor<4x8xf32> {fx.kind = "input", fx.target = "x"})
// CHECK-SAME:    -> (tensor<4x8xf32>, tensor<4x8xf32> {fx.kind = "saved", fx.saved = 0 : i64})
// CHECK:         %[[H:.*]] = fx.mm %[[X]], %[[W]]
// CHECK:         return %{{.*}}, %[[H]]
// CHECK:       func.func @backward(
// CHECK-SAME:    %[[SAVED:.*]]: tensor<4x8xf32> {fx.kind = "input", fx.name = "saved.0", fx.saved = 0 : i64, fx.target = "saved.0"}
// CHECK-SAME:    tensor<8x8xf32> {fx.kind = "parameter", fx.target = "w"}
// CHECK-SAME:    tensor<4x8xf32> {fx.kind = "input", fx.target = "x"}
// CHECK-SAME:    tensor<4x8xf32> {fx.cotangent = 0 : i64
// CHECK-SAME:    -> (tensor<8x8xf32> {fx.kind = "parameter_gradient", fx.target = "w"}, tensor<4x8xf32> {fx.kind = "input_gradient", fx.target = "x"})
// CHECK:         fx.sin %[[SAVED]]
// CHECK-NOT:   @main
func.func @main(%w: tensor<8x8xf32> {fx.kind = "parameter", fx.target = "w"},
                %x: tensor<4x8xf32> {fx.kind = "input", fx.target = "x"}) -> tensor<4x8xf32> {
  %0 = fx.mm %x, %w : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  %1 = fx.sin %0 : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %2 = fx.sin %1 : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %3 = fx.mm %2, %w : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  return %3 : tensor<4x8xf32>
}
