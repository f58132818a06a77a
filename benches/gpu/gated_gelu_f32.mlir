// A gate: gelu of 134217728 values, f32
// torch: lambda a, b: F.gelu(a * 1.5 + 0.25) * b
// target: copy 0.97
func.func @main(
    %a: tensor<134217728xf32>,
    %b: tensor<134217728xf32>
) -> tensor<134217728xf32> {
  %m = arith.constant 1.5 : f64
  %c = arith.constant 0.25 : f64
  %s = fx.mul %a, %m : (tensor<134217728xf32>, f64) -> tensor<134217728xf32>
  %t = fx.add %s, %c : (tensor<134217728xf32>, f64) -> tensor<134217728xf32>
  %g = fx.gelu %t : (tensor<134217728xf32>) -> tensor<134217728xf32>
  %y = fx.mul %g, %b : (tensor<134217728xf32>, tensor<134217728xf32>) -> tensor<134217728xf32>
  return %y : tensor<134217728xf32>
}
