// Layer norm of 131072 rows of 1024
// torch: lambda w, b, x: F.layer_norm(x, (1024,), w, b)
// target: copy 0.95
func.func @main(
    %w: tensor<1024xbf16> {fx.kind = "parameter", fx.target = "weight"},
    %b: tensor<1024xbf16> {fx.kind = "parameter", fx.target = "bias"},
    %x: tensor<131072x1024xbf16>
) -> tensor<131072x1024xbf16> {
  %y = fx.layer_norm %x normalized_shape [1024] weight %w bias %b {eps = 1.0e-5 : f64} : (tensor<131072x1024xbf16>, tensor<1024xbf16>, tensor<1024xbf16>) -> tensor<131072x1024xbf16>
  return %y : tensor<131072x1024xbf16>
}
