// 4096 rows of 16384 sorted
// torch: lambda x: torch.sort(x, 1)
// target: ratio 1.0
func.func @main(
    %x: tensor<4096x16384xf32>
) -> (tensor<4096x16384xf32>, tensor<4096x16384xi64>) {
  %y, %i = fx.sort %x dim 1 : (tensor<4096x16384xf32>) -> (tensor<4096x16384xf32>, tensor<4096x16384xi64>)
  return %y, %i : tensor<4096x16384xf32>, tensor<4096x16384xi64>
}
