// Where kernels sort, rows of known lengths are one call of what they are put in order by and what is put in order; others stay
// with the host.
// RUN: fx-opt %s --pass-pipeline='builtin.module(func.func(convert-fx-to-linalg{sort-in-kernels=true},canonicalize,cse))' | FileCheck %s

// Keys: NaN is the greatest, -0 is 0; all bits are the other way round, as the greatest comes first.
// CHECK-LABEL: func.func @topk(
// CHECK-SAME:    %[[X:.*]]: tensor<4x8xf32>
// CHECK-DAG:     %[[SIGN:.*]] = arith.constant -2147483648 : i32
// CHECK-DAG:     %[[INFINITY:.*]] = arith.constant 2139095040 : i32
// CHECK-DAG:     %[[ONES:.*]] = arith.constant -1 : i32
// CHECK:         %[[KEYS:.*]] = linalg.generic {{.*}} ins(%[[X]] : tensor<4x8xf32>)
// CHECK:           %[[BITS:.*]] = arith.bitcast %{{.*}} : f32 to i32
// CHECK:           %[[NAN:.*]] = arith.cmpi sgt, %{{.*}}, %[[INFINITY]]
// CHECK:           %[[KEY:.*]] = arith.select %[[NAN]], %[[ONES]], %{{.*}}
// CHECK:           arith.xori %[[KEY]], %[[ONES]]
// CHECK:         fx.call "fx::sort_rows"(%[[KEYS]], %[[X]]) args {from = 0 : i64}
// CHECK-SAME:      (tensor<4x8xi32>, tensor<4x8xf32>) -> (tensor<4x3xf32>, tensor<4x3xi64>)
func.func @topk(%x: tensor<4x8xf32>) -> (tensor<4x3xf32>, tensor<4x3xi64>) {
  %v, %i = fx.topk %x k [3] dim 1 : (tensor<4x8xf32>) -> (tensor<4x3xf32>, tensor<4x3xi64>)
  return %v, %i : tensor<4x3xf32>, tensor<4x3xi64>
}

// The dim moves to the end and back. Unsigned numbers are their own keys.
// CHECK-LABEL: func.func @inner_dim(
// CHECK:         %[[KEYS:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<?x5x8xi8>)
// CHECK-NOT:       arith
// CHECK:         fx.call "fx::sort_rows"(%[[KEYS]], %{{.*}}) args {from = 0 : i64}
// CHECK-SAME:      (tensor<?x5x8xi8>, tensor<?x5x8xi8>, index) -> (tensor<?x5x8xi8>, tensor<?x5x8xi64>)
// CHECK:         linalg.generic {{.*}} outs(%{{.*}} : tensor<?x8x5xi64>)
func.func @inner_dim(%x: tensor<?x8x5xui8>) -> tensor<?x8x5xi64> {
  %i = fx.argsort %x dim 1 : (tensor<?x8x5xui8>) -> tensor<?x8x5xi64>
  return %i : tensor<?x8x5xi64>
}

// CHECK-LABEL: func.func @kthvalue(
// CHECK:         fx.call "fx::sort_rows"(%{{.*}}, %{{.*}}) args {from = 2 : i64} {{.*}} -> (tensor<4x1xf32>, tensor<4x1xi64>)
func.func @kthvalue(%x: tensor<4x8xf32>) -> tensor<4xf32> {
  %v, %i = fx.kthvalue %x k [3] dim 1 : (tensor<4x8xf32>) -> (tensor<4xf32>, tensor<4xi64>)
  return %v : tensor<4xf32>
}

// Which of equal integers is selected is the host's choice.
// CHECK-LABEL: func.func @integers(
// CHECK:         fx.call "fx::sort_rows"
// CHECK:         fx.call "fx::topk"
// CHECK:         fx.call "fx::kthvalue"
// CHECK:         fx.call "fx::median"
func.func @integers(%x: tensor<4x8xi32>) -> (tensor<4x8xi64>, tensor<4x3xi64>, tensor<4xi64>, tensor<4xi64>) {
  %i = fx.argsort %x dim 1 : (tensor<4x8xi32>) -> tensor<4x8xi64>
  %v, %j = fx.topk %x k [3] dim 1 : (tensor<4x8xi32>) -> (tensor<4x3xi32>, tensor<4x3xi64>)
  %w, %k = fx.kthvalue %x k [3] dim 1 : (tensor<4x8xi32>) -> (tensor<4xi32>, tensor<4xi64>)
  %m, %l = fx.median_dim %x dim 1 : (tensor<4x8xi32>) -> (tensor<4xi32>, tensor<4xi64>)
  return %i, %j, %k, %l : tensor<4x8xi64>, tensor<4x3xi64>, tensor<4xi64>, tensor<4xi64>
}

// The first NaN, or what is in the middle.
// CHECK-LABEL: func.func @median(
// CHECK:         fx.call "fx::sort_rows"
// CHECK:         arith.cmpf une
// CHECK:         tensor.extract
func.func @median(%x: tensor<4x8xf32>) -> tensor<4xf32> {
  %v, %i = fx.median_dim %x dim 1 : (tensor<4x8xf32>) -> (tensor<4xf32>, tensor<4xi64>)
  return %v : tensor<4xf32>
}

// One element, none, and no row.
// CHECK-LABEL: func.func @trivial(
// CHECK-NOT:     fx.call
// CHECK:         return
func.func @trivial(%a: tensor<4x1xf32>, %b: tensor<4x8xf32>, %c: tensor<0x8xf32>) -> (tensor<4x1xf32>, tensor<4x0xf32>, tensor<0x8xi64>) {
  %v, %i = fx.sort %a dim 1 : (tensor<4x1xf32>) -> (tensor<4x1xf32>, tensor<4x1xi64>)
  %w, %j = fx.topk %b k [0] dim 1 : (tensor<4x8xf32>) -> (tensor<4x0xf32>, tensor<4x0xi64>)
  %k = fx.argsort %c dim 1 : (tensor<0x8xf32>) -> tensor<0x8xi64>
  return %v, %w, %k : tensor<4x1xf32>, tensor<4x0xf32>, tensor<0x8xi64>
}

// CHECK-LABEL: func.func @of_any_length(
// CHECK:         fx.call "fx::sort"(
// CHECK:         fx.call "fx::topk"(
// CHECK:         fx.call "fx::topk"(
func.func @of_any_length(%x: tensor<?xf32>, %y: tensor<16385xf32>, %z: tensor<8xf32>, %k: index) -> (tensor<?xf32>, tensor<2xf32>, tensor<?xf32>) {
  %v, %i = fx.sort %x dim 0 : (tensor<?xf32>) -> (tensor<?xf32>, tensor<?xi64>)
  %w, %j = fx.topk %y k [2] dim 0 : (tensor<16385xf32>) -> (tensor<2xf32>, tensor<2xi64>)
  %u, %l = fx.topk %z k [%k] dim 0 : (tensor<8xf32>, index) -> (tensor<?xf32>, tensor<?xi64>)
  return %v, %w, %u : tensor<?xf32>, tensor<2xf32>, tensor<?xf32>
}
