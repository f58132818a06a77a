// RUN: not fx-opt %s --fx-partition=strategy=most 2>&1 | FileCheck %s --check-prefix=STRATEGY
// RUN: not fx-opt %s --fx-partition='strategy=budget budget=-1' 2>&1 | FileCheck %s --check-prefix=BUDGET
// RUN: not fx-opt %s --fx-partition=sizes=n 2>&1 | FileCheck %s --check-prefix=SIZES
// Options with no legal value are refused.

// STRATEGY: pass option 'strategy' has no legal value: 'most'
// BUDGET: pass option 'budget' has no legal value: '-1'
// SIZES: pass option 'sizes' has no legal value: 'n'
func.func @main() {
  return
}
