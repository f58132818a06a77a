// A function of the user's own that gives its operand in another shape: its derivative is the one that it brings along, not the
// one of a view.
// RUN: fx-opt %s --fx-autodiff=cotangents=arguments --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @main
// CHECK:         %[[Y:.*]] = fx.call "my::flat"(%arg0)
// CHECK:         %[[V:.*]] = fx.view %arg1 [2, 2]
// CHECK:         %[[G:.*]] = fx.neg %[[V]]
// CHECK:         return %[[Y]], %[[G]]
func.func @main(%x: tensor<2x2xf32>) -> tensor<4xf32> {
  %y = fx.call "my::flat"(%x) {fx.vjp = @flat_vjp} : (tensor<2x2xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
func.func private @flat_vjp(%x: tensor<2x2xf32>, %y: tensor<4xf32>, %g: tensor<4xf32>) -> tensor<2x2xf32> {
  %v = fx.view %g [2, 2] : (tensor<4xf32>) -> tensor<2x2xf32>
  %n = fx.neg %v : (tensor<2x2xf32>) -> tensor<2x2xf32>
  return %n : tensor<2x2xf32>
}
