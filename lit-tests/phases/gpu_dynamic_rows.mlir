// Rows whose length a run knows are read in accesses of 16 bytes where it is a multiple of these, else element by element.
// REQUIRES: ptxas
// RUN: fxc compile %s --target=sm_90a --emit=gpu | FileCheck %s
// RUN: fxc compile %s --target=sm_90a --emit=ptx > %t.ptx && ptxas -arch=sm_90a -o /dev/null %t.ptx
// RUN: FileCheck %s --check-prefix=PTX < %t.ptx
// RUN: FileCheck %s --check-prefix=LOOPS < %t.ptx
// RUN: fxc compile %s --target=sm_90a --emit=plan | FileCheck %s --check-prefix=PLAN
// RUN: fxc compile %s --target=cpu -o %t.fxb

// So they lie in workgroup memory, of which a launch gives what they need: short ones of a warp, others of a block, by the same
// code, in which warps of a block meet if it is their row. The longest ones, and those that are no such multiple, are read again
// and again. The assembler writes out the loop that copies, and none of those that compute.

// CHECK:       gpu.func @kernel_0({{.*}}fx.schedule = "staged threads=256 width=8 rows=8 up to 2048 rows=1 up to 32768"
// CHECK:         %[[OVER:.*]] = arith.remui
// CHECK:         arith.cmpi eq, %[[OVER]]
// CHECK:         %[[SHORT:.*]] = arith.andi
// CHECK:         scf.if
// CHECK:           %[[THREADS:.*]] = arith.select %[[SHORT]], %c32
// CHECK:           scf.for {{.*}} step %[[THREADS]] {
// CHECK:           scf.for {{.*}} step %[[THREADS]] iter_args
// CHECK:           scf.if
// CHECK:             gpu.barrier
// CHECK:           scf.for {{.*}} step %[[THREADS]] iter_args
// CHECK:           scf.if
// CHECK:             gpu.barrier
// CHECK:           scf.for {{.*}} step %[[THREADS]] {
// CHECK:         } else {
// CHECK:           scf.if
// CHECK-COUNT-3:     scf.for
// CHECK:           } else {
// CHECK-COUNT-3:     scf.for
// PTX:           .entry kernel_0(
// PTX-DAG:       cp.async.cg
// PTX-DAG:       ld.shared.v4.b32
// PTX-DAG:       ld.global.v4.b32
// PTX-DAG:       st.global.v4.b32
// PTX-DAG:       ld.global.b16
// LOOPS-COUNT-7: .pragma "nounroll"
// LOOPS-NOT:     nounroll
// PLAN:          "op": "rem_i"
// PLAN:          "shared_bytes": {
// PLAN-NEXT:       "reg":
func.func @main(%x: tensor<?x?xbf16> {fx.dims = ["s0", "s1"]}) -> tensor<?x?xbf16> attributes {fx.symbols = {s0 = array<i64: 2, -1>, s1 = array<i64: 2, -1>}} {
  %0 = fx.softmax %x dim 1 : (tensor<?x?xbf16>) -> tensor<?x?xbf16>
  return %0 : tensor<?x?xbf16>
}
