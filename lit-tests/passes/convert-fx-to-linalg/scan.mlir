// A scan becomes scf.for: rows are read at the loop's index, and put into a tensor that is carried along.
// RUN: fx-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(convert-fx-to-linalg,canonicalize,cse))' | FileCheck %s

// CHECK-LABEL: func.func @scan(
// CHECK-SAME:    %[[Z:.*]]: tensor<4xf32>, %[[X:.*]]: tensor<?x4xf32>
// CHECK:         %[[N:.*]] = tensor.dim %[[X]]
// CHECK:         %[[YS:.*]] = tensor.empty(%[[N]]) : tensor<?x4xf32>
// CHECK:         scf.for %[[I:.*]] = %{{.*}} to %[[N]] step %{{.*}} iter_args(%[[C:.*]] = %[[Z]], %[[S:.*]] = %[[YS]])
// CHECK:           tensor.extract %[[X]][%[[I]], %{{.*}}]
// CHECK:           %[[NEXT:.*]] = linalg.generic {{.*}} ins(%[[C]], %{{.*}}
// CHECK:           %[[SET:.*]] = tensor.insert_slice %[[NEXT]] into %[[S]][%[[I]], 0] [1, 4] [1, 1]
// CHECK:           scf.yield %[[NEXT]], %[[SET]]
func.func @scan(%zero: tensor<4xf32>, %x: tensor<?x4xf32> {fx.dims = ["n", 4]}) -> (tensor<4xf32>, tensor<?x4xf32>)
    attributes {fx.symbols = {n = array<i64: 0, -1>}} {
  %s:2 = fx.scan init(%zero) xs(%x) : (tensor<4xf32>, tensor<?x4xf32>) -> (tensor<4xf32>, tensor<?x4xf32>) {
  ^bb0(%carry: tensor<4xf32>, %row: tensor<4xf32>):
    %next = fx.add %carry, %row : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    fx.yield %next, %next : tensor<4xf32>, tensor<4xf32>
  }
  return %s#0, %s#1 : tensor<4xf32>, tensor<?x4xf32>
}

// -----

// First sizes that types do not tell are checked; sizes of rows are computed before the loop.
// CHECK-LABEL: func.func @map(
// CHECK:         cf.assert %{{.*}}, "'fx.map' op expects equal first sizes"
// CHECK:         %[[SUM:.*]] = arith.addi
// CHECK:         tensor.empty(%{{.*}}, %[[SUM]]) : tensor<?x?xf32>
// CHECK:         scf.for
func.func @map(%x: tensor<?x?xf32> {fx.dims = ["n", "k"]}, %y: tensor<?x?xf32> {fx.dims = ["m", "l"]}) -> tensor<?x?xf32>
    attributes {fx.symbols = {k = array<i64: 0, -1>, l = array<i64: 0, -1>, m = array<i64: 0, -1>, n = array<i64: 0, -1>}} {
  %s = fx.map %x, %y : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32> {
  ^bb0(%a: tensor<?xf32>, %b: tensor<?xf32>):
    %c = fx.cat %a, %b dim 0 : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
    fx.yield %c : tensor<?xf32>
  }
  return %s : tensor<?x?xf32>
}
