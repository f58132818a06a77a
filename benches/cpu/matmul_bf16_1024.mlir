// Matrix product 1024x1024x1024, bf16
// torch: lambda x, w: x @ w
// target: ratio 1.5
func.func @main(
    %x: tensor<1024x1024xbf16>,
    %w: tensor<1024x1024xbf16>
) -> tensor<1024x1024xbf16> {
  %y = fx.mm %x, %w : (tensor<1024x1024xbf16>, tensor<1024x1024xbf16>) -> tensor<1024x1024xbf16>
  return %y : tensor<1024x1024xbf16>
}
