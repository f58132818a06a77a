// Gradients of padding gather: three images of an element where it is reflected, one per place of the pad where the edge is
// repeated; dims without a pad are left alone.
// RUN: fx-opt %s --pass-pipeline='builtin.module(func.func(convert-fx-to-linalg))' | FileCheck %s

// CHECK-LABEL: func.func @reflection(
// CHECK:         linalg.generic {{.*}}ins(%{{.*}} : tensor<3xi8>) outs(%{{.*}} : tensor<2x3x4x8xf32>)
// CHECK-NOT:     "reduction"
// CHECK:         return
func.func @reflection(%g: tensor<2x3x4x13xf32>, %x: tensor<2x3x4x8xf32>) -> tensor<2x3x4x8xf32> {
  %y = fx.reflection_pad2d_backward %g, %x padding [2, 3, 0, 0] : (tensor<2x3x4x13xf32>, tensor<2x3x4x8xf32>) -> tensor<2x3x4x8xf32>
  return %y : tensor<2x3x4x8xf32>
}

// CHECK-LABEL: func.func @replication(
// CHECK:         linalg.generic {{.*}}ins(%{{.*}} : tensor<4xi8>) outs(%{{.*}} : tensor<2x3x5x8xf32>)
// CHECK:         linalg.generic {{.*}}ins(%{{.*}} : tensor<2xi8>) outs(%{{.*}} : tensor<2x3x4x8xf32>)
func.func @replication(%g: tensor<2x3x5x10xf32>, %x: tensor<2x3x4x8xf32>) -> tensor<2x3x4x8xf32> {
  %y = fx.replication_pad2d_backward %g, %x padding [-1, 3, 1, 0] : (tensor<2x3x5x10xf32>, tensor<2x3x4x8xf32>) -> tensor<2x3x4x8xf32>
  return %y : tensor<2x3x4x8xf32>
}
