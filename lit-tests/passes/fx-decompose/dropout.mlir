// Dropout draws its mask in training, and nothing otherwise.
// RUN: fx-opt %s --pass-pipeline='builtin.module(func.func(fx-decompose))' | FileCheck %s

// CHECK-LABEL: func.func @training(
// CHECK:         %[[MASK:.*]] = fx.bernoulli %{{.*}} p 7.500000e-01 : (tensor<4xi1>) -> tensor<4xi1>
// CHECK:         %[[KEPT:.*]] = fx.mul %{{.*}}, %[[MASK]]
// CHECK:         %[[Y:.*]] = fx.mul %[[KEPT]]
// CHECK:         return %[[Y]], %[[MASK]]
func.func @training(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xi1>) {
  %y, %m = fx.native_dropout %x p 0.25 train true : (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xi1>)
  return %y, %m : tensor<4xf32>, tensor<4xi1>
}

// CHECK-LABEL: func.func @evaluation(
// CHECK-SAME:    %[[X:.*]]: tensor<4xf32>
// CHECK-NOT:     fx.bernoulli
// CHECK:         return %[[X]]
func.func @evaluation(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xi1>) {
  %y, %m = fx.native_dropout %x p 0.25 train false : (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xi1>)
  return %y, %m : tensor<4xf32>, tensor<4xi1>
}

// CHECK-LABEL: func.func @slopes(
// CHECK:         %[[DRAWN:.*]] = fx.uniform %{{.*}} from 1.000000e-01 to 3.000000e-01
// CHECK:         %[[SLOPES:.*]] = fx.where %{{.*}}, %[[DRAWN]]
// CHECK:         fx.mul %{{.*}}, %[[SLOPES]]
func.func @slopes(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %y, %n = fx.rrelu_with_noise_functional %x, %x training true {lower = 0.1 : f64, upper = 0.3 : f64}
      : (tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  return %y, %n : tensor<4xf32>, tensor<4xf32>
}
