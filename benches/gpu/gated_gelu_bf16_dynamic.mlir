// A gate: gelu of 268435456 values, bf16, s0 known at run time
// torch: lambda a, b: F.gelu(a * 1.5 + 0.25) * b
// bench: --size s0=268435456
// target: like gated_gelu_bf16 0.95
func.func @main(
    %a: tensor<?xbf16> {fx.dims = ["s0"]},
    %b: tensor<?xbf16> {fx.dims = ["s0"]}
) -> tensor<?xbf16> attributes {fx.symbols = {s0 = array<i64: 2, -1>}} {
  %m = arith.constant 1.5 : f64
  %c = arith.constant 0.25 : f64
  %s = fx.mul %a, %m : (tensor<?xbf16>, f64) -> tensor<?xbf16>
  %t = fx.add %s, %c : (tensor<?xbf16>, f64) -> tensor<?xbf16>
  %g = fx.gelu %t : (tensor<?xbf16>) -> tensor<?xbf16>
  %y = fx.mul %g, %b : (tensor<?xbf16>, tensor<?xbf16>) -> tensor<?xbf16>
  return %y : tensor<?xbf16>
}
