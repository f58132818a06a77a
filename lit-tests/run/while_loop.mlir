// Loops: carried values are swapped, counted, grown, kept through no iteration, and looped over again inside.
// RUN: fxc run %s | FileCheck %s

// Three swaps.
// CHECK:      output.0 {{.*}} [10, 20]
// CHECK-NEXT: output.1 {{.*}} [1, 2]
// No iteration.
// CHECK-NEXT: output.2 {{.*}} [1, 2]
// A tensor that grows: the other one is what it was before.
// CHECK-NEXT: output.3 f32 [8] {{.*}} [1, 2, 1, 2, 1, 2, ..]
// CHECK-NEXT: output.4 f32 [6] {{.*}} [1, 2, 1, 2, 10, 20]
// Sizes that are carried numbers: the last tensor has the size before the last, a number of the one before that.
// CHECK-NEXT: output.5 i64 [3] {{.*}} [7, 7, 7]
// Loops in loops: 3 * 4 additions, and a branch that doubles in every second run.
// CHECK-NEXT: output.6 {{.*}} [12]
// CHECK-NEXT: output.7 {{.*}} [4]
// Reshapes and slices of carried tensors, carried on.
// CHECK-NEXT: output.8 f32 [2, 1] {{.*}} [256, 1]
// CHECK-NEXT: scalar.0 i64 []  [4]
// CHECK-NEXT: scalar.1 f64 []  [0.125000]
func.func @main() -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xi64>, tensor<i64>, tensor<i64>,
                      tensor<2x1xf32>, index, f64) {
  %a = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %b = arith.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %zero = arith.constant dense<0> : tensor<i64>
  %three = arith.constant dense<3> : tensor<1xi64>
  %i0 = arith.constant 0 : index
  %i1 = arith.constant 1 : index
  %i4 = arith.constant 4 : index
  %one = arith.constant 1 : i64
  %seven = arith.constant 7 : i64

  %swapped:3 = fx.while_loop(%a, %b, %zero) : (tensor<2xf32>, tensor<2xf32>, tensor<i64>) -> (tensor<2xf32>, tensor<2xf32>, tensor<i64>) {
  ^bb0(%x: tensor<2xf32>, %y: tensor<2xf32>, %n: tensor<i64>):
    %more = fx.lt %n, %three : (tensor<i64>, tensor<1xi64>) -> tensor<1xi1>
    fx.yield %more : tensor<1xi1>
  } do {
  ^bb0(%x: tensor<2xf32>, %y: tensor<2xf32>, %n: tensor<i64>):
    %next = fx.add %n, %one : (tensor<i64>, i64) -> tensor<i64>
    fx.yield %y, %x, %next : tensor<2xf32>, tensor<2xf32>, tensor<i64>
  }

  %none:2 = fx.while_loop(%a, %i4) : (tensor<2xf32>, index) -> (tensor<2xf32>, index) {
  ^bb0(%x: tensor<2xf32>, %n: index):
    %more = arith.cmpi slt, %n, %i4 : index
    fx.yield %more : i1
  } do {
  ^bb0(%x: tensor<2xf32>, %n: index):
    %next = fx.exp %x : (tensor<2xf32>) -> tensor<2xf32>
    fx.yield %next, %n : tensor<2xf32>, index
  }

  %i7 = arith.constant 7 : index
  %x0 = tensor.cast %b : tensor<2xf32> to tensor<?xf32>
  %y0 = tensor.cast %a : tensor<2xf32> to tensor<?xf32>
  %grown:2 = fx.while_loop(%x0, %y0) : (tensor<?xf32>, tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  ^bb0(%x: tensor<?xf32>, %y: tensor<?xf32>):
    %size = fx.size %x dim 0 : tensor<?xf32>
    %more = arith.cmpi slt, %size, %i7 : index
    fx.yield %more : i1
  } do {
  ^bb0(%x: tensor<?xf32>, %y: tensor<?xf32>):
    %joined = fx.cat %a, %x dim 0 : (tensor<2xf32>, tensor<?xf32>) -> tensor<?xf32>
    fx.yield %joined, %x : tensor<?xf32>, tensor<?xf32>
  }

  %empty = fx.full [0] %seven as i64 : (i64) -> tensor<0xi64>
  %e0 = tensor.cast %empty : tensor<0xi64> to tensor<?xi64>
  %sized:2 = fx.while_loop(%i0, %e0) : (index, tensor<?xi64>) -> (index, tensor<?xi64>) {
  ^bb0(%n: index, %x: tensor<?xi64>):
    %more = arith.cmpi slt, %n, %i4 : index
    fx.yield %more : i1
  } do {
  ^bb0(%n: index, %x: tensor<?xi64>):
    %next = arith.addi %n, %i1 : index
    %full = fx.full [%n] %seven as i64 : (i64) -> tensor<?xi64>
    fx.yield %next, %full : index, tensor<?xi64>
  }

  %nested:3 = fx.while_loop(%zero, %zero, %i0) : (tensor<i64>, tensor<i64>, index) -> (tensor<i64>, tensor<i64>, index) {
  ^bb0(%sum: tensor<i64>, %twice: tensor<i64>, %n: index):
    %limit = arith.constant 3 : index
    %more = arith.cmpi slt, %n, %limit : index
    fx.yield %more : i1
  } do {
  ^bb0(%sum: tensor<i64>, %twice: tensor<i64>, %n: index):
    %inner:2 = fx.while_loop(%sum, %i0) : (tensor<i64>, index) -> (tensor<i64>, index) {
    ^bb0(%s: tensor<i64>, %m: index):
      %more = arith.cmpi slt, %m, %i4 : index
      fx.yield %more : i1
    } do {
    ^bb0(%s: tensor<i64>, %m: index):
      %t = fx.add %s, %one : (tensor<i64>, i64) -> tensor<i64>
      %next = arith.addi %m, %i1 : index
      fx.yield %t, %next : tensor<i64>, index
    }
    %odd = arith.andi %n, %i1 : index
    %even = arith.cmpi eq, %odd, %i0 : index
    %chosen = fx.cond %even : i1 -> (tensor<i64>) {
      %two = fx.add %twice, %one : (tensor<i64>, i64) -> tensor<i64>
      %more = fx.add %two, %one : (tensor<i64>, i64) -> tensor<i64>
      fx.yield %more : tensor<i64>
    } else {
      fx.yield %twice : tensor<i64>
    }
    %next = arith.addi %n, %i1 : index
    fx.yield %inner#0, %chosen, %next : tensor<i64>, tensor<i64>, index
  }

  %column = fx.view %a [2, 1] : (tensor<2xf32>) -> tensor<2x1xf32>
  %half = arith.constant 5.0e-01 : f64
  %f1 = arith.constant 1.0 : f64
  %turned:3 = fx.while_loop(%column, %i0, %f1) : (tensor<2x1xf32>, index, f64) -> (tensor<2x1xf32>, index, f64) {
  ^bb0(%x: tensor<2x1xf32>, %n: index, %f: f64):
    %quarter = arith.constant 2.0e-01 : f64
    %more = arith.cmpf ogt, %f, %quarter : f64
    fx.yield %more : i1
  } do {
  ^bb0(%x: tensor<2x1xf32>, %n: index, %f: f64):
    %row = fx.view %x [2] : (tensor<2x1xf32>) -> tensor<2xf32>
    %swap = fx.flip %row [0] : (tensor<2xf32>) -> tensor<2xf32>
    %first = fx.mul %swap, %swap : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %back = fx.view %first [2, 1] : (tensor<2xf32>) -> tensor<2x1xf32>
    %small = arith.mulf %f, %half : f64
    fx.yield %back, %n, %small : tensor<2x1xf32>, index, f64
  }
  return %swapped#0, %swapped#1, %none#0, %grown#0, %grown#1, %sized#1, %nested#0, %nested#1, %turned#0, %sized#0, %turned#2
      : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xi64>, tensor<i64>, tensor<i64>,
        tensor<2x1xf32>, index, f64
}
