// Softmax of 4096 rows of 256
// torch: lambda x: torch.softmax(x, 1)
// target: ratio 1.2
func.func @main(
    %x: tensor<4096x256xf32>
) -> tensor<4096x256xf32> {
  %y = fx.softmax %x dim 1 : (tensor<4096x256xf32>) -> tensor<4096x256xf32>
  return %y : tensor<4096x256xf32>
}
