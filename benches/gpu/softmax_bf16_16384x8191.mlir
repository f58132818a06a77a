// Softmax of 16384 rows of 8191
// torch: lambda x: torch.softmax(x, 1)
// target: like softmax_bf16_16384x8192 0.95
func.func @main(
    %x: tensor<16384x8191xbf16>
) -> tensor<16384x8191xbf16> {
  %y = fx.softmax %x dim 1 : (tensor<16384x8191xbf16>) -> tensor<16384x8191xbf16>
  return %y : tensor<16384x8191xbf16>
}
