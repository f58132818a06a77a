// A check that fails stops the program with its message and place; conditions are numbers or tensors of one element.
// RUN: fxc run %s --arg 0=1 --arg 1=0.5 --arg 2=3 | FileCheck %s --check-prefix=HOLDS
// RUN: not fxc run %s --arg 0=0 --arg 1=0.5 --arg 2=3 2>&1 | FileCheck %s --check-prefix=INTEGER
// RUN: not fxc run %s --arg 0=1 --arg 1=0 --arg 2=3 2>&1 | FileCheck %s --check-prefix=FLOAT
// RUN: not fxc run %s --arg 0=256 --arg 1=0.5 --arg 2=3 2>&1 | FileCheck %s --check-prefix=BYTE
// RUN: not fxc run %s --arg 0=1 --arg 1=0.5 --arg 2=4 2>&1 | FileCheck %s --check-prefix=SIZE
// RUN: not fxc run %s --arg 0=2 --arg 1=0.5 --arg 2=3 2>&1 | FileCheck %s --check-prefix=LOOP

// HOLDS:   output.0 f32 [3] {{.*}} [1, 1, 1]
// INTEGER: error: assertion failed: {{.*}}:[[#@LINE+7]]:{{[0-9]+}}: an integer is not 0
// FLOAT:   error: assertion failed: {{.*}}:[[#@LINE+5]]:{{[0-9]+}}: a condition does not hold
// BYTE:    error: assertion failed: {{.*}}:[[#@LINE+10]]:{{[0-9]+}}: the low byte is not 0
// SIZE:    error: assertion failed: {{.*}}:[[#@LINE+13]]:{{[0-9]+}}: 'fx.assert_tensor_metadata' op expects size 0 to be 3
// LOOP:    error: assertion failed: {{.*}}:[[#@LINE+23]]:{{[0-9]+}}: the second run
func.func @main(%n: i64, %f: f64, %size: index) -> tensor<?xf32> {
  fx.assert %f, "" : f64
  fx.assert %n, "an integer is not 0" : i64

  // In the type of the tensor, where it has one.
  %wide = fx.full [1, 1] %n as i64 : (i64) -> tensor<1x1xi64>
  %byte = fx.to_copy %wide as ui8 : (tensor<1x1xi64>) -> tensor<1x1xui8>
  fx.assert %byte, "the low byte is not 0" : tensor<1x1xui8>

  %one = arith.constant 1.0 : f64
  %x = fx.full [%size] %one as f32 : (f64) -> tensor<?xf32>
  fx.assert_tensor_metadata %x as f32 size [3] stride [] : tensor<?xf32>

  %zero = arith.constant 0 : i64
  %last = fx.while_loop(%zero) : (i64) -> i64 {
  ^bb0(%i: i64):
    %more = arith.cmpi slt, %i, %n : i64
    fx.yield %more : i1
  } do {
  ^bb0(%i: i64):
    %c1 = arith.constant 1 : i64
    %first = arith.cmpi slt, %i, %c1 : i64
    fx.assert %first, "the second run" : i1
    %next = arith.addi %i, %c1 : i64
    fx.yield %next : i64
  }
  return %x : tensor<?xf32>
}
