// Attention's gradients are products with weights that are made again from the normalizers; masked ones are 0.
// RUN: fx-opt %s --pass-pipeline='builtin.module(func.func(fx-decompose))' | FileCheck %s

// CHECK-LABEL: func.func @attention(
// CHECK-SAME:    %[[G:.*]]: tensor<1x2x4x8xf32>, %[[Q:.*]]: tensor<1x2x4x8xf32>, %[[K:.*]]: tensor<1x2x6x8xf32>
// CHECK:         fx.bmm
// CHECK:         fx.where
// CHECK:         %[[E:.*]] = fx.exp
// CHECK:         %[[W:.*]] = fx.where %{{.*}}, %{{.*}}, %[[E]]
// CHECK:         %[[D:.*]] = fx.mul %[[W]], %{{.*}}
// CHECK-COUNT-3: fx.bmm
// CHECK-NOT:     fx.bmm
// CHECK:         return
func.func @attention(%g: tensor<1x2x4x8xf32>, %q: tensor<1x2x4x8xf32>, %k: tensor<1x2x6x8xf32>, %v: tensor<1x2x6x8xf32>, %y: tensor<1x2x4x8xf32>, %sum: tensor<1x2x4xf32>) -> (tensor<1x2x4x8xf32>, tensor<1x2x6x8xf32>, tensor<1x2x6x8xf32>) {
  %dq, %dk, %dv = fx.scaled_dot_product_flash_attention_for_cpu_backward %g, %q, %k, %v, %y, %sum {dropout_p = 0.0 : f64, is_causal = true}
    : (tensor<1x2x4x8xf32>, tensor<1x2x4x8xf32>, tensor<1x2x6x8xf32>, tensor<1x2x6x8xf32>, tensor<1x2x4x8xf32>, tensor<1x2x4xf32>) -> (tensor<1x2x4x8xf32>, tensor<1x2x6x8xf32>, tensor<1x2x6x8xf32>)
  return %dq, %dk, %dv : tensor<1x2x4x8xf32>, tensor<1x2x6x8xf32>, tensor<1x2x6x8xf32>
}
