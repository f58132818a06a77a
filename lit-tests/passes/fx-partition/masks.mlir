// Of a ReLU the backward function needs one bit per element.
// RUN: fx-opt %s --pass-pipeline='builtin.module(fx-autodiff{cotangents=arguments},canonicalize,cse,fx-partition)' | FileCheck %s

// CHECK:       saved_bytes = 16 : i64
// CHECK-LABEL: func.func @forward(
// CHECK-SAME:    tensor<4x4xi8> {fx.kind = "saved", fx.packed, fx.saved = 0 : i64}
// CHECK:         %[[BITS:.*]] = fx.view %{{.*}} [4, 4, 8] : (tensor<4x32xi1>) -> tensor<4x4x8xi1>
// CHECK:         %[[WEIGHTED:.*]] = fx.where %[[BITS]]
// CHECK:         %[[BYTES:.*]] = fx.sum %[[WEIGHTED]] dim [2]
// CHECK:         return %{{.*}}, %[[BYTES]]
// CHECK-LABEL: func.func @backward(
// CHECK-SAME:    %[[SAVED:[^:]*]]: tensor<4x4xi8> {fx.kind = "input", fx.name = "saved.0", fx.packed
// CHECK:         %[[SPREAD:.*]] = fx.view %[[SAVED]] [4, 4, 1]
// CHECK:         %[[PICKED:.*]] = fx.bitwise_and %[[SPREAD]]
// CHECK:         fx.ne %[[PICKED]]
func.func @main(%x: tensor<4x16xf32> {fx.kind = "input", fx.target = "x"},
                %w: tensor<16x32xf32> {fx.kind = "input", fx.target = "w"}) -> tensor<4x32xf32> {
  %0 = fx.mm %x, %w : (tensor<4x16xf32>, tensor<16x32xf32>) -> tensor<4x32xf32>
  %1 = fx.relu %0 : (tensor<4x32xf32>) -> tensor<4x32xf32>
  return %1 : tensor<4x32xf32>
}
