// One more, for 268435456 values
// torch: lambda a: a + 1
// target: copy 0.97
func.func @main(
    %a: tensor<268435456xbf16>
) -> tensor<268435456xbf16> {
  %c = arith.constant 1.0 : f64
  %y = fx.add %a, %c : (tensor<268435456xbf16>, f64) -> tensor<268435456xbf16>
  return %y : tensor<268435456xbf16>
}
