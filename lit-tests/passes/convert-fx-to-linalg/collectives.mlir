// Exchanges are calls of host functions, in order; waiting is nothing.
// RUN: fx-opt %s --pass-pipeline='builtin.module(func.func(convert-fx-to-linalg,canonicalize,cse))' | FileCheck %s

// CHECK-LABEL: func.func @main(
// CHECK-SAME:    %[[X:.*]]: tensor<?x4xf32>
// CHECK:         %[[N:.*]] = tensor.dim %[[X]]
// CHECK:         fx.call "fx::all_reduce"(%[[X]], %[[N]]) args {group_name = "0", reduce_op = "sum"} {{.*}} -> tensor<?x4xf32>
// CHECK:         %[[ALL:.*]] = arith.muli %[[N]], %{{.*}} : index
// CHECK:         fx.call "fx::all_gather_into_tensor"(%{{.*}}, %[[ALL]]) args {group_name = "0", group_size = 2 : i64}
// CHECK:         %[[PART:.*]] = arith.floordivsi %[[N]]
// CHECK:         cf.assert %{{.*}}, "'fx.reduce_scatter_tensor' op expects a first size that 2 divides"
// CHECK:         fx.call "fx::reduce_scatter_tensor"(%{{.*}}, %[[PART]]) args {group_name = "0", group_size = 2 : i64, reduce_op = "max"}
// CHECK:         fx.call "fx::broadcast"(%{{.*}}, %[[PART]]) args {group_name = "0", src = 1 : i64}
// CHECK:         %[[B:.*]] = fx.call "fx::all_to_all_single"(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) args {group_name = "0", inputs = 0 : i64, outputs = 2 : i64}
// CHECK:         return %[[B]]
func.func @main(%x: tensor<?x4xf32> {fx.dims = ["n", 4]}, %n: index) -> tensor<?x4xf32>
    attributes {fx.symbols = {n = array<i64: 0, -1>}} {
  %a = fx.all_reduce %x by "sum" group "0" : (tensor<?x4xf32>) -> tensor<?x4xf32>
  %b = fx.wait_tensor %a : (tensor<?x4xf32>) -> tensor<?x4xf32>
  %c = fx.all_gather_into_tensor %b size 2 group "0" : (tensor<?x4xf32>) -> tensor<?x4xf32>
  %d = fx.reduce_scatter_tensor %b by "max" size 2 group "0" : (tensor<?x4xf32>) -> tensor<?x4xf32>
  %e = fx.broadcast %d from 1 group "0" : (tensor<?x4xf32>) -> tensor<?x4xf32>
  %f = fx.all_to_all_single %e output [%n, 3] input [] group "0" : (tensor<?x4xf32>) -> tensor<?x4xf32>
  return %f : tensor<?x4xf32>
}
