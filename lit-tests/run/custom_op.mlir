// A call of an operator that nobody has registered ends in an error with its name.
// RUN: not fxc run %s 2>&1 | FileCheck %s
// RUN: fxc compile %s --emit=plan | FileCheck %s --check-prefix=PLAN

// CHECK: error: no implementation of 'demo::split', 'demo::touch': register it with register_op before the call

// The call has its arguments by kind, its attributes, and sizes that it decides.
// PLAN:      "call": {
// PLAN-NEXT:   "name": "demo::split"
// PLAN:        "attributes": {
// PLAN:          "fx.operands": [
// PLAN-NEXT:       "x"
// PLAN:          "scale": 2.0
// PLAN:          "sizes": [
// PLAN-NEXT:       1
// PLAN-NEXT:       null
// PLAN:        "sizes": [
// PLAN-NEXT:     {
// PLAN-NEXT:       "result": 0
// PLAN-NEXT:       "dim": 0
// PLAN:        "name": "demo::touch"
func.func @main() -> (tensor<?xf32>, tensor<2xf32>, index) {
  %x = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %n = arith.constant 3 : index
  %y:4 = fx.call "demo::split"(%x, %n) args {scale = 2.0 : f64, sizes = array<i64: 1, -9223372036854775808>} {fx.operands = ["x", "sizes"]}
      : (tensor<2xf32>, index) -> (tensor<?xf32>, tensor<2xf32>, index, none)
  fx.call "demo::touch"() : () -> ()
  return %y#0, %y#1, %y#2 : tensor<?xf32>, tensor<2xf32>, index
}
