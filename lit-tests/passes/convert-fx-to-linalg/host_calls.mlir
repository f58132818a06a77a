// What is not loops over elements becomes a call of a host function: tensors, scalars, then sizes that results have. `?` is
// a size that only the function knows.
// RUN: fx-opt %s --pass-pipeline='builtin.module(func.func(convert-fx-to-linalg,canonicalize,cse))' | FileCheck %s

// CHECK-LABEL: func.func @sort(
// CHECK-SAME:    %[[X:.*]]: tensor<?x4xi8>
// CHECK-DAG:     %[[DIM:.*]] = arith.constant 1 : i64
// CHECK-DAG:     %[[N:.*]] = tensor.dim %[[X]]
// CHECK:         fx.call "fx::sort"(%[[X]], %[[DIM]], %{{.*}}, %[[N]])
// CHECK-SAME:      fx.result_dims = {{\[}}["arg3", 4], ["arg3", 4]], fx.sizes = 1
// CHECK-SAME:      fx.unsigned_inputs = array<i1: true>, fx.unsigned_results = array<i1: true, false>
// CHECK-SAME:      (tensor<?x4xi8>, i64, i64, index) -> (tensor<?x4xi8>, tensor<?x4xi64>)
func.func @sort(%x: tensor<?x4xui8>) -> (tensor<?x4xui8>, tensor<?x4xi64>) {
  %v, %i = fx.sort %x dim -1 : (tensor<?x4xui8>) -> (tensor<?x4xui8>, tensor<?x4xi64>)
  return %v, %i : tensor<?x4xui8>, tensor<?x4xi64>
}

// The positions of a mask have one size for all dims.
// CHECK-LABEL: func.func @index_mask(
// CHECK-SAME:    %[[X:.*]]: tensor<4x5x6xf32>, %[[MASK:.*]]: tensor<4x5xi1>
// CHECK:         %[[AT:.*]]:2 = fx.call "fx::nonzero_columns"(%[[MASK]])
// CHECK-SAME:      fx.result_dims = {{\[}}["?"], ["?"]]
// CHECK:         %[[N:.*]] = tensor.dim %[[AT]]#0
// CHECK:         tensor.empty(%[[N]]) : tensor<?x6xf32>
// CHECK:         linalg.generic {{.*}} ins(%[[AT]]#0, %[[AT]]#1
// CHECK:           tensor.extract %[[X]]
func.func @index_mask(%x: tensor<4x5x6xf32>, %m: tensor<4x5xi1>) -> tensor<?x6xf32> {
  %y = fx.index %x[%m] : (tensor<4x5x6xf32>, tensor<4x5xi1>) -> tensor<?x6xf32>
  return %y : tensor<?x6xf32>
}

// Other arguments are attributes.
// CHECK-LABEL: func.func @scatter_reduce(
// CHECK:         fx.call "fx::scatter"({{.*}}) args {reduce = "amax"}
func.func @scatter_reduce(%x: tensor<4xf32>, %i: tensor<2xi64>, %s: tensor<2xf32>) -> tensor<4xf32> {
  %y = fx.scatter_reduce %x, %i, %s dim 0 {reduce = "amax"} : (tensor<4xf32>, tensor<2xi64>, tensor<2xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
