// Windows at random places need room, which a run-time size may lack.
// RUN: fxc run %s --arg 0=6 | FileCheck %s --check-prefix=ROOM
// RUN: not fxc run %s --arg 0=3 2>&1 | FileCheck %s --check-prefix=NONE

// Windows of two begin at 0, 2 and 4.
// ROOM: output.0 f32 [1, 1, 3] {{.*}} [1, 3, 5]
// ROOM: output.1 i64 [1, 1, 3] {{.*}} [1, 3, 5]
// NONE: error: assertion failed: {{.*}}: 'fx.fractional_max_pool2d' op expects spatial dim 1 to have 4 elements or more
func.func @main(%n: index) -> (tensor<1x1x3xf32>, tensor<1x1x3xi64>) {
  %zero = arith.constant 0 : i64
  %i = fx.arange %zero to %n as f32 : (i64, index) -> tensor<?xf32>
  %x = fx.view %i [1, 1, %n] : (tensor<?xf32>) -> tensor<1x1x?xf32>
  %u = arith.constant dense<0.25> : tensor<1x1x2xf32>
  %y, %at = fx.fractional_max_pool2d %x, %u kernel_size [1, 2] output_size [1, 3] : (tensor<1x1x?xf32>, tensor<1x1x2xf32>) -> (tensor<1x1x3xf32>, tensor<1x1x3xi64>)
  return %y, %at : tensor<1x1x3xf32>, tensor<1x1x3xi64>
}
