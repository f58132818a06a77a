// A 16384x8192 matrix, transposed, plus another
// torch: lambda a, b: a.t() + b
// target: copy 0.97
func.func @main(
    %a: tensor<16384x8192xf32>,
    %b: tensor<8192x16384xf32>
) -> tensor<8192x16384xf32> {
  %t = fx.permute %a [1, 0] : (tensor<16384x8192xf32>) -> tensor<8192x16384xf32>
  %y = fx.add %t, %b : (tensor<8192x16384xf32>, tensor<8192x16384xf32>) -> tensor<8192x16384xf32>
  return %y : tensor<8192x16384xf32>
}
