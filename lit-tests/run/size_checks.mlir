// Sizes and indices that only a run knows are checked before anything is read by them.
// RUN: fxc run %s --arg 0=3 --arg 1=3 --arg 2=2 | FileCheck %s --check-prefix=EQUAL
// RUN: not fxc run %s --arg 0=3 --arg 1=4 --arg 2=2 2>&1 | FileCheck %s --check-prefix=ADD
// RUN: not fxc run %s --arg 0=3 --arg 1=3 --arg 2=3 2>&1 | FileCheck %s --check-prefix=SELECT
// RUN: not fxc run %s --arg 0=3 --arg 1=3 --arg 2=-4 2>&1 | FileCheck %s --check-prefix=SELECT
// RUN: not fxc run %s --arg 0=5 --arg 1=5 --arg 2=2 2>&1 | FileCheck %s --check-prefix=VIEW

// EQUAL:      output.0 f32 [3] {{.*}} [2, 2, 2]
// EQUAL-NEXT: output.1 f32 [] [1]
// EQUAL-NEXT: output.2 f32 [6] {{.*}} [1, 1, 1, 1, 1, 1]
// EQUAL-NEXT: output.3 f32 [3, 2]
// ADD:    error: assertion failed: {{.*}}:[[#@LINE+7]]:{{[0-9]+}}: 'fx.add' op has sizes that must be equal and are not
// SELECT: error: assertion failed: {{.*}}:[[#@LINE+7]]:{{[0-9]+}}: 'fx.select' op reaches beyond the size of the dim
// VIEW:   error: assertion failed: {{.*}}:[[#@LINE+8]]:{{[0-9]+}}: 'fx.view' op has sizes that must be equal and are not
func.func @main(%n: index, %m: index, %i: index) -> (tensor<?xf32>, tensor<f32>, tensor<?xf32>, tensor<3x2xf32>) {
  %one = arith.constant 1.0 : f64
  %a = fx.full [%n] %one as f32 : (f64) -> tensor<?xf32>
  %b = fx.full [%m] %one as f32 : (f64) -> tensor<?xf32>
  %sum = fx.add %a, %b : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  %element = fx.select %a dim 0 [%i] : (tensor<?xf32>) -> tensor<f32>
  %joined = fx.cat %a, %b dim 0 : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  %pairs = fx.view %joined [3, 2] : (tensor<?xf32>) -> tensor<3x2xf32>
  return %sum, %element, %joined, %pairs : tensor<?xf32>, tensor<f32>, tensor<?xf32>, tensor<3x2xf32>
}
