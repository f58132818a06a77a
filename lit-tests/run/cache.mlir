// Compiled programs are kept where FX_CACHE_DIR says, and found again.
// RUN: rm -rf %t && mkdir %t
// RUN: env FX_CACHE_DIR=%t/cache fxc compile %s --timing -o %t/first.fxb 2>&1 | FileCheck %s --check-prefix=COMPILED
// RUN: env FX_CACHE_DIR=%t/cache fxc compile %s --timing -o %t/second.fxb 2>&1 | FileCheck %s --check-prefix=CACHED
// RUN: diff %t/first.fxb %t/second.fxb
// RUN: env FX_CACHE_DIR=%t/cache fxc compile %s --timing --no-cache -o %t/third.fxb 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: env FX_CACHE_DIR=%t/cache fxc run %s --arg 0=3 | FileCheck %s --check-prefix=RESULT

// COMPILED:   cache
// COMPILED:   linalg
// CACHED:     cache
// CACHED-NOT: linalg
// NONE-NOT:   cache
// NONE:       linalg
// RESULT:     output.0 f32 [3] {{.*}} [1, 1, 1]
func.func @main(%n: index) -> tensor<?xf32> {
  %one = arith.constant 1.0 : f64
  %a = fx.full [%n] %one as f32 : (f64) -> tensor<?xf32>
  return %a : tensor<?xf32>
}
