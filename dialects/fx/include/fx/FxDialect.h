//===- FxDialect.h - the fx dialect ----------------------------*- C++ -*-===//

#ifndef FX_DIALECT_H
#define FX_DIALECT_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

#include "fx/Infer.h"

#include "fx/FxDialect.h.inc"

#define GET_OP_CLASSES
#include "fx/FxControlOps.h.inc"
#define GET_OP_CLASSES
#include "fx/FxIndexingOps.h.inc"
#define GET_OP_CLASSES
#include "fx/FxMatrixOps.h.inc"
#define GET_OP_CLASSES
#include "fx/FxPointwiseOps.h.inc"
#define GET_OP_CLASSES
#include "fx/FxRandomOps.h.inc"
#define GET_OP_CLASSES
#include "fx/FxReductionOps.h.inc"
#define GET_OP_CLASSES
#include "fx/FxShapeOps.h.inc"
#define GET_OP_CLASSES
#include "fx/FxSpatialOps.h.inc"

#endif // FX_DIALECT_H
