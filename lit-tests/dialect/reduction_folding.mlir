// Folders of reductions, and which ops may be removed or merged.
// RUN: fx-opt %s -canonicalize -cse | FileCheck %s

// A reduction of one element is that element.
// CHECK-LABEL: func.func @one_element(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: tensor<f32>, %[[Y:[a-z0-9]+]]: tensor<4x1xf32>, %[[B:[a-z0-9]+]]: tensor<1xi1>)
// CHECK-NEXT:    return %[[X]], %[[Y]], %[[Y]], %[[B]], %[[Y]]
func.func @one_element(%x: tensor<f32>, %y: tensor<4x1xf32>, %b: tensor<1xi1>)
    -> (tensor<f32>, tensor<4x1xf32>, tensor<4x1xf32>, tensor<1xi1>, tensor<4x1xf32>) {
  %0 = fx.amax %x : (tensor<f32>) -> tensor<f32>
  %1 = fx.amin %y dim [-1] {keepdim = true} : (tensor<4x1xf32>) -> tensor<4x1xf32>
  %2 = fx.prod %y dim [1] {keepdim = true} : (tensor<4x1xf32>) -> tensor<4x1xf32>
  %3 = fx.any %b {keepdim = true} : (tensor<1xi1>) -> tensor<1xi1>
  %4 = fx.cumprod %y dim 1 : (tensor<4x1xf32>) -> tensor<4x1xf32>
  return %0, %1, %2, %3, %4 : tensor<f32>, tensor<4x1xf32>, tensor<4x1xf32>, tensor<1xi1>, tensor<4x1xf32>
}

// The sum of -0.0 is 0.0, so only integer sums fold.
// CHECK-LABEL: func.func @one_term(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: tensor<f32>, %[[I:[a-z0-9]+]]: tensor<1xi64>)
// CHECK-NEXT:    %[[SUM:.*]] = fx.sum
// CHECK-NEXT:    return %[[SUM]], %[[I]], %[[I]]
func.func @one_term(%x: tensor<f32>, %i: tensor<1xi64>) -> (tensor<f32>, tensor<1xi64>, tensor<1xi64>) {
  %0 = fx.sum %x : (tensor<f32>) -> tensor<f32>
  %1 = fx.sum %i dim [0] {keepdim = true} : (tensor<1xi64>) -> tensor<1xi64>
  %2 = fx.cumsum %i dim 0 : (tensor<1xi64>) -> tensor<1xi64>
  return %0, %1, %2 : tensor<f32>, tensor<1xi64>, tensor<1xi64>
}

// A result type that says less than the input's, another type, or u8, which becomes 0 or 1: no fold.
// CHECK-LABEL: func.func @no_fold(
// CHECK:         fx.amax
// CHECK:         fx.sum
// CHECK:         fx.all
func.func @no_fold(%x: tensor<?x?xf32>, %b: tensor<1xi1>, %u: tensor<1xui8>) -> (tensor<?x?xf32>, tensor<1xi64>, tensor<1xui8>) {
  %0 = fx.amax %x dim [0] {keepdim = true} : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %1 = fx.sum %b dim [0] {keepdim = true} : (tensor<1xi1>) -> tensor<1xi64>
  %2 = fx.all %u dim [0] {keepdim = true} : (tensor<1xui8>) -> tensor<1xui8>
  return %0, %1, %2 : tensor<?x?xf32>, tensor<1xi64>, tensor<1xui8>
}

// Without dims `all` reduces everything; with an empty list, nothing.
// CHECK-LABEL: func.func @all_of_no_dims(
// CHECK-SAME:    %[[B:.*]]: tensor<4xi1>)
// CHECK-NEXT:    return %[[B]]
func.func @all_of_no_dims(%b: tensor<4xi1>) -> tensor<4xi1> {
  %0 = fx.all %b dim [] : (tensor<4xi1>) -> tensor<4xi1>
  return %0 : tensor<4xi1>
}

// Attention without dropout is pure: the two calls become one, and the unused one goes.
// CHECK-LABEL: func.func @attention(
// CHECK-COUNT-1: fx.scaled_dot_product_attention
// CHECK-NOT:     fx.scaled_dot_product_attention
// CHECK:         return
func.func @attention(%q: tensor<8x4xf32>) -> (tensor<8x4xf32>, tensor<8x4xf32>) {
  %0 = fx.scaled_dot_product_attention %q, %q, %q : (tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x4xf32>
  %1 = fx.scaled_dot_product_attention %q, %q, %q : (tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x4xf32>
  %2 = fx.scaled_dot_product_attention %q, %q, %q {is_causal = true} : (tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x4xf32>
  return %0, %1 : tensor<8x4xf32>, tensor<8x4xf32>
}

// With dropout each call draws anew.
// CHECK-LABEL: func.func @attention_dropout(
// CHECK-COUNT-2: fx.scaled_dot_product_attention
// CHECK:         return
func.func @attention_dropout(%q: tensor<8x4xf32>) -> (tensor<8x4xf32>, tensor<8x4xf32>) {
  %0 = fx.scaled_dot_product_attention %q, %q, %q {dropout_p = 0.5 : f64} : (tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x4xf32>
  %1 = fx.scaled_dot_product_attention %q, %q, %q {dropout_p = 0.5 : f64} : (tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x4xf32>
  return %0, %1 : tensor<8x4xf32>, tensor<8x4xf32>
}
