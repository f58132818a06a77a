// 65536 rows of 1024 added to a copy of as many
// torch: lambda x, i, s: x.index_add(0, i, s)
// bench: --integers 65536
// target: copy 0.50
func.func @main(
    %x: tensor<65536x1024xf32>,
    %i: tensor<65536xi64>,
    %s: tensor<65536x1024xf32>
) -> tensor<65536x1024xf32> {
  %y = fx.index_add %x, %i, %s dim 0 : (tensor<65536x1024xf32>, tensor<65536xi64>, tensor<65536x1024xf32>) -> tensor<65536x1024xf32>
  return %y : tensor<65536x1024xf32>
}
