// Linear algebra is calls of host functions: batch dims broadcast, shared sizes are the smaller ones.
// RUN: fx-opt %s --pass-pipeline='builtin.module(func.func(convert-fx-to-linalg))' | FileCheck %s

// CHECK-LABEL: func.func @svd(
// CHECK:         %[[SHARED:.*]] = arith.minsi
// CHECK:         fx.call "fx::linalg_svd"(%{{.*}}, %[[SHARED]], %{{.*}}) args {full = false, vectors = true}
// CHECK-SAME:      fx.result_dims = {{\[\[}}2, 4, "arg1"], [2, "arg1"], [2, "arg1", "arg2"]]
func.func @svd(%a: tensor<2x4x?xf32>) -> (tensor<2x4x?xf32>, tensor<2x?xf32>, tensor<2x?x?xf32>) {
  %u, %s, %v = fx.linalg_svd %a {full_matrices = false} : (tensor<2x4x?xf32>) -> (tensor<2x4x?xf32>, tensor<2x?xf32>, tensor<2x?x?xf32>)
  return %u, %s, %v : tensor<2x4x?xf32>, tensor<2x?xf32>, tensor<2x?x?xf32>
}

// CHECK-LABEL: func.func @qr(
// CHECK:         fx.call "fx::linalg_qr"(%{{.*}}) args {mode = "r"}
// CHECK-SAME:      -> (tensor<0xf64>, tensor<3x5xf64>)
func.func @qr(%a: tensor<3x5xf64>) -> tensor<3x5xf64> {
  %q, %r = fx.linalg_qr %a {mode = "r"} : (tensor<3x5xf64>) -> (tensor<0xf64>, tensor<3x5xf64>)
  return %r : tensor<3x5xf64>
}

// CHECK-LABEL: func.func @solve(
// CHECK:         fx.call "fx::linalg_solve_ex"(%{{.*}}, %{{.*}}) args {check = false, left = true, vector = false}
// CHECK-SAME:      -> (tensor<5x2x4x3xf32>, tensor<5x1x4x4xf32>, tensor<5x1x4xi32>, tensor<5x1xi32>)
func.func @solve(%a: tensor<5x1x4x4xf32>, %b: tensor<2x4x3xf32>) -> tensor<5x2x4x3xf32> {
  %x:4 = fx.linalg_solve_ex %a, %b : (tensor<5x1x4x4xf32>, tensor<2x4x3xf32>)
      -> (tensor<5x2x4x3xf32>, tensor<5x1x4x4xf32>, tensor<5x1x4xi32>, tensor<5x1xi32>)
  return %x#0 : tensor<5x2x4x3xf32>
}

// A matrix too many is a vector for each matrix.
// CHECK-LABEL: func.func @solve_vectors(
// CHECK:         fx.call "fx::linalg_solve_ex"(%{{.*}}, %{{.*}}) args {check = true, left = true, vector = true}
func.func @solve_vectors(%a: tensor<5x4x4xf32>, %b: tensor<5x4xf32>) -> tensor<5x4xf32> {
  %x:4 = fx.linalg_solve_ex %a, %b {check_errors = true} : (tensor<5x4x4xf32>, tensor<5x4xf32>)
      -> (tensor<5x4xf32>, tensor<5x4x4xf32>, tensor<5x4xi32>, tensor<5xi32>)
  return %x#0 : tensor<5x4xf32>
}

// The copy of the coefficients is of the common batch.
// CHECK-LABEL: func.func @triangular_solve(
// CHECK:         %[[COPY:.*]] = linalg.generic
// CHECK:         %[[X:.*]] = fx.call "fx::linalg_solve_triangular"(%{{.*}}, %{{.*}}) args {left = true, transpose = true, unit = false, upper = true}
// CHECK:         return %[[X]], %[[COPY]]
func.func @triangular_solve(%b: tensor<2x4x3xf32>, %a: tensor<4x4xf32>) -> (tensor<2x4x3xf32>, tensor<2x4x4xf32>) {
  %x, %c = fx.triangular_solve %b, %a {transpose = true} : (tensor<2x4x3xf32>, tensor<4x4xf32>) -> (tensor<2x4x3xf32>, tensor<2x4x4xf32>)
  return %x, %c : tensor<2x4x3xf32>, tensor<2x4x4xf32>
}
