//===- ControlOps.cpp - regions, calls, sizes, checks, collectives -------===//

#include "fx/FxDialect.h"

#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace fx;

namespace fx {
/// State that all collectives of a process share.
struct CollectiveResource : SideEffects::Resource::Base<CollectiveResource> {
  StringRef getName() final { return "fx.collectives"; }
};
} // namespace fx

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

/// The values that a region yields, after its terminator is known to be an fx.yield.
static FailureOr<ValueRange> yielded(Operation *op, Region &region) {
  Operation *last = region.front().getTerminator();
  if (auto yield = dyn_cast<YieldOp>(last))
    return ValueRange(yield.getValues());
  return op->emitOpError("expects region #") << region.getRegionNumber() << " to end with 'fx.yield', got '"
                                             << last->getName() << "'";
}

static LogicalResult expectTypes(Operation *op, TypeRange wanted, TypeRange actual, const Twine &what) {
  if (compatibleTypes(wanted, actual))
    return success();
  return op->emitOpError("expects ") << what << " of types (" << wanted << "), got (" << actual << ")";
}

/// Types of tensors without their first dim.
static LogicalResult sliceTypes(Operation *op, TypeRange tensors, StringRef what, SmallVectorImpl<Type> &slices) {
  for (Type type : tensors) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (!tensor || tensor.getRank() == 0)
      return op->emitOpError("expects each of ") << what << " to be a tensor of rank 1 or more, got " << type;
    slices.push_back(RankedTensorType::get(tensor.getShape().drop_front(), tensor.getElementType()));
  }
  return success();
}

static LogicalResult equalFirstSizes(Operation *op, TypeRange tensors) {
  int64_t first = kDynamic;
  for (Type type : tensors) {
    int64_t size = cast<RankedTensorType>(type).getDimSize(0);
    if (first != kDynamic && size != kDynamic && first != size)
      return op->emitOpError("expects equal first sizes, got ") << first << " and " << size;
    first = first == kDynamic ? size : first;
  }
  return success();
}

/// Whether a type is an i1, or a tensor of i1 that may have one element.
static bool isPredicate(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor)
    return type.isInteger(1);
  int64_t count = Infer::numel(tensor.getShape());
  return tensor.getElementType().isInteger(1) && (count == 1 || count == kDynamic);
}

LogicalResult CondOp::verifyRegions() {
  if (!isPredicate(getPred().getType())) // cond_c1
    return emitOpError("expects a predicate of one element, got ") << getPred().getType();
  for (Region *region : {&getThenRegion(), &getElseRegion()}) {
    auto values = yielded(*this, *region);
    if (failed(values) ||
        failed(expectTypes(*this, getResultTypes(), values->getTypes(), "values yielded"))) // cond_c2
      return failure();
  }
  return success();
}

LogicalResult MapOp::verifyRegions() {
  SmallVector<Type> inputs, outputs;
  if (getXs().empty()) // map_c1
    return emitOpError("expects at least one operand");
  if (failed(sliceTypes(*this, getXs().getTypes(), "the operands", inputs)) ||
      failed(equalFirstSizes(*this, getXs().getTypes())) || // map_c1
      failed(expectTypes(*this, inputs, getBody().getArgumentTypes(), "region arguments"))) // map_c2
    return failure();
  auto values = yielded(*this, getBody());
  if (failed(values) || failed(sliceTypes(*this, getResultTypes(), "the results", outputs))) // map_c3
    return failure();
  return expectTypes(*this, outputs, values->getTypes(), "values yielded"); // map_c3
}

LogicalResult ScanOp::verifyRegions() {
  SmallVector<Type> inputs(getInit().getTypes()), outputs(getInit().getTypes());
  if (failed(sliceTypes(*this, getXs().getTypes(), "the scanned operands", inputs)) ||
      failed(equalFirstSizes(*this, getXs().getTypes())) || // scan_c1
      failed(expectTypes(*this, inputs, getBody().getArgumentTypes(), "region arguments"))) // scan_c2
    return failure();
  size_t carried = getInit().size();
  if (getNumResults() < carried) // scan_c3
    return emitOpError("expects at least ") << carried << " results, got " << getNumResults();
  if (failed(expectTypes(*this, getInit().getTypes(), TypeRange(getResultTypes()).take_front(carried), "carried results"))) // scan_c3
    return failure();
  auto values = yielded(*this, getBody());
  if (failed(values) ||
      failed(sliceTypes(*this, TypeRange(getResultTypes()).drop_front(carried), "the stacked results", outputs)))
    return failure();
  return expectTypes(*this, outputs, values->getTypes(), "values yielded"); // scan_c4
}

LogicalResult WhileLoopOp::verifyRegions() {
  TypeRange carried = getInit().getTypes();
  for (Region *region : {&getCondition(), &getBody()})
    if (failed(expectTypes(*this, carried, region->getArgumentTypes(), "region arguments"))) // while_loop_c1
      return failure();
  auto condition = yielded(*this, getCondition());
  auto next = yielded(*this, getBody());
  if (failed(condition) || failed(next))
    return failure();
  if (condition->size() != 1 || !isPredicate(condition->front().getType())) // while_loop_c2
    return emitOpError("expects the condition to yield one i1 or a tensor of one i1, got (")
           << condition->getTypes() << ")";
  if (failed(expectTypes(*this, carried, next->getTypes(), "values yielded"))) // while_loop_c3
    return failure();
  return expectTypes(*this, carried, getResultTypes(), "results"); // while_loop_c4
}

//===----------------------------------------------------------------------===//
// Operators that are not ours
//===----------------------------------------------------------------------===//

LogicalResult CallOp::verify() {
  auto [space, name] = getTarget().split("::");
  if (space.empty() || name.empty()) // call_c1
    return emitOpError("expects a target of the form \"namespace::operator\", got \"") << getTarget() << "\"";
  return success();
}

OpFoldResult StopGradientOp::fold(FoldAdaptor) {
  if (auto inner = getInput().getDefiningOp<StopGradientOp>(); inner && inner.getType() == getType())
    return inner.getResult();
  return {};
}

//===----------------------------------------------------------------------===//
// Sizes and other numbers of a tensor
//===----------------------------------------------------------------------===//

static LogicalResult verifyDim(Operation *op, Value input, int64_t dim) {
  int64_t rank = Infer::rank(input);
  if (dim < -rank || dim >= rank)
    return op->emitOpError("dim ") << dim << " is out of range for an operand of rank " << rank;
  return success();
}

LogicalResult SizeOp::verify() { return verifyDim(*this, getInput(), getDim()); }   // size_c1
LogicalResult StrideOp::verify() { return verifyDim(*this, getInput(), getDim()); } // stride_c1

static OpFoldResult constantIndex(Operation *op, int64_t value) {
  if (value == kDynamic)
    return {};
  return IntegerAttr::get(IndexType::get(op->getContext()), value);
}

static int64_t positive(int64_t dim, int64_t rank) { return dim < 0 ? dim + rank : dim; }

OpFoldResult SizeOp::fold(FoldAdaptor) {
  auto type = cast<RankedTensorType>(getInput().getType());
  return constantIndex(*this, type.getDimSize(positive(getDim(), type.getRank())));
}

OpFoldResult StrideOp::fold(FoldAdaptor) {
  auto type = cast<RankedTensorType>(getInput().getType());
  Shape after(type.getShape().drop_front(positive(getDim(), type.getRank()) + 1));
  for (int64_t &size : after)
    size = size == 0 ? 1 : size;
  return constantIndex(*this, Infer::numel(after));
}

OpFoldResult NumelOp::fold(FoldAdaptor) { return constantIndex(*this, Infer::numel(Infer::shape(getInput()))); }
OpFoldResult StorageOffsetOp::fold(FoldAdaptor) { return constantIndex(*this, 0); }
OpFoldResult IsContiguousOp::fold(FoldAdaptor) { return BoolAttr::get(getContext(), true); }

LogicalResult ItemOp::inferReturnTypes(MLIRContext *context, std::optional<Location> location, ValueRange operands,
                                       DictionaryAttr attributes, OpaqueProperties properties, RegionRange regions,
                                       SmallVectorImpl<Type> &types) {
  Adaptor op(operands, attributes, properties, regions);
  Infer r(context, location, getOperationName(), types);
  int64_t count = Infer::numel(Infer::shape(op.getInput()));
  if (count != 1 && count != kDynamic) // item_c1
    return r.error("expects a tensor of one element, got " + Twine(count));
  Builder builder(context);
  switch (category(Infer::element(op.getInput()))) {
  case Category::Bool:
    return r.result(builder.getI1Type());
  case Category::Integer:
    return r.result(builder.getI64Type());
  case Category::Float:
    return r.result(builder.getF64Type());
  case Category::Complex:
    return r.result(ComplexType::get(builder.getF64Type()));
  }
  llvm_unreachable("every category is handled");
}

bool ItemOp::isCompatibleReturnTypes(TypeRange inferred, TypeRange actual) { // item_c2
  if (inferred.size() != 1 || actual.size() != 1)
    return false;
  return inferred[0] == actual[0] || (inferred[0].isInteger(64) && actual[0].isIndex());
}

//===----------------------------------------------------------------------===//
// Checks at run time
//===----------------------------------------------------------------------===//

LogicalResult AssertOp::verify() {
  int64_t count = Infer::numel(Infer::shape(getInput()));
  if (count != 1 && count != kDynamic) // assert_c1
    return emitOpError("expects a tensor of one element, got ") << count;
  return success();
}

LogicalResult AssertOp::canonicalize(AssertOp op, PatternRewriter &rewriter) {
  // A condition that is constant and true.
  if (isa<RankedTensorType>(op.getInput().getType()) || !matchPattern(op.getInput(), m_Constant()) ||
      matchPattern(op.getInput(), m_Zero()) || matchPattern(op.getInput(), m_AnyZeroFloat()) ||
      isa<ComplexType>(op.getInput().getType()))
    return failure();
  rewriter.eraseOp(op);
  return success();
}

LogicalResult AssertTensorMetadataOp::verify() {
  SmallVector<Type> unused;
  Infer r(getContext(), getLoc(), getOperationName(), unused);
  auto type = cast<RankedTensorType>(getInput().getType());
  if (getDtype() && *getDtype() != type.getElementType()) // assert_tensor_metadata_c1
    return emitOpError("expects an element type of ") << *getDtype() << ", got " << type.getElementType();
  if (failed(sizes(r, getSize(), getStaticSize(), "size")) || failed(checkList(r, getStride(), getStaticStride(), "stride")))
    return failure();
  if (getStaticSize().empty())
    return success();
  if (int64_t(getStaticSize().size()) != type.getRank()) // assert_tensor_metadata_c2
    return emitOpError("expects a tensor of rank ") << getStaticSize().size() << ", got " << type;
  for (auto [wanted, size] : llvm::zip(getStaticSize(), type.getShape()))
    if (wanted != kDynamic && size != kDynamic && wanted != size) // assert_tensor_metadata_c2
      return emitOpError("expects a size of ") << wanted << ", got " << size;
  return success();
}

LogicalResult AssertTensorMetadataOp::canonicalize(AssertTensorMetadataOp op, PatternRewriter &rewriter) {
  // The verifier has compared all that is known.
  auto type = cast<RankedTensorType>(op.getInput().getType());
  if (!op.getStaticSize().empty() && (!op.getSize().empty() || !type.hasStaticShape()))
    return failure();
  rewriter.eraseOp(op);
  return success();
}

//===----------------------------------------------------------------------===//
// Collectives
//===----------------------------------------------------------------------===//

static LogicalResult checkReduceOp(Infer &r, StringRef name) {
  static constexpr StringRef names[] = {"sum", "avg", "product", "min", "max", "band", "bor", "bxor"};
  if (!llvm::is_contained(names, name.lower()))
    return r.error("expects a reduction of sum, avg, product, min, max, band, bor or bxor, got \"" + name + "\"");
  return success();
}

static LogicalResult checkGroupSize(Infer &r, int64_t size) {
  return size > 0 ? success() : r.error("expects a group of at least 1 process, got " + Twine(size));
}

static LogicalResult inferTypes(AllGatherIntoTensorOp::Adaptor op, Infer &r) {
  int64_t group = op.getGroupSize();
  if (failed(checkGroupSize(r, group))) // all_gather_into_tensor_c1
    return failure();
  Shape shape = Infer::shape(op.getInput());
  if (shape.empty())
    shape.push_back(1);
  if (shape[0] != kDynamic && llvm::MulOverflow(shape[0], group, shape[0]))
    shape[0] = kDynamic;
  return r.result(shape, Infer::element(op.getInput()));
}

static LogicalResult inferTypes(AllReduceOp::Adaptor op, Infer &r) {
  return failed(checkReduceOp(r, op.getReduceOp())) ? failure() : r.like(op.getInput()); // all_reduce_c1
}

static LogicalResult inferTypes(AllToAllSingleOp::Adaptor op, Infer &r) {
  Shape shape = Infer::shape(op.getInput());
  if (shape.empty()) // all_to_all_single_c1
    return r.error("expects an operand of rank 1 or more");
  auto output = sizes(r, op.getOutputSplitSizes(), op.getStaticOutputSplitSizes(), "output_split_sizes");
  auto input = sizes(r, op.getInputSplitSizes(), op.getStaticInputSplitSizes(), "input_split_sizes");
  if (failed(output) || failed(input)) // all_to_all_single_c2
    return failure();
  auto sum = [](ArrayRef<int64_t> list) {
    int64_t total = 0;
    for (int64_t size : list)
      if (total == kDynamic || size == kDynamic || llvm::AddOverflow(total, size, total))
        total = kDynamic;
    return total;
  };
  if (!input->empty() && failed(r.same(shape[0], sum(*input), "input_split_sizes"))) // all_to_all_single_c2
    return failure();
  if (!output->empty())
    shape[0] = sum(*output);
  return r.result(shape, Infer::element(op.getInput()));
}

static LogicalResult inferTypes(BroadcastOp::Adaptor op, Infer &r) {
  if (int64_t(op.getSrc()) < 0) // broadcast_c1
    return r.error("expects the number of a process, got " + Twine(int64_t(op.getSrc())));
  return r.like(op.getInput());
}

static LogicalResult inferTypes(ReduceScatterTensorOp::Adaptor op, Infer &r) {
  int64_t group = op.getGroupSize();
  if (failed(checkReduceOp(r, op.getReduceOp())) || // reduce_scatter_tensor_c1
      failed(checkGroupSize(r, group)))             // reduce_scatter_tensor_c2
    return failure();
  Shape shape = Infer::shape(op.getInput());
  if (shape.empty() || (shape[0] != kDynamic && shape[0] % group != 0)) // reduce_scatter_tensor_c3
    return r.error("expects a first size that " + Twine(group) + " divides, got " +
                   (shape.empty() ? Twine("a tensor of rank 0") : Twine(shape[0])));
  if (shape[0] != kDynamic)
    shape[0] /= group;
  return r.result(shape, Infer::element(op.getInput()));
}

//===----------------------------------------------------------------------===//
// Registration
//===----------------------------------------------------------------------===//

void FxDialect::registerControlOps() {
  addOperations<
#define GET_OP_LIST
#include "fx/FxControlOps.cpp.inc"
      >();
}

#define GET_OP_CLASSES
#include "fx/FxControlOps.cpp.inc"
