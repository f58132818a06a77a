// Run-time checks are numbered in a kernel, calls hold what they say: kernels that differ only in that are one function. A
// lookup whose every element its reader computes with is folded into it; else it is a kernel, so that all of it is checked.
// RUN: fx-opt %s -split-input-file --pass-pipeline='builtin.module(func.func(fx-decompose,convert-fx-to-linalg,canonicalize,cse),fx-form-kernels,func.func(canonicalize,cse))' | FileCheck %s

// CHECK-LABEL: func.func @main(
// CHECK-SAME:    %[[X:.*]]: tensor<8x4xf32>, %[[I:.*]]: tensor<6xi64>, %[[J:.*]]: tensor<6xi64>)
// CHECK-NEXT:    call @kernel_0(%[[I]], %[[X]]) {fx.checks = [{location = "{{.*}}:[[#@LINE+8]]:{{[0-9]+}}", message = "'fx.index_select' op: index {value} is out of bounds for dimension 0 with size {bound}"}]
// CHECK-NEXT:    call @kernel_0(%[[J]], %[[X]]) {fx.checks = [{location = "{{.*}}:[[#@LINE+10]]:{{[0-9]+}}", message = "'fx.index_select' op: index {value} is out of bounds for dimension 0 with size {bound}"}]
// CHECK:       func.func private @kernel_0(
// CHECK:         cf.assert %{{.*}}, "0"
// CHECK:         tensor.extract
// CHECK:         math.exp
// CHECK-NOT:   @kernel_1
func.func @main(%x: tensor<8x4xf32>, %i: tensor<6xi64>, %j: tensor<6xi64>) -> (tensor<6x4xf32>, tensor<6x4xf32>) {
  %a = fx.index_select %x, %i dim 0 : (tensor<8x4xf32>, tensor<6xi64>) -> tensor<6x4xf32>
  %b = fx.exp %a : (tensor<6x4xf32>) -> tensor<6x4xf32>

  %c = fx.index_select %x, %j dim 0 : (tensor<8x4xf32>, tensor<6xi64>) -> tensor<6x4xf32>
  %d = fx.exp %c : (tensor<6x4xf32>) -> tensor<6x4xf32>
  return %b, %d : tensor<6x4xf32>, tensor<6x4xf32>
}

// -----

// CHECK-LABEL: func.func @main(
// CHECK:         %[[A:.*]] = call @kernel_0({{.*}}) {fx.checks
// CHECK-NEXT:    call @kernel_1(%[[A]]) {fx.result_dims
// CHECK-NEXT:    return
func.func @main(%x: tensor<8x4xf32>, %i: tensor<6xi64>) -> tensor<3x4xf32> {
  %a = fx.index_select %x, %i dim 0 : (tensor<8x4xf32>, tensor<6xi64>) -> tensor<6x4xf32>
  %s = fx.slice %a dim 0 [0] to [3] step [1] : (tensor<6x4xf32>) -> tensor<3x4xf32>
  %e = fx.exp %s : (tensor<3x4xf32>) -> tensor<3x4xf32>
  return %e : tensor<3x4xf32>
}
