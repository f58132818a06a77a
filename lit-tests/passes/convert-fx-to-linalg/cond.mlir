// A conditional becomes scf.if; a size that both regions agree on is known after it.
// RUN: fx-opt %s --pass-pipeline='builtin.module(func.func(convert-fx-to-linalg))' | FileCheck %s

// CHECK-LABEL: func.func @agreed(
// CHECK:         %[[P:.*]] = tensor.extract %{{.*}}[%{{.*}}] : tensor<1xi1>
// CHECK:         %[[Y:.*]] = scf.if %[[P]] -> (tensor<4xf32>)
// CHECK:           math.exp
// CHECK:         } else {
// CHECK:           scf.yield
// CHECK:         tensor.cast %[[Y]] : tensor<4xf32> to tensor<?xf32>
func.func @agreed(%p: tensor<1xi1>, %x: tensor<4xf32>) -> tensor<?xf32> {
  %y = fx.cond %p : tensor<1xi1> -> (tensor<?xf32>) {
    %a = fx.exp %x : (tensor<4xf32>) -> tensor<4xf32>
    fx.yield %a : tensor<4xf32>
  } else {
    fx.yield %x : tensor<4xf32>
  }
  return %y : tensor<?xf32>
}

// CHECK-LABEL: func.func @differing(
// CHECK:         %[[Y:.*]]:2 = scf.if %{{.*}} -> (tensor<?xf32>, index)
// CHECK:           tensor.cast %{{.*}} : tensor<4xf32> to tensor<?xf32>
// CHECK:         } else {
// CHECK:           tensor.cast %{{.*}} : tensor<3xf32> to tensor<?xf32>
// CHECK:         tensor.dim %[[Y]]#0
func.func @differing(%p: i1, %x: tensor<4xf32>, %z: tensor<3xf32>, %n: index) -> (tensor<?xf32>, index) {
  %y:2 = fx.cond %p : i1 -> (tensor<?xf32>, index) {
    fx.yield %x, %n : tensor<4xf32>, index
  } else {
    %zero = arith.constant 0 : index
    fx.yield %z, %zero : tensor<3xf32>, index
  }
  %e = fx.exp %y#0 : (tensor<?xf32>) -> tensor<?xf32>
  return %e, %y#1 : tensor<?xf32>, index
}
