// Constraints of views and parts of tensors, by their labels.
// RUN: fx-opt %s -split-input-file -verify-diagnostics

func.func @adjoint_c1(%x: tensor<4xf32>) {
  // expected-error @+2 {{'fx.adjoint' op expects an operand of rank 0 or at least 2, got rank 1}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.adjoint %x : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @as_strided_c1(%x: tensor<4x8xf32>) {
  // expected-error @+2 {{'fx.as_strided' op expects as many strides as sizes, got 1 and 2}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.as_strided %x size [2, 3] stride [1] offset [] : (tensor<4x8xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @as_strided_c1_negative(%x: tensor<4x8xf32>) {
  // expected-error @+2 {{'fx.as_strided' op stride: expected sizes of at least 0, got -1}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.as_strided %x size [2] stride [-1] offset [] : (tensor<4x8xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @as_strided_c2(%x: tensor<4x8xf32>) {
  // expected-error @+2 {{'fx.as_strided' op storage offset -1 is negative}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.as_strided %x size [2] stride [1] offset [-1] : (tensor<4x8xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @as_strided_c2_list(%x: tensor<4x8xf32>) {
  // expected-error @+2 {{'fx.as_strided' op storage_offset: expected one number, got a list of 2}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.as_strided %x size [2] stride [1] offset [1, 1] : (tensor<4x8xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @as_strided_c3(%x: tensor<4x8xf32>) {
  // expected-error @+2 {{'fx.as_strided' op reads element 32 of an input of 32}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.as_strided %x size [4, 3] stride [8, 4] offset [0] : (tensor<4x8xf32>) -> tensor<4x3xf32>
  return
}

// -----

func.func @broadcast_in_dim_c1(%x: tensor<4x8xf32>) {
  // expected-error @+2 {{'fx.broadcast_in_dim' op broadcast dimension 0 does not follow 1 in a shape of rank 2}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.broadcast_in_dim %x [8, 4] dims [1, 0] : (tensor<4x8xf32>) -> tensor<8x4xf32>
  return
}

// -----

func.func @broadcast_in_dim_c1_count(%x: tensor<4x8xf32>) {
  // expected-error @+2 {{'fx.broadcast_in_dim' op expects 2 broadcast dimensions, got 1}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.broadcast_in_dim %x [4, 8] dims [1] : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @broadcast_in_dim_c2(%x: tensor<4x8xf32>) {
  // expected-error @+2 {{'fx.broadcast_in_dim' op size 4 does not broadcast to 5 in dim 0}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.broadcast_in_dim %x [5, 8] dims [0, 1] : (tensor<4x8xf32>) -> tensor<5x8xf32>
  return
}

// -----

func.func @chunk_c1(%x: tensor<f32>) {
  // expected-error @+1 {{'fx.chunk' op expects an operand of rank 1 or more}}
  %y = fx.chunk %x into 1 dim 0 : (tensor<f32>) -> tensor<f32>
  return
}

// -----

func.func @chunk_c2(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{'fx.chunk' op expects a positive number of chunks, got 0}}
  %y = fx.chunk %x into 0 dim 0 : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @chunk_c3(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{'fx.chunk' op expects 2 results, got 3}}
  %y:3 = fx.chunk %x into 3 dim 0 : (tensor<4x8xf32>) -> (tensor<2x8xf32>, tensor<1x8xf32>, tensor<1x8xf32>)
  return
}

// -----

func.func @chunk_c3_type(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{'fx.chunk' op expects result #1 to be 'tensor<4x4xf32>', got 'tensor<4x5xf32>'}}
  %y:2 = fx.chunk %x into 2 dim 1 : (tensor<4x8xf32>) -> (tensor<4x4xf32>, tensor<4x5xf32>)
  return
}

// -----

func.func @chunk_c3_unknown(%x: tensor<?x8xf32>) {
  // expected-error @+1 {{'fx.chunk' op expects result #0 to be 'tensor<?x8xf32>', got 'tensor<?x7xf32>'}}
  %y = fx.chunk %x into 2 dim 0 : (tensor<?x8xf32>) -> tensor<?x7xf32>
  return
}

// -----

func.func @diagonal_c1(%x: tensor<4x8xf32>) {
  // expected-error @+2 {{'fx.diagonal' op dim 1 appears more than once in the list of dims}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.diagonal %x offset 0 dims 1, -1 : (tensor<4x8xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @expand_c1(%x: tensor<4x8xf32>) {
  // expected-error @+2 {{'fx.expand' op expects at least 2 sizes, got 1}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.expand %x [8] : (tensor<4x8xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @expand_c2(%x: tensor<4x8xf32>) {
  // expected-error @+2 {{'fx.expand' op size 4 does not expand to 5 in dim 0}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.expand %x [5, 8] : (tensor<4x8xf32>) -> tensor<5x8xf32>
  return
}

// -----

func.func @expand_c3(%x: tensor<4x8xf32>) {
  // expected-error @+2 {{'fx.expand' op size -1 in the new dim 0 has nothing to keep}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.expand %x [-1, 4, 8] : (tensor<4x8xf32>) -> tensor<4x4x8xf32>
  return
}

// -----

func.func @expand_c3_negative(%x: tensor<4x8xf32>) {
  // expected-error @+2 {{'fx.expand' op size: expected sizes of at least -1, got -2}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.expand %x [4, -2] : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @expand_list(%x: tensor<4x8xf32>) {
  // expected-error @+2 {{'fx.expand' op size: the list has 1 dynamic entries, got 0 operands}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = "fx.expand"(%x) {static_size = array<i64: 4, -9223372036854775808>} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @expand_as_c1(%x: tensor<4x8xf32>, %o: tensor<8xf32>) {
  // expected-error @+2 {{'fx.expand_as' op expects at least 2 sizes, got 1}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.expand_as %x, %o : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @expand_as_c2(%x: tensor<4x8xf32>, %o: tensor<5x8xf32>) {
  // expected-error @+2 {{'fx.expand_as' op size 4 does not expand to 5 in dim 0}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.expand_as %x, %o : (tensor<4x8xf32>, tensor<5x8xf32>) -> tensor<5x8xf32>
  return
}

// -----

func.func @flatten_c1(%x: tensor<4x8xf32>) {
  // expected-error @+2 {{'fx.flatten' op dim 2 is out of range for an operand of rank 2}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.flatten %x dims 0 to 2 : (tensor<4x8xf32>) -> tensor<32xf32>
  return
}

// -----

func.func @flatten_c2(%x: tensor<4x8xf32>) {
  // expected-error @+2 {{'fx.flatten' op expects start_dim <= end_dim, got 1 and 0}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.flatten %x dims 1 to 0 : (tensor<4x8xf32>) -> tensor<32xf32>
  return
}

// -----

func.func @flip_c1(%x: tensor<4x8xf32>) {
  // expected-error @+2 {{'fx.flip' op dim 0 appears more than once in the list of dims}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.flip %x [0, 0] : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @meshgrid_c1(%x: tensor<4x8xf32>) {
  // expected-error @+2 {{'fx.meshgrid' op expects tensors of rank 0 or 1, got rank 2}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.meshgrid %x "ij" : (tensor<4x8xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @meshgrid_c2(%a: tensor<4xf32>, %b: tensor<2xf64>) {
  // expected-error @+2 {{'fx.meshgrid' op expects tensors of one element type}}
  // expected-error @+1 {{failed to infer returned types}}
  %y:2 = fx.meshgrid %a, %b "ij" : (tensor<4xf32>, tensor<2xf64>) -> (tensor<4x2xf32>, tensor<4x2xf32>)
  return
}

// -----

func.func @meshgrid_c3(%a: tensor<4xf32>) {
  // expected-error @+2 {{'fx.meshgrid' op expects indexing "ij" or "xy", got "ji"}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.meshgrid %a "ji" : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @movedim_c1(%x: tensor<4x8xf32>) {
  // expected-error @+2 {{'fx.movedim' op expects as many sources as destinations, got 1 and 0}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.movedim %x [0] to [] : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @movedim_c2(%x: tensor<4x8xf32>) {
  // expected-error @+2 {{'fx.movedim' op dim 2 is out of range for an operand of rank 2}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.movedim %x [0] to [2] : (tensor<4x8xf32>) -> tensor<8x4xf32>
  return
}

// -----

func.func @narrow_c1(%x: tensor<4x8xf32>) {
  // expected-error @+2 {{'fx.narrow' op dim 2 is out of range for an operand of rank 2}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.narrow %x dim 2 from [0] length [1] : (tensor<4x8xf32>) -> tensor<4x1xf32>
  return
}

// -----

func.func @narrow_c2(%x: tensor<4x8xf32>) {
  // expected-error @+2 {{'fx.narrow' op a range that starts at 3 does not fit a size of 4}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.narrow %x dim 0 from [3] length [2] : (tensor<4x8xf32>) -> tensor<2x8xf32>
  return
}

// -----

func.func @narrow_c2_length(%x: tensor<4x8xf32>) {
  // expected-error @+2 {{'fx.narrow' op length -1 is out of range for a size of 4}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.narrow %x dim 0 from [0] length [-1] : (tensor<4x8xf32>) -> tensor<2x8xf32>
  return
}

// -----

func.func @permute_c1(%x: tensor<4x8xf32>) {
  // expected-error @+2 {{'fx.permute' op expects 2 dims, got 1}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.permute %x [0] : (tensor<4x8xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @permute_c2(%x: tensor<4x8xf32>) {
  // expected-error @+2 {{'fx.permute' op dim 0 appears more than once in the list of dims}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.permute %x [0, -2] : (tensor<4x8xf32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @repeat_c1(%x: tensor<4x8xf32>) {
  // expected-error @+2 {{'fx.repeat' op repeats: expected sizes of at least 0, got -2}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.repeat %x [-2, 1] : (tensor<4x8xf32>) -> tensor<8x8xf32>
  return
}

// -----

func.func @roll_c1(%x: tensor<4x8xf32>) {
  // expected-error @+2 {{'fx.roll' op expects 1 shifts, got 2}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.roll %x [1, 2] : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @roll_c2(%x: tensor<4x8xf32>) {
  // expected-error @+2 {{'fx.roll' op dim 2 is out of range for an operand of rank 2}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.roll %x [1] dims [2] : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @rot90_c1(%x: tensor<4x8xf32>) {
  // expected-error @+2 {{'fx.rot90' op expects 2 dims, got 1}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.rot90 %x times 1 dims [0] : (tensor<4x8xf32>) -> tensor<8x4xf32>
  return
}

// -----

func.func @rot90_c2(%x: tensor<4x8xf32>) {
  // expected-error @+2 {{'fx.rot90' op dim 0 appears more than once in the list of dims}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.rot90 %x times 1 dims [0, -2] : (tensor<4x8xf32>) -> tensor<8x4xf32>
  return
}

// -----

func.func @select_c1(%x: tensor<f32>) {
  // expected-error @+2 {{'fx.select' op expects an operand of rank 1 or more}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.select %x dim 0 [0] : (tensor<f32>) -> tensor<f32>
  return
}

// -----

func.func @select_c2(%x: tensor<4x8xf32>) {
  // expected-error @+2 {{'fx.select' op index 4 is out of range for a size of 4}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.select %x dim 0 [4] : (tensor<4x8xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @slice_c1(%x: tensor<4x8xf32>) {
  // expected-error @+2 {{'fx.slice' op dim -3 is out of range for an operand of rank 2}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.slice %x dim -3 [] to [] step [] : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @slice_c2(%x: tensor<4x8xf32>) {
  // expected-error @+2 {{'fx.slice' op start: expected one number, got a list of 2}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.slice %x dim 0 [1, 2] to [] step [] : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @slice_c3(%x: tensor<4x8xf32>) {
  // expected-error @+2 {{'fx.slice' op expects a positive step, got 0}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.slice %x dim 0 [1] to [] step [0] : (tensor<4x8xf32>) -> tensor<3x8xf32>
  return
}

// -----

func.func @split_c1(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{'fx.split' op dim 2 is out of range for an operand of rank 2}}
  %y = fx.split %x [4] dim 2 : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @split_c2(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{'fx.split' op a split size of 0 does not divide up a size of 4}}
  %y = fx.split %x [0] dim 0 : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @split_c3(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{'fx.split' op expects 2 results, got 1}}
  %y = fx.split %x [2] dim 0 : (tensor<4x8xf32>) -> tensor<2x8xf32>
  return
}

// -----

func.func @split_with_sizes_c1(%x: tensor<f32>) {
  // expected-error @+2 {{'fx.split_with_sizes' op expects an operand of rank 1 or more}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.split_with_sizes %x [1] dim 0 : (tensor<f32>) -> tensor<f32>
  return
}

// -----

func.func @split_with_sizes_c2(%x: tensor<4x8xf32>) {
  // expected-error @+2 {{'fx.split_with_sizes' op the sizes add up to 5, expected 4}}
  // expected-error @+1 {{failed to infer returned types}}
  %y:2 = fx.split_with_sizes %x [2, 3] dim 0 : (tensor<4x8xf32>) -> (tensor<2x8xf32>, tensor<3x8xf32>)
  return
}

// -----

func.func @split_with_sizes_c2_negative(%x: tensor<4x8xf32>) {
  // expected-error @+2 {{'fx.split_with_sizes' op split_sizes: expected sizes of at least 0, got -1}}
  // expected-error @+1 {{failed to infer returned types}}
  %y:2 = fx.split_with_sizes %x [5, -1] dim 0 : (tensor<4x8xf32>) -> (tensor<5x8xf32>, tensor<?x8xf32>)
  return
}

// -----

func.func @split_dim_c1(%x: tensor<4x8xf32>) {
  // expected-error @+2 {{'fx.split_dim' op dim 2 is out of range for an operand of rank 2}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.split_dim %x dim 2 [2] : (tensor<4x8xf32>) -> tensor<4x2x4xf32>
  return
}

// -----

func.func @split_dim_c2(%x: tensor<4x8xf32>) {
  // expected-error @+2 {{'fx.split_dim' op outer length 3 does not divide size 4}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.split_dim %x dim 0 [3] : (tensor<4x8xf32>) -> tensor<3x1x8xf32>
  return
}

// -----

func.func @squeeze_c1(%x: tensor<4x8xf32>) {
  // expected-error @+2 {{'fx.squeeze' op dim 1 appears more than once in the list of dims}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.squeeze %x dims [1, 1] : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @t_c1(%x: tensor<1x2x3xf32>) {
  // expected-error @+2 {{'fx.t' op expects an operand of rank 2 at most, got rank 3}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.t %x : (tensor<1x2x3xf32>) -> tensor<3x2x1xf32>
  return
}

// -----

func.func @transpose_c1(%x: tensor<4x8xf32>) {
  // expected-error @+2 {{'fx.transpose' op dim 2 is out of range for an operand of rank 2}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.transpose %x 0, 2 : (tensor<4x8xf32>) -> tensor<8x4xf32>
  return
}

// -----

func.func @unbind_c1(%x: tensor<f32>) {
  // expected-error @+1 {{'fx.unbind' op expects an operand of rank 1 or more}}
  %y = fx.unbind %x dim 0 : (tensor<f32>) -> tensor<f32>
  return
}

// -----

func.func @unbind_c2(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{'fx.unbind' op expects 4 results, got 1}}
  %y = fx.unbind %x dim 0 : (tensor<4x8xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @unbind_c3(%x: tensor<1x8xf32>) {
  // expected-error @+1 {{'fx.unbind' op expects results of type 'tensor<8xf32>', got 'tensor<7xf32>'}}
  %y = fx.unbind %x dim 0 : (tensor<1x8xf32>) -> tensor<7xf32>
  return
}

// -----

func.func @unflatten_c1(%x: tensor<4x8xf32>) {
  // expected-error @+2 {{'fx.unflatten' op dim 2 is out of range for an operand of rank 2}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.unflatten %x dim 2 [2, 2] : (tensor<4x8xf32>) -> tensor<4x2x2xf32>
  return
}

// -----

func.func @unflatten_c2(%x: tensor<4x8xf32>) {
  // expected-error @+2 {{'fx.unflatten' op sizes: expects 8 elements, got a shape of 6}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.unflatten %x dim 1 [3, 2] : (tensor<4x8xf32>) -> tensor<4x3x2xf32>
  return
}

// -----

func.func @unflatten_c3(%x: tensor<4x8xf32>) {
  // expected-error @+2 {{'fx.unflatten' op sizes: expects at most one size of -1}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.unflatten %x dim 1 [-1, -1] : (tensor<4x8xf32>) -> tensor<4x3x2xf32>
  return
}

// -----

func.func @unfold_c1(%x: tensor<4x8xf32>) {
  // expected-error @+2 {{'fx.unfold' op dim 2 is out of range for an operand of rank 2}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.unfold %x dim 2 size 1 step 1 : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
  return
}

// -----

func.func @unfold_c2(%x: tensor<4x8xf32>) {
  // expected-error @+2 {{'fx.unfold' op window of 5 does not fit a size of 4}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.unfold %x dim 0 size 5 step 1 : (tensor<4x8xf32>) -> tensor<0x8x5xf32>
  return
}

// -----

func.func @unfold_c3(%x: tensor<4x8xf32>) {
  // expected-error @+2 {{'fx.unfold' op expects a positive step, got 0}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.unfold %x dim 0 size 2 step 0 : (tensor<4x8xf32>) -> tensor<3x8x2xf32>
  return
}

// -----

func.func @unsqueeze_c1(%x: tensor<4x8xf32>) {
  // expected-error @+2 {{'fx.unsqueeze' op dim 3 is out of range for an operand of rank 3}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.unsqueeze %x dim 3 : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
  return
}

// -----

func.func @view_c1(%x: tensor<4x8xf32>) {
  // expected-error @+2 {{'fx.view' op size: expects 32 elements, got a shape of 28}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.view %x [4, 7] : (tensor<4x8xf32>) -> tensor<4x7xf32>
  return
}

// -----

func.func @view_c1_multiple(%x: tensor<4x8xf32>) {
  // expected-error @+2 {{'fx.view' op size: expects 32 elements, got a multiple of 5}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.view %x [-1, 5] : (tensor<4x8xf32>) -> tensor<6x5xf32>
  return
}

// -----

func.func @view_c2(%x: tensor<4x8xf32>) {
  // expected-error @+2 {{'fx.view' op size: expects at most one size of -1}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.view %x [-1, -1] : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @view_c2_zero(%x: tensor<0x8xf32>) {
  // expected-error @+2 {{'fx.view' op size: a size of -1 beside a size of 0 could be any}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.view %x [-1, 0] : (tensor<0x8xf32>) -> tensor<?x0xf32>
  return
}

// -----

func.func @view_c2_negative(%x: tensor<4x8xf32>) {
  // expected-error @+2 {{'fx.view' op size: expected sizes of at least -1, got -4}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.view %x [-4, -8] : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @view_as_c1(%x: tensor<4x8xf32>, %o: tensor<4x7xf32>) {
  // expected-error @+2 {{'fx.view_as' op other: expects 32 elements, got a shape of 28}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.view_as %x, %o : (tensor<4x8xf32>, tensor<4x7xf32>) -> tensor<4x7xf32>
  return
}

// -----

func.func @view_dtype_c1(%x: tensor<4x8xf32>) {
  // expected-error @+2 {{'fx.view_dtype' op dtype 'i128' is not an element type of fx tensors}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.view_dtype %x as i128 : (tensor<4x8xf32>) -> tensor<4x2xf32>
  return
}

// -----

func.func @view_dtype_c2(%x: tensor<f32>) {
  // expected-error @+2 {{'fx.view_dtype' op a tensor of rank 0 cannot change the width of its element from 32 to 8 bits}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.view_dtype %x as i8 : (tensor<f32>) -> tensor<i8>
  return
}

// -----

func.func @view_dtype_c3(%x: tensor<4x7xf32>) {
  // expected-error @+2 {{'fx.view_dtype' op last size 7 is not a multiple of 2}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.view_dtype %x as f64 : (tensor<4x7xf32>) -> tensor<4x3xf64>
  return
}
