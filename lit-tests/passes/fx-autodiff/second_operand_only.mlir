// Derivatives that PyTorch has by the second operand alone; by the first it is an error.
// RUN: fx-opt --fx-autodiff=by=1 --split-input-file %s | FileCheck %s
// RUN: fx-opt --fx-autodiff=by=0 --split-input-file -verify-diagnostics %s

// e^((a - 1) ln z - z - ln Γ(a))
// CHECK-LABEL: func.func @main
// CHECK-SAME:  %[[A:.*]]: tensor<4xf64>, %[[Z:.*]]: tensor<4xf64>
// CHECK-DAG:   %[[LESS:.*]] = fx.sub %[[A]], %{{.*}}
// CHECK-DAG:   %[[LOG:.*]] = fx.log %[[Z]]
// CHECK:       %[[POWER:.*]] = fx.mul %[[LESS]], %[[LOG]]
// CHECK:       %[[DECAY:.*]] = fx.sub %[[POWER]], %[[Z]]
// CHECK:       %[[GAMMA:.*]] = fx.lgamma %[[A]]
// CHECK:       %[[EXPONENT:.*]] = fx.sub %[[DECAY]], %[[GAMMA]]
// CHECK:       fx.exp %[[EXPONENT]]
func.func @main(%a: tensor<4xf64>, %z: tensor<4xf64>) -> tensor<4xf64> {
  // expected-error @+1 {{'fx.igamma' op cannot be differentiated by its first operand: PyTorch has no derivative either}}
  %y = fx.igamma %a, %z : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
  return %y : tensor<4xf64>
}

// -----

// -x ζ(x + 1, q)
// CHECK-LABEL: func.func @main
// CHECK-SAME:  %[[X:.*]]: tensor<4xf64>, %[[Q:.*]]: tensor<4xf64>
// CHECK:       %[[MORE:.*]] = fx.add %[[X]], %{{.*}}
// CHECK:       %[[ZETA:.*]] = fx.special_zeta %[[MORE]], %[[Q]]
// CHECK:       %[[NEGATED:.*]] = fx.neg %[[X]]
// CHECK:       %[[SCALED:.*]] = fx.mul %{{.*}}, %[[NEGATED]]
// CHECK:       fx.mul %[[SCALED]], %[[ZETA]]
func.func @main(%x: tensor<4xf64>, %q: tensor<4xf64>) -> tensor<4xf64> {
  // expected-error @+1 {{'fx.special_zeta' op cannot be differentiated by its first operand: PyTorch has no derivative either}}
  %y = fx.special_zeta %x, %q : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
  return %y : tensor<4xf64>
}
