// Reshapes of sizes that only a run knows: joined, divided, and of no elements.
// RUN: fxc run %s --arg 0=2 --arg 1=6 --arg 2=3 | FileCheck %s
// RUN: not fxc run %s --arg 0=2 --arg 1=6 --arg 2=4 2>&1 | FileCheck %s --check-prefix=DIVIDE

// CHECK:      output.0 f32 [2, 12]
// CHECK-NEXT: output.1 f32 [2, 3, 2, 2]
// CHECK-NEXT: output.2 f32 [2, 3, 2, 2]
// CHECK-NEXT: output.3 f32 [2, 0]
// DIVIDE: error: assertion failed: {{.*}}:[[#@LINE+6]]:{{[0-9]+}}: 'fx.unflatten' op has sizes that must be equal and are not
func.func @main(%n: index, %m: index, %k: index) -> (tensor<?x?xf32>, tensor<?x?x?x2xf32>, tensor<?x?x?x2xf32>, tensor<?x0xf32>) {
  %one = arith.constant 1.0 : f64
  %x = fx.full [%n, %m, 2] %one as f32 : (f64) -> tensor<?x?x2xf32>
  %none = fx.full [%n, 0] %one as f32 : (f64) -> tensor<?x0xf32>
  %0 = fx.flatten %x dims 1 to 2 : (tensor<?x?x2xf32>) -> tensor<?x?xf32>
  %1 = fx.unflatten %x dim 1 [%k, -1] : (tensor<?x?x2xf32>) -> tensor<?x?x?x2xf32>
  %2 = fx.split_dim %x dim 1 [%k] : (tensor<?x?x2xf32>) -> tensor<?x?x?x2xf32>
  %3 = fx.cat %none, %none dim 1 : (tensor<?x0xf32>, tensor<?x0xf32>) -> tensor<?x0xf32>
  return %0, %1, %2, %3 : tensor<?x?xf32>, tensor<?x?x?x2xf32>, tensor<?x?x?x2xf32>, tensor<?x0xf32>
}
