// One more, for 268435456 values, s0 known at run time
// torch: lambda a: a + 1
// bench: --size s0=268435456
// target: like add_one_bf16 0.95
func.func @main(
    %a: tensor<?xbf16> {fx.dims = ["s0"]}
) -> tensor<?xbf16> attributes {fx.symbols = {s0 = array<i64: 2, -1>}} {
  %c = arith.constant 1.0 : f64
  %y = fx.add %a, %c : (tensor<?xbf16>, f64) -> tensor<?xbf16>
  return %y : tensor<?xbf16>
}
