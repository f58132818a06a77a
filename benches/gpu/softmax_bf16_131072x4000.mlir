// Softmax of 131072 rows of 4000
// torch: lambda x: torch.softmax(x, 1)
// target: copy 0.95
func.func @main(
    %x: tensor<131072x4000xbf16>
) -> tensor<131072x4000xbf16> {
  %y = fx.softmax %x dim 1 : (tensor<131072x4000xbf16>) -> tensor<131072x4000xbf16>
  return %y : tensor<131072x4000xbf16>
}
