// Arithmetic, rounding, comparison, logic and selection: round trip.
// RUN: fx-opt %s | fx-opt | FileCheck %s

// CHECK-LABEL: func.func @abs(
func.func @abs(%a: tensor<4x?xf32>) {
  // CHECK: fx.abs %{{.*}} : (tensor<4x?xf32>) -> tensor<4x?xf32>
  %0 = fx.abs %a : (tensor<4x?xf32>) -> tensor<4x?xf32>
  return
}

// CHECK-LABEL: func.func @add(
func.func @add(%a: tensor<4x?xf32>, %b: f64, %c: tensor<?xf32>) {
  // CHECK: fx.add %{{.*}}, %{{.*}} : (tensor<4x?xf32>, f64) -> tensor<4x?xf32>
  %0 = fx.add %a, %b : (tensor<4x?xf32>, f64) -> tensor<4x?xf32>
  // CHECK: fx.add %{{.*}}, %{{.*}} {alpha = 2 : i64} : (tensor<4x?xf32>, tensor<?xf32>) -> tensor<4x?xf32>
  %1 = fx.add %a, %c {alpha = 2 : i64} : (tensor<4x?xf32>, tensor<?xf32>) -> tensor<4x?xf32>
  return
}

// CHECK-LABEL: func.func @addcdiv(
func.func @addcdiv(%a: tensor<4x?xf32>, %b: tensor<4x?xf32>, %c: tensor<4x?xf32>) {
  // CHECK: fx.addcdiv %{{.*}}, %{{.*}}, %{{.*}} {value = -1.000000e-03 : f64} : (tensor<4x?xf32>, tensor<4x?xf32>, tensor<4x?xf32>) -> tensor<4x?xf32>
  %0 = fx.addcdiv %a, %b, %c {value = -1.000000e-03 : f64} : (tensor<4x?xf32>, tensor<4x?xf32>, tensor<4x?xf32>) -> tensor<4x?xf32>
  return
}

// CHECK-LABEL: func.func @addcmul(
func.func @addcmul(%a: tensor<4x?xf32>, %b: tensor<4x?xf32>, %c: tensor<1xf32>) {
  // CHECK: fx.addcmul %{{.*}}, %{{.*}}, %{{.*}} {value = 2 : i64} : (tensor<4x?xf32>, tensor<4x?xf32>, tensor<1xf32>) -> tensor<4x?xf32>
  %0 = fx.addcmul %a, %b, %c {value = 2 : i64} : (tensor<4x?xf32>, tensor<4x?xf32>, tensor<1xf32>) -> tensor<4x?xf32>
  return
}

// CHECK-LABEL: func.func @bitwise_and(
func.func @bitwise_and(%a: tensor<4x?xi64>, %b: tensor<?xi32>) {
  // CHECK: fx.bitwise_and %{{.*}}, %{{.*}} : (tensor<4x?xi64>, tensor<?xi32>) -> tensor<4x?xi64>
  %0 = fx.bitwise_and %a, %b : (tensor<4x?xi64>, tensor<?xi32>) -> tensor<4x?xi64>
  return
}

// CHECK-LABEL: func.func @bitwise_left_shift(
func.func @bitwise_left_shift(%a: tensor<4x?xi64>, %b: i64) {
  // CHECK: fx.bitwise_left_shift %{{.*}}, %{{.*}} : (tensor<4x?xi64>, i64) -> tensor<4x?xi64>
  %0 = fx.bitwise_left_shift %a, %b : (tensor<4x?xi64>, i64) -> tensor<4x?xi64>
  return
}

// CHECK-LABEL: func.func @bitwise_not(
func.func @bitwise_not(%a: tensor<4x?xi1>) {
  // CHECK: fx.bitwise_not %{{.*}} : (tensor<4x?xi1>) -> tensor<4x?xi1>
  %0 = fx.bitwise_not %a : (tensor<4x?xi1>) -> tensor<4x?xi1>
  return
}

// CHECK-LABEL: func.func @bitwise_or(
func.func @bitwise_or(%a: tensor<4x?xi64>, %b: tensor<?xi32>) {
  // CHECK: fx.bitwise_or %{{.*}}, %{{.*}} : (tensor<4x?xi64>, tensor<?xi32>) -> tensor<4x?xi64>
  %0 = fx.bitwise_or %a, %b : (tensor<4x?xi64>, tensor<?xi32>) -> tensor<4x?xi64>
  return
}

// CHECK-LABEL: func.func @bitwise_right_shift(
func.func @bitwise_right_shift(%a: tensor<4x?xi64>, %b: i64) {
  // CHECK: fx.bitwise_right_shift %{{.*}}, %{{.*}} : (tensor<4x?xi64>, i64) -> tensor<4x?xi64>
  %0 = fx.bitwise_right_shift %a, %b : (tensor<4x?xi64>, i64) -> tensor<4x?xi64>
  return
}

// CHECK-LABEL: func.func @bitwise_xor(
func.func @bitwise_xor(%a: tensor<4x?xi64>, %b: tensor<?xi32>) {
  // CHECK: fx.bitwise_xor %{{.*}}, %{{.*}} : (tensor<4x?xi64>, tensor<?xi32>) -> tensor<4x?xi64>
  %0 = fx.bitwise_xor %a, %b : (tensor<4x?xi64>, tensor<?xi32>) -> tensor<4x?xi64>
  return
}

// CHECK-LABEL: func.func @ceil(
func.func @ceil(%a: tensor<4x?xf32>) {
  // CHECK: fx.ceil %{{.*}} : (tensor<4x?xf32>) -> tensor<4x?xf32>
  %0 = fx.ceil %a : (tensor<4x?xf32>) -> tensor<4x?xf32>
  return
}

// CHECK-LABEL: func.func @clamp(
func.func @clamp(%a: tensor<4x?xf32>, %b: f64, %c: tensor<?xf32>, %d: i64) {
  // CHECK: fx.clamp %{{.*}} min %{{.*}} : (tensor<4x?xf32>, f64) -> tensor<4x?xf32>
  %0 = fx.clamp %a min %b : (tensor<4x?xf32>, f64) -> tensor<4x?xf32>
  // CHECK: fx.clamp %{{.*}} max %{{.*}} : (tensor<4x?xf32>, tensor<?xf32>) -> tensor<4x?xf32>
  %1 = fx.clamp %a max %c : (tensor<4x?xf32>, tensor<?xf32>) -> tensor<4x?xf32>
  // CHECK: fx.clamp %{{.*}} min %{{.*}} max %{{.*}} : (tensor<4x?xf32>, f64, i64) -> tensor<4x?xf32>
  %2 = fx.clamp %a min %b max %d : (tensor<4x?xf32>, f64, i64) -> tensor<4x?xf32>
  return
}

// CHECK-LABEL: func.func @copysign(
func.func @copysign(%a: tensor<4x?xf32>, %b: tensor<?xf32>) {
  // CHECK: fx.copysign %{{.*}}, %{{.*}} : (tensor<4x?xf32>, tensor<?xf32>) -> tensor<4x?xf32>
  %0 = fx.copysign %a, %b : (tensor<4x?xf32>, tensor<?xf32>) -> tensor<4x?xf32>
  return
}

// CHECK-LABEL: func.func @div(
func.func @div(%a: tensor<4x?xi64>, %b: tensor<4x?xi64>, %c: tensor<4x?xf32>, %d: f64) {
  // CHECK: fx.div %{{.*}}, %{{.*}} : (tensor<4x?xi64>, tensor<4x?xi64>) -> tensor<4x?xf32>
  %0 = fx.div %a, %b : (tensor<4x?xi64>, tensor<4x?xi64>) -> tensor<4x?xf32>
  // CHECK: fx.div %{{.*}}, %{{.*}} rounding "trunc" : (tensor<4x?xi64>, tensor<4x?xi64>) -> tensor<4x?xi64>
  %1 = fx.div %a, %b rounding "trunc" : (tensor<4x?xi64>, tensor<4x?xi64>) -> tensor<4x?xi64>
  // CHECK: fx.div %{{.*}}, %{{.*}} rounding "floor" : (tensor<4x?xf32>, f64) -> tensor<4x?xf32>
  %2 = fx.div %c, %d rounding "floor" : (tensor<4x?xf32>, f64) -> tensor<4x?xf32>
  return
}

// CHECK-LABEL: func.func @eq(
func.func @eq(%a: tensor<4x?xf32>, %b: tensor<?xf32>) {
  // CHECK: fx.eq %{{.*}}, %{{.*}} : (tensor<4x?xf32>, tensor<?xf32>) -> tensor<4x?xi1>
  %0 = fx.eq %a, %b : (tensor<4x?xf32>, tensor<?xf32>) -> tensor<4x?xi1>
  return
}

// CHECK-LABEL: func.func @float_power(
func.func @float_power(%a: tensor<4x?xi64>, %b: i64) {
  // CHECK: fx.float_power %{{.*}}, %{{.*}} : (tensor<4x?xi64>, i64) -> tensor<4x?xf64>
  %0 = fx.float_power %a, %b : (tensor<4x?xi64>, i64) -> tensor<4x?xf64>
  return
}

// CHECK-LABEL: func.func @floor(
func.func @floor(%a: tensor<4x?xf32>) {
  // CHECK: fx.floor %{{.*}} : (tensor<4x?xf32>) -> tensor<4x?xf32>
  %0 = fx.floor %a : (tensor<4x?xf32>) -> tensor<4x?xf32>
  return
}

// CHECK-LABEL: func.func @fmax(
func.func @fmax(%a: tensor<4x?xf32>, %b: tensor<?xf32>) {
  // CHECK: fx.fmax %{{.*}}, %{{.*}} : (tensor<4x?xf32>, tensor<?xf32>) -> tensor<4x?xf32>
  %0 = fx.fmax %a, %b : (tensor<4x?xf32>, tensor<?xf32>) -> tensor<4x?xf32>
  return
}

// CHECK-LABEL: func.func @fmin(
func.func @fmin(%a: tensor<4x?xf32>, %b: tensor<?xf32>) {
  // CHECK: fx.fmin %{{.*}}, %{{.*}} : (tensor<4x?xf32>, tensor<?xf32>) -> tensor<4x?xf32>
  %0 = fx.fmin %a, %b : (tensor<4x?xf32>, tensor<?xf32>) -> tensor<4x?xf32>
  return
}

// CHECK-LABEL: func.func @fmod(
func.func @fmod(%a: tensor<4x?xf32>, %b: tensor<?xf32>) {
  // CHECK: fx.fmod %{{.*}}, %{{.*}} : (tensor<4x?xf32>, tensor<?xf32>) -> tensor<4x?xf32>
  %0 = fx.fmod %a, %b : (tensor<4x?xf32>, tensor<?xf32>) -> tensor<4x?xf32>
  return
}

// CHECK-LABEL: func.func @frac(
func.func @frac(%a: tensor<4x?xf32>) {
  // CHECK: fx.frac %{{.*}} : (tensor<4x?xf32>) -> tensor<4x?xf32>
  %0 = fx.frac %a : (tensor<4x?xf32>) -> tensor<4x?xf32>
  return
}

// CHECK-LABEL: func.func @frexp(
func.func @frexp(%a: tensor<4x?xf32>) {
  // CHECK: fx.frexp %{{.*}} : (tensor<4x?xf32>) -> (tensor<4x?xf32>, tensor<4x?xi32>)
  %0:2 = fx.frexp %a : (tensor<4x?xf32>) -> (tensor<4x?xf32>, tensor<4x?xi32>)
  return
}

// CHECK-LABEL: func.func @gcd(
func.func @gcd(%a: tensor<4x?xi64>, %b: tensor<4x?xi64>) {
  // CHECK: fx.gcd %{{.*}}, %{{.*}} : (tensor<4x?xi64>, tensor<4x?xi64>) -> tensor<4x?xi64>
  %0 = fx.gcd %a, %b : (tensor<4x?xi64>, tensor<4x?xi64>) -> tensor<4x?xi64>
  return
}

// CHECK-LABEL: func.func @ge(
func.func @ge(%a: tensor<4x?xf32>, %b: tensor<?xf32>) {
  // CHECK: fx.ge %{{.*}}, %{{.*}} : (tensor<4x?xf32>, tensor<?xf32>) -> tensor<4x?xi1>
  %0 = fx.ge %a, %b : (tensor<4x?xf32>, tensor<?xf32>) -> tensor<4x?xi1>
  return
}

// CHECK-LABEL: func.func @gt(
func.func @gt(%a: tensor<4x?xf32>, %b: tensor<?xf32>) {
  // CHECK: fx.gt %{{.*}}, %{{.*}} : (tensor<4x?xf32>, tensor<?xf32>) -> tensor<4x?xi1>
  %0 = fx.gt %a, %b : (tensor<4x?xf32>, tensor<?xf32>) -> tensor<4x?xi1>
  return
}

// CHECK-LABEL: func.func @heaviside(
func.func @heaviside(%a: tensor<4x?xf32>, %b: tensor<f32>) {
  // CHECK: fx.heaviside %{{.*}}, %{{.*}} : (tensor<4x?xf32>, tensor<f32>) -> tensor<4x?xf32>
  %0 = fx.heaviside %a, %b : (tensor<4x?xf32>, tensor<f32>) -> tensor<4x?xf32>
  return
}

// CHECK-LABEL: func.func @hypot(
func.func @hypot(%a: tensor<4x?xf32>, %b: tensor<?xf32>) {
  // CHECK: fx.hypot %{{.*}}, %{{.*}} : (tensor<4x?xf32>, tensor<?xf32>) -> tensor<4x?xf32>
  %0 = fx.hypot %a, %b : (tensor<4x?xf32>, tensor<?xf32>) -> tensor<4x?xf32>
  return
}

// CHECK-LABEL: func.func @isclose(
func.func @isclose(%a: tensor<4x?xf32>, %b: tensor<4x?xf32>) {
  // CHECK: fx.isclose %{{.*}}, %{{.*}} {equal_nan = true, rtol = 1.000000e-03 : f64} : (tensor<4x?xf32>, tensor<4x?xf32>) -> tensor<4x?xi1>
  %0 = fx.isclose %a, %b {equal_nan = true, rtol = 1.000000e-03 : f64} : (tensor<4x?xf32>, tensor<4x?xf32>) -> tensor<4x?xi1>
  return
}

// CHECK-LABEL: func.func @isfinite(
func.func @isfinite(%a: tensor<4x?xf32>) {
  // CHECK: fx.isfinite %{{.*}} : (tensor<4x?xf32>) -> tensor<4x?xi1>
  %0 = fx.isfinite %a : (tensor<4x?xf32>) -> tensor<4x?xi1>
  return
}

// CHECK-LABEL: func.func @isinf(
func.func @isinf(%a: tensor<4x?xf32>) {
  // CHECK: fx.isinf %{{.*}} : (tensor<4x?xf32>) -> tensor<4x?xi1>
  %0 = fx.isinf %a : (tensor<4x?xf32>) -> tensor<4x?xi1>
  return
}

// CHECK-LABEL: func.func @isnan(
func.func @isnan(%a: tensor<4x?xf32>) {
  // CHECK: fx.isnan %{{.*}} : (tensor<4x?xf32>) -> tensor<4x?xi1>
  %0 = fx.isnan %a : (tensor<4x?xf32>) -> tensor<4x?xi1>
  return
}

// CHECK-LABEL: func.func @isneginf(
func.func @isneginf(%a: tensor<4x?xf32>) {
  // CHECK: fx.isneginf %{{.*}} : (tensor<4x?xf32>) -> tensor<4x?xi1>
  %0 = fx.isneginf %a : (tensor<4x?xf32>) -> tensor<4x?xi1>
  return
}

// CHECK-LABEL: func.func @isposinf(
func.func @isposinf(%a: tensor<4x?xf32>) {
  // CHECK: fx.isposinf %{{.*}} : (tensor<4x?xf32>) -> tensor<4x?xi1>
  %0 = fx.isposinf %a : (tensor<4x?xf32>) -> tensor<4x?xi1>
  return
}

// CHECK-LABEL: func.func @isreal(
func.func @isreal(%a: tensor<4x?xf32>) {
  // CHECK: fx.isreal %{{.*}} : (tensor<4x?xf32>) -> tensor<4x?xi1>
  %0 = fx.isreal %a : (tensor<4x?xf32>) -> tensor<4x?xi1>
  return
}

// CHECK-LABEL: func.func @lcm(
func.func @lcm(%a: tensor<4x?xi64>, %b: tensor<4x?xi64>) {
  // CHECK: fx.lcm %{{.*}}, %{{.*}} : (tensor<4x?xi64>, tensor<4x?xi64>) -> tensor<4x?xi64>
  %0 = fx.lcm %a, %b : (tensor<4x?xi64>, tensor<4x?xi64>) -> tensor<4x?xi64>
  return
}

// CHECK-LABEL: func.func @ldexp(
func.func @ldexp(%a: tensor<4x?xf32>, %b: tensor<?xi32>) {
  // CHECK: fx.ldexp %{{.*}}, %{{.*}} : (tensor<4x?xf32>, tensor<?xi32>) -> tensor<4x?xf32>
  %0 = fx.ldexp %a, %b : (tensor<4x?xf32>, tensor<?xi32>) -> tensor<4x?xf32>
  return
}

// CHECK-LABEL: func.func @le(
func.func @le(%a: tensor<4x?xf32>, %b: tensor<?xf32>) {
  // CHECK: fx.le %{{.*}}, %{{.*}} : (tensor<4x?xf32>, tensor<?xf32>) -> tensor<4x?xi1>
  %0 = fx.le %a, %b : (tensor<4x?xf32>, tensor<?xf32>) -> tensor<4x?xi1>
  return
}

// CHECK-LABEL: func.func @lerp(
func.func @lerp(%a: tensor<4x?xf32>, %b: tensor<4x?xf32>, %c: f64) {
  // CHECK: fx.lerp %{{.*}}, %{{.*}}, %{{.*}} : (tensor<4x?xf32>, tensor<4x?xf32>, f64) -> tensor<4x?xf32>
  %0 = fx.lerp %a, %b, %c : (tensor<4x?xf32>, tensor<4x?xf32>, f64) -> tensor<4x?xf32>
  return
}

// CHECK-LABEL: func.func @logical_and(
func.func @logical_and(%a: tensor<4x?xf32>, %b: tensor<?xf32>) {
  // CHECK: fx.logical_and %{{.*}}, %{{.*}} : (tensor<4x?xf32>, tensor<?xf32>) -> tensor<4x?xi1>
  %0 = fx.logical_and %a, %b : (tensor<4x?xf32>, tensor<?xf32>) -> tensor<4x?xi1>
  return
}

// CHECK-LABEL: func.func @logical_not(
func.func @logical_not(%a: tensor<4x?xf32>) {
  // CHECK: fx.logical_not %{{.*}} : (tensor<4x?xf32>) -> tensor<4x?xi1>
  %0 = fx.logical_not %a : (tensor<4x?xf32>) -> tensor<4x?xi1>
  return
}

// CHECK-LABEL: func.func @logical_or(
func.func @logical_or(%a: tensor<4x?xf32>, %b: tensor<?xf32>) {
  // CHECK: fx.logical_or %{{.*}}, %{{.*}} : (tensor<4x?xf32>, tensor<?xf32>) -> tensor<4x?xi1>
  %0 = fx.logical_or %a, %b : (tensor<4x?xf32>, tensor<?xf32>) -> tensor<4x?xi1>
  return
}

// CHECK-LABEL: func.func @logical_xor(
func.func @logical_xor(%a: tensor<4x?xf32>, %b: tensor<?xf32>) {
  // CHECK: fx.logical_xor %{{.*}}, %{{.*}} : (tensor<4x?xf32>, tensor<?xf32>) -> tensor<4x?xi1>
  %0 = fx.logical_xor %a, %b : (tensor<4x?xf32>, tensor<?xf32>) -> tensor<4x?xi1>
  return
}

// CHECK-LABEL: func.func @lt(
func.func @lt(%a: tensor<4x?xf32>, %b: tensor<?xf32>) {
  // CHECK: fx.lt %{{.*}}, %{{.*}} : (tensor<4x?xf32>, tensor<?xf32>) -> tensor<4x?xi1>
  %0 = fx.lt %a, %b : (tensor<4x?xf32>, tensor<?xf32>) -> tensor<4x?xi1>
  return
}

// CHECK-LABEL: func.func @masked_fill(
func.func @masked_fill(%a: tensor<4x?xf32>, %b: tensor<?xi1>, %c: f64) {
  // CHECK: fx.masked_fill %{{.*}}, %{{.*}}, %{{.*}} : (tensor<4x?xf32>, tensor<?xi1>, f64) -> tensor<4x?xf32>
  %0 = fx.masked_fill %a, %b, %c : (tensor<4x?xf32>, tensor<?xi1>, f64) -> tensor<4x?xf32>
  return
}

// CHECK-LABEL: func.func @maximum(
func.func @maximum(%a: tensor<4x?xf32>, %b: tensor<?xf32>) {
  // CHECK: fx.maximum %{{.*}}, %{{.*}} : (tensor<4x?xf32>, tensor<?xf32>) -> tensor<4x?xf32>
  %0 = fx.maximum %a, %b : (tensor<4x?xf32>, tensor<?xf32>) -> tensor<4x?xf32>
  return
}

// CHECK-LABEL: func.func @minimum(
func.func @minimum(%a: tensor<4x?xf32>, %b: tensor<?xf32>) {
  // CHECK: fx.minimum %{{.*}}, %{{.*}} : (tensor<4x?xf32>, tensor<?xf32>) -> tensor<4x?xf32>
  %0 = fx.minimum %a, %b : (tensor<4x?xf32>, tensor<?xf32>) -> tensor<4x?xf32>
  return
}

// CHECK-LABEL: func.func @mul(
func.func @mul(%a: tensor<4x?xf32>, %b: i64) {
  // CHECK: fx.mul %{{.*}}, %{{.*}} : (tensor<4x?xf32>, i64) -> tensor<4x?xf32>
  %0 = fx.mul %a, %b : (tensor<4x?xf32>, i64) -> tensor<4x?xf32>
  return
}

// CHECK-LABEL: func.func @nan_to_num(
func.func @nan_to_num(%a: tensor<4x?xf32>) {
  // CHECK: fx.nan_to_num %{{.*}} {nan = 1.000000e+00 : f64, posinf = 9.000000e+00 : f64} : (tensor<4x?xf32>) -> tensor<4x?xf32>
  %0 = fx.nan_to_num %a {nan = 1.000000e+00 : f64, posinf = 9.000000e+00 : f64} : (tensor<4x?xf32>) -> tensor<4x?xf32>
  return
}

// CHECK-LABEL: func.func @ne(
func.func @ne(%a: tensor<4x?xf32>, %b: tensor<?xf32>) {
  // CHECK: fx.ne %{{.*}}, %{{.*}} : (tensor<4x?xf32>, tensor<?xf32>) -> tensor<4x?xi1>
  %0 = fx.ne %a, %b : (tensor<4x?xf32>, tensor<?xf32>) -> tensor<4x?xi1>
  return
}

// CHECK-LABEL: func.func @neg(
func.func @neg(%a: tensor<4x?xf32>) {
  // CHECK: fx.neg %{{.*}} : (tensor<4x?xf32>) -> tensor<4x?xf32>
  %0 = fx.neg %a : (tensor<4x?xf32>) -> tensor<4x?xf32>
  return
}

// CHECK-LABEL: func.func @nextafter(
func.func @nextafter(%a: tensor<4x?xf32>, %b: tensor<?xf32>) {
  // CHECK: fx.nextafter %{{.*}}, %{{.*}} : (tensor<4x?xf32>, tensor<?xf32>) -> tensor<4x?xf32>
  %0 = fx.nextafter %a, %b : (tensor<4x?xf32>, tensor<?xf32>) -> tensor<4x?xf32>
  return
}

// CHECK-LABEL: func.func @pow(
func.func @pow(%a: tensor<4x?xf32>, %b: i64, %c: f64, %d: tensor<4x?xf32>) {
  // CHECK: fx.pow %{{.*}}, %{{.*}} : (tensor<4x?xf32>, i64) -> tensor<4x?xf32>
  %0 = fx.pow %a, %b : (tensor<4x?xf32>, i64) -> tensor<4x?xf32>
  // CHECK: fx.pow %{{.*}}, %{{.*}} : (f64, tensor<4x?xf32>) -> tensor<4x?xf32>
  %1 = fx.pow %c, %d : (f64, tensor<4x?xf32>) -> tensor<4x?xf32>
  return
}

// CHECK-LABEL: func.func @reciprocal(
func.func @reciprocal(%a: tensor<4x?xf32>) {
  // CHECK: fx.reciprocal %{{.*}} : (tensor<4x?xf32>) -> tensor<4x?xf32>
  %0 = fx.reciprocal %a : (tensor<4x?xf32>) -> tensor<4x?xf32>
  return
}

// CHECK-LABEL: func.func @remainder(
func.func @remainder(%a: tensor<4x?xf32>, %b: tensor<?xf32>) {
  // CHECK: fx.remainder %{{.*}}, %{{.*}} : (tensor<4x?xf32>, tensor<?xf32>) -> tensor<4x?xf32>
  %0 = fx.remainder %a, %b : (tensor<4x?xf32>, tensor<?xf32>) -> tensor<4x?xf32>
  return
}

// CHECK-LABEL: func.func @round(
func.func @round(%a: tensor<4x?xf32>) {
  // CHECK: fx.round %{{.*}} : (tensor<4x?xf32>) -> tensor<4x?xf32>
  %0 = fx.round %a : (tensor<4x?xf32>) -> tensor<4x?xf32>
  // CHECK: fx.round %{{.*}} decimals 2 : (tensor<4x?xf32>) -> tensor<4x?xf32>
  %1 = fx.round %a decimals 2 : (tensor<4x?xf32>) -> tensor<4x?xf32>
  return
}

// CHECK-LABEL: func.func @sgn(
func.func @sgn(%a: tensor<4x?xf32>) {
  // CHECK: fx.sgn %{{.*}} : (tensor<4x?xf32>) -> tensor<4x?xf32>
  %0 = fx.sgn %a : (tensor<4x?xf32>) -> tensor<4x?xf32>
  return
}

// CHECK-LABEL: func.func @sign(
func.func @sign(%a: tensor<4x?xf32>) {
  // CHECK: fx.sign %{{.*}} : (tensor<4x?xf32>) -> tensor<4x?xf32>
  %0 = fx.sign %a : (tensor<4x?xf32>) -> tensor<4x?xf32>
  return
}

// CHECK-LABEL: func.func @signbit(
func.func @signbit(%a: tensor<4x?xf32>) {
  // CHECK: fx.signbit %{{.*}} : (tensor<4x?xf32>) -> tensor<4x?xi1>
  %0 = fx.signbit %a : (tensor<4x?xf32>) -> tensor<4x?xi1>
  return
}

// CHECK-LABEL: func.func @sub(
func.func @sub(%a: f64, %b: tensor<4x?xf32>, %c: tensor<4x?xf32>) {
  // CHECK: fx.sub %{{.*}}, %{{.*}} : (f64, tensor<4x?xf32>) -> tensor<4x?xf32>
  %0 = fx.sub %a, %b : (f64, tensor<4x?xf32>) -> tensor<4x?xf32>
  // CHECK: fx.sub %{{.*}}, %{{.*}} {alpha = 5.000000e-01 : f64} : (tensor<4x?xf32>, tensor<4x?xf32>) -> tensor<4x?xf32>
  %1 = fx.sub %c, %b {alpha = 5.000000e-01 : f64} : (tensor<4x?xf32>, tensor<4x?xf32>) -> tensor<4x?xf32>
  return
}

// CHECK-LABEL: func.func @trunc(
func.func @trunc(%a: tensor<4x?xf32>) {
  // CHECK: fx.trunc %{{.*}} : (tensor<4x?xf32>) -> tensor<4x?xf32>
  %0 = fx.trunc %a : (tensor<4x?xf32>) -> tensor<4x?xf32>
  return
}

// CHECK-LABEL: func.func @where(
func.func @where(%a: tensor<4x1xi1>, %b: tensor<4x?xf32>, %c: f64) {
  // CHECK: fx.where %{{.*}}, %{{.*}}, %{{.*}} : (tensor<4x1xi1>, tensor<4x?xf32>, f64) -> tensor<4x?xf32>
  %0 = fx.where %a, %b, %c : (tensor<4x1xi1>, tensor<4x?xf32>, f64) -> tensor<4x?xf32>
  return
}
