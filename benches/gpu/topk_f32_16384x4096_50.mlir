// The largest 50 of each of 16384 rows of 4096
// torch: lambda x: torch.topk(x, 50, 1)
// target: ratio 1.0
func.func @main(
    %x: tensor<16384x4096xf32>
) -> (tensor<16384x50xf32>, tensor<16384x50xi64>) {
  %y, %i = fx.topk %x k [50] dim 1 : (tensor<16384x4096xf32>) -> (tensor<16384x50xf32>, tensor<16384x50xi64>)
  return %y, %i : tensor<16384x50xf32>, tensor<16384x50xi64>
}
