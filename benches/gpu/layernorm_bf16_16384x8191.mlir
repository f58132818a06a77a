// Layer norm of 16384 rows of 8191
// torch: lambda w, b, x: F.layer_norm(x, (8191,), w, b)
// target: like layernorm_bf16_16384x8192 0.95
func.func @main(
    %w: tensor<8191xbf16> {fx.kind = "parameter", fx.target = "weight"},
    %b: tensor<8191xbf16> {fx.kind = "parameter", fx.target = "bias"},
    %x: tensor<16384x8191xbf16>
) -> tensor<16384x8191xbf16> {
  %y = fx.layer_norm %x normalized_shape [8191] weight %w bias %b {eps = 1.0e-5 : f64} : (tensor<16384x8191xbf16>, tensor<8191xbf16>, tensor<8191xbf16>) -> tensor<16384x8191xbf16>
  return %y : tensor<16384x8191xbf16>
}
