// Round trip of the matrix ops.
// RUN: fx-opt %s | fx-opt | FileCheck %s

// CHECK-LABEL: func.func @mm(
// CHECK: fx.mm %{{.*}}, %{{.*}} : (tensor<4x8xf32>, tensor<8x3xf32>) -> tensor<4x3xf32>
func.func @mm(%a: tensor<4x8xf32>, %b: tensor<8x3xf32>) -> tensor<4x3xf32> {
  %y = fx.mm %a, %b : (tensor<4x8xf32>, tensor<8x3xf32>) -> tensor<4x3xf32>
  return %y : tensor<4x3xf32>
}

// CHECK-LABEL: func.func @mm_out_dtype(
// CHECK: fx.mm %{{.*}}, %{{.*}} {out_dtype = f32} : (tensor<?x8xbf16>, tensor<?x3xbf16>) -> tensor<?x3xf32>
func.func @mm_out_dtype(%a: tensor<?x8xbf16>, %b: tensor<?x3xbf16>) -> tensor<?x3xf32> {
  %y = fx.mm %a, %b {out_dtype = f32} : (tensor<?x8xbf16>, tensor<?x3xbf16>) -> tensor<?x3xf32>
  return %y : tensor<?x3xf32>
}

// CHECK-LABEL: func.func @bmm(
// CHECK: fx.bmm %{{.*}}, %{{.*}} : (tensor<?x4x8xf32>, tensor<5x8x3xf32>) -> tensor<5x4x3xf32>
func.func @bmm(%a: tensor<?x4x8xf32>, %b: tensor<5x8x3xf32>) -> tensor<5x4x3xf32> {
  %y = fx.bmm %a, %b : (tensor<?x4x8xf32>, tensor<5x8x3xf32>) -> tensor<5x4x3xf32>
  return %y : tensor<5x4x3xf32>
}

// CHECK-LABEL: func.func @mv(
// CHECK: fx.mv %{{.*}}, %{{.*}} : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4xf32>
func.func @mv(%a: tensor<4x8xf32>, %v: tensor<8xf32>) -> tensor<4xf32> {
  %y = fx.mv %a, %v : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// CHECK-LABEL: func.func @dot(
// CHECK: fx.dot %{{.*}}, %{{.*}} : (tensor<8xf32>, tensor<?xf32>) -> tensor<f32>
func.func @dot(%a: tensor<8xf32>, %b: tensor<?xf32>) -> tensor<f32> {
  %y = fx.dot %a, %b : (tensor<8xf32>, tensor<?xf32>) -> tensor<f32>
  return %y : tensor<f32>
}

// CHECK-LABEL: func.func @vdot(
// CHECK: fx.vdot %{{.*}}, %{{.*}} : (tensor<8xcomplex<f32>>, tensor<8xcomplex<f32>>) -> tensor<complex<f32>>
func.func @vdot(%a: tensor<8xcomplex<f32>>, %b: tensor<8xcomplex<f32>>) -> tensor<complex<f32>> {
  %y = fx.vdot %a, %b : (tensor<8xcomplex<f32>>, tensor<8xcomplex<f32>>) -> tensor<complex<f32>>
  return %y : tensor<complex<f32>>
}

// CHECK-LABEL: func.func @matmul(
// CHECK: fx.matmul %{{.*}}, %{{.*}} : (tensor<5x1x4x8xf32>, tensor<2x8x3xf32>) -> tensor<5x2x4x3xf32>
func.func @matmul(%a: tensor<5x1x4x8xf32>, %b: tensor<2x8x3xf32>) -> tensor<5x2x4x3xf32> {
  %y = fx.matmul %a, %b : (tensor<5x1x4x8xf32>, tensor<2x8x3xf32>) -> tensor<5x2x4x3xf32>
  return %y : tensor<5x2x4x3xf32>
}

// CHECK-LABEL: func.func @matmul_vectors(
// CHECK: fx.matmul %{{.*}}, %{{.*}} : (tensor<8xf32>, tensor<8xf32>) -> tensor<f32>
func.func @matmul_vectors(%a: tensor<8xf32>, %b: tensor<8xf32>) -> tensor<f32> {
  %y = fx.matmul %a, %b : (tensor<8xf32>, tensor<8xf32>) -> tensor<f32>
  return %y : tensor<f32>
}

// CHECK-LABEL: func.func @matmul_row(
// CHECK: fx.matmul %{{.*}}, %{{.*}} : (tensor<8xf32>, tensor<5x8x3xf32>) -> tensor<5x3xf32>
func.func @matmul_row(%a: tensor<8xf32>, %b: tensor<5x8x3xf32>) -> tensor<5x3xf32> {
  %y = fx.matmul %a, %b : (tensor<8xf32>, tensor<5x8x3xf32>) -> tensor<5x3xf32>
  return %y : tensor<5x3xf32>
}

// CHECK-LABEL: func.func @matmul_column(
// CHECK: fx.matmul %{{.*}}, %{{.*}} : (tensor<?x4x8xf32>, tensor<8xf32>) -> tensor<?x4xf32>
func.func @matmul_column(%a: tensor<?x4x8xf32>, %b: tensor<8xf32>) -> tensor<?x4xf32> {
  %y = fx.matmul %a, %b : (tensor<?x4x8xf32>, tensor<8xf32>) -> tensor<?x4xf32>
  return %y : tensor<?x4xf32>
}

// CHECK-LABEL: func.func @outer(
// CHECK: fx.outer %{{.*}}, %{{.*}} : (tensor<4xi64>, tensor<3xf32>) -> tensor<4x3xf32>
func.func @outer(%a: tensor<4xi64>, %b: tensor<3xf32>) -> tensor<4x3xf32> {
  %y = fx.outer %a, %b : (tensor<4xi64>, tensor<3xf32>) -> tensor<4x3xf32>
  return %y : tensor<4x3xf32>
}

// CHECK-LABEL: func.func @inner(
// CHECK: fx.inner %{{.*}}, %{{.*}} : (tensor<2x4x8xf32>, tensor<3x8xf32>) -> tensor<2x4x3xf32>
func.func @inner(%a: tensor<2x4x8xf32>, %b: tensor<3x8xf32>) -> tensor<2x4x3xf32> {
  %y = fx.inner %a, %b : (tensor<2x4x8xf32>, tensor<3x8xf32>) -> tensor<2x4x3xf32>
  return %y : tensor<2x4x3xf32>
}

// CHECK-LABEL: func.func @inner_0d(
// CHECK: fx.inner %{{.*}}, %{{.*}} : (tensor<2x4xf32>, tensor<f32>) -> tensor<2x4xf32>
func.func @inner_0d(%a: tensor<2x4xf32>, %b: tensor<f32>) -> tensor<2x4xf32> {
  %y = fx.inner %a, %b : (tensor<2x4xf32>, tensor<f32>) -> tensor<2x4xf32>
  return %y : tensor<2x4xf32>
}

// CHECK-LABEL: func.func @kron(
// CHECK: fx.kron %{{.*}}, %{{.*}} : (tensor<2x3xf32>, tensor<4x5x?xf32>) -> tensor<4x10x?xf32>
func.func @kron(%a: tensor<2x3xf32>, %b: tensor<4x5x?xf32>) -> tensor<4x10x?xf32> {
  %y = fx.kron %a, %b : (tensor<2x3xf32>, tensor<4x5x?xf32>) -> tensor<4x10x?xf32>
  return %y : tensor<4x10x?xf32>
}

// CHECK-LABEL: func.func @tensordot(
// CHECK: fx.tensordot %{{.*}}, %{{.*}} dims [1, 0], [0, -1] : (tensor<4x8x5xf32>, tensor<8x3x4xf32>) -> tensor<5x3xf32>
func.func @tensordot(%a: tensor<4x8x5xf32>, %b: tensor<8x3x4xf32>) -> tensor<5x3xf32> {
  %y = fx.tensordot %a, %b dims [1, 0], [0, -1] : (tensor<4x8x5xf32>, tensor<8x3x4xf32>) -> tensor<5x3xf32>
  return %y : tensor<5x3xf32>
}

// CHECK-LABEL: func.func @int_mm(
// CHECK: fx.int_mm %{{.*}}, %{{.*}} : (tensor<4x8xi8>, tensor<8x3xi8>) -> tensor<4x3xi32>
func.func @int_mm(%a: tensor<4x8xi8>, %b: tensor<8x3xi8>) -> tensor<4x3xi32> {
  %y = fx.int_mm %a, %b : (tensor<4x8xi8>, tensor<8x3xi8>) -> tensor<4x3xi32>
  return %y : tensor<4x3xi32>
}

// CHECK-LABEL: func.func @cross(
// CHECK: fx.cross %{{.*}}, %{{.*}} {dim = -1 : i64} : (tensor<4x3xf32>, tensor<1x3xf32>) -> tensor<4x3xf32>
func.func @cross(%a: tensor<4x3xf32>, %b: tensor<1x3xf32>) -> tensor<4x3xf32> {
  %y = fx.cross %a, %b {dim = -1 : i64} : (tensor<4x3xf32>, tensor<1x3xf32>) -> tensor<4x3xf32>
  return %y : tensor<4x3xf32>
}

// CHECK-LABEL: func.func @cross_default(
// CHECK: fx.cross %{{.*}}, %{{.*}} : (tensor<4x3xf32>, tensor<4x3xf32>) -> tensor<4x3xf32>
func.func @cross_default(%a: tensor<4x3xf32>, %b: tensor<4x3xf32>) -> tensor<4x3xf32> {
  %y = fx.cross %a, %b : (tensor<4x3xf32>, tensor<4x3xf32>) -> tensor<4x3xf32>
  return %y : tensor<4x3xf32>
}

// CHECK-LABEL: func.func @addmm(
// CHECK: fx.addmm %{{.*}}, %{{.*}}, %{{.*}} {alpha = 5.000000e-01 : f64, beta = 2 : i64} : (tensor<3xf32>, tensor<4x8xf32>, tensor<8x3xf32>) -> tensor<4x3xf32>
func.func @addmm(%c: tensor<3xf32>, %a: tensor<4x8xf32>, %b: tensor<8x3xf32>) -> tensor<4x3xf32> {
  %y = fx.addmm %c, %a, %b {alpha = 5.000000e-01 : f64, beta = 2 : i64} : (tensor<3xf32>, tensor<4x8xf32>, tensor<8x3xf32>) -> tensor<4x3xf32>
  return %y : tensor<4x3xf32>
}

// CHECK-LABEL: func.func @baddbmm(
// CHECK: fx.baddbmm %{{.*}}, %{{.*}}, %{{.*}} : (tensor<1x4x3xf32>, tensor<5x4x8xf32>, tensor<5x8x3xf32>) -> tensor<5x4x3xf32>
func.func @baddbmm(%c: tensor<1x4x3xf32>, %a: tensor<5x4x8xf32>, %b: tensor<5x8x3xf32>) -> tensor<5x4x3xf32> {
  %y = fx.baddbmm %c, %a, %b : (tensor<1x4x3xf32>, tensor<5x4x8xf32>, tensor<5x8x3xf32>) -> tensor<5x4x3xf32>
  return %y : tensor<5x4x3xf32>
}

// CHECK-LABEL: func.func @addbmm(
// CHECK: fx.addbmm %{{.*}}, %{{.*}}, %{{.*}} : (tensor<4x3xf32>, tensor<5x4x8xf32>, tensor<5x8x3xf32>) -> tensor<4x3xf32>
func.func @addbmm(%c: tensor<4x3xf32>, %a: tensor<5x4x8xf32>, %b: tensor<5x8x3xf32>) -> tensor<4x3xf32> {
  %y = fx.addbmm %c, %a, %b : (tensor<4x3xf32>, tensor<5x4x8xf32>, tensor<5x8x3xf32>) -> tensor<4x3xf32>
  return %y : tensor<4x3xf32>
}

// CHECK-LABEL: func.func @addmv(
// CHECK: fx.addmv %{{.*}}, %{{.*}}, %{{.*}} : (tensor<f32>, tensor<4x8xf32>, tensor<8xf32>) -> tensor<4xf32>
func.func @addmv(%c: tensor<f32>, %a: tensor<4x8xf32>, %v: tensor<8xf32>) -> tensor<4xf32> {
  %y = fx.addmv %c, %a, %v : (tensor<f32>, tensor<4x8xf32>, tensor<8xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// CHECK-LABEL: func.func @addr(
// CHECK: fx.addr %{{.*}}, %{{.*}}, %{{.*}} : (tensor<4x1xf32>, tensor<4xi64>, tensor<3xf32>) -> tensor<4x3xf32>
func.func @addr(%c: tensor<4x1xf32>, %a: tensor<4xi64>, %b: tensor<3xf32>) -> tensor<4x3xf32> {
  %y = fx.addr %c, %a, %b : (tensor<4x1xf32>, tensor<4xi64>, tensor<3xf32>) -> tensor<4x3xf32>
  return %y : tensor<4x3xf32>
}

// CHECK-LABEL: func.func @linear(
// CHECK: fx.linear %{{.*}}, %{{.*}}, %{{.*}} : (tensor<2x?x8xf32>, tensor<3x8xf32>, tensor<3xf32>) -> tensor<2x?x3xf32>
func.func @linear(%x: tensor<2x?x8xf32>, %w: tensor<3x8xf32>, %b: tensor<3xf32>) -> tensor<2x?x3xf32> {
  %y = fx.linear %x, %w, %b : (tensor<2x?x8xf32>, tensor<3x8xf32>, tensor<3xf32>) -> tensor<2x?x3xf32>
  return %y : tensor<2x?x3xf32>
}

// CHECK-LABEL: func.func @linear_vector(
// CHECK: fx.linear %{{.*}}, %{{.*}} : (tensor<2x8xf32>, tensor<8xf32>) -> tensor<2xf32>
func.func @linear_vector(%x: tensor<2x8xf32>, %w: tensor<8xf32>) -> tensor<2xf32> {
  %y = fx.linear %x, %w : (tensor<2x8xf32>, tensor<8xf32>) -> tensor<2xf32>
  return %y : tensor<2xf32>
}

// CHECK-LABEL: func.func @bilinear(
// CHECK: fx.bilinear %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} : (tensor<2x4xf32>, tensor<2x5xf32>, tensor<3x4x5xf32>, tensor<3xf32>) -> tensor<2x3xf32>
func.func @bilinear(%x: tensor<2x4xf32>, %v: tensor<2x5xf32>, %w: tensor<3x4x5xf32>, %b: tensor<3xf32>) -> tensor<2x3xf32> {
  %y = fx.bilinear %x, %v, %w, %b : (tensor<2x4xf32>, tensor<2x5xf32>, tensor<3x4x5xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  return %y : tensor<2x3xf32>
}

// CHECK-LABEL: func.func @trilinear(
// CHECK: fx.trilinear %{{.*}}, %{{.*}}, %{{.*}} {expand1 = array<i64: 1, 3>, expand2 = array<i64: 0>, expand3 = array<i64: 1, 2>, sumdim = array<i64: 2, 3>} : (tensor<2x4xf32>, tensor<3x4x5xf32>, tensor<2x5xf32>) -> tensor<2x3xf32>
func.func @trilinear(%a: tensor<2x4xf32>, %b: tensor<3x4x5xf32>, %c: tensor<2x5xf32>) -> tensor<2x3xf32> {
  %y = fx.trilinear %a, %b, %c {expand1 = array<i64: 1, 3>, expand2 = array<i64: 0>, expand3 = array<i64: 1, 2>, sumdim = array<i64: 2, 3>} : (tensor<2x4xf32>, tensor<3x4x5xf32>, tensor<2x5xf32>) -> tensor<2x3xf32>
  return %y : tensor<2x3xf32>
}

// CHECK-LABEL: func.func @einsum(
// CHECK: fx.einsum "bij,jk->bik" %{{.*}}, %{{.*}} : (tensor<5x4x8xf32>, tensor<8x3xf32>) -> tensor<5x4x3xf32>
func.func @einsum(%a: tensor<5x4x8xf32>, %b: tensor<8x3xf32>) -> tensor<5x4x3xf32> {
  %y = fx.einsum "bij,jk->bik" %a, %b : (tensor<5x4x8xf32>, tensor<8x3xf32>) -> tensor<5x4x3xf32>
  return %y : tensor<5x4x3xf32>
}

// CHECK-LABEL: func.func @einsum_ellipsis(
// CHECK: fx.einsum "...ij,...jk" %{{.*}}, %{{.*}} : (tensor<5x1x4x8xf32>, tensor<2x8x?xf32>) -> tensor<5x2x4x?xf32>
func.func @einsum_ellipsis(%a: tensor<5x1x4x8xf32>, %b: tensor<2x8x?xf32>) -> tensor<5x2x4x?xf32> {
  %y = fx.einsum "...ij,...jk" %a, %b : (tensor<5x1x4x8xf32>, tensor<2x8x?xf32>) -> tensor<5x2x4x?xf32>
  return %y : tensor<5x2x4x?xf32>
}

// CHECK-LABEL: func.func @einsum_implicit(
// CHECK: fx.einsum "bA,cb" %{{.*}}, %{{.*}} {path = array<i64: 0, 1>} : (tensor<4x8xf32>, tensor<3x4xf32>) -> tensor<8x3xf32>
func.func @einsum_implicit(%a: tensor<4x8xf32>, %b: tensor<3x4xf32>) -> tensor<8x3xf32> {
  %y = fx.einsum "bA,cb" %a, %b {path = array<i64: 0, 1>} : (tensor<4x8xf32>, tensor<3x4xf32>) -> tensor<8x3xf32>
  return %y : tensor<8x3xf32>
}

// CHECK-LABEL: func.func @einsum_trace(
// CHECK: fx.einsum "ii->" %{{.*}} : (tensor<4x?xf32>) -> tensor<f32>
func.func @einsum_trace(%a: tensor<4x?xf32>) -> tensor<f32> {
  %y = fx.einsum "ii->" %a : (tensor<4x?xf32>) -> tensor<f32>
  return %y : tensor<f32>
}

// CHECK-LABEL: func.func @cdist(
// CHECK: fx.cdist %{{.*}}, %{{.*}} {p = 1.000000e+00 : f64} : (tensor<5x1x4x2xf32>, tensor<3x6x2xf32>) -> tensor<5x3x4x6xf32>
func.func @cdist(%a: tensor<5x1x4x2xf32>, %b: tensor<3x6x2xf32>) -> tensor<5x3x4x6xf32> {
  %y = fx.cdist %a, %b {p = 1.000000e+00 : f64} : (tensor<5x1x4x2xf32>, tensor<3x6x2xf32>) -> tensor<5x3x4x6xf32>
  return %y : tensor<5x3x4x6xf32>
}

// CHECK-LABEL: func.func @cdist_backward(
// CHECK: fx.cdist_backward %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} {p = 2.000000e+00 : f64} : (tensor<5x4x6xf32>, tensor<5x4x2xf32>, tensor<5x6x2xf32>, tensor<5x4x6xf32>) -> tensor<5x4x2xf32>
func.func @cdist_backward(%g: tensor<5x4x6xf32>, %a: tensor<5x4x2xf32>, %b: tensor<5x6x2xf32>, %d: tensor<5x4x6xf32>) -> tensor<5x4x2xf32> {
  %y = fx.cdist_backward %g, %a, %b, %d {p = 2.000000e+00 : f64} : (tensor<5x4x6xf32>, tensor<5x4x2xf32>, tensor<5x6x2xf32>, tensor<5x4x6xf32>) -> tensor<5x4x2xf32>
  return %y : tensor<5x4x2xf32>
}

// CHECK-LABEL: func.func @pdist(
// CHECK: fx.pdist %{{.*}} : (tensor<5x3xf32>) -> tensor<10xf32>
func.func @pdist(%x: tensor<5x3xf32>) -> tensor<10xf32> {
  %y = fx.pdist %x : (tensor<5x3xf32>) -> tensor<10xf32>
  return %y : tensor<10xf32>
}

// CHECK-LABEL: func.func @pdist_backward(
// CHECK: fx.pdist_backward %{{.*}}, %{{.*}}, %{{.*}} {p = 2.000000e+00 : f64} : (tensor<10xf32>, tensor<5x3xf32>, tensor<10xf32>) -> tensor<5x3xf32>
func.func @pdist_backward(%g: tensor<10xf32>, %x: tensor<5x3xf32>, %d: tensor<10xf32>) -> tensor<5x3xf32> {
  %y = fx.pdist_backward %g, %x, %d {p = 2.000000e+00 : f64} : (tensor<10xf32>, tensor<5x3xf32>, tensor<10xf32>) -> tensor<5x3xf32>
  return %y : tensor<5x3xf32>
}

// CHECK-LABEL: func.func @fft_r2c(
// CHECK: fx.fft_r2c %{{.*}} dim [0, 1] {onesided = true} : (tensor<4x8xf32>) -> tensor<4x5xcomplex<f32>>
func.func @fft_r2c(%x: tensor<4x8xf32>) -> tensor<4x5xcomplex<f32>> {
  %y = fx.fft_r2c %x dim [0, 1] {onesided = true} : (tensor<4x8xf32>) -> tensor<4x5xcomplex<f32>>
  return %y : tensor<4x5xcomplex<f32>>
}

// CHECK-LABEL: func.func @fft_c2c(
// CHECK: fx.fft_c2c %{{.*}} dim [1] {forward = false, normalization = 2 : i64} : (tensor<4x?xcomplex<f64>>) -> tensor<4x?xcomplex<f64>>
func.func @fft_c2c(%x: tensor<4x?xcomplex<f64>>) -> tensor<4x?xcomplex<f64>> {
  %y = fx.fft_c2c %x dim [1] {forward = false, normalization = 2 : i64} : (tensor<4x?xcomplex<f64>>) -> tensor<4x?xcomplex<f64>>
  return %y : tensor<4x?xcomplex<f64>>
}

// CHECK-LABEL: func.func @fft_c2r(
// CHECK: fx.fft_c2r %{{.*}} dim [1] last_dim_size [8] : (tensor<4x5xcomplex<f32>>) -> tensor<4x8xf32>
func.func @fft_c2r(%x: tensor<4x5xcomplex<f32>>) -> tensor<4x8xf32> {
  %y = fx.fft_c2r %x dim [1] last_dim_size [8] : (tensor<4x5xcomplex<f32>>) -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// CHECK-LABEL: func.func @fft_c2r_dynamic(
// CHECK: fx.fft_c2r %{{.*}} dim [0] last_dim_size [%{{.*}}] : (tensor<4x5xcomplex<f32>>, index) -> tensor<?x5xf32>
func.func @fft_c2r_dynamic(%x: tensor<4x5xcomplex<f32>>, %n: index) -> tensor<?x5xf32> {
  %y = fx.fft_c2r %x dim [0] last_dim_size [%n] : (tensor<4x5xcomplex<f32>>, index) -> tensor<?x5xf32>
  return %y : tensor<?x5xf32>
}

// CHECK-LABEL: func.func @gru(
// CHECK: fx.gru %{{.*}}, %{{.*}} params(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) {batch_first = true, bidirectional = false, dropout = 0.000000e+00 : f64, has_biases = true, num_layers = 1 : i64, train = false} : (tensor<3x6x48xf32>, tensor<1x3x64xf32>, tensor<192x48xf32>, tensor<192x64xf32>, tensor<192xf32>, tensor<192xf32>) -> (tensor<3x6x64xf32>, tensor<1x3x64xf32>)
func.func @gru(%x: tensor<3x6x48xf32>, %h: tensor<1x3x64xf32>, %a: tensor<192x48xf32>, %b: tensor<192x64xf32>, %c: tensor<192xf32>, %d: tensor<192xf32>) -> (tensor<3x6x64xf32>, tensor<1x3x64xf32>) {
  %y:2 = fx.gru %x, %h params(%a, %b, %c, %d) {batch_first = true, bidirectional = false, dropout = 0.000000e+00 : f64, has_biases = true, num_layers = 1 : i64, train = false} : (tensor<3x6x48xf32>, tensor<1x3x64xf32>, tensor<192x48xf32>, tensor<192x64xf32>, tensor<192xf32>, tensor<192xf32>) -> (tensor<3x6x64xf32>, tensor<1x3x64xf32>)
  return %y#0, %y#1 : tensor<3x6x64xf32>, tensor<1x3x64xf32>
}

// CHECK-LABEL: func.func @rnn_tanh(
// CHECK: fx.rnn_tanh %{{.*}}, %{{.*}} params(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) {batch_first = false, bidirectional = false, dropout = 0.000000e+00 : f64, has_biases = true, num_layers = 1 : i64, train = false} : (tensor<6x?x48xf32>, tensor<1x3x64xf32>, tensor<64x48xf32>, tensor<64x64xf32>, tensor<64xf32>, tensor<64xf32>) -> (tensor<6x3x64xf32>, tensor<1x3x64xf32>)
func.func @rnn_tanh(%x: tensor<6x?x48xf32>, %h: tensor<1x3x64xf32>, %a: tensor<64x48xf32>, %b: tensor<64x64xf32>, %c: tensor<64xf32>, %d: tensor<64xf32>) -> (tensor<6x3x64xf32>, tensor<1x3x64xf32>) {
  %y:2 = fx.rnn_tanh %x, %h params(%a, %b, %c, %d) {batch_first = false, bidirectional = false, dropout = 0.000000e+00 : f64, has_biases = true, num_layers = 1 : i64, train = false} : (tensor<6x?x48xf32>, tensor<1x3x64xf32>, tensor<64x48xf32>, tensor<64x64xf32>, tensor<64xf32>, tensor<64xf32>) -> (tensor<6x3x64xf32>, tensor<1x3x64xf32>)
  return %y#0, %y#1 : tensor<6x3x64xf32>, tensor<1x3x64xf32>
}

// CHECK-LABEL: func.func @rnn_relu(
// CHECK: fx.rnn_relu %{{.*}}, %{{.*}} params(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) {batch_first = false, bidirectional = false, dropout = 0.000000e+00 : f64, has_biases = true, num_layers = 1 : i64, train = false} : (tensor<6x3x48xf32>, tensor<1x3x?xf32>, tensor<?x48xf32>, tensor<?x?xf32>, tensor<?xf32>, tensor<?xf32>) -> (tensor<6x3x?xf32>, tensor<1x3x?xf32>)
func.func @rnn_relu(%x: tensor<6x3x48xf32>, %h: tensor<1x3x?xf32>, %a: tensor<?x48xf32>, %b: tensor<?x?xf32>, %c: tensor<?xf32>, %d: tensor<?xf32>) -> (tensor<6x3x?xf32>, tensor<1x3x?xf32>) {
  %y:2 = fx.rnn_relu %x, %h params(%a, %b, %c, %d) {batch_first = false, bidirectional = false, dropout = 0.000000e+00 : f64, has_biases = true, num_layers = 1 : i64, train = false} : (tensor<6x3x48xf32>, tensor<1x3x?xf32>, tensor<?x48xf32>, tensor<?x?xf32>, tensor<?xf32>, tensor<?xf32>) -> (tensor<6x3x?xf32>, tensor<1x3x?xf32>)
  return %y#0, %y#1 : tensor<6x3x?xf32>, tensor<1x3x?xf32>
}

// CHECK-LABEL: func.func @lstm(
// CHECK: fx.lstm %{{.*}} hx(%{{.*}}, %{{.*}}) params(%{{.*}}, %{{.*}}) {batch_first = false, bidirectional = false, dropout = 0.000000e+00 : f64, has_biases = false, num_layers = 1 : i64, train = false} : (tensor<5x2x3xf32>, tensor<1x2x4xf32>, tensor<1x2x4xf32>, tensor<16x3xf32>, tensor<16x4xf32>) -> (tensor<5x2x4xf32>, tensor<1x2x4xf32>, tensor<1x2x4xf32>)
func.func @lstm(%x: tensor<5x2x3xf32>, %h: tensor<1x2x4xf32>, %c: tensor<1x2x4xf32>, %a: tensor<16x3xf32>, %b: tensor<16x4xf32>) -> (tensor<5x2x4xf32>, tensor<1x2x4xf32>, tensor<1x2x4xf32>) {
  %y:3 = fx.lstm %x hx(%h, %c) params(%a, %b) {batch_first = false, bidirectional = false, dropout = 0.000000e+00 : f64, has_biases = false, num_layers = 1 : i64, train = false} : (tensor<5x2x3xf32>, tensor<1x2x4xf32>, tensor<1x2x4xf32>, tensor<16x3xf32>, tensor<16x4xf32>) -> (tensor<5x2x4xf32>, tensor<1x2x4xf32>, tensor<1x2x4xf32>)
  return %y#0, %y#1, %y#2 : tensor<5x2x4xf32>, tensor<1x2x4xf32>, tensor<1x2x4xf32>
}

// CHECK-LABEL: func.func @lstm_projection(
// CHECK: fx.lstm %{{.*}} hx(%{{.*}}, %{{.*}}) params(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) {batch_first = false, bidirectional = true, dropout = 5.000000e-01 : f64, has_biases = false, num_layers = 1 : i64, train = true} : (tensor<5x2x3xf32>, tensor<2x2x4xf32>, tensor<2x2x6xf32>, tensor<24x3xf32>, tensor<24x4xf32>, tensor<4x6xf32>, tensor<24x3xf32>, tensor<24x4xf32>, tensor<4x6xf32>) -> (tensor<5x2x8xf32>, tensor<2x2x4xf32>, tensor<2x2x6xf32>)
func.func @lstm_projection(%x: tensor<5x2x3xf32>, %h: tensor<2x2x4xf32>, %c: tensor<2x2x6xf32>, %a: tensor<24x3xf32>, %b: tensor<24x4xf32>, %p: tensor<4x6xf32>, %d: tensor<24x3xf32>, %e: tensor<24x4xf32>, %q: tensor<4x6xf32>) -> (tensor<5x2x8xf32>, tensor<2x2x4xf32>, tensor<2x2x6xf32>) {
  %y:3 = fx.lstm %x hx(%h, %c) params(%a, %b, %p, %d, %e, %q) {batch_first = false, bidirectional = true, dropout = 5.000000e-01 : f64, has_biases = false, num_layers = 1 : i64, train = true} : (tensor<5x2x3xf32>, tensor<2x2x4xf32>, tensor<2x2x6xf32>, tensor<24x3xf32>, tensor<24x4xf32>, tensor<4x6xf32>, tensor<24x3xf32>, tensor<24x4xf32>, tensor<4x6xf32>) -> (tensor<5x2x8xf32>, tensor<2x2x4xf32>, tensor<2x2x6xf32>)
  return %y#0, %y#1, %y#2 : tensor<5x2x8xf32>, tensor<2x2x4xf32>, tensor<2x2x6xf32>
}

// CHECK-LABEL: func.func @linalg_svd(
// CHECK: fx.linalg_svd %{{.*}} {full_matrices = false} : (tensor<5x4x3xf32>) -> (tensor<5x4x3xf32>, tensor<5x3xf32>, tensor<5x3x3xf32>)
func.func @linalg_svd(%A: tensor<5x4x3xf32>) -> (tensor<5x4x3xf32>, tensor<5x3xf32>, tensor<5x3x3xf32>) {
  %y:3 = fx.linalg_svd %A {full_matrices = false} : (tensor<5x4x3xf32>) -> (tensor<5x4x3xf32>, tensor<5x3xf32>, tensor<5x3x3xf32>)
  return %y#0, %y#1, %y#2 : tensor<5x4x3xf32>, tensor<5x3xf32>, tensor<5x3x3xf32>
}

// CHECK-LABEL: func.func @linalg_svd_full(
// CHECK: fx.linalg_svd %{{.*}} : (tensor<4x3xcomplex<f32>>) -> (tensor<4x4xcomplex<f32>>, tensor<3xf32>, tensor<3x3xcomplex<f32>>)
func.func @linalg_svd_full(%A: tensor<4x3xcomplex<f32>>) -> (tensor<4x4xcomplex<f32>>, tensor<3xf32>, tensor<3x3xcomplex<f32>>) {
  %y:3 = fx.linalg_svd %A : (tensor<4x3xcomplex<f32>>) -> (tensor<4x4xcomplex<f32>>, tensor<3xf32>, tensor<3x3xcomplex<f32>>)
  return %y#0, %y#1, %y#2 : tensor<4x4xcomplex<f32>>, tensor<3xf32>, tensor<3x3xcomplex<f32>>
}

// CHECK-LABEL: func.func @linalg_svd_values(
// CHECK: fx.linalg_svd %{{.*}} {compute_uv = false, driver = "gesvd"} : (tensor<4x?xf32>) -> (tensor<0xf32>, tensor<?xf32>, tensor<0xf32>)
func.func @linalg_svd_values(%A: tensor<4x?xf32>) -> (tensor<0xf32>, tensor<?xf32>, tensor<0xf32>) {
  %y:3 = fx.linalg_svd %A {compute_uv = false, driver = "gesvd"} : (tensor<4x?xf32>) -> (tensor<0xf32>, tensor<?xf32>, tensor<0xf32>)
  return %y#0, %y#1, %y#2 : tensor<0xf32>, tensor<?xf32>, tensor<0xf32>
}

// CHECK-LABEL: func.func @linalg_qr(
// CHECK: fx.linalg_qr %{{.*}} : (tensor<4x3xf32>) -> (tensor<4x3xf32>, tensor<3x3xf32>)
func.func @linalg_qr(%A: tensor<4x3xf32>) -> (tensor<4x3xf32>, tensor<3x3xf32>) {
  %y:2 = fx.linalg_qr %A : (tensor<4x3xf32>) -> (tensor<4x3xf32>, tensor<3x3xf32>)
  return %y#0, %y#1 : tensor<4x3xf32>, tensor<3x3xf32>
}

// CHECK-LABEL: func.func @linalg_qr_complete(
// CHECK: fx.linalg_qr %{{.*}} {mode = "complete"} : (tensor<4x3xf32>) -> (tensor<4x4xf32>, tensor<4x3xf32>)
func.func @linalg_qr_complete(%A: tensor<4x3xf32>) -> (tensor<4x4xf32>, tensor<4x3xf32>) {
  %y:2 = fx.linalg_qr %A {mode = "complete"} : (tensor<4x3xf32>) -> (tensor<4x4xf32>, tensor<4x3xf32>)
  return %y#0, %y#1 : tensor<4x4xf32>, tensor<4x3xf32>
}

// CHECK-LABEL: func.func @cholesky(
// CHECK: fx.cholesky %{{.*}} {upper = true} : (tensor<5x4x4xf64>) -> tensor<5x4x4xf64>
func.func @cholesky(%A: tensor<5x4x4xf64>) -> tensor<5x4x4xf64> {
  %y = fx.cholesky %A {upper = true} : (tensor<5x4x4xf64>) -> tensor<5x4x4xf64>
  return %y : tensor<5x4x4xf64>
}

// CHECK-LABEL: func.func @linalg_cholesky_ex(
// CHECK: fx.linalg_cholesky_ex %{{.*}} : (tensor<5x4x4xf32>) -> (tensor<5x4x4xf32>, tensor<5xi32>)
func.func @linalg_cholesky_ex(%A: tensor<5x4x4xf32>) -> (tensor<5x4x4xf32>, tensor<5xi32>) {
  %y:2 = fx.linalg_cholesky_ex %A : (tensor<5x4x4xf32>) -> (tensor<5x4x4xf32>, tensor<5xi32>)
  return %y#0, %y#1 : tensor<5x4x4xf32>, tensor<5xi32>
}

// CHECK-LABEL: func.func @linalg_inv(
// CHECK: fx.linalg_inv %{{.*}} : (tensor<?x4x4xf32>) -> tensor<?x4x4xf32>
func.func @linalg_inv(%A: tensor<?x4x4xf32>) -> tensor<?x4x4xf32> {
  %y = fx.linalg_inv %A : (tensor<?x4x4xf32>) -> tensor<?x4x4xf32>
  return %y : tensor<?x4x4xf32>
}

// CHECK-LABEL: func.func @linalg_inv_ex(
// CHECK: fx.linalg_inv_ex %{{.*}} {check_errors = true} : (tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<i32>)
func.func @linalg_inv_ex(%A: tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<i32>) {
  %y:2 = fx.linalg_inv_ex %A {check_errors = true} : (tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<i32>)
  return %y#0, %y#1 : tensor<4x4xf32>, tensor<i32>
}

// CHECK-LABEL: func.func @linalg_lu_factor(
// CHECK: fx.linalg_lu_factor %{{.*}} : (tensor<5x4x3xf32>) -> (tensor<5x4x3xf32>, tensor<5x3xi32>)
func.func @linalg_lu_factor(%A: tensor<5x4x3xf32>) -> (tensor<5x4x3xf32>, tensor<5x3xi32>) {
  %y:2 = fx.linalg_lu_factor %A : (tensor<5x4x3xf32>) -> (tensor<5x4x3xf32>, tensor<5x3xi32>)
  return %y#0, %y#1 : tensor<5x4x3xf32>, tensor<5x3xi32>
}

// CHECK-LABEL: func.func @linalg_lu_factor_ex(
// CHECK: fx.linalg_lu_factor_ex %{{.*}} {pivot = false} : (tensor<5x4x3xf32>) -> (tensor<5x4x3xf32>, tensor<5x3xi32>, tensor<5xi32>)
func.func @linalg_lu_factor_ex(%A: tensor<5x4x3xf32>) -> (tensor<5x4x3xf32>, tensor<5x3xi32>, tensor<5xi32>) {
  %y:3 = fx.linalg_lu_factor_ex %A {pivot = false} : (tensor<5x4x3xf32>) -> (tensor<5x4x3xf32>, tensor<5x3xi32>, tensor<5xi32>)
  return %y#0, %y#1, %y#2 : tensor<5x4x3xf32>, tensor<5x3xi32>, tensor<5xi32>
}

// CHECK-LABEL: func.func @linalg_eigh(
// CHECK: fx.linalg_eigh %{{.*}} {UPLO = "U"} : (tensor<5x4x4xcomplex<f64>>) -> (tensor<5x4xf64>, tensor<5x4x4xcomplex<f64>>)
func.func @linalg_eigh(%A: tensor<5x4x4xcomplex<f64>>) -> (tensor<5x4xf64>, tensor<5x4x4xcomplex<f64>>) {
  %y:2 = fx.linalg_eigh %A {UPLO = "U"} : (tensor<5x4x4xcomplex<f64>>) -> (tensor<5x4xf64>, tensor<5x4x4xcomplex<f64>>)
  return %y#0, %y#1 : tensor<5x4xf64>, tensor<5x4x4xcomplex<f64>>
}

// CHECK-LABEL: func.func @linalg_eigvalsh(
// CHECK: fx.linalg_eigvalsh %{{.*}} : (tensor<4x4xf32>) -> tensor<4xf32>
func.func @linalg_eigvalsh(%A: tensor<4x4xf32>) -> tensor<4xf32> {
  %y = fx.linalg_eigvalsh %A : (tensor<4x4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// CHECK-LABEL: func.func @det(
// CHECK: fx.det %{{.*}} : (tensor<5x4x4xf32>) -> tensor<5xf32>
func.func @det(%A: tensor<5x4x4xf32>) -> tensor<5xf32> {
  %y = fx.det %A : (tensor<5x4x4xf32>) -> tensor<5xf32>
  return %y : tensor<5xf32>
}

// CHECK-LABEL: func.func @linalg_det(
// CHECK: fx.linalg_det %{{.*}} : (tensor<5x4x4xf32>) -> (tensor<5xf32>, tensor<5x4x4xf32>, tensor<5x4xi32>)
func.func @linalg_det(%A: tensor<5x4x4xf32>) -> (tensor<5xf32>, tensor<5x4x4xf32>, tensor<5x4xi32>) {
  %y:3 = fx.linalg_det %A : (tensor<5x4x4xf32>) -> (tensor<5xf32>, tensor<5x4x4xf32>, tensor<5x4xi32>)
  return %y#0, %y#1, %y#2 : tensor<5xf32>, tensor<5x4x4xf32>, tensor<5x4xi32>
}

// CHECK-LABEL: func.func @logdet(
// CHECK: fx.logdet %{{.*}} : (tensor<4x4xf32>) -> tensor<f32>
func.func @logdet(%A: tensor<4x4xf32>) -> tensor<f32> {
  %y = fx.logdet %A : (tensor<4x4xf32>) -> tensor<f32>
  return %y : tensor<f32>
}

// CHECK-LABEL: func.func @slogdet(
// CHECK: fx.slogdet %{{.*}} : (tensor<4x4xcomplex<f32>>) -> (tensor<complex<f32>>, tensor<f32>)
func.func @slogdet(%A: tensor<4x4xcomplex<f32>>) -> (tensor<complex<f32>>, tensor<f32>) {
  %y:2 = fx.slogdet %A : (tensor<4x4xcomplex<f32>>) -> (tensor<complex<f32>>, tensor<f32>)
  return %y#0, %y#1 : tensor<complex<f32>>, tensor<f32>
}

// CHECK-LABEL: func.func @linalg_slogdet(
// CHECK: fx.linalg_slogdet %{{.*}} : (tensor<4x?xf32>) -> (tensor<f32>, tensor<f32>, tensor<4x?xf32>, tensor<?xi32>)
func.func @linalg_slogdet(%A: tensor<4x?xf32>) -> (tensor<f32>, tensor<f32>, tensor<4x?xf32>, tensor<?xi32>) {
  %y:4 = fx.linalg_slogdet %A : (tensor<4x?xf32>) -> (tensor<f32>, tensor<f32>, tensor<4x?xf32>, tensor<?xi32>)
  return %y#0, %y#1, %y#2, %y#3 : tensor<f32>, tensor<f32>, tensor<4x?xf32>, tensor<?xi32>
}

// CHECK-LABEL: func.func @linalg_solve(
// CHECK: fx.linalg_solve %{{.*}}, %{{.*}} : (tensor<5x1x4x4xf32>, tensor<2x4x3xf32>) -> tensor<5x2x4x3xf32>
func.func @linalg_solve(%A: tensor<5x1x4x4xf32>, %B: tensor<2x4x3xf32>) -> tensor<5x2x4x3xf32> {
  %y = fx.linalg_solve %A, %B : (tensor<5x1x4x4xf32>, tensor<2x4x3xf32>) -> tensor<5x2x4x3xf32>
  return %y : tensor<5x2x4x3xf32>
}

// CHECK-LABEL: func.func @linalg_solve_vector(
// CHECK: fx.linalg_solve %{{.*}}, %{{.*}} : (tensor<5x4x4xf32>, tensor<5x4xf32>) -> tensor<5x4xf32>
func.func @linalg_solve_vector(%A: tensor<5x4x4xf32>, %B: tensor<5x4xf32>) -> tensor<5x4xf32> {
  %y = fx.linalg_solve %A, %B : (tensor<5x4x4xf32>, tensor<5x4xf32>) -> tensor<5x4xf32>
  return %y : tensor<5x4xf32>
}

// CHECK-LABEL: func.func @linalg_solve_ex(
// CHECK: fx.linalg_solve_ex %{{.*}}, %{{.*}} {left = false} : (tensor<5x4x4xf32>, tensor<5x3x4xf32>) -> (tensor<5x3x4xf32>, tensor<5x4x4xf32>, tensor<5x4xi32>, tensor<5xi32>)
func.func @linalg_solve_ex(%A: tensor<5x4x4xf32>, %B: tensor<5x3x4xf32>) -> (tensor<5x3x4xf32>, tensor<5x4x4xf32>, tensor<5x4xi32>, tensor<5xi32>) {
  %y:4 = fx.linalg_solve_ex %A, %B {left = false} : (tensor<5x4x4xf32>, tensor<5x3x4xf32>) -> (tensor<5x3x4xf32>, tensor<5x4x4xf32>, tensor<5x4xi32>, tensor<5xi32>)
  return %y#0, %y#1, %y#2, %y#3 : tensor<5x3x4xf32>, tensor<5x4x4xf32>, tensor<5x4xi32>, tensor<5xi32>
}

// CHECK-LABEL: func.func @linalg_solve_triangular(
// CHECK: fx.linalg_solve_triangular %{{.*}}, %{{.*}} {unitriangular = true, upper = false} : (tensor<5x4x4xf32>, tensor<4x3xf32>) -> tensor<5x4x3xf32>
func.func @linalg_solve_triangular(%A: tensor<5x4x4xf32>, %B: tensor<4x3xf32>) -> tensor<5x4x3xf32> {
  %y = fx.linalg_solve_triangular %A, %B {unitriangular = true, upper = false} : (tensor<5x4x4xf32>, tensor<4x3xf32>) -> tensor<5x4x3xf32>
  return %y : tensor<5x4x3xf32>
}

// CHECK-LABEL: func.func @triangular_solve(
// CHECK: fx.triangular_solve %{{.*}}, %{{.*}} {transpose = true} : (tensor<4x3xf32>, tensor<5x4x4xf32>) -> (tensor<5x4x3xf32>, tensor<5x4x4xf32>)
func.func @triangular_solve(%B: tensor<4x3xf32>, %A: tensor<5x4x4xf32>) -> (tensor<5x4x3xf32>, tensor<5x4x4xf32>) {
  %y:2 = fx.triangular_solve %B, %A {transpose = true} : (tensor<4x3xf32>, tensor<5x4x4xf32>) -> (tensor<5x4x3xf32>, tensor<5x4x4xf32>)
  return %y#0, %y#1 : tensor<5x4x3xf32>, tensor<5x4x4xf32>
}

// CHECK-LABEL: func.func @cholesky_solve(
// CHECK: fx.cholesky_solve %{{.*}}, %{{.*}} : (tensor<5x4x3xf32>, tensor<4x4xf32>) -> tensor<5x4x3xf32>
func.func @cholesky_solve(%B: tensor<5x4x3xf32>, %A: tensor<4x4xf32>) -> tensor<5x4x3xf32> {
  %y = fx.cholesky_solve %B, %A : (tensor<5x4x3xf32>, tensor<4x4xf32>) -> tensor<5x4x3xf32>
  return %y : tensor<5x4x3xf32>
}

// CHECK-LABEL: func.func @cholesky_inverse(
// CHECK: fx.cholesky_inverse %{{.*}} : (tensor<4x4xf32>) -> tensor<4x4xf32>
func.func @cholesky_inverse(%A: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %y = fx.cholesky_inverse %A : (tensor<4x4xf32>) -> tensor<4x4xf32>
  return %y : tensor<4x4xf32>
}
