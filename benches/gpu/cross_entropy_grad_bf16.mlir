// Cross entropy of 8192 rows of 50304, in f32, and its gradient
// torch: lambda x, t: F.cross_entropy(x.float(), t)
// bench: --grad --integers 50304
// target: ratio 1.2
func.func @main(
    %x: tensor<8192x50304xbf16>,
    %t: tensor<8192xi64>
) -> tensor<f32> {
  %f = fx.to_copy %x as f32 : (tensor<8192x50304xbf16>) -> tensor<8192x50304xf32>
  %y = fx.cross_entropy_loss %f, %t ignore_index [-100] : (tensor<8192x50304xf32>, tensor<8192xi64>) -> tensor<f32>
  return %y : tensor<f32>
}
