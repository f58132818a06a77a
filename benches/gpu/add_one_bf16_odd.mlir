// One more, for 268435455 values
// torch: lambda a: a + 1
// target: like add_one_bf16 0.95
func.func @main(
    %a: tensor<268435455xbf16>
) -> tensor<268435455xbf16> {
  %c = arith.constant 1.0 : f64
  %y = fx.add %a, %c : (tensor<268435455xbf16>, f64) -> tensor<268435455xbf16>
  return %y : tensor<268435455xbf16>
}
