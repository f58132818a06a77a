// A group that is known to be of one process exchanges nothing.
// RUN: fxc run %s | FileCheck %s

// CHECK:      output.0 f32 [2] {{.*}} [1, 2]
// CHECK-NEXT: output.1 f32 [1]  [3]
// CHECK-NEXT: output.2 f32 [2] {{.*}} [1, 2]
func.func @main() -> (tensor<2xf32>, tensor<1xf32>, tensor<2xf32>) {
  %x = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %s = arith.constant dense<3.0> : tensor<f32>
  %a = fx.all_gather_into_tensor %x size 1 group "0" : (tensor<2xf32>) -> tensor<2xf32>
  %b = fx.all_gather_into_tensor %s size 1 group "0" : (tensor<f32>) -> tensor<1xf32>
  %c = fx.reduce_scatter_tensor %x by "avg" size 1 group "0" : (tensor<2xf32>) -> tensor<2xf32>
  %d = fx.wait_tensor %a : (tensor<2xf32>) -> tensor<2xf32>
  return %d, %b, %c : tensor<2xf32>, tensor<1xf32>, tensor<2xf32>
}
