//===- FxDialect.cpp - registration, constants and attribute checks ------===//

#include "fx/FxDialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;

#include "fx/FxDialect.cpp.inc"

namespace fx {

void FxDialect::initialize() {
  registerControlOps();
  registerIndexingOps();
  registerMatrixOps();
  registerPointwiseOps();
  registerRandomOps();
  registerReductionOps();
  registerShapeOps();
  registerSpatialOps();
}

Operation *FxDialect::materializeConstant(OpBuilder &builder, Attribute value, Type type, Location loc) {
  return arith::ConstantOp::materialize(builder, value, type, loc);
}

//===----------------------------------------------------------------------===//
// Discardable attributes
//===----------------------------------------------------------------------===//

/// `fx.symbols = {s0 = [min, max], ...}`: a dictionary from name to a pair of
/// integers; a max of -1 is unbounded.
static LogicalResult verifySymbols(Operation *op, Attribute attr) {
  auto dict = dyn_cast<DictionaryAttr>(attr);
  if (!dict)
    return op->emitOpError("expects 'fx.symbols' to be a dictionary from symbol to [min, max]");
  for (NamedAttribute entry : dict) {
    auto range = dyn_cast<DenseI64ArrayAttr>(entry.getValue());
    if (!range || range.size() != 2)
      return op->emitOpError("expects symbol '") << entry.getName().getValue() << "' to have a range array<i64: min, max>";
    int64_t min = range[0], max = range[1];
    if (min < 0 || (max != -1 && max < min))
      return op->emitOpError("expects symbol '") << entry.getName().getValue() << "' to have 0 <= min <= max, got ["
                                                 << min << ", " << max << "]";
  }
  return success();
}

/// `fx.recompute = "must_save"` on an op of the dialect: one of PyTorch's
/// checkpoint policies.
static LogicalResult verifyRecompute(Operation *op, Attribute attr) {
  auto policy = dyn_cast<StringAttr>(attr);
  if (!policy || !llvm::is_contained({"must_save", "prefer_save", "must_recompute", "prefer_recompute"}, policy.getValue()))
    return op->emitOpError("expects 'fx.recompute' to be \"must_save\", \"prefer_save\", \"must_recompute\" or "
                           "\"prefer_recompute\", got ")
           << attr;
  if (!isa_and_nonnull<FxDialect>(op->getDialect()))
    return op->emitOpError("expects no 'fx.recompute': only ops of the dialect 'fx' have one");
  return success();
}

/// `fx.recompute_group = 0 : i64` beside `fx.recompute`: the block that is
/// checkpointed as a whole.
static LogicalResult verifyRecomputeGroup(Operation *op, Attribute attr) {
  auto group = dyn_cast<IntegerAttr>(attr);
  if (!group || !group.getType().isInteger(64) || group.getInt() < 0)
    return op->emitOpError("expects 'fx.recompute_group' to be an i64 of at least 0, got ") << attr;
  if (!op->hasAttr("fx.recompute"))
    return op->emitOpError("expects 'fx.recompute' beside 'fx.recompute_group'");
  return success();
}

LogicalResult FxDialect::verifyOperationAttribute(Operation *op, NamedAttribute attr) {
  if (attr.getName() == "fx.symbols")
    return verifySymbols(op, attr.getValue());
  if (attr.getName() == "fx.recompute")
    return verifyRecompute(op, attr.getValue());
  if (attr.getName() == "fx.recompute_group")
    return verifyRecomputeGroup(op, attr.getValue());
  return success();
}

/// `fx.dims = ["s0", 4]`: per dimension its size or the name of its symbol.
LogicalResult FxDialect::verifyRegionArgAttribute(Operation *op, unsigned, unsigned index, NamedAttribute attr) {
  if (attr.getName() != "fx.dims")
    return success();
  auto dims = dyn_cast<ArrayAttr>(attr.getValue());
  auto function = dyn_cast<FunctionOpInterface>(op);
  if (!dims || !function)
    return op->emitOpError("expects 'fx.dims' to be an array on a function argument");
  auto type = dyn_cast<RankedTensorType>(function.getArgumentTypes()[index]);
  if (!type || size_t(type.getRank()) != dims.size())
    return op->emitOpError("expects 'fx.dims' of argument #") << index << " to have one entry per dimension";
  auto symbols = op->getAttrOfType<DictionaryAttr>("fx.symbols");
  for (auto [size, dim] : llvm::zip(type.getShape(), dims)) {
    if (auto constant = dyn_cast<IntegerAttr>(dim)) {
      if (size != constant.getInt())
        return op->emitOpError("expects 'fx.dims' of argument #") << index << " to agree with its type " << type;
      continue;
    }
    auto name = dyn_cast<StringAttr>(dim);
    if (!name || size != kDynamic || !symbols || !symbols.get(name))
      return op->emitOpError("expects each '?' of argument #")
             << index << " to be named in 'fx.dims' by a symbol of 'fx.symbols', got " << dim;
  }
  return success();
}

} // namespace fx
