// A result that starts as a copy of an argument: the plan copies it before the launch, unless nothing else reads it. Such
// memory is never kept from one call to the next.
// RUN: fxc compile %s --target=sm_90a --emit=plan | FileCheck %s
// RUN: fxc compile %s --target=sm_90a+deterministic --emit=plan | FileCheck %s --check-prefix=ORDERED

// CHECK-NOT: "kept"
// CHECK:     "setup": [],
// CHECK:     "steps": [
// Zeros, and sums in the same memory.
// CHECK:         "kernel": 0,
// CHECK-NOT:   "copy"
// CHECK:         "kernel": 1,
// CHECK:       "copy": {
// CHECK-NEXT:    "src": 2,
// CHECK:         "kernel": 2,
// CHECK-NOT: "call"

// ORDERED:     "name": "fx::embedding_backward",
// ORDERED:     "name": "fx::index_add",
func.func @main(%g: tensor<300x64xf32>, %i: tensor<300xi64>, %x: tensor<100x64xf32>) -> (tensor<100x64xf32>, tensor<100x64xf32>) {
  %table = fx.embedding_dense_backward %g, %i num_weights [100] padding_idx [-1] : (tensor<300x64xf32>, tensor<300xi64>) -> tensor<100x64xf32>
  %sums = fx.index_add %x, %i, %g dim 0 : (tensor<100x64xf32>, tensor<300xi64>, tensor<300x64xf32>) -> tensor<100x64xf32>
  return %table, %sums : tensor<100x64xf32>, tensor<100x64xf32>
}
