//===- RandomOps.cpp ---===//

#include "fx/FxDialect.h"

using namespace mlir;
using namespace fx;

void FxDialect::registerRandomOps() {
}

#define GET_OP_CLASSES
#include "fx/FxRandomOps.cpp.inc"
