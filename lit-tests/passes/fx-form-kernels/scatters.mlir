// What is sent to computed places is computed by the kernel that sends it; what is written over is there before, and what
// comes after is another kernel.
// RUN: fx-opt %s --pass-pipeline='builtin.module(func.func(convert-fx-to-linalg{scatter-in-kernels=true},canonicalize,cse),fx-form-kernels{scatters=true},func.func(canonicalize,cse))' | FileCheck %s
// RUN: fx-opt %s --pass-pipeline='builtin.module(func.func(convert-fx-to-linalg{scatter-in-kernels=true},canonicalize,cse),fx-form-kernels,func.func(canonicalize,cse))' | FileCheck %s --check-prefix=HOST

// CHECK-LABEL: func.func @sums(
// CHECK-SAME:    %[[X:.*]]: tensor<4x6xf32>, %[[I:.*]]: tensor<4xi64>
// CHECK:         %[[Y:.*]] = call @kernel_0(%[[X]], %[[I]])
// CHECK:         call @kernel_1(%[[Y]])
// HOST-LABEL:  func.func @sums(
// HOST:          call @kernel_0(
// HOST:          fx.call "fx::scatter_runs"(
// HOST:          call @kernel_
func.func @sums(%x: tensor<4x6xf32>, %i: tensor<4xi64>) -> tensor<4x6xf32> {
  %e = fx.exp %x : (tensor<4x6xf32>) -> tensor<4x6xf32>
  %y = fx.index_add %x, %i, %e dim 0 : (tensor<4x6xf32>, tensor<4xi64>, tensor<4x6xf32>) -> tensor<4x6xf32>
  %z = fx.sin %y : (tensor<4x6xf32>) -> tensor<4x6xf32>
  return %z : tensor<4x6xf32>
}

// The same values are sent and written over: two kernels.
// CHECK-LABEL: func.func @onto_itself(
// CHECK:         %[[E:.*]] = call @kernel_2(
// CHECK:         call @kernel_3(%[[E]], %{{.*}})
func.func @onto_itself(%x: tensor<4x6xf32>, %i: tensor<4xi64>) -> tensor<4x6xf32> {
  %e = fx.cos %x : (tensor<4x6xf32>) -> tensor<4x6xf32>
  %y = fx.index_add %e, %i, %e dim 0 : (tensor<4x6xf32>, tensor<4xi64>, tensor<4x6xf32>) -> tensor<4x6xf32>
  return %y : tensor<4x6xf32>
}

// A thread that scatters has elements, not rows: a sum of rows is in a kernel before it, or after.
// CHECK-LABEL: func.func @sums_of_rows(
// CHECK-SAME:    %[[X:.*]]: tensor<4x6xf32>, %[[Y:.*]]: tensor<6x1xf32>, %[[I:.*]]: tensor<4x1xi64>
// CHECK:         %[[S:.*]] = call @{{kernel_[0-9]+}}(%[[X]]){{.*}} -> tensor<4x1xf32>
// CHECK:         call @{{kernel_[0-9]+}}(%[[Y]], %[[S]], %[[I]])
func.func @sums_of_rows(%x: tensor<4x6xf32>, %y: tensor<6x1xf32>, %i: tensor<4x1xi64>) -> tensor<6x1xf32> {
  %s = fx.sum %x dim [1] {keepdim = true} : (tensor<4x6xf32>) -> tensor<4x1xf32>
  %n = fx.neg %s : (tensor<4x1xf32>) -> tensor<4x1xf32>
  %z = fx.scatter_add %y, %i, %n dim 0 : (tensor<6x1xf32>, tensor<4x1xi64>, tensor<4x1xf32>) -> tensor<6x1xf32>
  return %z : tensor<6x1xf32>
}

// CHECK-LABEL: func.func private @kernel_0(
// CHECK-SAME:    %[[X:.*]]: tensor<4x6xf32>, %{{.*}}: tensor<4xi64>)
// CHECK:         math.exp
// CHECK:         cf.assert
// CHECK:         fx.call "fx::scatter_runs"(%[[X]],
