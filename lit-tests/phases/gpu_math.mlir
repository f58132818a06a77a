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

func.func @wide(%x: f64) -> f64 {
  // expected-error @+2 {{'math.exp' op on f64 has no device code yet}}
  // expected-note @+1 {{its expansion would stand in crates/fx-codegen/src/float_math.rs}}
  %y = math.exp %x : f64
  return %y : f64
}
