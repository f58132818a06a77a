// A further first dim: ranks of pointwise operands are aligned, products become products of batches, and what has no rule runs in
// a loop.
// RUN: fx-opt %s --fx-vmap="arguments=0 size=8" --canonicalize | FileCheck %s
// RUN: fx-opt %s --fx-vmap="arguments=0" | FileCheck %s --check-prefix=DYNAMIC

// CHECK-LABEL: func.func @main
// CHECK-SAME:    %[[X:arg0]]: tensor<8x4xf32>, %[[W:arg1]]: tensor<3x4xf32>
// CHECK:         %[[A:.*]] = fx.view %[[X]] [8, 1, 4]
// CHECK:         fx.mul %[[A]], %[[W]] : {{.*}} -> tensor<8x3x4xf32>
// CHECK:         fx.sum %{{.*}} dim [2] : (tensor<8x3x4xf32>) -> tensor<8x3xf32>
// CHECK:         fx.map
// CHECK:           fx.roll
// CHECK:         return %{{.*}} : tensor<8x3xf32>
// DYNAMIC:       fx.symbols = {vmap = array<i64: 0, -1>}
func.func @main(%x: tensor<4xf32>, %w: tensor<3x4xf32>) -> tensor<3xf32> {
  %p = fx.mul %x, %w : (tensor<4xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
  %s = fx.sum %p dim [-1] : (tensor<3x4xf32>) -> tensor<3xf32>
  %r = fx.roll %s [1] dims [0] : (tensor<3xf32>) -> tensor<3xf32>
  return %r : tensor<3xf32>
}
