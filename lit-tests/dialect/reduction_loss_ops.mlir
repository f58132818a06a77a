// Losses: round trip.
// RUN: fx-opt %s | fx-opt | FileCheck %s

// CHECK-LABEL: func.func @huber_loss(
func.func @huber_loss(%a: tensor<4x?xf32>, %b: tensor<4x?xf32>) {
  // CHECK: fx.huber_loss %{{.*}}, %{{.*}} {delta = 5.000000e-01 : f64} : (tensor<4x?xf32>, tensor<4x?xf32>) -> tensor<f32>
  %0 = fx.huber_loss %a, %b {delta = 5.000000e-01 : f64} : (tensor<4x?xf32>, tensor<4x?xf32>) -> tensor<f32>
  return
}

// CHECK-LABEL: func.func @kl_div(
func.func @kl_div(%a: tensor<4x?xf32>, %b: tensor<?xf64>) {
  // CHECK: fx.kl_div %{{.*}}, %{{.*}} {log_target = true, reduction = 0 : i64} : (tensor<4x?xf32>, tensor<?xf64>) -> tensor<4x?xf64>
  %0 = fx.kl_div %a, %b {log_target = true, reduction = 0 : i64} : (tensor<4x?xf32>, tensor<?xf64>) -> tensor<4x?xf64>
  return
}

// CHECK-LABEL: func.func @l1_loss(
func.func @l1_loss(%a: tensor<4x?xcomplex<f32>>, %b: tensor<4x?xf32>, %c: tensor<4xi32>) {
  // CHECK: fx.l1_loss %{{.*}}, %{{.*}} {reduction = 2 : i64} : (tensor<4x?xcomplex<f32>>, tensor<4x?xf32>) -> tensor<f32>
  %0 = fx.l1_loss %a, %b {reduction = 2 : i64} : (tensor<4x?xcomplex<f32>>, tensor<4x?xf32>) -> tensor<f32>
  // CHECK: fx.l1_loss %{{.*}}, %{{.*}} {reduction = 2 : i64} : (tensor<4xi32>, tensor<4xi32>) -> tensor<i64>
  %1 = fx.l1_loss %c, %c {reduction = 2 : i64} : (tensor<4xi32>, tensor<4xi32>) -> tensor<i64>
  return
}

// CHECK-LABEL: func.func @mse_loss(
func.func @mse_loss(%a: tensor<4x?xf16>, %b: tensor<4x?xf32>) {
  // CHECK: fx.mse_loss %{{.*}}, %{{.*}} : (tensor<4x?xf16>, tensor<4x?xf32>) -> tensor<f32>
  %0 = fx.mse_loss %a, %b : (tensor<4x?xf16>, tensor<4x?xf32>) -> tensor<f32>
  // CHECK: fx.mse_loss %{{.*}}, %{{.*}} {reduction = 0 : i64} : (tensor<4x?xf16>, tensor<4x?xf32>) -> tensor<4x?xf32>
  %1 = fx.mse_loss %a, %b {reduction = 0 : i64} : (tensor<4x?xf16>, tensor<4x?xf32>) -> tensor<4x?xf32>
  return
}

// CHECK-LABEL: func.func @smooth_l1_loss(
func.func @smooth_l1_loss(%a: tensor<4x?xf32>, %b: tensor<4x?xf32>) {
  // CHECK: fx.smooth_l1_loss %{{.*}}, %{{.*}} {beta = 2.000000e+00 : f64} : (tensor<4x?xf32>, tensor<4x?xf32>) -> tensor<f32>
  %0 = fx.smooth_l1_loss %a, %b {beta = 2.000000e+00 : f64} : (tensor<4x?xf32>, tensor<4x?xf32>) -> tensor<f32>
  return
}

// CHECK-LABEL: func.func @soft_margin_loss(
func.func @soft_margin_loss(%a: tensor<4x?xf32>, %b: tensor<4x?xi64>) {
  // CHECK: fx.soft_margin_loss %{{.*}}, %{{.*}} : (tensor<4x?xf32>, tensor<4x?xi64>) -> tensor<f32>
  %0 = fx.soft_margin_loss %a, %b : (tensor<4x?xf32>, tensor<4x?xi64>) -> tensor<f32>
  return
}

// CHECK-LABEL: func.func @binary_cross_entropy(
func.func @binary_cross_entropy(%a: tensor<4x?xf32>, %b: tensor<4x?xf32>, %w: tensor<4x1xf32>) {
  // CHECK: fx.binary_cross_entropy %{{.*}}, %{{.*}} weight %{{.*}} {reduction = 0 : i64} : (tensor<4x?xf32>, tensor<4x?xf32>, tensor<4x1xf32>) -> tensor<4x?xf32>
  %0 = fx.binary_cross_entropy %a, %b weight %w {reduction = 0 : i64} : (tensor<4x?xf32>, tensor<4x?xf32>, tensor<4x1xf32>) -> tensor<4x?xf32>
  return
}

// CHECK-LABEL: func.func @binary_cross_entropy_with_logits(
func.func @binary_cross_entropy_with_logits(%a: tensor<4x?xf32>, %b: tensor<4x?xf32>, %w: tensor<?xf32>) {
  // CHECK: fx.binary_cross_entropy_with_logits %{{.*}}, %{{.*}} pos_weight %{{.*}} : (tensor<4x?xf32>, tensor<4x?xf32>, tensor<?xf32>) -> tensor<f32>
  %0 = fx.binary_cross_entropy_with_logits %a, %b pos_weight %w : (tensor<4x?xf32>, tensor<4x?xf32>, tensor<?xf32>) -> tensor<f32>
  return
}

// CHECK-LABEL: func.func @binary_cross_entropy_backward(
func.func @binary_cross_entropy_backward(%g: tensor<f32>, %a: tensor<4x?xf32>, %b: tensor<4x?xf32>, %w: tensor<4x1xf32>) {
  // CHECK: fx.binary_cross_entropy_backward %{{.*}}, %{{.*}}, %{{.*}} weight %{{.*}} : (tensor<f32>, tensor<4x?xf32>, tensor<4x?xf32>, tensor<4x1xf32>) -> tensor<4x?xf32>
  %0 = fx.binary_cross_entropy_backward %g, %a, %b weight %w : (tensor<f32>, tensor<4x?xf32>, tensor<4x?xf32>, tensor<4x1xf32>) -> tensor<4x?xf32>
  return
}

// CHECK-LABEL: func.func @huber_loss_backward(
func.func @huber_loss_backward(%g: tensor<f32>, %a: tensor<4x?xf32>, %b: tensor<4x?xf32>) {
  // CHECK: fx.huber_loss_backward %{{.*}}, %{{.*}}, %{{.*}} {delta = 5.000000e-01 : f64, reduction = 1 : i64} : (tensor<f32>, tensor<4x?xf32>, tensor<4x?xf32>) -> tensor<4x?xf32>
  %0 = fx.huber_loss_backward %g, %a, %b {delta = 5.000000e-01 : f64, reduction = 1 : i64} : (tensor<f32>, tensor<4x?xf32>, tensor<4x?xf32>) -> tensor<4x?xf32>
  return
}

// CHECK-LABEL: func.func @mse_loss_backward(
func.func @mse_loss_backward(%g: tensor<4x?xf32>, %a: tensor<4x?xf32>, %b: tensor<4x?xf32>) {
  // CHECK: fx.mse_loss_backward %{{.*}}, %{{.*}}, %{{.*}} {reduction = 0 : i64} : (tensor<4x?xf32>, tensor<4x?xf32>, tensor<4x?xf32>) -> tensor<4x?xf32>
  %0 = fx.mse_loss_backward %g, %a, %b {reduction = 0 : i64} : (tensor<4x?xf32>, tensor<4x?xf32>, tensor<4x?xf32>) -> tensor<4x?xf32>
  return
}

// CHECK-LABEL: func.func @smooth_l1_loss_backward(
func.func @smooth_l1_loss_backward(%g: tensor<f32>, %a: tensor<4x?xf32>, %b: tensor<4x?xf32>) {
  // CHECK: fx.smooth_l1_loss_backward %{{.*}}, %{{.*}}, %{{.*}} {beta = 1.000000e+00 : f64, reduction = 2 : i64} : (tensor<f32>, tensor<4x?xf32>, tensor<4x?xf32>) -> tensor<4x?xf32>
  %0 = fx.smooth_l1_loss_backward %g, %a, %b {beta = 1.000000e+00 : f64, reduction = 2 : i64} : (tensor<f32>, tensor<4x?xf32>, tensor<4x?xf32>) -> tensor<4x?xf32>
  return
}

// CHECK-LABEL: func.func @soft_margin_loss_backward(
func.func @soft_margin_loss_backward(%g: tensor<f32>, %a: tensor<4x?xf32>, %b: tensor<4x?xf32>) {
  // CHECK: fx.soft_margin_loss_backward %{{.*}}, %{{.*}}, %{{.*}} {reduction = 1 : i64} : (tensor<f32>, tensor<4x?xf32>, tensor<4x?xf32>) -> tensor<4x?xf32>
  %0 = fx.soft_margin_loss_backward %g, %a, %b {reduction = 1 : i64} : (tensor<f32>, tensor<4x?xf32>, tensor<4x?xf32>) -> tensor<4x?xf32>
  return
}

// CHECK-LABEL: func.func @cross_entropy_loss(
func.func @cross_entropy_loss(%a: tensor<?x10x5xf32>, %t: tensor<?x5xi64>, %w: tensor<10xf32>, %p: tensor<?x10x5xf32>, %i: index) {
  // CHECK: fx.cross_entropy_loss %{{.*}}, %{{.*}} weight %{{.*}} ignore_index [-100] {label_smoothing = 1.000000e-01 : f64} : (tensor<?x10x5xf32>, tensor<?x5xi64>, tensor<10xf32>) -> tensor<f32>
  %0 = fx.cross_entropy_loss %a, %t weight %w ignore_index [-100] {label_smoothing = 1.000000e-01 : f64} : (tensor<?x10x5xf32>, tensor<?x5xi64>, tensor<10xf32>) -> tensor<f32>
  // CHECK: fx.cross_entropy_loss %{{.*}}, %{{.*}} ignore_index [%{{.*}}] {reduction = 0 : i64} : (tensor<?x10x5xf32>, tensor<?x10x5xf32>, index) -> tensor<?x5xf32>
  %1 = fx.cross_entropy_loss %a, %p ignore_index [%i] {reduction = 0 : i64} : (tensor<?x10x5xf32>, tensor<?x10x5xf32>, index) -> tensor<?x5xf32>
  return
}

// CHECK-LABEL: func.func @nll_loss(
func.func @nll_loss(%a: tensor<?x10x5xf32>, %t: tensor<?x5xi64>, %b: tensor<10xf32>, %s: tensor<i64>) {
  // CHECK: fx.nll_loss %{{.*}}, %{{.*}} ignore_index [-100] : (tensor<?x10x5xf32>, tensor<?x5xi64>) -> tensor<f32>
  %0 = fx.nll_loss %a, %t ignore_index [-100] : (tensor<?x10x5xf32>, tensor<?x5xi64>) -> tensor<f32>
  // CHECK: fx.nll_loss %{{.*}}, %{{.*}} ignore_index [0] {reduction = 0 : i64} : (tensor<10xf32>, tensor<i64>) -> tensor<f32>
  %1 = fx.nll_loss %b, %s ignore_index [0] {reduction = 0 : i64} : (tensor<10xf32>, tensor<i64>) -> tensor<f32>
  return
}

// CHECK-LABEL: func.func @nll_loss_forward(
func.func @nll_loss_forward(%a: tensor<?x10xf32>, %t: tensor<?xi64>, %w: tensor<10xf32>, %i: index) {
  // CHECK: fx.nll_loss_forward %{{.*}}, %{{.*}} weight %{{.*}} ignore_index [%{{.*}}] {reduction = 0 : i64} : (tensor<?x10xf32>, tensor<?xi64>, tensor<10xf32>, index) -> (tensor<?xf32>, tensor<f32>)
  %0:2 = fx.nll_loss_forward %a, %t weight %w ignore_index [%i] {reduction = 0 : i64} : (tensor<?x10xf32>, tensor<?xi64>, tensor<10xf32>, index) -> (tensor<?xf32>, tensor<f32>)
  return
}

// CHECK-LABEL: func.func @nll_loss_backward(
func.func @nll_loss_backward(%g: tensor<f32>, %a: tensor<?x10x4x5xf32>, %t: tensor<?x4x5xi64>, %n: tensor<f32>) {
  // CHECK: fx.nll_loss_backward %{{.*}}, %{{.*}}, %{{.*}} ignore_index [-100] total_weight %{{.*}} {reduction = 1 : i64} : (tensor<f32>, tensor<?x10x4x5xf32>, tensor<?x4x5xi64>, tensor<f32>) -> tensor<?x10x4x5xf32>
  %0 = fx.nll_loss_backward %g, %a, %t ignore_index [-100] total_weight %n {reduction = 1 : i64} : (tensor<f32>, tensor<?x10x4x5xf32>, tensor<?x4x5xi64>, tensor<f32>) -> tensor<?x10x4x5xf32>
  return
}
