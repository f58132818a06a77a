// A gate: gelu of 134217727 values, f32
// torch: lambda a, b: F.gelu(a * 1.5 + 0.25) * b
// target: like gated_gelu_f32 0.95
func.func @main(
    %a: tensor<134217727xf32>,
    %b: tensor<134217727xf32>
) -> tensor<134217727xf32> {
  %m = arith.constant 1.5 : f64
  %c = arith.constant 0.25 : f64
  %s = fx.mul %a, %m : (tensor<134217727xf32>, f64) -> tensor<134217727xf32>
  %t = fx.add %s, %c : (tensor<134217727xf32>, f64) -> tensor<134217727xf32>
  %g = fx.gelu %t : (tensor<134217727xf32>) -> tensor<134217727xf32>
  %y = fx.mul %g, %b : (tensor<134217727xf32>, tensor<134217727xf32>) -> tensor<134217727xf32>
  return %y : tensor<134217727xf32>
}
