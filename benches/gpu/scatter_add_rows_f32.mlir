// 131072 rows of 1024 summed into a table of 32768
// torch: lambda g, i: torch.ops.aten.embedding_dense_backward(g, i, 32768, -1, False)
// bench: --integers 32768
// target: copy 0.80
// bytes: 1610612736
func.func @main(
    %g: tensor<131072x1024xf32>,
    %i: tensor<131072xi64>
) -> tensor<32768x1024xf32> {
  %y = fx.embedding_dense_backward %g, %i num_weights [32768] padding_idx [-1] : (tensor<131072x1024xf32>, tensor<131072xi64>) -> tensor<32768x1024xf32>
  return %y : tensor<32768x1024xf32>
}
