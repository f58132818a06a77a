//===- IndexingOps.cpp ---===//

#include "fx/FxDialect.h"

using namespace mlir;
using namespace fx;

void FxDialect::registerIndexingOps() {
}

#define GET_OP_CLASSES
#include "fx/FxIndexingOps.cpp.inc"
