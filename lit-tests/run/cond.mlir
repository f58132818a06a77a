// Branches: numbers and tensors, sizes that differ, a choice between what is there already, nothing at all.
// RUN: fxc run %s --arg 0=1 | FileCheck %s --check-prefixes=YES,BOTH
// RUN: fxc run %s --arg 0=-1 | FileCheck %s --check-prefixes=NO,BOTH
// RUN: not fxc run %s --arg 0=-5 2>&1 | FileCheck %s --check-prefix=CHECKED

// YES:       output.0 f32 [2] {{.*}} [1, 2]
// YES-NEXT:  output.1 f32 [3] {{.*}} [1, 1, 1]
// YES-NEXT:  output.2 u8 [2] {{.*}} [200, 3]
// YES-NEXT:  output.3 f32 [2] {{.*}} [2, 4]
// NO:        output.0 f32 [3] {{.*}} [10, 20, 30]
// NO-NEXT:   output.1 f32 [3] {{.*}} [1, 1, 1]
// NO-NEXT:   output.2 u8 [2] {{.*}} [7, 8]
// NO-NEXT:   output.3 f32 [2] {{.*}} [2, 4]
// YES-NEXT:  scalar.0 i64 []  [3]
// YES-NEXT:  scalar.1 f64 []  [0.500000]
// YES-NEXT:  scalar.2 bool []  [1]
// NO-NEXT:   scalar.0 i64 []  [-2]
// NO-NEXT:   scalar.1 f64 []  [-1]
// NO-NEXT:   scalar.2 bool []  [0]
// BOTH-NEXT: scalar.3 i64 []  [200]
// CHECKED: error: assertion failed: {{.*}}:36:5: a number must not be below -4
func.func @main(%n: index) -> (tensor<?xf32>, tensor<?xf32>, tensor<2xui8>, tensor<2xf32>, index, f64, i1, i64) {
  %i0 = arith.constant 0 : index
  %p = arith.cmpi sgt, %n, %i0 : index
  %a = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %b = arith.constant dense<[10.0, 20.0, 30.0]> : tensor<3xf32>
  %u = arith.constant dense<[200, 3]> : tensor<2xui8>
  %v = arith.constant dense<[7, 8]> : tensor<2xui8>

  // No results, but a check.
  fx.cond %p : i1 {
    fx.yield
  } else {
    %least = arith.constant -4 : index
    %ok = arith.cmpi sge, %n, %least : index
    fx.assert %ok, "a number must not be below -4" : i1
    fx.yield
  }

  %sized = fx.cond %p : i1 -> (tensor<?xf32>) {
    fx.yield %a : tensor<2xf32>
  } else {
    fx.yield %b : tensor<3xf32>
  }

  %i3 = arith.constant 3 : index
  %ones = arith.constant 1.0 : f64
  %same = fx.cond %p : i1 -> (tensor<?xf32>) {
    %x = fx.full [%i3] %ones as f32 : (f64) -> tensor<?xf32>
    fx.yield %x : tensor<?xf32>
  } else {
    %x = fx.full [%i3] %ones as f32 : (f64) -> tensor<?xf32>
    %y = fx.mul %x, %x : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
    fx.yield %y : tensor<?xf32>
  }

  %bytes = fx.cond %p : i1 -> (tensor<2xui8>) {
    fx.yield %u : tensor<2xui8>
  } else {
    fx.yield %v : tensor<2xui8>
  }

  // A predicate of one dim.
  %yes = arith.constant dense<true> : tensor<1xi1>
  %doubled = fx.cond %yes : tensor<1xi1> -> (tensor<2xf32>) {
    %x = fx.add %a, %a : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    fx.yield %x : tensor<2xf32>
  } else {
    fx.yield %a : tensor<2xf32>
  }

  %numbers:3 = fx.cond %p : i1 -> (index, f64, i1) {
    %t = arith.constant true
    %h = arith.constant 5.0e-01 : f64
    fx.yield %i3, %h, %t : index, f64, i1
  } else {
    %f = arith.constant false
    %m = arith.addi %n, %n : index
    %neg = arith.constant -1.0 : f64
    fx.yield %m, %neg, %f : index, f64, i1
  }

  %first = fx.select %u dim 0 [0] : (tensor<2xui8>) -> tensor<ui8>
  %byte = fx.item %first : (tensor<ui8>) -> i64
  return %sized, %same, %bytes, %doubled, %numbers#0, %numbers#1, %numbers#2, %byte
      : tensor<?xf32>, tensor<?xf32>, tensor<2xui8>, tensor<2xf32>, index, f64, i1, i64
}
