// A value that its reader computes again has a remark at the op that makes it, with the bytes that this takes and those that it
// saves. What is read for that has the reasons that keep the reader apart.
// RUN: fx-opt %s -verify-diagnostics -o /dev/null --pass-pipeline='builtin.module(func.func(fx-decompose,convert-fx-to-linalg,canonicalize,cse),fx-form-kernels{recompute=true remarks=true})'

// The product needs a number of all rows, so it is in another kernel: it reads halves, and a number a row, instead of floats.
func.func @widened(%x: tensor<64x1024xbf16>) -> tensor<64xf32> {
  %wide = fx.to_copy %x as f32 : (tensor<64x1024xbf16>) -> tensor<64x1024xf32>
  // expected-remark @below {{'kernel_0' stores 'tensor<64xf32>' for 'kernel_1': its reader works on another iteration space}}
  // expected-remark @below {{'kernel_0' stores 'tensor<64xf32>' for 'kernel_2': one kernel would wait for another one that waits for it}}
  %sum = fx.sum %wide dim [1] {keepdim = true} : (tensor<64x1024xf32>) -> tensor<64x1xf32>
  // expected-note @below {{the reader}}
  // expected-remark @below {{'kernel_1' stores 'tensor<f32>' for 'kernel_2': its reader works on another iteration space}}
  %all = fx.sum %sum dim [0, 1] : (tensor<64x1xf32>) -> tensor<f32>
  // expected-note @below {{the reader}}
  // expected-remark @below {{'kernel_2' computes 'tensor<64x1024xf32>' again: 131328 further bytes are read for that, storing and reading it would take 524288}}
  %scaled = fx.div %wide, %sum : (tensor<64x1024xf32>, tensor<64x1xf32>) -> tensor<64x1024xf32>
  // expected-note @below {{the reader}}
  %total = fx.mul %scaled, %all : (tensor<64x1024xf32>, tensor<f32>) -> tensor<64x1024xf32>
  %second = fx.sum %total dim [1] : (tensor<64x1024xf32>) -> tensor<64xf32>
  return %second : tensor<64xf32>
}
