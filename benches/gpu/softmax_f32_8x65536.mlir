// Softmax of 8 rows of 65536
// torch: lambda x: torch.softmax(x, 1)
// target: us 6
func.func @main(
    %x: tensor<8x65536xf32>
) -> tensor<8x65536xf32> {
  %y = fx.softmax %x dim 1 : (tensor<8x65536xf32>) -> tensor<8x65536xf32>
  return %y : tensor<8x65536xf32>
}
