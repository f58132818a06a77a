// 131072 rows of 4096 looked up
// torch: lambda w, i: F.embedding(i, w)
// bench: --integers 131072
// target: copy 0.92
func.func @main(
    %w: tensor<131072x4096xbf16>,
    %i: tensor<131072xi64>
) -> tensor<131072x4096xbf16> {
  %y = fx.embedding %w, %i padding_idx [-1] : (tensor<131072x4096xbf16>, tensor<131072xi64>) -> tensor<131072x4096xbf16>
  return %y : tensor<131072x4096xbf16>
}
