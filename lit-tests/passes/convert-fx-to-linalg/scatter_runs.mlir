// Where kernels may write at computed places, positions are computed like any element and one function joins values to what is
// there; a function that asks for the same bits each time keeps its calls.
// RUN: fx-opt %s --pass-pipeline='builtin.module(func.func(convert-fx-to-linalg{scatter-in-kernels=true},canonicalize,cse))' | FileCheck %s

// A row is a run: positions count rows. Row 3 is left out.
// CHECK-LABEL: func.func @embedding_dense_backward(
// CHECK-SAME:    %[[G:.*]]: tensor<4x6xf32>, %[[I:.*]]: tensor<4xi64>
// CHECK-DAG:     %[[THREE:.*]] = arith.constant 3 : index
// CHECK-DAG:     %[[NONE:.*]] = arith.constant -1 : i64
// CHECK:         %[[AT:.*]] = linalg.generic {{.*}} ins(%[[I]] : tensor<4xi64>)
// CHECK:           %[[INSIDE:.*]] = arith.cmpi ult, %{{.*}}, %{{.*}} : index
// CHECK:           cf.assert %[[INSIDE]]
// CHECK:           %[[IS:.*]] = arith.cmpi eq, %{{.*}}, %[[THREE]]
// CHECK:           arith.select %[[IS]], %[[NONE]], %{{.*}} : i64
// CHECK:         fx.call "fx::scatter_runs"(%{{.*}}, %[[G]], %[[AT]]) args {reduce = "sum"}
// CHECK-SAME:      (tensor<10x6xf32>, tensor<4x6xf32>, tensor<4xi64>) -> tensor<10x6xf32>
func.func @embedding_dense_backward(%g: tensor<4x6xf32>, %i: tensor<4xi64>) -> tensor<10x6xf32> {
  %y = fx.embedding_dense_backward %g, %i num_weights [10] padding_idx [3] : (tensor<4x6xf32>, tensor<4xi64>) -> tensor<10x6xf32>
  return %y : tensor<10x6xf32>
}

// Tensors that index dims apart stand first; what is behind the last of them is a run.
// CHECK-LABEL: func.func @index_put(
// CHECK:         linalg.generic {{.*}} outs(%{{.*}} : tensor<2x5xi64>)
// CHECK:         fx.call "fx::scatter_runs"({{.*}}) {fx.result_dims
// CHECK-SAME:      (tensor<4x5x6x7xf32>, tensor<2x5x7xf32>, tensor<2x5xi64>) -> tensor<4x5x6x7xf32>
func.func @index_put(%x: tensor<4x5x6x7xf32>, %i: tensor<2xi64>, %v: tensor<2x5x7xf32>) -> tensor<4x5x6x7xf32> {
  %y = fx.index_put %x[%i, _, %i], %v : (tensor<4x5x6x7xf32>, tensor<2xi64>, tensor<2xi64>, tensor<2x5x7xf32>) -> tensor<4x5x6x7xf32>
  return %y : tensor<4x5x6x7xf32>
}

// Without itself, a place starts from what is neutral; a mean divides by the number of values. Halves are joined as f32.
// CHECK-LABEL: func.func @scatter_mean(
// CHECK:         %[[STARTED:.*]] = fx.call "fx::scatter_runs"({{.*}}) {fx.result_dims
// CHECK:         %[[SUMS:.*]] = fx.call "fx::scatter_runs"(%[[STARTED]], {{.*}}) args {reduce = "sum"} {{.*}} -> tensor<8xf32>
// CHECK:         %[[COUNTS:.*]] = fx.call "fx::scatter_runs"({{.*}}) args {reduce = "sum"} {{.*}} -> tensor<8xi32>
// CHECK:         linalg.generic {{.*}} ins(%[[SUMS]], %[[COUNTS]]
// CHECK:           arith.divf
func.func @scatter_mean(%x: tensor<8xbf16>, %i: tensor<3xi64>, %s: tensor<3xbf16>) -> tensor<8xbf16> {
  %y = fx.scatter_reduce %x, %i, %s dim 0 {reduce = "mean", include_self = false} : (tensor<8xbf16>, tensor<3xi64>, tensor<3xbf16>) -> tensor<8xbf16>
  return %y : tensor<8xbf16>
}

// CHECK-LABEL: func.func @deterministic(
// CHECK:         fx.call "fx::scatter"(
func.func @deterministic(%x: tensor<8xf32>, %i: tensor<3xi64>, %s: tensor<3xf32>) -> tensor<8xf32> attributes {fx.deterministic} {
  %y = fx.scatter_add %x, %i, %s dim 0 : (tensor<8xf32>, tensor<3xi64>, tensor<3xf32>) -> tensor<8xf32>
  return %y : tensor<8xf32>
}
