// A loop in the plan: places of carried values are filled before and written at the end of an iteration; swapped values
// go through memory of their own, a row is written where it belongs.
// RUN: fxc compile %s --emit=plan | FileCheck %s

// CHECK:      "steps": [
// CHECK:        "copy": {
// CHECK-NEXT:     "src": [[X:[0-9]+]],
// CHECK-NEXT:     "dst": [[A:[0-9]+]]
// CHECK:        "copy": {
// CHECK-NEXT:     "src": [[Y:[0-9]+]],
// CHECK-NEXT:     "dst": [[B:[0-9]+]]
// CHECK:        "while": {
// CHECK-NEXT:     "before": [
// CHECK:            "op": "lt_i"
// CHECK:          "body": [
// CHECK:            "copy": {
// CHECK-NEXT:         "src": [[A]],
// CHECK:            "copy": {
// CHECK-NEXT:         "src": [[B]],
// CHECK-NEXT:         "dst": [[T:[0-9]+]]
// CHECK:            "copy": {
// CHECK-NEXT:         "src": [[A]],
// CHECK-NEXT:         "dst": [[U:[0-9]+]]
// CHECK:            "copy": {
// CHECK-NEXT:         "src": [[T]],
// CHECK-NEXT:         "dst": [[A]]
// CHECK:            "copy": {
// CHECK-NEXT:         "src": [[U]],
// CHECK-NEXT:         "dst": [[B]]
// CHECK:            "op": "move"
func.func @main(%x: tensor<4xf32>, %y: tensor<4xf32>, %n: tensor<3xi64>) -> (tensor<4xf32>, tensor<3x4xf32>) {
  %s:3 = fx.scan init(%x, %y) xs(%n) : (tensor<4xf32>, tensor<4xf32>, tensor<3xi64>) -> (tensor<4xf32>, tensor<4xf32>, tensor<3x4xf32>) {
  ^bb0(%a: tensor<4xf32>, %b: tensor<4xf32>, %i: tensor<i64>):
    fx.yield %b, %a, %a : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  }
  return %s#0, %s#2 : tensor<4xf32>, tensor<3x4xf32>
}
