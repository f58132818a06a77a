// Round trip of the spatial ops: padding, resampling, rearrangement.
// RUN: fx-opt %s | fx-opt | FileCheck %s

// CHECK-LABEL: func.func @constant_pad_nd(
// CHECK: fx.constant_pad_nd %{{.*}} pad [1, 2, 0, -1] {value = 5.000000e-01 : f64} : (tensor<4x8xf32>) -> tensor<3x11xf32>
func.func @constant_pad_nd(%x: tensor<4x8xf32>) -> tensor<3x11xf32> {
  %y = fx.constant_pad_nd %x pad [1, 2, 0, -1] {value = 5.000000e-01 : f64} : (tensor<4x8xf32>) -> tensor<3x11xf32>
  return %y : tensor<3x11xf32>
}

// CHECK-LABEL: func.func @constant_pad_nd_dynamic(
// CHECK: fx.constant_pad_nd %{{.*}} pad [1, 2, %{{.*}}, 0] : (tensor<4x?xf32>, index) -> tensor<?x?xf32>
func.func @constant_pad_nd_dynamic(%x: tensor<4x?xf32>, %n: index) -> tensor<?x?xf32> {
  %y = fx.constant_pad_nd %x pad [1, 2, %n, 0] : (tensor<4x?xf32>, index) -> tensor<?x?xf32>
  return %y : tensor<?x?xf32>
}

// CHECK-LABEL: func.func @pad(
// CHECK: fx.pad %{{.*}} pad [3, 2] mode "reflect" : (tensor<2x3x4xf32>) -> tensor<2x3x9xf32>
func.func @pad(%x: tensor<2x3x4xf32>) -> tensor<2x3x9xf32> {
  %y = fx.pad %x pad [3, 2] mode "reflect" : (tensor<2x3x4xf32>) -> tensor<2x3x9xf32>
  return %y : tensor<2x3x9xf32>
}

// CHECK-LABEL: func.func @pad_circular(
// CHECK: fx.pad %{{.*}} pad [4, 0] mode "circular" : (tensor<2x3x4xf32>) -> tensor<2x3x8xf32>
func.func @pad_circular(%x: tensor<2x3x4xf32>) -> tensor<2x3x8xf32> {
  %y = fx.pad %x pad [4, 0] mode "circular" : (tensor<2x3x4xf32>) -> tensor<2x3x8xf32>
  return %y : tensor<2x3x8xf32>
}

// CHECK-LABEL: func.func @reflection_pad1d(
// CHECK: fx.reflection_pad1d %{{.*}} padding [1, 2] : (tensor<2x3x6xf32>) -> tensor<2x3x9xf32>
func.func @reflection_pad1d(%x: tensor<2x3x6xf32>) -> tensor<2x3x9xf32> {
  %y = fx.reflection_pad1d %x padding [1, 2] : (tensor<2x3x6xf32>) -> tensor<2x3x9xf32>
  return %y : tensor<2x3x9xf32>
}

// CHECK-LABEL: func.func @reflection_pad2d(
// CHECK: fx.reflection_pad2d %{{.*}} padding [2, 3, 2, 3] : (tensor<3x6x5xf32>) -> tensor<3x11x10xf32>
func.func @reflection_pad2d(%x: tensor<3x6x5xf32>) -> tensor<3x11x10xf32> {
  %y = fx.reflection_pad2d %x padding [2, 3, 2, 3] : (tensor<3x6x5xf32>) -> tensor<3x11x10xf32>
  return %y : tensor<3x11x10xf32>
}

// CHECK-LABEL: func.func @reflection_pad3d(
// CHECK: fx.reflection_pad3d %{{.*}} padding [0, 1, 0, 1, 0, 1] : (tensor<1x2x6x5x4xf32>) -> tensor<1x2x7x6x5xf32>
func.func @reflection_pad3d(%x: tensor<1x2x6x5x4xf32>) -> tensor<1x2x7x6x5xf32> {
  %y = fx.reflection_pad3d %x padding [0, 1, 0, 1, 0, 1] : (tensor<1x2x6x5x4xf32>) -> tensor<1x2x7x6x5xf32>
  return %y : tensor<1x2x7x6x5xf32>
}

// CHECK-LABEL: func.func @reflection_pad1d_backward(
// CHECK: fx.reflection_pad1d_backward %{{.*}}, %{{.*}} padding [1, 2] : (tensor<2x3x9xf32>, tensor<2x3x6xf32>) -> tensor<2x3x6xf32>
func.func @reflection_pad1d_backward(%g: tensor<2x3x9xf32>, %x: tensor<2x3x6xf32>) -> tensor<2x3x6xf32> {
  %y = fx.reflection_pad1d_backward %g, %x padding [1, 2] : (tensor<2x3x9xf32>, tensor<2x3x6xf32>) -> tensor<2x3x6xf32>
  return %y : tensor<2x3x6xf32>
}

// CHECK-LABEL: func.func @reflection_pad2d_backward(
// CHECK: fx.reflection_pad2d_backward %{{.*}}, %{{.*}} padding [2, 3, 2, 3] : (tensor<3x11x10xf32>, tensor<3x6x5xf32>) -> tensor<3x6x5xf32>
func.func @reflection_pad2d_backward(%g: tensor<3x11x10xf32>, %x: tensor<3x6x5xf32>) -> tensor<3x6x5xf32> {
  %y = fx.reflection_pad2d_backward %g, %x padding [2, 3, 2, 3] : (tensor<3x11x10xf32>, tensor<3x6x5xf32>) -> tensor<3x6x5xf32>
  return %y : tensor<3x6x5xf32>
}

// CHECK-LABEL: func.func @reflection_pad3d_backward(
// CHECK: fx.reflection_pad3d_backward %{{.*}}, %{{.*}} padding [0, 1, 0, 1, 0, 1] : (tensor<1x2x7x6x5xf32>, tensor<1x2x6x5x4xf32>) -> tensor<1x2x6x5x4xf32>
func.func @reflection_pad3d_backward(%g: tensor<1x2x7x6x5xf32>, %x: tensor<1x2x6x5x4xf32>) -> tensor<1x2x6x5x4xf32> {
  %y = fx.reflection_pad3d_backward %g, %x padding [0, 1, 0, 1, 0, 1] : (tensor<1x2x7x6x5xf32>, tensor<1x2x6x5x4xf32>) -> tensor<1x2x6x5x4xf32>
  return %y : tensor<1x2x6x5x4xf32>
}

// CHECK-LABEL: func.func @replication_pad1d(
// CHECK: fx.replication_pad1d %{{.*}} padding [%{{.*}}, 9] : (tensor<2x3x6xf32>, index) -> tensor<2x3x?xf32>
func.func @replication_pad1d(%x: tensor<2x3x6xf32>, %n: index) -> tensor<2x3x?xf32> {
  %y = fx.replication_pad1d %x padding [%n, 9] : (tensor<2x3x6xf32>, index) -> tensor<2x3x?xf32>
  return %y : tensor<2x3x?xf32>
}

// CHECK-LABEL: func.func @replication_pad2d(
// CHECK: fx.replication_pad2d %{{.*}} padding [-1, 2, 1, 0] : (tensor<1x2x4x5xf32>) -> tensor<1x2x5x6xf32>
func.func @replication_pad2d(%x: tensor<1x2x4x5xf32>) -> tensor<1x2x5x6xf32> {
  %y = fx.replication_pad2d %x padding [-1, 2, 1, 0] : (tensor<1x2x4x5xf32>) -> tensor<1x2x5x6xf32>
  return %y : tensor<1x2x5x6xf32>
}

// CHECK-LABEL: func.func @replication_pad3d(
// CHECK: fx.replication_pad3d %{{.*}} padding [2, 3, 2, 3, 2, 3] : (tensor<3x6x5x4xf32>) -> tensor<3x11x10x9xf32>
func.func @replication_pad3d(%x: tensor<3x6x5x4xf32>) -> tensor<3x11x10x9xf32> {
  %y = fx.replication_pad3d %x padding [2, 3, 2, 3, 2, 3] : (tensor<3x6x5x4xf32>) -> tensor<3x11x10x9xf32>
  return %y : tensor<3x11x10x9xf32>
}

// CHECK-LABEL: func.func @replication_pad1d_backward(
// CHECK: fx.replication_pad1d_backward %{{.*}}, %{{.*}} padding [1, 9] : (tensor<2x3x16xf32>, tensor<2x3x6xf32>) -> tensor<2x3x6xf32>
func.func @replication_pad1d_backward(%g: tensor<2x3x16xf32>, %x: tensor<2x3x6xf32>) -> tensor<2x3x6xf32> {
  %y = fx.replication_pad1d_backward %g, %x padding [1, 9] : (tensor<2x3x16xf32>, tensor<2x3x6xf32>) -> tensor<2x3x6xf32>
  return %y : tensor<2x3x6xf32>
}

// CHECK-LABEL: func.func @replication_pad2d_backward(
// CHECK: fx.replication_pad2d_backward %{{.*}}, %{{.*}} padding [-1, 2, 1, 0] : (tensor<1x2x5x6xf32>, tensor<1x2x4x5xf32>) -> tensor<1x2x4x5xf32>
func.func @replication_pad2d_backward(%g: tensor<1x2x5x6xf32>, %x: tensor<1x2x4x5xf32>) -> tensor<1x2x4x5xf32> {
  %y = fx.replication_pad2d_backward %g, %x padding [-1, 2, 1, 0] : (tensor<1x2x5x6xf32>, tensor<1x2x4x5xf32>) -> tensor<1x2x4x5xf32>
  return %y : tensor<1x2x4x5xf32>
}

// CHECK-LABEL: func.func @replication_pad3d_backward(
// CHECK: fx.replication_pad3d_backward %{{.*}}, %{{.*}} padding [2, 3, 2, 3, 2, 3] : (tensor<3x11x10x9xf32>, tensor<3x6x5x4xf32>) -> tensor<3x6x5x4xf32>
func.func @replication_pad3d_backward(%g: tensor<3x11x10x9xf32>, %x: tensor<3x6x5x4xf32>) -> tensor<3x6x5x4xf32> {
  %y = fx.replication_pad3d_backward %g, %x padding [2, 3, 2, 3, 2, 3] : (tensor<3x11x10x9xf32>, tensor<3x6x5x4xf32>) -> tensor<3x6x5x4xf32>
  return %y : tensor<3x6x5x4xf32>
}

// CHECK-LABEL: func.func @upsample_nearest1d(
// CHECK: fx.upsample_nearest1d %{{.*}} output_size [8] : (tensor<2x3x4xf32>) -> tensor<2x3x8xf32>
func.func @upsample_nearest1d(%x: tensor<2x3x4xf32>) -> tensor<2x3x8xf32> {
  %y = fx.upsample_nearest1d %x output_size [8] : (tensor<2x3x4xf32>) -> tensor<2x3x8xf32>
  return %y : tensor<2x3x8xf32>
}

// CHECK-LABEL: func.func @upsample_nearest1d_backward(
// CHECK: fx.upsample_nearest1d_backward %{{.*}} output_size [8] input_size [2, 3, 4] : (tensor<2x3x8xf32>) -> tensor<2x3x4xf32>
func.func @upsample_nearest1d_backward(%g: tensor<2x3x8xf32>) -> tensor<2x3x4xf32> {
  %y = fx.upsample_nearest1d_backward %g output_size [8] input_size [2, 3, 4] : (tensor<2x3x8xf32>) -> tensor<2x3x4xf32>
  return %y : tensor<2x3x4xf32>
}

// CHECK-LABEL: func.func @upsample_nearest2d(
// CHECK: fx.upsample_nearest2d %{{.*}} output_size [8, 8] : (tensor<2x3x4x4xf32>) -> tensor<2x3x8x8xf32>
func.func @upsample_nearest2d(%x: tensor<2x3x4x4xf32>) -> tensor<2x3x8x8xf32> {
  %y = fx.upsample_nearest2d %x output_size [8, 8] : (tensor<2x3x4x4xf32>) -> tensor<2x3x8x8xf32>
  return %y : tensor<2x3x8x8xf32>
}

// CHECK-LABEL: func.func @upsample_nearest2d_backward(
// CHECK: fx.upsample_nearest2d_backward %{{.*}} output_size [8, 8] input_size [2, 3, 4, 4] : (tensor<2x3x8x8xf32>) -> tensor<2x3x4x4xf32>
func.func @upsample_nearest2d_backward(%g: tensor<2x3x8x8xf32>) -> tensor<2x3x4x4xf32> {
  %y = fx.upsample_nearest2d_backward %g output_size [8, 8] input_size [2, 3, 4, 4] : (tensor<2x3x8x8xf32>) -> tensor<2x3x4x4xf32>
  return %y : tensor<2x3x4x4xf32>
}

// CHECK-LABEL: func.func @upsample_nearest3d(
// CHECK: fx.upsample_nearest3d %{{.*}} output_size [8, 8, 8] : (tensor<2x3x4x4x4xf32>) -> tensor<2x3x8x8x8xf32>
func.func @upsample_nearest3d(%x: tensor<2x3x4x4x4xf32>) -> tensor<2x3x8x8x8xf32> {
  %y = fx.upsample_nearest3d %x output_size [8, 8, 8] : (tensor<2x3x4x4x4xf32>) -> tensor<2x3x8x8x8xf32>
  return %y : tensor<2x3x8x8x8xf32>
}

// CHECK-LABEL: func.func @upsample_nearest3d_backward(
// CHECK: fx.upsample_nearest3d_backward %{{.*}} output_size [8, 8, 8] input_size [2, 3, 4, 4, 4] : (tensor<2x3x8x8x8xf32>) -> tensor<2x3x4x4x4xf32>
func.func @upsample_nearest3d_backward(%g: tensor<2x3x8x8x8xf32>) -> tensor<2x3x4x4x4xf32> {
  %y = fx.upsample_nearest3d_backward %g output_size [8, 8, 8] input_size [2, 3, 4, 4, 4] : (tensor<2x3x8x8x8xf32>) -> tensor<2x3x4x4x4xf32>
  return %y : tensor<2x3x4x4x4xf32>
}

// CHECK-LABEL: func.func @upsample_nearest_exact1d(
// CHECK: fx.upsample_nearest_exact1d %{{.*}} output_size [8] : (tensor<2x3x4xf32>) -> tensor<2x3x8xf32>
func.func @upsample_nearest_exact1d(%x: tensor<2x3x4xf32>) -> tensor<2x3x8xf32> {
  %y = fx.upsample_nearest_exact1d %x output_size [8] : (tensor<2x3x4xf32>) -> tensor<2x3x8xf32>
  return %y : tensor<2x3x8xf32>
}

// CHECK-LABEL: func.func @upsample_nearest_exact1d_backward(
// CHECK: fx.upsample_nearest_exact1d_backward %{{.*}} output_size [8] input_size [2, 3, 4] : (tensor<2x3x8xf32>) -> tensor<2x3x4xf32>
func.func @upsample_nearest_exact1d_backward(%g: tensor<2x3x8xf32>) -> tensor<2x3x4xf32> {
  %y = fx.upsample_nearest_exact1d_backward %g output_size [8] input_size [2, 3, 4] : (tensor<2x3x8xf32>) -> tensor<2x3x4xf32>
  return %y : tensor<2x3x4xf32>
}

// CHECK-LABEL: func.func @upsample_nearest_exact2d(
// CHECK: fx.upsample_nearest_exact2d %{{.*}} output_size [8, 8] : (tensor<2x3x4x4xf32>) -> tensor<2x3x8x8xf32>
func.func @upsample_nearest_exact2d(%x: tensor<2x3x4x4xf32>) -> tensor<2x3x8x8xf32> {
  %y = fx.upsample_nearest_exact2d %x output_size [8, 8] : (tensor<2x3x4x4xf32>) -> tensor<2x3x8x8xf32>
  return %y : tensor<2x3x8x8xf32>
}

// CHECK-LABEL: func.func @upsample_nearest_exact2d_backward(
// CHECK: fx.upsample_nearest_exact2d_backward %{{.*}} output_size [8, 8] input_size [2, 3, 4, 4] : (tensor<2x3x8x8xf32>) -> tensor<2x3x4x4xf32>
func.func @upsample_nearest_exact2d_backward(%g: tensor<2x3x8x8xf32>) -> tensor<2x3x4x4xf32> {
  %y = fx.upsample_nearest_exact2d_backward %g output_size [8, 8] input_size [2, 3, 4, 4] : (tensor<2x3x8x8xf32>) -> tensor<2x3x4x4xf32>
  return %y : tensor<2x3x4x4xf32>
}

// CHECK-LABEL: func.func @upsample_nearest_exact3d(
// CHECK: fx.upsample_nearest_exact3d %{{.*}} output_size [8, 8, 8] : (tensor<2x3x4x4x4xf32>) -> tensor<2x3x8x8x8xf32>
func.func @upsample_nearest_exact3d(%x: tensor<2x3x4x4x4xf32>) -> tensor<2x3x8x8x8xf32> {
  %y = fx.upsample_nearest_exact3d %x output_size [8, 8, 8] : (tensor<2x3x4x4x4xf32>) -> tensor<2x3x8x8x8xf32>
  return %y : tensor<2x3x8x8x8xf32>
}

// CHECK-LABEL: func.func @upsample_nearest_exact3d_backward(
// CHECK: fx.upsample_nearest_exact3d_backward %{{.*}} output_size [8, 8, 8] input_size [2, 3, 4, 4, 4] : (tensor<2x3x8x8x8xf32>) -> tensor<2x3x4x4x4xf32>
func.func @upsample_nearest_exact3d_backward(%g: tensor<2x3x8x8x8xf32>) -> tensor<2x3x4x4x4xf32> {
  %y = fx.upsample_nearest_exact3d_backward %g output_size [8, 8, 8] input_size [2, 3, 4, 4, 4] : (tensor<2x3x8x8x8xf32>) -> tensor<2x3x4x4x4xf32>
  return %y : tensor<2x3x4x4x4xf32>
}

// CHECK-LABEL: func.func @upsample_linear1d(
// CHECK: fx.upsample_linear1d %{{.*}} output_size [8] {align_corners = true} : (tensor<2x3x4xf32>) -> tensor<2x3x8xf32>
func.func @upsample_linear1d(%x: tensor<2x3x4xf32>) -> tensor<2x3x8xf32> {
  %y = fx.upsample_linear1d %x output_size [8] {align_corners = true} : (tensor<2x3x4xf32>) -> tensor<2x3x8xf32>
  return %y : tensor<2x3x8xf32>
}

// CHECK-LABEL: func.func @upsample_linear1d_backward(
// CHECK: fx.upsample_linear1d_backward %{{.*}} output_size [8] input_size [2, 3, 4] {align_corners = true} : (tensor<2x3x8xf32>) -> tensor<2x3x4xf32>
func.func @upsample_linear1d_backward(%g: tensor<2x3x8xf32>) -> tensor<2x3x4xf32> {
  %y = fx.upsample_linear1d_backward %g output_size [8] input_size [2, 3, 4] {align_corners = true} : (tensor<2x3x8xf32>) -> tensor<2x3x4xf32>
  return %y : tensor<2x3x4xf32>
}

// CHECK-LABEL: func.func @upsample_bilinear2d(
// CHECK: fx.upsample_bilinear2d %{{.*}} output_size [8, 8] {align_corners = true} : (tensor<2x3x4x4xf32>) -> tensor<2x3x8x8xf32>
func.func @upsample_bilinear2d(%x: tensor<2x3x4x4xf32>) -> tensor<2x3x8x8xf32> {
  %y = fx.upsample_bilinear2d %x output_size [8, 8] {align_corners = true} : (tensor<2x3x4x4xf32>) -> tensor<2x3x8x8xf32>
  return %y : tensor<2x3x8x8xf32>
}

// CHECK-LABEL: func.func @upsample_bilinear2d_backward(
// CHECK: fx.upsample_bilinear2d_backward %{{.*}} output_size [8, 8] input_size [2, 3, 4, 4] {align_corners = true} : (tensor<2x3x8x8xf32>) -> tensor<2x3x4x4xf32>
func.func @upsample_bilinear2d_backward(%g: tensor<2x3x8x8xf32>) -> tensor<2x3x4x4xf32> {
  %y = fx.upsample_bilinear2d_backward %g output_size [8, 8] input_size [2, 3, 4, 4] {align_corners = true} : (tensor<2x3x8x8xf32>) -> tensor<2x3x4x4xf32>
  return %y : tensor<2x3x4x4xf32>
}

// CHECK-LABEL: func.func @upsample_trilinear3d(
// CHECK: fx.upsample_trilinear3d %{{.*}} output_size [8, 8, 8] {align_corners = true} : (tensor<2x3x4x4x4xf32>) -> tensor<2x3x8x8x8xf32>
func.func @upsample_trilinear3d(%x: tensor<2x3x4x4x4xf32>) -> tensor<2x3x8x8x8xf32> {
  %y = fx.upsample_trilinear3d %x output_size [8, 8, 8] {align_corners = true} : (tensor<2x3x4x4x4xf32>) -> tensor<2x3x8x8x8xf32>
  return %y : tensor<2x3x8x8x8xf32>
}

// CHECK-LABEL: func.func @upsample_trilinear3d_backward(
// CHECK: fx.upsample_trilinear3d_backward %{{.*}} output_size [8, 8, 8] input_size [2, 3, 4, 4, 4] {align_corners = true} : (tensor<2x3x8x8x8xf32>) -> tensor<2x3x4x4x4xf32>
func.func @upsample_trilinear3d_backward(%g: tensor<2x3x8x8x8xf32>) -> tensor<2x3x4x4x4xf32> {
  %y = fx.upsample_trilinear3d_backward %g output_size [8, 8, 8] input_size [2, 3, 4, 4, 4] {align_corners = true} : (tensor<2x3x8x8x8xf32>) -> tensor<2x3x4x4x4xf32>
  return %y : tensor<2x3x4x4x4xf32>
}

// CHECK-LABEL: func.func @upsample_bicubic2d(
// CHECK: fx.upsample_bicubic2d %{{.*}} output_size [8, 8] {align_corners = true} : (tensor<2x3x4x4xf32>) -> tensor<2x3x8x8xf32>
func.func @upsample_bicubic2d(%x: tensor<2x3x4x4xf32>) -> tensor<2x3x8x8xf32> {
  %y = fx.upsample_bicubic2d %x output_size [8, 8] {align_corners = true} : (tensor<2x3x4x4xf32>) -> tensor<2x3x8x8xf32>
  return %y : tensor<2x3x8x8xf32>
}

// CHECK-LABEL: func.func @upsample_bicubic2d_backward(
// CHECK: fx.upsample_bicubic2d_backward %{{.*}} output_size [8, 8] input_size [2, 3, 4, 4] {align_corners = true} : (tensor<2x3x8x8xf32>) -> tensor<2x3x4x4xf32>
func.func @upsample_bicubic2d_backward(%g: tensor<2x3x8x8xf32>) -> tensor<2x3x4x4xf32> {
  %y = fx.upsample_bicubic2d_backward %g output_size [8, 8] input_size [2, 3, 4, 4] {align_corners = true} : (tensor<2x3x8x8xf32>) -> tensor<2x3x4x4xf32>
  return %y : tensor<2x3x4x4xf32>
}

// CHECK-LABEL: func.func @upsample_bilinear2d_aa(
// CHECK: fx.upsample_bilinear2d_aa %{{.*}} output_size [3, 4] {align_corners = false} : (tensor<2x3x8x8xf32>) -> tensor<2x3x3x4xf32>
func.func @upsample_bilinear2d_aa(%x: tensor<2x3x8x8xf32>) -> tensor<2x3x3x4xf32> {
  %y = fx.upsample_bilinear2d_aa %x output_size [3, 4] {align_corners = false} : (tensor<2x3x8x8xf32>) -> tensor<2x3x3x4xf32>
  return %y : tensor<2x3x3x4xf32>
}

// CHECK-LABEL: func.func @upsample_bilinear2d_aa_backward(
// CHECK: fx.upsample_bilinear2d_aa_backward %{{.*}} output_size [3, 4] input_size [2, 3, 8, 8] {align_corners = false} : (tensor<2x3x3x4xf32>) -> tensor<2x3x8x8xf32>
func.func @upsample_bilinear2d_aa_backward(%g: tensor<2x3x3x4xf32>) -> tensor<2x3x8x8xf32> {
  %y = fx.upsample_bilinear2d_aa_backward %g output_size [3, 4] input_size [2, 3, 8, 8] {align_corners = false} : (tensor<2x3x3x4xf32>) -> tensor<2x3x8x8xf32>
  return %y : tensor<2x3x8x8xf32>
}

// CHECK-LABEL: func.func @upsample_bicubic2d_aa(
// CHECK: fx.upsample_bicubic2d_aa %{{.*}} output_size [3, 4] {align_corners = false} : (tensor<2x3x8x8xf32>) -> tensor<2x3x3x4xf32>
func.func @upsample_bicubic2d_aa(%x: tensor<2x3x8x8xf32>) -> tensor<2x3x3x4xf32> {
  %y = fx.upsample_bicubic2d_aa %x output_size [3, 4] {align_corners = false} : (tensor<2x3x8x8xf32>) -> tensor<2x3x3x4xf32>
  return %y : tensor<2x3x3x4xf32>
}

// CHECK-LABEL: func.func @upsample_bicubic2d_aa_backward(
// CHECK: fx.upsample_bicubic2d_aa_backward %{{.*}} output_size [3, 4] input_size [2, 3, 8, 8] {align_corners = false} : (tensor<2x3x3x4xf32>) -> tensor<2x3x8x8xf32>
func.func @upsample_bicubic2d_aa_backward(%g: tensor<2x3x3x4xf32>) -> tensor<2x3x8x8xf32> {
  %y = fx.upsample_bicubic2d_aa_backward %g output_size [3, 4] input_size [2, 3, 8, 8] {align_corners = false} : (tensor<2x3x3x4xf32>) -> tensor<2x3x8x8xf32>
  return %y : tensor<2x3x8x8xf32>
}

// CHECK-LABEL: func.func @upsample_scale_factors(
// CHECK: fx.upsample_nearest2d %{{.*}} output_size [] {scale_factors = array<f64: 1.700000e+00, 2.000000e+00>} : (tensor<2x3x5x?xf32>) -> tensor<2x3x8x?xf32>
func.func @upsample_scale_factors(%x: tensor<2x3x5x?xf32>) -> tensor<2x3x8x?xf32> {
  %y = fx.upsample_nearest2d %x output_size [] {scale_factors = array<f64: 1.700000e+00, 2.000000e+00>} : (tensor<2x3x5x?xf32>) -> tensor<2x3x8x?xf32>
  return %y : tensor<2x3x8x?xf32>
}

// CHECK-LABEL: func.func @upsample_scales(
// CHECK: fx.upsample_nearest2d %{{.*}} output_size [%{{.*}}, 8] {scales_h = 2.000000e+00 : f64, scales_w = 2.000000e+00 : f64} : (tensor<2x3x4x4xf32>, index) -> tensor<2x3x?x8xf32>
func.func @upsample_scales(%x: tensor<2x3x4x4xf32>, %n: index) -> tensor<2x3x?x8xf32> {
  %y = fx.upsample_nearest2d %x output_size [%n, 8] {scales_h = 2.000000e+00 : f64, scales_w = 2.000000e+00 : f64} : (tensor<2x3x4x4xf32>, index) -> tensor<2x3x?x8xf32>
  return %y : tensor<2x3x?x8xf32>
}

// CHECK-LABEL: func.func @grid_sampler(
// CHECK: fx.grid_sampler %{{.*}}, %{{.*}} {align_corners = false, interpolation_mode = 2 : i64, padding_mode = 2 : i64} : (tensor<2x3x5x20xf32>, tensor<2x13x10x2xf32>) -> tensor<2x3x13x10xf32>
func.func @grid_sampler(%x: tensor<2x3x5x20xf32>, %g: tensor<2x13x10x2xf32>) -> tensor<2x3x13x10xf32> {
  %y = fx.grid_sampler %x, %g {align_corners = false, interpolation_mode = 2 : i64, padding_mode = 2 : i64} : (tensor<2x3x5x20xf32>, tensor<2x13x10x2xf32>) -> tensor<2x3x13x10xf32>
  return %y : tensor<2x3x13x10xf32>
}

// CHECK-LABEL: func.func @grid_sampler_3d(
// CHECK: fx.grid_sampler %{{.*}}, %{{.*}} {align_corners = true, interpolation_mode = 0 : i64, padding_mode = 1 : i64} : (tensor<2x3x5x5x5xf32>, tensor<2x2x3x4x3xf32>) -> tensor<2x3x2x3x4xf32>
func.func @grid_sampler_3d(%x: tensor<2x3x5x5x5xf32>, %g: tensor<2x2x3x4x3xf32>) -> tensor<2x3x2x3x4xf32> {
  %y = fx.grid_sampler %x, %g {align_corners = true, interpolation_mode = 0 : i64, padding_mode = 1 : i64} : (tensor<2x3x5x5x5xf32>, tensor<2x2x3x4x3xf32>) -> tensor<2x3x2x3x4xf32>
  return %y : tensor<2x3x2x3x4xf32>
}

// CHECK-LABEL: func.func @grid_sampler_backward(
// CHECK: fx.grid_sampler_backward %{{.*}}, %{{.*}}, %{{.*}} {align_corners = false, interpolation_mode = 0 : i64, output_mask = array<i1: true, false>, padding_mode = 0 : i64} : (tensor<2x3x13x10xf32>, tensor<2x3x5x20xf32>, tensor<2x13x10x2xf32>) -> (tensor<2x3x5x20xf32>, none)
func.func @grid_sampler_backward(%d: tensor<2x3x13x10xf32>, %x: tensor<2x3x5x20xf32>, %g: tensor<2x13x10x2xf32>) -> (tensor<2x3x5x20xf32>, none) {
  %y:2 = fx.grid_sampler_backward %d, %x, %g {align_corners = false, interpolation_mode = 0 : i64, output_mask = array<i1: true, false>, padding_mode = 0 : i64} : (tensor<2x3x13x10xf32>, tensor<2x3x5x20xf32>, tensor<2x13x10x2xf32>) -> (tensor<2x3x5x20xf32>, none)
  return %y#0, %y#1 : tensor<2x3x5x20xf32>, none
}

// CHECK-LABEL: func.func @affine_grid_generator(
// CHECK: fx.affine_grid_generator %{{.*}} size [2, 3, 8, %{{.*}}] {align_corners = false} : (tensor<2x2x3xf32>, index) -> tensor<2x8x?x2xf32>
func.func @affine_grid_generator(%t: tensor<2x2x3xf32>, %n: index) -> tensor<2x8x?x2xf32> {
  %y = fx.affine_grid_generator %t size [2, 3, 8, %n] {align_corners = false} : (tensor<2x2x3xf32>, index) -> tensor<2x8x?x2xf32>
  return %y : tensor<2x8x?x2xf32>
}

// CHECK-LABEL: func.func @affine_grid_generator_backward(
// CHECK: fx.affine_grid_generator_backward %{{.*}} size [2, 3, 4, 5, 6] {align_corners = true} : (tensor<2x4x5x6x3xf32>) -> tensor<2x3x4xf32>
func.func @affine_grid_generator_backward(%g: tensor<2x4x5x6x3xf32>) -> tensor<2x3x4xf32> {
  %y = fx.affine_grid_generator_backward %g size [2, 3, 4, 5, 6] {align_corners = true} : (tensor<2x4x5x6x3xf32>) -> tensor<2x3x4xf32>
  return %y : tensor<2x3x4xf32>
}

// CHECK-LABEL: func.func @pixel_shuffle(
// CHECK: fx.pixel_shuffle %{{.*}} {upscale_factor = 2 : i64} : (tensor<2x12x4x?xf32>) -> tensor<2x3x8x?xf32>
func.func @pixel_shuffle(%x: tensor<2x12x4x?xf32>) -> tensor<2x3x8x?xf32> {
  %y = fx.pixel_shuffle %x {upscale_factor = 2 : i64} : (tensor<2x12x4x?xf32>) -> tensor<2x3x8x?xf32>
  return %y : tensor<2x3x8x?xf32>
}

// CHECK-LABEL: func.func @pixel_unshuffle(
// CHECK: fx.pixel_unshuffle %{{.*}} {downscale_factor = 2 : i64} : (tensor<3x8x6xf32>) -> tensor<12x4x3xf32>
func.func @pixel_unshuffle(%x: tensor<3x8x6xf32>) -> tensor<12x4x3xf32> {
  %y = fx.pixel_unshuffle %x {downscale_factor = 2 : i64} : (tensor<3x8x6xf32>) -> tensor<12x4x3xf32>
  return %y : tensor<12x4x3xf32>
}

// CHECK-LABEL: func.func @channel_shuffle(
// CHECK: fx.channel_shuffle %{{.*}} groups [3] : (tensor<2x6x4x4xf32>) -> tensor<2x6x4x4xf32>
func.func @channel_shuffle(%x: tensor<2x6x4x4xf32>) -> tensor<2x6x4x4xf32> {
  %y = fx.channel_shuffle %x groups [3] : (tensor<2x6x4x4xf32>) -> tensor<2x6x4x4xf32>
  return %y : tensor<2x6x4x4xf32>
}

// CHECK-LABEL: func.func @im2col(
// CHECK: fx.im2col %{{.*}} kernel_size [4, 5] dilation [1, 1] padding [0, 0] stride [2, 1] : (tensor<2x3x10x12xf32>) -> tensor<2x60x32xf32>
func.func @im2col(%x: tensor<2x3x10x12xf32>) -> tensor<2x60x32xf32> {
  %y = fx.im2col %x kernel_size [4, 5] dilation [1, 1] padding [0, 0] stride [2, 1] : (tensor<2x3x10x12xf32>) -> tensor<2x60x32xf32>
  return %y : tensor<2x60x32xf32>
}

// CHECK-LABEL: func.func @im2col_dynamic(
// CHECK: fx.im2col %{{.*}} kernel_size [2] dilation [1] padding [1] stride [1] : (tensor<3x10x?xf32>) -> tensor<12x?xf32>
func.func @im2col_dynamic(%x: tensor<3x10x?xf32>) -> tensor<12x?xf32> {
  %y = fx.im2col %x kernel_size [2] dilation [1] padding [1] stride [1] : (tensor<3x10x?xf32>) -> tensor<12x?xf32>
  return %y : tensor<12x?xf32>
}

// CHECK-LABEL: func.func @col2im(
// CHECK: fx.col2im %{{.*}} output_size [4, 4] kernel_size [2, 2] dilation [1, 1] padding [0, 0] stride [1, 1] : (tensor<2x12x9xf32>) -> tensor<2x3x4x4xf32>
func.func @col2im(%x: tensor<2x12x9xf32>) -> tensor<2x3x4x4xf32> {
  %y = fx.col2im %x output_size [4, 4] kernel_size [2, 2] dilation [1, 1] padding [0, 0] stride [1, 1] : (tensor<2x12x9xf32>) -> tensor<2x3x4x4xf32>
  return %y : tensor<2x3x4x4xf32>
}

// CHECK-LABEL: func.func @col2im_dynamic(
// CHECK: fx.col2im %{{.*}} output_size [4, %{{.*}}] kernel_size [2] dilation [1] padding [0] stride [1] : (tensor<12x9xf32>, index) -> tensor<3x4x?xf32>
func.func @col2im_dynamic(%x: tensor<12x9xf32>, %n: index) -> tensor<3x4x?xf32> {
  %y = fx.col2im %x output_size [4, %n] kernel_size [2] dilation [1] padding [0] stride [1] : (tensor<12x9xf32>, index) -> tensor<3x4x?xf32>
  return %y : tensor<3x4x?xf32>
}
