// A scan walks along each row once, and carries its accumulators; what reads it is computed at the same place.
// RUN: fxc compile %s --emit=gpu | FileCheck %s

// CHECK:       func.func @kernel_0(
// CHECK:         scf.for
// CHECK:           scf.for %{{.*}} iter_args(%[[SUM:.*]] = %{{.*}}) -> (f32) {
// CHECK-NOT:         scf.for
// CHECK-NOT:         arith.cmpi
// CHECK:             %[[X:.*]] = memref.load
// CHECK:             %[[NEXT:.*]] = arith.addf %[[SUM]], %[[X]] : f32
// CHECK:             math.exp %[[NEXT]]
// CHECK:             memref.store
// CHECK:             scf.yield %[[NEXT]] : f32

// Columns are walked eight at a time.
// CHECK:       func.func @kernel_1(
// CHECK:         scf.for
// CHECK:           scf.for %{{.*}} iter_args(%[[BEST:[a-z0-9]+]] = %{{.*}}, %{{.*}}) -> (f32, i64, f32, i64, {{.*}}) {
// CHECK-NOT:         scf.for
// CHECK:             arith.cmpf oge, %{{.*}}, %[[BEST]]
// CHECK-COUNT-7:     arith.cmpf oge
// CHECK:             scf.yield {{.*}} : f32, i64, f32, i64,
func.func @main(%x: tensor<512x64xf32>) -> (tensor<512x64xf32>, tensor<512x64xf32>, tensor<512x64xi64>) {
  %s = fx.cumsum %x dim 1 : (tensor<512x64xf32>) -> tensor<512x64xf32>
  %e = fx.exp %s : (tensor<512x64xf32>) -> tensor<512x64xf32>
  %m, %i = fx.cummax %x dim 0 : (tensor<512x64xf32>) -> (tensor<512x64xf32>, tensor<512x64xi64>)
  return %e, %m, %i : tensor<512x64xf32>, tensor<512x64xf32>, tensor<512x64xi64>
}
