// Matrix product 1001x1001x1001, f32
// torch: lambda x, w: x @ w
// target: ratio 0.95
func.func @main(
    %x: tensor<1001x1001xf32>,
    %w: tensor<1001x1001xf32>
) -> tensor<1001x1001xf32> {
  %y = fx.mm %x, %w : (tensor<1001x1001xf32>, tensor<1001x1001xf32>) -> tensor<1001x1001xf32>
  return %y : tensor<1001x1001xf32>
}
