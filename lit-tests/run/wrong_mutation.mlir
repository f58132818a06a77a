// A result that is the new value of an argument has its type; text that says otherwise does not compile.
// RUN: not fxc run %s 2>&1 | FileCheck %s
// RUN: not fxc compile %s --target=sm_90a --emit=ptx 2>&1 | FileCheck %s

// CHECK: wrong_mutation.mlir:[[#@LINE+1]]:1: error: the new value of 'x' has type tensor<3xf32>, expected tensor<2xf32>
func.func @main(%x: tensor<2xf32> {fx.kind = "buffer", fx.target = "x"}) -> (tensor<3xf32> {fx.kind = "buffer_mutation", fx.mutates = "x"}) {
  %0 = arith.constant dense<1.0> : tensor<3xf32>
  return %0 : tensor<3xf32>
}
