// Activations and their gradients: round trip.
// RUN: fx-opt %s | fx-opt | FileCheck %s

// CHECK-LABEL: func.func @celu(
func.func @celu(%a: tensor<4x?xf32>) {
  // CHECK: fx.celu %{{.*}} {alpha = 2.000000e+00 : f64} : (tensor<4x?xf32>) -> tensor<4x?xf32>
  %0 = fx.celu %a {alpha = 2.000000e+00 : f64} : (tensor<4x?xf32>) -> tensor<4x?xf32>
  return
}

// CHECK-LABEL: func.func @elu(
func.func @elu(%a: tensor<4x?xf32>) {
  // CHECK: fx.elu %{{.*}} : (tensor<4x?xf32>) -> tensor<4x?xf32>
  %0 = fx.elu %a : (tensor<4x?xf32>) -> tensor<4x?xf32>
  // CHECK: fx.elu %{{.*}} {alpha = 2.000000e+00 : f64, input_scale = 3 : i64} : (tensor<4x?xf32>) -> tensor<4x?xf32>
  %1 = fx.elu %a {alpha = 2.000000e+00 : f64, input_scale = 3 : i64} : (tensor<4x?xf32>) -> tensor<4x?xf32>
  return
}

// CHECK-LABEL: func.func @elu_backward(
func.func @elu_backward(%a: tensor<4x?xf32>, %b: tensor<4x?xf32>) {
  // CHECK: fx.elu_backward %{{.*}}, %{{.*}} {alpha = 1 : i64, input_scale = 1 : i64, is_result = false, scale = 1 : i64} : (tensor<4x?xf32>, tensor<4x?xf32>) -> tensor<4x?xf32>
  %0 = fx.elu_backward %a, %b {alpha = 1 : i64, input_scale = 1 : i64, is_result = false, scale = 1 : i64} : (tensor<4x?xf32>, tensor<4x?xf32>) -> tensor<4x?xf32>
  return
}

// CHECK-LABEL: func.func @gelu(
func.func @gelu(%a: tensor<4x?xf32>) {
  // CHECK: fx.gelu %{{.*}} : (tensor<4x?xf32>) -> tensor<4x?xf32>
  %0 = fx.gelu %a : (tensor<4x?xf32>) -> tensor<4x?xf32>
  // CHECK: fx.gelu %{{.*}} approximate "tanh" : (tensor<4x?xf32>) -> tensor<4x?xf32>
  %1 = fx.gelu %a approximate "tanh" : (tensor<4x?xf32>) -> tensor<4x?xf32>
  return
}

// CHECK-LABEL: func.func @gelu_backward(
func.func @gelu_backward(%a: tensor<4x?xf32>, %b: tensor<4x?xf32>) {
  // CHECK: fx.gelu_backward %{{.*}}, %{{.*}} approximate "tanh" : (tensor<4x?xf32>, tensor<4x?xf32>) -> tensor<4x?xf32>
  %0 = fx.gelu_backward %a, %b approximate "tanh" : (tensor<4x?xf32>, tensor<4x?xf32>) -> tensor<4x?xf32>
  return
}

// CHECK-LABEL: func.func @glu(
func.func @glu(%a: tensor<?x8xf32>) {
  // CHECK: fx.glu %{{.*}} : (tensor<?x8xf32>) -> tensor<?x4xf32>
  %0 = fx.glu %a : (tensor<?x8xf32>) -> tensor<?x4xf32>
  // CHECK: fx.glu %{{.*}} dim 0 : (tensor<?x8xf32>) -> tensor<?x8xf32>
  %1 = fx.glu %a dim 0 : (tensor<?x8xf32>) -> tensor<?x8xf32>
  return
}

// CHECK-LABEL: func.func @glu_backward(
func.func @glu_backward(%a: tensor<?x4xf32>, %b: tensor<?x8xf32>) {
  // CHECK: fx.glu_backward %{{.*}}, %{{.*}} dim 1 : (tensor<?x4xf32>, tensor<?x8xf32>) -> tensor<?x8xf32>
  %0 = fx.glu_backward %a, %b dim 1 : (tensor<?x4xf32>, tensor<?x8xf32>) -> tensor<?x8xf32>
  return
}

// CHECK-LABEL: func.func @hardshrink(
func.func @hardshrink(%a: tensor<4x?xf32>) {
  // CHECK: fx.hardshrink %{{.*}} {lambd = 1.000000e+00 : f64} : (tensor<4x?xf32>) -> tensor<4x?xf32>
  %0 = fx.hardshrink %a {lambd = 1.000000e+00 : f64} : (tensor<4x?xf32>) -> tensor<4x?xf32>
  return
}

// CHECK-LABEL: func.func @hardshrink_backward(
func.func @hardshrink_backward(%a: tensor<4x?xf32>, %b: tensor<4x?xf32>) {
  // CHECK: fx.hardshrink_backward %{{.*}}, %{{.*}} {lambd = 5.000000e-01 : f64} : (tensor<4x?xf32>, tensor<4x?xf32>) -> tensor<4x?xf32>
  %0 = fx.hardshrink_backward %a, %b {lambd = 5.000000e-01 : f64} : (tensor<4x?xf32>, tensor<4x?xf32>) -> tensor<4x?xf32>
  return
}

// CHECK-LABEL: func.func @hardsigmoid(
func.func @hardsigmoid(%a: tensor<4x?xf32>) {
  // CHECK: fx.hardsigmoid %{{.*}} : (tensor<4x?xf32>) -> tensor<4x?xf32>
  %0 = fx.hardsigmoid %a : (tensor<4x?xf32>) -> tensor<4x?xf32>
  return
}

// CHECK-LABEL: func.func @hardsigmoid_backward(
func.func @hardsigmoid_backward(%a: tensor<4x?xf32>, %b: tensor<?xf32>) {
  // CHECK: fx.hardsigmoid_backward %{{.*}}, %{{.*}} : (tensor<4x?xf32>, tensor<?xf32>) -> tensor<4x?xf32>
  %0 = fx.hardsigmoid_backward %a, %b : (tensor<4x?xf32>, tensor<?xf32>) -> tensor<4x?xf32>
  return
}

// CHECK-LABEL: func.func @hardswish(
func.func @hardswish(%a: tensor<4x?xf32>) {
  // CHECK: fx.hardswish %{{.*}} : (tensor<4x?xf32>) -> tensor<4x?xf32>
  %0 = fx.hardswish %a : (tensor<4x?xf32>) -> tensor<4x?xf32>
  return
}

// CHECK-LABEL: func.func @hardswish_backward(
func.func @hardswish_backward(%a: tensor<4x?xf32>, %b: tensor<?xf32>) {
  // CHECK: fx.hardswish_backward %{{.*}}, %{{.*}} : (tensor<4x?xf32>, tensor<?xf32>) -> tensor<4x?xf32>
  %0 = fx.hardswish_backward %a, %b : (tensor<4x?xf32>, tensor<?xf32>) -> tensor<4x?xf32>
  return
}

// CHECK-LABEL: func.func @hardtanh(
func.func @hardtanh(%a: tensor<4x?xf32>) {
  // CHECK: fx.hardtanh %{{.*}} : (tensor<4x?xf32>) -> tensor<4x?xf32>
  %0 = fx.hardtanh %a : (tensor<4x?xf32>) -> tensor<4x?xf32>
  // CHECK: fx.hardtanh %{{.*}} {max_val = 6 : i64, min_val = 0 : i64} : (tensor<4x?xf32>) -> tensor<4x?xf32>
  %1 = fx.hardtanh %a {max_val = 6 : i64, min_val = 0 : i64} : (tensor<4x?xf32>) -> tensor<4x?xf32>
  return
}

// CHECK-LABEL: func.func @hardtanh_backward(
func.func @hardtanh_backward(%a: tensor<4x?xf32>, %b: tensor<4x?xf32>) {
  // CHECK: fx.hardtanh_backward %{{.*}}, %{{.*}} {max_val = 1 : i64, min_val = -1 : i64} : (tensor<4x?xf32>, tensor<4x?xf32>) -> tensor<4x?xf32>
  %0 = fx.hardtanh_backward %a, %b {max_val = 1 : i64, min_val = -1 : i64} : (tensor<4x?xf32>, tensor<4x?xf32>) -> tensor<4x?xf32>
  return
}

// CHECK-LABEL: func.func @leaky_relu(
func.func @leaky_relu(%a: tensor<4x?xf32>) {
  // CHECK: fx.leaky_relu %{{.*}} {negative_slope = 2.000000e-01 : f64} : (tensor<4x?xf32>) -> tensor<4x?xf32>
  %0 = fx.leaky_relu %a {negative_slope = 2.000000e-01 : f64} : (tensor<4x?xf32>) -> tensor<4x?xf32>
  return
}

// CHECK-LABEL: func.func @leaky_relu_backward(
func.func @leaky_relu_backward(%a: tensor<4x?xf32>, %b: tensor<4x?xf32>) {
  // CHECK: fx.leaky_relu_backward %{{.*}}, %{{.*}} {negative_slope = 1.000000e-01 : f64, self_is_result = false} : (tensor<4x?xf32>, tensor<4x?xf32>) -> tensor<4x?xf32>
  %0 = fx.leaky_relu_backward %a, %b {negative_slope = 1.000000e-01 : f64, self_is_result = false} : (tensor<4x?xf32>, tensor<4x?xf32>) -> tensor<4x?xf32>
  return
}

// CHECK-LABEL: func.func @log_sigmoid(
func.func @log_sigmoid(%a: tensor<4x?xf32>) {
  // CHECK: fx.log_sigmoid %{{.*}} : (tensor<4x?xf32>) -> tensor<4x?xf32>
  %0 = fx.log_sigmoid %a : (tensor<4x?xf32>) -> tensor<4x?xf32>
  return
}

// CHECK-LABEL: func.func @log_sigmoid_backward(
func.func @log_sigmoid_backward(%a: tensor<4x?xf32>, %b: tensor<4x?xf32>, %c: tensor<0xf32>) {
  // CHECK: fx.log_sigmoid_backward %{{.*}}, %{{.*}}, %{{.*}} : (tensor<4x?xf32>, tensor<4x?xf32>, tensor<0xf32>) -> tensor<4x?xf32>
  %0 = fx.log_sigmoid_backward %a, %b, %c : (tensor<4x?xf32>, tensor<4x?xf32>, tensor<0xf32>) -> tensor<4x?xf32>
  return
}

// CHECK-LABEL: func.func @log_sigmoid_forward(
func.func @log_sigmoid_forward(%a: tensor<4x?xf32>) {
  // CHECK: fx.log_sigmoid_forward %{{.*}} : (tensor<4x?xf32>) -> (tensor<4x?xf32>, tensor<4x?xf32>)
  %0:2 = fx.log_sigmoid_forward %a : (tensor<4x?xf32>) -> (tensor<4x?xf32>, tensor<4x?xf32>)
  return
}

// CHECK-LABEL: func.func @logit(
func.func @logit(%a: tensor<4x?xf32>) {
  // CHECK: fx.logit %{{.*}} : (tensor<4x?xf32>) -> tensor<4x?xf32>
  %0 = fx.logit %a : (tensor<4x?xf32>) -> tensor<4x?xf32>
  // CHECK: fx.logit %{{.*}} eps 1.250000e-01 : (tensor<4x?xf32>) -> tensor<4x?xf32>
  %1 = fx.logit %a eps 1.250000e-01 : (tensor<4x?xf32>) -> tensor<4x?xf32>
  return
}

// CHECK-LABEL: func.func @logit_backward(
func.func @logit_backward(%a: tensor<4x?xf32>, %b: tensor<4x?xf32>) {
  // CHECK: fx.logit_backward %{{.*}}, %{{.*}} {eps = 1.250000e-01 : f64} : (tensor<4x?xf32>, tensor<4x?xf32>) -> tensor<4x?xf32>
  %0 = fx.logit_backward %a, %b {eps = 1.250000e-01 : f64} : (tensor<4x?xf32>, tensor<4x?xf32>) -> tensor<4x?xf32>
  return
}

// CHECK-LABEL: func.func @mish(
func.func @mish(%a: tensor<4x?xf32>) {
  // CHECK: fx.mish %{{.*}} : (tensor<4x?xf32>) -> tensor<4x?xf32>
  %0 = fx.mish %a : (tensor<4x?xf32>) -> tensor<4x?xf32>
  return
}

// CHECK-LABEL: func.func @mish_backward(
func.func @mish_backward(%a: tensor<4x?xf32>, %b: tensor<?xf32>) {
  // CHECK: fx.mish_backward %{{.*}}, %{{.*}} : (tensor<4x?xf32>, tensor<?xf32>) -> tensor<4x?xf32>
  %0 = fx.mish_backward %a, %b : (tensor<4x?xf32>, tensor<?xf32>) -> tensor<4x?xf32>
  return
}

// CHECK-LABEL: func.func @prelu(
func.func @prelu(%a: tensor<4x8x?xf32>, %b: tensor<8xf32>, %c: tensor<4x?xf32>, %d: tensor<?xf32>) {
  // CHECK: fx.prelu %{{.*}}, %{{.*}} : (tensor<4x8x?xf32>, tensor<8xf32>) -> tensor<4x8x?xf32>
  %0 = fx.prelu %a, %b : (tensor<4x8x?xf32>, tensor<8xf32>) -> tensor<4x8x?xf32>
  // CHECK: fx.prelu %{{.*}}, %{{.*}} : (tensor<4x?xf32>, tensor<?xf32>) -> tensor<4x?xf32>
  %1 = fx.prelu %c, %d : (tensor<4x?xf32>, tensor<?xf32>) -> tensor<4x?xf32>
  return
}

// CHECK-LABEL: func.func @prelu_kernel(
func.func @prelu_kernel(%a: tensor<4x?xf32>, %b: tensor<?xf32>) {
  // CHECK: fx.prelu_kernel %{{.*}}, %{{.*}} : (tensor<4x?xf32>, tensor<?xf32>) -> tensor<4x?xf32>
  %0 = fx.prelu_kernel %a, %b : (tensor<4x?xf32>, tensor<?xf32>) -> tensor<4x?xf32>
  return
}

// CHECK-LABEL: func.func @prelu_kernel_backward(
func.func @prelu_kernel_backward(%a: tensor<4x?xf32>, %b: tensor<4x?xf32>, %c: tensor<4x1xf32>) {
  // CHECK: fx.prelu_kernel_backward %{{.*}}, %{{.*}}, %{{.*}} : (tensor<4x?xf32>, tensor<4x?xf32>, tensor<4x1xf32>) -> (tensor<4x?xf32>, tensor<4x?xf32>)
  %0:2 = fx.prelu_kernel_backward %a, %b, %c : (tensor<4x?xf32>, tensor<4x?xf32>, tensor<4x1xf32>) -> (tensor<4x?xf32>, tensor<4x?xf32>)
  return
}

// CHECK-LABEL: func.func @relu(
func.func @relu(%a: tensor<4x?xf32>) {
  // CHECK: fx.relu %{{.*}} : (tensor<4x?xf32>) -> tensor<4x?xf32>
  %0 = fx.relu %a : (tensor<4x?xf32>) -> tensor<4x?xf32>
  return
}

// CHECK-LABEL: func.func @sigmoid(
func.func @sigmoid(%a: tensor<4x?xf32>) {
  // CHECK: fx.sigmoid %{{.*}} : (tensor<4x?xf32>) -> tensor<4x?xf32>
  %0 = fx.sigmoid %a : (tensor<4x?xf32>) -> tensor<4x?xf32>
  return
}

// CHECK-LABEL: func.func @sigmoid_backward(
func.func @sigmoid_backward(%a: tensor<4x?xf32>, %b: tensor<?xf32>) {
  // CHECK: fx.sigmoid_backward %{{.*}}, %{{.*}} : (tensor<4x?xf32>, tensor<?xf32>) -> tensor<4x?xf32>
  %0 = fx.sigmoid_backward %a, %b : (tensor<4x?xf32>, tensor<?xf32>) -> tensor<4x?xf32>
  return
}

// CHECK-LABEL: func.func @silu(
func.func @silu(%a: tensor<4x?xf32>) {
  // CHECK: fx.silu %{{.*}} : (tensor<4x?xf32>) -> tensor<4x?xf32>
  %0 = fx.silu %a : (tensor<4x?xf32>) -> tensor<4x?xf32>
  return
}

// CHECK-LABEL: func.func @silu_backward(
func.func @silu_backward(%a: tensor<4x?xf32>, %b: tensor<?xf32>) {
  // CHECK: fx.silu_backward %{{.*}}, %{{.*}} : (tensor<4x?xf32>, tensor<?xf32>) -> tensor<4x?xf32>
  %0 = fx.silu_backward %a, %b : (tensor<4x?xf32>, tensor<?xf32>) -> tensor<4x?xf32>
  return
}

// CHECK-LABEL: func.func @softplus(
func.func @softplus(%a: tensor<4x?xf32>) {
  // CHECK: fx.softplus %{{.*}} {beta = 2 : i64} : (tensor<4x?xf32>) -> tensor<4x?xf32>
  %0 = fx.softplus %a {beta = 2 : i64} : (tensor<4x?xf32>) -> tensor<4x?xf32>
  return
}

// CHECK-LABEL: func.func @softplus_backward(
func.func @softplus_backward(%a: tensor<4x?xf32>, %b: tensor<4x?xf32>) {
  // CHECK: fx.softplus_backward %{{.*}}, %{{.*}} {beta = 1 : i64, threshold = 20 : i64} : (tensor<4x?xf32>, tensor<4x?xf32>) -> tensor<4x?xf32>
  %0 = fx.softplus_backward %a, %b {beta = 1 : i64, threshold = 20 : i64} : (tensor<4x?xf32>, tensor<4x?xf32>) -> tensor<4x?xf32>
  return
}

// CHECK-LABEL: func.func @softshrink(
func.func @softshrink(%a: tensor<4x?xf32>) {
  // CHECK: fx.softshrink %{{.*}} {lambd = 1.000000e+00 : f64} : (tensor<4x?xf32>) -> tensor<4x?xf32>
  %0 = fx.softshrink %a {lambd = 1.000000e+00 : f64} : (tensor<4x?xf32>) -> tensor<4x?xf32>
  return
}

// CHECK-LABEL: func.func @softshrink_backward(
func.func @softshrink_backward(%a: tensor<4x?xf32>, %b: tensor<4x?xf32>) {
  // CHECK: fx.softshrink_backward %{{.*}}, %{{.*}} {lambd = 5.000000e-01 : f64} : (tensor<4x?xf32>, tensor<4x?xf32>) -> tensor<4x?xf32>
  %0 = fx.softshrink_backward %a, %b {lambd = 5.000000e-01 : f64} : (tensor<4x?xf32>, tensor<4x?xf32>) -> tensor<4x?xf32>
  return
}

// CHECK-LABEL: func.func @tanh_backward(
func.func @tanh_backward(%a: tensor<4x?xf32>, %b: tensor<?xf32>) {
  // CHECK: fx.tanh_backward %{{.*}}, %{{.*}} : (tensor<4x?xf32>, tensor<?xf32>) -> tensor<4x?xf32>
  %0 = fx.tanh_backward %a, %b : (tensor<4x?xf32>, tensor<?xf32>) -> tensor<4x?xf32>
  return
}

// CHECK-LABEL: func.func @threshold(
func.func @threshold(%a: tensor<4x?xf32>) {
  // CHECK: fx.threshold %{{.*}} {threshold = 5.000000e-01 : f64, value = 0 : i64} : (tensor<4x?xf32>) -> tensor<4x?xf32>
  %0 = fx.threshold %a {threshold = 5.000000e-01 : f64, value = 0 : i64} : (tensor<4x?xf32>) -> tensor<4x?xf32>
  return
}

// CHECK-LABEL: func.func @threshold_backward(
func.func @threshold_backward(%a: tensor<4x?xf32>, %b: tensor<4x?xf32>) {
  // CHECK: fx.threshold_backward %{{.*}}, %{{.*}} {threshold = 0 : i64} : (tensor<4x?xf32>, tensor<4x?xf32>) -> tensor<4x?xf32>
  %0 = fx.threshold_backward %a, %b {threshold = 0 : i64} : (tensor<4x?xf32>, tensor<4x?xf32>) -> tensor<4x?xf32>
  return
}
