// Loops inside a body are copied into the kernel's loop, on both targets; what they read is loaded before them.
// RUN: fxc compile %s --emit=kernels | FileCheck %s --check-prefix=KERNELS
// RUN: fxc compile %s --emit=gpu | FileCheck %s --check-prefixes=LOOP,CPU
// RUN: fxc compile %s --target=sm_90a --emit=gpu | FileCheck %s --check-prefixes=LOOP,GPU
// RUN: fxc compile %s --target=sm_90a --emit=ptx | FileCheck %s --check-prefix=PTX

// One kernel: the doubled numbers have no memory.
// KERNELS:     func.func private @kernel_0
// KERNELS-NOT: func.func private @kernel_1

// CPU:         scf.for
// GPU:         gpu.func @kernel_0
// LOOP-DAG:      %[[A:.*]] = memref.load
// LOOP-DAG:      %[[B:.*]] = memref.load
// LOOP:          scf.while
// LOOP-NOT:        memref.load
// LOOP:            arith.remsi
// LOOP:            scf.yield
// LOOP:          memref.store

// PTX: rem.s32
func.func @main(%a: tensor<100xi32>, %b: tensor<100xi32>) -> tensor<100xi32> {
  %twice = fx.add %a, %a : (tensor<100xi32>, tensor<100xi32>) -> tensor<100xi32>
  %y = fx.gcd %twice, %b : (tensor<100xi32>, tensor<100xi32>) -> tensor<100xi32>
  return %y : tensor<100xi32>
}
