// Gradients of pooling gather: a reduction over the windows that may hold an element, whose places may be compared.
// RUN: fx-opt %s --pass-pipeline='builtin.module(func.func(convert-fx-to-linalg))' | FileCheck %s

// Two windows overlap at most.
// CHECK-LABEL: func.func @mean(
// CHECK:         linalg.generic {{.*}}ins(%{{.*}} : tensor<2x2xi8>) outs(%{{.*}} : tensor<2x3x7x5xf32>)
// CHECK:           arith.divf
func.func @mean(%g: tensor<2x3x3x3xf32>, %x: tensor<2x3x7x5xf32>) -> tensor<2x3x7x5xf32> {
  %y = fx.adaptive_avg_pool2d_backward %g, %x : (tensor<2x3x3x3xf32>, tensor<2x3x7x5xf32>) -> tensor<2x3x7x5xf32>
  return %y : tensor<2x3x7x5xf32>
}

// CHECK-LABEL: func.func @maximum(
// CHECK-SAME:    %{{[^:]*}}: tensor<2x3x3x3xf32>, %{{[^:]*}}: tensor<2x3x7x5xf32>, %[[AT:.*]]: tensor<2x3x3x3xi64>)
// CHECK:         linalg.generic {{.*}}ins(%{{.*}} : tensor<2x2xi8>) outs(%{{.*}} : tensor<2x3x7x5xf32>)
// CHECK:           scf.if
// CHECK:             tensor.extract %[[AT]]
// CHECK:             arith.cmpi eq
func.func @maximum(%g: tensor<2x3x3x3xf32>, %x: tensor<2x3x7x5xf32>, %at: tensor<2x3x3x3xi64>) -> tensor<2x3x7x5xf32> {
  %y = fx.adaptive_max_pool2d_backward %g, %x, %at : (tensor<2x3x3x3xf32>, tensor<2x3x7x5xf32>, tensor<2x3x3x3xi64>) -> tensor<2x3x7x5xf32>
  return %y : tensor<2x3x7x5xf32>
}

// Eight windows of two elements may hold one, of however many; half precision bounds nothing.
// CHECK-LABEL: func.func @fractional(
// CHECK:         linalg.generic {{.*}}ins(%{{.*}} : tensor<8x8xi8>)
// CHECK:         linalg.generic {{.*}}ins(%{{.*}} : tensor<20x20xi8>)
func.func @fractional(%g: tensor<3x20x20xf32>, %x: tensor<3x40x40xf32>, %at: tensor<3x20x20xi64>) -> (tensor<3x40x40xf32>, tensor<3x40x40xbf16>) {
  %y = fx.fractional_max_pool2d_backward %g, %x, %at {kernel_size = array<i64: 2, 2>, output_size = array<i64: 20, 20>} : (tensor<3x20x20xf32>, tensor<3x40x40xf32>, tensor<3x20x20xi64>) -> tensor<3x40x40xf32>
  %h = fx.to_copy %g as bf16 : (tensor<3x20x20xf32>) -> tensor<3x20x20xbf16>
  %z = fx.to_copy %x as bf16 : (tensor<3x40x40xf32>) -> tensor<3x40x40xbf16>
  %w = fx.fractional_max_pool2d_backward %h, %z, %at {kernel_size = array<i64: 2, 2>, output_size = array<i64: 20, 20>} : (tensor<3x20x20xbf16>, tensor<3x40x40xbf16>, tensor<3x20x20xi64>) -> tensor<3x40x40xbf16>
  return %y, %w : tensor<3x40x40xf32>, tensor<3x40x40xbf16>
}
