// A conditional becomes scf.if; its regions may know more sizes than its results.
// RUN: fx-opt %s --pass-pipeline='builtin.module(func.func(convert-fx-to-linalg))' | FileCheck %s

// CHECK-LABEL: func.func @cond(
// CHECK:         %[[P:.*]] = tensor.extract %{{.*}}[] : tensor<i1>
// CHECK:         scf.if %[[P]] -> (tensor<?xf32>)
// CHECK:           math.exp
// CHECK:           tensor.cast %{{.*}} : tensor<4xf32> to tensor<?xf32>
// CHECK:         } else {
// CHECK:           scf.yield
func.func @cond(%p: tensor<i1>, %x: tensor<4xf32>) -> tensor<?xf32> {
  %y = fx.cond %p : tensor<i1> -> (tensor<?xf32>) {
    %a = fx.exp %x : (tensor<4xf32>) -> tensor<4xf32>
    fx.yield %a : tensor<4xf32>
  } else {
    fx.yield %x : tensor<4xf32>
  }
  return %y : tensor<?xf32>
}
