// Sums of 16384 columns of 16384
// torch: lambda x: x.sum(0)
// target: copy 1.05
func.func @main(
    %x: tensor<16384x16384xf32>
) -> tensor<16384xf32> {
  %y = fx.sum %x dim [0] : (tensor<16384x16384xf32>) -> tensor<16384xf32>
  return %y : tensor<16384xf32>
}
