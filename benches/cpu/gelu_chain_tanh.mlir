// Sum, gelu (tanh) and product of 1M values
// torch: lambda a, b, c: F.gelu(a + b, approximate="tanh") * c
// target: ratio 2.0
func.func @main(
    %a: tensor<1048576xf32>,
    %b: tensor<1048576xf32>,
    %c: tensor<1048576xf32>
) -> tensor<1048576xf32> {
  %sum = fx.add %a, %b : (tensor<1048576xf32>, tensor<1048576xf32>) -> tensor<1048576xf32>
  %gelu = fx.gelu %sum approximate "tanh" : (tensor<1048576xf32>) -> tensor<1048576xf32>
  %y = fx.mul %gelu, %c : (tensor<1048576xf32>, tensor<1048576xf32>) -> tensor<1048576xf32>
  return %y : tensor<1048576xf32>
}
