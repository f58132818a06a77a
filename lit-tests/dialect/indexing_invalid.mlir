// Constraints of the indexing ops, each test named by its label.
// RUN: fx-opt %s -split-input-file -verify-diagnostics

func.func @index_c1(%x: tensor<4xf32>, %i: tensor<3xi64>, %j: tensor<3xi64>) {
  // expected-error @+2 {{'fx.index' op has more indices than the 1 dims of 'input'}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.index %x[%i, %j] : (tensor<4xf32>, tensor<3xi64>, tensor<3xi64>) -> tensor<3xf32>
  return
}

// -----

func.func @index_c2(%x: tensor<4x5xf32>, %i: tensor<3xi64>, %j: tensor<2xi64>) {
  // expected-error @+2 {{operands do not broadcast: size 3 against 2 in dim 0}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.index %x[%i, %j] : (tensor<4x5xf32>, tensor<3xi64>, tensor<2xi64>) -> tensor<3xf32>
  return
}

// -----

func.func @index_c3(%x: tensor<4x5xf32>, %m: tensor<4x6xi1>) {
  // expected-error @+2 {{mask of dim 1: expected equal sizes, got 6 and 5}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.index %x[%m] : (tensor<4x5xf32>, tensor<4x6xi1>) -> tensor<?xf32>
  return
}

// -----

func.func @index_c4(%x: tensor<4x5xf32>, %i: tensor<3xi64>) {
  // expected-error @+2 {{expects one operand for each present index, got 1 for 2}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = "fx.index"(%x, %i) {present_indices = array<i1: true, true>} : (tensor<4x5xf32>, tensor<3xi64>) -> tensor<3xf32>
  return
}

// -----

func.func @index_put_c1(%x: tensor<4x8xf32>, %i: tensor<3xi64>, %v: tensor<2x8xf32>) {
  // expected-error @+2 {{operands do not broadcast: size 3 against 2 in dim 0}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.index_put %x[%i], %v : (tensor<4x8xf32>, tensor<3xi64>, tensor<2x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @index_put_c1_rank(%x: tensor<4xf32>, %i: tensor<3xi64>, %v: tensor<2x3xf32>) {
  // expected-error @+2 {{'values' of rank 2 does not broadcast to the rank 1 of the indexed elements}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.index_put %x[%i], %v : (tensor<4xf32>, tensor<3xi64>, tensor<2x3xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @index_put_c1_size(%x: tensor<4xf32>, %i: tensor<1xi64>, %v: tensor<3xf32>) {
  // expected-error @+2 {{'values' does not broadcast to the indexed elements: size 3 against 1}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.index_put %x[%i], %v : (tensor<4xf32>, tensor<1xi64>, tensor<3xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @index_put_c2(%x: tensor<4x8xf32>, %i: tensor<3xi64>, %v: tensor<f64>) {
  // expected-error @+2 {{expects operands of one element type, got 'f32' and 'f64'}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.index_put %x[%i], %v : (tensor<4x8xf32>, tensor<3xi64>, tensor<f64>) -> tensor<4x8xf32>
  return
}

// -----

func.func @gather_c1(%x: tensor<4x8xf32>, %i: tensor<4x2xi64>) {
  // expected-error @+2 {{dim 2 is out of range for an operand of rank 2}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.gather %x, %i dim 2 : (tensor<4x8xf32>, tensor<4x2xi64>) -> tensor<4x2xf32>
  return
}

// -----

func.func @gather_c2(%x: tensor<4x8xf32>, %i: tensor<4xi64>) {
  // expected-error @+2 {{expects 'index' of the rank of 'input', got 1 and 2}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.gather %x, %i dim 1 : (tensor<4x8xf32>, tensor<4xi64>) -> tensor<4xf32>
  return
}

// -----

func.func @gather_c3(%x: tensor<4x8xf32>, %i: tensor<5x2xi64>) {
  // expected-error @+2 {{expects 'index' to be no larger than 'input' in dim 0, got 5 and 4}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.gather %x, %i dim 1 : (tensor<4x8xf32>, tensor<5x2xi64>) -> tensor<5x2xf32>
  return
}

// -----

func.func @gather_c4(%x: tensor<4x8xf32>, %i: tensor<4x2xui8>) {
  // expected-error @+2 {{expects 'index' of i64 or i32}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.gather %x, %i dim 1 : (tensor<4x8xf32>, tensor<4x2xui8>) -> tensor<4x2xf32>
  return
}

// -----

func.func @scatter_c1(%x: tensor<4xf32>, %i: tensor<4xi64>, %s: tensor<4xf32>) {
  // expected-error @+2 {{dim -2 is out of range for an operand of rank 1}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.scatter %x, %i, %s dim -2 : (tensor<4xf32>, tensor<4xi64>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @scatter_c2(%x: tensor<4xf32>, %i: tensor<4xi64>, %s: tensor<4x1xf32>) {
  // expected-error @+2 {{expects 'index' of the rank of 'src', got 1 and 2}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.scatter %x, %i, %s dim 0 : (tensor<4xf32>, tensor<4xi64>, tensor<4x1xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @scatter_c3(%x: tensor<4xf32>, %i: tensor<4xi64>, %s: tensor<3xf32>) {
  // expected-error @+2 {{expects 'index' to be no larger than 'src' in dim 0, got 4 and 3}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.scatter_add %x, %i, %s dim 0 : (tensor<4xf32>, tensor<4xi64>, tensor<3xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @scatter_c4(%x: tensor<4xf32>, %i: tensor<4xi64>, %s: tensor<4xi64>) {
  // expected-error @+2 {{expects operands of one element type, got 'f32' and 'i64'}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.scatter_add %x, %i, %s dim 0 : (tensor<4xf32>, tensor<4xi64>, tensor<4xi64>) -> tensor<4xf32>
  return
}

// -----

func.func @scatter_c5(%x: tensor<4xf32>, %i: tensor<4xi64>, %s: tensor<4xf32>) {
  // expected-error @+2 {{expects 'reduce' to be one of "add", "multiply", got "sum"}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.scatter %x, %i, %s dim 0 {reduce = "sum"} : (tensor<4xf32>, tensor<4xi64>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @scatter_c6(%x: tensor<4xf32>, %i: tensor<4xi8>, %s: tensor<4xf32>) {
  // expected-error @+2 {{expects 'index' of i64 or i32}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.scatter %x, %i, %s dim 0 : (tensor<4xf32>, tensor<4xi8>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @scatter_reduce_c5(%x: tensor<4xf32>, %i: tensor<4xi64>, %s: tensor<4xf32>) {
  // expected-error @+2 {{expects 'reduce' to be one of "sum", "prod", "mean", "amax", "amin", got "add"}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.scatter_reduce %x, %i, %s dim 0 {reduce = "add"} : (tensor<4xf32>, tensor<4xi64>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @index_select_c1(%x: tensor<4x8xf32>, %i: tensor<3xi64>) {
  // expected-error @+2 {{dim 2 is out of range for an operand of rank 2}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.index_select %x, %i dim 2 : (tensor<4x8xf32>, tensor<3xi64>) -> tensor<3x8xf32>
  return
}

// -----

func.func @index_select_c2(%x: tensor<4x8xf32>, %i: tensor<3x1xi64>) {
  // expected-error @+2 {{expects 'index' of rank 0 to 1, got rank 2}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.index_select %x, %i dim 0 : (tensor<4x8xf32>, tensor<3x1xi64>) -> tensor<3x8xf32>
  return
}

// -----

func.func @index_add_c1(%x: tensor<4x8xf32>, %i: tensor<3xi64>, %s: tensor<3x8xf32>) {
  // expected-error @+2 {{dim 2 is out of range for an operand of rank 2}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.index_add %x, %i, %s dim 2 : (tensor<4x8xf32>, tensor<3xi64>, tensor<3x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @index_add_c2(%x: tensor<4x8xf32>, %i: tensor<3x1xi64>, %s: tensor<3x8xf32>) {
  // expected-error @+2 {{expects 'index' of rank 0 to 1, got rank 2}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.index_add %x, %i, %s dim 0 : (tensor<4x8xf32>, tensor<3x1xi64>, tensor<3x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @index_add_c3(%x: tensor<4x8xf32>, %i: tensor<3xi64>, %s: tensor<2x8xf32>) {
  // expected-error @+2 {{'source' in dim 0: expected equal sizes, got 2 and 3}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.index_copy %x, %i, %s dim 0 : (tensor<4x8xf32>, tensor<3xi64>, tensor<2x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @index_add_c4(%x: tensor<4x8xf32>, %i: tensor<3xi64>, %s: tensor<3x8xf64>) {
  // expected-error @+2 {{expects operands of one element type, got 'f32' and 'f64'}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.index_copy %x, %i, %s dim 0 : (tensor<4x8xf32>, tensor<3xi64>, tensor<3x8xf64>) -> tensor<4x8xf32>
  return
}

// -----

func.func @index_reduce_c5(%x: tensor<4x8xf32>, %i: tensor<3xi64>, %s: tensor<3x8xf32>) {
  // expected-error @+2 {{expects 'reduce' to be one of "prod", "mean", "amax", "amin", got "sum"}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.index_reduce %x, %i, %s dim 0 {reduce = "sum"} : (tensor<4x8xf32>, tensor<3xi64>, tensor<3x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @index_fill_c1(%x: tensor<4x8xf32>, %i: tensor<3xi64>, %v: tensor<f32>) {
  // expected-error @+2 {{dim -3 is out of range for an operand of rank 2}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.index_fill %x, %i, %v dim -3 : (tensor<4x8xf32>, tensor<3xi64>, tensor<f32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @index_fill_c2(%x: tensor<4x8xf32>, %i: tensor<3x3xi64>, %v: tensor<f32>) {
  // expected-error @+2 {{expects 'index' of rank 0 to 1, got rank 2}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.index_fill %x, %i, %v dim 0 : (tensor<4x8xf32>, tensor<3x3xi64>, tensor<f32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @index_fill_c3(%x: tensor<4x8xf32>, %i: tensor<3xi64>, %v: tensor<1xf32>) {
  // expected-error @+2 {{expects 'value' of rank 0, got rank 1}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.index_fill %x, %i, %v dim 0 : (tensor<4x8xf32>, tensor<3xi64>, tensor<1xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @take_along_dim_c1(%x: tensor<4x8xf32>, %i: tensor<4x2xi64>) {
  // expected-error @+2 {{dim 2 is out of range for an operand of rank 2}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.take_along_dim %x, %i dim 2 : (tensor<4x8xf32>, tensor<4x2xi64>) -> tensor<4x2xf32>
  return
}

// -----

func.func @take_along_dim_c2(%x: tensor<4x8xf32>, %i: tensor<4xi64>) {
  // expected-error @+2 {{expects 'indices' of the rank of 'input', got 1 and 2}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.take_along_dim %x, %i dim 1 : (tensor<4x8xf32>, tensor<4xi64>) -> tensor<4x2xf32>
  return
}

// -----

func.func @take_along_dim_c3(%x: tensor<4x8xf32>, %i: tensor<3x2xi64>) {
  // expected-error @+2 {{operands do not broadcast: size 4 against 3 in dim 0}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.take_along_dim %x, %i dim 1 : (tensor<4x8xf32>, tensor<3x2xi64>) -> tensor<4x2xf32>
  return
}

// -----

func.func @put_c1(%x: tensor<4x8xf32>, %i: tensor<3xi64>, %s: tensor<2x2xf32>) {
  // expected-error @+2 {{numbers of elements of 'source' and 'index': expected equal sizes, got 4 and 3}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.put %x, %i, %s : (tensor<4x8xf32>, tensor<3xi64>, tensor<2x2xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @put_c2(%x: tensor<4x8xf32>, %i: tensor<3xi64>, %s: tensor<3xi64>) {
  // expected-error @+2 {{expects operands of one element type, got 'f32' and 'i64'}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.put %x, %i, %s : (tensor<4x8xf32>, tensor<3xi64>, tensor<3xi64>) -> tensor<4x8xf32>
  return
}

// -----

func.func @masked_select_c1(%x: tensor<4x8xf32>, %m: tensor<4xi1>) {
  // expected-error @+2 {{operands do not broadcast: size 8 against 4 in dim 1}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.masked_select %x, %m : (tensor<4x8xf32>, tensor<4xi1>) -> tensor<?xf32>
  return
}

// -----

func.func @masked_scatter_c1(%x: tensor<4x8xf32>, %m: tensor<4xi1>, %s: tensor<9xf32>) {
  // expected-error @+2 {{operands do not broadcast: size 8 against 4 in dim 1}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.masked_scatter %x, %m, %s : (tensor<4x8xf32>, tensor<4xi1>, tensor<9xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @masked_scatter_c2(%x: tensor<4x8xf32>, %m: tensor<8xi1>, %s: tensor<9xi64>) {
  // expected-error @+2 {{expects operands of one element type, got 'f32' and 'i64'}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.masked_scatter %x, %m, %s : (tensor<4x8xf32>, tensor<8xi1>, tensor<9xi64>) -> tensor<4x8xf32>
  return
}

// -----

func.func @masked_scatter_backward_c1(%g: tensor<4x8xf32>, %m: tensor<4x8xi1>) {
  // expected-error @+2 {{'sizes': expected sizes of at least 0, got -2}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.masked_scatter_backward %g, %m sizes [-2] : (tensor<4x8xf32>, tensor<4x8xi1>) -> tensor<3xf32>
  return
}

// -----

func.func @nonzero_static_c1(%x: tensor<4xf32>) {
  // expected-error @+2 {{'size': expected a size of at least 0, got -1}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.nonzero_static %x size [-1] : (tensor<4xf32>) -> tensor<3x1xi64>
  return
}

// -----

func.func @nonzero_static_c1_count(%x: tensor<4xf32>) {
  // expected-error @+2 {{'size': expected one number, got a list of 0}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.nonzero_static %x size [] : (tensor<4xf32>) -> tensor<3x1xi64>
  return
}

// -----

func.func @one_hot_c1(%x: tensor<4xi64>) {
  // expected-error @+2 {{expects 'num_classes' to be -1 or positive, got 0}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.one_hot %x {num_classes = 0 : i64} : (tensor<4xi64>) -> tensor<4x0xi64>
  return
}

// -----

func.func @repeat_interleave_c1(%r: tensor<i64>) {
  // expected-error @+2 {{expects 'repeats' of rank 1, got rank 0}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.repeat_interleave repeats %r output_size [] : (tensor<i64>) -> tensor<?xi64>
  return
}

// -----

func.func @repeat_interleave_c2(%x: tensor<4x8xf32>, %r: tensor<4xi64>) {
  // expected-error @+2 {{dim 2 is out of range for an operand of rank 2}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.repeat_interleave input %x repeats %r output_size [] {dim = 2 : i64} : (tensor<4x8xf32>, tensor<4xi64>) -> tensor<?x8xf32>
  return
}

// -----

func.func @repeat_interleave_c3(%x: tensor<4x8xf32>, %r: tensor<3xi64>) {
  // expected-error @+2 {{size of 'repeats' and of the repeated dim: expected equal sizes, got 3 and 4}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.repeat_interleave input %x repeats %r output_size [] {dim = 0 : i64} : (tensor<4x8xf32>, tensor<3xi64>) -> tensor<?x8xf32>
  return
}

// -----

func.func @repeat_interleave_c4(%r: tensor<4xi64>) {
  // expected-error @+2 {{'output_size': expected one number, got a list of 2}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.repeat_interleave repeats %r output_size [1, 2] : (tensor<4xi64>) -> tensor<?xi64>
  return
}

// -----

func.func @repeat_interleave_int_c1(%x: tensor<4x8xf32>) {
  // expected-error @+2 {{'repeats': expected a size of at least 0, got -1}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.repeat_interleave_int %x repeats [-1] output_size [] : (tensor<4x8xf32>) -> tensor<?xf32>
  return
}

// -----

func.func @repeat_interleave_int_c2(%x: tensor<4x8xf32>) {
  // expected-error @+2 {{dim 2 is out of range for an operand of rank 2}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.repeat_interleave_int %x repeats [2] output_size [] {dim = 2 : i64} : (tensor<4x8xf32>) -> tensor<?xf32>
  return
}

// -----

func.func @repeat_interleave_int_c3(%x: tensor<4x8xf32>) {
  // expected-error @+2 {{'output_size' and repeated size: expected equal sizes, got 8 and 9}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.repeat_interleave_int %x repeats [2] output_size [9] {dim = 0 : i64} : (tensor<4x8xf32>) -> tensor<9x8xf32>
  return
}

// -----

func.func @bucketize_c1(%x: tensor<4x8xf32>, %b: tensor<2x5xf32>) {
  // expected-error @+2 {{expects 'boundaries' of rank 1, got rank 2}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.bucketize %x, %b : (tensor<4x8xf32>, tensor<2x5xf32>) -> tensor<4x8xi64>
  return
}

// -----

func.func @searchsorted_c1(%s: tensor<4x8xf32>, %x: tensor<4xf32>) {
  // expected-error @+2 {{expects 'sorted_sequence' of rank 1 or of the rank of 'input', got 2 and 1}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.searchsorted %s, %x : (tensor<4x8xf32>, tensor<4xf32>) -> tensor<4xi64>
  return
}

// -----

func.func @searchsorted_c1_sizes(%s: tensor<4x8xf32>, %x: tensor<3x2xf32>) {
  // expected-error @+2 {{'sorted_sequence' in dim 0: expected equal sizes, got 4 and 3}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.searchsorted %s, %x : (tensor<4x8xf32>, tensor<3x2xf32>) -> tensor<3x2xi64>
  return
}

// -----

func.func @searchsorted_c2(%s: tensor<8xf32>, %x: tensor<4xf32>) {
  // expected-error @+2 {{expects 'side' to be one of "left", "right", got "middle"}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.searchsorted %s, %x {side = "middle"} : (tensor<8xf32>, tensor<4xf32>) -> tensor<4xi64>
  return
}

// -----

func.func @searchsorted_c2_right(%s: tensor<8xf32>, %x: tensor<4xf32>) {
  // expected-error @+2 {{expects 'side' not to be "left" together with 'right'}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.searchsorted %s, %x {right = true, side = "left"} : (tensor<8xf32>, tensor<4xf32>) -> tensor<4xi64>
  return
}

// -----

func.func @searchsorted_c3(%s: tensor<8xf32>, %x: tensor<4xf32>, %o: tensor<7xi64>) {
  // expected-error @+2 {{'sorter' in dim 0: expected equal sizes, got 7 and 8}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.searchsorted %s, %x, %o : (tensor<8xf32>, tensor<4xf32>, tensor<7xi64>) -> tensor<4xi64>
  return
}

// -----

func.func @as_strided_scatter_c1(%x: tensor<9xf32>, %s: tensor<2x2xf32>) {
  // expected-error @+2 {{expects 'size' and 'stride' of one length, got 2 and 1}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.as_strided_scatter %x, %s size [2, 2] stride [1] storage_offset [] : (tensor<9xf32>, tensor<2x2xf32>) -> tensor<9xf32>
  return
}

// -----

func.func @as_strided_scatter_c2(%x: tensor<9xf32>, %s: tensor<2x2xf32>) {
  // expected-error @+2 {{'src' in dim 1: expected equal sizes, got 2 and 3}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.as_strided_scatter %x, %s size [2, 3] stride [1, 2] storage_offset [] : (tensor<9xf32>, tensor<2x2xf32>) -> tensor<9xf32>
  return
}

// -----

func.func @as_strided_scatter_c3(%x: tensor<9xf32>, %s: tensor<2xf64>) {
  // expected-error @+2 {{expects operands of one element type, got 'f32' and 'f64'}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.as_strided_scatter %x, %s size [2] stride [1] storage_offset [] : (tensor<9xf32>, tensor<2xf64>) -> tensor<9xf32>
  return
}

// -----

func.func @as_strided_scatter_c4(%x: tensor<9xf32>, %s: tensor<2xf32>) {
  // expected-error @+2 {{expects at most one entry in 'storage_offset', got 2}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.as_strided_scatter %x, %s size [2] stride [1] storage_offset [1, 2] : (tensor<9xf32>, tensor<2xf32>) -> tensor<9xf32>
  return
}

// -----

func.func @as_strided_scatter_c4_negative(%x: tensor<9xf32>, %s: tensor<2xf32>) {
  // expected-error @+2 {{expects sizes, strides and offset not to be negative, got -1}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.as_strided_scatter %x, %s size [2] stride [-1] storage_offset [] : (tensor<9xf32>, tensor<2xf32>) -> tensor<9xf32>
  return
}

// -----

func.func @diagonal_scatter_c1(%x: tensor<4x5xf32>, %s: tensor<4xf32>) {
  // expected-error @+2 {{expects 'dim1' and 'dim2' to be different dims, got dim 0 twice}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.diagonal_scatter %x, %s {dim2 = -2 : i64} : (tensor<4x5xf32>, tensor<4xf32>) -> tensor<4x5xf32>
  return
}

// -----

func.func @diagonal_scatter_c2(%x: tensor<4x5xf32>, %s: tensor<4xf32>) {
  // expected-error @+2 {{'src' in dim 0: expected equal sizes, got 4 and 2}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.diagonal_scatter %x, %s {offset = -2 : i64} : (tensor<4x5xf32>, tensor<4xf32>) -> tensor<4x5xf32>
  return
}

// -----

func.func @diagonal_scatter_c3(%x: tensor<4x5xf32>, %s: tensor<4xi32>) {
  // expected-error @+2 {{expects operands of one element type, got 'f32' and 'i32'}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.diagonal_scatter %x, %s : (tensor<4x5xf32>, tensor<4xi32>) -> tensor<4x5xf32>
  return
}

// -----

func.func @select_scatter_c1(%x: tensor<4x8xf32>, %s: tensor<8xf32>) {
  // expected-error @+2 {{dim 2 is out of range for an operand of rank 2}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.select_scatter %x, %s dim 2 index [0] : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @select_scatter_c2(%x: tensor<4x8xf32>, %s: tensor<4xf32>) {
  // expected-error @+2 {{'src' in dim 0: expected equal sizes, got 4 and 8}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.select_scatter %x, %s dim 0 index [0] : (tensor<4x8xf32>, tensor<4xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @select_scatter_c3(%x: tensor<4x8xf32>, %s: tensor<8xf64>) {
  // expected-error @+2 {{expects operands of one element type, got 'f32' and 'f64'}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.select_scatter %x, %s dim 0 index [0] : (tensor<4x8xf32>, tensor<8xf64>) -> tensor<4x8xf32>
  return
}

// -----

func.func @select_scatter_c4(%x: tensor<4x8xf32>, %s: tensor<8xf32>) {
  // expected-error @+2 {{index 4 is out of range for a dim of size 4}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.select_scatter %x, %s dim 0 index [4] : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @slice_scatter_c1(%x: tensor<f32>, %s: tensor<f32>) {
  // expected-error @+2 {{expects 'input' of rank 1 or more, got rank 0}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.slice_scatter %x, %s dim 0 start [] end [] step [1] : (tensor<f32>, tensor<f32>) -> tensor<f32>
  return
}

// -----

func.func @slice_scatter_c2(%x: tensor<4x8xf32>, %s: tensor<3x8xf32>) {
  // expected-error @+2 {{'src' in dim 0: expected equal sizes, got 3 and 2}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.slice_scatter %x, %s dim 0 start [] end [-2] step [1] : (tensor<4x8xf32>, tensor<3x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @slice_scatter_c3(%x: tensor<4x8xf32>, %s: tensor<4x8xi1>) {
  // expected-error @+2 {{expects operands of one element type, got 'f32' and 'i1'}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.slice_scatter %x, %s dim 0 start [] end [] step [1] : (tensor<4x8xf32>, tensor<4x8xi1>) -> tensor<4x8xf32>
  return
}

// -----

func.func @slice_scatter_c4(%x: tensor<4x8xf32>, %s: tensor<4x8xf32>) {
  // expected-error @+2 {{expects 'step' to be positive, got 0}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.slice_scatter %x, %s dim 0 start [] end [] step [0] : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @slice_scatter_c4_count(%x: tensor<4x8xf32>, %s: tensor<4x8xf32>) {
  // expected-error @+2 {{expects at most one entry in 'start' and 'end', got 2 and 0}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.slice_scatter %x, %s dim 0 start [0, 1] end [] step [1] : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @tril_c1(%x: tensor<4xf32>) {
  // expected-error @+2 {{expects 'input' of rank 2 or more, got rank 1}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.tril %x diagonal [0] : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @tril_c2(%x: tensor<4x4xf32>) {
  // expected-error @+2 {{'diagonal': expected one number, got a list of 0}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.triu %x diagonal [] : (tensor<4x4xf32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @tril_c2_operands(%x: tensor<4x4xf32>) {
  // expected-error @+2 {{'diagonal': the list has 1 dynamic entries, got 0 operands}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = "fx.tril"(%x) {static_diagonal = array<i64: -9223372036854775808>} : (tensor<4x4xf32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @tril_indices_c1() {
  // expected-error @+2 {{expects 'row' and 'col' in [0, 2^31), got -1 and 3}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.tril_indices row -1 col 3 : tensor<2x0xi64>
  return
}

// -----

func.func @tril_indices_c2() {
  // expected-error @+2 {{dtype 'i7' is not an element type of fx tensors}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.tril_indices row 1 col 1 {dtype = i7} : tensor<2x1xi64>
  return
}

// -----

func.func @embedding_c1(%w: tensor<100xf32>, %i: tensor<2xi64>) {
  // expected-error @+2 {{expects 'weight' of rank 2, got rank 1}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.embedding %w, %i padding_idx [0] : (tensor<100xf32>, tensor<2xi64>) -> tensor<2xf32>
  return
}

// -----

func.func @embedding_c2(%w: tensor<100x16xf32>, %i: tensor<2xi64>) {
  // expected-error @+2 {{'padding_idx': expected one number, got a list of 0}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.embedding %w, %i padding_idx [] : (tensor<100x16xf32>, tensor<2xi64>) -> tensor<2x16xf32>
  return
}

// -----

func.func @embedding_dense_backward_c1(%g: tensor<3x16xf32>, %i: tensor<2xi64>) {
  // expected-error @+2 {{'grad_output' and 'indices' in dim 0: expected equal sizes, got 3 and 2}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.embedding_dense_backward %g, %i num_weights [100] padding_idx [-1] : (tensor<3x16xf32>, tensor<2xi64>) -> tensor<100x16xf32>
  return
}

// -----

func.func @embedding_dense_backward_c2(%g: tensor<2x16xf32>, %i: tensor<2xi64>) {
  // expected-error @+2 {{'num_weights': expected a size of at least 0, got -1}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.embedding_dense_backward %g, %i num_weights [-1] padding_idx [-1] : (tensor<2x16xf32>, tensor<2xi64>) -> tensor<100x16xf32>
  return
}

// -----

func.func @embedding_bag_c1(%w: tensor<100x16xf32>, %i: tensor<3x3xi64>, %o: tensor<4xi64>) {
  // expected-error @+2 {{expects 'indices' of rank 1, got rank 2}}
  // expected-error @+1 {{failed to infer returned types}}
  %y:4 = fx.embedding_bag %w, %i, %o : (tensor<100x16xf32>, tensor<3x3xi64>, tensor<4xi64>) -> (tensor<4x16xf32>, tensor<?xi64>, tensor<4xi64>, tensor<?xi64>)
  return
}

// -----

func.func @embedding_bag_c2(%w: tensor<100x16xf32>, %i: tensor<9xi64>, %o: tensor<4xi64>) {
  // expected-error @+2 {{expects 'mode' to be 0 (sum), 1 (mean) or 2 (max), got 3}}
  // expected-error @+1 {{failed to infer returned types}}
  %y:4 = fx.embedding_bag %w, %i, %o {mode = 3 : i64} : (tensor<100x16xf32>, tensor<9xi64>, tensor<4xi64>) -> (tensor<4x16xf32>, tensor<?xi64>, tensor<4xi64>, tensor<?xi64>)
  return
}

// -----

func.func @embedding_bag_c3(%w: tensor<100x16xf32>, %i: tensor<9xi64>, %o: tensor<4xi64>, %p: tensor<9xf32>) {
  // expected-error @+2 {{expects 'mode' to be 0 (sum) with 'per_sample_weights', got 1}}
  // expected-error @+1 {{failed to infer returned types}}
  %y:4 = fx.embedding_bag %w, %i, %o, %p {mode = 1 : i64} : (tensor<100x16xf32>, tensor<9xi64>, tensor<4xi64>, tensor<9xf32>) -> (tensor<4x16xf32>, tensor<?xi64>, tensor<4xi64>, tensor<?xi64>)
  return
}

// -----

func.func @embedding_bag_c4(%w: tensor<100x16xf32>, %i: tensor<9xi64>, %o: tensor<0xi64>) {
  // expected-error @+2 {{expects 'offsets' not to be empty with 'include_last_offset'}}
  // expected-error @+1 {{failed to infer returned types}}
  %y:4 = fx.embedding_bag %w, %i, %o {include_last_offset = true} : (tensor<100x16xf32>, tensor<9xi64>, tensor<0xi64>) -> (tensor<0x16xf32>, tensor<?xi64>, tensor<?xi64>, tensor<?xi64>)
  return
}

// -----

func.func @embedding_bag_backward_c1(%g: tensor<16xf32>, %i: tensor<9xi64>, %o: tensor<4xi64>, %b: tensor<9xi64>, %s: tensor<4xi64>, %m: tensor<4xi64>) {
  // expected-error @+2 {{expects 'grad' of rank 2, got rank 1}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.embedding_bag_backward %g, %i, %o, %b, %s, %m num_weights [100] mode 1 {scale_grad_by_freq = false, sparse = false} : (tensor<16xf32>, tensor<9xi64>, tensor<4xi64>, tensor<9xi64>, tensor<4xi64>, tensor<4xi64>) -> tensor<100x16xf32>
  return
}

// -----

func.func @embedding_bag_backward_c2(%g: tensor<4x16xf32>, %i: tensor<9xi64>, %o: tensor<4xi64>, %b: tensor<9xi64>, %s: tensor<4xi64>, %m: tensor<4xi64>) {
  // expected-error @+2 {{'num_weights': expected one number, got a list of 2}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.embedding_bag_backward %g, %i, %o, %b, %s, %m num_weights [1, 2] mode 1 {scale_grad_by_freq = false, sparse = false} : (tensor<4x16xf32>, tensor<9xi64>, tensor<4xi64>, tensor<9xi64>, tensor<4xi64>, tensor<4xi64>) -> tensor<100x16xf32>
  return
}

// -----

func.func @embedding_bag_backward_c3(%g: tensor<4x16xf32>, %i: tensor<9xi64>, %o: tensor<4xi64>, %b: tensor<9xi64>, %s: tensor<4xi64>, %m: tensor<4xi64>) {
  // expected-error @+2 {{expects 'sparse' to be false: sparse gradients are not supported}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.embedding_bag_backward %g, %i, %o, %b, %s, %m num_weights [100] mode 1 {scale_grad_by_freq = false, sparse = true} : (tensor<4x16xf32>, tensor<9xi64>, tensor<4xi64>, tensor<9xi64>, tensor<4xi64>, tensor<4xi64>) -> tensor<100x16xf32>
  return
}
