// Softmax of 16 rows of 1024
// torch: lambda x: torch.softmax(x, 1)
// target: ratio 1.2
func.func @main(
    %x: tensor<16x1024xf32>
) -> tensor<16x1024xf32> {
  %y = fx.softmax %x dim 1 : (tensor<16x1024xf32>) -> tensor<16x1024xf32>
  return %y : tensor<16x1024xf32>
}
