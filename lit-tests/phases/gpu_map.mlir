// A kernel without reductions takes a thread for each element; its last block may have idle threads.
// RUN: fxc compile %s --target=sm_90a --emit=gpu | FileCheck %s
// RUN: fxc compile %s --target=sm_90a --emit=plan | FileCheck %s --check-prefix=PLAN

// CHECK:       gpu.module @kernels
// CHECK:         gpu.func @kernel_0(%[[IN:.*]]: memref<1xf32>{{.*}}, %[[OUT:.*]]: memref<1xf32>{{.*}}) kernel attributes {fx.schedule = "elements width=1", known_block_size = array<i32: 256, 1, 1>}
// CHECK-DAG:       %[[BLOCK:.*]] = gpu.block_id x
// CHECK-DAG:       %[[THREAD:.*]] = gpu.thread_id x
// CHECK:           %[[START:.*]] = arith.muli %[[BLOCK]], %{{.*}}
// CHECK:           %[[AT:.*]] = arith.addi %[[START]], %[[THREAD]]
// CHECK:           %[[IN_RANGE:.*]] = arith.cmpi ult, %[[AT]], %{{.*}}
// CHECK:           scf.if %[[IN_RANGE]] {
// CHECK:             %[[X:.*]] = memref.load %{{.*}}[%[[AT]]]
// CHECK:             %[[Y:.*]] = math.exp %[[X]]
// CHECK:             memref.store %[[Y]], %{{.*}}[%[[AT]]]

// PLAN:        "threads": [
// PLAN-NEXT:     256,
func.func @main(%x: tensor<3x100xf32>) -> tensor<3x100xf32> {
  %y = fx.exp %x : (tensor<3x100xf32>) -> tensor<3x100xf32>
  return %y : tensor<3x100xf32>
}
