// A gate: gelu of 134217728 values, bf16
// torch: lambda a, b: F.gelu(a * 1.5 + 0.25) * b
// target: copy 0.93
func.func @main(
    %a: tensor<134217728xbf16>,
    %b: tensor<134217728xbf16>
) -> tensor<134217728xbf16> {
  %m = arith.constant 1.5 : f64
  %c = arith.constant 0.25 : f64
  %s = fx.mul %a, %m : (tensor<134217728xbf16>, f64) -> tensor<134217728xbf16>
  %t = fx.add %s, %c : (tensor<134217728xbf16>, f64) -> tensor<134217728xbf16>
  %g = fx.gelu %t : (tensor<134217728xbf16>) -> tensor<134217728xbf16>
  %y = fx.mul %g, %b : (tensor<134217728xbf16>, tensor<134217728xbf16>) -> tensor<134217728xbf16>
  return %y : tensor<134217728xbf16>
}
