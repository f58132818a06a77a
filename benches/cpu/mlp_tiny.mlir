// MLP 64-128-128-10, batch 1
// torch: lambda w0, b0, w1, b1, w2, b2, x: F.linear(F.relu(F.linear(F.relu(F.linear(x, w0, b0)), w1, b1)), w2, b2)
// target: us 3
func.func @main(
    %w0: tensor<128x64xf32> {fx.kind = "parameter", fx.target = "0.weight"},
    %b0: tensor<128xf32> {fx.kind = "parameter", fx.target = "0.bias"},
    %w1: tensor<128x128xf32> {fx.kind = "parameter", fx.target = "1.weight"},
    %b1: tensor<128xf32> {fx.kind = "parameter", fx.target = "1.bias"},
    %w2: tensor<10x128xf32> {fx.kind = "parameter", fx.target = "2.weight"},
    %b2: tensor<10xf32> {fx.kind = "parameter", fx.target = "2.bias"},
    %x: tensor<1x64xf32>
) -> tensor<1x10xf32> {
  %h0 = fx.linear %x, %w0, %b0 : (tensor<1x64xf32>, tensor<128x64xf32>, tensor<128xf32>) -> tensor<1x128xf32>
  %r0 = fx.relu %h0 : (tensor<1x128xf32>) -> tensor<1x128xf32>
  %h1 = fx.linear %r0, %w1, %b1 : (tensor<1x128xf32>, tensor<128x128xf32>, tensor<128xf32>) -> tensor<1x128xf32>
  %r1 = fx.relu %h1 : (tensor<1x128xf32>) -> tensor<1x128xf32>
  %y = fx.linear %r1, %w2, %b2 : (tensor<1x128xf32>, tensor<10x128xf32>, tensor<10xf32>) -> tensor<1x10xf32>
  return %y : tensor<1x10xf32>
}
