// What PyTorch computes as one op is rounded once: a parameter in half precision is moved in f32.
// RUN: fx-opt %s --pass-pipeline='builtin.module(fx-optimizer)' | FileCheck %s

// CHECK-LABEL: func.func @main(
// CHECK-SAME:    %[[W:.*]]: tensor<4xbf16> {{{.*}}fx.target = "w"}, %[[G:[^:]*]]: tensor<4xbf16>
// CHECK:         %[[WIDE:.*]] = fx.to_copy %[[G]] {{.*}} -> tensor<4xf32>
// CHECK:         %[[CHANGE:.*]] = fx.mul %[[WIDE]]
// CHECK:         %[[FROM:.*]] = fx.to_copy %[[W]] {{.*}} -> tensor<4xf32>
// CHECK:         %[[TO:.*]] = fx.add %[[FROM]], %[[CHANGE]]
// CHECK:         %[[NEW:.*]] = fx.to_copy %[[TO]] {{.*}} -> tensor<4xbf16>
// CHECK:         return %[[NEW]]
func.func @main(%w: tensor<4xbf16> {fx.kind = "parameter", fx.target = "w"}, %g: tensor<4xbf16>)
    -> (tensor<4xbf16> {fx.kind = "parameter_gradient", fx.target = "w"}) {
  return %g : tensor<4xbf16>
}
