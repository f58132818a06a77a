//===- ShapeOps.cpp - views, shape changes and creation ------------------===//

#include "fx/FxDialect.h"

using namespace mlir;
using namespace fx;

/// Sizes of a view: resolves a -1, checks the number of elements where known.
static LogicalResult viewShape(Value input, ArrayRef<int64_t> size, Infer &r) {
  Shape shape(size);
  int64_t total = Infer::numel(Infer::shape(input)), rest = 1;
  std::optional<size_t> inferred;
  for (auto [i, n] : llvm::enumerate(shape)) {
    if (n == -1) {
      if (inferred)
        return r.error("expects at most one size of -1"); // view_c2
      inferred = i;
    } else {
      rest = rest == kDynamic || n == kDynamic ? kDynamic : rest * n;
    }
  }
  if (inferred)
    shape[*inferred] = total == kDynamic || rest == kDynamic || rest == 0 ? kDynamic : total / rest;
  int64_t count = Infer::numel(shape);
  if (total != kDynamic && count != kDynamic && total != count) // view_c1
    return r.error("expects " + Twine(total) + " elements, got a shape of " + Twine(count));
  return r.result(shape, Infer::element(input));
}

void FxDialect::registerShapeOps() {
  addOperations<
#define GET_OP_LIST
#include "fx/FxShapeOps.cpp.inc"
      >();
}

#define GET_OP_CLASSES
#include "fx/FxShapeOps.cpp.inc"
