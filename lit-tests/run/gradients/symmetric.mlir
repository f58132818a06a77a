// Decompositions of symmetric matrices read one triangle; the gradient is that of both, and symmetric.
// RUN: printf '\x48\x00\x00\x00\x00\x00\x00\x00{"input.0":{"dtype":"F32","shape":[2,2],"data_offsets":[0,16]}}         \x00\x00\x80\x40\x00\x00\x00\x40\x00\x00\x00\x40\x00\x00\xa0\x40' > %t.safetensors
// RUN: fx-opt --fx-autodiff %s -o %t.mlir
// RUN: fxc run %t.mlir --inputs %t.safetensors | FileCheck %s
// RUN: fxc run %t.mlir --inputs %t.safetensors --target=interp | FileCheck %s

// A = [4 2; 2 5] = L L^T with L = [2 0; 1 2], and A A = [20 18; 18 29] = V L^2 V^T
// CHECK:      output.0 {{.*}} [2, 0, 1, 2]
// CHECK-NEXT: output.1 {{.*}} [20.0000, 18.0000, 18.0000, 29.0000]
// [0.1875 0.125; 0.125 0.25] of the sum of L, and A 1 1^T + 1 1^T A
// CHECK:      grad.0 {{.*}} [12.1875, 13.1250, 13.1250, 14.2500]
func.func @main(%a: tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<2x2xf32>) {
  %factor = fx.cholesky %a : (tensor<2x2xf32>) -> tensor<2x2xf32>
  %values, %vectors = fx.linalg_eigh %a {UPLO = "U"} : (tensor<2x2xf32>) -> (tensor<2xf32>, tensor<2x2xf32>)
  %squares = fx.mul %values, %values : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %scaled = fx.mul %vectors, %squares : (tensor<2x2xf32>, tensor<2xf32>) -> tensor<2x2xf32>
  %adjoint = fx.permute %vectors [1, 0] : (tensor<2x2xf32>) -> tensor<2x2xf32>
  %square = fx.mm %scaled, %adjoint : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  return %factor, %square : tensor<2x2xf32>, tensor<2x2xf32>
}
