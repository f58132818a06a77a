// Every phase that is MLIR is text that fx-opt reads, prints back and finds legal.
// RUN: fxc compile %s --emit=fx | fx-opt --pass-pipeline='builtin.module(verify-fx)' | FileCheck %s --check-prefix=FX
// RUN: fxc compile %s --emit=fx-opt | fx-opt --pass-pipeline='builtin.module(verify-fx-opt)' | FileCheck %s --check-prefix=FX
// RUN: fxc compile %s --emit=prim | fx-opt --pass-pipeline='builtin.module(verify-prim)' | FileCheck %s --check-prefix=PRIM
// RUN: fxc compile %s --emit=linalg | fx-opt --pass-pipeline='builtin.module(verify-linalg)' | FileCheck %s --check-prefix=LINALG
// RUN: fxc compile %s --emit=kernels | fx-opt --pass-pipeline='builtin.module(verify-kernels)' | FileCheck %s --check-prefix=KERNELS
// RUN: fxc compile %s --emit=gpu | fx-opt --pass-pipeline='builtin.module(verify-gpu)' | FileCheck %s --check-prefix=GPU
// RUN: fxc compile %s --emit=nvvm | fx-opt --pass-pipeline='builtin.module(verify-nvvm)' | FileCheck %s --check-prefix=NVVM
// RUN: fxc compile %s --emit=llvm | FileCheck %s --check-prefix=LLVM
// RUN: fxc compile %s --emit=plan | FileCheck %s --check-prefix=PLAN

// FX: fx.layer_norm
// PRIM-NOT: fx.layer_norm
// PRIM: fx.rsqrt
// LINALG: linalg.generic
// KERNELS: call @kernel_0
// GPU: func.func @kernel_0({{.*}}memref<1xf32>
// GPU: memref.store
// NVVM: llvm.func @kernel_0
// LLVM: define void @fx_kernel_0(ptr
// PLAN: "symbol": "fx_kernel_0"
func.func @main(%x: tensor<?x8xf32> {fx.kind = "input", fx.name = "x", fx.dims = ["s0", 8]}, %w: tensor<8xf32> {fx.kind = "input", fx.name = "w"}) -> tensor<?x8xf32>
    attributes {fx.symbols = {s0 = array<i64: 0, -1>}} {
  %y = fx.layer_norm %x normalized_shape [8] weight %w {eps = 1.0e-5 : f64} : (tensor<?x8xf32>, tensor<8xf32>) -> tensor<?x8xf32>
  return %y : tensor<?x8xf32>
}
