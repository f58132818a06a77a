//===- RandomOps.cpp - random numbers ------------------------------------===//

#include "fx/FxDialect.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"

using namespace mlir;
using namespace fx;

namespace fx {
/// The state of the random number generator.
struct GeneratorResource : SideEffects::Resource::Base<GeneratorResource> {
  StringRef getName() final { return "fx.generator"; }
};
} // namespace fx

//===----------------------------------------------------------------------===//
// Checks of parameters. A NaN fails each of them.
//===----------------------------------------------------------------------===//

static std::string text(const APFloat &value) {
  SmallString<16> digits;
  value.toString(digits);
  return std::string(digits);
}

static LogicalResult checkProbability(Infer &r, const APFloat &p) {
  double value = p.convertToDouble();
  return value >= 0 && value <= 1 ? success() : r.error("expects 0 <= p <= 1, got " + text(p));
}

static LogicalResult checkPositive(Infer &r, const APFloat &value, const Twine &name) {
  return value.convertToDouble() > 0 ? success() : r.error("expects " + name + " > 0, got " + text(value));
}

static LogicalResult checkOrder(Infer &r, double least, double most, const Twine &what) {
  return least <= most ? success() : r.error("expects " + what);
}

static LogicalResult checkFloat(Infer &r, Type element) {
  if (category(element) < Category::Float)
    return r.error("expects a float or complex element type");
  return success();
}

static LogicalResult checkReal(Infer &r, Type element) {
  if (isa<ComplexType>(element))
    return r.error("expects an element type that is not complex");
  return success();
}

//===----------------------------------------------------------------------===//
// Uniform and normal samples
//===----------------------------------------------------------------------===//

static LogicalResult floatsOfSize(Infer &r, ValueRange dynamic, ArrayRef<int64_t> list, std::optional<Type> dtype) {
  auto shape = sizes(r, dynamic, list, "size");                                   // rand_c1, randn_c1, normal_c2
  auto element = elementOr(r, dtype, Float32Type::get(r.getContext()));             // rand_c2, randn_c2, normal_c3
  if (failed(shape) || failed(element) || failed(checkFloat(r, *element)))
    return failure();
  return r.result(*shape, *element);
}

static LogicalResult floatsLike(Infer &r, Value input, std::optional<Type> dtype) {
  auto element = elementOr(r, dtype, Infer::element(input));
  if (failed(element) || failed(checkFloat(r, *element))) // rand_like_c1, randn_like_c1
    return failure();
  return r.like(input, *element);
}

static LogicalResult inferTypes(RandOp::Adaptor op, Infer &r) {
  return floatsOfSize(r, op.getSize(), op.getStaticSize(), op.getDtype());
}
static LogicalResult inferTypes(RandnOp::Adaptor op, Infer &r) {
  return floatsOfSize(r, op.getSize(), op.getStaticSize(), op.getDtype());
}
static LogicalResult inferTypes(RandLikeOp::Adaptor op, Infer &r) { return floatsLike(r, op.getInput(), op.getDtype()); }
static LogicalResult inferTypes(RandnLikeOp::Adaptor op, Infer &r) { return floatsLike(r, op.getInput(), op.getDtype()); }

static LogicalResult inferTypes(NormalOp::Adaptor op, Infer &r) {
  Value mean = op.getMean(), std = op.getStd();
  auto isTensor = [](Value value) { return value && isa<RankedTensorType>(value.getType()); };
  if (!isTensor(mean) && !isTensor(std))
    return floatsOfSize(r, op.getSize(), op.getStaticSize(), op.getDtype());
  if (!op.getStaticSize().empty() || !op.getSize().empty() || op.getDtype()) // normal_c2
    return r.error("expects neither size nor dtype beside a tensor");
  auto shape = r.broadcast({mean, std}); // normal_c1
  if (failed(shape))
    return failure();
  Type element = Infer::element(isTensor(mean) ? mean : std);
  return failed(checkFloat(r, element)) ? failure() : r.result(*shape, element); // normal_c3
}

static LogicalResult inferTypes(NormalFunctionalOp::Adaptor op, Infer &r) {
  if (failed(checkOrder(r, 0, op.getStd().convertToDouble(), "std >= 0, got " + text(op.getStd())))) // normal_functional_c1
    return failure();
  return r.like(op.getInput());
}

//===----------------------------------------------------------------------===//
// Integers
//===----------------------------------------------------------------------===//

static LogicalResult checkRange(Infer &r, ValueRange dynamicLow, ArrayRef<int64_t> lows, ValueRange dynamicHigh,
                                ArrayRef<int64_t> highs) {
  auto low = symInt(r, dynamicLow, lows, "low", 0);
  auto high = symInt(r, dynamicHigh, highs, "high");
  if (failed(low) || failed(high))
    return failure();
  if (*low != kDynamic && *high != kDynamic && *low >= *high)
    return r.error("expects low < high, got " + Twine(*low) + " and " + Twine(*high));
  return success();
}

static LogicalResult inferTypes(RandintOp::Adaptor op, Infer &r) {
  if (failed(checkRange(r, op.getLow(), op.getStaticLow(), op.getHigh(), op.getStaticHigh()))) // randint_c1
    return failure();
  auto shape = sizes(r, op.getSize(), op.getStaticSize(), "size"); // randint_c2
  auto element = elementOr(r, op.getDtype(), r.builder().getI64Type());
  if (failed(shape) || failed(element) || failed(checkReal(r, *element))) // randint_c2
    return failure();
  return r.result(*shape, *element);
}

static LogicalResult inferTypes(RandintLikeOp::Adaptor op, Infer &r) {
  if (failed(checkRange(r, op.getLow(), op.getStaticLow(), op.getHigh(), op.getStaticHigh()))) // randint_like_c1
    return failure();
  auto element = elementOr(r, op.getDtype(), Infer::element(op.getInput()));
  if (failed(element) || failed(checkReal(r, *element))) // randint_like_c2
    return failure();
  return r.like(op.getInput(), *element);
}

static LogicalResult inferTypes(RandpermOp::Adaptor op, Infer &r) {
  auto n = symInt(r, op.getN(), op.getStaticN(), "n"); // randperm_c1
  if (failed(n))
    return failure();
  if (*n < 0 && *n != kDynamic) // randperm_c1
    return r.error("expects n >= 0, got " + Twine(*n));
  auto element = elementOr(r, op.getDtype(), r.builder().getI64Type());
  if (failed(element) || failed(checkReal(r, *element))) // randperm_c2
    return failure();
  return r.result({*n}, *element);
}

//===----------------------------------------------------------------------===//
// Other distributions, in the shape of a tensor
//===----------------------------------------------------------------------===//

static LogicalResult inferTypes(BernoulliOp::Adaptor op, Infer &r) {
  if (op.getP() ? failed(checkProbability(r, *op.getP()))                                // bernoulli_c1
                : failed(checkReal(r, Infer::element(op.getInput()))) ||                 // bernoulli_c2
                      failed(checkFloat(r, Infer::element(op.getInput()))))
    return failure();
  return r.like(op.getInput());
}

static LogicalResult inferTypes(CauchyOp::Adaptor op, Infer &r) {
  return failed(checkPositive(r, op.getSigma(), "sigma")) ? failure() : r.like(op.getInput()); // cauchy_c1
}

static LogicalResult inferTypes(ExponentialOp::Adaptor op, Infer &r) {
  return failed(checkPositive(r, op.getLambd(), "lambd")) ? failure() : r.like(op.getInput()); // exponential_c1
}

static LogicalResult inferTypes(GeometricOp::Adaptor op, Infer &r) {
  double p = op.getP().convertToDouble();
  if (!(p > 0 && p < 1)) // geometric_c1
    return r.error("expects 0 < p < 1, got " + text(op.getP()));
  return r.like(op.getInput());
}

static LogicalResult inferTypes(LogNormalOp::Adaptor op, Infer &r) {
  return failed(checkPositive(r, op.getStd(), "std")) ? failure() : r.like(op.getInput()); // log_normal_c1
}

static LogicalResult inferTypes(UniformOp::Adaptor op, Infer &r) {
  if (failed(checkOrder(r, op.getFrom().convertToDouble(), op.getTo().convertToDouble(), // uniform_c1
                        "from <= to, got " + text(op.getFrom()) + " and " + text(op.getTo()))))
    return failure();
  return r.like(op.getInput());
}

static LogicalResult inferTypes(MultinomialOp::Adaptor op, Infer &r) {
  Shape shape = Infer::shape(op.getInput());
  if (shape.empty() || shape.size() > 2) // multinomial_c1
    return r.error("expects an operand of rank 1 or 2, got rank " + Twine(shape.size()));
  auto count = symInt(r, op.getNumSamples(), op.getStaticNumSamples(), "num_samples"); // multinomial_c2
  if (failed(count))
    return failure();
  int64_t n = shape.back();
  bool tooMany = !op.getReplacement() && n != kDynamic && *count > n;
  if (*count != kDynamic && (*count <= 0 || tooMany)) // multinomial_c2
    return r.error("cannot draw " + Twine(*count) + " samples from " + (n == kDynamic ? Twine("?") : Twine(n)));
  shape.back() = *count;
  return r.result(shape, r.builder().getI64Type());
}

//===----------------------------------------------------------------------===//
// Dropout and randomised activations
//===----------------------------------------------------------------------===//

static LogicalResult inferTypes(DropoutOp::Adaptor op, Infer &r) {
  return failed(checkProbability(r, op.getP())) ? failure() : r.like(op.getInput()); // dropout_c1
}

OpFoldResult DropoutOp::fold(FoldAdaptor) {
  // PyTorch draws nothing in either case.
  bool identity = !getTrain() || getP().isZero();
  return identity && getType() == getInput().getType() ? OpFoldResult(getInput()) : OpFoldResult();
}

static LogicalResult inferTypes(NativeDropoutOp::Adaptor op, Infer &r) {
  if (failed(checkProbability(r, op.getP())) || failed(r.like(op.getInput()))) // native_dropout_c1
    return failure();
  return r.like(op.getInput(), r.builder().getI1Type());
}

static double number(std::optional<TypedAttr> attr, double otherwise) {
  if (!attr || !*attr)
    return otherwise;
  if (auto real = dyn_cast<FloatAttr>(*attr))
    return real.getValueAsDouble();
  return double(cast<IntegerAttr>(*attr).getInt());
}

static LogicalResult inferTypes(RreluWithNoiseFunctionalOp::Adaptor op, Infer &r) {
  if (failed(checkOrder(r, number(op.getLower(), 1.0 / 8), number(op.getUpper(), 1.0 / 3), "lower <= upper")))
    return failure(); // rrelu_with_noise_functional_c1
  if (!compatibleTypes(op.getInput().getType(), op.getNoise().getType())) // rrelu_with_noise_functional_c2
    return r.error("expects 'noise' to have the type of 'input'");
  if (failed(r.like(op.getInput())))
    return failure();
  return r.like(op.getNoise());
}

//===----------------------------------------------------------------------===//
// Registration
//===----------------------------------------------------------------------===//

void FxDialect::registerRandomOps() {
  addOperations<
#define GET_OP_LIST
#include "fx/FxRandomOps.cpp.inc"
      >();
}

#define GET_OP_CLASSES
#include "fx/FxRandomOps.cpp.inc"
