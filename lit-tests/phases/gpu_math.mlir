// Math functions become arithmetic and intrinsics that need no library; what has no expansion is an error.
// RUN: fx-opt %s -split-input-file -pass-pipeline='builtin.module(fx-expand-math)' -verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @exp
// CHECK-NOT:     math.
// CHECK:         llvm.call_intrinsic "llvm.fma"
// CHECK-NOT:     math.
// CHECK:         return
func.func @exp(%x: f32) -> f32 {
  %y = math.exp %x : f32
  return %y : f32
}

// -----

// CHECK-LABEL: func.func @narrow
// CHECK:         %[[WIDE:.*]] = arith.extf %{{.*}} : bf16 to f32
// CHECK:         %[[ROOT:.*]] = llvm.call_intrinsic "llvm.sqrt"(%[[WIDE]])
// CHECK:         arith.truncf %[[ROOT]] : f32 to bf16
func.func @narrow(%x: bf16) -> bf16 {
  %y = math.sqrt %x : bf16
  return %y : bf16
}

// -----

// CHECK-LABEL: func.func @integers
// CHECK-NOT:     math.
// CHECK:         scf.for
// CHECK-NOT:     math.
// CHECK:         return
func.func @integers(%x: i64, %y: i64) -> i64 {
  %p = math.ipowi %x, %y : i64
  %a = math.absi %p : i64
  return %a : i64
}

// -----

// CHECK-LABEL: func.func @wide
// CHECK-NOT:     math.
// CHECK:         llvm.call_intrinsic "llvm.fma"({{.*}}) : (f64, f64, f64) -> f64
// CHECK-NOT:     math.
// CHECK:         return
func.func @wide(%x: f64) -> f64 {
  %y = math.exp %x : f64
  return %y : f64
}

// -----

// Angles are reduced without memory; large ones take a branch.
// CHECK-LABEL: func.func @angle
// CHECK:         scf.if
// CHECK:           arith.mului_extended
// CHECK-NOT:     memref.
// CHECK:         return
func.func @angle(%x: f64) -> (f64, f64) {
  %s, %c = math.sincos %x : f64
  return %s, %c : f64, f64
}

// -----

// CHECK-LABEL: func.func @kinds
// CHECK-NOT:     math.
// CHECK:         arith.cmpf uno
// CHECK-NOT:     math.
// CHECK:         llvm.intr.ctlz
// CHECK-NOT:     math.
// CHECK:         return
func.func @kinds(%x: f16, %n: i32) -> (i1, i1, i32, i32) {
  %a = math.isnan %x : f16
  %b = math.isnormal %x : f16
  %c = math.ctlz %n : i32
  %d = math.ctpop %n : i32
  return %a, %b, %c, %d : i1, i1, i32, i32
}

// -----

func.func @vectors(%x: vector<4xf32>) -> vector<4xf32> {
  // expected-error @+2 {{'math.exp' op on vector<4xf32> has no device code yet}}
  // expected-note @+1 {{its expansion would stand in crates/fx-codegen/src/device_math}}
  %y = math.exp %x : vector<4xf32>
  return %y : vector<4xf32>
}
