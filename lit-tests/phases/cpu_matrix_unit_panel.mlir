// Where many columns read the first factor, its rows are packed too: two tiles for each 32 products, beside each other. With all
// products in one slice a task is 32 rows; the panel of 512 columns stays from task to task, so each thread has one piece. Rows
// are packed in parts of 512 products, between which sums are kept.
// RUN: fxc compile %s --target=sapphirerapids --emit=gpu | FileCheck %s
// RUN: fxc compile %s --target=sapphirerapids --emit=plan | FileCheck %s --check-prefix=PLAN

// CHECK:     func.func @kernel_0(
// CHECK:       llvm.call_intrinsic "llvm.x86.ldtilecfg"
// The panel, two tiles at a time: two rows of the second factor make a row of words of each.
// CHECK:       scf.if
// CHECK:         vector.load {{.*}}, vector<32xbf16>
// CHECK:         vector.load {{.*}}, vector<32xbf16>
// CHECK:         vector.shuffle {{.*}} [0, 32, 1, 33,
// CHECK:         vector.store %{{.*}} : memref<524288xbf16>, vector<32xbf16>
// CHECK:         vector.shuffle {{.*}} [16, 48, 17, 49,
// CHECK:         vector.store %{{.*}} : memref<524288xbf16>, vector<32xbf16>
// The rows of a task, a part of them at a time.
// CHECK:       scf.for %{{.*}} = %c0 to %{{.*}} step %c32 {
// CHECK-NEXT:  scf.for %{{.*}} = %c0 to %{{.*}} step %c512 {
// CHECK:       vector.load {{.*}}, vector<32xbf16>
// CHECK:       vector.store %{{.*}} : memref<16384xbf16>, vector<32xbf16>
// CHECK-COUNT-2: llvm.call_intrinsic "llvm.x86.tilezero"
// CHECK:       scf.if
// CHECK-COUNT-2: llvm.call_intrinsic "llvm.x86.tileloadd64"
// CHECK-NOT:   llvm.call_intrinsic "llvm.x86.tdp
// CHECK-COUNT-16: llvm.call_intrinsic "llvm.x86.tdp
// CHECK-NOT:   llvm.call_intrinsic "llvm.x86.tdp

// PLAN:        "range": {
// PLAN:          "const": 64
// PLAN:          "grain": 1,
// PLAN-NEXT:     "pieces": 1
func.func @main(%x: tensor<1024x1024xbf16>, %w: tensor<1024x1024xbf16>) -> tensor<1024x1024xbf16> {
  %y = fx.mm %x, %w : (tensor<1024x1024xbf16>, tensor<1024x1024xbf16>) -> tensor<1024x1024xbf16>
  return %y : tensor<1024x1024xbf16>
}
