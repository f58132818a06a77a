// The update takes the place of the gradient; rate and step are inputs, what follows from them alone is computed on the host.
// RUN: fx-opt %s --pass-pipeline='builtin.module(fx-optimizer{optimizer=sgd momentum=0.9 dampening=0.25 weight-decay=0.01})' | FileCheck %s --check-prefix=SGD
// RUN: fx-opt %s --pass-pipeline='builtin.module(fx-optimizer{optimizer=adamw weight-decay=0.01 keep-gradients=true})' | FileCheck %s --check-prefix=ADAMW

// SGD-LABEL: func.func @main(
// SGD-SAME:    %[[W:.*]]: tensor<4xf32> {{{.*}}fx.target = "w"}, %[[G:[^:]*]]: tensor<4xf32>,
// SGD-SAME:    %[[RATE:[^:]*]]: f64 {{{.*}}fx.target = "learning_rate"}, %[[STEP:[^:]*]]: i64 {{{.*}}fx.target = "step"},
// SGD-SAME:    %[[BUFFER:[^:]*]]: tensor<4xf32> {fx.kind = "buffer", {{.*}}fx.target = "optimizer.momentum_buffer.w"})
// SGD-SAME:    -> (tensor<f32>, tensor<4xf32> {fx.kind = "parameter_mutation", fx.mutates = "w"},
// SGD-SAME:    tensor<4xf32> {fx.kind = "buffer_mutation", fx.mutates = "optimizer.momentum_buffer.w"})
// SGD-DAG:     %[[FIRST:.*]] = arith.cmpi eq, %[[STEP]]
// SGD-DAG:     %[[SHARE:.*]] = arith.select %[[FIRST]]
// SGD-DAG:     %[[DOWN:.*]] = arith.negf %[[RATE]]
// SGD:         %[[DECAYED:.*]] = fx.add %[[G]], %[[W]] {alpha = 1.000000e-02
// SGD:         %[[NEW:.*]] = fx.mul %[[DECAYED]], %[[SHARE]]
// SGD:         %[[OLD:.*]] = fx.mul %[[BUFFER]],
// SGD:         %[[SUM:.*]] = fx.add %[[OLD]], %[[NEW]]
// SGD:         %[[CHANGE:.*]] = fx.mul %[[SUM]], %[[DOWN]]
// SGD:         %[[MOVED:.*]] = fx.add %[[W]], %[[CHANGE]]
// SGD:         return %{{.*}}, %[[MOVED]], %[[SUM]]

// ADAMW-LABEL: func.func @main(
// ADAMW-SAME:    %[[W:.*]]: tensor<4xf32> {{{.*}}fx.target = "w"}, %[[G:[^:]*]]: tensor<4xf32>,
// ADAMW-SAME:    %[[MEAN:[^:]*]]: tensor<4xf32> {fx.kind = "buffer", {{[^}]*}}fx.target = "optimizer.exp_avg.w"},
// ADAMW-SAME:    %[[SQUARE:[^:]*]]: tensor<4xf32> {fx.kind = "buffer", {{[^}]*}}fx.target = "optimizer.exp_avg_sq.w"})
// ADAMW:         fx.sum
// ADAMW:         %[[DECAYED:.*]] = fx.mul %[[W]]
// ADAMW:         %[[M:.*]] = fx.lerp %[[MEAN]], %[[G]]
// ADAMW:         %[[OLD:.*]] = fx.mul %[[SQUARE]]
// ADAMW:         %[[V:.*]] = fx.addcmul %[[OLD]], %[[G]], %[[G]]
// ADAMW:         %[[ROOT:.*]] = fx.sqrt %[[V]]
// ADAMW:         %[[MOVED:.*]] = fx.add %[[DECAYED]]
// ADAMW:         return %{{.*}}, %[[G]], %[[MOVED]], %[[M]], %[[V]]
func.func @main(%w: tensor<4xf32> {fx.kind = "parameter", fx.target = "w"}, %x: tensor<4xf32>)
    -> (tensor<f32>, tensor<4xf32> {fx.kind = "parameter_gradient", fx.target = "w"}) {
  %p = fx.mul %w, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %loss = fx.sum %p dim [0] : (tensor<4xf32>) -> tensor<f32>
  return %loss, %x : tensor<f32>, tensor<4xf32>
}
