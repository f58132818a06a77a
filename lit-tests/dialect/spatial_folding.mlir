// Folders of the spatial ops.
// RUN: fx-opt %s -canonicalize | FileCheck %s

// Pads of zero.
// CHECK-LABEL: func.func @no_pad(
// CHECK-SAME:    %[[X:.*]]: tensor<4x8xf32>
func.func @no_pad(%x: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
  // CHECK: return %[[X]], %[[X]]
  %y = fx.constant_pad_nd %x pad [0, 0, 0, 0] {value = 1.0 : f64} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %z = fx.pad %x pad [0, 0] mode "reflect" : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return %y, %z : tensor<4x8xf32>, tensor<4x8xf32>
}

// Sizes stay, elements do not.
// CHECK-LABEL: func.func @shifting_pad(
func.func @shifting_pad(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // CHECK: fx.constant_pad_nd
  %y = fx.constant_pad_nd %x pad [1, -1] : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// Blocks of one pixel.
// CHECK-LABEL: func.func @pixels(
// CHECK-SAME:    %[[X:.*]]: tensor<3x4x8xf32>
func.func @pixels(%x: tensor<3x4x8xf32>) -> tensor<3x4x8xf32> {
  // CHECK: return %[[X]]
  %y = fx.pixel_shuffle %x {upscale_factor = 1 : i64} : (tensor<3x4x8xf32>) -> tensor<3x4x8xf32>
  %z = fx.pixel_unshuffle %y {downscale_factor = 1 : i64} : (tensor<3x4x8xf32>) -> tensor<3x4x8xf32>
  return %z : tensor<3x4x8xf32>
}
