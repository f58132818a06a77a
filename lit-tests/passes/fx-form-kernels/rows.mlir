// A softmax is one kernel: its reductions, what they read and what reads them share the rows.
// RUN: fx-opt %s --pass-pipeline='builtin.module(func.func(fx-decompose,convert-fx-to-linalg,canonicalize,cse),fx-form-kernels,func.func(canonicalize))' | FileCheck %s

// CHECK-LABEL: func.func @main(
// CHECK-SAME:    %[[X:.*]]: tensor<4x8xf32>)
// CHECK-NEXT:    %[[Y:.*]] = call @kernel_0(%[[X]])
// CHECK-NEXT:    return %[[Y]]
// CHECK:       func.func private @kernel_0(
// CHECK-SAME:    fx.kernel
// CHECK-SAME:    fx.reduced = array<i1: false, true>
// CHECK-SAME:    fx.space = [4, 8]
// CHECK-NOT:   @kernel_1
func.func @main(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %y = fx.softmax %x dim 1 : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}
