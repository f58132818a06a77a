// 65536 rows of 1024 sorted
// torch: lambda x: torch.sort(x, 1)
// target: ratio 1.0
func.func @main(
    %x: tensor<65536x1024xf32>
) -> (tensor<65536x1024xf32>, tensor<65536x1024xi64>) {
  %y, %i = fx.sort %x dim 1 : (tensor<65536x1024xf32>) -> (tensor<65536x1024xf32>, tensor<65536x1024xi64>)
  return %y, %i : tensor<65536x1024xf32>, tensor<65536x1024xi64>
}
