// 65536 rows of 1024 looked up
// torch: lambda w, i: F.embedding(i, w)
// bench: --integers 65536
// target: copy 0.92
func.func @main(
    %w: tensor<65536x1024xbf16>,
    %i: tensor<65536xi64>
) -> tensor<65536x1024xbf16> {
  %y = fx.embedding %w, %i padding_idx [-1] : (tensor<65536x1024xbf16>, tensor<65536xi64>) -> tensor<65536x1024xbf16>
  return %y : tensor<65536x1024xbf16>
}
