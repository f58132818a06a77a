// Values go back to their places, of several to one place the last; a place outside stops the program.
// RUN: fxc run %s --arg 0=5 | FileCheck %s --check-prefix=INSIDE
// RUN: fxc run %s --arg 0=0 | FileCheck %s --check-prefix=TWICE
// RUN: not fxc run %s --arg 0=6 2>&1 | FileCheck %s --check-prefix=OUTSIDE
// RUN: not fxc run %s --arg 0=-1 2>&1 | FileCheck %s --check-prefix=OUTSIDE

// INSIDE:  output.0 f32 [1, 2, 3] {{.*}} [2, 0, 0, 0, 0, 3]
// TWICE:   output.0 f32 [1, 2, 3] {{.*}} [3, 0, 0, 0, 0, 0]
// OUTSIDE: error: assertion failed: {{.*}}: 'fx.max_unpool2d' op expects 'indices' in [0, 6)
func.func @main(%last: i64) -> tensor<1x2x3xf32> {
  %x = arith.constant dense<[[[2.0, 3.0]]]> : tensor<1x1x2xf32>
  %first = arith.constant dense<[[[0, 0]]]> : tensor<1x1x2xi64>
  %which = arith.constant dense<[[[false, true]]]> : tensor<1x1x2xi1>
  %places = fx.where %which, %last, %first : (tensor<1x1x2xi1>, i64, tensor<1x1x2xi64>) -> tensor<1x1x2xi64>
  %y = fx.max_unpool2d %x, %places output_size [2, 3] : (tensor<1x1x2xf32>, tensor<1x1x2xi64>) -> tensor<1x2x3xf32>
  return %y : tensor<1x2x3xf32>
}
