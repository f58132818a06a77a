// Inverse circular functions of complex numbers are real functions of their parts, in f64.
// RUN: fx-opt %s --pass-pipeline='builtin.module(func.func(convert-fx-to-linalg))' | FileCheck %s

// CHECK-LABEL: func.func @acos(
// CHECK:           %[[RE:.*]] = complex.re
// CHECK:           %[[IM:.*]] = complex.im
// CHECK-DAG:       arith.extf %[[RE]] : f32 to f64
// CHECK-DAG:       arith.extf %[[IM]] : f32 to f64
// CHECK:           math.atan2
// CHECK:           math.asinh
// CHECK:           complex.create %{{.*}}, %{{.*}} : complex<f32>
func.func @acos(%z: tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>> {
  %y = fx.acos %z : (tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
  return %y : tensor<4xcomplex<f32>>
}
