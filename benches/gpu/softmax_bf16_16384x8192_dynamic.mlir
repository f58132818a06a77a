// Softmax of 16384 rows of 8192, s0 and s1 known at run time
// torch: lambda x: torch.softmax(x, 1)
// bench: --size s0=16384 --size s1=8192
// target: like softmax_bf16_16384x8192 0.95
func.func @main(
    %x: tensor<?x?xbf16> {fx.dims = ["s0", "s1"]}
) -> tensor<?x?xbf16> attributes {fx.symbols = {s0 = array<i64: 2, -1>, s1 = array<i64: 2, -1>}} {
  %y = fx.softmax %x dim 1 : (tensor<?x?xbf16>) -> tensor<?x?xbf16>
  return %y : tensor<?x?xbf16>
}
