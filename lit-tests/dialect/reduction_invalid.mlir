// Constraints of reductions, selections, scans, distances and histograms, each violated.
// RUN: fx-opt %s -split-input-file -verify-diagnostics

func.func @dtype_c1(%a: tensor<4xf32>) {
  // expected-error @+2 {{'fx.sum' op expects a dtype that a tensor can have, got index}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = fx.sum %a {dtype = index} : (tensor<4xf32>) -> tensor<f32>
  return
}

// -----

func.func @size_list_c1(%a: tensor<4xf32>) {
  // expected-error @+2 {{'fx.topk' op k: expects a list of one number, got 2}}
  // expected-error @+1 {{failed to infer returned types}}
  %0:2 = fx.topk %a k [1, 2] dim 0 : (tensor<4xf32>) -> (tensor<1xf32>, tensor<1xi64>)
  return
}

// -----

func.func @size_list_c1__negative(%a: tensor<4xf32>) {
  // expected-error @+2 {{'fx.sum_to_size' op size: expects sizes >= 0, got -1}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = fx.sum_to_size %a size [-1] : (tensor<4xf32>) -> tensor<?xf32>
  return
}

// -----

func.func @size_list_c1__operands(%a: tensor<4xf32>, %k: index) {
  // expected-error @+2 {{'fx.topk' op k: expects one operand for each of 0 unknown sizes, got 1}}
  // expected-error @+1 {{failed to infer returned types}}
  %0:2 = "fx.topk"(%a, %k) <{dim = 0 : i64, static_k = array<i64: 1>}> : (tensor<4xf32>, index) -> (tensor<1xf32>, tensor<1xi64>)
  return
}

// -----

func.func @reduction_c1(%a: tensor<4x8xf32>) {
  // expected-error @+2 {{'fx.sum' op dim 2 is out of range for an operand of rank 2}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = fx.sum %a dim [2] : (tensor<4x8xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @reduction_c1__twice(%a: tensor<4x8xf32>) {
  // expected-error @+2 {{'fx.amax' op dim 1 appears more than once in the list of dims}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = fx.amax %a dim [1, -1] : (tensor<4x8xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @reduction_c2(%a: tensor<4x0xf32>) {
  // expected-error @+2 {{'fx.amax' op expects a size that is not 0 in the reduced dim 1}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = fx.amax %a dim [1] : (tensor<4x0xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @reduction_c2__argmax(%a: tensor<4x0xf32>) {
  // expected-error @+2 {{'fx.argmax' op expects a size that is not 0 in the reduced dim 1}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = fx.argmax %a : (tensor<4x0xf32>) -> tensor<i64>
  return
}

// -----

func.func @linalg_vector_norm_c1(%a: tensor<4xi64>) {
  // expected-error @+2 {{'fx.linalg_vector_norm' op expects a float or complex type to take the norm of, got i64}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = fx.linalg_vector_norm %a : (tensor<4xi64>) -> tensor<f32>
  return
}

// -----

func.func @mean_c1(%a: tensor<4xi64>) {
  // expected-error @+2 {{'fx.mean' op expects a float or complex type to take the mean of, got i64}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = fx.mean %a : (tensor<4xi64>) -> tensor<f32>
  return
}

// -----

func.func @variance_c1(%a: tensor<4xi64>) {
  // expected-error @+2 {{'fx.var_mean' op expects a float or complex type to take the variance of, got i64}}
  // expected-error @+1 {{failed to infer returned types}}
  %0:2 = fx.var_mean %a : (tensor<4xi64>) -> (tensor<f32>, tensor<f32>)
  return
}

// -----

func.func @selection_c1(%a: tensor<4x8xf32>) {
  // expected-error @+2 {{'fx.max_dim' op dim -3 is out of range for an operand of rank 2}}
  // expected-error @+1 {{failed to infer returned types}}
  %0:2 = fx.max_dim %a dim -3 : (tensor<4x8xf32>) -> (tensor<4xf32>, tensor<4xi64>)
  return
}

// -----

func.func @selection_c2(%a: tensor<0x8xf32>) {
  // expected-error @+2 {{'fx.median_dim' op expects a size that is not 0 in the reduced dim 0}}
  // expected-error @+1 {{failed to infer returned types}}
  %0:2 = fx.median_dim %a dim 0 : (tensor<0x8xf32>) -> (tensor<8xf32>, tensor<8xi64>)
  return
}

// -----

func.func @kthvalue_c1(%a: tensor<4x8xf32>) {
  // expected-error @+2 {{'fx.kthvalue' op expects k in [1, 8], got 9}}
  // expected-error @+1 {{failed to infer returned types}}
  %0:2 = fx.kthvalue %a k [9] dim 1 : (tensor<4x8xf32>) -> (tensor<4xf32>, tensor<4xi64>)
  return
}

// -----

func.func @kthvalue_c1__zero(%a: tensor<4x?xf32>) {
  // expected-error @+2 {{'fx.kthvalue' op expects k in [1, size], got 0}}
  // expected-error @+1 {{failed to infer returned types}}
  %0:2 = fx.kthvalue %a k [0] dim 1 : (tensor<4x?xf32>) -> (tensor<4xf32>, tensor<4xi64>)
  return
}

// -----

func.func @topk_c1(%a: tensor<4x8xf32>) {
  // expected-error @+2 {{'fx.topk' op expects k in [0, 8], got 9}}
  // expected-error @+1 {{failed to infer returned types}}
  %0:2 = fx.topk %a k [9] dim 1 : (tensor<4x8xf32>) -> (tensor<4x9xf32>, tensor<4x9xi64>)
  return
}

// -----

func.func @scan_c1(%a: tensor<4xf32>) {
  // expected-error @+2 {{'fx.cumsum' op dim 1 is out of range for an operand of rank 1}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = fx.cumsum %a dim 1 : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @diff_c1(%a: tensor<4xf32>) {
  // expected-error @+2 {{'fx.diff' op expects rank >= 1 and n >= 0, got rank 1 and n -1}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = fx.diff %a {n = -1 : i64} : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @diff_c2(%a: tensor<4x8xf32>, %p: tensor<3x1xf32>) {
  // expected-error @+2 {{'fx.diff' op prepend and append: expected equal sizes, got 3 and 4}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = fx.diff %a prepend %p : (tensor<4x8xf32>, tensor<3x1xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @cosine_similarity_c1(%a: tensor<4xf32>) {
  // expected-error @+2 {{'fx.cosine_similarity' op dim 1 is out of range for an operand of rank 1}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = fx.cosine_similarity %a, %a : (tensor<4xf32>, tensor<4xf32>) -> tensor<f32>
  return
}

// -----

func.func @cosine_similarity_c2(%a: tensor<4xi64>) {
  // expected-error @+2 {{'fx.cosine_similarity' op expects operands that promote to a float type, got i64}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = fx.cosine_similarity %a, %a {dim = 0 : i64} : (tensor<4xi64>, tensor<4xi64>) -> tensor<f32>
  return
}

// -----

func.func @dist_c1(%a: tensor<4xf32>, %b: tensor<3xf32>) {
  // expected-error @+2 {{'fx.dist' op operands do not broadcast: size 4 against 3 in dim 0}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = fx.dist %a, %b : (tensor<4xf32>, tensor<3xf32>) -> tensor<f32>
  return
}

// -----

func.func @dist_c1__type(%a: tensor<4xi64>) {
  // expected-error @+2 {{'fx.dist' op expects operands that promote to a float or complex type, got i64}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = fx.dist %a, %a : (tensor<4xi64>, tensor<4xi64>) -> tensor<f32>
  return
}

// -----

func.func @sum_to_size_c1(%a: tensor<2x4xf32>) {
  // expected-error @+2 {{'fx.sum_to_size' op size: expected equal sizes, got 3 and 4}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = fx.sum_to_size %a size [3] : (tensor<2x4xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @bincount_c1(%a: tensor<4x8xi64>) {
  // expected-error @+2 {{'fx.bincount' op expects an input of rank 1, got 2}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = fx.bincount %a minlength [0] : (tensor<4x8xi64>) -> tensor<?xi64>
  return
}

// -----

func.func @bincount_c2(%a: tensor<4xi64>) {
  // expected-error @+2 {{'fx.bincount' op minlength: expects sizes >= 0, got -1}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = fx.bincount %a minlength [-1] : (tensor<4xi64>) -> tensor<?xi64>
  return
}

// -----

func.func @histogram_c1(%a: tensor<4xf32>) {
  // expected-error @+2 {{'fx.histogram' op expects a positive number of bins, got 9223372036854775807}}
  // expected-error @+1 {{failed to infer returned types}}
  %0:2 = fx.histogram %a {bins = 9223372036854775807 : i64} : (tensor<4xf32>) -> (tensor<1xf32>, tensor<2xf32>)
  return
}

// -----

func.func @histogram_c1__edges(%a: tensor<4xf32>, %e: tensor<0xf32>) {
  // expected-error @+2 {{'fx.histogram' op expects edges of rank 1 with at least one element, got tensor<0xf32>}}
  // expected-error @+1 {{failed to infer returned types}}
  %0:2 = fx.histogram %a edges %e : (tensor<4xf32>, tensor<0xf32>) -> (tensor<1xf32>, tensor<0xf32>)
  return
}

// -----

func.func @histogram_c2(%a: tensor<4xf32>, %w: tensor<3xf32>) {
  // expected-error @+2 {{'fx.histogram' op weight: expected equal sizes, got 3 and 4}}
  // expected-error @+1 {{failed to infer returned types}}
  %0:2 = fx.histogram %a weight %w : (tensor<4xf32>, tensor<3xf32>) -> (tensor<100xf32>, tensor<101xf32>)
  return
}

// -----

func.func @histogram_c3(%a: tensor<4xf32>) {
  // expected-error @+2 {{'fx.histogram' op expects a range of 2 numbers, got 1}}
  // expected-error @+1 {{failed to infer returned types}}
  %0:2 = fx.histogram %a {range = array<f64: 1.0>} : (tensor<4xf32>) -> (tensor<100xf32>, tensor<101xf32>)
  return
}

// -----

func.func @histogramdd_c1(%a: tensor<4x2xf32>) {
  // expected-error @+2 {{'fx.histogramdd_from_bin_cts' op bins and coordinates: expected equal sizes, got 1 and 2}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = fx.histogramdd_from_bin_cts %a {bins = array<i64: 3>} : (tensor<4x2xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @histogramdd_c2(%a: tensor<4x2xf32>) {
  // expected-error @+2 {{'fx.histogramdd_bin_edges' op expects a positive number of bins, got 0}}
  // expected-error @+1 {{failed to infer returned types}}
  %0:2 = fx.histogramdd_bin_edges %a {bins = array<i64: 3, 0>} : (tensor<4x2xf32>) -> (tensor<4xf32>, tensor<1xf32>)
  return
}

// -----

func.func @histogramdd_c3(%a: tensor<4x2xf32>, %w: tensor<3xf32>) {
  // expected-error @+2 {{'fx.histogramdd_from_bin_cts' op weight: expected equal sizes, got 3 and 4}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = fx.histogramdd_from_bin_cts %a weight %w {bins = array<i64: 3, 4>} : (tensor<4x2xf32>, tensor<3xf32>) -> tensor<3x4xf32>
  return
}

// -----

func.func @histogramdd_c4(%a: tensor<4x2xf32>) {
  // expected-error @+2 {{'fx.histogramdd_from_bin_cts' op expects a range of 4 numbers, got 2}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = fx.histogramdd_from_bin_cts %a {bins = array<i64: 3, 4>, range = array<f64: 0.0, 1.0>} : (tensor<4x2xf32>) -> tensor<3x4xf32>
  return
}

// -----

func.func @segment_reduce_c1(%a: tensor<4xf32>, %l: tensor<2xi64>) {
  // expected-error @+2 {{'fx.segment_reduce' op expects reduce to be sum, mean, max, min or prod, got 'any'}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = fx.segment_reduce %a reduce "any" lengths %l : (tensor<4xf32>, tensor<2xi64>) -> tensor<2xf32>
  return
}

// -----

func.func @segment_reduce_c2(%a: tensor<4xf32>) {
  // expected-error @+2 {{'fx.segment_reduce' op expects lengths or offsets}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = fx.segment_reduce %a reduce "sum" : (tensor<4xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @segment_reduce_c3(%a: tensor<4x8xf32>, %l: tensor<2xi64>) {
  // expected-error @+2 {{'fx.segment_reduce' op expects axis to be the last dim of lengths or offsets, got axis 1 for rank 1}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = fx.segment_reduce %a reduce "sum" lengths %l {axis = 1 : i64} : (tensor<4x8xf32>, tensor<2xi64>) -> tensor<4x2xf32>
  return
}

// -----

func.func @segment_reduce_c4(%a: tensor<4x8xf32>, %l: tensor<3x2xi64>) {
  // expected-error @+2 {{'fx.segment_reduce' op lengths or offsets: expected equal sizes, got 3 and 4}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = fx.segment_reduce %a reduce "sum" lengths %l {axis = 1 : i64} : (tensor<4x8xf32>, tensor<3x2xi64>) -> tensor<4x2xf32>
  return
}

// -----

func.func @unique_c1(%a: tensor<4xf32>) {
  // expected-error @+2 {{'fx.unique_dim' op dim 1 is out of range for an operand of rank 1}}
  // expected-error @+1 {{failed to infer returned types}}
  %0:3 = fx.unique_dim %a {dim = 1 : i64} : (tensor<4xf32>) -> (tensor<?xf32>, tensor<4xi64>, tensor<?xi64>)
  return
}
