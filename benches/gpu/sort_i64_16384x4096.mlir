// 16384 rows of 4096 sorted
// torch: lambda x: torch.sort(x, 1)
// bench: --integers 4000000000
// target: ratio 1.0
func.func @main(
    %x: tensor<16384x4096xi64>
) -> (tensor<16384x4096xi64>, tensor<16384x4096xi64>) {
  %y, %i = fx.sort %x dim 1 : (tensor<16384x4096xi64>) -> (tensor<16384x4096xi64>, tensor<16384x4096xi64>)
  return %y, %i : tensor<16384x4096xi64>, tensor<16384x4096xi64>
}
