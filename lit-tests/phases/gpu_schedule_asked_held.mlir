// Rows in workgroup memory may leave their first accesses in registers. What asks for more than a row has is not taken.
// RUN: fxc compile %s --target=sm_90a --emit=gpu | FileCheck %s
// CHECK: gpu.func @kernel_0({{.*}}fx.schedule = "staged threads=512 blocks=2 rows=1 width=4 bytes=81920 held=6"
// CHECK: gpu.func @kernel_1({{.*}}fx.schedule = "registers
func.func @main(%a: tensor<128x65536xf32>, %b: tensor<128x8192xf32>) -> (tensor<128x65536xf32>, tensor<128x8192xf32>) attributes {fx.schedule = "staged threads=512 blocks=2 held=6"} {
  %0 = fx.softmax %a dim 1 : (tensor<128x65536xf32>) -> tensor<128x65536xf32>
  %1 = fx.softmax %b dim 1 : (tensor<128x8192xf32>) -> tensor<128x8192xf32>
  return %0, %1 : tensor<128x65536xf32>, tensor<128x8192xf32>
}
