// Views that change nothing fold away, and several views of one meaning become one op.
// RUN: fx-opt %s -canonicalize | FileCheck %s

// CHECK-LABEL: func.func @view_same
// CHECK-SAME:    %[[X:.*]]: tensor<?x4xf32>
// CHECK-NEXT:    return %[[X]]
func.func @view_same(%x: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %y = fx.view %x [-1, 4] : (tensor<?x4xf32>) -> tensor<?x4xf32>
  return %y : tensor<?x4xf32>
}

// Two unknown sizes may have been exchanged.
// CHECK-LABEL: func.func @view_two_unknown
// CHECK:         fx.view
func.func @view_two_unknown(%x: tensor<?x?xf32>, %n: index) -> tensor<?x?xf32> {
  %y = fx.view %x [%n, -1] : (tensor<?x?xf32>) -> tensor<?x?xf32>
  return %y : tensor<?x?xf32>
}

// A size that only a run knows may not be that of the operand.
// CHECK-LABEL: func.func @view_run_time_size
// CHECK:         fx.view
func.func @view_run_time_size(%x: tensor<?x4xf32>, %n: index) -> tensor<?x4xf32> {
  %y = fx.view %x [%n, 4] : (tensor<?x4xf32>) -> tensor<?x4xf32>
  return %y : tensor<?x4xf32>
}

// CHECK-LABEL: func.func @view_of_view
// CHECK-SAME:    %[[X:.*]]: tensor<4x6xf32>
// CHECK-NEXT:    %[[Y:.*]] = fx.view %[[X]] [2, 12] : (tensor<4x6xf32>) -> tensor<2x12xf32>
// CHECK-NEXT:    return %[[Y]]
func.func @view_of_view(%x: tensor<4x6xf32>) -> tensor<2x12xf32> {
  %a = fx.view %x [-1] : (tensor<4x6xf32>) -> tensor<24xf32>
  %b = fx.view %a [2, 12] : (tensor<24xf32>) -> tensor<2x12xf32>
  return %b : tensor<2x12xf32>
}

// A size of the operand is a constant, which becomes part of the list.
// CHECK-LABEL: func.func @view_constant_size
// CHECK-SAME:    %[[X:.*]]: tensor<4x?xf32>
// CHECK-NEXT:    fx.view %[[X]] [4, -1, 2] : (tensor<4x?xf32>) -> tensor<?x?x2xf32>
func.func @view_constant_size(%x: tensor<4x?xf32>) -> tensor<?x?x2xf32> {
  %n = fx.size %x dim 0 : tensor<4x?xf32>
  %y = fx.view %x [%n, -1, 2] : (tensor<4x?xf32>) -> tensor<?x?x2xf32>
  return %y : tensor<?x?x2xf32>
}

// Wrong when it runs, but a valid program: the constant stays an operand.
// CHECK-LABEL: func.func @view_contradictory_size
// CHECK:         fx.view %{{.*}} [%{{.*}}, 2] : (tensor<?x4xf32>) -> tensor<6x2xf32>
func.func @view_contradictory_size(%x: tensor<?x4xf32>) -> tensor<6x2xf32> {
  %n = arith.constant 4 : index
  %y = fx.view %x [%n, 2] : (tensor<?x4xf32>) -> tensor<6x2xf32>
  return %y : tensor<6x2xf32>
}

// CHECK-LABEL: func.func @identities
// CHECK-SAME:    %[[X:.*]]: tensor<?x4xf32>
// CHECK-NEXT:    return %[[X]]
func.func @identities(%x: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %a = fx.expand %x [-1, 4] : (tensor<?x4xf32>) -> tensor<?x4xf32>
  %b = fx.squeeze %a : (tensor<?x4xf32>) -> tensor<?x4xf32>
  %c = fx.slice %b dim 0 [] to [] step [] : (tensor<?x4xf32>) -> tensor<?x4xf32>
  %d = fx.slice %c dim 1 [0] to [9223372036854775807] step [1] : (tensor<?x4xf32>) -> tensor<?x4xf32>
  %e = fx.permute %d [0, -1] : (tensor<?x4xf32>) -> tensor<?x4xf32>
  %f = fx.transpose %e 1, -1 : (tensor<?x4xf32>) -> tensor<?x4xf32>
  %g = fx.flatten %f dims 1 to 1 : (tensor<?x4xf32>) -> tensor<?x4xf32>
  %h = fx.repeat %g [1, 1] : (tensor<?x4xf32>) -> tensor<?x4xf32>
  %i = fx.flip %h [] : (tensor<?x4xf32>) -> tensor<?x4xf32>
  %j = fx.view_dtype %i as f32 : (tensor<?x4xf32>) -> tensor<?x4xf32>
  return %j : tensor<?x4xf32>
}

// A part of a square matrix has its type, and is not it.
// CHECK-LABEL: func.func @not_identities
// CHECK:         fx.slice
// CHECK:         fx.slice
// CHECK:         fx.permute
// CHECK:         fx.flip
func.func @not_identities(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %a = fx.slice %x dim 0 [1] to [] step [] : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %b = fx.slice %a dim 1 [] to [-1] step [] : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %c = fx.permute %b [1, 0] : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %d = fx.flip %c [0] : (tensor<?x?xf32>) -> tensor<?x?xf32>
  return %d : tensor<?x?xf32>
}

// CHECK-LABEL: func.func @slice_constants
// CHECK-SAME:    %[[X:.*]]: tensor<8xf32>
// CHECK-NEXT:    fx.slice %[[X]] dim 0 [2] to [5] step [] : (tensor<8xf32>) -> tensor<?xf32>
func.func @slice_constants(%x: tensor<8xf32>) -> tensor<?xf32> {
  %a = arith.constant 2 : index
  %b = arith.constant 5 : index
  %y = fx.slice %x dim 0 [%a] to [%b] step [] : (tensor<8xf32>) -> tensor<?xf32>
  return %y : tensor<?xf32>
}

// CHECK-LABEL: func.func @select_constant
// CHECK-SAME:    %[[X:.*]]: tensor<8xf32>
// CHECK-NEXT:    fx.select %[[X]] dim 0 [2]
func.func @select_constant(%x: tensor<8xf32>) -> tensor<f32> {
  %a = arith.constant 2 : index
  %y = fx.select %x dim 0 [%a] : (tensor<8xf32>) -> tensor<f32>
  return %y : tensor<f32>
}

// CHECK-LABEL: func.func @select_out_of_range
// CHECK:         fx.select %{{.*}} dim 0 [%{{.*}}]
func.func @select_out_of_range(%x: tensor<8xf32>) -> tensor<f32> {
  %a = arith.constant 8 : index
  %y = fx.select %x dim 0 [%a] : (tensor<8xf32>) -> tensor<f32>
  return %y : tensor<f32>
}

// CHECK-LABEL: func.func @permute_of_permute
// CHECK-SAME:    %[[X:.*]]: tensor<2x3x4xf32>
// CHECK-NEXT:    %[[Y:.*]] = fx.permute %[[X]] [2, 1, 0] : (tensor<2x3x4xf32>) -> tensor<4x3x2xf32>
// CHECK-NEXT:    return %[[Y]]
func.func @permute_of_permute(%x: tensor<2x3x4xf32>) -> tensor<4x3x2xf32> {
  %a = fx.permute %x [1, 2, 0] : (tensor<2x3x4xf32>) -> tensor<3x4x2xf32>
  %b = fx.permute %a [-2, 0, 2] : (tensor<3x4x2xf32>) -> tensor<4x3x2xf32>
  return %b : tensor<4x3x2xf32>
}

// CHECK-LABEL: func.func @transpose_twice
// CHECK-SAME:    %[[X:.*]]: tensor<2x?xf32>
// CHECK-NEXT:    return %[[X]]
func.func @transpose_twice(%x: tensor<2x?xf32>) -> tensor<2x?xf32> {
  %a = fx.t %x : (tensor<2x?xf32>) -> tensor<?x2xf32>
  %b = fx.transpose %a 0, 1 : (tensor<?x2xf32>) -> tensor<2x?xf32>
  return %b : tensor<2x?xf32>
}

// CHECK-LABEL: func.func @all_become_permute
// CHECK:         fx.permute %{{.*}} [1, 2, 0] : (tensor<2x3x4xf32>)
// CHECK:         fx.permute %{{.*}} [2, 1, 0] : (tensor<2x3x4xf32>)
// CHECK:         fx.permute %{{.*}} [0, 2, 1] : (tensor<2x3x4xf32>)
func.func @all_become_permute(%x: tensor<2x3x4xf32>) -> (tensor<3x4x2xf32>, tensor<4x3x2xf32>, tensor<2x4x3xf32>) {
  %a = fx.movedim %x [0] to [-1] : (tensor<2x3x4xf32>) -> tensor<3x4x2xf32>
  %b = fx.numpy_T %x : (tensor<2x3x4xf32>) -> tensor<4x3x2xf32>
  %c = fx.adjoint %x : (tensor<2x3x4xf32>) -> tensor<2x4x3xf32>
  return %a, %b, %c : tensor<3x4x2xf32>, tensor<4x3x2xf32>, tensor<2x4x3xf32>
}

// CHECK-LABEL: func.func @adjoint_of_complex
// CHECK:         %[[C:.*]] = fx.conj
// CHECK:         fx.permute %[[C]] [1, 0]
func.func @adjoint_of_complex(%x: tensor<2x3xcomplex<f32>>) -> tensor<3x2xcomplex<f32>> {
  %y = fx.adjoint %x : (tensor<2x3xcomplex<f32>>) -> tensor<3x2xcomplex<f32>>
  return %y : tensor<3x2xcomplex<f32>>
}

// CHECK-LABEL: func.func @shape_of_another
// CHECK-SAME:    %[[X:.*]]: tensor<4x1xf32>
// CHECK:         fx.expand %[[X]] [2, 4, 3]
// CHECK:         fx.view %[[X]] [2, 2]
func.func @shape_of_another(%x: tensor<4x1xf32>, %a: tensor<2x4x3xi64>, %b: tensor<2x2xi64>) -> (tensor<2x4x3xf32>, tensor<2x2xf32>) {
  %e = fx.expand_as %x, %a : (tensor<4x1xf32>, tensor<2x4x3xi64>) -> tensor<2x4x3xf32>
  %v = fx.view_as %x, %b : (tensor<4x1xf32>, tensor<2x2xi64>) -> tensor<2x2xf32>
  return %e, %v : tensor<2x4x3xf32>, tensor<2x2xf32>
}
