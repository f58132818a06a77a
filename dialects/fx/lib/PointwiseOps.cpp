//===- PointwiseOps.cpp - one element in, one element out ----------------===//
//
// Result types of the ops whose rule is more than a Promote kind, and folders.
//
// A folder here is exact for every element type, NaN and signed zeros included,
// and returns only a value of the op's own result type. So `x + 0` folds for
// integers alone (-0.0 + 0.0 is 0.0); `x - 0`, `x * 1` and `x / 1` fold for all.
//
//===----------------------------------------------------------------------===//

#include "fx/FxDialect.h"

using namespace mlir;
using namespace fx;

static bool isBool(Type element) { return category(element) == Category::Bool; }
static bool isIntegral(Type element) { return category(element) <= Category::Integer; }

/// A type or attribute as text for a message.
template <typename T>
static std::string text(T value) {
  std::string out;
  llvm::raw_string_ostream(out) << value;
  return out;
}

/// Two operands must have one element type.
static LogicalResult sameElements(Value a, Value b, Infer &r) {
  Type x = Infer::element(a), y = Infer::element(b);
  return x == y ? success() : r.error("expects operands of one element type, got " + text(x) + " and " + text(y));
}

/// The broadcast shape of `values` with this element type.
static LogicalResult broadcastOf(ArrayRef<Value> values, Type element, Infer &r) {
  auto shape = r.broadcast(values);
  return succeeded(shape) ? r.result(*shape, element) : failure();
}

//===----------------------------------------------------------------------===//
// Types: arithmetic
//===----------------------------------------------------------------------===//

static LogicalResult scaledSum(Value input, Value other, TypedAttr alpha, Infer &r) {
  Type type = r.promote({input, other}, Promote::Default);
  if (isa<FloatAttr>(alpha) && isIntegral(type)) // add_c1, sub_c1
    return r.error("expects an integer or bool alpha for a result of " + text(type) + ", got " + text(alpha));
  if (alpha.getType().isInteger(1) && !isBool(type)) // add_c2, sub_c2
    return r.error("expects a number as alpha for a result of " + text(type) + ", got " + text(alpha));
  return r.pointwise({input, other});
}

static LogicalResult addcdivType(Value input, Value tensor1, Value tensor2, Infer &r) {
  Type a = Infer::element(tensor1), b = Infer::element(tensor2);
  if (isIntegral(a) && isIntegral(b)) // addcdiv_c1
    return r.error("expects tensor1 or tensor2 to be float or complex, got " + text(a) + " and " + text(b));
  return r.pointwise({input, tensor1, tensor2});
}

static LogicalResult quotient(Value input, Value other, std::optional<StringRef> mode, Infer &r) {
  if (mode && *mode != "trunc" && *mode != "floor") // div_c1
    return r.error("expects rounding_mode \"trunc\" or \"floor\", got \"" + *mode + "\"");
  return r.pointwise({input, other}, mode ? Promote::Default : Promote::IntToFloat);
}

static LogicalResult floatPower(Value input, Value exponent, Infer &r) {
  Type f64 = Float64Type::get(r.getContext());
  bool complex = category(r.promote({input, exponent}, Promote::Default)) == Category::Complex;
  return broadcastOf({input, exponent}, complex ? Type(ComplexType::get(f64)) : f64, r);
}

/// Types as in `input * pow(2.0, other)`: the power of integers is a tensor of f32, not a number.
static LogicalResult ldexpType(Value input, Value other, Infer &r) {
  Type a = Infer::element(input), b = Infer::element(other);
  if (isIntegral(b))
    b = Float32Type::get(r.getContext());
  Type element = promoteElements(a, b);
  bool wideA = Infer::rank(input) > 0, wideB = Infer::rank(other) > 0;
  if (wideA != wideB) { // a tensor of rank 0 counts only where its category is higher
    Type wide = wideA ? a : b, zero = wideA ? b : a;
    if (category(zero) <= category(wide))
      element = wide;
  }
  return broadcastOf({input, other}, element, r);
}

static LogicalResult lerpType(Value input, Value end, Value weight, Infer &r) {
  if (failed(sameElements(input, end, r))) // lerp_c1
    return failure();
  return broadcastOf({input, end, weight}, Infer::element(input), r);
}

static LogicalResult frexpTypes(Value input, Infer &r) {
  if (failed(r.like(input)))
    return failure();
  return r.like(input, IntegerType::get(r.getContext(), 32));
}

//===----------------------------------------------------------------------===//
// Types: comparison, selection
//===----------------------------------------------------------------------===//

static LogicalResult iscloseType(Value input, Value other, APFloat rtol, APFloat atol, Infer &r) {
  if (failed(sameElements(input, other, r))) // isclose_c1
    return failure();
  double relative = rtol.convertToDouble(), absolute = atol.convertToDouble();
  if (!(relative >= 0) || !(absolute >= 0)) // isclose_c2
    return r.error("expects rtol and atol not to be negative, got " + text(relative) + " and " + text(absolute));
  return r.pointwise({input, other}, Promote::AlwaysBool);
}

static LogicalResult clampType(Value input, Value min, Value max, Infer &r) {
  if (!min && !max) // clamp_c1
    return r.error("expects a bound: min, max or both");
  return r.pointwise({input, min, max});
}

static LogicalResult heavisideType(Value input, Value values, Infer &r) {
  if (failed(sameElements(input, values, r))) // heaviside_c1
    return failure();
  return r.pointwise({input, values});
}

static LogicalResult maskedFill(Value input, Value mask, Value value, Infer &r) {
  if (int64_t rank = Infer::rank(value)) // masked_fill_c1
    return r.error("expects value to be a number or a tensor of rank 0, got rank " + Twine(rank));
  return broadcastOf({input, mask}, Infer::element(input), r);
}

static LogicalResult selection(Value condition, Value input, Value other, Infer &r) {
  return broadcastOf({condition, input, other}, r.promote({input, other}, Promote::NoOpMath), r);
}

//===----------------------------------------------------------------------===//
// Types: angles, special functions
//===----------------------------------------------------------------------===//

static LogicalResult angleType(Value input, Infer &r) {
  Type type = r.promote({input}, Promote::IntToFloat);
  if (auto complex = dyn_cast<ComplexType>(type))
    type = complex.getElementType();
  return r.like(input, type);
}

static LogicalResult polarType(Value abs, Value angle, Infer &r) {
  if (failed(sameElements(abs, angle, r))) // polar_c1
    return failure();
  return broadcastOf({abs, angle}, ComplexType::get(Infer::element(abs)), r);
}

static LogicalResult mvlgammaType(Value input, int64_t p, Infer &r) {
  if (p < 1) // mvlgamma_c1
    return r.error("expects p >= 1, got " + Twine(p));
  return r.unary(input, Promote::IntToFloat);
}

static LogicalResult polygammaType(Value input, int64_t n, Infer &r) {
  if (n < 0) // polygamma_c1
    return r.error("expects n >= 0, got " + Twine(n));
  return r.unary(input, Promote::IntToFloat);
}

//===----------------------------------------------------------------------===//
// Types: activations and their gradients
//===----------------------------------------------------------------------===//

static LogicalResult geluType(ArrayRef<Value> values, StringRef approximate, Infer &r) {
  if (approximate != "none" && approximate != "tanh") // gelu_c1, gelu_backward_c1
    return r.error("expects approximate \"none\" or \"tanh\", got \"" + approximate + "\"");
  return r.pointwise(values);
}

/// The dim in which input has two halves, made non-negative.
static FailureOr<int64_t> gatedDim(Value input, int64_t dim, Infer &r) {
  if (Infer::rank(input) == 0)
    return r.error("expects an operand of rank 1 or more, got rank 0");
  return r.dim(dim, Infer::rank(input));
}

static LogicalResult gluType(Value input, int64_t dim, Infer &r) {
  auto normal = gatedDim(input, dim, r); // glu_c1
  if (failed(normal))
    return failure();
  Shape shape = Infer::shape(input);
  int64_t &size = shape[*normal];
  if (size != kDynamic) {
    if (size % 2) // glu_c2
      return r.error("expects an even size in dim " + Twine(*normal) + ", got " + Twine(size));
    size /= 2;
  }
  return r.result(shape, Infer::element(input));
}

static LogicalResult gluBackward(Value gradient, Value input, int64_t dim, Infer &r) {
  auto normal = gatedDim(input, dim, r); // glu_backward_c1
  if (failed(normal))
    return failure();
  Shape shape = Infer::shape(input), half = Infer::shape(gradient);
  bool fits = half.size() == shape.size(); // glu_backward_c2
  for (size_t i = 0; fits && i < shape.size(); ++i) {
    if (shape[i] != kDynamic && half[i] != kDynamic)
      fits = int64_t(i) == *normal ? shape[i] % 2 == 0 && shape[i] / 2 == half[i] : shape[i] == half[i];
  }
  if (!fits)
    return r.error("expects grad_output to be half of " + text(input.getType()) + " in dim " + Twine(*normal) +
                   ", got " + text(gradient.getType()));
  return r.like(input);
}

static LogicalResult likeEach(ArrayRef<Value> values, Infer &r) {
  return failure(llvm::any_of(values, [&](Value value) { return failed(r.like(value)); }));
}

static LogicalResult preluType(Value input, Value weight, Infer &r) {
  if (int64_t rank = Infer::rank(weight); rank > 1) // prelu_c1
    return r.error("expects a weight of rank 0 or 1, got rank " + Twine(rank));
  Shape shape = Infer::shape(input);
  int64_t count = Infer::numel(Infer::shape(weight)), channels = shape.size() > 1 ? shape[1] : 1;
  if (count != kDynamic && count != 1 && channels != kDynamic && count != channels) // prelu_c2
    return r.error("expects 1 weight or " + Twine(channels) + ", the size of dim 1, got " + Twine(count));
  if (failed(sameElements(input, weight, r))) // prelu_c3
    return failure();
  return r.like(input);
}

static LogicalResult preluGradients(Value gradient, Value input, Value weight, Infer &r) {
  if (failed(broadcastOf({gradient, input, weight}, Infer::element(input), r)))
    return failure();
  return broadcastOf({gradient, input, weight}, Infer::element(weight), r);
}

static SmallVector<Value, 2> firstTwo(ValueRange values) { return {values[0], values[1]}; }

//===----------------------------------------------------------------------===//
// Registration
//===----------------------------------------------------------------------===//

void FxDialect::registerPointwiseOps() {
  addOperations<
#define GET_OP_LIST
#include "fx/FxPointwiseOps.cpp.inc"
      >();
}

#define GET_OP_CLASSES
#include "fx/FxPointwiseOps.cpp.inc"

//===----------------------------------------------------------------------===//
// Folders
//===----------------------------------------------------------------------===//

/// Whether a constant is this number: a scalar, or a tensor of one element and rank 0. 0.0 is not -0.0.
static bool isNumber(Attribute constant, int64_t number) {
  if (auto dense = dyn_cast_or_null<DenseElementsAttr>(constant)) {
    if (dense.getType().getRank() != 0 || isa<ComplexType>(dense.getElementType()))
      return false;
    constant = dense.getSplatValue<Attribute>();
  }
  if (auto integer = dyn_cast_or_null<IntegerAttr>(constant))
    return number ? integer.getValue().isOne() : integer.getValue().isZero();
  if (auto real = dyn_cast_or_null<FloatAttr>(constant))
    return real.getValue().isExactlyValue(double(number));
  return false;
}

static OpFoldResult ifTyped(Value value, Type type) { return value.getType() == type ? OpFoldResult(value) : OpFoldResult(); }

static Type elementOf(Operation *op) { return Infer::element(op->getResult(0)); }

/// f(f(x)) = x.
template <typename OpType>
static OpFoldResult foldInvolution(OpType op) {
  auto inner = op.getInput().template getDefiningOp<OpType>();
  return inner ? ifTyped(inner.getInput(), op.getType()) : OpFoldResult();
}

/// f(f(x)) = f(x).
template <typename OpType>
static OpFoldResult foldIdempotent(OpType op) {
  return op.getInput().template getDefiningOp<OpType>() ? ifTyped(op.getInput(), op.getType()) : OpFoldResult();
}

/// Integers are rounded already.
template <typename OpType>
static OpFoldResult foldRounding(OpType op) {
  return isIntegral(elementOf(op)) ? ifTyped(op.getInput(), op.getType()) : foldIdempotent(op);
}

/// f(x, x) = x.
template <typename OpType>
static OpFoldResult foldEqual(OpType op) {
  return op.getInput() == op.getOther() ? ifTyped(op.getInput(), op.getType()) : OpFoldResult();
}

OpFoldResult AbsOp::fold(FoldAdaptor) { return foldIdempotent(*this); }
OpFoldResult BitwiseNotOp::fold(FoldAdaptor) { return foldInvolution(*this); }
OpFoldResult CeilOp::fold(FoldAdaptor) { return foldRounding(*this); }
OpFoldResult FloorOp::fold(FoldAdaptor) { return foldRounding(*this); }
OpFoldResult LogicalNotOp::fold(FoldAdaptor) { return foldInvolution(*this); } // of bools alone: their type is the result's
OpFoldResult MaximumOp::fold(FoldAdaptor) { return foldEqual(*this); }
OpFoldResult MinimumOp::fold(FoldAdaptor) { return foldEqual(*this); }
OpFoldResult NegOp::fold(FoldAdaptor) { return foldInvolution(*this); }
OpFoldResult ReluOp::fold(FoldAdaptor) { return foldIdempotent(*this); }
OpFoldResult TruncOp::fold(FoldAdaptor) { return foldRounding(*this); }
OpFoldResult WhereOp::fold(FoldAdaptor) { return foldEqual(*this); }

/// x + 0 = x and 0 + x = x of integers.
OpFoldResult AddOp::fold(FoldAdaptor constants) {
  if (!isIntegral(elementOf(*this)))
    return {};
  if (isNumber(constants.getOther(), 0))
    return ifTyped(getInput(), getType());
  if (isNumber(constants.getInput(), 0) && isNumber(getAlpha(), 1))
    return ifTyped(getOther(), getType());
  return {};
}

/// x / 1 = x, unless a fraction would be rounded.
OpFoldResult DivOp::fold(FoldAdaptor constants) {
  if (!isNumber(constants.getOther(), 1) || (getRoundingMode() && !isIntegral(elementOf(*this))))
    return {};
  return ifTyped(getInput(), getType());
}

/// x * 1 = x; a constant stands on the right.
OpFoldResult MulOp::fold(FoldAdaptor constants) {
  return isNumber(constants.getOther(), 1) ? ifTyped(getInput(), getType()) : OpFoldResult();
}

/// x^1 = x.
OpFoldResult PowOp::fold(FoldAdaptor constants) {
  return isNumber(constants.getExponent(), 1) ? ifTyped(getInput(), getType()) : OpFoldResult();
}

OpFoldResult RoundOp::fold(FoldAdaptor) {
  auto inner = getInput().getDefiningOp<RoundOp>();
  bool rounded = isIntegral(elementOf(*this)) || (inner && inner.getDecimals() == 0);
  return getDecimals() == 0 && rounded ? ifTyped(getInput(), getType()) : OpFoldResult();
}

/// x - 0 = x; with alpha = -1 it would turn -0.0 into 0.0.
OpFoldResult SubOp::fold(FoldAdaptor constants) {
  if (!isNumber(constants.getOther(), 0) || !(isNumber(getAlpha(), 1) || isIntegral(elementOf(*this))))
    return {};
  return ifTyped(getInput(), getType());
}
