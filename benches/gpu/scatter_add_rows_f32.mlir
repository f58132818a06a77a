// 131072 rows of 1024 added to rows
// torch: lambda x, i, s: x.index_add(0, i, s)
// bench: --integers 131072
// target: copy 0.80
func.func @main(
    %x: tensor<131072x1024xf32>,
    %i: tensor<131072xi64>,
    %s: tensor<131072x1024xf32>
) -> tensor<131072x1024xf32> {
  %y = fx.index_add %x, %i, %s dim 0 : (tensor<131072x1024xf32>, tensor<131072xi64>, tensor<131072x1024xf32>) -> tensor<131072x1024xf32>
  return %y : tensor<131072x1024xf32>
}
