// Round trip of the spatial ops: convolution and pooling.
// RUN: fx-opt %s | fx-opt | FileCheck %s

// CHECK-LABEL: func.func @convolution(
// CHECK: fx.convolution %{{.*}}, %{{.*}} bias %{{.*}} stride [2, 2] padding [1, 1] dilation [1, 1] output_padding [0, 0] groups [1] : (tensor<?x3x32x32xf32>, tensor<8x3x3x3xf32>, tensor<8xf32>) -> tensor<?x8x16x16xf32>
func.func @convolution(%x: tensor<?x3x32x32xf32>, %w: tensor<8x3x3x3xf32>, %b: tensor<8xf32>) -> tensor<?x8x16x16xf32> {
  %y = fx.convolution %x, %w bias %b stride [2, 2] padding [1, 1] dilation [1, 1] output_padding [0, 0] groups [1] : (tensor<?x3x32x32xf32>, tensor<8x3x3x3xf32>, tensor<8xf32>) -> tensor<?x8x16x16xf32>
  return %y : tensor<?x8x16x16xf32>
}

// CHECK-LABEL: func.func @convolution_transposed(
// CHECK: fx.convolution %{{.*}}, %{{.*}} stride [2] padding [1] dilation [1] output_padding [1] groups [2] {transposed = true} : (tensor<2x4x5xf32>, tensor<4x3x3xf32>) -> tensor<2x6x10xf32>
func.func @convolution_transposed(%x: tensor<2x4x5xf32>, %w: tensor<4x3x3xf32>) -> tensor<2x6x10xf32> {
  %y = fx.convolution %x, %w stride [2] padding [1] dilation [1] output_padding [1] groups [2] {transposed = true} : (tensor<2x4x5xf32>, tensor<4x3x3xf32>) -> tensor<2x6x10xf32>
  return %y : tensor<2x6x10xf32>
}

// CHECK-LABEL: func.func @convolution_dynamic(
// CHECK: fx.convolution %{{.*}}, %{{.*}} stride [%{{.*}}] padding [1] dilation [1] output_padding [0] groups [2] : (tensor<2x4x?xf32>, tensor<6x2x3xf32>, index) -> tensor<2x6x?xf32>
func.func @convolution_dynamic(%x: tensor<2x4x?xf32>, %w: tensor<6x2x3xf32>, %n: index) -> tensor<2x6x?xf32> {
  %y = fx.convolution %x, %w stride [%n] padding [1] dilation [1] output_padding [0] groups [2] : (tensor<2x4x?xf32>, tensor<6x2x3xf32>, index) -> tensor<2x6x?xf32>
  return %y : tensor<2x6x?xf32>
}

// CHECK-LABEL: func.func @convolution_backward(
// CHECK: fx.convolution_backward %{{.*}}, %{{.*}}, %{{.*}} bias_sizes [8] stride [1] padding [0] dilation [1] output_padding [0] groups [1] output_mask [true, true, true] : (tensor<2x8x30xf32>, tensor<2x3x32xf32>, tensor<8x3x3xf32>) -> (tensor<2x3x32xf32>, tensor<8x3x3xf32>, tensor<8xf32>)
func.func @convolution_backward(%g: tensor<2x8x30xf32>, %x: tensor<2x3x32xf32>, %w: tensor<8x3x3xf32>) -> (tensor<2x3x32xf32>, tensor<8x3x3xf32>, tensor<8xf32>) {
  %y:3 = fx.convolution_backward %g, %x, %w bias_sizes [8] stride [1] padding [0] dilation [1] output_padding [0] groups [1] output_mask [true, true, true] : (tensor<2x8x30xf32>, tensor<2x3x32xf32>, tensor<8x3x3xf32>) -> (tensor<2x3x32xf32>, tensor<8x3x3xf32>, tensor<8xf32>)
  return %y#0, %y#1, %y#2 : tensor<2x3x32xf32>, tensor<8x3x3xf32>, tensor<8xf32>
}

// CHECK-LABEL: func.func @convolution_backward_masked(
// CHECK: fx.convolution_backward %{{.*}}, %{{.*}}, %{{.*}} bias_sizes [] stride [1] padding [0] dilation [1] output_padding [0] groups [1] output_mask [false, true, false] : (tensor<2x8x30xf32>, tensor<2x3x32xf32>, tensor<8x3x3xf32>) -> (none, tensor<8x3x3xf32>, none)
func.func @convolution_backward_masked(%g: tensor<2x8x30xf32>, %x: tensor<2x3x32xf32>, %w: tensor<8x3x3xf32>) -> (none, tensor<8x3x3xf32>, none) {
  %y:3 = fx.convolution_backward %g, %x, %w bias_sizes [] stride [1] padding [0] dilation [1] output_padding [0] groups [1] output_mask [false, true, false] : (tensor<2x8x30xf32>, tensor<2x3x32xf32>, tensor<8x3x3xf32>) -> (none, tensor<8x3x3xf32>, none)
  return %y#0, %y#1, %y#2 : none, tensor<8x3x3xf32>, none
}

// CHECK-LABEL: func.func @conv1d(
// CHECK: fx.conv1d %{{.*}}, %{{.*}} bias %{{.*}} stride [1] padding [2] dilation [2] groups [4] : (tensor<2x4x19xf32>, tensor<12x1x3xf32>, tensor<12xf32>) -> tensor<2x12x19xf32>
func.func @conv1d(%x: tensor<2x4x19xf32>, %w: tensor<12x1x3xf32>, %b: tensor<12xf32>) -> tensor<2x12x19xf32> {
  %y = fx.conv1d %x, %w bias %b stride [1] padding [2] dilation [2] groups [4] : (tensor<2x4x19xf32>, tensor<12x1x3xf32>, tensor<12xf32>) -> tensor<2x12x19xf32>
  return %y : tensor<2x12x19xf32>
}

// CHECK-LABEL: func.func @conv2d_unbatched(
// CHECK: fx.conv2d %{{.*}}, %{{.*}} stride [1] padding [0] dilation [1] groups [1] : (tensor<3x8x9xf32>, tensor<4x3x3x2xf32>) -> tensor<4x6x8xf32>
func.func @conv2d_unbatched(%x: tensor<3x8x9xf32>, %w: tensor<4x3x3x2xf32>) -> tensor<4x6x8xf32> {
  %y = fx.conv2d %x, %w stride [1] padding [0] dilation [1] groups [1] : (tensor<3x8x9xf32>, tensor<4x3x3x2xf32>) -> tensor<4x6x8xf32>
  return %y : tensor<4x6x8xf32>
}

// CHECK-LABEL: func.func @conv3d(
// CHECK: fx.conv3d %{{.*}}, %{{.*}} stride [2, 2, 2] padding [1, 1, 1] dilation [1] groups [1] : (tensor<1x3x7x8x9xf32>, tensor<4x3x3x3x3xf32>) -> tensor<1x4x4x4x5xf32>
func.func @conv3d(%x: tensor<1x3x7x8x9xf32>, %w: tensor<4x3x3x3x3xf32>) -> tensor<1x4x4x4x5xf32> {
  %y = fx.conv3d %x, %w stride [2, 2, 2] padding [1, 1, 1] dilation [1] groups [1] : (tensor<1x3x7x8x9xf32>, tensor<4x3x3x3x3xf32>) -> tensor<1x4x4x4x5xf32>
  return %y : tensor<1x4x4x4x5xf32>
}

// CHECK-LABEL: func.func @conv1d_padding(
// CHECK: fx.conv1d_padding %{{.*}}, %{{.*}} stride [1] padding "same" dilation [1] groups [1] : (tensor<2x3x10xf32>, tensor<8x3x4xf32>) -> tensor<2x8x10xf32>
func.func @conv1d_padding(%x: tensor<2x3x10xf32>, %w: tensor<8x3x4xf32>) -> tensor<2x8x10xf32> {
  %y = fx.conv1d_padding %x, %w stride [1] padding "same" dilation [1] groups [1] : (tensor<2x3x10xf32>, tensor<8x3x4xf32>) -> tensor<2x8x10xf32>
  return %y : tensor<2x8x10xf32>
}

// CHECK-LABEL: func.func @conv2d_padding(
// CHECK: fx.conv2d_padding %{{.*}}, %{{.*}} stride [2] padding "valid" dilation [1] groups [1] : (tensor<2x3x10x10xf32>, tensor<8x3x4x1xf32>) -> tensor<2x8x4x5xf32>
func.func @conv2d_padding(%x: tensor<2x3x10x10xf32>, %w: tensor<8x3x4x1xf32>) -> tensor<2x8x4x5xf32> {
  %y = fx.conv2d_padding %x, %w stride [2] padding "valid" dilation [1] groups [1] : (tensor<2x3x10x10xf32>, tensor<8x3x4x1xf32>) -> tensor<2x8x4x5xf32>
  return %y : tensor<2x8x4x5xf32>
}

// CHECK-LABEL: func.func @conv3d_padding(
// CHECK: fx.conv3d_padding %{{.*}}, %{{.*}} stride [1] padding "same" dilation [2] groups [1] : (tensor<2x3x5x5x?xf32>, tensor<8x3x1x1x3xf32>) -> tensor<2x8x5x5x?xf32>
func.func @conv3d_padding(%x: tensor<2x3x5x5x?xf32>, %w: tensor<8x3x1x1x3xf32>) -> tensor<2x8x5x5x?xf32> {
  %y = fx.conv3d_padding %x, %w stride [1] padding "same" dilation [2] groups [1] : (tensor<2x3x5x5x?xf32>, tensor<8x3x1x1x3xf32>) -> tensor<2x8x5x5x?xf32>
  return %y : tensor<2x8x5x5x?xf32>
}

// CHECK-LABEL: func.func @conv_transpose1d(
// CHECK: fx.conv_transpose1d %{{.*}}, %{{.*}} stride [2] padding [1] output_padding [1] groups [1] dilation [1] : (tensor<2x4x5xf32>, tensor<4x6x3xf32>) -> tensor<2x6x10xf32>
func.func @conv_transpose1d(%x: tensor<2x4x5xf32>, %w: tensor<4x6x3xf32>) -> tensor<2x6x10xf32> {
  %y = fx.conv_transpose1d %x, %w stride [2] padding [1] output_padding [1] groups [1] dilation [1] : (tensor<2x4x5xf32>, tensor<4x6x3xf32>) -> tensor<2x6x10xf32>
  return %y : tensor<2x6x10xf32>
}

// CHECK-LABEL: func.func @conv_transpose2d(
// CHECK: fx.conv_transpose2d %{{.*}}, %{{.*}} bias %{{.*}} stride [2, 2] padding [0, 0] output_padding [0, 0] groups [1] dilation [1, 1] : (tensor<1x32x8x8xf32>, tensor<32x16x2x2xf32>, tensor<16xf32>) -> tensor<1x16x16x16xf32>
func.func @conv_transpose2d(%x: tensor<1x32x8x8xf32>, %w: tensor<32x16x2x2xf32>, %b: tensor<16xf32>) -> tensor<1x16x16x16xf32> {
  %y = fx.conv_transpose2d %x, %w bias %b stride [2, 2] padding [0, 0] output_padding [0, 0] groups [1] dilation [1, 1] : (tensor<1x32x8x8xf32>, tensor<32x16x2x2xf32>, tensor<16xf32>) -> tensor<1x16x16x16xf32>
  return %y : tensor<1x16x16x16xf32>
}

// CHECK-LABEL: func.func @conv_transpose3d_unbatched(
// CHECK: fx.conv_transpose3d %{{.*}}, %{{.*}} stride [1] padding [0] output_padding [0] groups [1] dilation [1] : (tensor<2x2x2x2xf32>, tensor<2x1x3x3x3xf32>) -> tensor<1x4x4x4xf32>
func.func @conv_transpose3d_unbatched(%x: tensor<2x2x2x2xf32>, %w: tensor<2x1x3x3x3xf32>) -> tensor<1x4x4x4xf32> {
  %y = fx.conv_transpose3d %x, %w stride [1] padding [0] output_padding [0] groups [1] dilation [1] : (tensor<2x2x2x2xf32>, tensor<2x1x3x3x3xf32>) -> tensor<1x4x4x4xf32>
  return %y : tensor<1x4x4x4xf32>
}

// CHECK-LABEL: func.func @avg_pool1d(
// CHECK: fx.avg_pool1d %{{.*}} kernel_size [2] {ceil_mode = true, padding = array<i64: 1>} : (tensor<3x8xf32>) -> tensor<3x5xf32>
func.func @avg_pool1d(%x: tensor<3x8xf32>) -> tensor<3x5xf32> {
  %y = fx.avg_pool1d %x kernel_size [2] {ceil_mode = true, padding = array<i64: 1>} : (tensor<3x8xf32>) -> tensor<3x5xf32>
  return %y : tensor<3x5xf32>
}

// CHECK-LABEL: func.func @avg_pool2d(
// CHECK: fx.avg_pool2d %{{.*}} kernel_size [3] {count_include_pad = false, divisor_override = 2 : i64, stride = array<i64: 2>} : (tensor<2x3x7x7xf32>) -> tensor<2x3x3x3xf32>
func.func @avg_pool2d(%x: tensor<2x3x7x7xf32>) -> tensor<2x3x3x3xf32> {
  %y = fx.avg_pool2d %x kernel_size [3] {count_include_pad = false, divisor_override = 2 : i64, stride = array<i64: 2>} : (tensor<2x3x7x7xf32>) -> tensor<2x3x3x3xf32>
  return %y : tensor<2x3x3x3xf32>
}

// CHECK-LABEL: func.func @avg_pool3d(
// CHECK: fx.avg_pool3d %{{.*}} kernel_size [2, 3, 1] {stride = array<i64: 2, 1, 2>} : (tensor<0x1x4x5x?xf32>) -> tensor<0x1x2x3x?xf32>
func.func @avg_pool3d(%x: tensor<0x1x4x5x?xf32>) -> tensor<0x1x2x3x?xf32> {
  %y = fx.avg_pool3d %x kernel_size [2, 3, 1] {stride = array<i64: 2, 1, 2>} : (tensor<0x1x4x5x?xf32>) -> tensor<0x1x2x3x?xf32>
  return %y : tensor<0x1x2x3x?xf32>
}

// CHECK-LABEL: func.func @avg_pool2d_backward(
// CHECK: fx.avg_pool2d_backward %{{.*}}, %{{.*}} kernel_size [3, 2] stride [2, 1] padding [1, 0] {ceil_mode = true, count_include_pad = true} : (tensor<2x4x6xf32>, tensor<2x7x7xf32>) -> tensor<2x7x7xf32>
func.func @avg_pool2d_backward(%g: tensor<2x4x6xf32>, %x: tensor<2x7x7xf32>) -> tensor<2x7x7xf32> {
  %y = fx.avg_pool2d_backward %g, %x kernel_size [3, 2] stride [2, 1] padding [1, 0] {ceil_mode = true, count_include_pad = true} : (tensor<2x4x6xf32>, tensor<2x7x7xf32>) -> tensor<2x7x7xf32>
  return %y : tensor<2x7x7xf32>
}

// CHECK-LABEL: func.func @avg_pool3d_backward(
// CHECK: fx.avg_pool3d_backward %{{.*}}, %{{.*}} kernel_size [2] stride [] padding [0] {ceil_mode = false, count_include_pad = true} : (tensor<1x2x2x2x2xf32>, tensor<1x2x4x4x4xf32>) -> tensor<1x2x4x4x4xf32>
func.func @avg_pool3d_backward(%g: tensor<1x2x2x2x2xf32>, %x: tensor<1x2x4x4x4xf32>) -> tensor<1x2x4x4x4xf32> {
  %y = fx.avg_pool3d_backward %g, %x kernel_size [2] stride [] padding [0] {ceil_mode = false, count_include_pad = true} : (tensor<1x2x2x2x2xf32>, tensor<1x2x4x4x4xf32>) -> tensor<1x2x4x4x4xf32>
  return %y : tensor<1x2x4x4x4xf32>
}

// CHECK-LABEL: func.func @max_pool1d(
// CHECK: fx.max_pool1d %{{.*}} kernel_size [3] {dilation = array<i64: 2>} : (tensor<2x3x9xf32>) -> tensor<2x3x2xf32>
func.func @max_pool1d(%x: tensor<2x3x9xf32>) -> tensor<2x3x2xf32> {
  %y = fx.max_pool1d %x kernel_size [3] {dilation = array<i64: 2>} : (tensor<2x3x9xf32>) -> tensor<2x3x2xf32>
  return %y : tensor<2x3x2xf32>
}

// CHECK-LABEL: func.func @max_pool2d(
// CHECK: fx.max_pool2d %{{.*}} kernel_size [2, 3] : (tensor<2x3x8x9xf32>) -> tensor<2x3x4x3xf32>
func.func @max_pool2d(%x: tensor<2x3x8x9xf32>) -> tensor<2x3x4x3xf32> {
  %y = fx.max_pool2d %x kernel_size [2, 3] : (tensor<2x3x8x9xf32>) -> tensor<2x3x4x3xf32>
  return %y : tensor<2x3x4x3xf32>
}

// CHECK-LABEL: func.func @max_pool2d_ceil(
// CHECK: fx.max_pool2d %{{.*}} kernel_size [1, 1] {ceil_mode = true, stride = array<i64: 2, 3>} : (tensor<1x1x8x3xf32>) -> tensor<1x1x4x1xf32>
func.func @max_pool2d_ceil(%x: tensor<1x1x8x3xf32>) -> tensor<1x1x4x1xf32> {
  %y = fx.max_pool2d %x kernel_size [1, 1] {ceil_mode = true, stride = array<i64: 2, 3>} : (tensor<1x1x8x3xf32>) -> tensor<1x1x4x1xf32>
  return %y : tensor<1x1x4x1xf32>
}

// CHECK-LABEL: func.func @max_pool3d(
// CHECK: fx.max_pool3d %{{.*}} kernel_size [2] {padding = array<i64: 1>, stride = array<i64: 2>} : (tensor<2x3x4x4x4xf32>) -> tensor<2x3x3x3x3xf32>
func.func @max_pool3d(%x: tensor<2x3x4x4x4xf32>) -> tensor<2x3x3x3x3xf32> {
  %y = fx.max_pool3d %x kernel_size [2] {padding = array<i64: 1>, stride = array<i64: 2>} : (tensor<2x3x4x4x4xf32>) -> tensor<2x3x3x3x3xf32>
  return %y : tensor<2x3x3x3x3xf32>
}

// CHECK-LABEL: func.func @max_pool1d_with_indices(
// CHECK: fx.max_pool1d_with_indices %{{.*}} kernel_size [3] : (tensor<3x9xf32>) -> (tensor<3x3xf32>, tensor<3x3xi64>)
func.func @max_pool1d_with_indices(%x: tensor<3x9xf32>) -> (tensor<3x3xf32>, tensor<3x3xi64>) {
  %y:2 = fx.max_pool1d_with_indices %x kernel_size [3] : (tensor<3x9xf32>) -> (tensor<3x3xf32>, tensor<3x3xi64>)
  return %y#0, %y#1 : tensor<3x3xf32>, tensor<3x3xi64>
}

// CHECK-LABEL: func.func @max_pool2d_with_indices(
// CHECK: fx.max_pool2d_with_indices %{{.*}} kernel_size [2, 2] : (tensor<2x6x28x28xf32>) -> (tensor<2x6x14x14xf32>, tensor<2x6x14x14xi64>)
func.func @max_pool2d_with_indices(%x: tensor<2x6x28x28xf32>) -> (tensor<2x6x14x14xf32>, tensor<2x6x14x14xi64>) {
  %y:2 = fx.max_pool2d_with_indices %x kernel_size [2, 2] : (tensor<2x6x28x28xf32>) -> (tensor<2x6x14x14xf32>, tensor<2x6x14x14xi64>)
  return %y#0, %y#1 : tensor<2x6x14x14xf32>, tensor<2x6x14x14xi64>
}

// CHECK-LABEL: func.func @max_pool3d_with_indices(
// CHECK: fx.max_pool3d_with_indices %{{.*}} kernel_size [3] {ceil_mode = true, stride = array<i64: 2>} : (tensor<1x2x3x6x5xf32>) -> (tensor<1x2x1x3x2xf32>, tensor<1x2x1x3x2xi64>)
func.func @max_pool3d_with_indices(%x: tensor<1x2x3x6x5xf32>) -> (tensor<1x2x1x3x2xf32>, tensor<1x2x1x3x2xi64>) {
  %y:2 = fx.max_pool3d_with_indices %x kernel_size [3] {ceil_mode = true, stride = array<i64: 2>} : (tensor<1x2x3x6x5xf32>) -> (tensor<1x2x1x3x2xf32>, tensor<1x2x1x3x2xi64>)
  return %y#0, %y#1 : tensor<1x2x1x3x2xf32>, tensor<1x2x1x3x2xi64>
}

// CHECK-LABEL: func.func @max_pool2d_with_indices_backward(
// CHECK: fx.max_pool2d_with_indices_backward %{{.*}}, %{{.*}}, %{{.*}} kernel_size [2, 2] stride [] padding [0, 0] dilation [1, 1] {ceil_mode = false} : (tensor<4x16x5x5xf32>, tensor<4x16x10x10xf32>, tensor<4x16x5x5xi64>) -> tensor<4x16x10x10xf32>
func.func @max_pool2d_with_indices_backward(%g: tensor<4x16x5x5xf32>, %x: tensor<4x16x10x10xf32>, %i: tensor<4x16x5x5xi64>) -> tensor<4x16x10x10xf32> {
  %y = fx.max_pool2d_with_indices_backward %g, %x, %i kernel_size [2, 2] stride [] padding [0, 0] dilation [1, 1] {ceil_mode = false} : (tensor<4x16x5x5xf32>, tensor<4x16x10x10xf32>, tensor<4x16x5x5xi64>) -> tensor<4x16x10x10xf32>
  return %y : tensor<4x16x10x10xf32>
}

// CHECK-LABEL: func.func @max_pool3d_with_indices_backward(
// CHECK: fx.max_pool3d_with_indices_backward %{{.*}}, %{{.*}}, %{{.*}} kernel_size [2] stride [2] padding [0] dilation [1] {ceil_mode = false} : (tensor<1x2x2x2x2xf32>, tensor<1x2x4x4x4xf32>, tensor<1x2x2x2x2xi64>) -> tensor<1x2x4x4x4xf32>
func.func @max_pool3d_with_indices_backward(%g: tensor<1x2x2x2x2xf32>, %x: tensor<1x2x4x4x4xf32>, %i: tensor<1x2x2x2x2xi64>) -> tensor<1x2x4x4x4xf32> {
  %y = fx.max_pool3d_with_indices_backward %g, %x, %i kernel_size [2] stride [2] padding [0] dilation [1] {ceil_mode = false} : (tensor<1x2x2x2x2xf32>, tensor<1x2x4x4x4xf32>, tensor<1x2x2x2x2xi64>) -> tensor<1x2x4x4x4xf32>
  return %y : tensor<1x2x4x4x4xf32>
}

// CHECK-LABEL: func.func @max_unpool2d(
// CHECK: fx.max_unpool2d %{{.*}}, %{{.*}} output_size [8, %{{.*}}] : (tensor<2x3x4x4xf32>, tensor<2x3x4x4xi64>, index) -> tensor<2x3x8x?xf32>
func.func @max_unpool2d(%x: tensor<2x3x4x4xf32>, %i: tensor<2x3x4x4xi64>, %n: index) -> tensor<2x3x8x?xf32> {
  %y = fx.max_unpool2d %x, %i output_size [8, %n] : (tensor<2x3x4x4xf32>, tensor<2x3x4x4xi64>, index) -> tensor<2x3x8x?xf32>
  return %y : tensor<2x3x8x?xf32>
}

// CHECK-LABEL: func.func @max_unpool3d(
// CHECK: fx.max_unpool3d %{{.*}}, %{{.*}} output_size [4, 4, 4] {padding = array<i64: 0, 0, 0>, stride = array<i64: 2, 2, 2>} : (tensor<3x2x2x2xf32>, tensor<3x2x2x2xi64>) -> tensor<3x4x4x4xf32>
func.func @max_unpool3d(%x: tensor<3x2x2x2xf32>, %i: tensor<3x2x2x2xi64>) -> tensor<3x4x4x4xf32> {
  %y = fx.max_unpool3d %x, %i output_size [4, 4, 4] {padding = array<i64: 0, 0, 0>, stride = array<i64: 2, 2, 2>} : (tensor<3x2x2x2xf32>, tensor<3x2x2x2xi64>) -> tensor<3x4x4x4xf32>
  return %y : tensor<3x4x4x4xf32>
}

// CHECK-LABEL: func.func @adaptive_avg_pool1d(
// CHECK: fx.adaptive_avg_pool1d %{{.*}} output_size [3] : (tensor<2x3x9xf32>) -> tensor<2x3x3xf32>
func.func @adaptive_avg_pool1d(%x: tensor<2x3x9xf32>) -> tensor<2x3x3xf32> {
  %y = fx.adaptive_avg_pool1d %x output_size [3] : (tensor<2x3x9xf32>) -> tensor<2x3x3xf32>
  return %y : tensor<2x3x3xf32>
}

// CHECK-LABEL: func.func @adaptive_avg_pool2d(
// CHECK: fx.adaptive_avg_pool2d %{{.*}} output_size [3, %{{.*}}] : (tensor<2x3x9x7xf32>, index) -> tensor<2x3x3x?xf32>
func.func @adaptive_avg_pool2d(%x: tensor<2x3x9x7xf32>, %n: index) -> tensor<2x3x3x?xf32> {
  %y = fx.adaptive_avg_pool2d %x output_size [3, %n] : (tensor<2x3x9x7xf32>, index) -> tensor<2x3x3x?xf32>
  return %y : tensor<2x3x3x?xf32>
}

// CHECK-LABEL: func.func @adaptive_avg_pool3d(
// CHECK: fx.adaptive_avg_pool3d %{{.*}} output_size [5, 7, 4] : (tensor<0x8x8x8x8xf32>) -> tensor<0x8x5x7x4xf32>
func.func @adaptive_avg_pool3d(%x: tensor<0x8x8x8x8xf32>) -> tensor<0x8x5x7x4xf32> {
  %y = fx.adaptive_avg_pool3d %x output_size [5, 7, 4] : (tensor<0x8x8x8x8xf32>) -> tensor<0x8x5x7x4xf32>
  return %y : tensor<0x8x5x7x4xf32>
}

// CHECK-LABEL: func.func @adaptive_avg_pool2d_backward(
// CHECK: fx.adaptive_avg_pool2d_backward %{{.*}}, %{{.*}} : (tensor<1x2x3x3xf32>, tensor<1x2x7x5xf32>) -> tensor<1x2x7x5xf32>
func.func @adaptive_avg_pool2d_backward(%g: tensor<1x2x3x3xf32>, %x: tensor<1x2x7x5xf32>) -> tensor<1x2x7x5xf32> {
  %y = fx.adaptive_avg_pool2d_backward %g, %x : (tensor<1x2x3x3xf32>, tensor<1x2x7x5xf32>) -> tensor<1x2x7x5xf32>
  return %y : tensor<1x2x7x5xf32>
}

// CHECK-LABEL: func.func @adaptive_avg_pool3d_backward(
// CHECK: fx.adaptive_avg_pool3d_backward %{{.*}}, %{{.*}} : (tensor<2x1x1x1xf32>, tensor<2x7x5x3xf32>) -> tensor<2x7x5x3xf32>
func.func @adaptive_avg_pool3d_backward(%g: tensor<2x1x1x1xf32>, %x: tensor<2x7x5x3xf32>) -> tensor<2x7x5x3xf32> {
  %y = fx.adaptive_avg_pool3d_backward %g, %x : (tensor<2x1x1x1xf32>, tensor<2x7x5x3xf32>) -> tensor<2x7x5x3xf32>
  return %y : tensor<2x7x5x3xf32>
}

// CHECK-LABEL: func.func @adaptive_max_pool1d(
// CHECK: fx.adaptive_max_pool1d %{{.*}} output_size [2] : (tensor<3x9xf32>) -> (tensor<3x2xf32>, tensor<3x2xi64>)
func.func @adaptive_max_pool1d(%x: tensor<3x9xf32>) -> (tensor<3x2xf32>, tensor<3x2xi64>) {
  %y:2 = fx.adaptive_max_pool1d %x output_size [2] : (tensor<3x9xf32>) -> (tensor<3x2xf32>, tensor<3x2xi64>)
  return %y#0, %y#1 : tensor<3x2xf32>, tensor<3x2xi64>
}

// CHECK-LABEL: func.func @adaptive_max_pool2d(
// CHECK: fx.adaptive_max_pool2d %{{.*}} output_size [1, 3] : (tensor<3x4x1x4xf32>) -> (tensor<3x4x1x3xf32>, tensor<3x4x1x3xi64>)
func.func @adaptive_max_pool2d(%x: tensor<3x4x1x4xf32>) -> (tensor<3x4x1x3xf32>, tensor<3x4x1x3xi64>) {
  %y:2 = fx.adaptive_max_pool2d %x output_size [1, 3] : (tensor<3x4x1x4xf32>) -> (tensor<3x4x1x3xf32>, tensor<3x4x1x3xi64>)
  return %y#0, %y#1 : tensor<3x4x1x3xf32>, tensor<3x4x1x3xi64>
}

// CHECK-LABEL: func.func @adaptive_max_pool3d(
// CHECK: fx.adaptive_max_pool3d %{{.*}} output_size [2] : (tensor<1x4x4x3x5xf32>) -> (tensor<1x4x2x2x2xf32>, tensor<1x4x2x2x2xi64>)
func.func @adaptive_max_pool3d(%x: tensor<1x4x4x3x5xf32>) -> (tensor<1x4x2x2x2xf32>, tensor<1x4x2x2x2xi64>) {
  %y:2 = fx.adaptive_max_pool3d %x output_size [2] : (tensor<1x4x4x3x5xf32>) -> (tensor<1x4x2x2x2xf32>, tensor<1x4x2x2x2xi64>)
  return %y#0, %y#1 : tensor<1x4x2x2x2xf32>, tensor<1x4x2x2x2xi64>
}

// CHECK-LABEL: func.func @adaptive_max_pool2d_backward(
// CHECK: fx.adaptive_max_pool2d_backward %{{.*}}, %{{.*}}, %{{.*}} : (tensor<3x4x1x3xf32>, tensor<3x4x1x4xf32>, tensor<3x4x1x3xi64>) -> tensor<3x4x1x4xf32>
func.func @adaptive_max_pool2d_backward(%g: tensor<3x4x1x3xf32>, %x: tensor<3x4x1x4xf32>, %i: tensor<3x4x1x3xi64>) -> tensor<3x4x1x4xf32> {
  %y = fx.adaptive_max_pool2d_backward %g, %x, %i : (tensor<3x4x1x3xf32>, tensor<3x4x1x4xf32>, tensor<3x4x1x3xi64>) -> tensor<3x4x1x4xf32>
  return %y : tensor<3x4x1x4xf32>
}

// CHECK-LABEL: func.func @adaptive_max_pool3d_backward(
// CHECK: fx.adaptive_max_pool3d_backward %{{.*}}, %{{.*}}, %{{.*}} : (tensor<1x4x2x2x2xf32>, tensor<1x4x4x3x5xf32>, tensor<1x4x2x2x2xi64>) -> tensor<1x4x4x3x5xf32>
func.func @adaptive_max_pool3d_backward(%g: tensor<1x4x2x2x2xf32>, %x: tensor<1x4x4x3x5xf32>, %i: tensor<1x4x2x2x2xi64>) -> tensor<1x4x4x3x5xf32> {
  %y = fx.adaptive_max_pool3d_backward %g, %x, %i : (tensor<1x4x2x2x2xf32>, tensor<1x4x4x3x5xf32>, tensor<1x4x2x2x2xi64>) -> tensor<1x4x4x3x5xf32>
  return %y : tensor<1x4x4x3x5xf32>
}

// CHECK-LABEL: func.func @fractional_max_pool2d(
// CHECK: fx.fractional_max_pool2d %{{.*}}, %{{.*}} kernel_size [2, 2] output_size [8, 8] : (tensor<1x1x16x16xf32>, tensor<1x1x2xf32>) -> (tensor<1x1x8x8xf32>, tensor<1x1x8x8xi64>)
func.func @fractional_max_pool2d(%x: tensor<1x1x16x16xf32>, %s: tensor<1x1x2xf32>) -> (tensor<1x1x8x8xf32>, tensor<1x1x8x8xi64>) {
  %y:2 = fx.fractional_max_pool2d %x, %s kernel_size [2, 2] output_size [8, 8] : (tensor<1x1x16x16xf32>, tensor<1x1x2xf32>) -> (tensor<1x1x8x8xf32>, tensor<1x1x8x8xi64>)
  return %y#0, %y#1 : tensor<1x1x8x8xf32>, tensor<1x1x8x8xi64>
}

// CHECK-LABEL: func.func @fractional_max_pool3d(
// CHECK: fx.fractional_max_pool3d %{{.*}}, %{{.*}} kernel_size [2] output_size [4] : (tensor<2x3x5x5x5xf32>, tensor<2x3x3xf32>) -> (tensor<2x3x4x4x4xf32>, tensor<2x3x4x4x4xi64>)
func.func @fractional_max_pool3d(%x: tensor<2x3x5x5x5xf32>, %s: tensor<2x3x3xf32>) -> (tensor<2x3x4x4x4xf32>, tensor<2x3x4x4x4xi64>) {
  %y:2 = fx.fractional_max_pool3d %x, %s kernel_size [2] output_size [4] : (tensor<2x3x5x5x5xf32>, tensor<2x3x3xf32>) -> (tensor<2x3x4x4x4xf32>, tensor<2x3x4x4x4xi64>)
  return %y#0, %y#1 : tensor<2x3x4x4x4xf32>, tensor<2x3x4x4x4xi64>
}

// CHECK-LABEL: func.func @fractional_max_pool2d_backward(
// CHECK: fx.fractional_max_pool2d_backward %{{.*}}, %{{.*}}, %{{.*}} {kernel_size = array<i64: 2, 2>, output_size = array<i64: 8, 8>} : (tensor<1x1x8x8xf32>, tensor<1x1x16x16xf32>, tensor<1x1x8x8xi64>) -> tensor<1x1x16x16xf32>
func.func @fractional_max_pool2d_backward(%g: tensor<1x1x8x8xf32>, %x: tensor<1x1x16x16xf32>, %i: tensor<1x1x8x8xi64>) -> tensor<1x1x16x16xf32> {
  %y = fx.fractional_max_pool2d_backward %g, %x, %i {kernel_size = array<i64: 2, 2>, output_size = array<i64: 8, 8>} : (tensor<1x1x8x8xf32>, tensor<1x1x16x16xf32>, tensor<1x1x8x8xi64>) -> tensor<1x1x16x16xf32>
  return %y : tensor<1x1x16x16xf32>
}

// CHECK-LABEL: func.func @fractional_max_pool3d_backward(
// CHECK: fx.fractional_max_pool3d_backward %{{.*}}, %{{.*}}, %{{.*}} {kernel_size = array<i64: 2>, output_size = array<i64: 4>} : (tensor<2x3x4x4x4xf32>, tensor<2x3x5x5x5xf32>, tensor<2x3x4x4x4xi64>) -> tensor<2x3x5x5x5xf32>
func.func @fractional_max_pool3d_backward(%g: tensor<2x3x4x4x4xf32>, %x: tensor<2x3x5x5x5xf32>, %i: tensor<2x3x4x4x4xi64>) -> tensor<2x3x5x5x5xf32> {
  %y = fx.fractional_max_pool3d_backward %g, %x, %i {kernel_size = array<i64: 2>, output_size = array<i64: 4>} : (tensor<2x3x4x4x4xf32>, tensor<2x3x5x5x5xf32>, tensor<2x3x4x4x4xi64>) -> tensor<2x3x5x5x5xf32>
  return %y : tensor<2x3x5x5x5xf32>
}
