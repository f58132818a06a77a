// Values that go to computed places: a GPU's memory joins them itself, floats of one row four at a time where it can; what it
// cannot do is tried until no other thread came between.
// REQUIRES: ptxas
// RUN: fxc compile %s --target=sm_90a --emit=gpu | FileCheck %s
// RUN: fxc compile %s --target=sm_90a --emit=ptx > %t.ptx && ptxas -arch=sm_90a -o /dev/null %t.ptx
// RUN: FileCheck %s --check-prefix=PTX < %t.ptx
// RUN: fxc compile %s --target=sm_80 --emit=ptx > %t80.ptx && ptxas -arch=sm_80 -o /dev/null %t80.ptx
// RUN: FileCheck %s --check-prefix=SINGLE < %t80.ptx

// The index is read, checked and multiplied once for four values of a row.
// CHECK:       gpu.func @kernel_0({{.*}}fx.schedule = "scatter width=4"
// CHECK-COUNT-4: arith.mulf
// CHECK:         %[[THERE:.*]] = arith.cmpi sge, %{{.*}}, %{{.*}} : i64
// CHECK:         scf.if %[[THERE]]
// CHECK:           llvm.addrspacecast %{{.*}} : !llvm.ptr to !llvm.ptr<1>
// CHECK:           llvm.inline_asm has_side_effects "red.global.add.v4.f32 [$0], {$1, $2, $3, $4};", "l,f,f,f,f,~{memory}"
// CHECK-NOT:       llvm.inline_asm
// CHECK:       gpu.func @kernel_1(
// PTX-LABEL:   .entry kernel_0(
// PTX:           ld.global.nc.v4.b32
// PTX:           red.global.add.v4.f32
// SINGLE-LABEL: .entry kernel_0(
// SINGLE-COUNT-4: red.global.add.f32
// SINGLE-NOT:     red.global.add.v

// Each of four values has a place of its own. Halves are summed as floats, between two conversions.
// PTX-LABEL:   .entry kernel_1(
// PTX:           cvt.f32.bf16
// PTX-LABEL:   .entry kernel_2(
// PTX-COUNT-4:   red.global.add.f32
// PTX-LABEL:   .entry kernel_3(
// PTX:           cvt.rn.bf16

// CHECK:       gpu.func @kernel_4(
// CHECK:         scf.while (%[[EXPECTED:.*]] = %{{.*}}) : (i32) -> i32 {
// CHECK:           %[[OLD:.*]] = arith.bitcast %[[EXPECTED]] : i32 to f32
// CHECK:           %[[NEW:.*]] = arith.maximumf %[[OLD]], %{{.*}} : f32
// CHECK:           %[[BITS:.*]] = arith.bitcast %[[NEW]] : f32 to i32
// CHECK:           %[[FOUND:.*]] = llvm.inline_asm has_side_effects "atom.global.cas.b32 $0, [$1], $2, $3;", "=r,l,r,r,~{memory}" %{{.*}}, %[[EXPECTED]], %[[BITS]]
// CHECK:           %[[AGAIN:.*]] = arith.cmpi ne, %[[FOUND]], %[[EXPECTED]] : i32
// CHECK:           scf.condition(%[[AGAIN]]) %[[FOUND]] : i32

// PTX-LABEL:   .entry kernel_5(
// PTX:           red.global.min.s64
// What is written is stored.
// PTX-LABEL:   .entry kernel_6(
// PTX-NOT:       {{red|atom}}.global
// PTX:           st.global.b32
func.func @main(%x: tensor<512x64xf32>, %i: tensor<1024xi64>, %s: tensor<1024x64xf32>, %j: tensor<512x64xi64>, %h: tensor<512x64xbf16>)
    -> (tensor<512x64xf32>, tensor<512x64xbf16>, tensor<512x64xf32>, tensor<512x64xi64>, tensor<512x64xf32>) {
  %rows = fx.index_add %x, %i, %s dim 0 {alpha = 2.0 : f64} : (tensor<512x64xf32>, tensor<1024xi64>, tensor<1024x64xf32>) -> tensor<512x64xf32>
  %sums = fx.scatter_add %h, %j, %h dim 0 : (tensor<512x64xbf16>, tensor<512x64xi64>, tensor<512x64xbf16>) -> tensor<512x64xbf16>
  %largest = fx.scatter_reduce %x, %j, %x dim 0 {reduce = "amax"} : (tensor<512x64xf32>, tensor<512x64xi64>, tensor<512x64xf32>) -> tensor<512x64xf32>
  %least = fx.scatter_reduce %j, %j, %j dim 0 {reduce = "amin"} : (tensor<512x64xi64>, tensor<512x64xi64>, tensor<512x64xi64>) -> tensor<512x64xi64>
  %written = fx.scatter %x, %j, %x dim 1 : (tensor<512x64xf32>, tensor<512x64xi64>, tensor<512x64xf32>) -> tensor<512x64xf32>
  return %rows, %sums, %largest, %least, %written : tensor<512x64xf32>, tensor<512x64xbf16>, tensor<512x64xf32>, tensor<512x64xi64>, tensor<512x64xf32>
}
