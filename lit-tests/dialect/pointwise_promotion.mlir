// Element types and sizes of results follow PyTorch. Inference is the verifier: a wrong result type would not parse.
// RUN: fx-opt %s | FileCheck %s

// Numbers count only where their category (bool < integer < float < complex) is higher.
// CHECK-LABEL: func.func @numbers(
func.func @numbers(%h: tensor<4xf16>, %i: tensor<4xi32>, %b: tensor<4xi1>, %u: tensor<4xui8>,
                   %f: f64, %n: i64, %t: i1, %x: index, %c: complex<f64>) {
  // CHECK: fx.mul {{.*}} -> tensor<4xf16>
  %0 = fx.mul %h, %f : (tensor<4xf16>, f64) -> tensor<4xf16>
  // CHECK: fx.mul {{.*}} -> tensor<4xi32>
  %1 = fx.mul %i, %n : (tensor<4xi32>, i64) -> tensor<4xi32>
  // CHECK: fx.mul {{.*}} -> tensor<4xf32>
  %2 = fx.mul %i, %f : (tensor<4xi32>, f64) -> tensor<4xf32>
  // CHECK: fx.mul {{.*}} -> tensor<4xi64>
  %3 = fx.mul %b, %n : (tensor<4xi1>, i64) -> tensor<4xi64>
  // CHECK: fx.mul {{.*}} -> tensor<4xi1>
  %4 = fx.mul %b, %t : (tensor<4xi1>, i1) -> tensor<4xi1>
  // CHECK: fx.mul {{.*}} -> tensor<4xui8>
  %5 = fx.mul %u, %x : (tensor<4xui8>, index) -> tensor<4xui8>
  // CHECK: fx.mul {{.*}} -> tensor<4xcomplex<f32>>
  %6 = fx.mul %i, %c : (tensor<4xi32>, complex<f64>) -> tensor<4xcomplex<f32>>
  // CHECK: fx.pow {{.*}} -> tensor<4xf32>
  %7 = fx.pow %f, %i : (f64, tensor<4xi32>) -> tensor<4xf32>
  // CHECK: fx.pow {{.*}} -> tensor<4xi64>
  %8 = fx.pow %b, %n : (tensor<4xi1>, i64) -> tensor<4xi64>
  return
}

// So do tensors of rank 0 beside others.
// CHECK-LABEL: func.func @rank_zero(
func.func @rank_zero(%h: tensor<4xf16>, %d: tensor<f64>, %i: tensor<4xi8>, %l: tensor<i64>, %n: i64) {
  // CHECK: fx.add {{.*}} -> tensor<4xf16>
  %0 = fx.add %h, %d : (tensor<4xf16>, tensor<f64>) -> tensor<4xf16>
  // CHECK: fx.add {{.*}} -> tensor<4xf64>
  %1 = fx.add %i, %d : (tensor<4xi8>, tensor<f64>) -> tensor<4xf64>
  // CHECK: fx.add {{.*}} -> tensor<4xi8>
  %2 = fx.add %i, %l : (tensor<4xi8>, tensor<i64>) -> tensor<4xi8>
  // CHECK: fx.add {{.*}} -> tensor<f64>
  %3 = fx.add %d, %l : (tensor<f64>, tensor<i64>) -> tensor<f64>
  // CHECK: fx.add {{.*}} -> tensor<i64>
  %4 = fx.add %l, %n : (tensor<i64>, i64) -> tensor<i64>
  return
}

// CHECK-LABEL: func.func @tensors(
func.func @tensors(%h: tensor<4xf16>, %g: tensor<4xbf16>, %u: tensor<4xui8>, %i: tensor<4xi8>, %d: tensor<4xf64>,
                   %c: tensor<4xcomplex<f32>>) {
  // CHECK: fx.add {{.*}} -> tensor<4xf32>
  %0 = fx.add %h, %g : (tensor<4xf16>, tensor<4xbf16>) -> tensor<4xf32>
  // CHECK: fx.add {{.*}} -> tensor<4xi16>
  %1 = fx.add %u, %i : (tensor<4xui8>, tensor<4xi8>) -> tensor<4xi16>
  // CHECK: fx.add {{.*}} -> tensor<4xcomplex<f64>>
  %2 = fx.add %d, %c : (tensor<4xf64>, tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f64>>
  // CHECK: fx.where {{.*}} -> tensor<4xf64>
  %3 = fx.where %u, %h, %d : (tensor<4xui8>, tensor<4xf16>, tensor<4xf64>) -> tensor<4xf64>
  return
}

// Kinds other than the promoted type.
// CHECK-LABEL: func.func @kinds(
func.func @kinds(%i: tensor<4xi64>, %b: tensor<4xi1>, %c: tensor<4xcomplex<f64>>, %h: tensor<4xf16>) {
  // CHECK: fx.exp {{.*}} -> tensor<4xf32>
  %0 = fx.exp %i : (tensor<4xi64>) -> tensor<4xf32>
  // CHECK: fx.sigmoid {{.*}} -> tensor<4xf32>
  %1 = fx.sigmoid %b : (tensor<4xi1>) -> tensor<4xf32>
  // CHECK: fx.exp {{.*}} -> tensor<4xcomplex<f64>>
  %2 = fx.exp %c : (tensor<4xcomplex<f64>>) -> tensor<4xcomplex<f64>>
  // CHECK: fx.abs {{.*}} -> tensor<4xf64>
  %3 = fx.abs %c : (tensor<4xcomplex<f64>>) -> tensor<4xf64>
  // CHECK: fx.abs {{.*}} -> tensor<4xi64>
  %4 = fx.abs %i : (tensor<4xi64>) -> tensor<4xi64>
  // CHECK: fx.angle {{.*}} -> tensor<4xf32>
  %5 = fx.angle %i : (tensor<4xi64>) -> tensor<4xf32>
  // CHECK: fx.floor {{.*}} -> tensor<4xi64>
  %6 = fx.floor %i : (tensor<4xi64>) -> tensor<4xi64>
  // CHECK: fx.eq {{.*}} -> tensor<4xi1>
  %7 = fx.eq %i, %c : (tensor<4xi64>, tensor<4xcomplex<f64>>) -> tensor<4xi1>
  // CHECK: fx.div {{.*}} -> tensor<4xf32>
  %8 = fx.div %i, %b : (tensor<4xi64>, tensor<4xi1>) -> tensor<4xf32>
  // CHECK: fx.float_power {{.*}} -> tensor<4xcomplex<f64>>
  %9 = fx.float_power %h, %c : (tensor<4xf16>, tensor<4xcomplex<f64>>) -> tensor<4xcomplex<f64>>
  return
}

// The result keeps the type of the first operand.
// CHECK-LABEL: func.func @first_operand(
func.func @first_operand(%h: tensor<4xf16>, %d: tensor<f64>, %w: tensor<2x1xf16>, %i: tensor<4xi32>, %m: tensor<2x1xi1>, %f: f64) {
  // CHECK: fx.lerp {{.*}} -> tensor<4xf16>
  %0 = fx.lerp %h, %h, %d : (tensor<4xf16>, tensor<4xf16>, tensor<f64>) -> tensor<4xf16>
  // CHECK: fx.lerp {{.*}} -> tensor<2x4xf16>
  %1 = fx.lerp %h, %h, %w : (tensor<4xf16>, tensor<4xf16>, tensor<2x1xf16>) -> tensor<2x4xf16>
  // CHECK: fx.masked_fill {{.*}} -> tensor<2x4xi32>
  %2 = fx.masked_fill %i, %m, %f : (tensor<4xi32>, tensor<2x1xi1>, f64) -> tensor<2x4xi32>
  return
}

// A bound promotes; an absent one does not.
// CHECK-LABEL: func.func @clamp(
func.func @clamp(%i: tensor<4xi32>, %l: tensor<3x1xi64>, %f: f64, %n: i64) {
  // CHECK: fx.clamp {{.*}} -> tensor<4xf32>
  %0 = fx.clamp %i min %f max %n : (tensor<4xi32>, f64, i64) -> tensor<4xf32>
  // CHECK: fx.clamp {{.*}} -> tensor<4xi32>
  %1 = fx.clamp %i max %n : (tensor<4xi32>, i64) -> tensor<4xi32>
  // CHECK: fx.clamp {{.*}} -> tensor<3x4xi64>
  %2 = fx.clamp %i min %l : (tensor<4xi32>, tensor<3x1xi64>) -> tensor<3x4xi64>
  return
}

// The power of two of integers is a tensor of f32, of their rank.
// CHECK-LABEL: func.func @ldexp(
func.func @ldexp(%h: tensor<4xf16>, %d: tensor<4xf64>, %i: tensor<4xi32>, %n: tensor<i32>, %z: tensor<f64>) {
  // CHECK: fx.ldexp {{.*}} -> tensor<4xf32>
  %0 = fx.ldexp %h, %i : (tensor<4xf16>, tensor<4xi32>) -> tensor<4xf32>
  // CHECK: fx.ldexp {{.*}} -> tensor<4xf16>
  %1 = fx.ldexp %h, %n : (tensor<4xf16>, tensor<i32>) -> tensor<4xf16>
  // CHECK: fx.ldexp {{.*}} -> tensor<4xf64>
  %2 = fx.ldexp %d, %i : (tensor<4xf64>, tensor<4xi32>) -> tensor<4xf64>
  // CHECK: fx.ldexp {{.*}} -> tensor<4xf32>
  %3 = fx.ldexp %z, %i : (tensor<f64>, tensor<4xi32>) -> tensor<4xf32>
  // CHECK: fx.ldexp {{.*}} -> tensor<4xf32>
  %4 = fx.ldexp %i, %n : (tensor<4xi32>, tensor<i32>) -> tensor<4xf32>
  return
}

// Unknown and empty sizes; a result may be more, or less, refined than what is inferred.
// CHECK-LABEL: func.func @sizes(
func.func @sizes(%a: tensor<?x1xf32>, %b: tensor<4x?xf32>, %e: tensor<0x1xf32>, %w: tensor<?xf32>) {
  // CHECK: fx.add {{.*}} -> tensor<4x?xf32>
  %0 = fx.add %a, %b : (tensor<?x1xf32>, tensor<4x?xf32>) -> tensor<4x?xf32>
  // CHECK: fx.add {{.*}} -> tensor<4x8xf32>
  %1 = fx.add %a, %b : (tensor<?x1xf32>, tensor<4x?xf32>) -> tensor<4x8xf32>
  // CHECK: fx.add {{.*}} -> tensor<0x4xf32>
  %2 = fx.add %e, %w : (tensor<0x1xf32>, tensor<?xf32>) -> tensor<0x4xf32>
  // CHECK: fx.glu {{.*}} -> tensor<4x?xf32>
  %3 = fx.glu %b : (tensor<4x?xf32>) -> tensor<4x?xf32>
  // CHECK: fx.prelu {{.*}} -> tensor<?x1xf32>
  %4 = fx.prelu %a, %w : (tensor<?x1xf32>, tensor<?xf32>) -> tensor<?x1xf32>
  return
}
