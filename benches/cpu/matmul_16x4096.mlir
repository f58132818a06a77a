// Matrix product 16x4096x4096, f32
// torch: lambda x, w: x @ w
// target: ratio 1.2
func.func @main(
    %x: tensor<16x4096xf32>,
    %w: tensor<4096x4096xf32>
) -> tensor<16x4096xf32> {
  %y = fx.mm %x, %w : (tensor<16x4096xf32>, tensor<4096x4096xf32>) -> tensor<16x4096xf32>
  return %y : tensor<16x4096xf32>
}
