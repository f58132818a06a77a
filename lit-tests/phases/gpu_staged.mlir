// Long rows of half-precision numbers lie in workgroup memory, which a launch adds: copied there at once, read there in each
// phase. What belongs to columns is read once for two rows. Rows that one block has no room for are a cluster's. A processor has
// room for two blocks: registers hold what is too much for that. Exponentials that are summed and divided take the place of what
// they were computed from, if they are as wide.
// REQUIRES: ptxas
// RUN: fxc compile %s --target=sm_90a --emit=gpu | FileCheck %s
// RUN: fxc compile %s --target=sm_90a --emit=plan | FileCheck %s --check-prefix=PLAN
// RUN: fxc compile %s --target=sm_90a --emit=ptx > %t.ptx && ptxas -arch=sm_90a -v -o /dev/null %t.ptx 2> %t.log
// RUN: FileCheck %s --check-prefix=PTX < %t.ptx
// RUN: FileCheck %s --check-prefix=SPILLS < %t.log
// RUN: fxc compile %s --target=sm_80 --emit=gpu | FileCheck %s --check-prefix=AMPERE
// RUN: fxc compile %s --target=sm_80 --emit=ptx > %t.ptx && ptxas -arch=sm_80 -o /dev/null %t.ptx
// SPILLS-NOT: {{[1-9][0-9]*}} bytes spill

// Each thread waits for its own copies alone: the barriers are those of the two reductions.
// CHECK:       gpu.func @kernel_0(
// CHECK-SAME:    fx.schedule = "staged threads=1024 blocks=1 rows=1 width=8 bytes=114688 held=1"
// CHECK-SAME:    nvvm.minctasm = 2
// CHECK:         gpu.dynamic_shared_memory
// CHECK:         cp.async.cg
// CHECK:         cp.async.wait_all
// CHECK-COUNT-2: gpu.barrier
// CHECK-NOT:     gpu.barrier
// CHECK:         gpu.return
// PLAN:        "shared_bytes": {
// PLAN-NEXT:     "const": 114688
// PTX:         .extern .shared .align 16 .b8 dynamic_memory[];
// PTX:         .entry kernel_0(
// PTX-NOT:     ld.global
// PTX:         cp.async.cg.shared.global.L2::128B
// PTX:         ld.global.v4.b32
// PTX-NOT:     ld.global
// PTX:         cp.async.wait_all
// PTX-NOT:     ld.global
// PTX:         ld.shared.v4.b32
// PTX-NOT:     ld.global
// PTX:         st.global.v4.b32
// PTX:         ret;
// AMPERE:      gpu.func @kernel_0({{.*}}fx.schedule = "staged threads=1024 blocks=1 rows=1

// CHECK:       gpu.func @kernel_1(
// CHECK-SAME:    fx.schedule = "staged threads=256 blocks=1 rows=2 width=8 bytes=65536"
// PTX:         .entry kernel_1(
// PTX-COUNT-2: ld.global.nc.v4.b32
// PTX-NOT:     ld.global
// PTX:         ret;

// Exponentials are computed once: of the two accesses in registers, and of the four elements of one in workgroup memory.
// CHECK:       gpu.func @kernel_2(
// CHECK-SAME:    fx.schedule = "staged threads=512 blocks=16 rows=1 width=4 bytes=114688 held=2"
// CHECK-SAME:    nvvm.cluster_dim = array<i32: 16, 1, 1>
// PTX:         .entry kernel_2(
// PTX-COUNT-12: ex2.approx
// PTX:         st.shared.v4.b32
// PTX-NOT:     ex2.approx
// PTX:         barrier.cluster.wait
// PTX:         ret;
// Shorter rows that are read by column are in the registers of a few threads.
// CHECK:       gpu.func @kernel_3(
// CHECK-SAME:    fx.schedule = "registers threads=128 accesses=8 width=8 rows=1"
func.func @main(%a: tensor<2048x65536xbf16>, %b: tensor<512x16384xbf16>, %w: tensor<16384xbf16>, %v: tensor<16384xbf16>,
                %c: tensor<512x524288xf32>, %d: tensor<512x8192xbf16>, %u: tensor<8192xbf16>)
    -> (tensor<2048x65536xbf16>, tensor<512x16384xbf16>, tensor<512x524288xf32>, tensor<512x8192xbf16>) {
  %0 = fx.softmax %a dim 1 : (tensor<2048x65536xbf16>) -> tensor<2048x65536xbf16>
  %1 = fx.layer_norm %b normalized_shape [16384] weight %w bias %v {eps = 1.0e-5 : f64} : (tensor<512x16384xbf16>, tensor<16384xbf16>, tensor<16384xbf16>) -> tensor<512x16384xbf16>
  %2 = fx.softmax %c dim 1 : (tensor<512x524288xf32>) -> tensor<512x524288xf32>
  %3 = fx.layer_norm %d normalized_shape [8192] weight %u {eps = 1.0e-5 : f64} : (tensor<512x8192xbf16>, tensor<8192xbf16>) -> tensor<512x8192xbf16>
  return %0, %1, %2, %3 : tensor<2048x65536xbf16>, tensor<512x16384xbf16>, tensor<512x524288xf32>, tensor<512x8192xbf16>
}
