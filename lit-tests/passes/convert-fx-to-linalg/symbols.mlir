// Sizes of one symbol are one value: it is read once, from the first argument that has it.
// RUN: fx-opt %s --pass-pipeline='builtin.module(func.func(convert-fx-to-linalg,canonicalize,cse))' | FileCheck %s

// CHECK-LABEL: func.func @equal_sizes(
// CHECK-SAME:    %[[A:.*]]: tensor<?xf32> {{.*}}, %[[B:.*]]: tensor<?xf32>
// CHECK:         %[[N:.*]] = tensor.dim %[[A]]
// CHECK-NOT:     tensor.dim
// CHECK:         tensor.empty(%[[N]])
func.func @equal_sizes(%a: tensor<?xf32> {fx.dims = ["s0"]}, %b: tensor<?xf32> {fx.dims = ["s0"]}) -> tensor<?xf32>
    attributes {fx.symbols = {s0 = array<i64: 2, -1>}} {
  %y = fx.mul %b, %a : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %y : tensor<?xf32>
}
