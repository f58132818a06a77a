// Layer norm of 131072 rows of 1024, s0 and s1 known at run time
// torch: lambda w, b, x: F.layer_norm(x, (x.shape[1],), w, b)
// bench: --size s0=131072 --size s1=1024
// target: like layernorm_bf16_131072x1024 0.95
func.func @main(
    %w: tensor<?xbf16> {fx.dims = ["s1"]},
    %b: tensor<?xbf16> {fx.dims = ["s1"]},
    %x: tensor<?x?xbf16> {fx.dims = ["s0", "s1"]}
) -> tensor<?x?xbf16> attributes {fx.symbols = {s0 = array<i64: 2, -1>, s1 = array<i64: 2, -1>}} {
  %n = fx.size %x dim 1 : tensor<?x?xbf16>
  %y = fx.layer_norm %x normalized_shape [%n] weight %w bias %b {eps = 1.0e-5 : f64} : (tensor<?x?xbf16>, index, tensor<?xbf16>, tensor<?xbf16>) -> tensor<?x?xbf16>
  return %y : tensor<?x?xbf16>
}
