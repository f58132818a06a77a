//===- SpatialOps.cpp ---===//

#include "fx/FxDialect.h"

using namespace mlir;
using namespace fx;

void FxDialect::registerSpatialOps() {
}

#define GET_OP_CLASSES
#include "fx/FxSpatialOps.cpp.inc"
