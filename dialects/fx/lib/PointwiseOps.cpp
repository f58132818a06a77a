//===- PointwiseOps.cpp - one element in, one element out ----------------===//

#include "fx/FxDialect.h"

using namespace mlir;
using namespace fx;

void FxDialect::registerPointwiseOps() {
  addOperations<
#define GET_OP_LIST
#include "fx/FxPointwiseOps.cpp.inc"
      >();
}

#define GET_OP_CLASSES
#include "fx/FxPointwiseOps.cpp.inc"
