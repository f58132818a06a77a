// Folders of the indexing ops.
// RUN: fx-opt %s -canonicalize | FileCheck %s

// No index: the input itself.
// CHECK-LABEL: func.func @index_nothing(
// CHECK-SAME:    %[[X:.*]]: tensor<4x8xf32>
func.func @index_nothing(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // CHECK: return %[[X]]
  %y = fx.index %x[_, _] : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// All slices overwritten: the source itself.
// CHECK-LABEL: func.func @slice_scatter_all(
// CHECK-SAME:    %{{.*}}: tensor<4x8xf32>, %[[S:.*]]: tensor<4x8xf32>
func.func @slice_scatter_all(%x: tensor<4x8xf32>, %s: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // CHECK: return %[[S]]
  %y = fx.slice_scatter %x, %s dim 1 start [0] end [9223372036854775807] step [1] : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// Sizes that only a run knows may differ.
// CHECK-LABEL: func.func @slice_scatter_run_time_sizes(
func.func @slice_scatter_run_time_sizes(%x: tensor<?xf32>, %s: tensor<?xf32>) -> tensor<?xf32> {
  // CHECK: fx.slice_scatter
  %y = fx.slice_scatter %x, %s dim 0 start [] end [] step [1] : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %y : tensor<?xf32>
}

// A broadcast source is not the result.
// CHECK-LABEL: func.func @slice_scatter_broadcast(
func.func @slice_scatter_broadcast(%x: tensor<4x8xf32>, %s: tensor<8xf32>) -> tensor<4x8xf32> {
  // CHECK: fx.slice_scatter
  %y = fx.slice_scatter %x, %s dim 1 start [] end [] step [1] : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// The range may end before the dim does.
// CHECK-LABEL: func.func @slice_scatter_dynamic(
func.func @slice_scatter_dynamic(%x: tensor<?xf32>, %s: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  // CHECK: fx.slice_scatter
  %y = fx.slice_scatter %x, %s dim 0 start [] end [%n] step [1] : (tensor<?xf32>, tensor<?xf32>, index) -> tensor<?xf32>
  return %y : tensor<?xf32>
}
