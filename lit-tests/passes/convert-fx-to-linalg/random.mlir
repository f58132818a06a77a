// A random op reads the generator's state once; its elements depend on the state and on their index alone.
// RUN: fx-opt %s --pass-pipeline='builtin.module(func.func(convert-fx-to-linalg))' | FileCheck %s

// CHECK-LABEL: func.func @uniform(
// CHECK:         %[[STATE:.*]] = fx.call "fx::random_state"() {{.*}} : () -> tensor<2xi64>
// CHECK:         linalg.generic
// CHECK-DAG:       tensor.extract %[[STATE]]
// CHECK-DAG:       tensor.extract %[[STATE]]
// CHECK-COUNT-20:  arith.muli %{{.*}}, %{{.*}} : i64
// CHECK:           arith.shrui
// CHECK:           %[[WHOLE:.*]] = arith.sitofp %{{.*}} : i32 to f32
// CHECK:           %[[Y:.*]] = arith.mulf %[[WHOLE]]
// CHECK:           linalg.yield %[[Y]] : f32
func.func @uniform() -> tensor<8xf32> {
  %y = fx.rand[8] : tensor<8xf32>
  return %y : tensor<8xf32>
}

// Equal ops draw different numbers.
// CHECK-LABEL: func.func @twice(
// CHECK-COUNT-2: fx.call "fx::random_state"()
func.func @twice() -> (tensor<8xf32>, tensor<8xf32>) {
  %a = fx.randn[8] : tensor<8xf32>
  %b = fx.randn[8] : tensor<8xf32>
  return %a, %b : tensor<8xf32>, tensor<8xf32>
}

// CHECK-LABEL: func.func @integers(
// CHECK:         arith.remui
// CHECK:         arith.addi
func.func @integers(%x: tensor<4xf32>) -> tensor<4xi32> {
  %y = fx.randint_like %x[-3] to [5] as i32 : (tensor<4xf32>) -> tensor<4xi32>
  return %y : tensor<4xi32>
}

// CHECK-LABEL: func.func @permutation(
// CHECK:         fx.call "fx::randperm"(%{{.*}}) {{.*}} : (index) -> tensor<?xi64>
// CHECK:         arith.trunci
func.func @permutation(%n: index) -> tensor<?xi32> {
  %y = fx.randperm[%n] as i32 : tensor<?xi32>
  return %y : tensor<?xi32>
}

// CHECK-LABEL: func.func @weights(
// CHECK:         fx.call "fx::multinomial"(%{{.*}}) args {replacement = true} {{.*}} : (tensor<2x8xf16>) -> tensor<2x3xi64>
func.func @weights(%w: tensor<2x8xf16>) -> tensor<2x3xi64> {
  %y = fx.multinomial %w[3] replacement true : (tensor<2x8xf16>) -> tensor<2x3xi64>
  return %y : tensor<2x3xi64>
}
