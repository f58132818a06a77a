// A loop becomes scf.while. A size that every iteration keeps is the first one, inside and after; others are read.
// RUN: fx-opt %s --pass-pipeline='builtin.module(func.func(convert-fx-to-linalg,canonicalize,cse))' | FileCheck %s

// Swapped tensors keep their sizes, by way of each other.
// CHECK-LABEL: func.func @kept(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<?xf32>
// CHECK:         %[[N:.*]] = tensor.dim %[[X]]
// CHECK:         scf.while
// CHECK:           scf.condition
// CHECK:         } do {
// CHECK-NOT:       tensor.dim
// CHECK:           tensor.empty(%[[N]])
// CHECK:           math.exp
// CHECK:           scf.yield
// CHECK:         tensor.empty(%[[N]])
// CHECK:         math.sin
func.func @kept(%x: tensor<?xf32> {fx.dims = ["n"]}, %y: tensor<?xf32> {fx.dims = ["n"]}, %p: i1) -> tensor<?xf32>
    attributes {fx.symbols = {n = array<i64: 0, -1>}} {
  %r:2 = fx.while_loop(%x, %y) : (tensor<?xf32>, tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  ^bb0(%a: tensor<?xf32>, %b: tensor<?xf32>):
    fx.yield %p : i1
  } do {
  ^bb0(%a: tensor<?xf32>, %b: tensor<?xf32>):
    %c = fx.exp %a : (tensor<?xf32>) -> tensor<?xf32>
    fx.yield %b, %c : tensor<?xf32>, tensor<?xf32>
  }
  %s = fx.sin %r#0 : (tensor<?xf32>) -> tensor<?xf32>
  return %s : tensor<?xf32>
}

// CHECK-LABEL: func.func @changed(
// CHECK:         %[[R:.*]] = scf.while (%{{.*}} = %{{.*}}) : (tensor<?xf32>) -> tensor<?xf32>
// CHECK:           %[[P:.*]] = tensor.extract %{{.*}}[] : tensor<i1>
// CHECK:           scf.condition(%[[P]]) %{{.*}} : tensor<?xf32>
// CHECK:         ^bb0(%[[A:.*]]: tensor<?xf32>):
// CHECK:           %[[M:.*]] = tensor.dim %[[A]]
// CHECK:           %[[TWICE:.*]] = arith.addi %[[M]], %[[M]]
// CHECK:           tensor.empty(%[[TWICE]])
// CHECK:         %[[K:.*]] = tensor.dim %[[R]]
// CHECK:         tensor.empty(%[[K]])
func.func @changed(%x: tensor<?xf32> {fx.dims = ["n"]}, %p: tensor<i1>) -> tensor<?xf32>
    attributes {fx.symbols = {n = array<i64: 0, -1>}} {
  %r = fx.while_loop(%x) : (tensor<?xf32>) -> tensor<?xf32> {
  ^bb0(%a: tensor<?xf32>):
    fx.yield %p : tensor<i1>
  } do {
  ^bb0(%a: tensor<?xf32>):
    %c = fx.cat %a, %a dim 0 : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
    fx.yield %c : tensor<?xf32>
  }
  %s = fx.sin %r : (tensor<?xf32>) -> tensor<?xf32>
  return %s : tensor<?xf32>
}
