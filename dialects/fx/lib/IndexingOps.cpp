//===- IndexingOps.cpp - gather, scatter, masks and lookups --------------===//

#include "fx/FxDialect.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace fx;

//===----------------------------------------------------------------------===//
// Syntax of a list of optional tensors: [%i, _, %j]
//===----------------------------------------------------------------------===//

static ParseResult parseOptionalTensors(OpAsmParser &parser, SmallVectorImpl<OpAsmParser::UnresolvedOperand> &values,
                                        DenseBoolArrayAttr &present) {
  SmallVector<bool> flags;
  auto element = [&]() -> ParseResult {
    flags.push_back(failed(parser.parseOptionalKeyword("_")));
    return flags.back() ? parser.parseOperand(values.emplace_back()) : ParseResult(success());
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, element))
    return failure();
  present = parser.getBuilder().getDenseBoolArrayAttr(flags);
  return success();
}

static void printOptionalTensors(OpAsmPrinter &printer, Operation *, OperandRange values, DenseBoolArrayAttr present) {
  printer << '[';
  unsigned next = 0;
  llvm::interleaveComma(present.asArrayRef(), printer, [&](bool flag) {
    if (!flag)
      printer << '_';
    else if (next < values.size())
      printer << values[next++];
  });
  printer << ']';
}

//===----------------------------------------------------------------------===//
// Small rules
//===----------------------------------------------------------------------===//

/// A 0-d tensor counts as a vector of one element.
static Shape atLeast1D(Value value) {
  Shape shape = Infer::shape(value);
  if (shape.empty())
    shape.push_back(1);
  return shape;
}

static bool exceeds(int64_t a, int64_t b) { return a != kDynamic && b != kDynamic && a > b; }

/// A SymInt that is a size.
static FailureOr<int64_t> symSize(ValueRange values, ArrayRef<int64_t> list, StringRef name, Infer &r) {
  auto size = symInt(r, values, list, name);
  if (succeeded(size) && *size < 0 && *size != kDynamic)
    return r.error(name + ": expected a size of at least 0, got " + Twine(*size));
  return size;
}

static LogicalResult oneOf(StringRef name, StringRef value, ArrayRef<StringRef> choices, Infer &r) {
  if (llvm::is_contained(choices, value))
    return success();
  return r.error("expects '" + name + "' to be one of \"" + llvm::join(choices, "\", \"") + "\", got \"" + value +
                 "\"");
}

//===----------------------------------------------------------------------===//
// Advanced indexing
//===----------------------------------------------------------------------===//

namespace {
/// One dim of the indexed tensor: its size, or the shape of the positions that replace it.
struct IndexedDim {
  bool indexed;
  int64_t size;
  Shape positions;
};
} // namespace

/// Shape of `input[indices]`.
static FailureOr<Shape> indexedShape(Value input, ValueRange indices, ArrayRef<bool> present, Infer &r) {
  if (size_t(llvm::count(present, true)) != indices.size()) // index_c4
    return r.error("expects one operand for each present index, got " + Twine(indices.size()) + " for " +
                   Twine(llvm::count(present, true)));
  Shape in = Infer::shape(input);
  SmallVector<IndexedDim> dims;
  size_t next = 0;
  for (bool flag : present) {
    if (!flag) {
      if (dims.size() < in.size())
        dims.push_back({false, in[dims.size()], {}});
      else
        return r.error("has more indices than the " + Twine(in.size()) + " dims of 'input'"); // index_c1
      continue;
    }
    Value index = indices[next++];
    Shape shape = Infer::shape(index);
    Type type = Infer::element(index);
    bool mask = type.isInteger(1) || type.isUnsignedInteger(8);
    if (dims.size() + (mask ? shape.size() : 1) > in.size()) // index_c1
      return r.error("has more indices than the " + Twine(in.size()) + " dims of 'input'");
    if (!mask) {
      dims.push_back({true, 0, shape});
      continue;
    }
    for (int64_t size : shape) {
      if (failed(r.same(size, in[dims.size()], "mask of dim " + Twine(dims.size())))) // index_c3
        return failure();
      dims.push_back({true, 0, {kDynamic}});
    }
  }
  while (dims.size() < in.size())
    dims.push_back({false, in[dims.size()], {}});

  Shape positions;
  for (const IndexedDim &dim : dims) {
    auto shape = r.broadcastShapes(positions, dim.positions); // index_c2
    if (failed(shape))
      return failure();
    positions = *shape;
  }
  auto isIndexed = [](const IndexedDim &dim) { return dim.indexed; };
  auto first = llvm::find_if(dims, isIndexed);
  auto afterRun = std::find_if_not(first, dims.end(), isIndexed);
  bool adjacent = std::none_of(afterRun, dims.end(), isIndexed);
  size_t place = adjacent ? first - dims.begin() : 0;
  Shape out;
  for (auto [i, dim] : llvm::enumerate(dims)) {
    if (i == place)
      out.append(positions);
    if (!dim.indexed)
      out.push_back(dim.size);
  }
  if (place == dims.size())
    out.append(positions);
  return out;
}

template <class Adaptor> static LogicalResult index(Adaptor op, Infer &r) {
  auto shape = indexedShape(op.getInput(), op.getIndices(), op.getPresentIndices(), r);
  if (failed(shape))
    return failure();
  return r.result(*shape, Infer::element(op.getInput()));
}

template <class Adaptor> static LogicalResult indexPut(Adaptor op, Infer &r) {
  auto shape = indexedShape(op.getInput(), op.getIndices(), op.getPresentIndices(), r);
  if (failed(shape))
    return failure();
  Shape values = Infer::shape(op.getValues());
  auto common = r.broadcastShapes(*shape, values); // index_put_c1
  if (failed(common))
    return failure();
  // PyTorch accepts further leading dims of size 1.
  auto mayBeOne = [](int64_t size) { return size == 1 || size == kDynamic; };
  // index_put_c1
  if (common->size() > shape->size() && !llvm::all_of(ArrayRef(values).drop_back(shape->size()), mayBeOne))
    return r.error("'values' of rank " + Twine(values.size()) + " does not broadcast to the rank " +
                   Twine(shape->size()) + " of the indexed elements");
  for (auto [to, from] : llvm::zip(llvm::reverse(*shape), llvm::reverse(values)))
    if (to == 1 && from != 1 && from != kDynamic) // index_put_c1
      return r.error("'values' does not broadcast to the indexed elements: size " + Twine(from) + " against 1");
  if (failed(r.sameElements({op.getInput(), op.getValues()}))) // index_put_c2
    return failure();
  return r.like(op.getInput());
}

//===----------------------------------------------------------------------===//
// Positions along one dim
//===----------------------------------------------------------------------===//

/// Checks that every position of `index` names one element of `value` in the dims other than `dim` (-1: in all).
static LogicalResult checkPositions(StringRef name, Value value, Value index, int64_t dim, Infer &r) {
  int64_t count = Infer::numel(Infer::shape(index));
  if (count == 0)
    return success();
  Type type = Infer::element(index);
  if (count != kDynamic && !type.isSignlessInteger(64) && !type.isSignlessInteger(32)) // gather_c4, scatter_c6
    return r.error("expects 'index' of i64 or i32");
  Shape of = atLeast1D(value), at = atLeast1D(index);
  if (of.size() != at.size())
    return r.error("expects 'index' of the rank of '" + name + "', got " + Twine(at.size()) + " and " +
                   Twine(of.size()));
  for (size_t d = 0; d < at.size(); ++d)
    if (int64_t(d) != dim && exceeds(at[d], of[d]))
      return r.error("expects 'index' to be no larger than '" + name + "' in dim " + Twine(d) + ", got " +
                     Twine(at[d]) + " and " + Twine(of[d]));
  return success();
}

template <class Adaptor> static LogicalResult gather(Adaptor op, Infer &r) {
  auto dim = r.dim(op.getDim(), Infer::rank(op.getInput())); // gather_c1
  if (failed(dim) || failed(checkPositions("input", op.getInput(), op.getIndex(), *dim, r))) // gather_c2, gather_c3
    return failure();
  return r.result(Infer::shape(op.getIndex()), Infer::element(op.getInput()));
}

template <class Adaptor>
static LogicalResult scatter(Adaptor op, std::optional<StringRef> reduce, ArrayRef<StringRef> reductions, Infer &r) {
  auto dim = r.dim(op.getDim(), Infer::rank(op.getInput())); // scatter_c1
  if (failed(dim) || failed(checkPositions("input", op.getInput(), op.getIndex(), *dim, r))) // scatter_c2, scatter_c3
    return failure();
  Value src = op.getSrc();
  if (isa<RankedTensorType>(src.getType()) && failed(checkPositions("src", src, op.getIndex(), -1, r))) // scatter_c3
    return failure();
  if (failed(r.sameElements({op.getInput(), src}))) // scatter_c4
    return failure();
  if (reduce && failed(oneOf("reduce", *reduce, reductions, r))) // scatter_c5, scatter_reduce_c5
    return failure();
  return r.like(op.getInput());
}

/// Number of positions of an index of rank 0 or 1.
static FailureOr<int64_t> positionCount(Value index, Infer &r) {
  if (failed(r.checkRank("index", index, 0, 1)))
    return failure();
  return atLeast1D(index)[0];
}

template <class Adaptor> static LogicalResult indexSelect(Adaptor op, Infer &r) {
  Shape shape = Infer::shape(op.getInput());
  auto dim = r.dim(op.getDim(), shape.size()); // index_select_c1
  auto count = positionCount(op.getIndex(), r); // index_select_c2
  if (failed(dim) || failed(count))
    return failure();
  if (!shape.empty())
    shape[*dim] = *count;
  return r.result(shape, Infer::element(op.getInput()));
}

template <class Adaptor> static LogicalResult indexedWrite(Adaptor op, Infer &r) {
  Shape shape = atLeast1D(op.getInput());
  auto dim = r.dim(op.getDim(), Infer::rank(op.getInput())); // index_add_c1
  auto count = positionCount(op.getIndex(), r);              // index_add_c2
  if (failed(dim) || failed(count))
    return failure();
  shape[*dim] = *count;
  if (failed(r.sameShapes(atLeast1D(op.getSource()), shape, "'source'")) || // index_add_c3
      failed(r.sameElements({op.getInput(), op.getSource()})))               // index_add_c4
    return failure();
  return r.like(op.getInput());
}

template <class Adaptor> static LogicalResult indexReduce(Adaptor op, Infer &r) {
  if (failed(oneOf("reduce", op.getReduce(), {"prod", "mean", "amax", "amin"}, r))) // index_reduce_c5
    return failure();
  return indexedWrite(op, r);
}

template <class Adaptor> static LogicalResult indexFill(Adaptor op, Infer &r) {
  if (failed(r.dim(op.getDim(), Infer::rank(op.getInput()))) || // index_fill_c1
      failed(positionCount(op.getIndex(), r)) ||                // index_fill_c2
      failed(r.checkRank("value", op.getValue(), 0)))           // index_fill_c3
    return failure();
  return r.like(op.getInput());
}

template <class Adaptor> static LogicalResult takeAlongDim(Adaptor op, Infer &r) {
  Type element = Infer::element(op.getInput());
  Shape in = Infer::shape(op.getInput()), at = Infer::shape(op.getIndices());
  if (!op.getDim())
    return r.result({Infer::numel(at)}, element);
  auto dim = r.dim(*op.getDim(), in.size()); // take_along_dim_c1
  if (failed(dim))
    return failure();
  if (in.size() != at.size()) // take_along_dim_c2
    return r.error("expects 'indices' of the rank of 'input', got " + Twine(at.size()) + " and " + Twine(in.size()));
  if (in.empty())
    return r.result(in, element);
  int64_t count = at[*dim];
  in[*dim] = at[*dim] = 1;
  auto shape = r.broadcastShapes(in, at); // take_along_dim_c3
  if (failed(shape))
    return failure();
  (*shape)[*dim] = count;
  return r.result(*shape, element);
}

template <class Adaptor> static LogicalResult put(Adaptor op, Infer &r) {
  if (failed(r.same(Infer::numel(Infer::shape(op.getSource())), Infer::numel(Infer::shape(op.getIndex())),
                    "numbers of elements of 'source' and 'index'")) || // put_c1
      failed(r.sameElements({op.getInput(), op.getSource()})))         // put_c2
    return failure();
  return r.like(op.getInput());
}

//===----------------------------------------------------------------------===//
// Masks and positions of true elements
//===----------------------------------------------------------------------===//

template <class Adaptor> static LogicalResult maskedSelect(Adaptor op, Infer &r) {
  if (failed(r.broadcast({op.getInput(), op.getMask()}))) // masked_select_c1
    return failure();
  return r.result({kDynamic}, Infer::element(op.getInput()));
}

template <class Adaptor> static LogicalResult maskedScatter(Adaptor op, Infer &r) {
  auto shape = r.broadcast({op.getInput(), op.getMask()}); // masked_scatter_c1
  if (failed(shape) || failed(r.sameElements({op.getInput(), op.getSource()}))) // masked_scatter_c2
    return failure();
  return r.result(*shape, Infer::element(op.getInput()));
}

template <class Adaptor> static LogicalResult maskedScatterBackward(Adaptor op, Infer &r) {
  auto shape = sizes(r, op.getSizes(), op.getStaticSizes(), "'sizes'"); // masked_scatter_backward_c1
  if (failed(shape))
    return failure();
  return r.result(*shape, Infer::element(op.getGradOutput()));
}

template <class Adaptor> static LogicalResult nonzeroStatic(Adaptor op, Infer &r) {
  auto size = symSize(op.getSize(), op.getStaticSize(), "'size'", r); // nonzero_static_c1
  if (failed(size))
    return failure();
  return r.result({*size, Infer::rank(op.getInput())}, r.builder().getI64Type());
}

template <class Adaptor> static LogicalResult oneHot(Adaptor op, Infer &r) {
  Shape shape = Infer::shape(op.getInput());
  int64_t classes = op.getNumClasses();
  if (classes < -1 || (classes == 0 && Infer::numel(shape) > 0)) // one_hot_c1
    return r.error("expects 'num_classes' to be -1 or positive, got " + Twine(classes));
  shape.push_back(classes == -1 ? kDynamic : classes);
  return r.result(shape, r.builder().getI64Type());
}

//===----------------------------------------------------------------------===//
// Repetition and sorted search
//===----------------------------------------------------------------------===//

/// The dim along which slices repeat, with the shape to which it belongs: the flattened one without `dim`.
static FailureOr<int64_t> repeatedDim(Shape &shape, std::optional<int64_t> dim, Infer &r) {
  if (!dim) {
    shape = {Infer::numel(shape)};
    return 0;
  }
  auto normal = r.dim(*dim, shape.size());
  if (shape.empty())
    shape.push_back(1);
  return normal;
}

/// `output_size`: empty, or one size; an absent one is unknown.
static FailureOr<int64_t> outputSize(ValueRange values, ArrayRef<int64_t> list, Infer &r) {
  if (list.empty() && values.empty())
    return kDynamic;
  return symSize(values, list, "'output_size'", r);
}

template <class Adaptor> static LogicalResult repeatInterleave(Adaptor op, Infer &r) {
  auto size = outputSize(op.getOutputSize(), op.getStaticOutputSize(), r); // repeat_interleave_c4
  if (failed(size) || failed(r.checkRank("repeats", op.getRepeats(), op.getInput() ? 0 : 1, 1))) // repeat_interleave_c1
    return failure();
  if (!op.getInput())
    return r.result({*size}, Infer::element(op.getRepeats()));
  Shape shape = Infer::shape(op.getInput());
  auto dim = repeatedDim(shape, op.getDim(), r); // repeat_interleave_c2
  if (failed(dim))
    return failure();
  int64_t repeats = atLeast1D(op.getRepeats())[0];
  // repeat_interleave_c3
  if (repeats != 1 && failed(r.same(repeats, shape[*dim], "size of 'repeats' and of the repeated dim")))
    return failure();
  shape[*dim] = *size;
  return r.result(shape, Infer::element(op.getInput()));
}

template <class Adaptor> static LogicalResult repeatInterleaveInt(Adaptor op, Infer &r) {
  auto repeats = symSize(op.getRepeats(), op.getStaticRepeats(), "'repeats'", r); // repeat_interleave_int_c1
  auto size = outputSize(op.getOutputSize(), op.getStaticOutputSize(), r);
  if (failed(repeats) || failed(size))
    return failure();
  Shape shape = Infer::shape(op.getInput());
  auto dim = repeatedDim(shape, op.getDim(), r); // repeat_interleave_int_c2
  if (failed(dim))
    return failure();
  // repeat_interleave_int_c3
  auto total = r.same(Infer::numel({shape[*dim], *repeats}), *size, "'output_size' and repeated size");
  if (failed(total))
    return failure();
  shape[*dim] = *total;
  return r.result(shape, Infer::element(op.getInput()));
}

static Type positionType(bool int32, Infer &r) { return int32 ? r.builder().getI32Type() : r.builder().getI64Type(); }

template <class Adaptor> static LogicalResult bucketize(Adaptor op, Infer &r) {
  if (failed(r.checkRank("boundaries", op.getBoundaries(), 1))) // bucketize_c1
    return failure();
  return r.result(Infer::shape(op.getInput()), positionType(op.getOutInt32(), r));
}

template <class Adaptor> static LogicalResult searchsorted(Adaptor op, Infer &r) {
  Shape rows = Infer::shape(op.getSortedSequence()), in = Infer::shape(op.getInput());
  if (rows.empty() || (rows.size() > 1 && rows.size() != in.size())) // searchsorted_c1
    return r.error("expects 'sorted_sequence' of rank 1 or of the rank of 'input', got " + Twine(rows.size()) +
                   " and " + Twine(in.size()));
  if (rows.size() > 1 &&
      failed(r.sameShapes(ArrayRef(rows).drop_back(), ArrayRef(in).drop_back(), "'sorted_sequence'")))
    return failure();
  if (auto side = op.getSide()) { // searchsorted_c2
    if (failed(oneOf("side", *side, {"left", "right"}, r)))
      return failure();
    if (*side == "left" && op.getRight())
      return r.error("expects 'side' not to be \"left\" together with 'right'");
  }
  if (op.getSorter() && failed(r.sameShapes(Infer::shape(op.getSorter()), rows, "'sorter'"))) // searchsorted_c3
    return failure();
  return r.result(in, positionType(op.getOutInt32(), r));
}

//===----------------------------------------------------------------------===//
// Writes to a view
//===----------------------------------------------------------------------===//

/// The type of an op that overwrites the elements of a view of shape `view` by `src`.
static LogicalResult overwrite(Value input, Value src, ArrayRef<int64_t> view, Infer &r) {
  if (failed(r.sameShapes(Infer::shape(src), view, "'src'")) || failed(r.sameElements({input, src})))
    return failure();
  return r.like(input);
}

template <class Adaptor> static LogicalResult asStridedScatter(Adaptor op, Infer &r) {
  ArrayRef<int64_t> size = op.getStaticSize(), stride = op.getStaticStride(), offset = op.getStaticStorageOffset();
  if (failed(checkList(r, op.getSize(), size, "'size'")) || failed(checkList(r, op.getStride(), stride, "'stride'")) ||
      failed(checkList(r, op.getStorageOffset(), offset, "'storage_offset'")))
    return failure();
  if (size.size() != stride.size()) // as_strided_scatter_c1
    return r.error("expects 'size' and 'stride' of one length, got " + Twine(size.size()) + " and " +
                   Twine(stride.size()));
  if (offset.size() > 1) // as_strided_scatter_c4
    return r.error("expects at most one entry in 'storage_offset', got " + Twine(offset.size()));
  for (ArrayRef<int64_t> list : {size, stride, offset})
    for (int64_t entry : list)
      if (entry < 0 && entry != kDynamic) // as_strided_scatter_c4
        return r.error("expects sizes, strides and offset not to be negative, got " + Twine(entry));
  return overwrite(op.getInput(), op.getSrc(), size, r); // as_strided_scatter_c2, as_strided_scatter_c3
}

template <class Adaptor> static LogicalResult diagonalScatter(Adaptor op, Infer &r) {
  Shape shape = Infer::shape(op.getInput());
  auto dim1 = r.dim(op.getDim1(), shape.size()), dim2 = r.dim(op.getDim2(), shape.size()); // diagonal_scatter_c1
  if (failed(dim1) || failed(dim2))
    return failure();
  if (*dim1 == *dim2 || shape.size() < 2) // diagonal_scatter_c1
    return r.error("expects 'dim1' and 'dim2' to be different dims, got dim " + Twine(*dim1) + " twice");
  int64_t rows = shape[*dim1], cols = shape[*dim2], offset = op.getOffset(), length = kDynamic;
  if (rows != kDynamic && cols != kDynamic) {
    // The bounds keep the sums in range; outside of them the diagonal is empty.
    offset = std::clamp(offset, -rows, cols);
    length = offset >= 0 ? std::min(rows, cols - offset) : std::min(rows + offset, cols);
  }
  Shape view = Infer::reduce(shape, {*dim1, *dim2}, /*keepdim=*/false);
  view.push_back(length);
  return overwrite(op.getInput(), op.getSrc(), view, r); // diagonal_scatter_c2, diagonal_scatter_c3
}

template <class Adaptor> static LogicalResult selectScatter(Adaptor op, Infer &r) {
  Shape shape = Infer::shape(op.getInput());
  if (shape.empty()) // select_scatter_c1
    return r.error("expects 'input' of rank 1 or more, got rank 0");
  auto dim = r.dim(op.getDim(), shape.size()); // select_scatter_c1
  auto index = symInt(r, op.getIndex(), op.getStaticIndex(), "'index'"); // select_scatter_c4
  if (failed(dim) || failed(index))
    return failure();
  int64_t size = shape[*dim];
  if (size != kDynamic && *index != kDynamic && (*index < -size || *index >= size)) // select_scatter_c4
    return r.error("index " + Twine(*index) + " is out of range for a dim of size " + Twine(size));
  // select_scatter_c2, select_scatter_c3
  return overwrite(op.getInput(), op.getSrc(), Infer::reduce(shape, {*dim}, /*keepdim=*/false), r);
}

/// A bound of a slice, clamped to [0, size]; an empty list is `absent`.
static int64_t sliceBound(ArrayRef<int64_t> list, int64_t absent, int64_t size) {
  if (list.empty())
    return absent;
  if (list[0] == kDynamic)
    return kDynamic;
  return std::clamp<int64_t>(list[0] < 0 ? list[0] + size : list[0], 0, size);
}

/// Number of elements of start:end:step of a dim.
static int64_t sliceLength(int64_t size, ArrayRef<int64_t> start, ArrayRef<int64_t> end, int64_t step) {
  if (size == kDynamic || step == kDynamic)
    return kDynamic;
  int64_t from = sliceBound(start, 0, size), to = sliceBound(end, size, size);
  if (from == kDynamic || to == kDynamic)
    return kDynamic;
  return from >= to ? 0 : (to - from - 1) / step + 1;
}

template <class Adaptor> static LogicalResult sliceScatter(Adaptor op, Infer &r) {
  Shape shape = Infer::shape(op.getInput());
  if (shape.empty()) // slice_scatter_c1
    return r.error("expects 'input' of rank 1 or more, got rank 0");
  auto dim = r.dim(op.getDim(), shape.size()); // slice_scatter_c1
  auto step = symInt(r, op.getStep(), op.getStaticStep(), "'step'"); // slice_scatter_c4
  ArrayRef<int64_t> start = op.getStaticStart(), end = op.getStaticEnd();
  if (failed(dim) || failed(step) || failed(checkList(r, op.getStart(), start, "'start'")) ||
      failed(checkList(r, op.getEnd(), end, "'end'")))
    return failure();
  if (*step != kDynamic && *step < 1) // slice_scatter_c4
    return r.error("expects 'step' to be positive, got " + Twine(*step));
  if (start.size() > 1 || end.size() > 1) // slice_scatter_c4
    return r.error("expects at most one entry in 'start' and 'end', got " + Twine(start.size()) + " and " +
                   Twine(end.size()));
  shape[*dim] = sliceLength(shape[*dim], start, end, *step);
  Shape src = Infer::shape(op.getSrc());
  if (src.size() > shape.size()) // slice_scatter_c2
    return r.error("'src' of rank " + Twine(src.size()) + " does not broadcast to the range of rank " +
                   Twine(shape.size()));
  for (auto [i, from] : llvm::enumerate(src))
    // slice_scatter_c2
    if (from != 1 && failed(r.same(from, shape[shape.size() - src.size() + i], "'src' in dim " + Twine(i))))
      return failure();
  if (failed(r.sameElements({op.getInput(), op.getSrc()}))) // slice_scatter_c3
    return failure();
  return r.like(op.getInput());
}

//===----------------------------------------------------------------------===//
// Triangles
//===----------------------------------------------------------------------===//

template <class Adaptor> static LogicalResult triangle(Adaptor op, Infer &r) {
  if (failed(r.checkRank("input", op.getInput(), 2, INT64_MAX)) ||                    // tril_c1
      failed(symInt(r, op.getDiagonal(), op.getStaticDiagonal(), "'diagonal'"))) // tril_c2
    return failure();
  return r.like(op.getInput());
}

/// Number of elements of a row x col matrix with column - row <= offset, for sizes below 2^31.
static int64_t lowerTriangleSize(int64_t row, int64_t col, int64_t offset) {
  offset = std::clamp(offset, -row, col);
  // Row i holds clamp(i + 1 + offset, 0, col) elements: none, then 1, 2, .. up to col, then col each.
  int64_t first = std::max<int64_t>(0, -offset), full = std::clamp(col - 1 - offset, first, row);
  int64_t rising = full - first, low = first + 1 + offset;
  return rising * low + rising * (rising - 1) / 2 + (row - full) * col;
}

template <class Adaptor> static LogicalResult triangleIndices(Adaptor op, bool lower, Infer &r) {
  int64_t row = op.getRow(), col = op.getCol(), offset = op.getOffset();
  if (row < 0 || col < 0 || row > INT32_MAX || col > INT32_MAX) // tril_indices_c1
    return r.error("expects 'row' and 'col' in [0, 2^31), got " + Twine(row) + " and " + Twine(col));
  int64_t below = lowerTriangleSize(row, col, lower || offset == INT64_MIN ? offset : offset - 1);
  auto element = elementOr(r, op.getDtype(), r.builder().getI64Type()); // tril_indices_c2
  if (failed(element))
    return failure();
  return r.result({2, lower ? below : row * col - below}, *element);
}

//===----------------------------------------------------------------------===//
// Embeddings
//===----------------------------------------------------------------------===//

template <class Adaptor> static LogicalResult embedding(Adaptor op, Infer &r) {
  if (failed(r.checkRank("weight", op.getWeight(), 2)) ||                                   // embedding_c1
      failed(symInt(r, op.getPaddingIdx(), op.getStaticPaddingIdx(), "'padding_idx'"))) // embedding_c2
    return failure();
  Shape shape = Infer::shape(op.getIndices());
  shape.push_back(Infer::shape(op.getWeight())[1]);
  return r.result(shape, Infer::element(op.getWeight()));
}

template <class Adaptor> static LogicalResult embeddingDenseBackward(Adaptor op, Infer &r) {
  Shape grad = Infer::shape(op.getGradOutput());
  if (grad.empty()) // embedding_dense_backward_c1
    return r.error("expects 'grad_output' of rank 1 or more, got rank 0");
  auto rows = symSize(op.getNumWeights(), op.getStaticNumWeights(), "'num_weights'", r); // embedding_dense_backward_c2
  if (failed(r.sameShapes(ArrayRef(grad).drop_back(), Infer::shape(op.getIndices()),
                          "'grad_output' and 'indices'")) || // embedding_dense_backward_c1
      failed(rows) || failed(symInt(r, op.getPaddingIdx(), op.getStaticPaddingIdx(), "'padding_idx'")))
    return failure();
  return r.result({*rows, grad.back()}, Infer::element(op.getGradOutput()));
}

static LogicalResult checkMode(int64_t mode, Infer &r) {
  if (mode >= 0 && mode <= 2)
    return success();
  return r.error("expects 'mode' to be 0 (sum), 1 (mean) or 2 (max), got " + Twine(mode));
}

template <class Adaptor> static LogicalResult embeddingBag(Adaptor op, Infer &r) {
  if (failed(r.checkRank("weight", op.getWeight(), 2)) || failed(r.checkRank("indices", op.getIndices(), 1)) ||
      failed(r.checkRank("offsets", op.getOffsets(), 1)) || // embedding_bag_c1
      failed(checkMode(op.getMode(), r)))                   // embedding_bag_c2
    return failure();
  if (Value scale = op.getPerSampleWeights()) { // embedding_bag_c3
    if (op.getMode() != 0)
      return r.error("expects 'mode' to be 0 (sum) with 'per_sample_weights', got " + Twine(op.getMode()));
    if (failed(r.sameShapes(Infer::shape(scale), Infer::shape(op.getIndices()), "'per_sample_weights'")))
      return failure();
  }
  int64_t offsets = Infer::shape(op.getOffsets())[0], bags = offsets;
  bool last = op.getIncludeLastOffset();
  if (last && offsets != kDynamic) {
    if (offsets == 0) // embedding_bag_c4
      return r.error("expects 'offsets' not to be empty with 'include_last_offset'");
    bags = offsets - 1;
  }
  int64_t columns = Infer::shape(op.getWeight())[1];
  Type position = Infer::element(op.getOffsets());
  bool max = op.getMode() == 2;
  (void)r.result({bags, columns}, Infer::element(op.getWeight()));
  (void)r.result({kDynamic}, position); // one entry per index, or none
  (void)r.result({last ? kDynamic : bags}, position);
  return max ? r.result({bags, columns}, position) : r.result({kDynamic}, position);
}

template <class Adaptor> static LogicalResult embeddingBagBackward(Adaptor op, bool sparse, Infer &r) {
  auto rows = symSize(op.getNumWeights(), op.getStaticNumWeights(), "'num_weights'", r); // embedding_bag_backward_c2
  if (failed(rows) || failed(r.checkRank("grad", op.getGrad(), 2)) || // embedding_bag_backward_c1
      failed(checkMode(op.getMode(), r)))                             // embedding_bag_backward_c3
    return failure();
  if (sparse) // embedding_bag_backward_c3
    return r.error("expects 'sparse' to be false: sparse gradients are not supported");
  return r.result({*rows, Infer::shape(op.getGrad())[1]}, Infer::element(op.getGrad()));
}

//===----------------------------------------------------------------------===//
// Registration
//===----------------------------------------------------------------------===//

void FxDialect::registerIndexingOps() {
  addOperations<
#define GET_OP_LIST
#include "fx/FxIndexingOps.cpp.inc"
      >();
}

#define GET_OP_CLASSES
#include "fx/FxIndexingOps.cpp.inc"

//===----------------------------------------------------------------------===//
// Folders
//===----------------------------------------------------------------------===//

/// x[_, _] = x.
OpFoldResult IndexOp::fold(FoldAdaptor) {
  if (getIndices().empty() && getType() == getInput().getType())
    return getInput();
  return {};
}

/// x with all of its slices overwritten by src = src.
OpFoldResult SliceScatterOp::fold(FoldAdaptor) {
  // Sizes that only a run knows have to be checked then.
  if (!getType().hasStaticShape() || getSrc().getType() != getType() || getInput().getType() != getType() ||
      !getStart().empty() || !getEnd().empty() || getStaticStep() != ArrayRef<int64_t>{1})
    return {};
  int64_t rank = getInput().getType().getRank(), dim = getDim();
  if (dim < -rank || dim >= rank)
    return {};
  int64_t size = getInput().getType().getDimSize(dim < 0 ? dim + rank : dim);
  ArrayRef<int64_t> start = getStaticStart(), end = getStaticEnd();
  bool fromStart = start.empty() || start[0] == 0;
  bool toEnd = end.empty() || end[0] == INT64_MAX || (size != kDynamic && end[0] >= size);
  if (fromStart && toEnd)
    return getSrc();
  return {};
}
