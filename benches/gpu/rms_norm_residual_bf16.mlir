// Residual sum and its RMS norm, 16384 rows of 8192
// torch: lambda w, x, r: (x + r, F.rms_norm(x + r, (8192,), w, 1e-6))
// target: copy 0.95
func.func @main(
    %w: tensor<8192xbf16> {fx.kind = "parameter", fx.target = "weight"},
    %x: tensor<16384x8192xbf16>,
    %r: tensor<16384x8192xbf16>
) -> (tensor<16384x8192xbf16>, tensor<16384x8192xbf16>) {
  %y = fx.add %x, %r : (tensor<16384x8192xbf16>, tensor<16384x8192xbf16>) -> tensor<16384x8192xbf16>
  %z = fx.rms_norm %y normalized_shape [8192] weight %w {eps = 1.0e-6 : f64} : (tensor<16384x8192xbf16>, tensor<8192xbf16>) -> tensor<16384x8192xbf16>
  return %y, %z : tensor<16384x8192xbf16>, tensor<16384x8192xbf16>
}
