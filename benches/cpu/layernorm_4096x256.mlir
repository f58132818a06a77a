// Layer norm of 4096 rows of 256
// torch: lambda w, b, x: F.layer_norm(x, (256,), w, b)
// target: ratio 1.2
func.func @main(
    %w: tensor<256xf32> {fx.kind = "parameter", fx.target = "weight"},
    %b: tensor<256xf32> {fx.kind = "parameter", fx.target = "bias"},
    %x: tensor<4096x256xf32>
) -> tensor<4096x256xf32> {
  %y = fx.layer_norm %x normalized_shape [256] weight %w bias %b {eps = 1.0e-5 : f64} : (tensor<4096x256xf32>, tensor<256xf32>, tensor<256xf32>) -> tensor<4096x256xf32>
  return %y : tensor<4096x256xf32>
}
