// A scan, what it reads and what reads it are one kernel, which walks along a dim; what needs whole rows of it is another one.
// RUN: fx-opt %s --pass-pipeline='builtin.module(func.func(fx-decompose,convert-fx-to-linalg,canonicalize,cse),fx-form-kernels,func.func(canonicalize))' | FileCheck %s

// CHECK-LABEL: func.func @rows(
// CHECK-SAME:    %[[X:.*]]: tensor<4x8xf32>)
// CHECK-NEXT:    %[[Y:.*]] = call @kernel_0(%[[X]])
// CHECK-NEXT:    return %[[Y]]
func.func @rows(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %a = fx.exp %x : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %s = fx.cumsum %a dim 1 : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %y = fx.log %s : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// CHECK-LABEL: func.func @columns(
// CHECK-NEXT:    call @kernel_1(
// CHECK-NEXT:    return
func.func @columns(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %a = fx.exp %x : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %y = fx.cumsum %a dim 0 : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// CHECK-LABEL: func.func @whole_rows(
// CHECK-NEXT:    %[[S:.*]] = call @kernel_2(
// CHECK-NEXT:    %[[SUM:.*]] = call @kernel_3(%[[S]])
// CHECK-NEXT:    %[[C:.*]] = call @kernel_4(%[[S]])
// CHECK-NEXT:    return %[[SUM]], %[[C]]
func.func @whole_rows(%x: tensor<4x8xf32>) -> (tensor<4xf32>, tensor<4x8xf32>) {
  %s = fx.cumsum %x dim 1 : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %sum = fx.sum %s dim [1] : (tensor<4x8xf32>) -> tensor<4xf32>
  %c = fx.cumprod %s dim 0 : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return %sum, %c : tensor<4xf32>, tensor<4x8xf32>
}

// CHECK:       func.func private @kernel_0(
// CHECK-SAME:    fx.reduced = array<i1: false, true>, fx.space = [4, 8]
// CHECK:         math.exp
// CHECK:         linalg.generic {{.*}}attrs = {fx.associative}
// CHECK:         math.log
// CHECK:       func.func private @kernel_1(
// CHECK-SAME:    fx.reduced = array<i1: true, false>, fx.space = [4, 8]
// CHECK:         math.exp
// CHECK:         linalg.generic
