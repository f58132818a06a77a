// Softmax of 16384 rows of 8192, s0 known at run time
// torch: lambda x: torch.softmax(x, 1)
// bench: --size s0=16384
// target: like softmax_bf16_16384x8192 0.95
func.func @main(
    %x: tensor<?x8192xbf16> {fx.dims = ["s0", 8192]}
) -> tensor<?x8192xbf16> attributes {fx.symbols = {s0 = array<i64: 2, -1>}} {
  %y = fx.softmax %x dim 1 : (tensor<?x8192xbf16>) -> tensor<?x8192xbf16>
  return %y : tensor<?x8192xbf16>
}
