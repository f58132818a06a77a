// Softmax of 16384 rows of 4000
// torch: lambda x: torch.softmax(x, 1)
// target: copy 0.95
func.func @main(
    %x: tensor<16384x4000xbf16>
) -> tensor<16384x4000xbf16> {
  %y = fx.softmax %x dim 1 : (tensor<16384x4000xbf16>) -> tensor<16384x4000xbf16>
  return %y : tensor<16384x4000xbf16>
}
