// Gradients of attention, of which one row sees one key, and one row none.
// RUN: fxc run %s | FileCheck %s

// CHECK:      output.0 f32 [1, 1, 2, 1] {{.*}} [0, 0]
// CHECK-NEXT: output.1 f32 [1, 1, 2, 1] {{.*}} [0, 0]
// CHECK-NEXT: output.2 f32 [1, 1, 2, 1] {{.*}} [0, 3]
// Two equal keys: weights 1/2, g value - rowsum(g out) = -1 and 1.
// CHECK-NEXT: output.3 f32 [1, 1, 1, 1] [0]
// CHECK-NEXT: output.4 f32 [1, 1, 2, 1] {{.*}} [-2{{(.00000)?}}, 2{{(.00000)?}}]
// CHECK-NEXT: output.5 f32 [1, 1, 2, 1] {{.*}} [0.500000, 0.500000]
func.func @main() -> (tensor<1x1x2x1xf32>, tensor<1x1x2x1xf32>, tensor<1x1x2x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x2x1xf32>, tensor<1x1x2x1xf32>) {
  %q = arith.constant dense<[[[[2.0], [5.0]]]]> : tensor<1x1x2x1xf32>
  %k = arith.constant dense<[[[[7.0], [0.5]]]]> : tensor<1x1x2x1xf32>
  %v = arith.constant dense<[[[[1.0], [4.0]]]]> : tensor<1x1x2x1xf32>
  %mask = arith.constant dense<[[false, true], [false, false]]> : tensor<2x2xi1>
  %y, %sum = fx.scaled_dot_product_flash_attention_for_cpu %q, %k, %v attn_mask %mask {is_causal = false} : (tensor<1x1x2x1xf32>, tensor<1x1x2x1xf32>, tensor<1x1x2x1xf32>, tensor<2x2xi1>) -> (tensor<1x1x2x1xf32>, tensor<1x1x2xf32>)
  %g = arith.constant dense<[[[[3.0], [8.0]]]]> : tensor<1x1x2x1xf32>
  %dq, %dk, %dv = fx.scaled_dot_product_flash_attention_for_cpu_backward %g, %q, %k, %v, %y, %sum attn_mask %mask {dropout_p = 0.0 : f64, is_causal = false} : (tensor<1x1x2x1xf32>, tensor<1x1x2x1xf32>, tensor<1x1x2x1xf32>, tensor<1x1x2x1xf32>, tensor<1x1x2x1xf32>, tensor<1x1x2xf32>, tensor<2x2xi1>) -> (tensor<1x1x2x1xf32>, tensor<1x1x2x1xf32>, tensor<1x1x2x1xf32>)

  %p = arith.constant dense<2.0> : tensor<1x1x1x1xf32>
  %same = arith.constant dense<3.0> : tensor<1x1x2x1xf32>
  %w = arith.constant dense<[[[[1.0], [3.0]]]]> : tensor<1x1x2x1xf32>
  %z, %log = fx.scaled_dot_product_flash_attention_for_cpu %p, %same, %w {scale = 2.0 : f64} : (tensor<1x1x1x1xf32>, tensor<1x1x2x1xf32>, tensor<1x1x2x1xf32>) -> (tensor<1x1x1x1xf32>, tensor<1x1x1xf32>)
  %one = arith.constant dense<1.0> : tensor<1x1x1x1xf32>
  %dp, %ds, %dw = fx.scaled_dot_product_flash_attention_for_cpu_backward %one, %p, %same, %w, %z, %log {dropout_p = 0.0 : f64, is_causal = false, scale = 2.0 : f64} : (tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x2x1xf32>, tensor<1x1x2x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1xf32>) -> (tensor<1x1x1x1xf32>, tensor<1x1x2x1xf32>, tensor<1x1x2x1xf32>)
  return %dq, %dk, %dv, %dp, %ds, %dw : tensor<1x1x2x1xf32>, tensor<1x1x2x1xf32>, tensor<1x1x2x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x2x1xf32>, tensor<1x1x2x1xf32>
}
