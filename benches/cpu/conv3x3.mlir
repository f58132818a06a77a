// 3x3 convolution, 64 to 64 channels, 56x56
// torch: lambda w, b, x: F.conv2d(x, w, b, padding=1, groups=1)
// target: ratio 1.0
func.func @main(
    %w: tensor<64x64x3x3xf32> {fx.kind = "parameter", fx.target = "weight"},
    %b: tensor<64xf32> {fx.kind = "parameter", fx.target = "bias"},
    %x: tensor<1x64x56x56xf32>
) -> tensor<1x64x56x56xf32> {
  %y = fx.conv2d %x, %w bias %b stride [1, 1] padding [1, 1] dilation [1, 1] groups [1] : (tensor<1x64x56x56xf32>, tensor<64x64x3x3xf32>, tensor<64xf32>) -> tensor<1x64x56x56xf32>
  return %y : tensor<1x64x56x56xf32>
}
