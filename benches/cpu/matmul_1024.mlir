// Matrix product 1024x1024x1024, f32
// torch: lambda x, w: x @ w
// target: ratio 0.95
func.func @main(
    %x: tensor<1024x1024xf32>,
    %w: tensor<1024x1024xf32>
) -> tensor<1024x1024xf32> {
  %y = fx.mm %x, %w : (tensor<1024x1024xf32>, tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
  return %y : tensor<1024x1024xf32>
}
