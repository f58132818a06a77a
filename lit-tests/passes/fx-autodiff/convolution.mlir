// Gradients of a convolution are convolutions, and so are the gradients of these. With padding "same" and an odd total the
// further zero is put after the input, and cut off its gradient.
// RUN: fx-opt %s --fx-autodiff --canonicalize --split-input-file | FileCheck %s
// RUN: fx-opt %s --fx-autodiff=order=2 --canonicalize --split-input-file | FileCheck %s --check-prefix=TWICE

// CHECK-LABEL: func.func @main(
// CHECK-SAME:    %[[X:arg0]]: tensor<2x4x6x6xf32>, %[[W:arg1]]: tensor<4x2x3x3xf32>, %[[B:arg2]]: tensor<4xf32>
// CHECK:         %[[G:.*]] = fx.full [2, 4, 3, 3]
// CHECK:         %[[DX:.*]], %[[DW:.*]], %{{.*}} = fx.convolution_backward %[[G]], %[[X]], %[[W]] bias_sizes [] stride [2, 2] padding [1, 1] dilation [1, 1] output_padding [0] groups [2] output_mask [true, true, false]
// CHECK:         %[[DB:.*]] = fx.sum %[[G]] dim [0, 2, 3]
// CHECK:         return %{{.*}}, %[[DX]], %[[DW]], %[[DB]]
// TWICE-LABEL: func.func @main(
// TWICE-SAME:    %[[X:arg0]]: tensor<2x4x6x6xf32>, %[[W:arg1]]: tensor<4x2x3x3xf32>
// TWICE:         %[[G:.*]] = fx.full [2, 4, 3, 3]
// TWICE-DAG:     %{{.*}}, %{{.*}}, %{{.*}} = fx.convolution_backward %[[G]], %[[X]], %{{.*}} output_mask [true, false, false]
// TWICE-DAG:     %{{.*}}, %{{.*}}, %{{.*}} = fx.convolution_backward %[[G]], %{{.*}}, %[[W]] {{.*}} output_mask [false, true, false]
func.func @main(%x: tensor<2x4x6x6xf32>, %w: tensor<4x2x3x3xf32>, %b: tensor<4xf32>) -> tensor<2x4x3x3xf32> {
  %y = fx.conv2d %x, %w bias %b stride [2, 2] padding [1, 1] dilation [1, 1] groups [2] : (tensor<2x4x6x6xf32>, tensor<4x2x3x3xf32>, tensor<4xf32>) -> tensor<2x4x3x3xf32>
  return %y : tensor<2x4x3x3xf32>
}

// -----

// CHECK-LABEL: func.func @main(
// CHECK-SAME:    %[[X:arg0]]: tensor<2x3x?xf32>, %[[W:arg1]]: tensor<4x3x4xf32>
// CHECK:         %[[PADDED:.*]] = fx.constant_pad_nd %[[X]] pad [0, 1]
// CHECK:         %[[DX:.*]], %[[DW:.*]], %{{.*}} = fx.convolution_backward %{{.*}}, %[[PADDED]], %[[W]] bias_sizes [] stride [1] padding [1]
// CHECK:         %[[CUT:.*]] = fx.constant_pad_nd %[[DX]] pad [0, -1]
// CHECK:         return %{{.*}}, %[[CUT]], %[[DW]]
func.func @main(%x: tensor<2x3x?xf32>, %w: tensor<4x3x4xf32>) -> tensor<2x4x?xf32> {
  %y = fx.conv1d_padding %x, %w stride [1] padding "same" dilation [1] groups [1] : (tensor<2x3x?xf32>, tensor<4x3x4xf32>) -> tensor<2x4x?xf32>
  return %y : tensor<2x4x?xf32>
}
