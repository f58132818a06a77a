// Sum of 268435456 values
// torch: lambda x: x.sum()
// target: copy 1.05
func.func @main(
    %x: tensor<268435456xf32>
) -> tensor<f32> {
  %y = fx.sum %x : (tensor<268435456xf32>) -> tensor<f32>
  return %y : tensor<f32>
}
