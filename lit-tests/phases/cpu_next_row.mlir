// While a row's elements are computed, the next row is on its way, as far as a page of memory: rows that begin a page would be
// waited for. Short rows, and tensors that stay in the nearest caches, need none of it.
// RUN: fxc compile %s --target=x86-64-v4 --emit=gpu | FileCheck %s

// CHECK-LABEL: func.func @kernel_0
// CHECK:         scf.for %[[ROW:.*]] = %{{.*}} to %[[END:.*]] step
// CHECK:           scf.for
// CHECK:           arith.addf
// CHECK:           %[[BEHIND:.*]] = arith.addi %[[ROW]], %{{.*}}
// CHECK:           %[[LAST:.*]] = arith.subi %[[END]], %{{.*}}
// CHECK:           %[[NEXT:.*]] = arith.minsi %[[BEHIND]], %[[LAST]]
// CHECK:           arith.muli %[[NEXT]], %{{.*}}
// CHECK:           scf.for %{{.*}} = %{{.*}} to %c1024{{.*}} step %c64
// CHECK-COUNT-4:     memref.prefetch {{.*}}, read, locality<3>, data
// CHECK-NOT:       memref.prefetch
// CHECK:           memref.store
// CHECK-LABEL: func.func @kernel_1
// CHECK-NOT:     memref.prefetch
// CHECK-LABEL: func.func @kernel_2
// CHECK-NOT:     memref.prefetch
func.func @main(%x: tensor<512x2048xf32>, %short: tensor<8192x100xf32>, %small: tensor<16x1024xf32>) -> (tensor<512x2048xf32>, tensor<8192x100xf32>, tensor<16x1024xf32>) {
  %0 = fx.softmax %x dim -1 : (tensor<512x2048xf32>) -> tensor<512x2048xf32>
  %1 = fx.softmax %short dim -1 : (tensor<8192x100xf32>) -> tensor<8192x100xf32>
  %2 = fx.softmax %small dim -1 : (tensor<16x1024xf32>) -> tensor<16x1024xf32>
  return %0, %1, %2 : tensor<512x2048xf32>, tensor<8192x100xf32>, tensor<16x1024xf32>
}
