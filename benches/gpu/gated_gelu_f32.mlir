// A gate: gelu of 67108864 values, f32
// torch: lambda a, b: F.gelu(a * 1.5 + 0.25) * b
// target: copy 0.97
func.func @main(
    %a: tensor<67108864xf32>,
    %b: tensor<67108864xf32>
) -> tensor<67108864xf32> {
  %m = arith.constant 1.5 : f64
  %c = arith.constant 0.25 : f64
  %s = fx.mul %a, %m : (tensor<67108864xf32>, f64) -> tensor<67108864xf32>
  %t = fx.add %s, %c : (tensor<67108864xf32>, f64) -> tensor<67108864xf32>
  %g = fx.gelu %t : (tensor<67108864xf32>) -> tensor<67108864xf32>
  %y = fx.mul %g, %b : (tensor<67108864xf32>, tensor<67108864xf32>) -> tensor<67108864xf32>
  return %y : tensor<67108864xf32>
}
