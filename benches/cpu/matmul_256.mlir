// Matrix product 256x256x256, f32
// torch: lambda x, w: x @ w
// target: ratio 1.0
func.func @main(
    %x: tensor<256x256xf32>,
    %w: tensor<256x256xf32>
) -> tensor<256x256xf32> {
  %y = fx.mm %x, %w : (tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<256x256xf32>
  return %y : tensor<256x256xf32>
}
