// A schedule that means nothing is an error where the kernel's ops are.
// RUN: not fxc compile %s --target=sm_90a --emit=gpu 2>&1 | FileCheck %s
// RUN: sed 's/held=x/hold=2/' %s > %t.mlir && not fxc compile %t.mlir --target=sm_90a --emit=gpu 2>&1 | FileCheck %s --check-prefix=NAME
// RUN: sed 's/staged threads=512 held=x/tensor-cores/' %s > %t.mlir && not fxc compile %t.mlir --target=sm_90a --emit=gpu 2>&1 | FileCheck %s --check-prefix=KIND
// RUN: sed 's/threads=512 held=x/held=2/' %s > %t.mlir && not fxc compile %t.mlir --target=sm_90a --emit=gpu 2>&1 | FileCheck %s --check-prefix=THREADS
// CHECK:   gpu_schedule_invalid.mlir:[[#@LINE+5]]:8: error: fx.schedule: 'held=x' means nothing to 'staged'; it takes threads=N, blocks=N
// NAME:    error: fx.schedule: 'hold=2' means nothing to 'staged'
// KIND:    error: fx.schedule: 'tensor-cores' is no schedule that can be asked for; there are registers, staged
// THREADS: error: fx.schedule: 'staged' does not say how many threads=N
func.func @main(%a: tensor<128x65536xf32>) -> tensor<128x65536xf32> attributes {fx.schedule = "staged threads=512 held=x"} {
  %0 = fx.softmax %a dim 1 : (tensor<128x65536xf32>) -> tensor<128x65536xf32>
  return %0 : tensor<128x65536xf32>
}
