// A gate: gelu of 268435455 values, bf16
// torch: lambda a, b: F.gelu(a * 1.5 + 0.25) * b
// target: like gated_gelu_bf16 0.95
func.func @main(
    %a: tensor<268435455xbf16>,
    %b: tensor<268435455xbf16>
) -> tensor<268435455xbf16> {
  %m = arith.constant 1.5 : f64
  %c = arith.constant 0.25 : f64
  %s = fx.mul %a, %m : (tensor<268435455xbf16>, f64) -> tensor<268435455xbf16>
  %t = fx.add %s, %c : (tensor<268435455xbf16>, f64) -> tensor<268435455xbf16>
  %g = fx.gelu %t : (tensor<268435455xbf16>) -> tensor<268435455xbf16>
  %y = fx.mul %g, %b : (tensor<268435455xbf16>, tensor<268435455xbf16>) -> tensor<268435455xbf16>
  return %y : tensor<268435455xbf16>
}
