//===- ControlOps.cpp ---===//

#include "fx/FxDialect.h"

using namespace mlir;
using namespace fx;

void FxDialect::registerControlOps() {
}

#define GET_OP_CLASSES
#include "fx/FxControlOps.cpp.inc"
