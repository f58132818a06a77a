// Softmax of 131072 rows of 4002
// torch: lambda x: torch.softmax(x, 1)
// target: copy 0.93
func.func @main(
    %x: tensor<131072x4002xbf16>
) -> tensor<131072x4002xbf16> {
  %y = fx.softmax %x dim 1 : (tensor<131072x4002xbf16>) -> tensor<131072x4002xbf16>
  return %y : tensor<131072x4002xbf16>
}
