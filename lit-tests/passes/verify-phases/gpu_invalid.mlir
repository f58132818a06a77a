// Kernels work on memory: no tensor is left in phase gpu, and nothing but LLVM's dialects in phase nvvm.
// RUN: not fx-opt %s --pass-pipeline='builtin.module(verify-gpu)' 2>&1 | FileCheck %s --check-prefix=GPU
// RUN: not fx-opt %s --pass-pipeline='builtin.module(verify-nvvm)' 2>&1 | FileCheck %s --check-prefix=NVVM
// RUN: not fx-opt %s --pass-pipeline='builtin.module(verify-kernels)' 2>&1 | FileCheck %s --check-prefix=KERNELS
// RUN: not fx-opt %s --pass-pipeline='builtin.module(verify-fx)' 2>&1 | FileCheck %s --check-prefix=FX

// GPU: 'linalg.fill' op is not legal in phase 'gpu': it has a tensor
// NVVM: 'func.func' op is not legal in phase 'nvvm'
// KERNELS: 'linalg.fill' op is not legal in phase 'kernels': it computes on the host
// FX: 'linalg.fill' op is not legal in phase 'fx'
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c = arith.constant 1.0 : f32
  %y = linalg.fill ins(%c : f32) outs(%x : tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
