// A function's `fx.schedule` is taken for its kernels whose rows it fits.
// RUN: fxc compile %s --target=sm_90a --emit=gpu | FileCheck %s
// CHECK: gpu.func @kernel_0({{.*}}fx.schedule = "registers threads=512 accesses=4 width=4 rows=1 blocks=2"
// CHECK: gpu.func @kernel_1({{.*}}fx.schedule = "elements width=4"
func.func @main(%a: tensor<128x16384xf32>) -> (tensor<128x16384xf32>, tensor<128x16384xf32>) attributes {fx.schedule = "registers threads=512 blocks=2"} {
  %0 = fx.softmax %a dim 1 : (tensor<128x16384xf32>) -> tensor<128x16384xf32>
  %1 = fx.neg %a : (tensor<128x16384xf32>) -> tensor<128x16384xf32>
  return %0, %1 : tensor<128x16384xf32>, tensor<128x16384xf32>
}
