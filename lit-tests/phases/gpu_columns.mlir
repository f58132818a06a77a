// What belongs to columns, where rows start anywhere in memory: neighbouring columns are taken out of aligned words, and moved. Only
// the last few, which are no whole words of half an access, are read one by one. Rows whose length a run knows share what belongs
// to columns, two and two.
// REQUIRES: ptxas
// RUN: fxc compile %s --target=sm_90a --emit=gpu | FileCheck %s
// RUN: fxc compile %s --target=sm_90a --emit=ptx > %t.ptx && ptxas -arch=sm_90a -v -o /dev/null %t.ptx 2> %t.log
// RUN: FileCheck %s --check-prefix=PTX < %t.ptx
// RUN: FileCheck %s --check-prefix=SPILLS < %t.log
// SPILLS-NOT: {{[1-9][0-9]*}} bytes spill

// CHECK:       gpu.func @kernel_0(
// CHECK-SAME:    fx.schedule = "registers threads=128 accesses=9 width=8 rows=1 shifted"
// CHECK:         gpu.barrier
// CHECK:         llvm.load {{.*}} invariant
// CHECK-COUNT-72: llvm.intr.fshr
// CHECK-NOT:     llvm.intr.fshr
// CHECK:         gpu.return
// PTX:         .entry kernel_0(
// PTX:         ld.global.nc.v4.b32
// PTX:         bar.sync
// PTX:         ld.global.nc.v2.b32
// PTX:         shf.r.wrap.b32
// PTX:         st.global.v4.b32
// PTX:         ret;

// Numbers of 32 bits need no funnel shift, whatever the width.
// CHECK:       gpu.func @kernel_1(
// CHECK-SAME:    fx.schedule = "registers threads=64 accesses=4 width=4 rows=1 shifted"
// CHECK:         llvm.load {{.*}} invariant
// CHECK-NOT:     llvm.intr.fshr
// CHECK:         gpu.return

// CHECK:       gpu.func @kernel_2(
// CHECK-SAME:    fx.schedule = "staged threads=256 width=8 rows=16 up to 2048 rows=2 up to 29056"
// PTX:         .entry kernel_2(
// PTX-COUNT-2: cp.async.cg
// PTX:         ret;
func.func @main(%a: tensor<1024x8191xbf16>, %w: tensor<8191xbf16>, %v: tensor<8191xbf16>, %b: tensor<1024x1001xf32>, %u: tensor<1001xf32>,
                %c: tensor<?x?xbf16> {fx.dims = ["s0", "s1"]}, %t: tensor<?xbf16> {fx.dims = ["s1"]})
    -> (tensor<1024x8191xbf16>, tensor<1024x1001xf32>, tensor<?x?xbf16>)
    attributes {fx.symbols = {s0 = array<i64: 1, -1>, s1 = array<i64: 2, -1>}} {
  %0 = fx.layer_norm %a normalized_shape [8191] weight %w bias %v {eps = 1.0e-5 : f64} : (tensor<1024x8191xbf16>, tensor<8191xbf16>, tensor<8191xbf16>) -> tensor<1024x8191xbf16>
  %1 = fx.rms_norm %b normalized_shape [1001] weight %u {eps = 1.0e-5 : f64} : (tensor<1024x1001xf32>, tensor<1001xf32>) -> tensor<1024x1001xf32>
  %s1 = fx.size %c dim 1 : tensor<?x?xbf16>
  %2 = fx.layer_norm %c normalized_shape [%s1] weight %t {eps = 1.0e-5 : f64} : (tensor<?x?xbf16>, index, tensor<?xbf16>) -> tensor<?x?xbf16>
  return %0, %1, %2 : tensor<1024x8191xbf16>, tensor<1024x1001xf32>, tensor<?x?xbf16>
}
