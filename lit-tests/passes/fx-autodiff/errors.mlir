// What cannot be differentiated is reported, all of it, each at its place; so are options that name what is not there.
// RUN: not fx-opt %s --fx-autodiff 2>&1 | FileCheck %s
// RUN: not fx-opt %s --fx-autodiff=by=7 2>&1 | FileCheck %s --check-prefix=BY
// RUN: not fx-opt %s --fx-autodiff=outputs=3 2>&1 | FileCheck %s --check-prefix=OUTPUTS
// RUN: not fx-opt %s --fx-autodiff=mode=sideways 2>&1 | FileCheck %s --check-prefix=MODE
// RUN: not fx-opt %s --fx-autodiff=function=other 2>&1 | FileCheck %s --check-prefix=FUNCTION

// BY:       error: argument 7 is no tensor of floats that could be differentiated by
// OUTPUTS:  error: the function has 1 outputs, not all of those named
// MODE:     error: pass option 'mode' has no legal value: 'sideways'
// FUNCTION: error: there is no function '@other'
func.func @main(%x: tensor<3xf32>) -> tensor<3xf32> {
  // CHECK: [[#@LINE+1]]:8: error: 'fx.call' op cannot be differentiated: an operator of which nothing is known
  %y = fx.call "my::op"(%x) : (tensor<3xf32>) -> tensor<3xf32>
  return %y : tensor<3xf32>
}
