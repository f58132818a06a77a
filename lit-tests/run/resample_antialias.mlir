// Antialiased resampling weighs all elements that an element of the result covers; bytes round after each dim.
// RUN: fxc run %s | FileCheck %s

// CHECK:      output.0 f32 {{.*}} [3, 6]
// CHECK-NEXT: output.1 u8 {{.*}} [3, 6]
// CHECK-NEXT: output.2 u8 {{.*}} [0, 64, 191, 255]
// CHECK-NEXT: output.3 u8 {{.*}} [0, 58, 197, 255]
func.func @main() -> (tensor<1x1x1x2xf32>, tensor<1x1x1x2xui8>, tensor<1x1x1x4xui8>, tensor<1x1x1x4xui8>) {
  // Weights 3/7, 3/7, 1/7 and 1/7, 3/7, 3/7.
  %x = arith.constant dense<[[[[0.0, 6.0, 3.0, 9.0]]]]> : tensor<1x1x1x4xf32>
  %smooth = fx.upsample_bilinear2d_aa %x output_size [1, 2] {align_corners = false} : (tensor<1x1x1x4xf32>) -> tensor<1x1x1x2xf32>
  %b = arith.constant dense<[[[[0, 6, 3, 9]]]]> : tensor<1x1x1x4xui8>
  %bytes = fx.upsample_bilinear2d_aa %b output_size [1, 2] {align_corners = false} : (tensor<1x1x1x4xui8>) -> tensor<1x1x1x2xui8>

  %ends = arith.constant dense<[[[[0, 255]]]]> : tensor<1x1x1x2xui8>
  %linear = fx.upsample_bilinear2d %ends output_size [1, 4] {align_corners = false} : (tensor<1x1x1x2xui8>) -> tensor<1x1x1x4xui8>
  %cubic = fx.upsample_bicubic2d %ends output_size [1, 4] {align_corners = false} : (tensor<1x1x1x2xui8>) -> tensor<1x1x1x4xui8>
  return %smooth, %bytes, %linear, %cubic : tensor<1x1x1x2xf32>, tensor<1x1x1x2xui8>, tensor<1x1x1x4xui8>, tensor<1x1x1x4xui8>
}
