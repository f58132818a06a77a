// Folders of the pointwise ops: identities that hold for every value, NaN and -0.0 included.
// RUN: fx-opt %s -canonicalize | FileCheck %s

// CHECK-LABEL: func.func @add_zero_integer(
// CHECK-SAME:    %[[X:.*]]: tensor<4xi32>)
// CHECK-NEXT:    return %[[X]], %[[X]]
func.func @add_zero_integer(%x: tensor<4xi32>) -> (tensor<4xi32>, tensor<4xi32>) {
  %zero = arith.constant 0 : i64
  %t = arith.constant dense<0> : tensor<i32>
  %0 = fx.add %x, %zero {alpha = 3 : i64} : (tensor<4xi32>, i64) -> tensor<4xi32>
  %1 = fx.add %t, %x : (tensor<i32>, tensor<4xi32>) -> tensor<4xi32>
  return %0, %1 : tensor<4xi32>, tensor<4xi32>
}

// -0.0 + 0.0 is 0.0.
// CHECK-LABEL: func.func @add_zero_float(
// CHECK:         fx.add
func.func @add_zero_float(%x: tensor<4xf32>) -> tensor<4xf32> {
  %zero = arith.constant 0.0 : f64
  %0 = fx.add %x, %zero : (tensor<4xf32>, f64) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// The factor of the other operand stays.
// CHECK-LABEL: func.func @add_to_zero_alpha(
// CHECK:         fx.add
func.func @add_to_zero_alpha(%x: tensor<4xi32>) -> tensor<4xi32> {
  %zero = arith.constant 0 : i64
  %0 = fx.add %zero, %x {alpha = 2 : i64} : (i64, tensor<4xi32>) -> tensor<4xi32>
  return %0 : tensor<4xi32>
}

// CHECK-LABEL: func.func @sub_zero(
// CHECK-SAME:    %[[X:.*]]: tensor<4xf32>)
// CHECK-NEXT:    return %[[X]]
func.func @sub_zero(%x: tensor<4xf32>) -> tensor<4xf32> {
  %zero = arith.constant 0 : i64
  %0 = fx.sub %x, %zero : (tensor<4xf32>, i64) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// x - (-0.0) and x - (-1 * 0.0) turn -0.0 into 0.0.
// CHECK-LABEL: func.func @sub_negative_zero(
// CHECK-COUNT-2: fx.sub
func.func @sub_negative_zero(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %negative = arith.constant -0.0 : f64
  %zero = arith.constant 0.0 : f64
  %0 = fx.sub %x, %negative : (tensor<4xf32>, f64) -> tensor<4xf32>
  %1 = fx.sub %x, %zero {alpha = -1 : i64} : (tensor<4xf32>, f64) -> tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}

// CHECK-LABEL: func.func @mul_one(
// CHECK-SAME:    %[[X:.*]]: tensor<4xf16>)
// CHECK-NEXT:    return %[[X]], %[[X]]
func.func @mul_one(%x: tensor<4xf16>) -> (tensor<4xf16>, tensor<4xf16>) {
  %i = arith.constant 1 : i64
  %f = arith.constant 1.0 : f64
  %0 = fx.mul %x, %i : (tensor<4xf16>, i64) -> tensor<4xf16>
  %1 = fx.mul %f, %x : (f64, tensor<4xf16>) -> tensor<4xf16>
  return %0, %1 : tensor<4xf16>, tensor<4xf16>
}

// A factor that changes the type or the shape stays.
// CHECK-LABEL: func.func @mul_one_other_type(
// CHECK-COUNT-3: fx.mul
func.func @mul_one_other_type(%x: tensor<4xi32>, %y: tensor<?xf32>) -> (tensor<4xf32>, tensor<1x4xi32>, tensor<?xf32>) {
  %f = arith.constant 1.0 : f64
  %t = arith.constant dense<1> : tensor<1x1xi32>
  %v = arith.constant dense<1.0> : tensor<4xf32>
  %0 = fx.mul %x, %f : (tensor<4xi32>, f64) -> tensor<4xf32>
  %1 = fx.mul %x, %t : (tensor<4xi32>, tensor<1x1xi32>) -> tensor<1x4xi32>
  %2 = fx.mul %y, %v : (tensor<?xf32>, tensor<4xf32>) -> tensor<?xf32>
  return %0, %1, %2 : tensor<4xf32>, tensor<1x4xi32>, tensor<?xf32>
}

// CHECK-LABEL: func.func @div_one(
// CHECK-SAME:    %[[X:.*]]: tensor<4xf32>, %[[I:.*]]: tensor<4xi32>)
// CHECK-NOT:     fx.div
// CHECK:         %[[R:.*]] = fx.div %[[X]], %{{.*}} rounding "floor"
// CHECK:         return %[[X]], %[[I]], %[[R]]
func.func @div_one(%x: tensor<4xf32>, %i: tensor<4xi32>) -> (tensor<4xf32>, tensor<4xi32>, tensor<4xf32>) {
  %one = arith.constant 1 : i64
  %0 = fx.div %x, %one : (tensor<4xf32>, i64) -> tensor<4xf32>
  %1 = fx.div %i, %one rounding "floor" : (tensor<4xi32>, i64) -> tensor<4xi32>
  %2 = fx.div %x, %one rounding "floor" : (tensor<4xf32>, i64) -> tensor<4xf32>
  return %0, %1, %2 : tensor<4xf32>, tensor<4xi32>, tensor<4xf32>
}

// CHECK-LABEL: func.func @pow_one(
// CHECK-SAME:    %[[X:.*]]: tensor<4xf32>)
// CHECK-NEXT:    return %[[X]]
func.func @pow_one(%x: tensor<4xf32>) -> tensor<4xf32> {
  %one = arith.constant 1 : i64
  %0 = fx.pow %x, %one : (tensor<4xf32>, i64) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: func.func @involutions(
// CHECK-SAME:    %[[X:.*]]: tensor<4xf32>, %[[I:.*]]: tensor<4xi32>, %[[B:.*]]: tensor<4xi1>)
// CHECK-NEXT:    return %[[X]], %[[I]], %[[B]]
func.func @involutions(%x: tensor<4xf32>, %i: tensor<4xi32>, %b: tensor<4xi1>) -> (tensor<4xf32>, tensor<4xi32>, tensor<4xi1>) {
  %0 = fx.neg %x : (tensor<4xf32>) -> tensor<4xf32>
  %1 = fx.neg %0 : (tensor<4xf32>) -> tensor<4xf32>
  %2 = fx.bitwise_not %i : (tensor<4xi32>) -> tensor<4xi32>
  %3 = fx.bitwise_not %2 : (tensor<4xi32>) -> tensor<4xi32>
  %4 = fx.logical_not %b : (tensor<4xi1>) -> tensor<4xi1>
  %5 = fx.logical_not %4 : (tensor<4xi1>) -> tensor<4xi1>
  return %1, %3, %5 : tensor<4xf32>, tensor<4xi32>, tensor<4xi1>
}

// Not of a number: two negations give its truth value.
// CHECK-LABEL: func.func @logical_not_number(
// CHECK-COUNT-2: fx.logical_not
func.func @logical_not_number(%x: tensor<4xf32>) -> tensor<4xi1> {
  %0 = fx.logical_not %x : (tensor<4xf32>) -> tensor<4xi1>
  %1 = fx.logical_not %0 : (tensor<4xi1>) -> tensor<4xi1>
  return %1 : tensor<4xi1>
}

// CHECK-LABEL: func.func @idempotents(
// CHECK:         %[[A:.*]] = fx.abs
// CHECK-NEXT:    %[[R:.*]] = fx.relu
// CHECK-NEXT:    %[[F:.*]] = fx.floor
// CHECK-NEXT:    %[[N:.*]] = fx.round
// CHECK-NEXT:    return %[[A]], %[[R]], %[[F]], %[[N]]
func.func @idempotents(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %0 = fx.abs %x : (tensor<4xf32>) -> tensor<4xf32>
  %1 = fx.abs %0 : (tensor<4xf32>) -> tensor<4xf32>
  %2 = fx.relu %x : (tensor<4xf32>) -> tensor<4xf32>
  %3 = fx.relu %2 : (tensor<4xf32>) -> tensor<4xf32>
  %4 = fx.floor %x : (tensor<4xf32>) -> tensor<4xf32>
  %5 = fx.floor %4 : (tensor<4xf32>) -> tensor<4xf32>
  %6 = fx.round %x : (tensor<4xf32>) -> tensor<4xf32>
  %7 = fx.round %6 : (tensor<4xf32>) -> tensor<4xf32>
  return %1, %3, %5, %7 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// Decimals scale first, so a second rounding may differ.
// CHECK-LABEL: func.func @round_decimals(
// CHECK-COUNT-2: fx.round
func.func @round_decimals(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = fx.round %x decimals 2 : (tensor<4xf32>) -> tensor<4xf32>
  %1 = fx.round %0 decimals 2 : (tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// CHECK-LABEL: func.func @rounded_integers(
// CHECK-SAME:    %[[X:.*]]: tensor<4xi32>)
// CHECK-NEXT:    return %[[X]]
func.func @rounded_integers(%x: tensor<4xi32>) -> tensor<4xi32> {
  %0 = fx.ceil %x : (tensor<4xi32>) -> tensor<4xi32>
  %1 = fx.floor %0 : (tensor<4xi32>) -> tensor<4xi32>
  %2 = fx.round %1 : (tensor<4xi32>) -> tensor<4xi32>
  %3 = fx.trunc %2 : (tensor<4xi32>) -> tensor<4xi32>
  return %3 : tensor<4xi32>
}

// CHECK-LABEL: func.func @equal_operands(
// CHECK-SAME:    %[[X:.*]]: tensor<4xf32>, %{{.*}}: tensor<4xi1>)
// CHECK-NEXT:    return %[[X]], %[[X]], %[[X]]
func.func @equal_operands(%x: tensor<4xf32>, %c: tensor<4xi1>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %0 = fx.maximum %x, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %1 = fx.minimum %x, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %2 = fx.where %c, %x, %x : (tensor<4xi1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %0, %1, %2 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// A more refined result is another type.
// CHECK-LABEL: func.func @refined(
// CHECK-COUNT-2: fx.neg
func.func @refined(%x: tensor<?xf32>) -> tensor<4xf32> {
  %0 = fx.neg %x : (tensor<?xf32>) -> tensor<?xf32>
  %1 = fx.neg %0 : (tensor<?xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
