//===- MatrixOps.cpp - products, linear algebra, recurrences, FFT --------===//

#include "fx/FxDialect.h"

#include "llvm/ADT/StringExtras.h"

#include <array>

using namespace mlir;
using namespace fx;

static Shape concat(ArrayRef<int64_t> a, ArrayRef<int64_t> b) {
  Shape out(a);
  out.append(b.begin(), b.end());
  return out;
}

/// Checks that a shape broadcasts to `target`.
static LogicalResult broadcastsTo(ArrayRef<int64_t> shape, ArrayRef<int64_t> target, StringRef name, Infer &r) {
  if (shape.size() > target.size())
    return r.error("expects '" + name + "' of rank " + Twine(target.size()) + " or less, got rank " +
                   Twine(shape.size()));
  target = target.take_back(shape.size());
  for (auto [i, from] : llvm::enumerate(shape))
    if (from != 1 && failed(r.same(from, target[i], "'" + name + "' in dim " + Twine(i))))
      return failure();
  return success();
}

//===----------------------------------------------------------------------===//
// Products of two operands
//===----------------------------------------------------------------------===//

namespace {
/// An operand with the name that errors give it.
struct Named {
  StringRef name;
  Value value;

  Shape shape() const { return Infer::shape(value); }
  Type element() const { return Infer::element(value); }
  LogicalResult checkRank(int64_t rank, Infer &r) const { return r.checkRank(name, value, rank); }
};
} // namespace

/// Shape of the product of matrices with `batch` batch dims.
static FailureOr<Shape> productShape(Named lhs, Named rhs, int64_t batch, Infer &r) {
  if (failed(lhs.checkRank(batch + 2, r)) || failed(rhs.checkRank(batch + 2, r))) // mm_c1, bmm_c1
    return failure();
  Shape a = lhs.shape(), b = rhs.shape();
  auto common = r.sameShapes(ArrayRef(a).take_front(batch), ArrayRef(b).take_front(batch), "batch"); // bmm_c2
  if (failed(common) || failed(r.same(a[batch + 1], b[batch], "contracted size"))) // mm_c2, bmm_c2
    return failure();
  return concat(*common, {a[batch], b[batch + 1]});
}

static LogicalResult product(Named lhs, Named rhs, int64_t batch, std::optional<Type> outDtype, Infer &r) {
  auto shape = productShape(lhs, rhs, batch, r);
  if (failed(shape) || failed(r.sameElements({lhs.value, rhs.value}))) // mm_c3, bmm_c3
    return failure();
  auto element = elementOr(r, outDtype, lhs.element());
  if (failed(element))
    return failure();
  return r.result(*shape, *element);
}

static FailureOr<Shape> matrixVectorShape(Named matrix, Named vector, Infer &r) {
  if (failed(matrix.checkRank(2, r)) || failed(vector.checkRank(1, r)) ||             // mv_c1, addmv_c1
      failed(r.same(matrix.shape()[1], vector.shape()[0], "contracted size"))) // mv_c2, addmv_c1
    return failure();
  return Shape{matrix.shape()[0]};
}

static LogicalResult matrixVector(Named matrix, Named vector, Infer &r) {
  auto shape = matrixVectorShape(matrix, vector, r);
  if (failed(shape) || failed(r.sameElements({matrix.value, vector.value}))) // mv_c3
    return failure();
  return r.result(*shape, matrix.element());
}

static LogicalResult dot(Named lhs, Named rhs, Infer &r) {
  if (failed(lhs.checkRank(1, r)) || failed(rhs.checkRank(1, r)) ||   // dot_c1
      failed(r.same(lhs.shape()[0], rhs.shape()[0], "size")) || // dot_c1
      failed(r.sameElements({lhs.value, rhs.value})))           // dot_c2
    return failure();
  return r.result(Shape(), lhs.element());
}

static LogicalResult matmul(Value lhs, Value rhs, Infer &r) {
  if (failed(r.checkRank("input", lhs, 1, INT64_MAX)) || failed(r.checkRank("other", rhs, 1, INT64_MAX)) || // matmul_c1
      failed(r.sameElements({lhs, rhs})))                                                                   // matmul_c4
    return failure();
  Shape a = Infer::shape(lhs), b = Infer::shape(rhs);
  bool row = a.size() == 1, column = b.size() == 1;
  if (row)
    a.insert(a.begin(), 1);
  if (column)
    b.push_back(1);
  if (failed(r.same(a.back(), b[b.size() - 2], "contracted size"))) // matmul_c2
    return failure();
  auto shape = r.broadcastShapes(ArrayRef(a).drop_back(2), ArrayRef(b).drop_back(2)); // matmul_c3
  if (failed(shape))
    return failure();
  if (!row)
    shape->push_back(a[a.size() - 2]);
  if (!column)
    shape->push_back(b.back());
  return r.result(*shape, Infer::element(lhs));
}

static FailureOr<Shape> outerShape(Named lhs, Named rhs, Infer &r) {
  if (failed(lhs.checkRank(1, r)) || failed(rhs.checkRank(1, r))) // outer_c1, addr_c1
    return failure();
  return Shape{lhs.shape()[0], rhs.shape()[0]};
}

static LogicalResult outer(Named lhs, Named rhs, Infer &r) {
  auto shape = outerShape(lhs, rhs, r);
  if (failed(shape))
    return failure();
  return r.result(*shape, r.promote({lhs.value, rhs.value}, Promote::Default));
}

static LogicalResult inner(Value lhs, Value rhs, Infer &r) {
  Shape a = Infer::shape(lhs), b = Infer::shape(rhs);
  if (a.empty() || b.empty())
    return r.pointwise({lhs, rhs});
  if (failed(r.same(a.back(), b.back(), "last size")) || failed(r.sameElements({lhs, rhs}))) // inner_c1, inner_c2
    return failure();
  return r.result(concat(ArrayRef(a).drop_back(), ArrayRef(b).drop_back()), Infer::element(lhs));
}

static LogicalResult kron(Value lhs, Value rhs, Infer &r) {
  Shape a = Infer::shape(lhs), b = Infer::shape(rhs);
  size_t rank = std::max(a.size(), b.size());
  a.insert(a.begin(), rank - a.size(), 1);
  b.insert(b.begin(), rank - b.size(), 1);
  Shape shape;
  for (auto [x, y] : llvm::zip(a, b))
    shape.push_back(Infer::numel({x, y}));
  return r.result(shape, r.promote({lhs, rhs}, Promote::Default));
}

template <class Adaptor> static LogicalResult tensordot(Adaptor op, Infer &r) {
  Shape a = Infer::shape(op.getInput()), b = Infer::shape(op.getOther());
  ArrayRef<int64_t> listA = op.getDimsSelf(), listB = op.getDimsOther();
  if (listA.size() != listB.size()) // tensordot_c1
    return r.error("expects 'dims_self' and 'dims_other' of one length, got " + Twine(listA.size()) + " and " +
                   Twine(listB.size()));
  auto dimsA = r.dims(listA, a.size(), /*emptyMeansAll=*/false);
  auto dimsB = r.dims(listB, b.size(), /*emptyMeansAll=*/false);
  if (failed(dimsA) || failed(dimsB) || failed(r.sameElements({op.getInput(), op.getOther()}))) // tensordot_c3
    return failure();
  for (auto [x, y] : llvm::zip(*dimsA, *dimsB)) {
    // Rank 0 counts as rank 1 for dims, but has no size.
    int64_t sizeA = a.empty() ? 1 : a[x], sizeB = b.empty() ? 1 : b[y];
    if (sizeA != 1 && sizeB != 1 && failed(r.same(sizeA, sizeB, "contracted size"))) // tensordot_c2
      return failure();
  }
  return r.result(concat(Infer::reduce(a, *dimsA, false), Infer::reduce(b, *dimsB, false)),
                  Infer::element(op.getInput()));
}

template <class Adaptor> static LogicalResult intMm(Adaptor op, Infer &r) {
  auto shape = productShape({"input", op.getInput()}, {"mat2", op.getMat2()}, 0, r); // int_mm_c1
  if (failed(shape))
    return failure();
  return r.result(*shape, r.builder().getI32Type());
}

template <class Adaptor> static LogicalResult cross(Adaptor op, Infer &r) {
  Value lhs = op.getInput(), rhs = op.getOther();
  if (Infer::rank(lhs) != Infer::rank(rhs)) // cross_c1
    return r.error("expects operands of one rank, got " + Twine(Infer::rank(lhs)) + " and " + Twine(Infer::rank(rhs)));
  auto shape = r.broadcast({lhs, rhs}); // cross_c1
  if (failed(shape))
    return failure();
  if (op.getDim()) {
    auto dim = r.dim(*op.getDim(), shape->size()); // cross_c2
    if (failed(dim))
      return failure();
    if (shape->empty() || failed(r.same((*shape)[*dim], 3, "size of the crossed dim")))
      return shape->empty() ? r.error("expects operands of rank 1 or more, got rank 0") : LogicalResult(failure());
    (*shape)[*dim] = 3;
  } else if (llvm::none_of(*shape, [](int64_t size) { return size == 3 || size == kDynamic; })) { // cross_c2
    return r.error("expects a dim of size 3");
  }
  return r.result(*shape, r.promote({lhs, rhs}, Promote::Default));
}

//===----------------------------------------------------------------------===//
// Products added to an operand
//===----------------------------------------------------------------------===//

/// The type of a product of shape `shape`, to which `input` is added.
static LogicalResult addTo(Value input, ArrayRef<int64_t> shape, Type element, Infer &r) {
  if (failed(broadcastsTo(Infer::shape(input), shape, "input", r)))
    return failure();
  return r.result(shape, element);
}

template <class Adaptor>
static LogicalResult addProduct(Adaptor op, Named lhs, Named rhs, int64_t batch, std::optional<Type> outDtype,
                                Infer &r) {
  auto shape = productShape(lhs, rhs, batch, r); // addmm_c1
  // addmm_c3
  if (failed(shape) || failed(r.sameElements({lhs.value, rhs.value, outDtype ? Value() : Value(op.getInput())})))
    return failure();
  auto element = elementOr(r, outDtype, lhs.element());
  if (failed(element))
    return failure();
  return addTo(op.getInput(), *shape, *element, r); // addmm_c2
}

template <class Adaptor> static LogicalResult addbmm(Adaptor op, Infer &r) {
  auto shape = productShape({"batch1", op.getBatch1()}, {"batch2", op.getBatch2()}, 1, r); // addbmm_c1
  if (failed(shape) || failed(r.sameElements({op.getInput(), op.getBatch1(), op.getBatch2()}))) // addbmm_c3
    return failure();
  return addTo(op.getInput(), ArrayRef(*shape).drop_front(), Infer::element(op.getBatch1()), r); // addbmm_c2
}

template <class Adaptor> static LogicalResult addmv(Adaptor op, Infer &r) {
  auto shape = matrixVectorShape({"mat", op.getMat()}, {"vec", op.getVec()}, r); // addmv_c1
  if (failed(shape) || failed(r.sameElements({op.getInput(), op.getMat(), op.getVec()}))) // addmv_c3
    return failure();
  return addTo(op.getInput(), *shape, Infer::element(op.getMat()), r); // addmv_c2
}

template <class Adaptor> static LogicalResult addr(Adaptor op, Infer &r) {
  auto shape = outerShape({"vec1", op.getVec1()}, {"vec2", op.getVec2()}, r); // addr_c1
  if (failed(shape))
    return failure();
  // addr_c2
  return addTo(op.getInput(), *shape, r.promote({op.getInput(), op.getVec1(), op.getVec2()}, Promote::Default), r);
}

//===----------------------------------------------------------------------===//
// Linear maps and contractions
//===----------------------------------------------------------------------===//

template <class Adaptor> static LogicalResult linear(Adaptor op, Infer &r) {
  // linear_c1
  if (failed(r.checkRank("input", op.getInput(), 1, INT64_MAX)) ||
      failed(r.checkRank("weight", op.getWeight(), 1, 2)) ||
      failed(r.sameElements({op.getInput(), op.getWeight(), op.getBias()}))) // linear_c4
    return failure();
  Shape shape = Infer::shape(op.getInput()), weight = Infer::shape(op.getWeight());
  if (failed(r.same(shape.back(), weight.back(), "contracted size"))) // linear_c2
    return failure();
  shape.pop_back();
  if (weight.size() == 2)
    shape.push_back(weight[0]);
  if (op.getBias() && failed(broadcastsTo(Infer::shape(op.getBias()), shape, "bias", r))) // linear_c3
    return failure();
  return r.result(shape, Infer::element(op.getInput()));
}

template <class Adaptor> static LogicalResult bilinear(Adaptor op, Infer &r) {
  if (failed(r.checkRank("weight", op.getWeight(), 3)) || failed(r.checkRank("input1", op.getInput1(), 1, INT64_MAX)) ||
      failed(r.checkRank("input2", op.getInput2(), Infer::rank(op.getInput1())))) // bilinear_c1
    return failure();
  Shape a = Infer::shape(op.getInput1()), b = Infer::shape(op.getInput2()), weight = Infer::shape(op.getWeight());
  auto shape = r.sameShapes(ArrayRef(a).drop_back(), ArrayRef(b).drop_back(), "inputs"); // bilinear_c2
  if (failed(shape) || failed(r.same(a.back(), weight[1], "contracted size of 'input1'")) ||
      failed(r.same(b.back(), weight[2], "contracted size of 'input2'")) || // bilinear_c2
      failed(r.sameElements({op.getInput1(), op.getInput2(), op.getWeight(), op.getBias()}))) // bilinear_c4
    return failure();
  if (op.getBias() && failed(r.sameShapes(Infer::shape(op.getBias()), {weight[0]}, "'bias'"))) // bilinear_c3
    return failure();
  shape->push_back(weight[0]);
  return r.result(*shape, Infer::element(op.getInput1()));
}

/// The shape with dims of size 1 put in, so that they get the numbers `dims`.
static FailureOr<Shape> expandDims(Value value, ArrayRef<int64_t> dims, Infer &r) {
  Shape in = Infer::shape(value), out;
  size_t rank = in.size() + dims.size(), next = 0;
  auto added = r.dims(dims, rank, /*emptyMeansAll=*/false); // trilinear_c3
  if (failed(added))
    return failure();
  for (size_t i = 0; i < rank; ++i)
    out.push_back(llvm::is_contained(*added, int64_t(i)) ? 1 : in[next++]);
  return out;
}

template <class Adaptor> static LogicalResult trilinear(Adaptor op, Infer &r) {
  auto a = expandDims(op.getI1(), op.getExpand1(), r), b = expandDims(op.getI2(), op.getExpand2(), r);
  auto c = expandDims(op.getI3(), op.getExpand3(), r);
  if (failed(a) || failed(b) || failed(c))
    return failure();
  if (a->size() != b->size() || a->size() != c->size()) // trilinear_c1
    return r.error("expects operands of one rank after expansion, got " + Twine(a->size()) + ", " + Twine(b->size()) +
                   " and " + Twine(c->size()));
  auto shape = r.broadcastShapes(*a, *b); // trilinear_c2
  if (succeeded(shape))
    shape = r.broadcastShapes(*shape, *c); // trilinear_c2
  if (failed(shape))
    return failure();
  auto summed = r.dims(op.getSumdim(), shape->size(), /*emptyMeansAll=*/false); // trilinear_c3
  if (failed(summed))
    return failure();
  return r.result(Infer::reduce(*shape, *summed, /*keepdim=*/false),
                  r.promote({op.getI1(), op.getI2(), op.getI3()}, Promote::Default));
}

namespace {
/// Sizes of an einsum's letters and of its `...`, gathered operand by operand.
class Einsum {
public:
  explicit Einsum(Infer &r) : r(r) {}

  LogicalResult operand(StringRef letters, ArrayRef<int64_t> shape);
  FailureOr<Shape> output(StringRef letters) const;
  FailureOr<Shape> implicitOutput() const;

private:
  struct Letter {
    int count = 0;
    int64_t size = 1;
  };

  /// Reads one letter, or "..." as '.'; 0 at the end.
  FailureOr<char> next(StringRef &letters) const;

  Infer &r;
  std::array<Letter, 128> table;
  Shape ellipsis;
};
} // namespace

FailureOr<char> Einsum::next(StringRef &letters) const {
  letters = letters.ltrim(' ');
  if (letters.empty())
    return '\0';
  if (letters.consume_front("..."))
    return '.';
  char letter = letters.front();
  if (!llvm::isAlpha(letter)) // einsum_c1
    return r.error("has an equation with '" + StringRef(&letter, 1) + "', expected letters and '...'");
  letters = letters.drop_front();
  return letter;
}

LogicalResult Einsum::operand(StringRef letters, ArrayRef<int64_t> shape) {
  SmallVector<char> names;
  while (true) {
    auto name = next(letters);
    if (failed(name))
      return failure();
    if (*name == '\0')
      break;
    if (*name == '.' && llvm::is_contained(names, '.')) // einsum_c1
      return r.error("has an equation with more than one '...' for an operand");
    names.push_back(*name);
  }
  bool open = llvm::is_contained(names, '.');
  size_t named = names.size() - open;
  if (shape.size() < named || (!open && shape.size() > named)) // einsum_c2
    return r.error("has an equation with " + Twine(named) + " letters for an operand of rank " + Twine(shape.size()));
  SmallVector<char> own;
  size_t dim = 0;
  for (char name : names) {
    if (name == '.') {
      auto common = r.broadcastShapes(ellipsis, shape.slice(dim, shape.size() - named));
      if (failed(common))
        return failure();
      ellipsis = *common;
      dim += shape.size() - named;
      continue;
    }
    Letter &letter = table[name];
    int64_t size = shape[dim++];
    bool broadcasts = !llvm::is_contained(own, name) && (letter.size == 1 || size == 1);
    auto common = broadcasts ? FailureOr<int64_t>(letter.size == 1 ? size : letter.size)
                             : r.same(letter.size, size, "sizes of '" + Twine(name) + "'"); // einsum_c3
    if (failed(common))
      return failure();
    letter.size = *common;
    ++letter.count;
    own.push_back(name);
  }
  return success();
}

FailureOr<Shape> Einsum::output(StringRef letters) const {
  Shape shape;
  SmallVector<char> own;
  while (true) {
    auto name = next(letters);
    if (failed(name))
      return failure();
    if (*name == '\0')
      return shape;
    if (llvm::is_contained(own, *name)) // einsum_c4
      return r.error("has '" + Twine(*name) + "' twice in the result of the equation");
    own.push_back(*name);
    if (*name == '.') {
      shape.append(ellipsis);
      continue;
    }
    if (table[*name].count == 0) // einsum_c4
      return r.error("has '" + Twine(*name) + "' in the result of the equation, but in no operand");
    shape.push_back(table[*name].size);
  }
}

FailureOr<Shape> Einsum::implicitOutput() const {
  Shape shape = ellipsis;
  for (const Letter &letter : table)
    if (letter.count == 1)
      shape.push_back(letter.size);
  return shape;
}

template <class Adaptor> static LogicalResult einsum(Adaptor op, Infer &r) {
  StringRef equation = op.getEquation();
  size_t arrow = equation.find("->");
  SmallVector<StringRef> parts;
  equation.substr(0, arrow).split(parts, ',');
  ValueRange tensors = op.getTensors();
  if (tensors.empty() || parts.size() != tensors.size()) // einsum_c1
    return r.error("has an equation for " + Twine(parts.size()) + " operands, got " + Twine(tensors.size()));
  Einsum sums(r);
  for (auto [part, tensor] : llvm::zip(parts, tensors))
    if (failed(sums.operand(part, Infer::shape(tensor))))
      return failure();
  auto shape = arrow == StringRef::npos ? sums.implicitOutput() : sums.output(equation.substr(arrow + 2));
  if (failed(shape))
    return failure();
  return r.result(*shape, r.promote(SmallVector<Value>(tensors), Promote::Default));
}

//===----------------------------------------------------------------------===//
// Distances
//===----------------------------------------------------------------------===//

static FailureOr<Shape> cdistShape(Value x1, Value x2, Infer &r) {
  if (failed(r.checkRank("x1", x1, 2, INT64_MAX)) || failed(r.checkRank("x2", x2, 2, INT64_MAX))) // cdist_c1
    return failure();
  Shape a = Infer::shape(x1), b = Infer::shape(x2);
  auto batch = r.broadcastShapes(ArrayRef(a).drop_back(2), ArrayRef(b).drop_back(2)); // cdist_c2
  if (failed(batch) || failed(r.same(a.back(), b.back(), "last size")))               // cdist_c1
    return failure();
  return concat(*batch, {a[a.size() - 2], b[b.size() - 2]});
}

static LogicalResult checkNorm(const APFloat &p, Infer &r) {
  if (p.isNaN() || (p.isNegative() && !p.isZero())) // cdist_c3, pdist_c2
    return r.error("expects 'p' not to be negative");
  return success();
}

template <class Adaptor> static LogicalResult cdist(Adaptor op, Infer &r) {
  auto mode = op.getComputeMode();
  if (mode && *mode > 2) // cdist_c3
    return r.error("expects 'compute_mode' in [0, 2], got " + Twine(int64_t(*mode)));
  if (failed(checkNorm(op.getP(), r)))
    return failure();
  auto shape = cdistShape(op.getX1(), op.getX2(), r);
  if (failed(shape))
    return failure();
  return r.result(*shape, r.promote({op.getX1(), op.getX2()}, Promote::Default));
}

template <class Adaptor> static LogicalResult cdistBackward(Adaptor op, Infer &r) {
  auto shape = cdistShape(op.getX1(), op.getX2(), r);
  if (failed(shape) || failed(r.sameShapes(Infer::shape(op.getGrad()), *shape, "'grad'")) || // cdist_backward_c1
      failed(r.sameShapes(Infer::shape(op.getCdist()), *shape, "'cdist'")))
    return failure();
  Shape x1 = Infer::shape(op.getX1());
  return r.result(concat(ArrayRef(*shape).drop_back(2), ArrayRef(x1).take_back(2)), Infer::element(op.getX1()));
}

template <class Adaptor> static LogicalResult pdist(Adaptor op, Infer &r) {
  if (failed(r.checkRank("input", op.getInput(), 2)) || failed(checkNorm(op.getP(), r))) // pdist_c1, pdist_c2
    return failure();
  int64_t n = Infer::shape(op.getInput())[0], pairs = kDynamic;
  if (n != kDynamic)
    pairs = n <= 1 ? 0 : n % 2 == 0 ? Infer::numel({n / 2, n - 1}) : Infer::numel({n, n / 2});
  return r.result({pairs}, Infer::element(op.getInput()));
}

//===----------------------------------------------------------------------===//
// Fourier transforms
//===----------------------------------------------------------------------===//

/// Checks dims and normalization; gives the dims in the order of the list.
template <class Adaptor> static FailureOr<Shape> fftDims(Adaptor op, bool emptyAllowed, Infer &r) {
  int64_t normalization = op.getNormalization(), rank = Infer::rank(op.getInput());
  if (normalization < 0 || normalization > 2) // fft_c2
    return r.error("expects 'normalization' to be 0, 1 or 2, got " + Twine(normalization));
  if ((op.getDim().empty() || rank == 0) && !emptyAllowed) // fft_c1
    return r.error("expects 'dim' to name at least one dim of 'input'");
  return r.dims(op.getDim(), rank, /*emptyMeansAll=*/false); // fft_c1
}

template <class Adaptor> static LogicalResult fftR2c(Adaptor op, Infer &r) {
  auto dims = fftDims(op, /*emptyAllowed=*/false, r);
  if (failed(dims))
    return failure();
  Shape shape = Infer::shape(op.getInput());
  Type real = Infer::element(op.getInput());
  if (!isa<FloatType>(real)) // the operand's type constraint, needed for a builder's sake
    return r.error("expects a float 'input'");
  int64_t &last = shape[dims->back()];
  if (op.getOnesided() && last != kDynamic)
    last = last / 2 + 1;
  return r.result(shape, ComplexType::get(real));
}

template <class Adaptor> static LogicalResult fftC2c(Adaptor op, Infer &r) {
  if (failed(fftDims(op, /*emptyAllowed=*/true, r)))
    return failure();
  return r.like(op.getInput());
}

template <class Adaptor> static LogicalResult fftC2r(Adaptor op, Infer &r) {
  auto dims = fftDims(op, /*emptyAllowed=*/false, r);
  ArrayRef<int64_t> size = op.getStaticLastDimSize();
  if (failed(dims) || failed(checkList(r, op.getLastDimSize(), size, "'last_dim_size'")))
    return failure();
  if (size.size() != 1 || (size[0] != kDynamic && size[0] < 1)) // fft_c2r_c3
    return r.error("expects 'last_dim_size' to be one positive size");
  Shape shape = Infer::shape(op.getInput());
  shape[dims->back()] = size[0];
  auto complex = dyn_cast<ComplexType>(Infer::element(op.getInput()));
  return r.result(shape, complex ? complex.getElementType() : Infer::element(op.getInput()));
}

//===----------------------------------------------------------------------===//
// Recurrent networks
//===----------------------------------------------------------------------===//

/// Checks what all recurrent ops have in common, and adds the type of the output; `state` is h.
template <class Adaptor>
static LogicalResult rnnOutput(Adaptor op, Value state, ArrayRef<int64_t> tensorsPerCell, Infer &r) {
  if (failed(r.checkRank("input", op.getInput(), 3)) || failed(r.checkRank("hx", state, 3))) // rnn_c1
    return failure();
  int64_t layers = op.getNumLayers(), directions = op.getBidirectional() ? 2 : 1;
  if (layers < 1 || layers > INT32_MAX) // rnn_c4
    return r.error("expects 'num_layers' in [1, 2^31), got " + Twine(layers));
  double dropout = op.getDropout().convertToDouble();
  if (!(dropout >= 0 && dropout <= 1)) // rnn_c4
    return r.error("expects 'dropout' in [0, 1]");
  Shape in = Infer::shape(op.getInput()), h = Infer::shape(state);
  int64_t batchDim = op.getBatchFirst() ? 0 : 1, cells = layers * directions;
  auto batch = r.same(in[batchDim], h[1], "batch of 'input' and 'hx'"); // rnn_c2
  if (failed(batch) || failed(r.same(h[0], cells, "slices of 'hx'")))   // rnn_c2
    return failure();
  int64_t biases = op.getHasBiases() ? 2 : 0, params = op.getParams().size();
  if (llvm::none_of(tensorsPerCell, [&](int64_t count) { return (count + biases) * cells == params; })) // rnn_c3
    return r.error("expects " + Twine((tensorsPerCell[0] + biases) * cells) + " tensors in 'params', got " +
                   Twine(params));
  Shape out = in;
  out[batchDim] = *batch;
  out[2] = Infer::numel({directions, h[2]});
  return r.result(out, Infer::element(op.getInput()));
}

template <class Adaptor> static LogicalResult rnn(Adaptor op, Infer &r) {
  if (failed(rnnOutput(op, op.getHx(), {2}, r)))
    return failure();
  return r.like(op.getHx());
}

template <class Adaptor> static LogicalResult lstm(Adaptor op, Infer &r) {
  ValueRange states = op.getHx();
  if (states.size() != 2) // lstm_c5
    return r.error("expects two tensors in 'hx', got " + Twine(states.size()));
  if (failed(r.checkRank("hx", states[1], 3))) // rnn_c1
    return failure();
  Shape h = Infer::shape(states[0]), c = Infer::shape(states[1]);
  // A projection makes h smaller than c, and adds its matrix to each cell.
  SmallVector<int64_t> tensorsPerCell = {2, 3};
  if (h.size() == 3 && h[2] != kDynamic && c[2] != kDynamic)
    tensorsPerCell = {h[2] == c[2] ? 2 : 3};
  if (failed(rnnOutput(op, states[0], tensorsPerCell, r)) ||
      failed(r.sameShapes(ArrayRef(c).drop_back(), ArrayRef(h).drop_back(), "'hx'"))) // rnn_c2
    return failure();
  (void)r.like(states[0]);
  return r.like(states[1]);
}

//===----------------------------------------------------------------------===//
// Linear algebra
//===----------------------------------------------------------------------===//

static LogicalResult checkMatrix(StringRef name, Value value, Infer &r) {
  return r.checkRank(name, value, 2, INT64_MAX); // linalg_c1
}

static LogicalResult checkSquare(StringRef name, Value value, Infer &r) {
  if (failed(checkMatrix(name, value, r)))
    return failure();
  Shape shape = Infer::shape(value);
  return r.same(shape[shape.size() - 2], shape.back(), "rows and columns of '" + name + "'"); // linalg_c2
}

static Type realType(Value value) {
  Type element = Infer::element(value);
  if (auto complex = dyn_cast<ComplexType>(element))
    return complex.getElementType();
  return element;
}

/// The smaller of two sizes, if that is known.
static int64_t smaller(int64_t a, int64_t b) {
  if (a == 0 || b == 0)
    return 0;
  return a == kDynamic || b == kDynamic ? kDynamic : std::min(a, b);
}

namespace {
/// Batch dims, rows and columns.
struct MatrixShape {
  Shape batch;
  int64_t rows, columns;

  explicit MatrixShape(Value value) : batch(Infer::shape(value)) {
    columns = batch.pop_back_val();
    rows = batch.pop_back_val();
  }
  int64_t rank() const { return smaller(rows, columns); }
  Shape with(ArrayRef<int64_t> dims) const { return concat(batch, dims); }
};
} // namespace

static LogicalResult squareLike(StringRef name, Value value, Infer &r) {
  if (failed(checkSquare(name, value, r)))
    return failure();
  return r.like(value);
}

static LogicalResult squareWithInfo(StringRef name, Value value, Infer &r) {
  if (failed(squareLike(name, value, r)))
    return failure();
  return r.result(MatrixShape(value).batch, r.builder().getI32Type());
}

template <class Adaptor> static LogicalResult svd(Adaptor op, Infer &r) {
  Value a = op.getA();
  if (failed(checkMatrix("A", a, r)))
    return failure();
  MatrixShape m(a);
  int64_t k = m.rank();
  bool full = op.getFullMatrices(), vectors = op.getComputeUv();
  (void)r.result(vectors ? m.with({m.rows, full ? m.rows : k}) : Shape{0}, Infer::element(a));
  (void)r.result(m.with({k}), realType(a));
  return r.result(vectors ? m.with({full ? m.columns : k, m.columns}) : Shape{0}, Infer::element(a));
}

template <class Adaptor> static LogicalResult qr(Adaptor op, Infer &r) {
  Value a = op.getA();
  if (failed(checkMatrix("A", a, r)))
    return failure();
  StringRef mode = op.getMode();
  if (mode != "reduced" && mode != "complete" && mode != "r") // linalg_qr_c3
    return r.error("expects 'mode' to be \"reduced\", \"complete\" or \"r\", got \"" + mode + "\"");
  MatrixShape m(a);
  int64_t k = mode == "complete" ? m.rows : m.rank();
  (void)r.result(mode == "r" ? Shape{0} : m.with({m.rows, k}), Infer::element(a));
  return r.result(m.with({k, m.columns}), Infer::element(a));
}

/// The results LU, pivots and info.
static void addLu(Value a, bool info, Infer &r) {
  MatrixShape m(a);
  (void)r.like(a);
  (void)r.result(m.with({m.rank()}), r.builder().getI32Type());
  if (info)
    (void)r.result(m.batch, r.builder().getI32Type());
}

static LogicalResult luFactor(Value a, bool info, Infer &r) {
  if (failed(checkMatrix("A", a, r)))
    return failure();
  addLu(a, info, r);
  return success();
}

static LogicalResult eigvalsh(StringRef name, Value a, StringRef triangle, Infer &r) {
  if (failed(checkSquare(name, a, r)))
    return failure();
  if (!triangle.equals_insensitive("L") && !triangle.equals_insensitive("U")) // linalg_eigh_c3
    return r.error("expects 'UPLO' to be \"L\" or \"U\", got \"" + triangle + "\"");
  MatrixShape m(a);
  return r.result(m.with({m.rows}), realType(a));
}

static LogicalResult eigh(Value a, StringRef triangle, bool vectors, Infer &r) {
  if (failed(eigvalsh("A", a, triangle, r)))
    return failure();
  return vectors ? r.like(a) : r.result({0}, Infer::element(a));
}

static LogicalResult determinant(StringRef name, Value a, Infer &r) {
  if (failed(checkSquare(name, a, r)))
    return failure();
  return r.result(MatrixShape(a).batch, Infer::element(a));
}

static LogicalResult determinantWithLu(Value a, Infer &r) {
  if (failed(determinant("A", a, r)))
    return failure();
  addLu(a, /*info=*/false, r);
  return success();
}

static LogicalResult slogdet(StringRef name, Value a, bool lu, Infer &r) {
  if (failed(determinant(name, a, r)))
    return failure();
  (void)r.result(MatrixShape(a).batch, realType(a));
  if (lu)
    addLu(a, /*info=*/false, r);
  return success();
}

/// Whether B holds one vector per matrix of A (torch/_linalg_utils: linalg_solve_is_vector_rhs).
static bool isVector(Value a, Value b) {
  Shape rows = Infer::shape(a), rhs = Infer::shape(b);
  if (rhs.size() == 1)
    return true;
  rows.pop_back();
  return rhs.size() == rows.size() && succeeded(verifyCompatibleShape(rhs, rows));
}

/// The shapes of A and of B with their batch dims broadcast, A square.
static LogicalResult solverShapes(Value a, ArrayRef<int64_t> b, bool left, Shape &shapeA, Shape &shapeB, Infer &r) {
  if (failed(checkSquare("A", a, r)))
    return failure();
  if (b.size() < 2) // linalg_c1
    return r.error("expects 'B' of rank 2 or more, got rank " + Twine(b.size()));
  MatrixShape m(a);
  auto batch = r.broadcastShapes(m.batch, b.drop_back(2)); // linalg_solve_c3, linalg_solve_triangular_c3
  auto size = r.same(m.rows, b[b.size() - (left ? 2 : 1)], "sizes of 'A' and 'B'");
  if (failed(batch) || failed(size))
    return failure();
  shapeA = concat(*batch, {m.rows, m.columns});
  shapeB = concat(*batch, b.take_back(2));
  return success();
}

template <class Adaptor> static LogicalResult solve(Adaptor op, bool lu, bool info, Infer &r) {
  Value a = op.getA(), b = op.getB();
  if (failed(checkMatrix("A", a, r)) || failed(r.sameElements({a, b}))) // linalg_c1, linalg_solve_c4
    return failure();
  Shape rhs = Infer::shape(b), shapeA, shapeB;
  bool vector = isVector(a, b);
  if (vector)
    rhs.push_back(1);
  if (vector && !op.getLeft()) // linalg_solve_c3
    return r.error("expects 'B' to be a matrix without 'left'");
  if (failed(solverShapes(a, rhs, op.getLeft(), shapeA, shapeB, r)))
    return failure();
  if (vector)
    shapeB.pop_back();
  (void)r.result(shapeB, Infer::element(a));
  if (lu)
    addLu(a, info, r);
  return success();
}

template <class Adaptor> static LogicalResult solveTriangular(Adaptor op, Infer &r) {
  Shape shapeA, shapeB;
  if (failed(r.sameElements({op.getInput(), op.getB()})) || // linalg_solve_triangular_c4
      failed(solverShapes(op.getInput(), Infer::shape(op.getB()), op.getLeft(), shapeA, shapeB, r)))
    return failure();
  return r.result(shapeB, Infer::element(op.getB()));
}

template <class Adaptor> static LogicalResult triangularSolve(Adaptor op, Infer &r) {
  Shape shapeA, shapeB;
  if (failed(r.sameElements({op.getInput(), op.getA()})) ||
      failed(solverShapes(op.getA(), Infer::shape(op.getInput()), /*left=*/true, shapeA, shapeB, r)))
    return failure();
  (void)r.result(shapeB, Infer::element(op.getInput()));
  return r.result(shapeA, Infer::element(op.getA()));
}

template <class Adaptor> static LogicalResult choleskySolve(Adaptor op, Infer &r) {
  Shape shapeA, shapeB;
  if (failed(r.sameElements({op.getInput(), op.getInput2()})) ||
      failed(solverShapes(op.getInput2(), Infer::shape(op.getInput()), /*left=*/true, shapeA, shapeB, r)))
    return failure();
  return r.result(shapeB, Infer::element(op.getInput()));
}

//===----------------------------------------------------------------------===//
// Registration
//===----------------------------------------------------------------------===//

void FxDialect::registerMatrixOps() {
  addOperations<
#define GET_OP_LIST
#include "fx/FxMatrixOps.cpp.inc"
      >();
}

#define GET_OP_CLASSES
#include "fx/FxMatrixOps.cpp.inc"

//===----------------------------------------------------------------------===//
// Effects: dropout between layers draws random numbers
//===----------------------------------------------------------------------===//

using Effects = SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>;

static void addDropoutEffect(bool train, const APFloat &dropout, Effects &effects) {
  if (train && !dropout.isZero())
    effects.emplace_back(MemoryEffects::Write::get());
}

void GruOp::getEffects(Effects &effects) { addDropoutEffect(getTrain(), getDropout(), effects); }
void LstmOp::getEffects(Effects &effects) { addDropoutEffect(getTrain(), getDropout(), effects); }
void RnnTanhOp::getEffects(Effects &effects) { addDropoutEffect(getTrain(), getDropout(), effects); }
void RnnReluOp::getEffects(Effects &effects) { addDropoutEffect(getTrain(), getDropout(), effects); }
