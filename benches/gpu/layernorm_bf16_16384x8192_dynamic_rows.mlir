// Layer norm of 16384 rows of 8192, s0 known at run time
// torch: lambda w, b, x: F.layer_norm(x, (8192,), w, b)
// bench: --size s0=16384
// target: like layernorm_bf16_16384x8192 0.95
func.func @main(
    %w: tensor<8192xbf16> {fx.kind = "parameter", fx.target = "weight"},
    %b: tensor<8192xbf16> {fx.kind = "parameter", fx.target = "bias"},
    %x: tensor<?x8192xbf16> {fx.dims = ["s0", 8192]}
) -> tensor<?x8192xbf16> attributes {fx.symbols = {s0 = array<i64: 2, -1>}} {
  %y = fx.layer_norm %x normalized_shape [8192] weight %w bias %b {eps = 1.0e-5 : f64} : (tensor<?x8192xbf16>, tensor<8192xbf16>, tensor<8192xbf16>) -> tensor<?x8192xbf16>
  return %y : tensor<?x8192xbf16>
}
