// Kernels of a loop's body read rows at the loop's index, which is an argument; the tensor that rows are put into is not
// filled before.
// RUN: fx-opt %s --pass-pipeline='builtin.module(func.func(convert-fx-to-linalg,canonicalize,cse),fx-form-kernels,func.func(canonicalize,cse))' | FileCheck %s

// CHECK-LABEL: func.func @main(
// CHECK-SAME:    %[[Z:.*]]: tensor<4xf32>, %[[X:.*]]: tensor<8x4xf32>
// CHECK:         %[[S:.*]] = tensor.empty() : tensor<8x4xf32>
// CHECK:         scf.for %[[I:.*]] = {{.*}} iter_args(%[[C:.*]] = %[[Z]], %[[R:.*]] = %[[S]])
// CHECK-NEXT:      %[[N:.*]]:2 = func.call @kernel_0(%[[C]], %[[X]], %[[I]])
// CHECK-NEXT:      %[[W:.*]] = tensor.insert_slice %[[N]]#1 into %[[R]][%[[I]], 0]
// CHECK-NEXT:      scf.yield %[[N]]#0, %[[W]]
// CHECK:       func.func private @kernel_0(
// CHECK-NOT:   @kernel_1
func.func @main(%zero: tensor<4xf32>, %x: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %s:2 = fx.scan init(%zero) xs(%x) : (tensor<4xf32>, tensor<8x4xf32>) -> (tensor<4xf32>, tensor<8x4xf32>) {
  ^bb0(%carry: tensor<4xf32>, %row: tensor<4xf32>):
    %next = fx.add %carry, %row : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %y = fx.exp %next : (tensor<4xf32>) -> tensor<4xf32>
    fx.yield %next, %y : tensor<4xf32>, tensor<4xf32>
  }
  return %s#1 : tensor<8x4xf32>
}
