// Reductions, selections, sorting, scans, distances and histograms: round trip.
// RUN: fx-opt %s | fx-opt | FileCheck %s

// CHECK-LABEL: func.func @all(
func.func @all(%a: tensor<4x?xf32>, %b: tensor<4x?xui8>) {
  // CHECK: fx.all %{{.*}} : (tensor<4x?xf32>) -> tensor<i1>
  %0 = fx.all %a : (tensor<4x?xf32>) -> tensor<i1>
  // CHECK: fx.all %{{.*}} dim [] : (tensor<4x?xui8>) -> tensor<4x?xui8>
  %1 = fx.all %b dim [] : (tensor<4x?xui8>) -> tensor<4x?xui8>
  return
}

// CHECK-LABEL: func.func @amax(
func.func @amax(%a: tensor<4x?xf32>, %b: tensor<?xi32>) {
  // CHECK: fx.amax %{{.*}} dim [-1] : (tensor<4x?xf32>) -> tensor<4xf32>
  %0 = fx.amax %a dim [-1] : (tensor<4x?xf32>) -> tensor<4xf32>
  // CHECK: fx.amax %{{.*}} dim [0] {dtype = i64} : (tensor<?xi32>) -> tensor<i64>
  %1 = fx.amax %b dim [0] {dtype = i64} : (tensor<?xi32>) -> tensor<i64>
  return
}

// CHECK-LABEL: func.func @amin(
func.func @amin(%a: tensor<4x?xi1>) {
  // CHECK: fx.amin %{{.*}} dim [0, 1] {keepdim = true} : (tensor<4x?xi1>) -> tensor<1x1xi1>
  %0 = fx.amin %a dim [0, 1] {keepdim = true} : (tensor<4x?xi1>) -> tensor<1x1xi1>
  return
}

// CHECK-LABEL: func.func @any(
func.func @any(%a: tensor<4x?xf32>, %b: tensor<f32>) {
  // CHECK: fx.any %{{.*}} dim [1] {keepdim = true} : (tensor<4x?xf32>) -> tensor<4x1xi1>
  %0 = fx.any %a dim [1] {keepdim = true} : (tensor<4x?xf32>) -> tensor<4x1xi1>
  // CHECK: fx.any %{{.*}} dim [0] : (tensor<f32>) -> tensor<i1>
  %1 = fx.any %b dim [0] : (tensor<f32>) -> tensor<i1>
  return
}

// CHECK-LABEL: func.func @count_nonzero(
func.func @count_nonzero(%a: tensor<4x?xcomplex<f32>>) {
  // CHECK: fx.count_nonzero %{{.*}} dim [0] : (tensor<4x?xcomplex<f32>>) -> tensor<?xi64>
  %0 = fx.count_nonzero %a dim [0] : (tensor<4x?xcomplex<f32>>) -> tensor<?xi64>
  return
}

// CHECK-LABEL: func.func @linalg_vector_norm(
func.func @linalg_vector_norm(%a: tensor<4x?xf32>, %b: tensor<4xcomplex<f32>>) {
  // CHECK: fx.linalg_vector_norm %{{.*}} dim [1] {ord = 3 : i64} : (tensor<4x?xf32>) -> tensor<4xf32>
  %0 = fx.linalg_vector_norm %a dim [1] {ord = 3 : i64} : (tensor<4x?xf32>) -> tensor<4xf32>
  // CHECK: fx.linalg_vector_norm %{{.*}} {dtype = complex<f64>} : (tensor<4xcomplex<f32>>) -> tensor<f64>
  %1 = fx.linalg_vector_norm %b {dtype = complex<f64>} : (tensor<4xcomplex<f32>>) -> tensor<f64>
  return
}

// CHECK-LABEL: func.func @logsumexp(
func.func @logsumexp(%a: tensor<4x?xi32>) {
  // CHECK: fx.logsumexp %{{.*}} dim [0] : (tensor<4x?xi32>) -> tensor<?xf32>
  %0 = fx.logsumexp %a dim [0] : (tensor<4x?xi32>) -> tensor<?xf32>
  return
}

// CHECK-LABEL: func.func @mean(
func.func @mean(%a: tensor<4x?xbf16>, %b: tensor<0x4xi64>) {
  // CHECK: fx.mean %{{.*}} : (tensor<4x?xbf16>) -> tensor<bf16>
  %0 = fx.mean %a : (tensor<4x?xbf16>) -> tensor<bf16>
  // CHECK: fx.mean %{{.*}} dim [0] {dtype = f32} : (tensor<0x4xi64>) -> tensor<4xf32>
  %1 = fx.mean %b dim [0] {dtype = f32} : (tensor<0x4xi64>) -> tensor<4xf32>
  return
}

// CHECK-LABEL: func.func @nanmean(
func.func @nanmean(%a: tensor<?xf16>) {
  // CHECK: fx.nanmean %{{.*}} : (tensor<?xf16>) -> tensor<f16>
  %0 = fx.nanmean %a : (tensor<?xf16>) -> tensor<f16>
  return
}

// CHECK-LABEL: func.func @nansum(
func.func @nansum(%a: tensor<4x?xi8>) {
  // CHECK: fx.nansum %{{.*}} dim [] : (tensor<4x?xi8>) -> tensor<i64>
  %0 = fx.nansum %a dim [] : (tensor<4x?xi8>) -> tensor<i64>
  return
}

// CHECK-LABEL: func.func @prod(
func.func @prod(%a: tensor<4x?xi1>) {
  // CHECK: fx.prod %{{.*}} dim [-2] : (tensor<4x?xi1>) -> tensor<?xi64>
  %0 = fx.prod %a dim [-2] : (tensor<4x?xi1>) -> tensor<?xi64>
  return
}

// CHECK-LABEL: func.func @sum(
func.func @sum(%a: tensor<4x?xf32>, %b: tensor<i32>) {
  // CHECK: fx.sum %{{.*}} dim [1] {keepdim = true} : (tensor<4x?xf32>) -> tensor<4x1xf32>
  %0 = fx.sum %a dim [1] {keepdim = true} : (tensor<4x?xf32>) -> tensor<4x1xf32>
  // CHECK: fx.sum %{{.*}} : (tensor<i32>) -> tensor<i64>
  %1 = fx.sum %b : (tensor<i32>) -> tensor<i64>
  // CHECK: fx.sum %{{.*}} {dtype = i32} : (tensor<i32>) -> tensor<i32>
  %2 = fx.sum %b {dtype = i32} : (tensor<i32>) -> tensor<i32>
  return
}

// CHECK-LABEL: func.func @xor_sum(
func.func @xor_sum(%a: tensor<4x?xi1>) {
  // CHECK: fx.xor_sum %{{.*}} dims [0] : (tensor<4x?xi1>) -> tensor<?xi1>
  %0 = fx.xor_sum %a dims [0] : (tensor<4x?xi1>) -> tensor<?xi1>
  return
}

// CHECK-LABEL: func.func @std(
func.func @std(%a: tensor<4x?xf32>) {
  // CHECK: fx.std %{{.*}} dim [0] {correction = 0 : i64} : (tensor<4x?xf32>) -> tensor<?xf32>
  %0 = fx.std %a dim [0] {correction = 0 : i64} : (tensor<4x?xf32>) -> tensor<?xf32>
  return
}

// CHECK-LABEL: func.func @var(
func.func @var(%a: tensor<4x?xcomplex<f64>>) {
  // CHECK: fx.var %{{.*}} {unbiased = false} : (tensor<4x?xcomplex<f64>>) -> tensor<f64>
  %0 = fx.var %a {unbiased = false} : (tensor<4x?xcomplex<f64>>) -> tensor<f64>
  return
}

// CHECK-LABEL: func.func @std_mean(
func.func @std_mean(%a: tensor<4x?xf16>) {
  // CHECK: fx.std_mean %{{.*}} dim [0] : (tensor<4x?xf16>) -> (tensor<?xf16>, tensor<?xf16>)
  %0:2 = fx.std_mean %a dim [0] : (tensor<4x?xf16>) -> (tensor<?xf16>, tensor<?xf16>)
  return
}

// CHECK-LABEL: func.func @var_mean(
func.func @var_mean(%a: tensor<4x?xcomplex<f32>>) {
  // CHECK: fx.var_mean %{{.*}} dim [1] {correction = 5.000000e-01 : f64, keepdim = true} : (tensor<4x?xcomplex<f32>>) -> (tensor<4x1xf32>, tensor<4x1xcomplex<f32>>)
  %0:2 = fx.var_mean %a dim [1] {correction = 5.000000e-01 : f64, keepdim = true} : (tensor<4x?xcomplex<f32>>) -> (tensor<4x1xf32>, tensor<4x1xcomplex<f32>>)
  return
}

// CHECK-LABEL: func.func @argmax(
func.func @argmax(%a: tensor<4x?xf32>) {
  // CHECK: fx.argmax %{{.*}} dim -1 : (tensor<4x?xf32>) -> tensor<4xi64>
  %0 = fx.argmax %a dim -1 : (tensor<4x?xf32>) -> tensor<4xi64>
  return
}

// CHECK-LABEL: func.func @argmin(
func.func @argmin(%a: tensor<4x?xf32>) {
  // CHECK: fx.argmin %{{.*}} {keepdim = true} : (tensor<4x?xf32>) -> tensor<1x1xi64>
  %0 = fx.argmin %a {keepdim = true} : (tensor<4x?xf32>) -> tensor<1x1xi64>
  return
}

// CHECK-LABEL: func.func @aminmax(
func.func @aminmax(%a: tensor<4x?xui8>) {
  // CHECK: fx.aminmax %{{.*}} dim 0 : (tensor<4x?xui8>) -> (tensor<?xui8>, tensor<?xui8>)
  %0:2 = fx.aminmax %a dim 0 : (tensor<4x?xui8>) -> (tensor<?xui8>, tensor<?xui8>)
  return
}

// CHECK-LABEL: func.func @max_dim(
func.func @max_dim(%a: tensor<4x8xf32>) {
  // CHECK: fx.max_dim %{{.*}} dim 1 : (tensor<4x8xf32>) -> (tensor<4xf32>, tensor<4xi64>)
  %0:2 = fx.max_dim %a dim 1 : (tensor<4x8xf32>) -> (tensor<4xf32>, tensor<4xi64>)
  return
}

// CHECK-LABEL: func.func @median_dim(
func.func @median_dim(%a: tensor<4x?xf32>) {
  // CHECK: fx.median_dim %{{.*}} dim -1 {keepdim = true} : (tensor<4x?xf32>) -> (tensor<4x1xf32>, tensor<4x1xi64>)
  %0:2 = fx.median_dim %a dim -1 {keepdim = true} : (tensor<4x?xf32>) -> (tensor<4x1xf32>, tensor<4x1xi64>)
  return
}

// CHECK-LABEL: func.func @min_dim(
func.func @min_dim(%a: tensor<i64>) {
  // CHECK: fx.min_dim %{{.*}} dim 0 : (tensor<i64>) -> (tensor<i64>, tensor<i64>)
  %0:2 = fx.min_dim %a dim 0 : (tensor<i64>) -> (tensor<i64>, tensor<i64>)
  return
}

// CHECK-LABEL: func.func @mode(
func.func @mode(%a: tensor<4x?xi1>) {
  // CHECK: fx.mode %{{.*}} dim -1 : (tensor<4x?xi1>) -> (tensor<4xi1>, tensor<4xi64>)
  %0:2 = fx.mode %a dim -1 : (tensor<4x?xi1>) -> (tensor<4xi1>, tensor<4xi64>)
  return
}

// CHECK-LABEL: func.func @nanmedian_dim(
func.func @nanmedian_dim(%a: tensor<4x?xf64>) {
  // CHECK: fx.nanmedian_dim %{{.*}} dim 0 : (tensor<4x?xf64>) -> (tensor<?xf64>, tensor<?xi64>)
  %0:2 = fx.nanmedian_dim %a dim 0 : (tensor<4x?xf64>) -> (tensor<?xf64>, tensor<?xi64>)
  return
}

// CHECK-LABEL: func.func @median(
func.func @median(%a: tensor<0x?xf32>) {
  // CHECK: fx.median %{{.*}} : (tensor<0x?xf32>) -> tensor<f32>
  %0 = fx.median %a : (tensor<0x?xf32>) -> tensor<f32>
  return
}

// CHECK-LABEL: func.func @nanmedian(
func.func @nanmedian(%a: tensor<4x?xf32>) {
  // CHECK: fx.nanmedian %{{.*}} : (tensor<4x?xf32>) -> tensor<f32>
  %0 = fx.nanmedian %a : (tensor<4x?xf32>) -> tensor<f32>
  return
}

// CHECK-LABEL: func.func @kthvalue(
func.func @kthvalue(%a: tensor<4x?xf32>, %k: index) {
  // CHECK: fx.kthvalue %{{.*}} k [2] dim 1 : (tensor<4x?xf32>) -> (tensor<4xf32>, tensor<4xi64>)
  %0:2 = fx.kthvalue %a k [2] dim 1 : (tensor<4x?xf32>) -> (tensor<4xf32>, tensor<4xi64>)
  // CHECK: fx.kthvalue %{{.*}} k [%{{.*}}] dim 0 {keepdim = true} : (tensor<4x?xf32>, index) -> (tensor<1x?xf32>, tensor<1x?xi64>)
  %1:2 = fx.kthvalue %a k [%k] dim 0 {keepdim = true} : (tensor<4x?xf32>, index) -> (tensor<1x?xf32>, tensor<1x?xi64>)
  return
}

// CHECK-LABEL: func.func @argsort(
func.func @argsort(%a: tensor<4x?xf32>) {
  // CHECK: fx.argsort %{{.*}} dim -1 {descending = true, stable = true} : (tensor<4x?xf32>) -> tensor<4x?xi64>
  %0 = fx.argsort %a dim -1 {descending = true, stable = true} : (tensor<4x?xf32>) -> tensor<4x?xi64>
  return
}

// CHECK-LABEL: func.func @sort(
func.func @sort(%a: tensor<4x?xi1>, %b: tensor<f32>) {
  // CHECK: fx.sort %{{.*}} dim 0 : (tensor<4x?xi1>) -> (tensor<4x?xi1>, tensor<4x?xi64>)
  %0:2 = fx.sort %a dim 0 : (tensor<4x?xi1>) -> (tensor<4x?xi1>, tensor<4x?xi64>)
  // CHECK: fx.sort %{{.*}} dim -1 {descending = true, stable = false} : (tensor<f32>) -> (tensor<f32>, tensor<i64>)
  %1:2 = fx.sort %b dim -1 {descending = true, stable = false} : (tensor<f32>) -> (tensor<f32>, tensor<i64>)
  return
}

// CHECK-LABEL: func.func @topk(
func.func @topk(%a: tensor<4x?xf32>, %k: index) {
  // CHECK: fx.topk %{{.*}} k [3] dim -1 : (tensor<4x?xf32>) -> (tensor<4x3xf32>, tensor<4x3xi64>)
  %0:2 = fx.topk %a k [3] dim -1 : (tensor<4x?xf32>) -> (tensor<4x3xf32>, tensor<4x3xi64>)
  // CHECK: fx.topk %{{.*}} k [%{{.*}}] dim 0 {largest = false, sorted = false} : (tensor<4x?xf32>, index) -> (tensor<?x?xf32>, tensor<?x?xi64>)
  %1:2 = fx.topk %a k [%k] dim 0 {largest = false, sorted = false} : (tensor<4x?xf32>, index) -> (tensor<?x?xf32>, tensor<?x?xi64>)
  return
}

// CHECK-LABEL: func.func @cummax(
func.func @cummax(%a: tensor<4x?xf32>) {
  // CHECK: fx.cummax %{{.*}} dim 1 : (tensor<4x?xf32>) -> (tensor<4x?xf32>, tensor<4x?xi64>)
  %0:2 = fx.cummax %a dim 1 : (tensor<4x?xf32>) -> (tensor<4x?xf32>, tensor<4x?xi64>)
  return
}

// CHECK-LABEL: func.func @cummin(
func.func @cummin(%a: tensor<i64>) {
  // CHECK: fx.cummin %{{.*}} dim -1 : (tensor<i64>) -> (tensor<i64>, tensor<i64>)
  %0:2 = fx.cummin %a dim -1 : (tensor<i64>) -> (tensor<i64>, tensor<i64>)
  return
}

// CHECK-LABEL: func.func @cumprod(
func.func @cumprod(%a: tensor<4x?xf32>) {
  // CHECK: fx.cumprod %{{.*}} dim 0 {dtype = f64} : (tensor<4x?xf32>) -> tensor<4x?xf64>
  %0 = fx.cumprod %a dim 0 {dtype = f64} : (tensor<4x?xf32>) -> tensor<4x?xf64>
  return
}

// CHECK-LABEL: func.func @cumsum(
func.func @cumsum(%a: tensor<4x?xi1>) {
  // CHECK: fx.cumsum %{{.*}} dim 0 : (tensor<4x?xi1>) -> tensor<4x?xi64>
  %0 = fx.cumsum %a dim 0 : (tensor<4x?xi1>) -> tensor<4x?xi64>
  return
}

// CHECK-LABEL: func.func @logcumsumexp(
func.func @logcumsumexp(%a: tensor<4x?xcomplex<f32>>) {
  // CHECK: fx.logcumsumexp %{{.*}} dim 0 : (tensor<4x?xcomplex<f32>>) -> tensor<4x?xcomplex<f32>>
  %0 = fx.logcumsumexp %a dim 0 : (tensor<4x?xcomplex<f32>>) -> tensor<4x?xcomplex<f32>>
  return
}

// CHECK-LABEL: func.func @diff(
func.func @diff(%a: tensor<4x8xi32>, %p: tensor<4x1xi64>, %q: tensor<4x2xi8>, %b: tensor<4xi1>) {
  // CHECK: fx.diff %{{.*}} prepend %{{.*}} append %{{.*}} {dim = 1 : i64, n = 2 : i64} : (tensor<4x8xi32>, tensor<4x1xi64>, tensor<4x2xi8>) -> tensor<4x9xi64>
  %0 = fx.diff %a prepend %p append %q {dim = 1 : i64, n = 2 : i64} : (tensor<4x8xi32>, tensor<4x1xi64>, tensor<4x2xi8>) -> tensor<4x9xi64>
  // CHECK: fx.diff %{{.*}} {n = 9 : i64} : (tensor<4xi1>) -> tensor<0xi1>
  %1 = fx.diff %b {n = 9 : i64} : (tensor<4xi1>) -> tensor<0xi1>
  return
}

// CHECK-LABEL: func.func @cosine_similarity(
func.func @cosine_similarity(%a: tensor<4x8x?xf32>, %b: tensor<8x1xbf16>) {
  // CHECK: fx.cosine_similarity %{{.*}}, %{{.*}} {eps = 9.9999999999999995E-7 : f64} : (tensor<4x8x?xf32>, tensor<8x1xbf16>) -> tensor<4x?xf32>
  %0 = fx.cosine_similarity %a, %b {eps = 1.000000e-06 : f64} : (tensor<4x8x?xf32>, tensor<8x1xbf16>) -> tensor<4x?xf32>
  return
}

// CHECK-LABEL: func.func @dist(
func.func @dist(%a: tensor<4x?xcomplex<f32>>, %b: tensor<?xf32>) {
  // CHECK: fx.dist %{{.*}}, %{{.*}} {p = 1 : i64} : (tensor<4x?xcomplex<f32>>, tensor<?xf32>) -> tensor<f32>
  %0 = fx.dist %a, %b {p = 1 : i64} : (tensor<4x?xcomplex<f32>>, tensor<?xf32>) -> tensor<f32>
  return
}

// CHECK-LABEL: func.func @renorm(
func.func @renorm(%a: tensor<4x?xf32>) {
  // CHECK: fx.renorm %{{.*}} dim 0 {maxnorm = 1 : i64, p = 2.000000e+00 : f64} : (tensor<4x?xf32>) -> tensor<4x?xf32>
  %0 = fx.renorm %a dim 0 {maxnorm = 1 : i64, p = 2.000000e+00 : f64} : (tensor<4x?xf32>) -> tensor<4x?xf32>
  return
}

// CHECK-LABEL: func.func @sum_to_size(
func.func @sum_to_size(%a: tensor<3x4x?xf32>, %n: index) {
  // CHECK: fx.sum_to_size %{{.*}} size [1, %{{.*}}] : (tensor<3x4x?xf32>, index) -> tensor<1x?xf32>
  %0 = fx.sum_to_size %a size [1, %n] : (tensor<3x4x?xf32>, index) -> tensor<1x?xf32>
  return
}

// CHECK-LABEL: func.func @bincount(
func.func @bincount(%a: tensor<?xi64>, %w: tensor<?xf32>, %n: index) {
  // CHECK: fx.bincount %{{.*}} weights %{{.*}} minlength [%{{.*}}] : (tensor<?xi64>, tensor<?xf32>, index) -> tensor<?xf32>
  %0 = fx.bincount %a weights %w minlength [%n] : (tensor<?xi64>, tensor<?xf32>, index) -> tensor<?xf32>
  // CHECK: fx.bincount %{{.*}} minlength [4] : (tensor<?xi64>) -> tensor<?xi64>
  %1 = fx.bincount %a minlength [4] : (tensor<?xi64>) -> tensor<?xi64>
  return
}

// CHECK-LABEL: func.func @histc(
func.func @histc(%a: tensor<4x?xf32>) {
  // CHECK: fx.histc %{{.*}} {bins = 10 : i64, max = 1.000000e+00 : f64, min = 0 : i64} : (tensor<4x?xf32>) -> tensor<10xf32>
  %0 = fx.histc %a {bins = 10 : i64, max = 1.000000e+00 : f64, min = 0 : i64} : (tensor<4x?xf32>) -> tensor<10xf32>
  return
}

// CHECK-LABEL: func.func @histogram(
func.func @histogram(%a: tensor<4x?xf32>, %w: tensor<4x?xf32>, %e: tensor<?xf32>) {
  // CHECK: fx.histogram %{{.*}} weight %{{.*}} {bins = 3 : i64, range = array<f64: 0.000000e+00, 1.000000e+00>} : (tensor<4x?xf32>, tensor<4x?xf32>) -> (tensor<3xf32>, tensor<4xf32>)
  %0:2 = fx.histogram %a weight %w {bins = 3 : i64, range = array<f64: 0.000000e+00, 1.000000e+00>} : (tensor<4x?xf32>, tensor<4x?xf32>) -> (tensor<3xf32>, tensor<4xf32>)
  // CHECK: fx.histogram %{{.*}} edges %{{.*}} {density = true} : (tensor<4x?xf32>, tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>)
  %1:2 = fx.histogram %a edges %e {density = true} : (tensor<4x?xf32>, tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>)
  return
}

// CHECK-LABEL: func.func @histogramdd_bin_edges(
func.func @histogramdd_bin_edges(%a: tensor<?x2xf32>, %w: tensor<?xf32>) {
  // CHECK: fx.histogramdd_bin_edges %{{.*}} weight %{{.*}} {bins = array<i64: 3, 4>} : (tensor<?x2xf32>, tensor<?xf32>) -> (tensor<4xf32>, tensor<5xf32>)
  %0:2 = fx.histogramdd_bin_edges %a weight %w {bins = array<i64: 3, 4>} : (tensor<?x2xf32>, tensor<?xf32>) -> (tensor<4xf32>, tensor<5xf32>)
  return
}

// CHECK-LABEL: func.func @histogramdd_from_bin_cts(
func.func @histogramdd_from_bin_cts(%a: tensor<?x2xf32>) {
  // CHECK: fx.histogramdd_from_bin_cts %{{.*}} {bins = array<i64: 3, 4>} : (tensor<?x2xf32>) -> tensor<3x4xf32>
  %0 = fx.histogramdd_from_bin_cts %a {bins = array<i64: 3, 4>} : (tensor<?x2xf32>) -> tensor<3x4xf32>
  return
}

// CHECK-LABEL: func.func @histogramdd_from_bin_tensors(
func.func @histogramdd_from_bin_tensors(%a: tensor<?x2xf32>, %b: tensor<4xf32>, %c: tensor<?xf32>, %w: tensor<?xf32>) {
  // CHECK: fx.histogramdd_from_bin_tensors %{{.*}} bins(%{{.*}}, %{{.*}}) weight %{{.*}} : (tensor<?x2xf32>, tensor<4xf32>, tensor<?xf32>, tensor<?xf32>) -> tensor<3x?xf32>
  %0 = fx.histogramdd_from_bin_tensors %a bins(%b, %c) weight %w : (tensor<?x2xf32>, tensor<4xf32>, tensor<?xf32>, tensor<?xf32>) -> tensor<3x?xf32>
  return
}

// CHECK-LABEL: func.func @segment_reduce(
func.func @segment_reduce(%a: tensor<4x9x?xf32>, %l: tensor<4x3xi64>, %o: tensor<4x4xi64>) {
  // CHECK: fx.segment_reduce %{{.*}} reduce "max" lengths %{{.*}} {axis = 1 : i64, initial = 0 : i64} : (tensor<4x9x?xf32>, tensor<4x3xi64>) -> tensor<4x3x?xf32>
  %0 = fx.segment_reduce %a reduce "max" lengths %l {axis = 1 : i64, initial = 0 : i64} : (tensor<4x9x?xf32>, tensor<4x3xi64>) -> tensor<4x3x?xf32>
  // CHECK: fx.segment_reduce %{{.*}} reduce "sum" offsets %{{.*}} {axis = 1 : i64} : (tensor<4x9x?xf32>, tensor<4x4xi64>) -> tensor<4x3x?xf32>
  %1 = fx.segment_reduce %a reduce "sum" offsets %o {axis = 1 : i64} : (tensor<4x9x?xf32>, tensor<4x4xi64>) -> tensor<4x3x?xf32>
  return
}

// CHECK-LABEL: func.func @unique2(
func.func @unique2(%a: tensor<4x?xf32>) {
  // CHECK: fx.unique2 %{{.*}} {return_inverse = true} : (tensor<4x?xf32>) -> (tensor<?xf32>, tensor<4x?xi64>, tensor<0xi64>)
  %0:3 = fx.unique2 %a {return_inverse = true} : (tensor<4x?xf32>) -> (tensor<?xf32>, tensor<4x?xi64>, tensor<0xi64>)
  return
}

// CHECK-LABEL: func.func @unique_consecutive(
func.func @unique_consecutive(%a: tensor<4x?xi64>) {
  // CHECK: fx.unique_consecutive %{{.*}} {return_counts = true} : (tensor<4x?xi64>) -> (tensor<?xi64>, tensor<0xi64>, tensor<?xi64>)
  %0:3 = fx.unique_consecutive %a {return_counts = true} : (tensor<4x?xi64>) -> (tensor<?xi64>, tensor<0xi64>, tensor<?xi64>)
  return
}

// CHECK-LABEL: func.func @unique_dim(
func.func @unique_dim(%a: tensor<4x?xf32>) {
  // CHECK: fx.unique_dim %{{.*}} {dim = 1 : i64, sorted = false} : (tensor<4x?xf32>) -> (tensor<4x?xf32>, tensor<?xi64>, tensor<?xi64>)
  %0:3 = fx.unique_dim %a {dim = 1 : i64, sorted = false} : (tensor<4x?xf32>) -> (tensor<4x?xf32>, tensor<?xi64>, tensor<?xi64>)
  return
}
