//===- ShapeFolding.cpp - folding and canonicalisation of shape changes ---===//

#include "Shape.h"

#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace fx;

//===----------------------------------------------------------------------===//
// Folding
//===----------------------------------------------------------------------===//

/// Whether equal types of operand and result say that their shapes are equal
/// for two tensors of as many elements: at most one size is unknown, none is 0.
static bool sameShapeByCount(RankedTensorType type) {
  return llvm::count(type.getShape(), kDynamic) <= 1 && !llvm::is_contained(type.getShape(), 0);
}

/// Moves sizes that are constants from an op's operands into its list. A negative one stays, and so does one that contradicts a
/// known size of the result (then the program is wrong, but only when it runs).
template <typename SizedOp>
static OpFoldResult foldSizes(SizedOp op, typename SizedOp::FoldAdaptor adaptor) {
  RankedTensorType result = op.getType();
  SmallVector<int64_t> folded(op.getStaticSize());
  SmallVector<Value> rest;
  size_t next = 0;
  for (auto [i, size] : llvm::enumerate(folded)) {
    if (size != kDynamic)
      continue;
    auto constant = dyn_cast_if_present<IntegerAttr>(adaptor.getSize()[next]);
    int64_t value = constant ? constant.getInt() : -1;
    bool fits = i < size_t(result.getRank()) && (result.isDynamicDim(i) || result.getDimSize(i) == value);
    if (value >= 0 && fits)
      size = value;
    else
      rest.push_back(op.getSize()[next]);
    ++next;
  }
  if (rest.size() == op.getSize().size())
    return {};
  op.getSizeMutable().assign(rest);
  op.setStaticSize(folded);
  return op.getResult();
}

OpFoldResult FlattenOp::fold(FoldAdaptor) {
  // One dim flattened is no change.
  if (getType() == getInput().getType() && getType().getRank() > 0)
    return getInput();
  return {};
}

OpFoldResult SqueezeOp::fold(FoldAdaptor) {
  return getType() == getInput().getType() ? OpFoldResult(getInput()) : OpFoldResult();
}

OpFoldResult ViewDtypeOp::fold(FoldAdaptor) {
  return getType() == getInput().getType() ? OpFoldResult(getInput()) : OpFoldResult();
}

OpFoldResult ViewOp::fold(FoldAdaptor adaptor) {
  // A size that only a run knows has to be checked then.
  if (getType() == getInput().getType() && getSize().empty() && sameShapeByCount(getType()))
    return getInput();
  // view(view(x, a), b) = view(x, b)
  if (auto inner = getInput().getDefiningOp<ViewOp>()) {
    getInputMutable().assign(inner.getInput());
    return getResult();
  }
  return foldSizes(*this, adaptor);
}

OpFoldResult PermuteOp::fold(FoldAdaptor) {
  int64_t rank = getType().getRank();
  auto normal = [rank](int64_t d) { return d < 0 ? d + rank : d; };
  if (getType() == getInput().getType() &&
      llvm::all_of(llvm::enumerate(getDims()), [&](auto d) { return normal(d.value()) == int64_t(d.index()); }))
    return getInput();
  // permute(permute(x, a), b) = permute(x, [a[b[0]], ..])
  if (auto inner = getInput().getDefiningOp<PermuteOp>()) {
    SmallVector<int64_t> dims;
    for (int64_t d : getDims())
      dims.push_back(normal(inner.getDims()[normal(d)]));
    setDims(dims);
    getInputMutable().assign(inner.getInput());
    return getResult();
  }
  return {};
}

OpFoldResult TOp::fold(FoldAdaptor) {
  return getType() == getInput().getType() && getType().getRank() < 2 ? OpFoldResult(getInput()) : OpFoldResult();
}

OpFoldResult TransposeOp::fold(FoldAdaptor) {
  int64_t rank = getType().getRank();
  auto normal = [rank](int64_t d) { return d < 0 ? d + std::max<int64_t>(rank, 1) : d; };
  bool same = normal(getDim0()) == normal(getDim1());
  return getType() == getInput().getType() && same ? OpFoldResult(getInput()) : OpFoldResult();
}

OpFoldResult FlipOp::fold(FoldAdaptor) {
  bool none = llvm::all_of(getDims(), [&](int64_t d) {
    int64_t rank = getType().getRank();
    return rank == 0 || getType().getDimSize(d < 0 ? d + rank : d) == 1;
  });
  return getType() == getInput().getType() && none ? OpFoldResult(getInput()) : OpFoldResult();
}

OpFoldResult ExpandOp::fold(FoldAdaptor adaptor) {
  // A `?` on both sides is the same size: a symbolic size never stands for a broadcast 1. One that only a run knows has to be
  // checked then.
  if (getType() == getInput().getType() && getSize().empty())
    return getInput();
  return foldSizes(*this, adaptor);
}

OpFoldResult RepeatOp::fold(FoldAdaptor) {
  bool once = llvm::all_of(getStaticRepeats(), [](int64_t n) { return n == 1; });
  return getType() == getInput().getType() && once ? OpFoldResult(getInput()) : OpFoldResult();
}

OpFoldResult SelectOp::fold(FoldAdaptor adaptor) {
  if (getIndex().empty())
    return {};
  auto constant = dyn_cast_if_present<IntegerAttr>(adaptor.getIndex()[0]);
  auto type = cast<RankedTensorType>(getInput().getType());
  int64_t dim = int64_t(getDim()) < 0 ? getDim() + type.getRank() : getDim();
  int64_t n = type.getDimSize(dim);
  if (!constant || (n != kDynamic && (constant.getInt() < -n || constant.getInt() >= n)))
    return {};
  setStaticIndex({constant.getInt()});
  getIndexMutable().clear();
  return getResult();
}

OpFoldResult SliceOp::fold(FoldAdaptor adaptor) {
  auto type = cast<RankedTensorType>(getInput().getType());
  int64_t dim = int64_t(getDim()) < 0 ? getDim() + type.getRank() : getDim();
  int64_t n = type.getDimSize(dim);
  auto now = [](ArrayRef<int64_t> list, int64_t otherwise) { return list.empty() ? otherwise : list[0]; };
  constexpr int64_t toTheEnd = std::numeric_limits<int64_t>::max();
  int64_t start = now(getStaticStart(), 0), end = now(getStaticEnd(), toTheEnd), step = now(getStaticStep(), 1);
  bool whole = n == kDynamic ? start == 0 && end == toTheEnd : start != kDynamic && end != kDynamic && start <= 0 && sliceSize(n, start, end, 1) == n;
  if (getType() == type && step == 1 && whole)
    return getInput();

  // Operands that are constants become part of the lists, unless the result's known size says otherwise.
  auto constant = [](ArrayRef<Attribute> operands) -> std::optional<int64_t> {
    auto attr = operands.empty() ? IntegerAttr() : dyn_cast_if_present<IntegerAttr>(operands[0]);
    return attr && attr.getInt() != kDynamic ? std::optional(attr.getInt()) : std::nullopt;
  };
  auto newStart = constant(adaptor.getStart()), newEnd = constant(adaptor.getEnd()), newStep = constant(adaptor.getStep());
  if ((!newStart && !newEnd && !newStep) || (newStep && *newStep <= 0))
    return {};
  int64_t size = sliceSize(n, newStart.value_or(start), newEnd.value_or(end), newStep.value_or(step));
  if (size != kDynamic && !getType().isDynamicDim(dim) && getType().getDimSize(dim) != size)
    return {};
  if (newStart) {
    setStaticStart({*newStart});
    getStartMutable().clear();
  }
  if (newEnd) {
    setStaticEnd({*newEnd});
    getEndMutable().clear();
  }
  if (newStep) {
    setStaticStep({*newStep});
    getStepMutable().clear();
  }
  return getResult();
}

OpFoldResult CatOp::fold(FoldAdaptor) {
  bool one = getTensors().size() == 1 && getTensors()[0].getType() == getType();
  return one ? OpFoldResult(getTensors()[0]) : OpFoldResult();
}

OpFoldResult CloneOp::fold(FoldAdaptor) {
  return getType() == getInput().getType() ? OpFoldResult(getInput()) : OpFoldResult();
}

OpFoldResult CopyOp::fold(FoldAdaptor) {
  // A `?` in both may be a broadcast of a 1, so only known shapes.
  bool same = getType() == getSrc().getType() && cast<RankedTensorType>(getSrc().getType()).hasStaticShape();
  return same ? OpFoldResult(getSrc()) : OpFoldResult();
}

OpFoldResult ToCopyOp::fold(FoldAdaptor) {
  return getType() == getInput().getType() ? OpFoldResult(getInput()) : OpFoldResult();
}

OpFoldResult ConjOp::fold(FoldAdaptor) {
  if (getType() != getInput().getType())
    return {};
  if (!isa<ComplexType>(getType().getElementType()))
    return getInput();
  // conj(conj(x)) = x
  if (auto inner = getInput().getDefiningOp<ConjOp>(); inner && inner.getInput().getType() == getType())
    return inner.getInput();
  return {};
}

OpFoldResult RealOp::fold(FoldAdaptor) {
  return getType() == getInput().getType() ? OpFoldResult(getInput()) : OpFoldResult();
}

OpFoldResult EmptyOp::fold(FoldAdaptor adaptor) { return foldSizes(*this, adaptor); }

OpFoldResult FullOp::fold(FoldAdaptor adaptor) { return foldSizes(*this, adaptor); }

//===----------------------------------------------------------------------===//
// Canonicalization: several ops of one meaning become one of them
//===----------------------------------------------------------------------===//

static void replaceByPermute(Operation *op, Value input, ArrayRef<int64_t> dims, PatternRewriter &rewriter) {
  rewriter.replaceOpWithNewOp<PermuteOp>(op, op->getResult(0).getType(), input, dims);
}

LogicalResult AdjointOp::canonicalize(AdjointOp op, PatternRewriter &rewriter) {
  int64_t rank = op.getType().getRank();
  Value input = op.getInput();
  if (isa<ComplexType>(op.getType().getElementType()))
    input = ConjOp::create(rewriter, op.getLoc(), input.getType(), input);
  replaceByPermute(op, input, exchange(rank, rank - 2, rank - 1), rewriter);
  return success();
}

LogicalResult MovedimOp::canonicalize(MovedimOp op, PatternRewriter &rewriter) {
  int64_t rank = op.getType().getRank();
  auto normal = [rank](ArrayRef<int64_t> dims) {
    return Shape(llvm::map_range(dims, [rank](int64_t d) { return d < 0 ? d + rank : d; }));
  };
  Shape dims = rank == 0 ? Shape() : moved(rank, normal(op.getSource()), normal(op.getDestination()));
  replaceByPermute(op, op.getInput(), dims, rewriter);
  return success();
}

LogicalResult NumpyTOp::canonicalize(NumpyTOp op, PatternRewriter &rewriter) {
  Shape dims(llvm::reverse(llvm::seq<int64_t>(0, op.getType().getRank())));
  replaceByPermute(op, op.getInput(), dims, rewriter);
  return success();
}

LogicalResult TOp::canonicalize(TOp op, PatternRewriter &rewriter) {
  if (op.getType().getRank() != 2)
    return failure();
  replaceByPermute(op, op.getInput(), {1, 0}, rewriter);
  return success();
}

LogicalResult TransposeOp::canonicalize(TransposeOp op, PatternRewriter &rewriter) {
  int64_t rank = op.getType().getRank();
  auto normal = [rank](int64_t d) { return d < 0 ? d + std::max<int64_t>(rank, 1) : d; };
  replaceByPermute(op, op.getInput(), exchange(rank, normal(op.getDim0()), normal(op.getDim1())), rewriter);
  return success();
}

/// The sizes of a tensor of known shape.
static std::optional<ArrayRef<int64_t>> knownShape(Value value) {
  auto type = cast<RankedTensorType>(value.getType());
  return type.hasStaticShape() ? std::optional(type.getShape()) : std::nullopt;
}

LogicalResult ViewAsOp::canonicalize(ViewAsOp op, PatternRewriter &rewriter) {
  auto shape = knownShape(op.getOther());
  if (!shape)
    return failure();
  rewriter.replaceOpWithNewOp<ViewOp>(op, op.getType(), op.getInput(), ValueRange(), *shape);
  return success();
}

LogicalResult ExpandAsOp::canonicalize(ExpandAsOp op, PatternRewriter &rewriter) {
  auto shape = knownShape(op.getOther());
  if (!shape)
    return failure();
  rewriter.replaceOpWithNewOp<ExpandOp>(op, op.getType(), op.getInput(), ValueRange(), *shape);
  return success();
}

LogicalResult TypeAsOp::canonicalize(TypeAsOp op, PatternRewriter &rewriter) {
  rewriter.replaceOpWithNewOp<ToCopyOp>(op, op.getType(), op.getInput(), TypeAttr::get(op.getType().getElementType()));
  return success();
}

static LogicalResult replaceByFull(Operation *op, ArrayRef<int64_t> size, ValueRange dynamic, Value value, PatternRewriter &rewriter) {
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  rewriter.replaceOpWithNewOp<FullOp>(op, type, dynamic, size, value, TypeAttr::get(type.getElementType()));
  return success();
}

LogicalResult FillOp::canonicalize(FillOp op, PatternRewriter &rewriter) {
  auto shape = knownShape(op.getInput());
  return shape ? replaceByFull(op, *shape, {}, op.getValue(), rewriter) : failure();
}

LogicalResult FullLikeOp::canonicalize(FullLikeOp op, PatternRewriter &rewriter) {
  auto shape = knownShape(op.getInput());
  return shape ? replaceByFull(op, *shape, {}, op.getFillValue(), rewriter) : failure();
}

LogicalResult NewFullOp::canonicalize(NewFullOp op, PatternRewriter &rewriter) {
  return replaceByFull(op, op.getStaticSize(), op.getSize(), op.getFillValue(), rewriter);
}

LogicalResult ScalarTensorOp::canonicalize(ScalarTensorOp op, PatternRewriter &rewriter) {
  return replaceByFull(op, {}, {}, op.getS(), rewriter);
}

LogicalResult EmptyLikeOp::canonicalize(EmptyLikeOp op, PatternRewriter &rewriter) {
  auto shape = knownShape(op.getInput());
  if (!shape)
    return failure();
  rewriter.replaceOpWithNewOp<EmptyOp>(op, op.getType(), ValueRange(), *shape, TypeAttr::get(op.getType().getElementType()));
  return success();
}

LogicalResult NewEmptyOp::canonicalize(NewEmptyOp op, PatternRewriter &rewriter) {
  rewriter.replaceOpWithNewOp<EmptyOp>(op, op.getType(), op.getSize(), op.getStaticSize(),
                                       TypeAttr::get(op.getType().getElementType()));
  return success();
}
