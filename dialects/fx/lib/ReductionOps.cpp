//===- ReductionOps.cpp ---===//

#include "fx/FxDialect.h"

using namespace mlir;
using namespace fx;

void FxDialect::registerReductionOps() {
}

#define GET_OP_CLASSES
#include "fx/FxReductionOps.cpp.inc"
