// A custom operator with its derivative: a function of operands, results and cotangents.
// RUN: fx-opt %s --split-input-file --fx-autodiff=cotangents=arguments | FileCheck %s
// RUN: not fx-opt %s --fx-autodiff="function=wrong" 2>&1 | FileCheck %s --check-prefix=WRONG

// CHECK-LABEL: func.func @main
// CHECK:         %[[Y:.*]] = fx.call "my::cube"(%arg0)
// CHECK:         %[[S:.*]] = fx.mul %arg0, %arg0
// CHECK:         fx.mul %arg1, %[[S]]
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = fx.call "my::cube"(%x) {fx.vjp = @cube_vjp} : (tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
func.func private @cube_vjp(%x: tensor<4xf32>, %y: tensor<4xf32>, %g: tensor<4xf32>) -> tensor<4xf32> {
  %three = arith.constant 3.0 : f64
  %s = fx.mul %x, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %p = fx.mul %g, %s : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %d = fx.mul %p, %three : (tensor<4xf32>, f64) -> tensor<4xf32>
  return %d : tensor<4xf32>
}

// WRONG: error: 'fx.call' op needs a 'fx.vjp' of type (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>), '@cube_vjp' has (tensor<4xf32>
func.func @wrong(%x: tensor<2xf32>) -> tensor<2xf32> {
  %y = fx.call "my::cube"(%x) {fx.vjp = @cube_vjp} : (tensor<2xf32>) -> tensor<2xf32>
  return %y : tensor<2xf32>
}
