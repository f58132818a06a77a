// A schedule in registers may have any number of whole warps, and ask for as many blocks in a processor.
// RUN: fxc compile %s --target=sm_90a --emit=gpu | FileCheck %s
// CHECK: gpu.func @kernel_0({{.*}}fx.schedule = "registers threads=192 accesses=6 width=8 rows=1 shifted packed"{{.*}}nvvm.minctasm = 5
func.func @main(%a: tensor<1024x8191xbf16>) -> tensor<1024x8191xbf16> attributes {fx.schedule = "registers threads=192 packed resident=5"} {
  %0 = fx.softmax %a dim 1 : (tensor<1024x8191xbf16>) -> tensor<1024x8191xbf16>
  return %0 : tensor<1024x8191xbf16>
}
