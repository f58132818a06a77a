// Recurrent layers: the input's part of all gates is one product; steps are written out, or scanned where there are many.
// RUN: fx-opt %s --pass-pipeline='builtin.module(func.func(fx-decompose))' | FileCheck %s

// CHECK-LABEL: func.func @few(
// CHECK-NOT:     fx.scan
// CHECK-COUNT-4: fx.mm
// CHECK-NOT:     fx.mm
// CHECK:         fx.stack
// CHECK-NOT:     fx.rnn_tanh
func.func @few(%x: tensor<3x2x5xf32>, %h: tensor<1x2x4xf32>, %wi: tensor<4x5xf32>, %wh: tensor<4x4xf32>) -> tensor<3x2x4xf32> {
  %y:2 = fx.rnn_tanh %x, %h params(%wi, %wh) {has_biases = false, num_layers = 1 : i64, dropout = 0.0 : f64, train = false, bidirectional = false, batch_first = false}
      : (tensor<3x2x5xf32>, tensor<1x2x4xf32>, tensor<4x5xf32>, tensor<4x4xf32>) -> (tensor<3x2x4xf32>, tensor<1x2x4xf32>)
  return %y#0 : tensor<3x2x4xf32>
}

// CHECK-LABEL: func.func @many(
// CHECK:         fx.mm
// CHECK:         %[[S:.*]]:3 = fx.scan init(%{{.*}}, %{{.*}}) xs(%[[GATES:.*]]) : (tensor<2x4xf32>, tensor<2x4xf32>, tensor<40x2x16xf32>)
// CHECK:         ^bb0(%[[H:.*]]: tensor<2x4xf32>, %[[C:.*]]: tensor<2x4xf32>, %[[G:.*]]: tensor<2x16xf32>):
// CHECK:           fx.mm
// CHECK:           %[[SUM:.*]] = fx.add %{{.*}}, %[[G]]
// CHECK:           fx.slice %[[SUM]]
// CHECK:           fx.mul %{{.*}}, %[[C]]
// CHECK:           fx.yield %[[NEXT:.*]], %{{.*}}, %[[NEXT]]
// CHECK-NOT:     fx.mm
// CHECK:         return %[[S]]#2
func.func @many(%x: tensor<40x2x5xf32>, %h: tensor<1x2x4xf32>, %wi: tensor<16x5xf32>, %wh: tensor<16x4xf32>) -> tensor<40x2x4xf32> {
  %y:3 = fx.lstm %x hx(%h, %h) params(%wi, %wh) {has_biases = false, num_layers = 1 : i64, dropout = 0.0 : f64, train = false, bidirectional = false, batch_first = false}
      : (tensor<40x2x5xf32>, tensor<1x2x4xf32>, tensor<1x2x4xf32>, tensor<16x5xf32>, tensor<16x4xf32>) -> (tensor<40x2x4xf32>, tensor<1x2x4xf32>, tensor<1x2x4xf32>)
  return %y#0 : tensor<40x2x4xf32>
}
