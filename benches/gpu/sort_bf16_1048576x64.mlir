// 1048576 rows of 64 sorted
// torch: lambda x: torch.sort(x, 1)
// target: ratio 1.0
func.func @main(
    %x: tensor<1048576x64xbf16>
) -> (tensor<1048576x64xbf16>, tensor<1048576x64xi64>) {
  %y, %i = fx.sort %x dim 1 : (tensor<1048576x64xbf16>) -> (tensor<1048576x64xbf16>, tensor<1048576x64xi64>)
  return %y, %i : tensor<1048576x64xbf16>, tensor<1048576x64xi64>
}
