//===- ShapeOps.cpp - views, shape changes and creation ------------------===//
//
// Result types of the ops in FxShapeOps.td. Their folders and canonicalisers are
// in ShapeFolding.cpp.
//
//===----------------------------------------------------------------------===//

#include "Shape.h"

#include "mlir/IR/Matchers.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace fx;

//===----------------------------------------------------------------------===//
// Dims and sizes
//===----------------------------------------------------------------------===//

/// A dim of an operand that must have one: a tensor of rank 0 has none.
static FailureOr<int64_t> ownDim(Infer &r, int64_t dim, int64_t rank) {
  if (rank == 0)
    return r.error("expects an operand of rank 1 or more");
  return r.dim(dim, rank);
}

static LogicalResult checkScalar(Infer &r, Value value, const Twine &what) {
  if (Infer::rank(value) != 0)
    return r.error("expects '" + what + "' to be a number or a tensor of rank 0, got rank " + Twine(Infer::rank(value)));
  return success();
}

static int64_t divideUp(int64_t a, int64_t b) { return a / b + (a % b != 0); }

/// a * b, or kDynamic where a factor or the product is unknown.
static int64_t product(int64_t a, int64_t b) {
  int64_t result;
  if (a == 0 || b == 0)
    return 0;
  return a == kDynamic || b == kDynamic || llvm::MulOverflow(a, b, result) ? kDynamic : result;
}

/// `size` with its -1 resolved, as a shape of `total` elements.
static FailureOr<Shape> reshape(Infer &r, int64_t total, ArrayRef<int64_t> size, const Twine &what) {
  Shape shape(size);
  int64_t rest = 1;
  std::optional<size_t> inferred;
  for (auto [i, n] : llvm::enumerate(shape)) {
    if (n != -1) {
      rest = product(rest, n);
      continue;
    }
    if (inferred)
      return r.error(what + ": expects at most one size of -1");
    inferred = i;
  }
  if (inferred) {
    if (rest == 0)
      return r.error(what + ": a size of -1 beside a size of 0 could be any");
    if (total != kDynamic && rest != kDynamic && total % rest != 0)
      return r.error(what + ": expects " + Twine(total) + " elements, got a multiple of " + Twine(rest));
    shape[*inferred] = total == kDynamic || rest == kDynamic ? kDynamic : total / rest;
    return shape;
  }
  if (total != kDynamic && rest != kDynamic && total != rest)
    return r.error(what + ": expects " + Twine(total) + " elements, got a shape of " + Twine(rest));
  return shape;
}

/// Shape of an operand broadcast to `size`, where -1 keeps a size.
static FailureOr<Shape> expand(Infer &r, ArrayRef<int64_t> from, ArrayRef<int64_t> size) {
  if (size.size() < from.size()) // expand_c1, expand_as_c1
    return r.error("expects at least " + Twine(from.size()) + " sizes, got " + Twine(size.size()));
  Shape shape(size);
  size_t added = size.size() - from.size();
  for (auto [i, to] : llvm::enumerate(shape)) {
    if (i < added) {
      if (to == -1) // expand_c3
        return r.error("size -1 in the new dim " + Twine(i) + " has nothing to keep");
      continue;
    }
    int64_t own = from[i - added];
    if (own == 1)
      to = to == -1 ? 1 : to;
    else if (to == -1 || to == kDynamic)
      to = own;
    else if (own != kDynamic && own != to) // expand_c2, expand_as_c2
      return r.error("size " + Twine(own) + " does not expand to " + Twine(to) + " in dim " + Twine(i));
  }
  return shape;
}

static Shape without(ArrayRef<int64_t> shape, int64_t dim) {
  Shape rest(shape);
  rest.erase(rest.begin() + dim);
  return rest;
}

int64_t fx::sliceSize(int64_t n, int64_t start, int64_t end, int64_t step) {
  if (n == 0)
    return 0;
  if (n == kDynamic)
    return start != kDynamic && end != kDynamic && (start < 0) == (end < 0) && end <= start ? 0 : kDynamic;
  if (start == kDynamic || end == kDynamic || step == kDynamic)
    return kDynamic;
  auto bound = [n](int64_t at) { return std::clamp<int64_t>(at < 0 ? at + n : at, 0, n); };
  int64_t length = bound(end) - bound(start);
  return length <= 0 ? 0 : divideUp(length, step);
}

Shape fx::exchange(int64_t rank, int64_t a, int64_t b) {
  Shape dims(llvm::to_vector(llvm::seq<int64_t>(0, rank)));
  if (rank != 0)
    std::swap(dims[a], dims[b]);
  return dims;
}

static Shape pick(ArrayRef<int64_t> shape, ArrayRef<int64_t> dims) {
  Shape out;
  for (int64_t d : dims)
    out.push_back(shape[d]);
  return out;
}

Shape fx::moved(int64_t rank, ArrayRef<int64_t> source, ArrayRef<int64_t> destination) {
  Shape dims(rank, -1);
  for (auto [from, to] : llvm::zip(source, destination))
    dims[to] = from;
  int64_t next = 0;
  for (int64_t &d : dims) {
    if (d != -1)
      continue;
    while (llvm::is_contained(source, next))
      ++next;
    d = next++;
  }
  return dims;
}

//===----------------------------------------------------------------------===//
// The same elements in another shape
//===----------------------------------------------------------------------===//

static LogicalResult inferTypes(FlattenOp::Adaptor op, Infer &r) {
  Shape in = Infer::shape(op.getInput());
  auto start = r.dim(op.getStartDim(), in.size()), end = r.dim(op.getEndDim(), in.size()); // flatten_c1
  if (failed(start) || failed(end))
    return failure();
  if (*start > *end) // flatten_c2
    return r.error("expects start_dim <= end_dim, got " + Twine(*start) + " and " + Twine(*end));
  if (in.empty())
    return r.result({1}, Infer::element(op.getInput()));
  Shape out(in.begin(), in.begin() + *start);
  out.push_back(Infer::numel(ArrayRef<int64_t>(in).slice(*start, *end - *start + 1)));
  out.append(in.begin() + *end + 1, in.end());
  return r.result(out, Infer::element(op.getInput()));
}

static LogicalResult inferTypes(SplitDimOp::Adaptor op, Infer &r) {
  Shape in = Infer::shape(op.getInput());
  auto dim = ownDim(r, op.getDim(), in.size()); // split_dim_c1
  if (failed(dim))
    return failure();
  auto outer = symInt(r, op.getOuterLength(), op.getStaticOuterLength(), "outer_length");
  if (failed(outer))
    return failure();
  int64_t n = in[*dim];
  if (*outer != kDynamic && (*outer <= 0 || (n != kDynamic && n % *outer != 0))) // split_dim_c2
    return r.error("outer length " + Twine(*outer) + " does not divide size " +
                   (n == kDynamic ? Twine("?") : Twine(n)));
  Shape out(in);
  out[*dim] = *outer;
  out.insert(out.begin() + *dim + 1, n == kDynamic || *outer == kDynamic ? kDynamic : n / *outer);
  return r.result(out, Infer::element(op.getInput()));
}

static LogicalResult inferTypes(SqueezeOp::Adaptor op, Infer &r) {
  Shape in = Infer::shape(op.getInput());
  auto given = op.getDim();
  auto dims = r.dims(given.value_or(ArrayRef<int64_t>()), in.size(), /*emptyMeansAll=*/!given); // squeeze_c1
  if (failed(dims))
    return failure();
  Shape out;
  for (auto [i, size] : llvm::enumerate(in))
    if (size != 1 || !llvm::is_contained(*dims, int64_t(i)))
      out.push_back(size);
  return r.result(out, Infer::element(op.getInput()));
}

static LogicalResult inferTypes(UnflattenOp::Adaptor op, Infer &r) {
  Shape in = Infer::shape(op.getInput());
  auto dim = ownDim(r, op.getDim(), in.size()); // unflatten_c1
  if (failed(dim))
    return failure();
  auto list = sizes(r, op.getSizes(), op.getStaticSizes(), "sizes", -1); // unflatten_c3
  if (failed(list))
    return failure();
  auto part = reshape(r, in[*dim], *list, "sizes"); // unflatten_c2
  if (failed(part))
    return failure();
  Shape out = without(in, *dim);
  out.insert(out.begin() + *dim, part->begin(), part->end());
  return r.result(out, Infer::element(op.getInput()));
}

static LogicalResult inferTypes(UnsqueezeOp::Adaptor op, Infer &r) {
  Shape out = Infer::shape(op.getInput());
  auto dim = r.dim(op.getDim(), out.size() + 1); // unsqueeze_c1
  if (failed(dim))
    return failure();
  out.insert(out.begin() + *dim, 1);
  return r.result(out, Infer::element(op.getInput()));
}

static LogicalResult inferTypes(ViewAsOp::Adaptor op, Infer &r) {
  auto shape = reshape(r, Infer::numel(Infer::shape(op.getInput())), Infer::shape(op.getOther()), "other"); // view_as_c1
  return failed(shape) ? failure() : r.result(*shape, Infer::element(op.getInput()));
}

static int64_t widthOf(Type element) {
  if (auto complex = dyn_cast<ComplexType>(element))
    return 2 * complex.getElementType().getIntOrFloatBitWidth();
  return std::max(8u, element.getIntOrFloatBitWidth());
}

static LogicalResult inferTypes(ViewDtypeOp::Adaptor op, Infer &r) {
  auto dtype = elementOr(r, op.getDtype(), {}); // view_dtype_c1
  if (failed(dtype))
    return failure();
  Shape out = Infer::shape(op.getInput());
  int64_t from = widthOf(Infer::element(op.getInput())), to = widthOf(*dtype);
  if (from == to)
    return r.result(out, *dtype);
  if (out.empty()) // view_dtype_c2
    return r.error("a tensor of rank 0 cannot change the width of its element from " + Twine(from) + " to " +
                   Twine(to) + " bits");
  if (from > to) {
    out.back() = product(out.back(), from / to);
  } else if (out.back() != kDynamic) {
    if (out.back() % (to / from) != 0) // view_dtype_c3
      return r.error("last size " + Twine(out.back()) + " is not a multiple of " + Twine(to / from));
    out.back() /= to / from;
  }
  return r.result(out, *dtype);
}

static LogicalResult inferTypes(ViewOp::Adaptor op, Infer &r) {
  auto list = sizes(r, op.getSize(), op.getStaticSize(), "size", -1); // view_c2
  if (failed(list))
    return failure();
  auto shape = reshape(r, Infer::numel(Infer::shape(op.getInput())), *list, "size"); // view_c1, view_c2
  return failed(shape) ? failure() : r.result(*shape, Infer::element(op.getInput()));
}

//===----------------------------------------------------------------------===//
// Dims in another order
//===----------------------------------------------------------------------===//

static LogicalResult inferTypes(AdjointOp::Adaptor op, Infer &r) {
  int64_t rank = Infer::rank(op.getInput());
  if (rank == 1) // adjoint_c1
    return r.error("expects an operand of rank 0 or at least 2, got rank 1");
  return r.result(pick(Infer::shape(op.getInput()), exchange(rank, rank - 2, rank - 1)), Infer::element(op.getInput()));
}

static LogicalResult inferTypes(MovedimOp::Adaptor op, Infer &r) {
  int64_t rank = Infer::rank(op.getInput());
  if (op.getSource().size() != op.getDestination().size()) // movedim_c1
    return r.error("expects as many sources as destinations, got " + Twine(op.getSource().size()) + " and " +
                   Twine(op.getDestination().size()));
  auto source = r.dims(op.getSource(), rank, false), destination = r.dims(op.getDestination(), rank, false);
  if (failed(source) || failed(destination)) // movedim_c2
    return failure();
  if (rank == 0)
    return r.like(op.getInput());
  return r.result(pick(Infer::shape(op.getInput()), moved(rank, *source, *destination)), Infer::element(op.getInput()));
}

static LogicalResult inferTypes(NumpyTOp::Adaptor op, Infer &r) {
  Shape shape = Infer::shape(op.getInput());
  std::reverse(shape.begin(), shape.end());
  return r.result(shape, Infer::element(op.getInput()));
}

static LogicalResult inferTypes(PermuteOp::Adaptor op, Infer &r) {
  Shape in = Infer::shape(op.getInput());
  if (op.getDims().size() != in.size()) // permute_c1
    return r.error("expects " + Twine(in.size()) + " dims, got " + Twine(op.getDims().size()));
  auto dims = r.dims(op.getDims(), in.size(), /*emptyMeansAll=*/false); // permute_c2
  return failed(dims) ? failure() : r.result(pick(in, *dims), Infer::element(op.getInput()));
}

static LogicalResult inferTypes(TOp::Adaptor op, Infer &r) {
  Shape shape = Infer::shape(op.getInput());
  if (shape.size() > 2) // t_c1
    return r.error("expects an operand of rank 2 at most, got rank " + Twine(shape.size()));
  std::reverse(shape.begin(), shape.end());
  return r.result(shape, Infer::element(op.getInput()));
}

static LogicalResult inferTypes(TransposeOp::Adaptor op, Infer &r) {
  int64_t rank = Infer::rank(op.getInput());
  auto a = r.dim(op.getDim0(), rank), b = r.dim(op.getDim1(), rank); // transpose_c1
  if (failed(a) || failed(b))
    return failure();
  return r.result(pick(Infer::shape(op.getInput()), exchange(rank, *a, *b)), Infer::element(op.getInput()));
}

static LogicalResult inferTypes(FlipOp::Adaptor op, Infer &r) {
  if (failed(r.dims(op.getDims(), Infer::rank(op.getInput()), /*emptyMeansAll=*/false))) // flip_c1
    return failure();
  return r.like(op.getInput());
}

static LogicalResult inferTypes(RollOp::Adaptor op, Infer &r) {
  if (failed(checkList(r, op.getShifts(), op.getStaticShifts(), "shifts")))
    return failure();
  ArrayRef<int64_t> dims = op.getDims().value_or(ArrayRef<int64_t>());
  size_t wanted = dims.empty() ? 1 : dims.size();
  if (op.getStaticShifts().size() != wanted) // roll_c1
    return r.error("expects " + Twine(wanted) + " shifts, got " + Twine(op.getStaticShifts().size()));
  for (int64_t dim : dims)
    if (failed(r.dim(dim, Infer::rank(op.getInput())))) // roll_c2
      return failure();
  return r.like(op.getInput());
}

static LogicalResult inferTypes(Rot90Op::Adaptor op, Infer &r) {
  if (op.getDims().size() != 2) // rot90_c1
    return r.error("expects 2 dims, got " + Twine(op.getDims().size()));
  int64_t rank = Infer::rank(op.getInput());
  if (rank < 2) // rot90_c2
    return r.error("expects an operand of rank 2 or more, got rank " + Twine(rank));
  auto dims = r.dims(op.getDims(), rank, /*emptyMeansAll=*/false); // rot90_c2
  if (failed(dims))
    return failure();
  Shape shape = Infer::shape(op.getInput());
  if (op.getK() % 2 != 0)
    std::swap(shape[(*dims)[0]], shape[(*dims)[1]]);
  return r.result(shape, Infer::element(op.getInput()));
}

//===----------------------------------------------------------------------===//
// Broadcasting and repetition
//===----------------------------------------------------------------------===//

static LogicalResult inferTypes(BroadcastInDimOp::Adaptor op, Infer &r) {
  Shape in = Infer::shape(op.getInput());
  auto shape = sizes(r, op.getShape(), op.getStaticShape(), "shape");
  if (failed(shape))
    return failure();
  ArrayRef<int64_t> dims = op.getBroadcastDimensions();
  if (dims.size() != in.size()) // broadcast_in_dim_c1
    return r.error("expects " + Twine(in.size()) + " broadcast dimensions, got " + Twine(dims.size()));
  int64_t last = -1;
  for (auto [size, dim] : llvm::zip(in, dims)) {
    if (dim <= last || dim >= int64_t(shape->size())) // broadcast_in_dim_c1
      return r.error("broadcast dimension " + Twine(dim) + " does not follow " + Twine(last) + " in a shape of rank " +
                     Twine(shape->size()));
    last = dim;
    int64_t &to = (*shape)[dim];
    if (size != 1 && size != kDynamic && to != kDynamic && size != to) // broadcast_in_dim_c2
      return r.error("size " + Twine(size) + " does not broadcast to " + Twine(to) + " in dim " + Twine(dim));
    if (to == kDynamic && size != 1)
      to = size;
  }
  return r.result(*shape, Infer::element(op.getInput()));
}

static LogicalResult inferTypes(ExpandAsOp::Adaptor op, Infer &r) {
  auto shape = expand(r, Infer::shape(op.getInput()), Infer::shape(op.getOther()));
  return failed(shape) ? failure() : r.result(*shape, Infer::element(op.getInput()));
}

static LogicalResult inferTypes(ExpandOp::Adaptor op, Infer &r) {
  auto list = sizes(r, op.getSize(), op.getStaticSize(), "size", -1); // expand_c3
  if (failed(list))
    return failure();
  auto shape = expand(r, Infer::shape(op.getInput()), *list);
  return failed(shape) ? failure() : r.result(*shape, Infer::element(op.getInput()));
}

static LogicalResult inferTypes(MeshgridOp::Adaptor op, Infer &r) {
  if (op.getTensors().empty()) // meshgrid_c1
    return r.error("expects at least one tensor");
  StringRef indexing = op.getIndexing();
  if (indexing != "ij" && indexing != "xy") // meshgrid_c3
    return r.error("expects indexing \"ij\" or \"xy\", got \"" + indexing + "\"");
  Type element = Infer::element(op.getTensors().front());
  Shape shape;
  for (Value tensor : op.getTensors()) {
    Shape own = Infer::shape(tensor);
    if (own.size() > 1) // meshgrid_c1
      return r.error("expects tensors of rank 0 or 1, got rank " + Twine(own.size()));
    if (Infer::element(tensor) != element) // meshgrid_c2
      return r.error("expects tensors of one element type");
    shape.push_back(own.empty() ? 1 : own[0]);
  }
  if (indexing == "xy" && shape.size() >= 2)
    std::swap(shape[0], shape[1]);
  for (size_t i = 0, e = shape.size(); i < e; ++i)
    if (failed(r.result(shape, element)))
      return failure();
  return success();
}

static LogicalResult inferTypes(RepeatOp::Adaptor op, Infer &r) {
  auto repeats = sizes(r, op.getRepeats(), op.getStaticRepeats(), "repeats"); // repeat_c1
  if (failed(repeats))
    return failure();
  Shape shape = Infer::shape(op.getInput());
  size_t rank = std::max(shape.size(), repeats->size());
  shape.insert(shape.begin(), rank - shape.size(), 1);
  repeats->insert(repeats->begin(), rank - repeats->size(), 1);
  for (auto [size, times] : llvm::zip(shape, *repeats))
    size = product(size, times);
  return r.result(shape, Infer::element(op.getInput()));
}

//===----------------------------------------------------------------------===//
// Parts
//===----------------------------------------------------------------------===//

static LogicalResult inferTypes(AsStridedOp::Adaptor op, Infer &r) {
  auto size = sizes(r, op.getSize(), op.getStaticSize(), "size"); // as_strided_c1
  auto stride = sizes(r, op.getStride(), op.getStaticStride(), "stride");
  if (failed(size) || failed(stride))
    return failure();
  if (size->size() != stride->size()) // as_strided_c1
    return r.error("expects as many strides as sizes, got " + Twine(stride->size()) + " and " + Twine(size->size()));
  auto offset = symInt(r, op.getStorageOffset(), op.getStaticStorageOffset(), "storage_offset", 0); // as_strided_c2
  if (failed(offset))
    return failure();
  if (*offset < 0 && *offset != kDynamic) // as_strided_c2
    return r.error("storage offset " + Twine(*offset) + " is negative");
  // as_strided_c3: the last element read, where all parts of the sum are known.
  int64_t last = *offset, total = Infer::numel(Infer::shape(op.getInput()));
  for (auto [n, s] : llvm::zip(*size, *stride)) {
    int64_t step = n == kDynamic ? kDynamic : product(n - 1, s);
    if (last == kDynamic || step == kDynamic || llvm::AddOverflow(last, step, last))
      last = kDynamic;
  }
  if (!llvm::is_contained(*size, 0) && total != kDynamic && last != kDynamic && last >= total)
    return r.error("reads element " + Twine(last) + " of an input of " + Twine(total));
  return r.result(*size, Infer::element(op.getInput()));
}

/// The pieces of `chunk` and `split` along the dim: how many, or kDynamic, and
/// the size of each but the last.
struct Pieces {
  int64_t count, size;
};

/// Checks results of a split against the operand: the pieces where they are
/// known, and in any case the other dims.
static LogicalResult verifyPieces(Infer &r, Value input, int64_t dim, Pieces pieces, TypeRange results) {
  Shape shape = Infer::shape(input);
  int64_t total = shape[dim];
  if (pieces.count != kDynamic && pieces.count != int64_t(results.size()))
    return r.error("expects " + Twine(pieces.count) + " results, got " + Twine(results.size()));
  for (auto [i, type] : llvm::enumerate(results)) {
    if (pieces.count == kDynamic || pieces.size == kDynamic)
      shape[dim] = kDynamic;
    else if (int64_t(i) + 1 < pieces.count)
      shape[dim] = pieces.size;
    else
      shape[dim] = total - pieces.size * (pieces.count - 1);
    Type wanted = RankedTensorType::get(shape, Infer::element(input));
    if (!compatibleTypes(TypeRange(ArrayRef<Type>(wanted)), TypeRange(ArrayRef<Type>(type)))) {
      std::string text;
      llvm::raw_string_ostream(text) << "expects result #" << i << " to be '" << wanted << "', got '" << type << "'";
      return r.error(text);
    }
  }
  return success();
}

LogicalResult ChunkOp::verify() {
  SmallVector<Type> unused;
  Infer r(getContext(), getLoc(), getOperationName(), unused);
  Shape shape = Infer::shape(getInput());
  auto dim = ownDim(r, getDim(), shape.size()); // chunk_c1
  if (failed(dim))
    return failure();
  int64_t chunks = getChunks(), n = shape[*dim];
  if (chunks <= 0) // chunk_c2
    return r.error("expects a positive number of chunks, got " + Twine(chunks));
  Pieces pieces{kDynamic, kDynamic};
  if (n == 0)
    pieces = {chunks, 0};
  else if (n != kDynamic)
    pieces = {divideUp(n, divideUp(n, chunks)), divideUp(n, chunks)};
  return verifyPieces(r, getInput(), *dim, pieces, getResultTypes()); // chunk_c3
}

static LogicalResult inferTypes(DiagonalOp::Adaptor op, Infer &r) {
  Shape in = Infer::shape(op.getInput());
  if (in.size() < 2) // diagonal_c1
    return r.error("expects an operand of rank 2 or more, got rank " + Twine(in.size()));
  auto dims = r.dims({int64_t(op.getDim1()), int64_t(op.getDim2())}, in.size(), /*emptyMeansAll=*/false); // diagonal_c1
  if (failed(dims))
    return failure();
  int64_t rows = in[(*dims)[0]], columns = in[(*dims)[1]], offset = op.getOffset(), length = kDynamic;
  if (rows != kDynamic && columns != kDynamic) {
    int64_t top = std::min<int64_t>(offset, 0), left = std::max<int64_t>(offset, 0);
    length = std::max<int64_t>(std::min(rows + top, columns - left), 0);
  }
  Shape out = Infer::reduce(in, *dims, /*keepdim=*/false);
  out.push_back(length);
  return r.result(out, Infer::element(op.getInput()));
}

static LogicalResult inferTypes(NarrowOp::Adaptor op, Infer &r) {
  Shape shape = Infer::shape(op.getInput());
  auto dim = ownDim(r, op.getDim(), shape.size()); // narrow_c1
  if (failed(dim))
    return failure();
  auto start = symInt(r, op.getStart(), op.getStaticStart(), "start");
  auto length = symInt(r, op.getLength(), op.getStaticLength(), "length");
  if (failed(start) || failed(length))
    return failure();
  int64_t n = shape[*dim];
  if (*length != kDynamic && (*length < 0 || (n != kDynamic && *length > n))) // narrow_c2
    return r.error("length " + Twine(*length) + " is out of range for a size of " + (n == kDynamic ? Twine("?") : Twine(n)));
  if (n != kDynamic && *start != kDynamic) {
    int64_t first = *start < 0 ? *start + n : *start;
    if (first < 0 || first > n || (*length != kDynamic && first > n - *length)) // narrow_c2
      return r.error("a range that starts at " + Twine(*start) + " does not fit a size of " + Twine(n));
  }
  shape[*dim] = *length;
  return r.result(shape, Infer::element(op.getInput()));
}

static LogicalResult inferTypes(SelectOp::Adaptor op, Infer &r) {
  Shape shape = Infer::shape(op.getInput());
  auto dim = ownDim(r, op.getDim(), shape.size()); // select_c1
  if (failed(dim))
    return failure();
  auto index = symInt(r, op.getIndex(), op.getStaticIndex(), "index");
  if (failed(index))
    return failure();
  int64_t n = shape[*dim];
  if (*index != kDynamic && n != kDynamic && (*index < -n || *index >= n)) // select_c2
    return r.error("index " + Twine(*index) + " is out of range for a size of " + Twine(n));
  return r.result(without(shape, *dim), Infer::element(op.getInput()));
}

static LogicalResult inferTypes(SliceOp::Adaptor op, Infer &r) {
  Shape shape = Infer::shape(op.getInput());
  auto dim = ownDim(r, op.getDim(), shape.size()); // slice_c1
  if (failed(dim))
    return failure();
  constexpr int64_t toTheEnd = std::numeric_limits<int64_t>::max();
  auto start = symInt(r, op.getStart(), op.getStaticStart(), "start", 0); // slice_c2
  auto end = symInt(r, op.getEnd(), op.getStaticEnd(), "end", toTheEnd);
  auto step = symInt(r, op.getStep(), op.getStaticStep(), "step", 1);
  if (failed(start) || failed(end) || failed(step))
    return failure();
  if (*step != kDynamic && *step <= 0) // slice_c3
    return r.error("expects a positive step, got " + Twine(*step));
  if (*start != 0 || *end != toTheEnd || *step != 1)
    shape[*dim] = sliceSize(shape[*dim], *start, *end, *step);
  return r.result(shape, Infer::element(op.getInput()));
}

LogicalResult SplitOp::verify() {
  SmallVector<Type> unused;
  Infer r(getContext(), getLoc(), getOperationName(), unused);
  Shape shape = Infer::shape(getInput());
  auto dim = ownDim(r, getDim(), shape.size()); // split_c1
  if (failed(dim))
    return failure();
  auto size = symInt(r, getSplitSize(), getStaticSplitSize(), "split_size"); // split_c2
  if (failed(size))
    return failure();
  int64_t n = shape[*dim];
  if (*size != kDynamic && (*size < 0 || (*size == 0 && n != 0 && n != kDynamic))) // split_c2
    return r.error("a split size of " + Twine(*size) + " does not divide up a size of " +
                   (n == kDynamic ? Twine("?") : Twine(n)));
  Pieces pieces{kDynamic, kDynamic};
  if (n == 0)
    pieces = {1, 0};
  else if (n != kDynamic && *size != kDynamic)
    pieces = {divideUp(n, *size), *size};
  return verifyPieces(r, getInput(), *dim, pieces, getResultTypes()); // split_c3
}

static LogicalResult inferTypes(SplitWithSizesOp::Adaptor op, Infer &r) {
  Shape shape = Infer::shape(op.getInput());
  auto dim = ownDim(r, op.getDim(), shape.size()); // split_with_sizes_c1
  if (failed(dim))
    return failure();
  auto list = sizes(r, op.getSplitSizes(), op.getStaticSplitSizes(), "split_sizes"); // split_with_sizes_c2
  if (failed(list))
    return failure();
  int64_t n = shape[*dim], sum = 0;
  for (int64_t size : *list)
    if (sum == kDynamic || size == kDynamic || llvm::AddOverflow(sum, size, sum))
      sum = kDynamic;
  if (n != kDynamic && sum != kDynamic && n != sum) // split_with_sizes_c2
    return r.error("the sizes add up to " + Twine(sum) + ", expected " + Twine(n));
  for (int64_t size : *list) {
    shape[*dim] = size;
    if (failed(r.result(shape, Infer::element(op.getInput()))))
      return failure();
  }
  return success();
}

LogicalResult UnbindOp::verify() {
  SmallVector<Type> unused;
  Infer r(getContext(), getLoc(), getOperationName(), unused);
  Shape shape = Infer::shape(getInput());
  auto dim = ownDim(r, getDim(), shape.size()); // unbind_c1
  if (failed(dim))
    return failure();
  int64_t n = shape[*dim];
  if (n != kDynamic && n != int64_t(getNumResults())) // unbind_c2
    return r.error("expects " + Twine(n) + " results, got " + Twine(getNumResults()));
  SmallVector<Type> wanted(getNumResults(), RankedTensorType::get(without(shape, *dim), Infer::element(getInput())));
  if (!compatibleTypes(wanted, getResultTypes())) // unbind_c3
    return emitOpError("expects results of type ") << wanted.front() << ", got " << getResultTypes();
  return success();
}

static LogicalResult inferTypes(UnfoldOp::Adaptor op, Infer &r) {
  Shape shape = Infer::shape(op.getInput());
  auto dim = r.dim(op.getDimension(), shape.size()); // unfold_c1
  if (failed(dim))
    return failure();
  int64_t n = shape.empty() ? 1 : shape[*dim], size = op.getSize(), step = op.getStep();
  if (size < 0 || (n != kDynamic && size > n)) // unfold_c2
    return r.error("window of " + Twine(size) + " does not fit a size of " + (n == kDynamic ? Twine("?") : Twine(n)));
  if (step <= 0) // unfold_c3
    return r.error("expects a positive step, got " + Twine(step));
  if (!shape.empty())
    shape[*dim] = n == kDynamic ? kDynamic : (n - size) / step + 1;
  shape.push_back(size);
  return r.result(shape, Infer::element(op.getInput()));
}

//===----------------------------------------------------------------------===//
// Joined
//===----------------------------------------------------------------------===//

static LogicalResult inferTypes(CatOp::Adaptor op, Infer &r) {
  if (op.getTensors().empty()) // cat_c1
    return r.error("expects at least one tensor");
  SmallVector<Value> tensors(op.getTensors());
  Type element = r.promote(tensors, Promote::NoOpMath);
  int64_t rank = 1;
  for (Value tensor : tensors) {
    if (Infer::rank(tensor) == 0) // cat_c1
      return r.error("expects tensors of rank 1 or more, got rank 0");
    rank = std::max(rank, Infer::rank(tensor));
  }
  auto dim = r.dim(op.getDim(), rank); // cat_c2
  if (failed(dim))
    return failure();
  std::optional<Shape> shape;
  for (Value tensor : tensors) {
    Shape own = Infer::shape(tensor);
    // A vector of size 0 is skipped; one of unknown size among others of another rank must be such.
    if (own.size() == 1 && (own[0] == 0 || (own[0] == kDynamic && rank != 1)))
      continue;
    if (int64_t(own.size()) != rank) // cat_c2
      return r.error("expects tensors of one rank, got ranks " + Twine(rank) + " and " + Twine(own.size()));
    if (!shape) {
      shape = own;
      continue;
    }
    for (int64_t i = 0; i < rank; ++i) {
      int64_t &size = (*shape)[i];
      if (i == *dim) {
        if (size == kDynamic || own[i] == kDynamic || llvm::AddOverflow(size, own[i], size))
          size = kDynamic;
        continue;
      }
      auto both = r.same(size, own[i], "dim " + Twine(i)); // cat_c3
      if (failed(both))
        return failure();
      size = *both;
    }
  }
  return r.result(shape.value_or(Shape{0}), element);
}

static LogicalResult inferTypes(StackOp::Adaptor op, Infer &r) {
  if (op.getTensors().empty()) // stack_c1
    return r.error("expects at least one tensor");
  SmallVector<Value> tensors(op.getTensors());
  Shape shape = Infer::shape(tensors.front());
  for (Value tensor : tensors) {
    Shape own = Infer::shape(tensor);
    if (own.size() != shape.size()) // stack_c1
      return r.error("expects tensors of one rank, got ranks " + Twine(shape.size()) + " and " + Twine(own.size()));
    for (auto [i, size] : llvm::enumerate(own)) {
      auto both = r.same(shape[i], size, "dim " + Twine(i)); // stack_c1
      if (failed(both))
        return failure();
      shape[i] = *both;
    }
  }
  auto dim = r.dim(op.getDim(), shape.size() + 1); // stack_c2
  if (failed(dim))
    return failure();
  shape.insert(shape.begin() + *dim, tensors.size());
  return r.result(shape, r.promote(tensors, Promote::NoOpMath));
}

//===----------------------------------------------------------------------===//
// Copies and conversions of the element type
//===----------------------------------------------------------------------===//

static LogicalResult inferTypes(CloneOp::Adaptor op, Infer &r) { return r.like(op.getInput()); }

static LogicalResult inferTypes(CopyOp::Adaptor op, Infer &r) {
  Shape to = Infer::shape(op.getInput());
  auto shape = r.broadcastShapes(to, Infer::shape(op.getSrc())); // copy_c1
  if (failed(shape))
    return failure();
  bool grown = shape->size() != to.size();
  for (size_t i = 0; i < to.size() && !grown; ++i)
    grown = to[i] == 1 && (*shape)[i] != 1 && (*shape)[i] != kDynamic;
  if (grown) // copy_c1
    return r.error("expects 'src' to broadcast to the shape of 'input'");
  return r.like(op.getInput());
}

static LogicalResult inferTypes(FillOp::Adaptor op, Infer &r) {
  if (failed(checkScalar(r, op.getValue(), "value"))) // fill_c1
    return failure();
  return r.like(op.getInput());
}

static LogicalResult inferTypes(ResizeOp::Adaptor op, Infer &r) {
  auto shape = sizes(r, op.getSize(), op.getStaticSize(), "size"); // resize_c1
  return failed(shape) ? failure() : r.result(*shape, Infer::element(op.getInput()));
}

static LogicalResult inferTypes(ToCopyOp::Adaptor op, Infer &r) {
  auto dtype = elementOr(r, op.getDtype(), Infer::element(op.getInput())); // to_copy_c1
  return failed(dtype) ? failure() : r.like(op.getInput(), *dtype);
}

static LogicalResult inferTypes(TypeAsOp::Adaptor op, Infer &r) {
  return r.like(op.getInput(), Infer::element(op.getOther()));
}

//===----------------------------------------------------------------------===//
// Complex numbers
//===----------------------------------------------------------------------===//

static LogicalResult inferTypes(ComplexOp::Adaptor op, Infer &r) {
  if (Infer::element(op.getReal()) != Infer::element(op.getImag())) // complex_c1
    return r.error("expects both parts to have the same element type");
  auto shape = r.broadcast({op.getReal(), op.getImag()}); // complex_c2
  return failed(shape) ? failure() : r.result(*shape, ComplexType::get(Infer::element(op.getReal())));
}

static LogicalResult inferTypes(ConjOp::Adaptor op, Infer &r) { return r.like(op.getInput()); }
static LogicalResult inferTypes(ImagOp::Adaptor op, Infer &r) { return r.unary(op.getInput(), Promote::ComplexToFloat); }
static LogicalResult inferTypes(RealOp::Adaptor op, Infer &r) { return r.unary(op.getInput(), Promote::ComplexToFloat); }

static LogicalResult inferTypes(ViewAsComplexOp::Adaptor op, Infer &r) {
  Shape shape = Infer::shape(op.getInput());
  if (shape.empty() || (shape.back() != 2 && shape.back() != kDynamic)) // view_as_complex_c1
    return r.error("expects a last size of 2, got " +
                   (shape.empty() ? Twine("a tensor of rank 0") : Twine(shape.back())));
  shape.pop_back();
  return r.result(shape, ComplexType::get(Infer::element(op.getInput())));
}

static LogicalResult inferTypes(ViewAsRealOp::Adaptor op, Infer &r) {
  Shape shape = Infer::shape(op.getInput());
  shape.push_back(2);
  return r.result(shape, cast<ComplexType>(Infer::element(op.getInput())).getElementType());
}

//===----------------------------------------------------------------------===//
// Creation
//===----------------------------------------------------------------------===//

static LogicalResult createTypes(Infer &r, ValueRange dynamic, ArrayRef<int64_t> list, std::optional<Type> dtype,
                                 Type otherwise) {
  auto shape = sizes(r, dynamic, list, "size"); // empty_c1, full_c1, new_empty_c1, new_full_c1
  auto element = elementOr(r, dtype, otherwise);  // the same
  return failed(shape) || failed(element) ? failure() : r.result(*shape, *element);
}

/// A number of arange where it is a constant.
struct Constant {
  bool integer;
  int64_t whole;
  double real;
};

static std::optional<Constant> constantOf(Value value) {
  Attribute attr;
  if (!matchPattern(value, m_Constant(&attr)))
    return std::nullopt;
  if (auto integer = dyn_cast<IntegerAttr>(attr)) {
    int64_t whole = integer.getType().isInteger(1) ? integer.getValue().getZExtValue() : integer.getValue().getSExtValue();
    return Constant{true, whole, double(whole)};
  }
  if (auto real = dyn_cast<FloatAttr>(attr))
    return Constant{false, 0, real.getValueAsDouble()};
  return std::nullopt;
}

/// A double as a size: kDynamic when it does not fit.
static int64_t wholeNumber(double value) { return value > -9e18 && value < 9e18 ? int64_t(value) : kDynamic; }

static FailureOr<int64_t> arangeSize(Infer &r, Constant start, Constant end, Constant step, bool truncate) {
  if (truncate)
    for (Constant *c : {&start, &end, &step})
      if (!c->integer)
        *c = {true, wholeNumber(c->real), double(wholeNumber(c->real))};
  bool whole = start.integer && end.integer && step.integer;
  if (whole ? step.whole == 0 : step.real == 0) // arange_c1
    return r.error("expects a step other than 0");
  // Both differences of two i64 fit 128 bits.
  if (whole) {
    if (llvm::is_contained({start.whole, end.whole, step.whole}, kDynamic))
      return kDynamic;
    __int128 span = __int128(end.whole) - start.whole, by = step.whole;
    if (by < 0 ? span > 0 : span < 0) // arange_c2
      return r.error("a step of " + Twine(step.whole) + " does not lead from " + Twine(start.whole) + " to " +
                     Twine(end.whole));
    __int128 size = span / by + (span % by != 0);
    return size > std::numeric_limits<int64_t>::max() ? kDynamic : int64_t(size);
  }
  double size = std::ceil((end.real - start.real) / step.real);
  if (size < 0) // arange_c2
    return r.error("the step does not lead from start to end");
  return size >= 0 ? wholeNumber(size) : kDynamic;
}

static LogicalResult inferTypes(ArangeOp::Adaptor op, Infer &r) {
  SmallVector<Value> operands{op.getStart(), op.getEnd()};
  if (op.getStep())
    operands.push_back(op.getStep());
  Type element = IntegerType::get(r.getContext(), 64);
  for (Value operand : operands) {
    if (isa<ComplexType>(operand.getType())) // arange_c3
      return r.error("expects real numbers");
    if (isa<FloatType>(operand.getType()))
      element = Float32Type::get(r.getContext());
  }
  auto dtype = elementOr(r, op.getDtype(), element); // arange_c3
  if (failed(dtype))
    return failure();
  auto start = constantOf(op.getStart()), end = constantOf(op.getEnd());
  auto step = op.getStep() ? constantOf(op.getStep()) : std::optional(Constant{true, 1, 1.0});
  if (!start || !end || !step)
    return r.result({kDynamic}, *dtype);
  auto size = arangeSize(r, *start, *end, *step, dtype->isInteger(64));
  return failed(size) ? failure() : r.result({*size}, *dtype);
}

static LogicalResult inferTypes(EmptyOp::Adaptor op, Infer &r) {
  return createTypes(r, op.getSize(), op.getStaticSize(), op.getDtype(), Float32Type::get(r.getContext()));
}

static LogicalResult inferTypes(EmptyLikeOp::Adaptor op, Infer &r) {
  auto dtype = elementOr(r, op.getDtype(), Infer::element(op.getInput())); // empty_like_c1
  return failed(dtype) ? failure() : r.like(op.getInput(), *dtype);
}

static LogicalResult inferTypes(EyeOp::Adaptor op, Infer &r) {
  auto n = symInt(r, op.getN(), op.getStaticN(), "n"); // eye_c1
  if (failed(n))
    return failure();
  auto m = symInt(r, op.getM(), op.getStaticM(), "m", *n);
  if (failed(m))
    return failure();
  for (int64_t size : {*n, *m})
    if (size < 0 && size != kDynamic) // eye_c1
      return r.error("size " + Twine(size) + " is negative");
  auto dtype = elementOr(r, op.getDtype(), Float32Type::get(r.getContext())); // eye_c2
  return failed(dtype) ? failure() : r.result({*n, *m}, *dtype);
}

static LogicalResult inferTypes(FullOp::Adaptor op, Infer &r) {
  if (failed(checkScalar(r, op.getFillValue(), "fill_value"))) // full_c2
    return failure();
  return createTypes(r, op.getSize(), op.getStaticSize(), op.getDtype(), Infer::element(op.getFillValue()));
}

static LogicalResult inferTypes(FullLikeOp::Adaptor op, Infer &r) {
  if (failed(checkScalar(r, op.getFillValue(), "fill_value"))) // full_like_c1
    return failure();
  auto dtype = elementOr(r, op.getDtype(), Infer::element(op.getInput())); // full_like_c2
  return failed(dtype) ? failure() : r.like(op.getInput(), *dtype);
}

static LogicalResult inferTypes(IotaOp::Adaptor op, Infer &r) {
  auto length = symInt(r, op.getLength(), op.getStaticLength(), "length"); // iota_c1
  auto start = symInt(r, op.getStart(), op.getStaticStart(), "start");
  auto step = symInt(r, op.getStep(), op.getStaticStep(), "step");
  if (failed(length) || failed(start) || failed(step))
    return failure();
  if (*length < 0 && *length != kDynamic) // iota_c1
    return r.error("length " + Twine(*length) + " is negative");
  auto dtype = elementOr(r, op.getDtype(), {}); // iota_c2
  if (failed(dtype))
    return failure();
  if (category(*dtype) != Category::Integer) // iota_c2
    return r.error("expects an integer dtype");
  return r.result({*length}, *dtype);
}

static LogicalResult spaceTypes(Infer &r, Value start, Value end, int64_t steps, std::optional<Type> dtype) {
  if (steps < 0) // linspace_c1, logspace_c1
    return r.error("expects a number of steps of at least 0, got " + Twine(steps));
  if (failed(checkScalar(r, start, "start")) || failed(checkScalar(r, end, "end"))) // linspace_c2, logspace_c2
    return failure();
  Type element = Float32Type::get(r.getContext());
  if (isa<ComplexType>(Infer::element(start)) || isa<ComplexType>(Infer::element(end)))
    element = ComplexType::get(element);
  auto given = elementOr(r, dtype, element); // linspace_c3, logspace_c3
  return failed(given) ? failure() : r.result({steps}, *given);
}

static LogicalResult inferTypes(LinspaceOp::Adaptor op, Infer &r) {
  return spaceTypes(r, op.getStart(), op.getEnd(), op.getSteps(), op.getDtype());
}

static LogicalResult inferTypes(LogspaceOp::Adaptor op, Infer &r) {
  return spaceTypes(r, op.getStart(), op.getEnd(), op.getSteps(), op.getDtype());
}

static LogicalResult inferTypes(NewEmptyOp::Adaptor op, Infer &r) {
  return createTypes(r, op.getSize(), op.getStaticSize(), op.getDtype(), Infer::element(op.getInput()));
}

static LogicalResult inferTypes(NewFullOp::Adaptor op, Infer &r) {
  if (failed(checkScalar(r, op.getFillValue(), "fill_value"))) // new_full_c2
    return failure();
  return createTypes(r, op.getSize(), op.getStaticSize(), op.getDtype(), Infer::element(op.getInput()));
}

static LogicalResult inferTypes(ScalarTensorOp::Adaptor op, Infer &r) {
  auto dtype = elementOr(r, op.getDtype(), Float32Type::get(r.getContext())); // scalar_tensor_c1
  return failed(dtype) ? failure() : r.result(ArrayRef<int64_t>(), *dtype);
}

//===----------------------------------------------------------------------===//
// Registration
//===----------------------------------------------------------------------===//

void FxDialect::registerShapeOps() {
  addOperations<
#define GET_OP_LIST
#include "fx/FxShapeOps.cpp.inc"
      >();
}

#define GET_OP_CLASSES
#include "fx/FxShapeOps.cpp.inc"
