// Constraints of the spatial ops, each test named by its label.
// RUN: fx-opt %s -split-input-file -verify-diagnostics

func.func @convolution_c1(%x: tensor<3x8xf32>, %w: tensor<4x3x3x3xf32>) {
  // expected-error @+2 {{expects 'input' of rank 3 to 4, got rank 2}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.convolution %x, %w stride [1] padding [0] dilation [1] output_padding [0] groups [1] : (tensor<3x8xf32>, tensor<4x3x3x3xf32>) -> tensor<2x4x6x6xf32>
  return
}

// -----

func.func @convolution_c1_weight(%x: tensor<3x8xf32>, %w: tensor<4x3xf32>) {
  // expected-error @+2 {{expects 'weight' of rank 3 or more, got rank 2}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.convolution %x, %w stride [1] padding [0] dilation [1] output_padding [0] groups [1] : (tensor<3x8xf32>, tensor<4x3xf32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @convolution_c2(%x: tensor<2x3x8x8xf32>, %w: tensor<4x3x3x3xf32>) {
  // expected-error @+2 {{expects 'stride' to have 1 or 2 entries, got 3}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.convolution %x, %w stride [1, 1, 1] padding [0] dilation [1] output_padding [0] groups [1] : (tensor<2x3x8x8xf32>, tensor<4x3x3x3xf32>) -> tensor<2x4x6x6xf32>
  return
}

// -----

func.func @convolution_c2_groups(%x: tensor<2x3x8x8xf32>, %w: tensor<4x3x3x3xf32>) {
  // expected-error @+2 {{expects one entry in 'groups', got 0}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.convolution %x, %w stride [1] padding [0] dilation [1] output_padding [0] groups [] : (tensor<2x3x8x8xf32>, tensor<4x3x3x3xf32>) -> tensor<2x4x6x6xf32>
  return
}

// -----

func.func @convolution_c3(%x: tensor<2x3x8xf32>, %w: tensor<4x3x3xf32>) {
  // expected-error @+2 {{expects entries of 'stride' of at least 1, got 0}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.convolution %x, %w stride [0] padding [0] dilation [1] output_padding [0] groups [1] : (tensor<2x3x8xf32>, tensor<4x3x3xf32>) -> tensor<2x4x6xf32>
  return
}

// -----

func.func @convolution_c3_padding(%x: tensor<2x3x8xf32>, %w: tensor<4x3x3xf32>) {
  // expected-error @+2 {{expects entries of 'padding' of at least 0, got -1}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.convolution %x, %w stride [1] padding [-1] dilation [1] output_padding [0] groups [1] : (tensor<2x3x8xf32>, tensor<4x3x3xf32>) -> tensor<2x4x6xf32>
  return
}

// -----

func.func @convolution_c4(%x: tensor<2x3x8xf32>, %w: tensor<4x2x3xf32>) {
  // expected-error @+2 {{channels of 'input' and 'weight': expected equal sizes, got 3 and 2}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.convolution %x, %w stride [1] padding [0] dilation [1] output_padding [0] groups [1] : (tensor<2x3x8xf32>, tensor<4x2x3xf32>) -> tensor<2x4x6xf32>
  return
}

// -----

func.func @convolution_c4_groups(%x: tensor<2x6x8xf32>, %w: tensor<4x2x3xf32>) {
  // expected-error @+2 {{expects the first size of 'weight' to be a multiple of 3 groups, got 4}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.convolution %x, %w stride [1] padding [0] dilation [1] output_padding [0] groups [3] : (tensor<2x6x8xf32>, tensor<4x2x3xf32>) -> tensor<2x4x6xf32>
  return
}

// -----

func.func @convolution_c5(%x: tensor<2x3x8xf32>, %w: tensor<4x3x3xf32>, %b: tensor<3xf32>) {
  // expected-error @+2 {{'bias' in dim 0: expected equal sizes, got 3 and 4}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.convolution %x, %w bias %b stride [1] padding [0] dilation [1] output_padding [0] groups [1] : (tensor<2x3x8xf32>, tensor<4x3x3xf32>, tensor<3xf32>) -> tensor<2x4x6xf32>
  return
}

// -----

func.func @convolution_c6(%x: tensor<2x3x8xf32>, %w: tensor<4x3x3xf16>) {
  // expected-error @+2 {{expects operands of one element type, got 'f32' and 'f16'}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.convolution %x, %w stride [1] padding [0] dilation [1] output_padding [0] groups [1] : (tensor<2x3x8xf32>, tensor<4x3x3xf16>) -> tensor<2x4x6xf32>
  return
}

// -----

func.func @convolution_c7(%x: tensor<2x3x2xf32>, %w: tensor<4x3x3xf32>) {
  // expected-error @+2 {{has an output size of 0, expected at least 1}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.convolution %x, %w stride [1] padding [0] dilation [1] output_padding [0] groups [1] : (tensor<2x3x2xf32>, tensor<4x3x3xf32>) -> tensor<2x4x0xf32>
  return
}

// -----

func.func @convolution_overflow(%x: tensor<2x3x8xf32>, %w: tensor<4x3x3xf32>) {
  // expected-error @+2 {{has a size out of the range of i64}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.convolution %x, %w stride [1] padding [0] dilation [9223372036854775807] output_padding [0] groups [1] : (tensor<2x3x8xf32>, tensor<4x3x3xf32>) -> tensor<2x4x0xf32>
  return
}

// -----

func.func @convolution_backward_c1(%g: tensor<2x4x6xf32>, %x: tensor<2x3x8xf32>, %w: tensor<4x3x3xf32>) {
  // expected-error @+2 {{expects three entries in 'output_mask', got 1}}
  // expected-error @+1 {{failed to infer returned types}}
  %y:3 = fx.convolution_backward %g, %x, %w bias_sizes [] stride [1] padding [0] dilation [1] output_padding [0] groups [1] output_mask [true] : (tensor<2x4x6xf32>, tensor<2x3x8xf32>, tensor<4x3x3xf32>) -> (tensor<2x3x8xf32>, none, none)
  return
}

// -----

func.func @convolution_backward_c2(%g: tensor<2x4x5xf32>, %x: tensor<2x3x8xf32>, %w: tensor<4x3x3xf32>) {
  // expected-error @+2 {{'grad_output' in dim 2: expected equal sizes, got 5 and 6}}
  // expected-error @+1 {{failed to infer returned types}}
  %y:3 = fx.convolution_backward %g, %x, %w bias_sizes [] stride [1] padding [0] dilation [1] output_padding [0] groups [1] output_mask [true, false, false] : (tensor<2x4x5xf32>, tensor<2x3x8xf32>, tensor<4x3x3xf32>) -> (tensor<2x3x8xf32>, none, none)
  return
}

// -----

func.func @conv_padding_c1(%x: tensor<2x3x8xf32>, %w: tensor<4x3x3xf32>) {
  // expected-error @+2 {{expects a stride of 1 with padding "same", got 2}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.conv1d_padding %x, %w stride [2] padding "same" dilation [1] groups [1] : (tensor<2x3x8xf32>, tensor<4x3x3xf32>) -> tensor<2x4x8xf32>
  return
}

// -----

func.func @conv_padding_c1_name(%x: tensor<2x3x8xf32>, %w: tensor<4x3x3xf32>) {
  // expected-error @+2 {{expects 'padding' to be "same" or "valid", got "full"}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.conv1d_padding %x, %w stride [1] padding "full" dilation [1] groups [1] : (tensor<2x3x8xf32>, tensor<4x3x3xf32>) -> tensor<2x4x8xf32>
  return
}

// -----

func.func @pool_c1(%x: tensor<8x8xf32>) {
  // expected-error @+2 {{expects 'input' of rank 3 to 4, got rank 2}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.max_pool2d %x kernel_size [2] : (tensor<8x8xf32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @pool_c2(%x: tensor<3x8x8xf32>) {
  // expected-error @+2 {{expects 'kernel_size' to have 1 or 2 entries, got 3}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.max_pool2d %x kernel_size [2, 2, 2] : (tensor<3x8x8xf32>) -> tensor<3x4x4xf32>
  return
}

// -----

func.func @pool_c2_empty(%x: tensor<3x8x8xf32>) {
  // expected-error @+2 {{expects 'kernel_size' to have 1 or 2 entries, got 0}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.avg_pool2d %x kernel_size [] : (tensor<3x8x8xf32>) -> tensor<3x4x4xf32>
  return
}

// -----

func.func @pool_c3(%x: tensor<3x8x8xf32>) {
  // expected-error @+2 {{expects entries of 'stride' of at least 1, got 0}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.max_pool2d %x kernel_size [2] {stride = array<i64: 0>} : (tensor<3x8x8xf32>) -> tensor<3x4x4xf32>
  return
}

// -----

func.func @pool_c3_padding(%x: tensor<3x8x8xf32>) {
  // expected-error @+2 {{expects 'padding' of at most half of the window, got 2 for a kernel of 3}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.avg_pool2d %x kernel_size [3] {padding = array<i64: 2>} : (tensor<3x8x8xf32>) -> tensor<3x4x4xf32>
  return
}

// -----

func.func @pool_c3_kernel(%x: tensor<3x8xf32>) {
  // expected-error @+2 {{expects entries of 'kernel_size' of at least 1, got -3}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.avg_pool1d %x kernel_size [-3] : (tensor<3x8xf32>) -> tensor<3x4xf32>
  return
}

// -----

func.func @pool_c4(%x: tensor<3x8x2xf32>) {
  // expected-error @+2 {{has an output size of 0, expected at least 1}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.max_pool2d %x kernel_size [3] : (tensor<3x8x2xf32>) -> tensor<3x2x0xf32>
  return
}

// -----

func.func @avg_pool_c5(%x: tensor<3x8x8xf32>) {
  // expected-error @+2 {{expects 'divisor_override' not to be 0}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.avg_pool2d %x kernel_size [2] {divisor_override = 0 : i64} : (tensor<3x8x8xf32>) -> tensor<3x4x4xf32>
  return
}

// -----

func.func @pool_backward_c1(%g: tensor<3x5x4xf32>, %x: tensor<3x8x8xf32>) {
  // expected-error @+2 {{'grad_output' in dim 1: expected equal sizes, got 5 and 4}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.avg_pool2d_backward %g, %x kernel_size [2] stride [] padding [0] {ceil_mode = false, count_include_pad = true} : (tensor<3x5x4xf32>, tensor<3x8x8xf32>) -> tensor<3x8x8xf32>
  return
}

// -----

func.func @max_unpool_c1(%x: tensor<4x4xf32>, %i: tensor<4x4xi64>) {
  // expected-error @+2 {{expects 'input' of rank 3 to 4, got rank 2}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.max_unpool2d %x, %i output_size [8, 8] : (tensor<4x4xf32>, tensor<4x4xi64>) -> tensor<8x8xf32>
  return
}

// -----

func.func @max_unpool_c2(%x: tensor<3x4x4xf32>, %i: tensor<3x4x5xi64>) {
  // expected-error @+2 {{'indices' in dim 2: expected equal sizes, got 5 and 4}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.max_unpool2d %x, %i output_size [8, 8] : (tensor<3x4x4xf32>, tensor<3x4x5xi64>) -> tensor<3x8x8xf32>
  return
}

// -----

func.func @max_unpool_c3(%x: tensor<3x4x4xf32>, %i: tensor<3x4x4xi64>) {
  // expected-error @+2 {{expects entries of 'output_size' of at least 0, got -8}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.max_unpool2d %x, %i output_size [8, -8] : (tensor<3x4x4xf32>, tensor<3x4x4xi64>) -> tensor<3x8x8xf32>
  return
}

// -----

func.func @adaptive_pool_c1(%x: tensor<9xf32>) {
  // expected-error @+2 {{expects 'input' of rank 2 to 3, got rank 1}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.adaptive_avg_pool1d %x output_size [3] : (tensor<9xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @adaptive_pool_c2(%x: tensor<3x9x9xf32>) {
  // expected-error @+2 {{expects entries of 'output_size' of at least 0, got -1}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.adaptive_avg_pool2d %x output_size [3, -1] : (tensor<3x9x9xf32>) -> tensor<3x3x3xf32>
  return
}

// -----

func.func @adaptive_pool_backward_c1(%g: tensor<3x3x3xf32>, %x: tensor<1x3x9x9xf32>) {
  // expected-error @+2 {{expects 'grad_output' of the rank of 'input', got 3 and 4}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.adaptive_avg_pool2d_backward %g, %x : (tensor<3x3x3xf32>, tensor<1x3x9x9xf32>) -> tensor<1x3x9x9xf32>
  return
}

// -----

func.func @fractional_max_pool_c1(%x: tensor<16x16xf32>, %s: tensor<1x1x2xf32>) {
  // expected-error @+2 {{expects 'input' of rank 3 to 4, got rank 2}}
  // expected-error @+1 {{failed to infer returned types}}
  %y:2 = fx.fractional_max_pool2d %x, %s kernel_size [2] output_size [8] : (tensor<16x16xf32>, tensor<1x1x2xf32>) -> (tensor<8x8xf32>, tensor<8x8xi64>)
  return
}

// -----

func.func @fractional_max_pool_c2(%x: tensor<1x16x16xf32>, %s: tensor<1x1x2xf32>) {
  // expected-error @+2 {{expects entries of 'output_size' of at least 1, got 0}}
  // expected-error @+1 {{failed to infer returned types}}
  %y:2 = fx.fractional_max_pool2d %x, %s kernel_size [2] output_size [0] : (tensor<1x16x16xf32>, tensor<1x1x2xf32>) -> (tensor<1x8x8xf32>, tensor<1x8x8xi64>)
  return
}

// -----

func.func @fractional_max_pool_c3(%x: tensor<1x16x16xf32>, %s: tensor<1x1x2xf32>) {
  // expected-error @+2 {{expects output_size + kernel_size - 1 <= 16 in spatial dim 0, got 16 and 2}}
  // expected-error @+1 {{failed to infer returned types}}
  %y:2 = fx.fractional_max_pool2d %x, %s kernel_size [2] output_size [16] : (tensor<1x16x16xf32>, tensor<1x1x2xf32>) -> (tensor<1x16x16xf32>, tensor<1x16x16xi64>)
  return
}

// -----

func.func @fractional_max_pool_c4(%x: tensor<1x16x16xf32>, %s: tensor<1x2xf32>) {
  // expected-error @+2 {{expects 'random_samples' of rank 3, got rank 2}}
  // expected-error @+1 {{failed to infer returned types}}
  %y:2 = fx.fractional_max_pool2d %x, %s kernel_size [2] output_size [8] : (tensor<1x16x16xf32>, tensor<1x2xf32>) -> (tensor<1x8x8xf32>, tensor<1x8x8xi64>)
  return
}

// -----

func.func @constant_pad_nd_c1(%x: tensor<4xf32>) {
  // expected-error @+2 {{expects an even number of pads, at most two for each of 1 dims, got 4}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.constant_pad_nd %x pad [1, 1, 1, 1] : (tensor<4xf32>) -> tensor<6xf32>
  return
}

// -----

func.func @constant_pad_nd_c2(%x: tensor<4xf32>) {
  // expected-error @+2 {{has a padded size of -1 in dim 0, expected at least 0}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.constant_pad_nd %x pad [-3, -2] : (tensor<4xf32>) -> tensor<0xf32>
  return
}

// -----

func.func @pad_c1(%x: tensor<4xf32>) {
  // expected-error @+2 {{expects an even number of pads, at most two for each of 1 dims, got 1}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.pad %x pad [1] mode "constant" : (tensor<4xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @pad_c2(%x: tensor<4xf32>) {
  // expected-error @+2 {{expects 'mode' to be one of "constant", "reflect", "replicate", "circular", got "edge"}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.pad %x pad [1, 1] mode "edge" : (tensor<4xf32>) -> tensor<6xf32>
  return
}

// -----

func.func @pad_c2_value(%x: tensor<4xf32>) {
  // expected-error @+2 {{expects no 'value' with mode "reflect"}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.pad %x pad [1, 1] mode "reflect" {value = 1.0 : f64} : (tensor<4xf32>) -> tensor<6xf32>
  return
}

// -----

func.func @pad_c3(%x: tensor<3x4xf32>) {
  // expected-error @+2 {{expects a pad of at most 3 for a dim of size 4, got 4}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.pad %x pad [4, 1] mode "reflect" : (tensor<3x4xf32>) -> tensor<3x9xf32>
  return
}

// -----

func.func @pad_c3_circular(%x: tensor<3x4xf32>) {
  // expected-error @+2 {{expects a pad of at most 4 for a dim of size 4, got 5}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.pad %x pad [5, 1] mode "circular" : (tensor<3x4xf32>) -> tensor<3x10xf32>
  return
}

// -----

func.func @edge_pad_c1(%x: tensor<4xf32>) {
  // expected-error @+2 {{expects 'input' of rank 2 to 3, got rank 1}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.replication_pad1d %x padding [1, 1] : (tensor<4xf32>) -> tensor<6xf32>
  return
}

// -----

func.func @edge_pad_c2(%x: tensor<3x4xf32>) {
  // expected-error @+2 {{expects 'padding' to have 1 or 2 entries, got 3}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.replication_pad1d %x padding [1, 1, 1] : (tensor<3x4xf32>) -> tensor<3x6xf32>
  return
}

// -----

func.func @edge_pad_c3(%x: tensor<3x4xf32>) {
  // expected-error @+2 {{has a padded size of 0 in dim 1, expected at least 1}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.replication_pad1d %x padding [-2, -2] : (tensor<3x4xf32>) -> tensor<3x0xf32>
  return
}

// -----

func.func @reflection_pad_c4(%x: tensor<3x4xf32>) {
  // expected-error @+2 {{expects a pad of at most 3 for a dim of size 4, got 4}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.reflection_pad1d %x padding [4, 0] : (tensor<3x4xf32>) -> tensor<3x8xf32>
  return
}

// -----

func.func @pad_backward_c1(%g: tensor<3x7xf32>, %x: tensor<3x4xf32>) {
  // expected-error @+2 {{'grad_output' in dim 1: expected equal sizes, got 7 and 6}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.replication_pad1d_backward %g, %x padding [1, 1] : (tensor<3x7xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
  return
}

// -----

func.func @upsample_c1(%x: tensor<3x4x4xf32>) {
  // expected-error @+2 {{expects 'input' of rank 4, got rank 3}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.upsample_nearest2d %x output_size [8, 8] : (tensor<3x4x4xf32>) -> tensor<3x8x8xf32>
  return
}

// -----

func.func @upsample_c2(%x: tensor<1x3x4x4xf32>) {
  // expected-error @+2 {{expects either 'output_size' or 'scale_factors', got neither}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.upsample_nearest2d %x output_size [] : (tensor<1x3x4x4xf32>) -> tensor<1x3x8x8xf32>
  return
}

// -----

func.func @upsample_c2_both(%x: tensor<1x3x4x4xf32>) {
  // expected-error @+2 {{expects either 'output_size' or 'scale_factors', got both}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.upsample_nearest2d %x output_size [8, 8] {scale_factors = array<f64: 2.0>} : (tensor<1x3x4x4xf32>) -> tensor<1x3x8x8xf32>
  return
}

// -----

func.func @upsample_c2_count(%x: tensor<1x3x4x4xf32>) {
  // expected-error @+2 {{expects 'scale_factors' to have 1 or 2 entries, got 3}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.upsample_nearest2d %x output_size [] {scale_factors = array<f64: 2.0, 2.0, 2.0>} : (tensor<1x3x4x4xf32>) -> tensor<1x3x8x8xf32>
  return
}

// -----

func.func @upsample_c3(%x: tensor<1x3x4x4xf32>) {
  // expected-error @+2 {{has an output size of 0, expected at least 1}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.upsample_nearest2d %x output_size [0, 8] : (tensor<1x3x4x4xf32>) -> tensor<1x3x0x8xf32>
  return
}

// -----

func.func @upsample_c3_factor(%x: tensor<1x3x4x4xf32>) {
  // expected-error @+2 {{expects 'scale_factors' to be positive and of reasonable size}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.upsample_nearest2d %x output_size [] {scale_factors = array<f64: -2.0>} : (tensor<1x3x4x4xf32>) -> tensor<1x3x8x8xf32>
  return
}

// -----

func.func @upsample_backward_c1(%g: tensor<1x3x8x8xf32>) {
  // expected-error @+2 {{expects 'input_size' to have 1 or 4 entries, got 3}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.upsample_nearest2d_backward %g output_size [8, 8] input_size [4, 4, 4] : (tensor<1x3x8x8xf32>) -> tensor<1x3x4x4xf32>
  return
}

// -----

func.func @upsample_backward_c2(%g: tensor<1x3x8x8xf32>) {
  // expected-error @+2 {{'grad_output' in dim 3: expected equal sizes, got 8 and 9}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.upsample_nearest2d_backward %g output_size [8, 9] input_size [1, 3, 4, 4] : (tensor<1x3x8x8xf32>) -> tensor<1x3x4x4xf32>
  return
}

// -----

func.func @grid_sampler_c1(%x: tensor<2x3x5x5xf32>, %g: tensor<2x4x4x3xf32>) {
  // expected-error @+2 {{coordinates of 'grid': expected equal sizes, got 3 and 2}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.grid_sampler %x, %g {align_corners = false, interpolation_mode = 0 : i64, padding_mode = 0 : i64} : (tensor<2x3x5x5xf32>, tensor<2x4x4x3xf32>) -> tensor<2x3x4x4xf32>
  return
}

// -----

func.func @grid_sampler_c2(%x: tensor<2x3x5x5xf32>, %g: tensor<1x4x4x2xf32>) {
  // expected-error @+2 {{batch of 'input' and 'grid': expected equal sizes, got 2 and 1}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.grid_sampler %x, %g {align_corners = false, interpolation_mode = 0 : i64, padding_mode = 0 : i64} : (tensor<2x3x5x5xf32>, tensor<1x4x4x2xf32>) -> tensor<2x3x4x4xf32>
  return
}

// -----

func.func @grid_sampler_c3(%x: tensor<2x3x5x5x5xf32>, %g: tensor<2x4x4x4x3xf32>) {
  // expected-error @+2 {{expects cubic interpolation of rank 4 only, got rank 5}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.grid_sampler %x, %g {align_corners = false, interpolation_mode = 2 : i64, padding_mode = 0 : i64} : (tensor<2x3x5x5x5xf32>, tensor<2x4x4x4x3xf32>) -> tensor<2x3x4x4x4xf32>
  return
}

// -----

func.func @grid_sampler_c3_range(%x: tensor<2x3x5x5xf32>, %g: tensor<2x4x4x2xf32>) {
  // expected-error @+2 {{expects modes in [0, 2], got 0 and 3}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.grid_sampler %x, %g {align_corners = false, interpolation_mode = 0 : i64, padding_mode = 3 : i64} : (tensor<2x3x5x5xf32>, tensor<2x4x4x2xf32>) -> tensor<2x3x4x4xf32>
  return
}

// -----

func.func @grid_sampler_backward_c4(%d: tensor<2x3x4x4xf32>, %x: tensor<2x3x5x5xf32>, %g: tensor<2x4x4x2xf32>) {
  // expected-error @+2 {{expects two entries in 'output_mask', got 1}}
  // expected-error @+1 {{failed to infer returned types}}
  %y:2 = fx.grid_sampler_backward %d, %x, %g {align_corners = false, interpolation_mode = 0 : i64, output_mask = array<i1: true>, padding_mode = 0 : i64} : (tensor<2x3x4x4xf32>, tensor<2x3x5x5xf32>, tensor<2x4x4x2xf32>) -> (tensor<2x3x5x5xf32>, none)
  return
}

// -----

func.func @grid_sampler_backward_c5(%d: tensor<2x3x4x5xf32>, %x: tensor<2x3x5x5xf32>, %g: tensor<2x4x4x2xf32>) {
  // expected-error @+2 {{'grad_output' in dim 3: expected equal sizes, got 5 and 4}}
  // expected-error @+1 {{failed to infer returned types}}
  %y:2 = fx.grid_sampler_backward %d, %x, %g {align_corners = false, interpolation_mode = 0 : i64, output_mask = array<i1: true, false>, padding_mode = 0 : i64} : (tensor<2x3x4x5xf32>, tensor<2x3x5x5xf32>, tensor<2x4x4x2xf32>) -> (tensor<2x3x5x5xf32>, none)
  return
}

// -----

func.func @affine_grid_generator_c1(%t: tensor<2x2x3xf32>) {
  // expected-error @+2 {{expects 'size' to have 4 or 5 entries, got 3}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.affine_grid_generator %t size [2, 3, 8] {align_corners = false} : (tensor<2x2x3xf32>) -> tensor<2x8x8x2xf32>
  return
}

// -----

func.func @affine_grid_generator_c2(%t: tensor<2x3x3xf32>) {
  // expected-error @+2 {{'theta' in dim 1: expected equal sizes, got 3 and 2}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.affine_grid_generator %t size [2, 3, 8, 8] {align_corners = false} : (tensor<2x3x3xf32>) -> tensor<2x8x8x2xf32>
  return
}

// -----

func.func @affine_grid_generator_backward_c1(%g: tensor<2x8x8x2xf32>) {
  // expected-error @+2 {{expects entries of 'size' of at least 0, got -8}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.affine_grid_generator_backward %g size [2, 3, -8, 8] {align_corners = false} : (tensor<2x8x8x2xf32>) -> tensor<2x2x3xf32>
  return
}

// -----

func.func @affine_grid_generator_backward_c2(%g: tensor<2x8x8x3xf32>) {
  // expected-error @+2 {{'grad' in dim 3: expected equal sizes, got 3 and 2}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.affine_grid_generator_backward %g size [2, 3, 8, 8] {align_corners = false} : (tensor<2x8x8x3xf32>) -> tensor<2x2x3xf32>
  return
}

// -----

func.func @pixel_shuffle_c1(%x: tensor<2x4xf32>) {
  // expected-error @+2 {{expects 'input' of rank 3 or more, got rank 2}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.pixel_shuffle %x {upscale_factor = 2 : i64} : (tensor<2x4xf32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @pixel_shuffle_c2(%x: tensor<6x4x4xf32>) {
  // expected-error @+2 {{expects the number of channels to be a multiple of 4, got 6}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.pixel_shuffle %x {upscale_factor = 2 : i64} : (tensor<6x4x4xf32>) -> tensor<2x8x8xf32>
  return
}

// -----

func.func @pixel_unshuffle_c1(%x: tensor<1x4x4xf32>) {
  // expected-error @+2 {{expects a factor in [1, 2^31), got 0}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.pixel_unshuffle %x {downscale_factor = 0 : i64} : (tensor<1x4x4xf32>) -> tensor<1x4x4xf32>
  return
}

// -----

func.func @pixel_unshuffle_c2(%x: tensor<1x4x5xf32>) {
  // expected-error @+2 {{expects the width to be a multiple of 2, got 5}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.pixel_unshuffle %x {downscale_factor = 2 : i64} : (tensor<1x4x5xf32>) -> tensor<4x2x2xf32>
  return
}

// -----

func.func @channel_shuffle_c1(%x: tensor<2x6xf32>) {
  // expected-error @+2 {{expects 'input' of rank 3 or more, got rank 2}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.channel_shuffle %x groups [3] : (tensor<2x6xf32>) -> tensor<2x6xf32>
  return
}

// -----

func.func @channel_shuffle_c2(%x: tensor<2x6x4xf32>) {
  // expected-error @+2 {{expects the number of channels to be a multiple of 4, got 6}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.channel_shuffle %x groups [4] : (tensor<2x6x4xf32>) -> tensor<2x6x4xf32>
  return
}

// -----

func.func @im2col_c1(%x: tensor<8x8xf32>) {
  // expected-error @+2 {{expects 'input' of rank 3 to 4, got rank 2}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.im2col %x kernel_size [2] dilation [1] padding [0] stride [1] : (tensor<8x8xf32>) -> tensor<4x49xf32>
  return
}

// -----

func.func @im2col_c2(%x: tensor<1x8x8xf32>) {
  // expected-error @+2 {{expects entries of 'stride' of at least 1, got 0}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.im2col %x kernel_size [2] dilation [1] padding [0] stride [0, 1] : (tensor<1x8x8xf32>) -> tensor<4x49xf32>
  return
}

// -----

func.func @im2col_c3(%x: tensor<1x8x8xf32>) {
  // expected-error @+2 {{has an output size of 0, expected at least 1}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.im2col %x kernel_size [9] dilation [1] padding [0] stride [1] : (tensor<1x8x8xf32>) -> tensor<81x0xf32>
  return
}

// -----

func.func @col2im_c1(%x: tensor<4xf32>) {
  // expected-error @+2 {{expects 'input' of rank 2 to 3, got rank 1}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.col2im %x output_size [4, 4] kernel_size [2] dilation [1] padding [0] stride [1] : (tensor<4xf32>) -> tensor<1x4x4xf32>
  return
}

// -----

func.func @col2im_c2(%x: tensor<12x9xf32>) {
  // expected-error @+2 {{expects entries of 'padding' of at least 0, got -1}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.col2im %x output_size [4, 4] kernel_size [2] dilation [1] padding [-1] stride [1] : (tensor<12x9xf32>) -> tensor<3x4x4xf32>
  return
}

// -----

func.func @col2im_c3(%x: tensor<13x9xf32>) {
  // expected-error @+2 {{expects the rows of 'input' to be a multiple of 4, got 13}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.col2im %x output_size [4, 4] kernel_size [2] dilation [1] padding [0] stride [1] : (tensor<13x9xf32>) -> tensor<3x4x4xf32>
  return
}

// -----

func.func @col2im_c3_columns(%x: tensor<12x8xf32>) {
  // expected-error @+2 {{columns of 'input' and number of windows: expected equal sizes, got 8 and 9}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.col2im %x output_size [4, 4] kernel_size [2] dilation [1] padding [0] stride [1] : (tensor<12x8xf32>) -> tensor<3x4x4xf32>
  return
}
