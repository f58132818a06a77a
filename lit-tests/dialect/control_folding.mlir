// Numbers that types tell become constants; checks that hold go away, others stay.
// RUN: fx-opt %s -canonicalize | FileCheck %s

// CHECK-LABEL: func.func @numbers
// CHECK-DAG:     %[[C4:.*]] = arith.constant 4 : index
// CHECK-DAG:     %[[C3:.*]] = arith.constant 3 : index
// CHECK-DAG:     %[[C0:.*]] = arith.constant 0 : index
// CHECK-DAG:     %[[T:.*]] = arith.constant true
// CHECK-DAG:     %[[C12:.*]] = arith.constant 12 : index
// CHECK:         return %[[C4]], %[[C3]], %[[C12]], %[[C0]], %[[T]]
func.func @numbers(%x: tensor<?x4x0x3xf32>, %z: tensor<4x3xi1>) -> (index, index, index, index, i1) {
  %a = fx.size %x dim 1 : tensor<?x4x0x3xf32>
  %b = fx.stride %x dim 1 : tensor<?x4x0x3xf32>
  %c = fx.numel %z : tensor<4x3xi1>
  %d = fx.storage_offset %x : tensor<?x4x0x3xf32>
  %e = fx.is_contiguous %x : tensor<?x4x0x3xf32>
  return %a, %b, %c, %d, %e : index, index, index, index, i1
}

// CHECK-LABEL: func.func @unknown_numbers
// CHECK:         fx.size
// CHECK:         fx.stride
// CHECK:         fx.numel
func.func @unknown_numbers(%x: tensor<2x?xf32>) -> (index, index, index) {
  %a = fx.size %x dim 1 : tensor<2x?xf32>
  %b = fx.stride %x dim 0 : tensor<2x?xf32>
  %c = fx.numel %x : tensor<2x?xf32>
  return %a, %b, %c : index, index, index
}

// CHECK-LABEL: func.func @checks_that_hold
// CHECK-NEXT:    return
func.func @checks_that_hold(%x: tensor<?x4xf32>, %y: tensor<3x4xf32>) {
  %true = arith.constant true
  fx.assert %true, "holds" : i1
  %n = arith.constant -2 : i64
  fx.assert %n, "holds" : i64
  fx.assert_tensor_metadata %x as f32 size [] stride [4, 1] : tensor<?x4xf32>
  fx.assert_tensor_metadata %y size [3, 4] stride [] : tensor<3x4xf32>
  return
}

// CHECK-LABEL: func.func @other_checks
// CHECK:         fx.assert %false, "fails"
// CHECK:         fx.assert %{{.*}}, "unknown"
// CHECK:         fx.assert_tensor_metadata
func.func @other_checks(%c: i1, %x: tensor<?x4xf32>) {
  %false = arith.constant false
  fx.assert %false, "fails" : i1
  fx.assert %c, "unknown" : i1
  fx.assert_tensor_metadata %x size [3, 4] stride [] : tensor<?x4xf32>
  return
}

// CHECK-LABEL: func.func @stop_gradient
// CHECK:         %[[Y:.*]] = fx.stop_gradient
// CHECK-NEXT:    return %[[Y]]
func.func @stop_gradient(%x: tensor<4xf32>) -> tensor<4xf32> {
  %a = fx.stop_gradient %x : (tensor<4xf32>) -> tensor<4xf32>
  %b = fx.stop_gradient %a : (tensor<4xf32>) -> tensor<4xf32>
  return %b : tensor<4xf32>
}

// Regions without effects go away with their results unused; calls and collectives stay.
// CHECK-LABEL: func.func @unused
// CHECK-NOT:     fx.cond
// CHECK:         fx.call
// CHECK-NEXT:    fx.all_reduce
// CHECK-NEXT:    return
func.func @unused(%p: i1, %x: tensor<4xf32>) {
  %a = fx.cond %p : i1 -> (tensor<4xf32>) {
    fx.yield %x : tensor<4xf32>
  } else {
    %e = fx.exp %x : (tensor<4xf32>) -> tensor<4xf32>
    fx.yield %e : tensor<4xf32>
  }
  %b = fx.call "my::op"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %c = fx.all_reduce %x by "sum" group "0" : (tensor<4xf32>) -> tensor<4xf32>
  return
}
