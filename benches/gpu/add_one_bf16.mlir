// One more
// torch: lambda a: a + 1
// target: copy 0.97
func.func @main(
    %a: tensor<134217728xbf16>
) -> tensor<134217728xbf16> {
  %c = arith.constant 1.0 : f64
  %y = fx.add %a, %c : (tensor<134217728xbf16>, f64) -> tensor<134217728xbf16>
  return %y : tensor<134217728xbf16>
}
