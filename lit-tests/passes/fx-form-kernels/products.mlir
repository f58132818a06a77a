// A product, its bias and its activation are one kernel; a transposed weight is folded into it; equal kernels are one function.
// RUN: fx-opt %s --pass-pipeline='builtin.module(func.func(fx-decompose,convert-fx-to-linalg,canonicalize,cse),fx-form-kernels,func.func(canonicalize))' | FileCheck %s

// CHECK-LABEL: func.func @main(
// CHECK-SAME:    %[[X:.*]]: tensor<4x8xf32>, %[[W:.*]]: tensor<8x8xf32>, %[[B:.*]]: tensor<8xf32>)
// CHECK-NEXT:    %[[Y:.*]] = call @kernel_0(%[[X]], %[[W]], %[[B]])
// CHECK-NEXT:    %[[Z:.*]] = call @kernel_0(%[[Y]], %[[W]], %[[B]])
// CHECK-NEXT:    return %[[Z]]
// CHECK:       func.func private @kernel_0(
// CHECK-NOT:   @kernel_1
func.func @main(%x: tensor<4x8xf32>, %w: tensor<8x8xf32>, %b: tensor<8xf32>) -> tensor<4x8xf32> {
  %0 = fx.linear %x, %w, %b : (tensor<4x8xf32>, tensor<8x8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
  %1 = fx.relu %0 : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %2 = fx.linear %1, %w, %b : (tensor<4x8xf32>, tensor<8x8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
  %3 = fx.relu %2 : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return %3 : tensor<4x8xf32>
}
