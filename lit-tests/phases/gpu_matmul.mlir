// A matrix product goes through tiles in workgroup memory; what follows it is computed from the sums.
// REQUIRES: ptxas
// RUN: fxc compile %s --target=sm_90a --emit=gpu | FileCheck %s
// RUN: fxc compile %s --target=sm_90a --emit=ptx > %t.ptx && ptxas -arch=sm_90a -o /dev/null %t.ptx

// CHECK:       gpu.func @kernel_0(
// CHECK-SAME:    workgroup(%[[A:.*]] : memref<1088xf32, #gpu.address_space<workgroup>>{{.*}}, %[[B:.*]] : memref<1088xf32, #gpu.address_space<workgroup>>
// CHECK:         scf.for
// CHECK:           gpu.barrier
// CHECK:           memref.store %{{.*}}, %[[A]]
// CHECK:           memref.store %{{.*}}, %[[B]]
// CHECK:           gpu.barrier
// CHECK-COUNT-256: math.fma
// CHECK:         arith.maximumf
func.func @main(%x: tensor<?x100xf32>, %w: tensor<70x100xf32>, %b: tensor<70xf32>) -> tensor<?x70xf32> {
  %y = fx.linear %x, %w, %b : (tensor<?x100xf32>, tensor<70x100xf32>, tensor<70xf32>) -> tensor<?x70xf32>
  %z = fx.relu %y : (tensor<?x70xf32>) -> tensor<?x70xf32>
  return %z : tensor<?x70xf32>
}
