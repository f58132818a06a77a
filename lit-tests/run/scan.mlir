// Scans and maps: carried values, stacked rows, no rows, rows of sizes that only a run knows, and loops inside.
// RUN: fxc run %s | FileCheck %s

// CHECK:      output.0 {{.*}} [9, 12]
// CHECK-NEXT: output.1 f32 [3, 2] {{.*}} [1, 2, 4, 6, 9, 12]
// Rows are stacked before they are changed; the carried row is a reshape.
// CHECK-NEXT: output.2 f32 [3, 2] {{.*}} [0, 0, 1, 2, 4, 6]
// No rows.
// CHECK-NEXT: output.3 {{.*}} [5, 5]
// CHECK-NEXT: output.4 f32 [0, 2]  []
// Rows that are twice as long as those that go in.
// CHECK-NEXT: output.5 f32 [3, 4] {{.*}} [1, 2, 1, 2, 3, 4, ..]
// A number is carried, and rows are numbers.
// CHECK-NEXT: output.6 i64 [4] {{.*}} [0, 2, 6, 12]
// CHECK-NEXT: output.7 i64 []  [4]
// Each element by the sum of its row: a map in a map.
// CHECK-NEXT: output.8 f32 [3, 2] {{.*}} [3, 6, 21, 28, 55, 66]
// A branch by the row, and a bool row.
// CHECK-NEXT: output.9 f32 [3, 2] {{.*}} [1, 2, 3, 4, -5, -6]
// CHECK-NEXT: output.10 bool [3] {{.*}}[1, 1, 0]
// CHECK-NEXT: scalar.0 i64 []  [4]
func.func @main() -> (tensor<2xf32>, tensor<3x2xf32>, tensor<3x2xf32>, tensor<2xf32>, tensor<0x2xf32>, tensor<?x?xf32>, tensor<4xi64>, tensor<i64>,
                      tensor<3x2xf32>, tensor<3x2xf32>, tensor<3xi1>, index) {
  %x = arith.constant dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]> : tensor<3x2xf32>
  %zero = arith.constant dense<0.0> : tensor<2xf32>
  %five = arith.constant dense<5.0> : tensor<2xf32>
  %i0 = arith.constant 0 : index

  %sums:2 = fx.scan init(%zero) xs(%x) : (tensor<2xf32>, tensor<3x2xf32>) -> (tensor<2xf32>, tensor<3x2xf32>) {
  ^bb0(%carry: tensor<2xf32>, %row: tensor<2xf32>):
    %next = fx.add %carry, %row : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    fx.yield %next, %next : tensor<2xf32>, tensor<2xf32>
  }

  %before:2 = fx.scan init(%zero) xs(%x) : (tensor<2xf32>, tensor<3x2xf32>) -> (tensor<2xf32>, tensor<3x2xf32>) {
  ^bb0(%carry: tensor<2xf32>, %row: tensor<2xf32>):
    %next = fx.add %carry, %row : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    fx.yield %next, %carry : tensor<2xf32>, tensor<2xf32>
  }

  %nothing = arith.constant dense<0.0> : tensor<0x2xf32>
  %none:2 = fx.scan init(%five) xs(%nothing) : (tensor<2xf32>, tensor<0x2xf32>) -> (tensor<2xf32>, tensor<0x2xf32>) {
  ^bb0(%carry: tensor<2xf32>, %row: tensor<2xf32>):
    %next = fx.add %carry, %row : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    fx.yield %next, %row : tensor<2xf32>, tensor<2xf32>
  }

  %d = tensor.cast %x : tensor<3x2xf32> to tensor<?x?xf32>
  %long = fx.map %d : (tensor<?x?xf32>) -> tensor<?x?xf32> {
  ^bb0(%row: tensor<?xf32>):
    %twice = fx.cat %row, %row dim 0 : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
    fx.yield %twice : tensor<?xf32>
  }

  %steps = arith.constant dense<[0, 1, 2, 3]> : tensor<4xi64>
  %start = arith.constant dense<0> : tensor<i64>
  %counted:3 = fx.scan init(%i0, %start) xs(%steps) : (index, tensor<i64>, tensor<4xi64>) -> (index, tensor<i64>, tensor<4xi64>) {
  ^bb0(%n: index, %last: tensor<i64>, %k: tensor<i64>):
    %i1 = arith.constant 1 : index
    %next = arith.addi %n, %i1 : index
    %m = arith.index_cast %next : index to i64
    %product = fx.mul %k, %m : (tensor<i64>, i64) -> tensor<i64>
    %number = fx.full [] %m as i64 : (i64) -> tensor<i64>
    fx.yield %next, %number, %product : index, tensor<i64>, tensor<i64>
  }

  %scaled = fx.map %x : (tensor<3x2xf32>) -> tensor<3x2xf32> {
  ^bb0(%row: tensor<2xf32>):
    %sum = fx.sum %row dim [0] {keepdim = false} : (tensor<2xf32>) -> tensor<f32>
    %inner = fx.map %row : (tensor<2xf32>) -> tensor<2xf32> {
    ^bb0(%element: tensor<f32>):
      %y = fx.mul %element, %sum : (tensor<f32>, tensor<f32>) -> tensor<f32>
      fx.yield %y : tensor<f32>
    }
    fx.yield %inner : tensor<2xf32>
  }

  %limit = arith.constant 8.0 : f64
  %chosen:2 = fx.map %x : (tensor<3x2xf32>) -> (tensor<3x2xf32>, tensor<3xi1>) {
  ^bb0(%row: tensor<2xf32>):
    %sum = fx.sum %row dim [0] {keepdim = false} : (tensor<2xf32>) -> tensor<f32>
    %small = fx.lt %sum, %limit : (tensor<f32>, f64) -> tensor<i1>
    %y = fx.cond %small : tensor<i1> -> (tensor<2xf32>) {
      fx.yield %row : tensor<2xf32>
    } else {
      %n = fx.neg %row : (tensor<2xf32>) -> tensor<2xf32>
      fx.yield %n : tensor<2xf32>
    }
    fx.yield %y, %small : tensor<2xf32>, tensor<i1>
  }
  return %sums#0, %sums#1, %before#1, %none#0, %none#1, %long, %counted#2, %counted#1, %scaled, %chosen#0, %chosen#1, %counted#0
      : tensor<2xf32>, tensor<3x2xf32>, tensor<3x2xf32>, tensor<2xf32>, tensor<0x2xf32>, tensor<?x?xf32>, tensor<4xi64>, tensor<i64>,
        tensor<3x2xf32>, tensor<3x2xf32>, tensor<3xi1>, index
}
