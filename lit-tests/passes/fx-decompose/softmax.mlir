// Softmax of a narrow float computes in f32 and rounds once, at the end.
// RUN: fx-opt %s --pass-pipeline='builtin.module(func.func(fx-decompose))' | FileCheck %s

// CHECK-LABEL: func.func @softmax(
// CHECK-SAME:    %[[X:.*]]: tensor<4x8xbf16>)
// CHECK:         %[[WIDE:.*]] = fx.to_copy %[[X]] as f32
// CHECK:         %[[MAX:.*]] = fx.amax %[[WIDE]] dim [1] {keepdim = true}
// CHECK:         %[[SHIFTED:.*]] = fx.sub %[[WIDE]], %[[MAX]]
// CHECK:         %[[EXP:.*]] = fx.exp %[[SHIFTED]]
// CHECK:         %[[SUM:.*]] = fx.sum %[[EXP]] dim [1] {keepdim = true}
// CHECK:         %[[SHARE:.*]] = fx.div %{{.*}}, %[[SUM]]
// CHECK:         %[[Y:.*]] = fx.mul %[[EXP]], %[[SHARE]]
// CHECK:         %[[NARROW:.*]] = fx.to_copy %[[Y]] as bf16
// CHECK:         return %[[NARROW]]
func.func @softmax(%x: tensor<4x8xbf16>) -> tensor<4x8xbf16> {
  %y = fx.softmax %x dim -1 : (tensor<4x8xbf16>) -> tensor<4x8xbf16>
  return %y : tensor<4x8xbf16>
}
