// Constraints of softmax, norms and attention, each violated.
// RUN: fx-opt %s -split-input-file -verify-diagnostics

func.func @softmax_c1(%a: tensor<4x8xf32>) {
  // expected-error @+2 {{'fx.softmax' op dim 2 is out of range for an operand of rank 2}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = fx.softmax %a dim 2 : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @softmax_c2(%a: tensor<4x8xi64>) {
  // expected-error @+2 {{'fx.log_softmax' op expects a float type to compute in, got i64}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = fx.log_softmax %a dim 1 : (tensor<4x8xi64>) -> tensor<4x8xf32>
  return
}

// -----

func.func @softmax_c3(%a: tensor<4x8xf64>) {
  // expected-error @+2 {{'fx.softmax' op half_to_float expects an f16 or bf16 input, got f64}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = fx.softmax %a dim 1 {half_to_float = true} : (tensor<4x8xf64>) -> tensor<4x8xf32>
  return
}

// -----

func.func @softmax_backward_c1(%a: tensor<4x8xf32>) {
  // expected-error @+2 {{'fx.softmax_backward_data' op dim 2 is out of range for an operand of rank 2}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = fx.softmax_backward_data %a, %a dim 2 {input_dtype = f32} : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @softmax_backward_c2(%a: tensor<4x8xf32>, %b: tensor<4x7xf32>) {
  // expected-error @+2 {{'fx.softmax_backward_data' op output: expected equal sizes, got 7 and 8}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = fx.softmax_backward_data %a, %b dim 1 {input_dtype = f32} : (tensor<4x8xf32>, tensor<4x7xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @softmax_backward_c3(%a: tensor<4x8xf32>) {
  // expected-error @+2 {{'fx.log_softmax_backward_data' op expects input_dtype to be float, got i32}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = fx.log_softmax_backward_data %a, %a dim 1 {input_dtype = i32} : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @layer_norm_c1(%a: tensor<4x8xf32>) {
  // expected-error @+2 {{'fx.layer_norm' op expects 1 to 2 normalized dims, got 3}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = fx.layer_norm %a normalized_shape [2, 4, 8] : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @layer_norm_c2(%a: tensor<4x8xf32>) {
  // expected-error @+2 {{'fx.rms_norm' op normalized_shape: expected equal sizes, got 7 and 8}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = fx.rms_norm %a normalized_shape [7] : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @layer_norm_c3(%a: tensor<4x8xf32>, %b: tensor<7xf32>) {
  // expected-error @+2 {{'fx.native_layer_norm' op bias: expected equal sizes, got 7 and 8}}
  // expected-error @+1 {{failed to infer returned types}}
  %0:3 = fx.native_layer_norm %a normalized_shape [8] bias %b {eps = 0.1 : f64} : (tensor<4x8xf32>, tensor<7xf32>) -> (tensor<4x8xf32>, tensor<4x1xf32>, tensor<4x1xf32>)
  return
}

// -----

func.func @output_mask_c1(%g: tensor<4x8xf32>, %a: tensor<4x8xf32>, %m: tensor<4x1xf32>, %s: tensor<4x1xf32>) {
  // expected-error @+2 {{'fx.native_layer_norm_backward' op expects output_mask to have 3 entries, got 1}}
  // expected-error @+1 {{failed to infer returned types}}
  %0:3 = fx.native_layer_norm_backward %g, %a normalized_shape [8] mean %m rstd %s output_mask [true] : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x1xf32>, tensor<4x1xf32>) -> (tensor<4x8xf32>, tensor<0xf32>, tensor<0xf32>)
  return
}

// -----

func.func @norm_backward_c1(%g: tensor<3x8xf32>, %a: tensor<4x8xf32>, %m: tensor<4x1xf32>, %s: tensor<4x1xf32>) {
  // expected-error @+2 {{'fx.native_layer_norm_backward' op grad_out: expected equal sizes, got 3 and 4}}
  // expected-error @+1 {{failed to infer returned types}}
  %0:3 = fx.native_layer_norm_backward %g, %a normalized_shape [8] mean %m rstd %s output_mask [true, true, true] : (tensor<3x8xf32>, tensor<4x8xf32>, tensor<4x1xf32>, tensor<4x1xf32>) -> (tensor<4x8xf32>, tensor<0xf32>, tensor<0xf32>)
  return
}

// -----

func.func @group_norm_c1(%a: tensor<2x4x5xf32>) {
  // expected-error @+2 {{'fx.group_norm' op expects a positive number of groups that divides the number of channels, got 3 for 4}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = fx.group_norm %a num_groups 3 : (tensor<2x4x5xf32>) -> tensor<2x4x5xf32>
  return
}

// -----

func.func @group_norm_c4(%a: tensor<4xf32>) {
  // expected-error @+2 {{'fx.group_norm' op expects an input of rank >= 2, got 1}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = fx.group_norm %a num_groups 1 : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @group_norm_c1__zero(%a: tensor<2x?xf32>) {
  // expected-error @+2 {{'fx.group_norm' op expects a positive number of groups that divides the number of channels, got 0 for ?}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = fx.group_norm %a num_groups 0 : (tensor<2x?xf32>) -> tensor<2x?xf32>
  return
}

// -----

func.func @group_norm_c2(%a: tensor<2x4x5xf32>, %w: tensor<3xf32>) {
  // expected-error @+2 {{'fx.group_norm' op weight: expected equal sizes, got 3 and 4}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = fx.group_norm %a num_groups 2 weight %w : (tensor<2x4x5xf32>, tensor<3xf32>) -> tensor<2x4x5xf32>
  return
}

// -----

func.func @group_norm_c3(%a: tensor<2x4x5xf32>) {
  // expected-error @+2 {{'fx.native_group_norm' op N * C * HxW: expected equal sizes, got 48 and 40}}
  // expected-error @+1 {{failed to infer returned types}}
  %0:3 = fx.native_group_norm %a N [2] C [4] HxW [6] group 2 {eps = 0.1 : f64} : (tensor<2x4x5xf32>) -> (tensor<2x4x5xf32>, tensor<2x2xf32>, tensor<2x2xf32>)
  return
}

// -----

func.func @batch_norm_c1(%a: tensor<4xf32>) {
  // expected-error @+2 {{'fx.native_batch_norm_legit' op expects an input of rank >= 2, got 1}}
  // expected-error @+1 {{failed to infer returned types}}
  %0:3 = fx.native_batch_norm_legit %a {training = true, momentum = 0.1, eps = 0.1} : (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>)
  return
}

// -----

func.func @batch_norm_c2(%a: tensor<2x4xf32>, %w: tensor<3xf32>) {
  // expected-error @+2 {{'fx.batch_norm' op parameters of the channels: expected equal sizes, got 3 and 4}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = fx.batch_norm %a weight %w {training = true, momentum = 0.1, eps = 0.1} : (tensor<2x4xf32>, tensor<3xf32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @batch_norm_c3(%a: tensor<2x4xf32>) {
  // expected-error @+2 {{'fx.batch_norm' op expects running_mean and running_var unless it is training}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = fx.batch_norm %a {training = false, momentum = 0.1, eps = 0.1} : (tensor<2x4xf32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @attention_c1(%q: tensor<4xf32>, %k: tensor<8x4xf32>) {
  // expected-error @+2 {{'fx.scaled_dot_product_attention' op expects query, key and value of rank >= 2, got 1, 2 and 2}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = fx.scaled_dot_product_attention %q, %k, %k : (tensor<4xf32>, tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @attention_c2(%q: tensor<8x4xf32>, %k: tensor<8x4xf16>) {
  // expected-error @+2 {{'fx.scaled_dot_product_attention' op expects query, key and value of one element type, got f32, f16 and f16}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = fx.scaled_dot_product_attention %q, %k, %k : (tensor<8x4xf32>, tensor<8x4xf16>, tensor<8x4xf16>) -> tensor<8x4xf32>
  return
}

// -----

func.func @attention_c3(%q: tensor<8x4xf32>, %k: tensor<8x5xf32>) {
  // expected-error @+2 {{'fx.scaled_dot_product_attention' op last size of query and key: expected equal sizes, got 5 and 4}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = fx.scaled_dot_product_attention %q, %k, %k : (tensor<8x4xf32>, tensor<8x5xf32>, tensor<8x5xf32>) -> tensor<8x5xf32>
  return
}

// -----

func.func @attention_c3__length(%q: tensor<8x4xf32>, %v: tensor<7x4xf32>) {
  // expected-error @+2 {{'fx.scaled_dot_product_attention' op length of key and value: expected equal sizes, got 7 and 8}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = fx.scaled_dot_product_attention %q, %q, %v : (tensor<8x4xf32>, tensor<8x4xf32>, tensor<7x4xf32>) -> tensor<8x4xf32>
  return
}

// -----

func.func @attention_c4(%q: tensor<2x8x4xf32>, %k: tensor<3x8x4xf32>) {
  // expected-error @+2 {{'fx.scaled_dot_product_attention' op operands do not broadcast: size 2 against 3 in dim 0}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = fx.scaled_dot_product_attention %q, %k, %k : (tensor<2x8x4xf32>, tensor<3x8x4xf32>, tensor<3x8x4xf32>) -> tensor<2x8x4xf32>
  return
}

// -----

func.func @attention_c5(%q: tensor<8x4xf32>, %m: tensor<8x8xi64>) {
  // expected-error @+2 {{'fx.scaled_dot_product_attention' op expects attn_mask to be bool, f32 or of the query's type, got i64}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = fx.scaled_dot_product_attention %q, %q, %q attn_mask %m : (tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x8xi64>) -> tensor<8x4xf32>
  return
}

// -----

func.func @attention_c5__sizes(%q: tensor<8x4xf32>, %m: tensor<8x7xi1>) {
  // expected-error @+2 {{'fx.scaled_dot_product_attention' op operands do not broadcast: size 8 against 7 in dim 1}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = fx.scaled_dot_product_attention %q, %q, %q attn_mask %m : (tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x7xi1>) -> tensor<8x4xf32>
  return
}

// -----

func.func @attention_c6(%q: tensor<8x4xf32>, %m: tensor<8x8xi1>) {
  // expected-error @+2 {{'fx.scaled_dot_product_attention' op expects no attn_mask when is_causal}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = fx.scaled_dot_product_attention %q, %q, %q attn_mask %m {is_causal = true} : (tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x8xi1>) -> tensor<8x4xf32>
  return
}

// -----

func.func @attention_c7(%q: tensor<4x8x4xf32>, %k: tensor<3x8x4xf32>) {
  // expected-error @+2 {{'fx.scaled_dot_product_attention' op expects the number of heads of the key to divide the query's, got 3 and 4}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = fx.scaled_dot_product_attention %q, %k, %k {enable_gqa = true} : (tensor<4x8x4xf32>, tensor<3x8x4xf32>, tensor<3x8x4xf32>) -> tensor<4x8x4xf32>
  return
}

// -----

func.func @flash_attention_c1(%q: tensor<4x8x4xf32>) {
  // expected-error @+2 {{'fx.scaled_dot_product_flash_attention_for_cpu' op expects query, key and value of rank 4, got 3, 3 and 3}}
  // expected-error @+1 {{failed to infer returned types}}
  %0:2 = fx.scaled_dot_product_flash_attention_for_cpu %q, %q, %q : (tensor<4x8x4xf32>, tensor<4x8x4xf32>, tensor<4x8x4xf32>) -> (tensor<4x8x4xf32>, tensor<4x8xf32>)
  return
}

// -----

func.func @flash_attention_backward_c1(%g: tensor<2x4x7x4xf32>, %q: tensor<2x4x8x4xf32>, %l: tensor<2x4x8xf32>) {
  // expected-error @+2 {{'fx.scaled_dot_product_flash_attention_for_cpu_backward' op grad_out: expected equal sizes, got 7 and 8}}
  // expected-error @+1 {{failed to infer returned types}}
  %0:3 = fx.scaled_dot_product_flash_attention_for_cpu_backward %g, %q, %q, %q, %q, %l {dropout_p = 0.0, is_causal = false} : (tensor<2x4x7x4xf32>, tensor<2x4x8x4xf32>, tensor<2x4x8x4xf32>, tensor<2x4x8x4xf32>, tensor<2x4x8x4xf32>, tensor<2x4x8xf32>) -> (tensor<2x4x8x4xf32>, tensor<2x4x8x4xf32>, tensor<2x4x8x4xf32>)
  return
}
