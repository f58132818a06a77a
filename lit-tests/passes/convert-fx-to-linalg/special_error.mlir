// Error functions: floats of 32 bits are widened, computed by polynomials in f64 without loops, and rounded once.
// RUN: fx-opt %s --pass-pipeline='builtin.module(func.func(convert-fx-to-linalg))' | FileCheck %s

// CHECK-LABEL: func.func @erfcx(
// CHECK:         linalg.generic
// CHECK:           %[[X:.*]] = arith.extf %{{.*}} : f32 to f64
// CHECK:           %[[SIZE:.*]] = math.absf %[[X]] : f64
// CHECK:           %[[SQUARE:.*]] = arith.mulf %[[X]], %[[X]] : f64
// CHECK:           math.exp %[[SQUARE]] : f64
// CHECK-NOT:     scf.
// CHECK:           %[[Y:.*]] = arith.truncf %{{.*}} : f64 to f32
// CHECK-NEXT:      linalg.yield %[[Y]] : f32
func.func @erfcx(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = fx.special_erfcx %x : (tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// Half precision is rounded to f32 first, as its kernels in PyTorch compute in f32.
// CHECK-LABEL: func.func @ndtri(
// CHECK:           %[[X:.*]] = arith.extf %{{.*}} : bf16 to f32
// CHECK:           arith.extf %[[X]] : f32 to f64
// CHECK:           math.log
// CHECK:           %[[Y:.*]] = arith.truncf %{{.*}} : f64 to f32
// CHECK-NEXT:      arith.truncf %[[Y]] : f32 to bf16
func.func @ndtri(%x: tensor<4xbf16>) -> tensor<4xbf16> {
  %y = fx.special_ndtri %x : (tensor<4xbf16>) -> tensor<4xbf16>
  return %y : tensor<4xbf16>
}
