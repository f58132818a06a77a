// Fourier transforms are calls of one host function, whose result's size says which frequencies there are.
// RUN: fx-opt %s --pass-pipeline='builtin.module(func.func(convert-fx-to-linalg))' | FileCheck %s

// CHECK-LABEL: func.func @halved(
// CHECK:         %[[N:.*]] = tensor.dim
// CHECK:         %[[HALF:.*]] = arith.floordivsi %[[N]], %{{.*}} : index
// CHECK:         %[[SIZE:.*]] = arith.addi %[[HALF]], %{{.*}} : index
// CHECK:         fx.call "fx::fft"(%{{.*}}, %[[SIZE]]) args {dim = [0, 1], forward = true, normalization = 1 : i64}
// CHECK-SAME:      fx.result_dims = {{\[\[}}4, "arg1"]]
// CHECK-SAME:      (tensor<4x?xf32>, index) -> tensor<4x?xcomplex<f32>>
func.func @halved(%x: tensor<4x?xf32>) -> tensor<4x?xcomplex<f32>> {
  %y = fx.fft_r2c %x dim [0, -1] {normalization = 1 : i64, onesided = true} : (tensor<4x?xf32>) -> tensor<4x?xcomplex<f32>>
  return %y : tensor<4x?xcomplex<f32>>
}

// CHECK-LABEL: func.func @back(
// CHECK:         fx.call "fx::fft"(%{{.*}}) args {dim = [1], forward = false, normalization = 2 : i64}
// CHECK-SAME:      (tensor<4x5xcomplex<f32>>) -> tensor<4x9xf32>
func.func @back(%x: tensor<4x5xcomplex<f32>>) -> tensor<4x9xf32> {
  %y = fx.fft_c2r %x dim [1] last_dim_size [9] {normalization = 2 : i64} : (tensor<4x5xcomplex<f32>>) -> tensor<4x9xf32>
  return %y : tensor<4x9xf32>
}

// A transform over no dims changes nothing.
// CHECK-LABEL: func.func @nothing(
// CHECK:         fx.call "fx::fft"(%{{.*}}) args {dim = [], forward = true
func.func @nothing(%x: tensor<4xcomplex<f64>>) -> tensor<4xcomplex<f64>> {
  %y = fx.fft_c2c %x dim [] {forward = true} : (tensor<4xcomplex<f64>>) -> tensor<4xcomplex<f64>>
  return %y : tensor<4xcomplex<f64>>
}
