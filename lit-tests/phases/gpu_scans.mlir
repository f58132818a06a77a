// A scan along contiguous rows: a team a row. Threads walk along neighbouring elements of some accesses each, five shuffles join
// what a warp has, one barrier what a team has. Other scans take a thread a row.
// REQUIRES: ptxas
// RUN: fxc compile %s --target=sm_90a --emit=gpu | FileCheck %s
// RUN: fxc compile %s --target=sm_90a --emit=ptx > %t.ptx && ptxas -arch=sm_90a -v -o /dev/null %t.ptx 2>&1 | FileCheck %s --check-prefix=SPILLS
// RUN: FileCheck %s --check-prefix=PTX < %t.ptx
// RUN: fxc compile %s --target=sm_80 --emit=ptx > %t.ptx && ptxas -arch=sm_80 -o /dev/null %t.ptx

// SPILLS-NOT: {{[1-9][0-9]*}} bytes spill

// CHECK:       gpu.func @kernel_0(
// CHECK-SAME:    workgroup(%[[TOTALS:.*]] : memref<32xf32, #gpu.address_space<workgroup>>)
// CHECK-SAME:    fx.schedule = "scans threads=256 accesses=4 width=4"
// CHECK-NOT:     scf.for
// CHECK-COUNT-20: gpu.shuffle up
// CHECK:         memref.store %{{.*}}, %[[TOTALS]]
// CHECK:         gpu.barrier
// CHECK-COUNT-5: gpu.shuffle up
// CHECK:         gpu.shuffle idx
// CHECK-NOT:     gpu.barrier
// CHECK:       gpu.func @kernel_1(
// PTX-LABEL:   .entry kernel_0(
// PTX-COUNT-4:   ld.global.nc.v4.b32
// PTX-NOT:       ld.global
// PTX-COUNT-4:   st.global.v4.b32
// PTX-NOT:       st.global
// PTX-LABEL:   .entry kernel_1(

// Rows that take several turns carry the accumulators along, of which there are two; memory for two turns.
// CHECK-SAME:    memref<{{.*}}xf32, #gpu.address_space<workgroup>>
// CHECK-SAME:    memref<{{.*}}xi64, #gpu.address_space<workgroup>>
// CHECK:         scf.for {{.*}} -> (f32, i64)
// CHECK:           gpu.barrier
// CHECK-NOT:       gpu.barrier
// CHECK:       gpu.func @kernel_2(

// A warp a row.
// CHECK-SAME:    fx.schedule = "scans threads=32 accesses=1 width=4"
// CHECK-NOT:     gpu.barrier
// CHECK:       gpu.func @kernel_3(

// CHECK-SAME:    fx.schedule = "scans rows"
// CHECK-NOT:     gpu.shuffle
// CHECK:         scf.for
func.func @main(%x: tensor<512x4096xf32>, %l: tensor<8x9999xf32>, %w: tensor<511x128xf32>)
    -> (tensor<512x4096xf32>, tensor<8x9999xf32>, tensor<8x9999xi64>, tensor<511x128xf32>, tensor<512x4096xf32>) {
  %s = fx.cumsum %x dim 1 : (tensor<512x4096xf32>) -> tensor<512x4096xf32>
  %m, %i = fx.cummax %l dim 1 : (tensor<8x9999xf32>) -> (tensor<8x9999xf32>, tensor<8x9999xi64>)
  %e = fx.logcumsumexp %w dim 1 : (tensor<511x128xf32>) -> tensor<511x128xf32>
  %p = fx.cumprod %x dim 0 : (tensor<512x4096xf32>) -> tensor<512x4096xf32>
  return %s, %m, %i, %e, %p : tensor<512x4096xf32>, tensor<8x9999xf32>, tensor<8x9999xi64>, tensor<511x128xf32>, tensor<512x4096xf32>
}
