// The largest 8 of each of 131072 rows of 256
// torch: lambda x: torch.topk(x, 8, 1)
// target: ratio 1.0
func.func @main(
    %x: tensor<131072x256xbf16>
) -> (tensor<131072x8xbf16>, tensor<131072x8xi64>) {
  %y, %i = fx.topk %x k [8] dim 1 : (tensor<131072x256xbf16>) -> (tensor<131072x8xbf16>, tensor<131072x8xi64>)
  return %y, %i : tensor<131072x8xbf16>, tensor<131072x8xi64>
}
