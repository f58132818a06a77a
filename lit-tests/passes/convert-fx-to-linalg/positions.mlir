// A position that a tensor holds is checked, and 0 where it is wrong; where there may be no element 0, nothing is read.
// RUN: fx-opt %s -split-input-file --pass-pipeline='builtin.module(func.func(convert-fx-to-linalg,canonicalize,cse))' | FileCheck %s

// CHECK-LABEL: func.func @wraps(
// CHECK-DAG:     %[[ZERO:.*]] = arith.constant 0 : index
// CHECK-DAG:     %[[SIZE:.*]] = arith.constant 8 : index
// CHECK:         linalg.generic
// CHECK:           %[[I:.*]] = arith.index_cast
// CHECK-DAG:       %[[NEGATIVE:.*]] = arith.cmpi slt, %[[I]], %[[ZERO]]
// CHECK-DAG:       %[[ADDED:.*]] = arith.addi %[[I]], %[[SIZE]]
// CHECK:           %[[AT:.*]] = arith.select %[[NEGATIVE]], %[[ADDED]], %[[I]]
// CHECK-NEXT:      %[[INSIDE:.*]] = arith.cmpi ult, %[[AT]], %[[SIZE]]
// CHECK-NEXT:      cf.assert %[[INSIDE]], "'fx.index' op: index {unwrapped} is out of bounds for dimension 0 with size {bound}"
// CHECK-NEXT:      %[[PLACE:.*]] = arith.select %[[INSIDE]], %[[AT]], %[[ZERO]]
// CHECK:           tensor.extract %{{.*}}[%[[PLACE]], %{{.*}}]
func.func @wraps(%x: tensor<8x4xf32>, %i: tensor<6xi64>) -> tensor<6x4xf32> {
  %y = fx.index %x[%i] : (tensor<8x4xf32>, tensor<6xi64>) -> tensor<6x4xf32>
  return %y : tensor<6x4xf32>
}

// -----

// CHECK-LABEL: func.func @may_be_empty(
// CHECK-DAG:     %[[SIZE:.*]] = tensor.dim
// CHECK:         linalg.generic
// CHECK:           %[[I:.*]] = arith.index_cast
// CHECK:           %[[INSIDE:.*]] = arith.cmpi ult, %[[I]], %[[SIZE]]
// CHECK-NEXT:      cf.assert %[[INSIDE]], "'fx.gather' op: index {value} is out of bounds for dimension 0 with size {bound}"
// CHECK-NEXT:      scf.if %[[INSIDE]] -> (f32) {
// CHECK-NEXT:        tensor.extract %{{.*}}[%[[I]]]
// CHECK:           } else {
// CHECK-NOT:         tensor.extract
// CHECK:             scf.yield
func.func @may_be_empty(%x: tensor<?xf32>, %i: tensor<6xi64>) -> tensor<6xf32> {
  %y = fx.gather %x, %i dim 0 : (tensor<?xf32>, tensor<6xi64>) -> tensor<6xf32>
  return %y : tensor<6xf32>
}

// -----

// What is looked up has as many other dims as the positions, or more.
// CHECK-LABEL: func.func @covers(
// CHECK:         %[[COVERS:.*]] = arith.cmpi
// CHECK-NEXT:    cf.assert %[[COVERS]], "'fx.gather' op expects 'index' to be no larger than 'input' in dimension 1"
func.func @covers(%x: tensor<3x?xf32>, %i: tensor<6x2xi64>) -> tensor<6x2xf32> {
  %y = fx.gather %x, %i dim 0 : (tensor<3x?xf32>, tensor<6x2xi64>) -> tensor<6x2xf32>
  return %y : tensor<6x2xf32>
}
