// A kernel that sorts computes what it sorts if that takes each element by itself; what comes after is another kernel.
// RUN: fx-opt %s --pass-pipeline='builtin.module(func.func(convert-fx-to-linalg{sort-in-kernels=true},canonicalize,cse),fx-form-kernels{sorts=true},func.func(canonicalize,cse))' | FileCheck %s
// RUN: fx-opt %s --pass-pipeline='builtin.module(func.func(convert-fx-to-linalg{sort-in-kernels=true},canonicalize,cse),fx-form-kernels,func.func(canonicalize,cse))' | FileCheck %s --check-prefix=HOST

// CHECK-LABEL: func.func @elements(
// CHECK-SAME:    %[[X:.*]]: tensor<4x8xf32>
// CHECK:         %[[Y:.*]]:2 = call @kernel_0(%[[X]]) {{.*}} -> (tensor<4x8xf32>, tensor<4x8xi64>)
// CHECK:         call @kernel_1(%[[Y]]#0)
// HOST-LABEL:  func.func @elements(
// HOST:          call @kernel_0(
// HOST:          fx.call "fx::sort_rows"(
func.func @elements(%x: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xi64>) {
  %e = fx.exp %x : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %v, %i = fx.sort %e dim 1 : (tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xi64>)
  %z = fx.sin %v : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return %z, %i : tensor<4x8xf32>, tensor<4x8xi64>
}

// Where it is wanted too, it is stored on the way. A second call is a second kernel.
// CHECK-LABEL: func.func @stored_too(
// CHECK-SAME:    %[[X:.*]]: tensor<4x8xf32>
// CHECK:         %[[Y:.*]]:2 = call @kernel_2(%[[X]]) {{.*}} -> (tensor<4x8xf32>, tensor<4x2xf32>)
// CHECK:         call @kernel_3(%[[Y]]#0) {{.*}} -> tensor<4x1xi64>
func.func @stored_too(%x: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x2xf32>, tensor<4x1xi64>) {
  %e = fx.cos %x : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %v, %i = fx.topk %e k [2] dim 1 : (tensor<4x8xf32>) -> (tensor<4x2xf32>, tensor<4x2xi64>)
  %w, %j = fx.topk %e k [1] dim 1 {largest = false} : (tensor<4x8xf32>) -> (tensor<4x1xf32>, tensor<4x1xi64>)
  return %e, %v, %j : tensor<4x8xf32>, tensor<4x2xf32>, tensor<4x1xi64>
}

// Sums of a row, and products, are stored before. Keys never are.
// CHECK-LABEL: func.func @after_sums(
// CHECK-SAME:    %[[X:.*]]: tensor<4x8xf32>, %[[W:.*]]: tensor<8x6xf32>
// CHECK:         %[[S:.*]] = call @kernel_4(%[[X]]) {{.*}} -> tensor<4x8xf32>
// CHECK:         call @kernel_5(%[[S]]) {{.*}} -> tensor<4x2xi64>
// CHECK:         %[[P:.*]] = call @kernel_6(%[[X]], %[[W]]) {{.*}} -> tensor<4x6xf32>
// CHECK:         call @kernel_7(%[[P]]) {{.*}} -> tensor<4x2xi64>
func.func @after_sums(%x: tensor<4x8xf32>, %w: tensor<8x6xf32>) -> (tensor<4x2xi64>, tensor<4x2xi64>) {
  %s = fx.sum %x dim [1] {keepdim = true} : (tensor<4x8xf32>) -> tensor<4x1xf32>
  %n = fx.div %x, %s : (tensor<4x8xf32>, tensor<4x1xf32>) -> tensor<4x8xf32>
  %v, %i = fx.topk %n k [2] dim 1 : (tensor<4x8xf32>) -> (tensor<4x2xf32>, tensor<4x2xi64>)
  %p = fx.mm %x, %w : (tensor<4x8xf32>, tensor<8x6xf32>) -> tensor<4x6xf32>
  %u, %j = fx.topk %p k [2] dim 1 : (tensor<4x6xf32>) -> (tensor<4x2xf32>, tensor<4x2xi64>)
  return %i, %j : tensor<4x2xi64>, tensor<4x2xi64>
}

// CHECK-LABEL: func.func private @kernel_0(
// CHECK:         math.exp
// CHECK:         arith.bitcast
// CHECK:         fx.call "fx::sort_rows"(
