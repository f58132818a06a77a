// The largest 2 of each of 131072 rows of 64
// torch: lambda x: torch.topk(x, 2, 1)
// target: ratio 1.0
func.func @main(
    %x: tensor<131072x64xf32>
) -> (tensor<131072x2xf32>, tensor<131072x2xi64>) {
  %y, %i = fx.topk %x k [2] dim 1 : (tensor<131072x64xf32>) -> (tensor<131072x2xf32>, tensor<131072x2xi64>)
  return %y, %i : tensor<131072x2xf32>, tensor<131072x2xi64>
}
