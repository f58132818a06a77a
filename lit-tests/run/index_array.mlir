// Upstream's parser would end the process here.
// RUN: not fxc compile %s 2>&1 | FileCheck %s

// CHECK: index_array.mlir:[[#@LINE+1]]:50: error: an array attribute has elements of an integer or float type, not of index
func.func @main() attributes {fx.symbols = {s0 = array<index: 2, -1>}} {
  return
}
