// Random numbers are drawn in the forward function, in their order, and never again; a buffer that is changed is saved.
// RUN: fx-opt %s --pass-pipeline='builtin.module(fx-autodiff{cotangents=arguments},canonicalize,cse,fx-partition)' | FileCheck %s

// CHECK-LABEL: func.func @forward(
// CHECK-SAME:    %[[B:[^:]*]]: tensor<8xf32> {fx.kind = "buffer"
// CHECK:         fx.rand_like
// CHECK:         fx.rand_like
// CHECK:         return %{{.*}}, %{{.*}}, %[[B]]
// CHECK-LABEL: func.func @backward(
// CHECK-NOT:     fx.kind = "buffer"
// CHECK-NOT:     fx.rand_like
func.func @main(%b: tensor<8xf32> {fx.kind = "buffer", fx.target = "b"}, %x: tensor<4x8xf32> {fx.kind = "input", fx.target = "x"})
    -> (tensor<8xf32> {fx.kind = "buffer_mutation", fx.mutates = "b"}, tensor<4x8xf32> {fx.kind = "output"}) {
  %unused = fx.rand_like %x : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %noise = fx.rand_like %x : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %0 = fx.sin %b : (tensor<8xf32>) -> tensor<8xf32>
  %1 = fx.mul %x, %b : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
  %2 = fx.mul %1, %noise : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0, %2 : tensor<8xf32>, tensor<4x8xf32>
}
