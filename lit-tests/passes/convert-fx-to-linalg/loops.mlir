// Integers with a loop per element, and floats by their bits.
// RUN: fx-opt %s --pass-pipeline='builtin.module(func.func(convert-fx-to-linalg))' | FileCheck %s

// CHECK-LABEL: func.func @gcd(
// CHECK:         linalg.generic
// CHECK:           %[[PAIR:.*]]:2 = scf.while (%[[A:.*]] = %{{.*}}, %[[B:.*]] = %{{.*}}) : (i16, i16) -> (i16, i16)
// CHECK:             %[[MORE:.*]] = arith.cmpi ne, %[[A]], %{{.*}} : i16
// CHECK:             scf.condition(%[[MORE]]) %[[A]], %[[B]]
// CHECK:           ^bb0(%[[C:.*]]: i16, %[[D:.*]]: i16):
// CHECK:             %[[REST:.*]] = arith.remsi %[[D]], %[[C]] : i16
// CHECK:             scf.yield %[[REST]], %[[C]]
// CHECK:           linalg.yield %[[PAIR]]#1
func.func @gcd(%a: tensor<4xi16>, %b: tensor<1xi16>) -> tensor<4xi16> {
  %y = fx.gcd %a, %b : (tensor<4xi16>, tensor<1xi16>) -> tensor<4xi16>
  return %y : tensor<4xi16>
}

// Bytes have no sign, and are promoted as in C: only the result is cut off.
// CHECK-LABEL: func.func @lcm(
// CHECK-COUNT-2:   arith.extui %{{.*}} : i8 to i32
// CHECK:           arith.remsi %{{.*}} : i32
// CHECK:           arith.divsi %{{.*}} : i32
// CHECK:           arith.trunci %{{.*}} : i32 to i8
func.func @lcm(%a: tensor<4xui8>, %b: tensor<4xui8>) -> tensor<4xui8> {
  %y = fx.lcm %a, %b : (tensor<4xui8>, tensor<4xui8>) -> tensor<4xui8>
  return %y : tensor<4xui8>
}

// CHECK-LABEL: func.func @nextafter(
// CHECK:           arith.bitcast %{{.*}} : bf16 to i16
// CHECK:           arith.addi
// CHECK:           arith.bitcast %{{.*}} : i16 to bf16
func.func @nextafter(%a: tensor<4xbf16>, %b: tensor<4xbf16>) -> tensor<4xbf16> {
  %y = fx.nextafter %a, %b : (tensor<4xbf16>, tensor<4xbf16>) -> tensor<4xbf16>
  return %y : tensor<4xbf16>
}
