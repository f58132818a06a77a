// Running sums of 65536 rows of 4096
// torch: lambda x: x.cumsum(1)
// target: copy 0.80
func.func @main(
    %x: tensor<65536x4096xf32>
) -> tensor<65536x4096xf32> {
  %y = fx.cumsum %x dim 1 : (tensor<65536x4096xf32>) -> tensor<65536x4096xf32>
  return %y : tensor<65536x4096xf32>
}
