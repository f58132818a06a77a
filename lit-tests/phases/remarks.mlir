// `--remarks` says on stderr why kernels are apart, at the lines of the program; a program of one kernel has none.
// RUN: fxc compile %s --remarks --target=sm_90a --emit=kernels -o %t.mlir 2>&1 | FileCheck %s
// RUN: FileCheck %s --check-prefix=KERNELS --input-file=%t.mlir
// RUN: fxc compile %s --remarks --grad -o %t.fxb
// RUN: fxc compile %S/gpu_map.mlir --remarks --target=sm_90a -o %t.fxb 2>&1 | count 0

// CHECK:      remarks.mlir:[[#@LINE+5]]:8: remark: 'kernel_0' stores 'tensor<4x8xf32>' for 'kernel_1': its reader goes through it in another order of dims
// CHECK-NEXT: remarks.mlir:[[#@LINE+5]]:8: note: the reader
// CHECK-NOT:  remark:
// KERNELS:    func.func private @kernel_1(
func.func @main(%x: tensor<4x8xf32>) -> (tensor<8xf32>, tensor<4x8xf32>) {
  %e = fx.exp %x : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %s = fx.sum %e dim [0] : (tensor<4x8xf32>) -> tensor<8xf32>
  return %s, %e : tensor<8xf32>, tensor<4x8xf32>
}
