// Softmax, norms and attention: round trip.
// RUN: fx-opt %s | fx-opt | FileCheck %s

// CHECK-LABEL: func.func @log_softmax(
func.func @log_softmax(%a: tensor<4x?xi64>) {
  // CHECK: fx.log_softmax %{{.*}} dim -1 {dtype = f32} : (tensor<4x?xi64>) -> tensor<4x?xf32>
  %0 = fx.log_softmax %a dim -1 {dtype = f32} : (tensor<4x?xi64>) -> tensor<4x?xf32>
  return
}

// CHECK-LABEL: func.func @safe_softmax(
func.func @safe_softmax(%a: tensor<4x?xbf16>) {
  // CHECK: fx.safe_softmax %{{.*}} dim 1 : (tensor<4x?xbf16>) -> tensor<4x?xbf16>
  %0 = fx.safe_softmax %a dim 1 : (tensor<4x?xbf16>) -> tensor<4x?xbf16>
  return
}

// CHECK-LABEL: func.func @softmax(
func.func @softmax(%a: tensor<4x?xf32>, %b: tensor<f16>) {
  // CHECK: fx.softmax %{{.*}} dim 1 : (tensor<4x?xf32>) -> tensor<4x?xf32>
  %0 = fx.softmax %a dim 1 : (tensor<4x?xf32>) -> tensor<4x?xf32>
  // CHECK: fx.softmax %{{.*}} dim 0 {half_to_float = true} : (tensor<f16>) -> tensor<f32>
  %1 = fx.softmax %b dim 0 {half_to_float = true} : (tensor<f16>) -> tensor<f32>
  return
}

// CHECK-LABEL: func.func @log_softmax_backward_data(
func.func @log_softmax_backward_data(%a: tensor<4x?xf32>, %b: tensor<4x?xf32>) {
  // CHECK: fx.log_softmax_backward_data %{{.*}}, %{{.*}} dim 1 {input_dtype = f32} : (tensor<4x?xf32>, tensor<4x?xf32>) -> tensor<4x?xf32>
  %0 = fx.log_softmax_backward_data %a, %b dim 1 {input_dtype = f32} : (tensor<4x?xf32>, tensor<4x?xf32>) -> tensor<4x?xf32>
  return
}

// CHECK-LABEL: func.func @softmax_backward_data(
func.func @softmax_backward_data(%a: tensor<4x?xf32>, %b: tensor<4x?xf32>) {
  // CHECK: fx.softmax_backward_data %{{.*}}, %{{.*}} dim 1 {input_dtype = f16} : (tensor<4x?xf32>, tensor<4x?xf32>) -> tensor<4x?xf16>
  %0 = fx.softmax_backward_data %a, %b dim 1 {input_dtype = f16} : (tensor<4x?xf32>, tensor<4x?xf32>) -> tensor<4x?xf16>
  return
}

// CHECK-LABEL: func.func @layer_norm(
func.func @layer_norm(%a: tensor<4x?x8xf32>, %n: index, %w: tensor<?x8xf32>, %b: tensor<?x8xf32>) {
  // CHECK: fx.layer_norm %{{.*}} normalized_shape [%{{.*}}, 8] weight %{{.*}} bias %{{.*}} {eps = 9.9999999999999995E-7 : f64} : (tensor<4x?x8xf32>, index, tensor<?x8xf32>, tensor<?x8xf32>) -> tensor<4x?x8xf32>
  %0 = fx.layer_norm %a normalized_shape [%n, 8] weight %w bias %b {eps = 1.000000e-06 : f64} : (tensor<4x?x8xf32>, index, tensor<?x8xf32>, tensor<?x8xf32>) -> tensor<4x?x8xf32>
  return
}

// CHECK-LABEL: func.func @native_layer_norm(
func.func @native_layer_norm(%a: tensor<4x?x8xbf16>, %b: tensor<8xf32>) {
  // CHECK: fx.native_layer_norm %{{.*}} normalized_shape [8] bias %{{.*}} {eps = 1.000000e-05 : f64} : (tensor<4x?x8xbf16>, tensor<8xf32>) -> (tensor<4x?x8xbf16>, tensor<4x?x1xf32>, tensor<4x?x1xf32>)
  %0:3 = fx.native_layer_norm %a normalized_shape [8] bias %b {eps = 1.000000e-05 : f64} : (tensor<4x?x8xbf16>, tensor<8xf32>) -> (tensor<4x?x8xbf16>, tensor<4x?x1xf32>, tensor<4x?x1xf32>)
  // CHECK: fx.native_layer_norm %{{.*}} normalized_shape [8] {eps = 1.000000e-05 : f64} : (tensor<4x?x8xbf16>) -> (tensor<4x?x8xbf16>, tensor<4x?x1xbf16>, tensor<4x?x1xbf16>)
  %1:3 = fx.native_layer_norm %a normalized_shape [8] {eps = 1.000000e-05 : f64} : (tensor<4x?x8xbf16>) -> (tensor<4x?x8xbf16>, tensor<4x?x1xbf16>, tensor<4x?x1xbf16>)
  return
}

// CHECK-LABEL: func.func @native_layer_norm_backward(
func.func @native_layer_norm_backward(%g: tensor<4x8xf32>, %a: tensor<4x8xf32>, %m: tensor<4x1xf32>, %s: tensor<4x1xf32>, %w: tensor<8xf32>, %b: tensor<8xf32>) {
  // CHECK: fx.native_layer_norm_backward %{{.*}}, %{{.*}} normalized_shape [8] mean %{{.*}} rstd %{{.*}} weight %{{.*}} bias %{{.*}} output_mask [true, false, true] : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x1xf32>, tensor<4x1xf32>, tensor<8xf32>, tensor<8xf32>) -> (tensor<4x8xf32>, tensor<0xf32>, tensor<8xf32>)
  %0:3 = fx.native_layer_norm_backward %g, %a normalized_shape [8] mean %m rstd %s weight %w bias %b output_mask [true, false, true] : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x1xf32>, tensor<4x1xf32>, tensor<8xf32>, tensor<8xf32>) -> (tensor<4x8xf32>, tensor<0xf32>, tensor<8xf32>)
  // CHECK: fx.native_layer_norm_backward %{{.*}}, %{{.*}} normalized_shape [8] mean %{{.*}} rstd %{{.*}} output_mask [true, true, true] : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x1xf32>, tensor<4x1xf32>) -> (tensor<4x8xf32>, tensor<0xf32>, tensor<0xf32>)
  %1:3 = fx.native_layer_norm_backward %g, %a normalized_shape [8] mean %m rstd %s output_mask [true, true, true] : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x1xf32>, tensor<4x1xf32>) -> (tensor<4x8xf32>, tensor<0xf32>, tensor<0xf32>)
  return
}

// CHECK-LABEL: func.func @rms_norm(
func.func @rms_norm(%a: tensor<?x8xf16>, %w: tensor<8xf32>) {
  // CHECK: fx.rms_norm %{{.*}} normalized_shape [8] weight %{{.*}} {eps = 9.9999999999999995E-7 : f64} : (tensor<?x8xf16>, tensor<8xf32>) -> tensor<?x8xf16>
  %0 = fx.rms_norm %a normalized_shape [8] weight %w {eps = 1.000000e-06 : f64} : (tensor<?x8xf16>, tensor<8xf32>) -> tensor<?x8xf16>
  return
}

// CHECK-LABEL: func.func @fused_rms_norm(
func.func @fused_rms_norm(%a: tensor<?x8xf16>, %w: tensor<8xf16>) {
  // CHECK: fx.fused_rms_norm %{{.*}} weight %{{.*}} {normalized_shape = array<i64: 8>} : (tensor<?x8xf16>, tensor<8xf16>) -> (tensor<?x8xf16>, tensor<?x1xf32>)
  %0:2 = fx.fused_rms_norm %a weight %w {normalized_shape = array<i64: 8>} : (tensor<?x8xf16>, tensor<8xf16>) -> (tensor<?x8xf16>, tensor<?x1xf32>)
  return
}

// CHECK-LABEL: func.func @fused_rms_norm_backward(
func.func @fused_rms_norm_backward(%g: tensor<?x8xf32>, %a: tensor<?x8xf32>, %s: tensor<?x1xf32>, %w: tensor<8xf32>) {
  // CHECK: fx.fused_rms_norm_backward %{{.*}}, %{{.*}} rstd %{{.*}} weight %{{.*}} output_mask [true, true] {normalized_shape = array<i64: 8>} : (tensor<?x8xf32>, tensor<?x8xf32>, tensor<?x1xf32>, tensor<8xf32>) -> (tensor<?x8xf32>, tensor<8xf32>)
  %0:2 = fx.fused_rms_norm_backward %g, %a rstd %s weight %w output_mask [true, true] {normalized_shape = array<i64: 8>} : (tensor<?x8xf32>, tensor<?x8xf32>, tensor<?x1xf32>, tensor<8xf32>) -> (tensor<?x8xf32>, tensor<8xf32>)
  return
}

// CHECK-LABEL: func.func @group_norm(
func.func @group_norm(%a: tensor<?x4x5xf32>, %w: tensor<4xf32>, %b: tensor<4xf32>, %c: tensor<4x?xf32>) {
  // CHECK: fx.group_norm %{{.*}} num_groups 2 weight %{{.*}} bias %{{.*}} : (tensor<?x4x5xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<?x4x5xf32>
  %0 = fx.group_norm %a num_groups 2 weight %w bias %b : (tensor<?x4x5xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<?x4x5xf32>
  // CHECK: fx.group_norm %{{.*}} num_groups 3 : (tensor<4x?xf32>) -> tensor<4x?xf32>
  %1 = fx.group_norm %c num_groups 3 : (tensor<4x?xf32>) -> tensor<4x?xf32>
  return
}

// CHECK-LABEL: func.func @native_group_norm(
func.func @native_group_norm(%a: tensor<?x4x5xf16>, %w: tensor<4xf16>, %n: index) {
  // CHECK: fx.native_group_norm %{{.*}} weight %{{.*}} N [%{{.*}}] C [4] HxW [5] group 2 {eps = 1.000000e-05 : f64} : (tensor<?x4x5xf16>, tensor<4xf16>, index) -> (tensor<?x4x5xf16>, tensor<?x2xf16>, tensor<?x2xf16>)
  %0:3 = fx.native_group_norm %a weight %w N [%n] C [4] HxW [5] group 2 {eps = 1.000000e-05 : f64} : (tensor<?x4x5xf16>, tensor<4xf16>, index) -> (tensor<?x4x5xf16>, tensor<?x2xf16>, tensor<?x2xf16>)
  return
}

// CHECK-LABEL: func.func @native_group_norm_backward(
func.func @native_group_norm_backward(%g: tensor<3x4x5xf32>, %a: tensor<3x4x5xf32>, %m: tensor<3x2xf32>, %s: tensor<3x2xf32>) {
  // CHECK: fx.native_group_norm_backward %{{.*}}, %{{.*}} mean %{{.*}} rstd %{{.*}} N [3] C [4] HxW [5] group 2 output_mask [true, true, false] : (tensor<3x4x5xf32>, tensor<3x4x5xf32>, tensor<3x2xf32>, tensor<3x2xf32>) -> (tensor<3x4x5xf32>, tensor<4xf32>, tensor<0xf32>)
  %0:3 = fx.native_group_norm_backward %g, %a mean %m rstd %s N [3] C [4] HxW [5] group 2 output_mask [true, true, false] : (tensor<3x4x5xf32>, tensor<3x4x5xf32>, tensor<3x2xf32>, tensor<3x2xf32>) -> (tensor<3x4x5xf32>, tensor<4xf32>, tensor<0xf32>)
  return
}

// CHECK-LABEL: func.func @batch_norm(
func.func @batch_norm(%a: tensor<?x4x5xf32>, %w: tensor<4xf32>, %m: tensor<4xf32>, %v: tensor<4xf32>) {
  // CHECK: fx.batch_norm %{{.*}} weight %{{.*}} running_mean %{{.*}} running_var %{{.*}} {cudnn_enabled = false, eps = 1.000000e-05 : f64, momentum = 1.000000e-01 : f64, training = false} : (tensor<?x4x5xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<?x4x5xf32>
  %0 = fx.batch_norm %a weight %w running_mean %m running_var %v {cudnn_enabled = false, eps = 1.000000e-05 : f64, momentum = 1.000000e-01 : f64, training = false} : (tensor<?x4x5xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<?x4x5xf32>
  // CHECK: fx.batch_norm %{{.*}} {eps = 1.000000e-05 : f64, momentum = 1.000000e-01 : f64, training = true} : (tensor<?x4x5xf32>) -> tensor<?x4x5xf32>
  %1 = fx.batch_norm %a {eps = 1.000000e-05 : f64, momentum = 1.000000e-01 : f64, training = true} : (tensor<?x4x5xf32>) -> tensor<?x4x5xf32>
  return
}

// CHECK-LABEL: func.func @instance_norm(
func.func @instance_norm(%a: tensor<?x4x5xf32>, %b: tensor<4xf32>) {
  // CHECK: fx.instance_norm %{{.*}} bias %{{.*}} {eps = 1.000000e-05 : f64, momentum = 1.000000e-01 : f64, use_input_stats = true} : (tensor<?x4x5xf32>, tensor<4xf32>) -> tensor<?x4x5xf32>
  %0 = fx.instance_norm %a bias %b {eps = 1.000000e-05 : f64, momentum = 1.000000e-01 : f64, use_input_stats = true} : (tensor<?x4x5xf32>, tensor<4xf32>) -> tensor<?x4x5xf32>
  return
}

// CHECK-LABEL: func.func @native_batch_norm_legit(
func.func @native_batch_norm_legit(%a: tensor<?x4x5xf32>) {
  // CHECK: fx.native_batch_norm_legit %{{.*}} {eps = 1.000000e-05 : f64, momentum = 1.000000e-01 : f64, training = true} : (tensor<?x4x5xf32>) -> (tensor<?x4x5xf32>, tensor<4xf32>, tensor<4xf32>)
  %0:3 = fx.native_batch_norm_legit %a {eps = 1.000000e-05 : f64, momentum = 1.000000e-01 : f64, training = true} : (tensor<?x4x5xf32>) -> (tensor<?x4x5xf32>, tensor<4xf32>, tensor<4xf32>)
  return
}

// CHECK-LABEL: func.func @native_batch_norm_legit_no_training(
func.func @native_batch_norm_legit_no_training(%a: tensor<3x?x5xf32>, %w: tensor<4xf32>, %b: tensor<4xf32>, %m: tensor<4xf32>, %v: tensor<4xf32>) {
  // CHECK: fx.native_batch_norm_legit_no_training %{{.*}} weight %{{.*}} bias %{{.*}} running_mean %{{.*}} running_var %{{.*}} {eps = 1.000000e-05 : f64, momentum = 1.000000e-01 : f64} : (tensor<3x?x5xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<3x?x5xf32>, tensor<0xf32>, tensor<0xf32>)
  %0:3 = fx.native_batch_norm_legit_no_training %a weight %w bias %b running_mean %m running_var %v {eps = 1.000000e-05 : f64, momentum = 1.000000e-01 : f64} : (tensor<3x?x5xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<3x?x5xf32>, tensor<0xf32>, tensor<0xf32>)
  return
}

// CHECK-LABEL: func.func @native_batch_norm_legit_functional(
func.func @native_batch_norm_legit_functional(%a: tensor<3x?x5xf16>, %m: tensor<4xf16>, %v: tensor<4xf16>) {
  // CHECK: fx.native_batch_norm_legit_functional %{{.*}} running_mean %{{.*}} running_var %{{.*}} {eps = 1.000000e-05 : f64, momentum = 1.000000e-01 : f64, training = true} : (tensor<3x?x5xf16>, tensor<4xf16>, tensor<4xf16>) -> (tensor<3x?x5xf16>, tensor<4xf16>, tensor<4xf16>, tensor<4xf32>, tensor<4xf32>)
  %0:5 = fx.native_batch_norm_legit_functional %a running_mean %m running_var %v {eps = 1.000000e-05 : f64, momentum = 1.000000e-01 : f64, training = true} : (tensor<3x?x5xf16>, tensor<4xf16>, tensor<4xf16>) -> (tensor<3x?x5xf16>, tensor<4xf16>, tensor<4xf16>, tensor<4xf32>, tensor<4xf32>)
  // CHECK: fx.native_batch_norm_legit_functional %{{.*}} running_mean %{{.*}} running_var %{{.*}} {eps = 1.000000e-05 : f64, momentum = 1.000000e-01 : f64, training = false} : (tensor<3x?x5xf16>, tensor<4xf16>, tensor<4xf16>) -> (tensor<3x?x5xf16>, tensor<0xf16>, tensor<0xf16>, tensor<4xf32>, tensor<4xf32>)
  %1:5 = fx.native_batch_norm_legit_functional %a running_mean %m running_var %v {eps = 1.000000e-05 : f64, momentum = 1.000000e-01 : f64, training = false} : (tensor<3x?x5xf16>, tensor<4xf16>, tensor<4xf16>) -> (tensor<3x?x5xf16>, tensor<0xf16>, tensor<0xf16>, tensor<4xf32>, tensor<4xf32>)
  return
}

// CHECK-LABEL: func.func @batch_norm_with_update_functional(
func.func @batch_norm_with_update_functional(%a: tensor<3x4xf32>, %w: tensor<4xf32>, %m: tensor<4xf32>, %v: tensor<4xf32>) {
  // CHECK: fx.batch_norm_with_update_functional %{{.*}} weight %{{.*}} running_mean %{{.*}} running_var %{{.*}} {eps = 1.000000e-05 : f64, momentum = 1.000000e-01 : f64} : (tensor<3x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<3x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<0xui8>, tensor<4xf32>, tensor<4xf32>)
  %0:6 = fx.batch_norm_with_update_functional %a weight %w running_mean %m running_var %v {eps = 1.000000e-05 : f64, momentum = 1.000000e-01 : f64} : (tensor<3x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<3x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<0xui8>, tensor<4xf32>, tensor<4xf32>)
  return
}

// CHECK-LABEL: func.func @native_batch_norm_backward(
func.func @native_batch_norm_backward(%g: tensor<3x4x?xf32>, %a: tensor<3x4x?xf32>, %w: tensor<4xf32>, %m: tensor<4xf32>, %v: tensor<4xf32>, %n: tensor<4xf32>, %e: tensor<0xf32>, %f: tensor<0xf32>) {
  // CHECK: fx.native_batch_norm_backward %{{.*}}, %{{.*}} weight %{{.*}} save_mean %{{.*}} save_invstd %{{.*}} output_mask [true, true, false] {eps = 1.000000e-05 : f64, train = true} : (tensor<3x4x?xf32>, tensor<3x4x?xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<3x4x?xf32>, tensor<4xf32>, tensor<0xf32>)
  %0:3 = fx.native_batch_norm_backward %g, %a weight %w save_mean %m save_invstd %v output_mask [true, true, false] {eps = 1.000000e-05 : f64, train = true} : (tensor<3x4x?xf32>, tensor<3x4x?xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<3x4x?xf32>, tensor<4xf32>, tensor<0xf32>)
  // CHECK: fx.native_batch_norm_backward %{{.*}}, %{{.*}} running_mean %{{.*}} running_var %{{.*}} save_mean %{{.*}} save_invstd %{{.*}} output_mask [false, true, true] {eps = 1.000000e-05 : f64, train = false} : (tensor<3x4x?xf32>, tensor<3x4x?xf32>, tensor<4xf32>, tensor<4xf32>, tensor<0xf32>, tensor<0xf32>) -> (tensor<0xf32>, tensor<4xf32>, tensor<4xf32>)
  %1:3 = fx.native_batch_norm_backward %g, %a running_mean %n running_var %v save_mean %e save_invstd %f output_mask [false, true, true] {eps = 1.000000e-05 : f64, train = false} : (tensor<3x4x?xf32>, tensor<3x4x?xf32>, tensor<4xf32>, tensor<4xf32>, tensor<0xf32>, tensor<0xf32>) -> (tensor<0xf32>, tensor<4xf32>, tensor<4xf32>)
  return
}

// CHECK-LABEL: func.func @scaled_dot_product_attention(
func.func @scaled_dot_product_attention(%q: tensor<2x4x?x16xf32>, %k: tensor<1x4x7x16xf32>, %v: tensor<2x1x7x5xf32>, %m: tensor<?x7xi1>, %a: tensor<2x2x7x16xf32>, %b: tensor<2x1x7x16xf32>) {
  // CHECK: fx.scaled_dot_product_attention %{{.*}}, %{{.*}}, %{{.*}} attn_mask %{{.*}} {dropout_p = 1.000000e-01 : f64, scale = 1.250000e-01 : f64} : (tensor<2x4x?x16xf32>, tensor<1x4x7x16xf32>, tensor<2x1x7x5xf32>, tensor<?x7xi1>) -> tensor<2x4x?x5xf32>
  %0 = fx.scaled_dot_product_attention %q, %k, %v attn_mask %m {dropout_p = 1.000000e-01 : f64, scale = 1.250000e-01 : f64} : (tensor<2x4x?x16xf32>, tensor<1x4x7x16xf32>, tensor<2x1x7x5xf32>, tensor<?x7xi1>) -> tensor<2x4x?x5xf32>
  // CHECK: fx.scaled_dot_product_attention %{{.*}}, %{{.*}}, %{{.*}} {enable_gqa = true, is_causal = true} : (tensor<2x4x?x16xf32>, tensor<2x2x7x16xf32>, tensor<2x1x7x16xf32>) -> tensor<2x4x?x16xf32>
  %1 = fx.scaled_dot_product_attention %q, %a, %b {enable_gqa = true, is_causal = true} : (tensor<2x4x?x16xf32>, tensor<2x2x7x16xf32>, tensor<2x1x7x16xf32>) -> tensor<2x4x?x16xf32>
  return
}

// CHECK-LABEL: func.func @scaled_dot_product_flash_attention_for_cpu(
func.func @scaled_dot_product_flash_attention_for_cpu(%q: tensor<2x4x?x16xf32>, %k: tensor<2x4x7x16xf32>, %v: tensor<2x4x7x16xf32>) {
  // CHECK: fx.scaled_dot_product_flash_attention_for_cpu %{{.*}}, %{{.*}}, %{{.*}} {is_causal = true} : (tensor<2x4x?x16xf32>, tensor<2x4x7x16xf32>, tensor<2x4x7x16xf32>) -> (tensor<2x4x?x16xf32>, tensor<2x4x?xf32>)
  %0:2 = fx.scaled_dot_product_flash_attention_for_cpu %q, %k, %v {is_causal = true} : (tensor<2x4x?x16xf32>, tensor<2x4x7x16xf32>, tensor<2x4x7x16xf32>) -> (tensor<2x4x?x16xf32>, tensor<2x4x?xf32>)
  return
}

// CHECK-LABEL: func.func @scaled_dot_product_flash_attention_for_cpu_backward(
func.func @scaled_dot_product_flash_attention_for_cpu_backward(%g: tensor<2x4x8x16xf32>, %q: tensor<2x4x8x16xf32>, %k: tensor<2x4x7x16xf32>, %v: tensor<2x4x7x16xf32>, %o: tensor<2x4x8x16xf32>, %l: tensor<2x4x8xf32>, %m: tensor<8x7xf32>) {
  // CHECK: fx.scaled_dot_product_flash_attention_for_cpu_backward %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} attn_mask %{{.*}} {dropout_p = 0.000000e+00 : f64, is_causal = false} : (tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>, tensor<2x4x7x16xf32>, tensor<2x4x7x16xf32>, tensor<2x4x8x16xf32>, tensor<2x4x8xf32>, tensor<8x7xf32>) -> (tensor<2x4x8x16xf32>, tensor<2x4x7x16xf32>, tensor<2x4x7x16xf32>)
  %0:3 = fx.scaled_dot_product_flash_attention_for_cpu_backward %g, %q, %k, %v, %o, %l attn_mask %m {dropout_p = 0.000000e+00 : f64, is_causal = false} : (tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>, tensor<2x4x7x16xf32>, tensor<2x4x7x16xf32>, tensor<2x4x8x16xf32>, tensor<2x4x8xf32>, tensor<8x7xf32>) -> (tensor<2x4x8x16xf32>, tensor<2x4x7x16xf32>, tensor<2x4x7x16xf32>)
  return
}
