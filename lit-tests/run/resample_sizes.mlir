// Resampling between run-time sizes, whose ratio the host computes and kernels take as a float.
// RUN: fxc run %s --arg 0=3 --arg 1=7 | FileCheck %s --check-prefix=MORE
// RUN: fxc run %s --arg 0=4 --arg 1=2 | FileCheck %s --check-prefix=LESS
// RUN: fxc run %s --arg 0=5 --arg 1=1 | FileCheck %s --check-prefix=ONE

// MORE: output.0 f32 [1, 1, 7] {{.*}} [0, 0, 0, 1, 1, 2, ..]
// MORE: output.1 f32 [1, 1, 3] {{.*}} [3, 7, 11]
// MORE: output.2 f32 [1, 1, 3] {{.*}} [1.33333, 9, 10.6667]
// MORE: output.3 f32 [1, 1, 4] {{.*}} [0, 0, 1, 2]
// LESS: output.0 f32 [1, 1, 2] {{.*}} [0, 2]
// LESS: output.1 f32 [1, 1, 4] {{.*}} [0, 0, 1, 0]
// LESS: output.2 f32 [1, 1, 4] {{.*}} [0, 0, 0, 1]
// LESS: output.3 f32 [1, 1, 6] {{.*}} [0, 0, 1, 2, 2, 3]
// ONE:  output.0 f32 [1, 1, 1] [0]
// ONE:  output.1 f32 [1, 1, 5] {{.*}} [0, 0, 0, 0, 0]
func.func @main(%n: index, %m: index) -> (tensor<1x1x?xf32>, tensor<1x1x?xf32>, tensor<1x1x?xf32>, tensor<1x1x?xf32>) {
  %zero = arith.constant 0 : i64
  %i = fx.arange %zero to %n as f32 : (i64, index) -> tensor<?xf32>
  %x = fx.view %i [1, 1, %n] : (tensor<?xf32>) -> tensor<1x1x?xf32>
  %j = fx.arange %zero to %m as f32 : (i64, index) -> tensor<?xf32>
  %g = fx.view %j [1, 1, %m] : (tensor<?xf32>) -> tensor<1x1x?xf32>
  %y = fx.upsample_nearest1d %x output_size [%m] : (tensor<1x1x?xf32>, index) -> tensor<1x1x?xf32>
  %dn = fx.upsample_nearest1d_backward %g output_size [%m] input_size [1, 1, %n] : (tensor<1x1x?xf32>, index, index) -> tensor<1x1x?xf32>
  %dl = fx.upsample_linear1d_backward %g output_size [%m] input_size [1, 1, %n] {align_corners = true} : (tensor<1x1x?xf32>, index, index) -> tensor<1x1x?xf32>
  %z = fx.upsample_nearest1d %x output_size [] {scale_factors = array<f64: 1.5>} : (tensor<1x1x?xf32>) -> tensor<1x1x?xf32>
  return %y, %dn, %dl, %z : tensor<1x1x?xf32>, tensor<1x1x?xf32>, tensor<1x1x?xf32>, tensor<1x1x?xf32>
}
