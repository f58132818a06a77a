// Exponential and trigonometric functions, angles: round trip.
// RUN: fx-opt %s | fx-opt | FileCheck %s

// CHECK-LABEL: func.func @acos(
func.func @acos(%a: tensor<4x?xf32>) {
  // CHECK: fx.acos %{{.*}} : (tensor<4x?xf32>) -> tensor<4x?xf32>
  %0 = fx.acos %a : (tensor<4x?xf32>) -> tensor<4x?xf32>
  return
}

// CHECK-LABEL: func.func @acosh(
func.func @acosh(%a: tensor<4x?xf32>) {
  // CHECK: fx.acosh %{{.*}} : (tensor<4x?xf32>) -> tensor<4x?xf32>
  %0 = fx.acosh %a : (tensor<4x?xf32>) -> tensor<4x?xf32>
  return
}

// CHECK-LABEL: func.func @angle(
func.func @angle(%a: tensor<4x?xcomplex<f32>>) {
  // CHECK: fx.angle %{{.*}} : (tensor<4x?xcomplex<f32>>) -> tensor<4x?xf32>
  %0 = fx.angle %a : (tensor<4x?xcomplex<f32>>) -> tensor<4x?xf32>
  return
}

// CHECK-LABEL: func.func @asin(
func.func @asin(%a: tensor<4x?xf32>) {
  // CHECK: fx.asin %{{.*}} : (tensor<4x?xf32>) -> tensor<4x?xf32>
  %0 = fx.asin %a : (tensor<4x?xf32>) -> tensor<4x?xf32>
  return
}

// CHECK-LABEL: func.func @asinh(
func.func @asinh(%a: tensor<4x?xf32>) {
  // CHECK: fx.asinh %{{.*}} : (tensor<4x?xf32>) -> tensor<4x?xf32>
  %0 = fx.asinh %a : (tensor<4x?xf32>) -> tensor<4x?xf32>
  return
}

// CHECK-LABEL: func.func @atan(
func.func @atan(%a: tensor<4x?xf32>) {
  // CHECK: fx.atan %{{.*}} : (tensor<4x?xf32>) -> tensor<4x?xf32>
  %0 = fx.atan %a : (tensor<4x?xf32>) -> tensor<4x?xf32>
  return
}

// CHECK-LABEL: func.func @atan2(
func.func @atan2(%a: tensor<4x?xf32>, %b: tensor<?xf32>) {
  // CHECK: fx.atan2 %{{.*}}, %{{.*}} : (tensor<4x?xf32>, tensor<?xf32>) -> tensor<4x?xf32>
  %0 = fx.atan2 %a, %b : (tensor<4x?xf32>, tensor<?xf32>) -> tensor<4x?xf32>
  return
}

// CHECK-LABEL: func.func @atanh(
func.func @atanh(%a: tensor<4x?xf32>) {
  // CHECK: fx.atanh %{{.*}} : (tensor<4x?xf32>) -> tensor<4x?xf32>
  %0 = fx.atanh %a : (tensor<4x?xf32>) -> tensor<4x?xf32>
  return
}

// CHECK-LABEL: func.func @cos(
func.func @cos(%a: tensor<4x?xf32>) {
  // CHECK: fx.cos %{{.*}} : (tensor<4x?xf32>) -> tensor<4x?xf32>
  %0 = fx.cos %a : (tensor<4x?xf32>) -> tensor<4x?xf32>
  return
}

// CHECK-LABEL: func.func @cosh(
func.func @cosh(%a: tensor<4x?xf32>) {
  // CHECK: fx.cosh %{{.*}} : (tensor<4x?xf32>) -> tensor<4x?xf32>
  %0 = fx.cosh %a : (tensor<4x?xf32>) -> tensor<4x?xf32>
  return
}

// CHECK-LABEL: func.func @deg2rad(
func.func @deg2rad(%a: tensor<4x?xf32>) {
  // CHECK: fx.deg2rad %{{.*}} : (tensor<4x?xf32>) -> tensor<4x?xf32>
  %0 = fx.deg2rad %a : (tensor<4x?xf32>) -> tensor<4x?xf32>
  return
}

// CHECK-LABEL: func.func @exp(
func.func @exp(%a: tensor<4x?xf32>) {
  // CHECK: fx.exp %{{.*}} : (tensor<4x?xf32>) -> tensor<4x?xf32>
  %0 = fx.exp %a : (tensor<4x?xf32>) -> tensor<4x?xf32>
  return
}

// CHECK-LABEL: func.func @exp2(
func.func @exp2(%a: tensor<4x?xf32>) {
  // CHECK: fx.exp2 %{{.*}} : (tensor<4x?xf32>) -> tensor<4x?xf32>
  %0 = fx.exp2 %a : (tensor<4x?xf32>) -> tensor<4x?xf32>
  return
}

// CHECK-LABEL: func.func @expm1(
func.func @expm1(%a: tensor<4x?xf32>) {
  // CHECK: fx.expm1 %{{.*}} : (tensor<4x?xf32>) -> tensor<4x?xf32>
  %0 = fx.expm1 %a : (tensor<4x?xf32>) -> tensor<4x?xf32>
  return
}

// CHECK-LABEL: func.func @log(
func.func @log(%a: tensor<4x?xf32>) {
  // CHECK: fx.log %{{.*}} : (tensor<4x?xf32>) -> tensor<4x?xf32>
  %0 = fx.log %a : (tensor<4x?xf32>) -> tensor<4x?xf32>
  return
}

// CHECK-LABEL: func.func @log10(
func.func @log10(%a: tensor<4x?xf32>) {
  // CHECK: fx.log10 %{{.*}} : (tensor<4x?xf32>) -> tensor<4x?xf32>
  %0 = fx.log10 %a : (tensor<4x?xf32>) -> tensor<4x?xf32>
  return
}

// CHECK-LABEL: func.func @log1p(
func.func @log1p(%a: tensor<4x?xf32>) {
  // CHECK: fx.log1p %{{.*}} : (tensor<4x?xf32>) -> tensor<4x?xf32>
  %0 = fx.log1p %a : (tensor<4x?xf32>) -> tensor<4x?xf32>
  return
}

// CHECK-LABEL: func.func @log2(
func.func @log2(%a: tensor<4x?xf32>) {
  // CHECK: fx.log2 %{{.*}} : (tensor<4x?xf32>) -> tensor<4x?xf32>
  %0 = fx.log2 %a : (tensor<4x?xf32>) -> tensor<4x?xf32>
  return
}

// CHECK-LABEL: func.func @logaddexp(
func.func @logaddexp(%a: tensor<4x?xf32>, %b: tensor<?xf32>) {
  // CHECK: fx.logaddexp %{{.*}}, %{{.*}} : (tensor<4x?xf32>, tensor<?xf32>) -> tensor<4x?xf32>
  %0 = fx.logaddexp %a, %b : (tensor<4x?xf32>, tensor<?xf32>) -> tensor<4x?xf32>
  return
}

// CHECK-LABEL: func.func @logaddexp2(
func.func @logaddexp2(%a: tensor<4x?xf32>, %b: tensor<?xf32>) {
  // CHECK: fx.logaddexp2 %{{.*}}, %{{.*}} : (tensor<4x?xf32>, tensor<?xf32>) -> tensor<4x?xf32>
  %0 = fx.logaddexp2 %a, %b : (tensor<4x?xf32>, tensor<?xf32>) -> tensor<4x?xf32>
  return
}

// CHECK-LABEL: func.func @polar(
func.func @polar(%a: tensor<4x?xf32>, %b: tensor<4x?xf32>) {
  // CHECK: fx.polar %{{.*}}, %{{.*}} : (tensor<4x?xf32>, tensor<4x?xf32>) -> tensor<4x?xcomplex<f32>>
  %0 = fx.polar %a, %b : (tensor<4x?xf32>, tensor<4x?xf32>) -> tensor<4x?xcomplex<f32>>
  return
}

// CHECK-LABEL: func.func @rad2deg(
func.func @rad2deg(%a: tensor<4x?xf32>) {
  // CHECK: fx.rad2deg %{{.*}} : (tensor<4x?xf32>) -> tensor<4x?xf32>
  %0 = fx.rad2deg %a : (tensor<4x?xf32>) -> tensor<4x?xf32>
  return
}

// CHECK-LABEL: func.func @rsqrt(
func.func @rsqrt(%a: tensor<4x?xf32>) {
  // CHECK: fx.rsqrt %{{.*}} : (tensor<4x?xf32>) -> tensor<4x?xf32>
  %0 = fx.rsqrt %a : (tensor<4x?xf32>) -> tensor<4x?xf32>
  return
}

// CHECK-LABEL: func.func @sin(
func.func @sin(%a: tensor<4x?xf32>) {
  // CHECK: fx.sin %{{.*}} : (tensor<4x?xf32>) -> tensor<4x?xf32>
  %0 = fx.sin %a : (tensor<4x?xf32>) -> tensor<4x?xf32>
  return
}

// CHECK-LABEL: func.func @sinc(
func.func @sinc(%a: tensor<4x?xf32>) {
  // CHECK: fx.sinc %{{.*}} : (tensor<4x?xf32>) -> tensor<4x?xf32>
  %0 = fx.sinc %a : (tensor<4x?xf32>) -> tensor<4x?xf32>
  return
}

// CHECK-LABEL: func.func @sinh(
func.func @sinh(%a: tensor<4x?xf32>) {
  // CHECK: fx.sinh %{{.*}} : (tensor<4x?xf32>) -> tensor<4x?xf32>
  %0 = fx.sinh %a : (tensor<4x?xf32>) -> tensor<4x?xf32>
  return
}

// CHECK-LABEL: func.func @sqrt(
func.func @sqrt(%a: tensor<4x?xf32>) {
  // CHECK: fx.sqrt %{{.*}} : (tensor<4x?xf32>) -> tensor<4x?xf32>
  %0 = fx.sqrt %a : (tensor<4x?xf32>) -> tensor<4x?xf32>
  return
}

// CHECK-LABEL: func.func @tan(
func.func @tan(%a: tensor<4x?xf32>) {
  // CHECK: fx.tan %{{.*}} : (tensor<4x?xf32>) -> tensor<4x?xf32>
  %0 = fx.tan %a : (tensor<4x?xf32>) -> tensor<4x?xf32>
  return
}

// CHECK-LABEL: func.func @tanh(
func.func @tanh(%a: tensor<4x?xf32>) {
  // CHECK: fx.tanh %{{.*}} : (tensor<4x?xf32>) -> tensor<4x?xf32>
  %0 = fx.tanh %a : (tensor<4x?xf32>) -> tensor<4x?xf32>
  return
}
