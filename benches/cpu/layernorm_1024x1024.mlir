// Layer norm of 1024 rows of 1024
// torch: lambda w, b, x: F.layer_norm(x, (1024,), w, b)
// target: ratio 1.2
func.func @main(
    %w: tensor<1024xf32> {fx.kind = "parameter", fx.target = "weight"},
    %b: tensor<1024xf32> {fx.kind = "parameter", fx.target = "bias"},
    %x: tensor<1024x1024xf32>
) -> tensor<1024x1024xf32> {
  %y = fx.layer_norm %x normalized_shape [1024] weight %w bias %b {eps = 1.0e-5 : f64} : (tensor<1024x1024xf32>, tensor<1024xf32>, tensor<1024xf32>) -> tensor<1024x1024xf32>
  return %y : tensor<1024x1024xf32>
}
