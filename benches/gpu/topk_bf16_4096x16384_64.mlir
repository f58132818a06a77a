// The largest 64 of each of 4096 rows of 16384
// torch: lambda x: torch.topk(x, 64, 1)
// target: ratio 1.0
func.func @main(
    %x: tensor<4096x16384xbf16>
) -> (tensor<4096x64xbf16>, tensor<4096x64xi64>) {
  %y, %i = fx.topk %x k [64] dim 1 : (tensor<4096x16384xbf16>) -> (tensor<4096x64xbf16>, tensor<4096x64xi64>)
  return %y, %i : tensor<4096x64xbf16>, tensor<4096x64xi64>
}
