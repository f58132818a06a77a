// Softmax of 1024 rows of 262144
// torch: lambda x: torch.softmax(x, 1)
// target: copy 0.85
func.func @main(
    %x: tensor<1024x262144xf32>
) -> tensor<1024x262144xf32> {
  %y = fx.softmax %x dim 1 : (tensor<1024x262144xf32>) -> tensor<1024x262144xf32>
  return %y : tensor<1024x262144xf32>
}
