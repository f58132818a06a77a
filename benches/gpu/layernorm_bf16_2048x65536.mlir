// Layer norm of 2048 rows of 65536
// torch: lambda w, b, x: F.layer_norm(x, (65536,), w, b)
// target: copy 0.88
func.func @main(
    %w: tensor<65536xbf16> {fx.kind = "parameter", fx.target = "weight"},
    %b: tensor<65536xbf16> {fx.kind = "parameter", fx.target = "bias"},
    %x: tensor<2048x65536xbf16>
) -> tensor<2048x65536xbf16> {
  %y = fx.layer_norm %x normalized_shape [65536] weight %w bias %b {eps = 1.0e-5 : f64} : (tensor<2048x65536xbf16>, tensor<65536xbf16>, tensor<65536xbf16>) -> tensor<2048x65536xbf16>
  return %y : tensor<2048x65536xbf16>
}
