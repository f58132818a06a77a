// A product of bf16 goes through the matrix unit of a processor that has one, what follows it is computed from the sums;
// elsewhere numbers are widened and go through multiply-adds of vectors. The plan says which code needs the unit.
// RUN: fxc compile %s --target=sapphirerapids --emit=gpu | FileCheck %s
// RUN: fxc compile %s --target=x86-64-v4 --emit=gpu | FileCheck %s --check-prefix=VECTOR
// RUN: fxc compile %s --target=sapphirerapids --emit=plan | FileCheck %s --check-prefix=PLAN
// RUN: fxc compile %s --target=x86-64-v4 --emit=plan | FileCheck %s --check-prefix=NONE

// CHECK:          func.func @kernel_0(
// CHECK:          llvm.call_intrinsic "llvm.x86.ldtilecfg"
// Columns of the second factor are transposed by words into the panel.
// CHECK-COUNT-64: vector.shuffle
// CHECK-COUNT-16: vector.store %{{.*}} : memref<65536xbf16>, vector<32xbf16>
// Whole groups of rows are read in place, rows 1024 bytes apart.
// CHECK:          arith.constant 1024 : index
// CHECK-COUNT-2:  llvm.call_intrinsic "llvm.x86.tilezero"
// The panel passes by, two rows of tiles are read for each of its tiles: four tiles in all. Eight steps are an iteration.
// CHECK:          scf.for %{{.*}} = %c0 to %{{.*}} step %c8 {
// CHECK:          llvm.call_intrinsic "llvm.x86.tileloaddt164"
// CHECK-COUNT-16: llvm.call_intrinsic "llvm.x86.tdpbf16ps"
// CHECK-NOT:      llvm.call_intrinsic "llvm.x86.tdpbf16ps"
// CHECK-COUNT-2:  llvm.call_intrinsic "llvm.x86.tilestored64"
// The last three rows are packed: one row of tiles.
// CHECK:          vector.store %{{.*}} : memref<16384xbf16>, vector<32xbf16>
// CHECK-COUNT-8:  llvm.call_intrinsic "llvm.x86.tdpbf16ps"
// CHECK-NOT:      llvm.call_intrinsic "llvm.x86.tdpbf16ps"
// CHECK:          llvm.call_intrinsic "llvm.x86.tilestored64"
// CHECK-NOT:      llvm.call_intrinsic "llvm.x86.t{{dp|ilestore}}
// What follows rounds by one instruction.
// CHECK:          arith.maximumf
// CHECK:          llvm.fptrunc
// CHECK:          llvm.call_intrinsic "llvm.x86.tilerelease"

// VECTOR-NOT:    llvm.x86
// VECTOR:        arith.extf %{{.*}} : vector<16xbf16> to vector<16xf32>
// VECTOR:        vector.fma %{{.*}} : vector<16xf32>
// VECTOR-NOT:    llvm.x86

// PLAN:          "kind": "elf_object"
// PLAN-NEXT:     "needs": [
// PLAN-NEXT:       "amx_bf16"

// NONE:          "kind": "elf_object"
// NONE-NOT:      "needs"
func.func @main(%x: tensor<131x512xbf16>, %w: tensor<256x512xbf16>, %b: tensor<256xbf16>) -> tensor<131x256xbf16> {
  %y = fx.linear %x, %w, %b : (tensor<131x512xbf16>, tensor<256x512xbf16>, tensor<256xbf16>) -> tensor<131x256xbf16>
  %z = fx.relu %y : (tensor<131x256xbf16>) -> tensor<131x256xbf16>
  return %z : tensor<131x256xbf16>
}
