// Residual sum and its RMS norm, 16384 rows of 8192
// torch: lambda w, x, r: (lambda h: ((h.float() * torch.rsqrt(h.float().pow(2).mean(-1, keepdim=True) + 1e-6)).to(h.dtype) * w, h))(x + r)
// target: copy 0.95
func.func @main(
    %w: tensor<8192xbf16> {fx.kind = "parameter", fx.target = "weight"},
    %x: tensor<16384x8192xbf16>,
    %r: tensor<16384x8192xbf16>
) -> (tensor<16384x8192xbf16>, tensor<16384x8192xbf16>) {
  %two = arith.constant 2 : i64
  %eps = arith.constant 1.0e-6 : f64
  %h = fx.add %x, %r : (tensor<16384x8192xbf16>, tensor<16384x8192xbf16>) -> tensor<16384x8192xbf16>
  %v = fx.to_copy %h as f32 : (tensor<16384x8192xbf16>) -> tensor<16384x8192xf32>
  %square = fx.pow %v, %two : (tensor<16384x8192xf32>, i64) -> tensor<16384x8192xf32>
  %mean = fx.mean %square dim [1] {keepdim = true} : (tensor<16384x8192xf32>) -> tensor<16384x1xf32>
  %sum = fx.add %mean, %eps : (tensor<16384x1xf32>, f64) -> tensor<16384x1xf32>
  %scale = fx.rsqrt %sum : (tensor<16384x1xf32>) -> tensor<16384x1xf32>
  %scaled = fx.mul %v, %scale : (tensor<16384x8192xf32>, tensor<16384x1xf32>) -> tensor<16384x8192xf32>
  %rounded = fx.to_copy %scaled as bf16 : (tensor<16384x8192xf32>) -> tensor<16384x8192xbf16>
  %y = fx.mul %rounded, %w : (tensor<16384x8192xbf16>, tensor<8192xbf16>) -> tensor<16384x8192xbf16>
  return %y, %h : tensor<16384x8192xbf16>, tensor<16384x8192xbf16>
}
