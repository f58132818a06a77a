// Sum of 134217728 values
// torch: lambda x: x.sum()
// target: copy 1.05
func.func @main(
    %x: tensor<134217728xf32>
) -> tensor<f32> {
  %y = fx.sum %x : (tensor<134217728xf32>) -> tensor<f32>
  return %y : tensor<f32>
}
