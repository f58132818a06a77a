// Convolutions take the further dim as images, or as groups where weights have it too; lookups and writes keep it as their first dim,
// and get its own indices as positions where those differ. None of them is a loop.
// RUN: fx-opt %s --split-input-file --fx-vmap="size=8" --canonicalize | FileCheck %s
// RUN: fx-opt %s --split-input-file --fx-vmap="arguments=0 size=8" --canonicalize | FileCheck %s --check-prefix=FIRST

// CHECK-NOT: fx.map
// FIRST-NOT: fx.map

// CHECK-LABEL: func.func @main(%arg0: tensor<8x2x4x6xf32>, %arg1: tensor<8x6x2x3xf32>
// CHECK:         fx.conv1d %{{.*}} groups [16] : (tensor<2x32x6xf32>, tensor<48x2x3xf32>) -> tensor<2x48x4xf32>
// CHECK:         return %{{.*}} : tensor<8x2x6x4xf32>
// FIRST:         fx.conv1d %{{.*}}, %arg1 {{.*}} groups [2] : (tensor<16x4x6xf32>, tensor<6x2x3xf32>) -> tensor<16x6x4xf32>
func.func @main(%x: tensor<2x4x6xf32>, %w: tensor<6x2x3xf32>) -> tensor<2x6x4xf32> {
  %y = fx.conv1d %x, %w stride [1] padding [0] dilation [1] groups [2] : (tensor<2x4x6xf32>, tensor<6x2x3xf32>) -> tensor<2x6x4xf32>
  return %y : tensor<2x6x4xf32>
}

// -----

// CHECK-LABEL: func.func @main(%arg0: tensor<8x4x5xf32>, %arg1: tensor<8x3xi64>, %arg2: tensor<8x4x3xf32>
// CHECK:         %[[V:.*]] = fx.permute %arg2 [0, 2, 1]
// CHECK:         fx.index_put %arg0[%{{.*}}, _, %arg1], %[[V]] {accumulate = true} : (tensor<8x4x5xf32>, tensor<8x1xi64>, tensor<8x3xi64>, tensor<8x3x4xf32>)
// FIRST:         fx.index_put %arg0[_, _, %arg1], %arg2 {accumulate = true} : (tensor<8x4x5xf32>, tensor<3xi64>, tensor<4x3xf32>)
func.func @main(%x: tensor<4x5xf32>, %i: tensor<3xi64>, %v: tensor<4x3xf32>) -> tensor<4x5xf32> {
  %y = fx.index_put %x[_, %i], %v {accumulate = true} : (tensor<4x5xf32>, tensor<3xi64>, tensor<4x3xf32>) -> tensor<4x5xf32>
  return %y : tensor<4x5xf32>
}

// -----

// CHECK-LABEL: func.func @main(%arg0: tensor<8x4x5xf32>, %arg1: tensor<8x3xi64>)
// CHECK:         fx.gather %arg0, %{{.*}} dim 2 : (tensor<8x4x5xf32>, tensor<8x4x3xi64>)
// FIRST:         fx.index_select %arg0, %arg1 dim 2
func.func @main(%x: tensor<4x5xf32>, %i: tensor<3xi64>) -> tensor<4x3xf32> {
  %y = fx.index_select %x, %i dim -1 : (tensor<4x5xf32>, tensor<3xi64>) -> tensor<4x3xf32>
  return %y : tensor<4x3xf32>
}

// -----

// CHECK-LABEL: func.func @main(%arg0: tensor<8x4x5xf32>, %arg1: tensor<8x4x2xi64>, %arg2: tensor<8x4x2xf32>)
// CHECK:         fx.scatter_add %arg0, %arg1, %arg2 dim 2
func.func @main(%x: tensor<4x5xf32>, %i: tensor<4x2xi64>, %s: tensor<4x2xf32>) -> tensor<4x5xf32> {
  %y = fx.scatter_add %x, %i, %s dim 1 : (tensor<4x5xf32>, tensor<4x2xi64>, tensor<4x2xf32>) -> tensor<4x5xf32>
  return %y : tensor<4x5xf32>
}
