// Layer norm of 16384 rows of 8192
// torch: lambda w, b, x: F.layer_norm(x, (8192,), w, b)
// bench: --grad
// target: ratio 1.2
func.func @main(
    %w: tensor<8192xbf16> {fx.kind = "parameter", fx.target = "weight"},
    %b: tensor<8192xbf16> {fx.kind = "parameter", fx.target = "bias"},
    %x: tensor<16384x8192xbf16>
) -> tensor<16384x8192xbf16> {
  %y = fx.layer_norm %x normalized_shape [8192] weight %w bias %b {eps = 1.0e-5 : f64} : (tensor<16384x8192xbf16>, tensor<8192xbf16>, tensor<8192xbf16>) -> tensor<16384x8192xbf16>
  return %y : tensor<16384x8192xbf16>
}
