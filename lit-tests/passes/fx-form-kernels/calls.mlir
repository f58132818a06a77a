// What the host makes of a kernel's result is read by another kernel, though that works on the first one's space.
// RUN: fx-opt %s --pass-pipeline='builtin.module(func.func(convert-fx-to-linalg,canonicalize,cse),fx-form-kernels,func.func(canonicalize,cse))' | FileCheck %s

// CHECK-LABEL: func.func @main(
// CHECK-SAME:    %[[X:.*]]: tensor<8xf32>)
// CHECK:         %[[E:.*]] = call @kernel_0(%[[X]])
// CHECK:         %[[S:.*]]:2 = fx.call "fx::sort"(%[[E]],
// CHECK:         call @kernel_1(%[[S]]#0, %[[E]])
// CHECK:       func.func private @kernel_0(
// CHECK:       func.func private @kernel_1(
func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
  %e = fx.exp %x : (tensor<8xf32>) -> tensor<8xf32>
  %s, %i = fx.sort %e dim 0 : (tensor<8xf32>) -> (tensor<8xf32>, tensor<8xi64>)
  %y = fx.add %s, %e : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  return %y : tensor<8xf32>
}
