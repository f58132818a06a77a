//===- MatrixOps.cpp ---===//

#include "fx/FxDialect.h"

using namespace mlir;
using namespace fx;

void FxDialect::registerMatrixOps() {
}

#define GET_OP_CLASSES
#include "fx/FxMatrixOps.cpp.inc"
