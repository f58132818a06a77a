// Rows whose length a run knows are read in accesses of 16 bytes where it is a multiple of these, else element by element.
// REQUIRES: ptxas
// RUN: fxc compile %s --target=sm_90a --emit=gpu | FileCheck %s
// RUN: fxc compile %s --target=sm_90a --emit=ptx > %t.ptx && ptxas -arch=sm_90a -o /dev/null %t.ptx
// RUN: FileCheck %s --check-prefix=PTX < %t.ptx
// RUN: fxc compile %s --target=cpu -o %t.fxb

// CHECK:       gpu.func @kernel_0({{.*}}fx.schedule = "teams threads=128"
// CHECK:         %[[OVER:.*]] = arith.remui
// CHECK:         %[[EVEN:.*]] = arith.cmpi eq, %[[OVER]]
// CHECK:         scf.if %[[EVEN]] {
// CHECK-COUNT-3:   scf.for
// CHECK:         } else {
// CHECK-COUNT-3:   scf.for
// PTX:           .entry kernel_0(
// PTX-DAG:       ld.global.nc.v4.b32
// PTX-DAG:       st.global.v4.b32
// PTX-DAG:       ld.global.nc.b16
func.func @main(%x: tensor<?x?xbf16> {fx.dims = ["s0", "s1"]}) -> tensor<?x?xbf16> attributes {fx.symbols = {s0 = array<i64: 2, -1>, s1 = array<i64: 2, -1>}} {
  %0 = fx.softmax %x dim 1 : (tensor<?x?xbf16>) -> tensor<?x?xbf16>
  return %0 : tensor<?x?xbf16>
}
