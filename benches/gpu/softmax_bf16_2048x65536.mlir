// Softmax of 2048 rows of 65536
// torch: lambda x: torch.softmax(x, 1)
// target: copy 0.88
func.func @main(
    %x: tensor<2048x65536xbf16>
) -> tensor<2048x65536xbf16> {
  %y = fx.softmax %x dim 1 : (tensor<2048x65536xbf16>) -> tensor<2048x65536xbf16>
  return %y : tensor<2048x65536xbf16>
}
