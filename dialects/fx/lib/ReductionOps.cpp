//===- ReductionOps.cpp - reductions, scans, norms, attention, losses ----===//
//
// Result types of the ops in FxReductionOps.td, and their folders. A comment
// with a label marks the check of the constraint of that name.
//
//===----------------------------------------------------------------------===//

#include "fx/FxDialect.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/MathExtras.h"

#include <array>
#include <limits>

using namespace mlir;
using namespace fx;

/// An optional list of dims; absent it means all of them.
using Dims = std::optional<ArrayRef<int64_t>>;

/// A SymInt or a list of them: the known numbers, and an operand for each unknown one.
struct SymInts {
  ValueRange unknown;
  ArrayRef<int64_t> numbers;
};

//===----------------------------------------------------------------------===//
// Element types
//===----------------------------------------------------------------------===//

static std::string text(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

static bool isFloatOrComplex(Type type) { return category(type) >= Category::Float; }

static bool isElementType(Type type) {
  if (auto complex = dyn_cast<ComplexType>(type))
    return complex.getElementType().isF32() || complex.getElementType().isF64();
  if (isa<FloatType>(type))
    return isa<Float64Type, Float32Type, Float16Type, BFloat16Type, Float8E4M3FNType, Float8E5M2Type>(type);
  return type.isUnsignedInteger(8) ||
         (type.isSignlessInteger() && llvm::is_contained({1u, 8u, 16u, 32u, 64u}, type.getIntOrFloatBitWidth()));
}

static FailureOr<Type> dtypeOrElse(Infer &r, std::optional<Type> dtype, FailureOr<Type> otherwise) {
  if (failed(otherwise) || !dtype)
    return otherwise;
  if (!isElementType(*dtype)) // dtype_c1
    return r.error("expects a dtype that a tensor can have, got " + text(*dtype));
  return *dtype;
}

static Type realType(Type type) {
  auto complex = dyn_cast<ComplexType>(type);
  return complex ? complex.getElementType() : type;
}

/// Integers and bool are summed in i64.
static Type accumulator(Type type) {
  return category(type) <= Category::Integer ? Type(IntegerType::get(type.getContext(), 64)) : type;
}

static FailureOr<Type> sumElement(Infer &r, Value input, std::optional<Type> dtype) {
  return dtypeOrElse(r, dtype, accumulator(Infer::element(input)));
}

static FailureOr<Type> meanElement(Infer &r, Value input, std::optional<Type> dtype) {
  auto type = dtypeOrElse(r, dtype, Infer::element(input));
  if (succeeded(type) && !isFloatOrComplex(*type)) // mean_c1
    return r.error("expects a float or complex type to take the mean of, got " + text(*type));
  return type;
}

static FailureOr<Type> normElement(Infer &r, Value input, std::optional<Type> dtype) {
  auto type = dtypeOrElse(r, dtype, Infer::element(input));
  if (failed(type))
    return failure();
  if (!isFloatOrComplex(*type)) // linalg_vector_norm_c1
    return r.error("expects a float or complex type to take the norm of, got " + text(*type));
  return realType(*type);
}

static FailureOr<Type> varianceElement(Infer &r, Value input) {
  Type type = Infer::element(input);
  if (!isFloatOrComplex(type)) // variance_c1
    return r.error("expects a float or complex type to take the variance of, got " + text(type));
  return realType(type);
}

static Type boolElement(Value input) {
  Type type = Infer::element(input);
  return type.isUnsignedInteger(8) ? type : IntegerType::get(type.getContext(), 1);
}

//===----------------------------------------------------------------------===//
// Sizes
//===----------------------------------------------------------------------===//

static LogicalResult checkSizes(Infer &r, SymInts list, StringRef name, bool allowNegative = false) {
  size_t unknown = llvm::count(list.numbers, kDynamic);
  if (unknown != list.unknown.size()) // size_list_c1
    return r.error(name + ": expects one operand for each of " + Twine(unknown) + " unknown sizes, got " +
                   Twine(list.unknown.size()));
  for (int64_t n : list.numbers)
    if (!allowNegative && n < 0 && n != kDynamic) // size_list_c1
      return r.error(name + ": expects sizes >= 0, got " + Twine(n));
  return success();
}

/// The number of a SymInt, or kDynamic.
static FailureOr<int64_t> oneNumber(Infer &r, SymInts list, StringRef name, bool allowNegative = false) {
  if (failed(checkSizes(r, list, name, allowNegative)))
    return failure();
  if (list.numbers.size() != 1) // size_list_c1
    return r.error(name + ": expects a list of one number, got " + Twine(list.numbers.size()));
  return list.numbers[0];
}

/// Whether two lists of sizes agree: same length, and equal where both are known.
static LogicalResult sameSizes(Infer &r, ArrayRef<int64_t> a, ArrayRef<int64_t> b, const Twine &what) {
  if (a.size() != b.size())
    return r.error(what + ": expected rank " + Twine(b.size()) + ", got " + Twine(a.size()));
  for (auto [x, y] : llvm::zip(a, b))
    if (failed(r.same(x, y, what)))
      return failure();
  return success();
}

/// The same for an operand that may be absent.
static LogicalResult sameSizes(Infer &r, Value a, ArrayRef<int64_t> b, const Twine &what) {
  return a ? sameSizes(r, Infer::shape(a), b, what) : success();
}

/// a + b, or kDynamic when unknown or too large.
static int64_t sum(int64_t a, int64_t b) {
  int64_t result;
  return a == kDynamic || b == kDynamic || llvm::AddOverflow(a, b, result) ? kDynamic : result;
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

static std::optional<std::array<int64_t, 1>> oneDim(std::optional<uint64_t> dim) {
  if (!dim)
    return std::nullopt;
  return std::array<int64_t, 1>{int64_t(*dim)};
}

/// Sizes after a reduction, of which `someElement` needs an element for each result.
static FailureOr<Shape> reducedShape(Infer &r, Value input, Dims dims, bool keepdim, bool emptyMeansAll, bool someElement) {
  Shape shape = Infer::shape(input);
  auto normal = r.dims(dims.value_or(ArrayRef<int64_t>()), shape.size(), emptyMeansAll || !dims); // reduction_c1
  if (failed(normal))
    return failure();
  if (shape.empty())
    return shape;
  for (int64_t dim : *normal)
    if (someElement && shape[dim] == 0) // reduction_c2
      return r.error("expects a size that is not 0 in the reduced dim " + Twine(dim));
  return Infer::reduce(shape, *normal, keepdim);
}

static LogicalResult reduceTo(Infer &r, Value input, Dims dims, bool keepdim, FailureOr<Type> element, bool emptyMeansAll,
                              bool someElement) {
  if (failed(element))
    return failure();
  auto shape = reducedShape(r, input, dims, keepdim, emptyMeansAll, someElement);
  return failed(shape) ? failure() : r.result(*shape, *element);
}

static LogicalResult reduce(Infer &r, Value input, Dims dims, bool keepdim, FailureOr<Type> element) {
  return reduceTo(r, input, dims, keepdim, element, /*emptyMeansAll=*/true, /*someElement=*/false);
}

/// Reductions without a neutral element.
static LogicalResult reduceSome(Infer &r, Value input, Dims dims, bool keepdim, FailureOr<Type> element) {
  return reduceTo(r, input, dims, keepdim, element, /*emptyMeansAll=*/true, /*someElement=*/true);
}

/// Reductions for which an empty list of dims is not all of them.
static LogicalResult reduceListed(Infer &r, Value input, Dims dims, bool keepdim, FailureOr<Type> element) {
  return reduceTo(r, input, dims, keepdim, element, /*emptyMeansAll=*/false, /*someElement=*/false);
}

static LogicalResult moments(Infer &r, Value input, Dims dims, bool keepdim) {
  if (failed(reduce(r, input, dims, keepdim, varianceElement(r, input))))
    return failure();
  return reduce(r, input, dims, keepdim, Infer::element(input));
}

static LogicalResult bothEnds(Infer &r, Value input, Dims dims, bool keepdim) {
  if (failed(reduceSome(r, input, dims, keepdim, Infer::element(input))))
    return failure();
  return reduceSome(r, input, dims, keepdim, Infer::element(input));
}

//===----------------------------------------------------------------------===//
// Selections, sorting and scans
//===----------------------------------------------------------------------===//

/// Values, and indices of the same shape.
static LogicalResult valuesAndIndices(Infer &r, Value input, ArrayRef<int64_t> shape) {
  return success(succeeded(r.result(shape, Infer::element(input))) && succeeded(r.result(shape, r.builder().getI64Type())));
}

static LogicalResult selection(Infer &r, Value input, int64_t dim, bool keepdim) {
  // selection_c1, selection_c2
  auto shape = reducedShape(r, input, Dims(dim), keepdim, /*emptyMeansAll=*/true, /*someElement=*/true);
  return failed(shape) ? failure() : valuesAndIndices(r, input, *shape);
}

/// The size along a dim, 1 for a 0-d tensor.
static int64_t sizeAlong(ArrayRef<int64_t> shape, int64_t dim) { return shape.empty() ? 1 : shape[dim]; }

static LogicalResult kthvalue(Infer &r, Value input, SymInts k, int64_t dim, bool keepdim) {
  auto number = oneNumber(r, k, "k");
  auto normal = r.dim(dim, Infer::rank(input)); // selection_c1
  if (failed(number) || failed(normal))
    return failure();
  int64_t size = sizeAlong(Infer::shape(input), *normal);
  if (*number == 0 || (*number != kDynamic && size > 0 && *number > size)) // kthvalue_c1
    return r.error("expects k in [1, " + (size > 0 ? Twine(size) : Twine("size")) + "], got " + Twine(*number));
  return selection(r, input, dim, keepdim);
}

static LogicalResult topk(Infer &r, Value input, SymInts k, int64_t dim) {
  auto number = oneNumber(r, k, "k");
  auto normal = r.dim(dim, Infer::rank(input)); // scan_c1
  if (failed(number) || failed(normal))
    return failure();
  Shape shape = Infer::shape(input);
  int64_t size = sizeAlong(shape, *normal);
  if (*number != kDynamic && size != kDynamic && *number > size) // topk_c1
    return r.error("expects k in [0, " + Twine(size) + "], got " + Twine(*number));
  if (!shape.empty())
    shape[*normal] = *number;
  return valuesAndIndices(r, input, shape);
}

/// The input's sizes, for an op along one dim.
static LogicalResult alongDim(Infer &r, Value input, int64_t dim, FailureOr<Type> element) {
  if (failed(element) || failed(r.dim(dim, Infer::rank(input)))) // scan_c1
    return failure();
  return r.result(Infer::shape(input), *element);
}

static LogicalResult withIndices(Infer &r, Value input, int64_t dim) {
  if (failed(r.dim(dim, Infer::rank(input)))) // scan_c1
    return failure();
  return valuesAndIndices(r, input, Infer::shape(input));
}

static LogicalResult diff(Infer &r, Value input, int64_t n, int64_t dim, Value prepend, Value append) {
  Shape shape = Infer::shape(input);
  if (shape.empty() || n < 0) // diff_c1
    return r.error("expects rank >= 1 and n >= 0, got rank " + Twine(shape.size()) + " and n " + Twine(n));
  auto normal = r.dim(dim, shape.size()); // scan_c1
  if (failed(normal))
    return failure();
  int64_t size = shape[*normal];
  for (Value more : {prepend, append}) {
    if (!more)
      continue;
    Shape other = Infer::shape(more), expected = shape;
    if (other.size() == shape.size()) {
      size = sum(size, other[*normal]);
      expected[*normal] = other[*normal];
    }
    if (failed(sameSizes(r, other, expected, "prepend and append"))) // diff_c2
      return failure();
  }
  shape[*normal] = size == kDynamic ? kDynamic : std::max<int64_t>(0, size - n);
  return r.result(shape, r.promote({input, prepend, append}, Promote::NoOpMath));
}

//===----------------------------------------------------------------------===//
// Softmax
//===----------------------------------------------------------------------===//

static LogicalResult softmax(Infer &r, Value input, int64_t dim, std::optional<Type> dtype, bool halfToFloat) {
  Type own = Infer::element(input);
  auto type = dtypeOrElse(r, dtype, own);
  if (failed(type) || failed(r.dim(dim, Infer::rank(input)))) // softmax_c1
    return failure();
  if (category(*type) != Category::Float) // softmax_c2
    return r.error("expects a float type to compute in, got " + text(*type));
  if (halfToFloat && !own.isF16() && !own.isBF16()) // softmax_c3
    return r.error("half_to_float expects an f16 or bf16 input, got " + text(own));
  return r.result(Infer::shape(input), halfToFloat && !dtype ? r.builder().getF32Type() : *type);
}

static LogicalResult softmaxBackward(Infer &r, Value gradOutput, Value output, int64_t dim, Type dtype) {
  if (failed(r.dim(dim, Infer::rank(gradOutput)))) // softmax_backward_c1
    return failure();
  if (failed(sameSizes(r, output, Infer::shape(gradOutput), "output"))) // softmax_backward_c2
    return failure();
  auto type = dtypeOrElse(r, dtype, Type());
  if (failed(type))
    return failure();
  if (category(*type) != Category::Float) // softmax_backward_c3
    return r.error("expects input_dtype to be float, got " + text(*type));
  return r.result(Infer::shape(gradOutput), *type);
}

//===----------------------------------------------------------------------===//
// Norms
//===----------------------------------------------------------------------===//

/// Type of the statistics: f32 where a parameter (the first that is there) has another type than the input.
static Type statisticsType(Value input, ArrayRef<Value> parameters) {
  Type own = Infer::element(input);
  for (Value parameter : parameters)
    if (parameter)
      return Infer::element(parameter) == own ? own : Float32Type::get(own.getContext());
  return own;
}

/// The gradient of a parameter: of the same shape, or empty when it is not asked for.
static LogicalResult parameterGradient(Infer &r, bool wanted, ArrayRef<int64_t> shape, Type element) {
  return r.result(wanted ? shape : ArrayRef<int64_t>{0}, element);
}

static LogicalResult checkMask(Infer &r, ArrayRef<bool> mask, size_t results) {
  if (mask.size() != results) // output_mask_c1
    return r.error("expects output_mask to have " + Twine(results) + " entries, got " + Twine(mask.size()));
  return success();
}

/// Checks a norm over the last dims, and gives the shape of its statistics.
static FailureOr<Shape> normalized(Infer &r, Value input, ArrayRef<int64_t> sizes, Value weight, Value bias) {
  Shape shape = Infer::shape(input);
  if (sizes.empty() || sizes.size() > shape.size()) // layer_norm_c1
    return r.error("expects 1 to " + Twine(shape.size()) + " normalized dims, got " + Twine(sizes.size()));
  size_t kept = shape.size() - sizes.size();
  if (failed(sameSizes(r, sizes, ArrayRef<int64_t>(shape).drop_front(kept), "normalized_shape"))) // layer_norm_c2
    return failure();
  if (failed(sameSizes(r, weight, sizes, "weight")) || failed(sameSizes(r, bias, sizes, "bias"))) // layer_norm_c3
    return failure();
  std::fill(shape.begin() + kept, shape.end(), 1);
  return shape;
}

static LogicalResult layerNorm(Infer &r, Value input, SymInts sizes, Value weight, Value bias, int statistics) {
  if (failed(checkSizes(r, sizes, "normalized_shape")))
    return failure();
  auto shape = normalized(r, input, sizes.numbers, weight, bias);
  if (failed(shape) || failed(r.like(input)))
    return failure();
  for (int i = 0; i < statistics; ++i)
    (void)r.result(*shape, statisticsType(input, {weight, bias}));
  return success();
}

static LogicalResult layerNormBackward(Infer &r, Value gradOut, Value input, SymInts sizes, Value mean, Value rstd, Value weight,
                                       Value bias, ArrayRef<bool> mask) {
  if (failed(checkSizes(r, sizes, "normalized_shape")) || failed(checkMask(r, mask, 3)))
    return failure();
  auto shape = normalized(r, input, sizes.numbers, weight, bias);
  if (failed(shape) || failed(sameSizes(r, gradOut, Infer::shape(input), "grad_out"))) // norm_backward_c1
    return failure();
  Type own = Infer::element(input);
  Type weightType = weight ? Infer::element(weight) : own;
  (void)parameterGradient(r, mask[0], Infer::shape(input), own);
  (void)parameterGradient(r, mask[1] && weight, sizes.numbers, weightType);
  return parameterGradient(r, mask[2] && bias, sizes.numbers, bias ? Infer::element(bias) : weightType);
}

static LogicalResult fusedRmsNorm(Infer &r, Value input, ArrayRef<int64_t> sizes, Value weight) {
  auto shape = normalized(r, input, sizes, weight, {});
  if (failed(shape) || failed(r.like(input)))
    return failure();
  Type own = Infer::element(input);
  return r.result(*shape, own.isF64() ? own : r.builder().getF32Type());
}

static LogicalResult fusedRmsNormBackward(Infer &r, Value gradOut, Value input, ArrayRef<int64_t> sizes, Value weight,
                                          ArrayRef<bool> mask) {
  auto shape = normalized(r, input, sizes, weight, {});
  if (failed(shape) || failed(checkMask(r, mask, 2)) ||
      failed(sameSizes(r, gradOut, Infer::shape(input), "grad_out"))) // norm_backward_c1
    return failure();
  (void)parameterGradient(r, mask[0], Infer::shape(input), Infer::element(input));
  return parameterGradient(r, mask[1] && weight, sizes, Infer::element(weight ? weight : input));
}

static LogicalResult checkGroups(Infer &r, int64_t channels, int64_t groups, Value weight, Value bias) {
  if (groups <= 0 || (channels != kDynamic && channels % groups != 0)) // group_norm_c1
    return r.error("expects a positive number of groups that divides the number of channels, got " + Twine(groups) + " for " +
                   (channels == kDynamic ? Twine("?") : Twine(channels)));
  return success(succeeded(sameSizes(r, weight, channels, "weight")) && // group_norm_c2
                 succeeded(sameSizes(r, bias, channels, "bias")));
}

static LogicalResult groupNorm(Infer &r, Value input, int64_t groups, Value weight, Value bias) {
  Shape shape = Infer::shape(input);
  if (shape.size() < 2) // group_norm_c4
    return r.error("expects an input of rank >= 2, got " + Twine(shape.size()));
  if (failed(checkGroups(r, shape[1], groups, weight, bias)))
    return failure();
  return r.like(input);
}

/// Checks the sizes that native_group_norm names, and gives the number of samples and of channels.
static FailureOr<std::pair<int64_t, int64_t>> groupSizes(Infer &r, Value input, Value weight, Value bias, SymInts n, SymInts c,
                                                         SymInts hxw, int64_t groups) {
  auto samples = oneNumber(r, n, "N"), channels = oneNumber(r, c, "C"), inner = oneNumber(r, hxw, "HxW");
  if (failed(samples) || failed(channels) || failed(inner) || failed(checkGroups(r, *channels, groups, weight, bias)))
    return failure();
  int64_t elements = Infer::numel({*samples, *channels, *inner});
  if (failed(r.same(elements, Infer::numel(Infer::shape(input)), "N * C * HxW"))) // group_norm_c3
    return failure();
  return std::pair(*samples, *channels);
}

static LogicalResult nativeGroupNorm(Infer &r, Value input, Value weight, Value bias, SymInts n, SymInts c, SymInts hxw,
                                     int64_t groups) {
  auto sizes = groupSizes(r, input, weight, bias, n, c, hxw, groups);
  if (failed(sizes) || failed(r.like(input)))
    return failure();
  Type type = statisticsType(input, {weight, bias});
  (void)r.result({sizes->first, groups}, type);
  return r.result({sizes->first, groups}, type);
}

static LogicalResult groupNormBackward(Infer &r, Value gradOut, Value input, Value mean, Value rstd, Value weight, SymInts n,
                                       SymInts c, SymInts hxw, int64_t groups, ArrayRef<bool> mask) {
  auto sizes = groupSizes(r, input, weight, {}, n, c, hxw, groups);
  if (failed(sizes) || failed(checkMask(r, mask, 3)) ||
      failed(sameSizes(r, gradOut, Infer::shape(input), "grad_out"))) // norm_backward_c1
    return failure();
  Type type = Infer::element(weight ? weight : input);
  (void)parameterGradient(r, mask[0], Infer::shape(input), Infer::element(input));
  (void)parameterGradient(r, mask[1], {sizes->second}, type);
  return parameterGradient(r, mask[2], {sizes->second}, type);
}

/// Results of a batch norm, each kind with those of the kind before it.
enum class BatchNorm { Output, Statistics, Functional, FunctionalWithReserve };

/// The number of channels that the input and each parameter that is there agree on.
static FailureOr<int64_t> channels(Infer &r, Value input, ArrayRef<Value> parameters) {
  Shape shape = Infer::shape(input);
  if (shape.size() < 2) // batch_norm_c1
    return r.error("expects an input of rank >= 2, got " + Twine(shape.size()));
  int64_t count = shape[1];
  for (Value parameter : parameters) {
    if (!parameter)
      continue;
    Shape size = Infer::shape(parameter);
    if (failed(sameSizes(r, size, count, "parameters of the channels"))) // batch_norm_c2
      return failure();
    count = count == kDynamic ? size[0] : count;
  }
  return count;
}

/// `parameters`: weight, bias and, unless the op has none, running_mean and running_var.
static LogicalResult batchNorm(Infer &r, Value input, ArrayRef<Value> parameters, bool training, BatchNorm kind) {
  auto count = channels(r, input, parameters);
  if (failed(count))
    return failure();
  bool running = parameters.size() == 4 && parameters[2] && parameters[3];
  if (!training && !running) // batch_norm_c3
    return r.error("expects running_mean and running_var unless it is training");
  (void)r.like(input);
  if (kind == BatchNorm::Output)
    return success();
  Type type = statisticsType(input, parameters);
  for (int i = 0; i < 2; ++i)
    (void)r.result({training ? *count : 0}, type);
  if (kind == BatchNorm::FunctionalWithReserve)
    (void)r.result({0}, r.builder().getIntegerType(8, /*isSigned=*/false));
  if (kind >= BatchNorm::Functional)
    for (Value statistic : parameters.drop_front(2))
      (void)r.result({*count}, promoteElements(Infer::element(statistic), r.builder().getF32Type()));
  return success();
}

static LogicalResult batchNormBackward(Infer &r, Value gradOut, Value input, Value weight, ArrayRef<Value> statistics,
                                       ArrayRef<bool> mask) {
  SmallVector<Value> parameters(statistics);
  parameters.push_back(weight);
  auto count = channels(r, input, parameters);
  if (failed(count) || failed(checkMask(r, mask, 3)) ||
      failed(sameSizes(r, gradOut, Infer::shape(input), "grad_out"))) // norm_backward_c1
    return failure();
  Type type = Infer::element(weight ? weight : input);
  (void)parameterGradient(r, mask[0], Infer::shape(input), Infer::element(input));
  (void)parameterGradient(r, mask[1], {*count}, type);
  return parameterGradient(r, mask[2], {*count}, type);
}

//===----------------------------------------------------------------------===//
// Attention
//===----------------------------------------------------------------------===//

/// The heads of key or value, repeated to the query's.
static FailureOr<Shape> repeatHeads(Infer &r, Shape shape, int64_t queryHeads, const Twine &what) {
  int64_t &heads = shape[shape.size() - 3];
  if (heads != kDynamic && queryHeads != kDynamic && (heads == 0 || queryHeads % heads != 0)) // attention_c7
    return r.error("expects the number of heads of the " + what + " to divide the query's, got " + Twine(heads) + " and " +
                   Twine(queryHeads));
  heads = queryHeads;
  return shape;
}

static FailureOr<Shape> attentionShape(Infer &r, Value query, Value key, Value value, Value mask, bool groupedHeads) {
  Shape q = Infer::shape(query), k = Infer::shape(key), v = Infer::shape(value);
  size_t least = groupedHeads ? 3 : 2;
  if (std::min({q.size(), k.size(), v.size()}) < least) // attention_c1
    return r.error("expects query, key and value of rank >= " + Twine(least) + ", got " + Twine(q.size()) + ", " +
                   Twine(k.size()) + " and " + Twine(v.size()));
  Type type = Infer::element(query);
  if (Infer::element(key) != type || Infer::element(value) != type) // attention_c2
    return r.error("expects query, key and value of one element type, got " + text(type) + ", " + text(Infer::element(key)) +
                   " and " + text(Infer::element(value)));
  if (failed(r.same(k.back(), q.back(), "last size of query and key")) || // attention_c3
      failed(r.same(v[v.size() - 2], k[k.size() - 2], "length of key and value")))
    return failure();
  if (groupedHeads) {
    int64_t heads = q[q.size() - 3];
    auto keys = repeatHeads(r, k, heads, "key"), values = failed(keys) ? keys : repeatHeads(r, v, heads, "value");
    if (failed(values))
      return failure();
    k = *keys;
    v = *values;
  }
  auto batch = [](const Shape &shape) { return ArrayRef<int64_t>(shape).drop_back(2); };
  auto shape = r.broadcastShapes(batch(q), batch(k)); // attention_c4
  if (failed(shape) || failed(shape = r.broadcastShapes(*shape, batch(v))))
    return failure();
  if (mask) {
    Type element = Infer::element(mask);
    if (!element.isInteger(1) && !element.isF32() && element != type) // attention_c5
      return r.error("expects attn_mask to be bool, f32 or of the query's type, got " + text(element));
    Shape scores = *shape;
    scores.append({q[q.size() - 2], k[k.size() - 2]});
    if (failed(r.broadcastShapes(scores, Infer::shape(mask)))) // attention_c5
      return failure();
  }
  shape->append({q[q.size() - 2], v.back()});
  return shape;
}

static LogicalResult attention(Infer &r, Value query, Value key, Value value, Value mask, bool causal, bool groupedHeads) {
  if (mask && causal) // attention_c6
    return r.error("expects no attn_mask when is_causal");
  auto shape = attentionShape(r, query, key, value, mask, groupedHeads);
  return failed(shape) ? failure() : r.result(*shape, Infer::element(query));
}

static LogicalResult checkFlashAttention(Infer &r, Value query, Value key, Value value, Value mask) {
  Shape q = Infer::shape(query), v = Infer::shape(value);
  if (q.size() != 4 || Infer::rank(key) != 4 || v.size() != 4) // flash_attention_c1
    return r.error("expects query, key and value of rank 4, got " + Twine(q.size()) + ", " + Twine(Infer::rank(key)) + " and " +
                   Twine(v.size()));
  if (failed(r.same(v.back(), q.back(), "last size of query and value"))) // flash_attention_c1
    return failure();
  return attentionShape(r, query, key, value, mask, /*groupedHeads=*/false);
}

static LogicalResult flashAttention(Infer &r, Value query, Value key, Value value, Value mask) {
  if (failed(checkFlashAttention(r, query, key, value, mask)))
    return failure();
  Shape shape = Infer::shape(query);
  (void)r.like(query);
  return r.result(ArrayRef<int64_t>(shape).drop_back(), r.builder().getF32Type());
}

static LogicalResult flashAttentionBackward(Infer &r, Value gradOut, Value query, Value key, Value value, Value mask) {
  if (failed(checkFlashAttention(r, query, key, value, mask)))
    return failure();
  if (failed(sameSizes(r, gradOut, Infer::shape(query), "grad_out"))) // flash_attention_backward_c1
    return failure();
  return success(succeeded(r.like(query)) && succeeded(r.like(key)) && succeeded(r.like(value)));
}

/// Random numbers are drawn only for a dropout: then the op must stay where it is.
static void dropoutEffects(const APFloat &probability, SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  if (probability.isZero())
    return;
  effects.emplace_back(MemoryEffects::Read::get());
  effects.emplace_back(MemoryEffects::Write::get());
}

void ScaledDotProductAttentionOp::getEffects(SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  dropoutEffects(getDropoutP(), effects);
}

void ScaledDotProductFlashAttentionForCpuOp::getEffects(SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  dropoutEffects(getDropoutP(), effects);
}

//===----------------------------------------------------------------------===//
// Losses
//===----------------------------------------------------------------------===//

enum LossReduction : int64_t { None = 0, Mean = 1, Sum = 2 };

static LogicalResult checkReduction(Infer &r, int64_t reduction) {
  if (reduction < None || reduction > Sum) // loss_c1
    return r.error("expects reduction in [0, 2], got " + Twine(reduction));
  return success();
}

/// A loss of this shape and type before its reduction.
static LogicalResult reducedLoss(Infer &r, ArrayRef<int64_t> shape, Type element, int64_t reduction) {
  if (failed(checkReduction(r, reduction)))
    return failure();
  if (reduction == None)
    return r.result(shape, element);
  if (reduction == Mean && !isFloatOrComplex(element)) // loss_c3
    return r.error("expects a float or complex loss to take the mean of, got " + text(element));
  return r.result({}, accumulator(element));
}

static LogicalResult loss(Infer &r, ArrayRef<Value> operands, int64_t reduction, Promote kind) {
  auto shape = r.broadcast(operands); // loss_c2
  return failed(shape) ? failure() : reducedLoss(r, *shape, r.promote(operands, kind), reduction);
}

static LogicalResult binaryCrossEntropy(Infer &r, Value input, Value target, Value weight, Value posWeight, int64_t reduction) {
  if (failed(sameSizes(r, target, Infer::shape(input), "target"))) // binary_cross_entropy_c1
    return failure();
  return loss(r, {input, target, weight, posWeight}, reduction, Promote::Default);
}

static LogicalResult lossBackward(Infer &r, Value gradOutput, Value input, Value target, int64_t reduction) {
  if (failed(checkReduction(r, reduction)) || failed(r.broadcast({gradOutput, input, target}))) // loss_c2
    return failure();
  return r.like(input);
}

/// The dim of the classes.
static int64_t classDim(ArrayRef<int64_t> shape) { return shape.size() > 1 ? 1 : 0; }

static LogicalResult checkClassWeight(Infer &r, ArrayRef<int64_t> shape, Value weight) {
  return sameSizes(r, weight, shape[classDim(shape)], "weight"); // nll_loss_c2
}

/// Checks a loss for a target of classes, and gives its shape before the reduction.
static FailureOr<Shape> classLossShape(Infer &r, Value input, Value target, Value weight, SymInts ignoreIndex) {
  Shape shape = Infer::shape(input);
  if (shape.empty()) // nll_loss_c1
    return r.error("expects an input of rank >= 1");
  if (failed(checkClassWeight(r, shape, weight)))
    return failure();
  if (category(Infer::element(target)) != Category::Integer) // nll_loss_c3
    return r.error("expects a target of integers, got " + text(Infer::element(target)));
  if (failed(oneNumber(r, ignoreIndex, "ignore_index", /*allowNegative=*/true))) // nll_loss_c3
    return failure();
  shape.erase(shape.begin() + classDim(shape));
  if (failed(sameSizes(r, target, shape, "target"))) // nll_loss_c1
    return failure();
  return shape;
}

static LogicalResult nllLoss(Infer &r, Value input, Value target, Value weight, int64_t reduction, SymInts ignoreIndex) {
  auto shape = classLossShape(r, input, target, weight, ignoreIndex);
  return failed(shape) ? failure() : reducedLoss(r, *shape, Infer::element(input), reduction);
}

static LogicalResult nllLossForward(Infer &r, Value input, Value target, Value weight, int64_t reduction, SymInts ignoreIndex) {
  if (failed(nllLoss(r, input, target, weight, reduction, ignoreIndex)))
    return failure();
  return r.result({}, Infer::element(input));
}

static LogicalResult nllLossBackward(Infer &r, Value input, Value target, Value weight, int64_t reduction, SymInts ignoreIndex) {
  if (failed(checkReduction(r, reduction)) || failed(classLossShape(r, input, target, weight, ignoreIndex)))
    return failure();
  return r.like(input);
}

static LogicalResult crossEntropy(Infer &r, Value input, Value target, Value weight, int64_t reduction, SymInts ignoreIndex) {
  if (category(Infer::element(target)) <= Category::Integer)
    return nllLoss(r, input, target, weight, reduction, ignoreIndex);
  Shape shape = Infer::shape(input);
  if (category(Infer::element(target)) != Category::Float || shape.empty()) // cross_entropy_loss_c1
    return r.error("expects an input of rank >= 1 and a target of classes or of float probabilities, got " +
                   text(Infer::element(target)));
  if (failed(sameSizes(r, target, shape, "target"))) // cross_entropy_loss_c1
    return failure();
  if (failed(checkClassWeight(r, shape, weight)))
    return failure();
  shape.erase(shape.begin() + classDim(shape));
  return reducedLoss(r, shape, Infer::element(input), reduction);
}

//===----------------------------------------------------------------------===//
// Distances
//===----------------------------------------------------------------------===//

static LogicalResult cosineSimilarity(Infer &r, Value x1, Value x2, int64_t dim) {
  auto shape = r.broadcast({x1, x2});
  if (failed(shape))
    return failure();
  auto normal = r.dim(dim, shape->size()); // cosine_similarity_c1
  if (failed(normal))
    return failure();
  Type type = r.promote({x1, x2}, Promote::Default);
  if (category(type) != Category::Float) // cosine_similarity_c2
    return r.error("expects operands that promote to a float type, got " + text(type));
  return r.result(Infer::reduce(*shape, *normal, /*keepdim=*/false), type);
}

static LogicalResult dist(Infer &r, Value input, Value other) {
  if (failed(r.broadcast({input, other}))) // dist_c1
    return failure();
  Type type = r.promote({input, other}, Promote::Default);
  if (!isFloatOrComplex(type)) // dist_c1
    return r.error("expects operands that promote to a float or complex type, got " + text(type));
  return r.result({}, realType(type));
}

static LogicalResult sumToSize(Infer &r, Value input, SymInts size) {
  if (failed(checkSizes(r, size, "size")))
    return failure();
  Shape shape = Infer::shape(input);
  if (size.numbers.size() > shape.size()) // sum_to_size_c1
    return r.error("expects at most " + Twine(shape.size()) + " sizes, got " + Twine(size.numbers.size()));
  for (auto [to, from] : llvm::zip(llvm::reverse(size.numbers), llvm::reverse(shape)))
    if (to != 1 && failed(r.same(to, from, "size"))) // sum_to_size_c1
      return failure();
  return r.result(size.numbers, Infer::element(input));
}

//===----------------------------------------------------------------------===//
// Histograms, segments and distinct values
//===----------------------------------------------------------------------===//

static LogicalResult bincount(Infer &r, Value input, Value weights, SymInts minlength) {
  Shape shape = Infer::shape(input);
  if (shape.size() != 1) // bincount_c1
    return r.error("expects an input of rank 1, got " + Twine(shape.size()));
  if (failed(sameSizes(r, weights, shape, "weights"))) // bincount_c1
    return failure();
  if (failed(oneNumber(r, minlength, "minlength"))) // bincount_c2
    return failure();
  Builder builder = r.builder();
  Type counts = !weights                           ? Type(builder.getI64Type())
                : Infer::element(weights).isF32() ? Type(builder.getF32Type())
                                                  : Type(builder.getF64Type());
  return r.result({kDynamic}, counts);
}

/// A number of bins, of which there is one edge more.
static LogicalResult checkBins(Infer &r, int64_t bins) {
  if (bins <= 0 || bins == std::numeric_limits<int64_t>::max()) // histogram_c1, histogramdd_c2
    return r.error("expects a positive number of bins, got " + Twine(bins));
  return success();
}

/// The number of bins between edges.
static FailureOr<int64_t> binsBetween(Infer &r, Value edges) {
  Shape shape = Infer::shape(edges);
  if (shape.size() != 1 || shape[0] == 0) // histogram_c1, histogramdd_c2
    return r.error("expects edges of rank 1 with at least one element, got " + text(edges.getType()));
  return sum(shape[0], -1);
}

static LogicalResult histc(Infer &r, Value input, int64_t bins) {
  return failed(checkBins(r, bins)) ? failure() : r.result({bins}, Infer::element(input));
}

static LogicalResult histogram(Infer &r, Value input, Value edges, int64_t bins, std::optional<ArrayRef<double>> range,
                               Value weight) {
  if (failed(sameSizes(r, weight, Infer::shape(input), "weight"))) // histogram_c2
    return failure();
  if (range && range->size() != 2) // histogram_c3
    return r.error("expects a range of 2 numbers, got " + Twine(range->size()));
  Type type = Infer::element(input);
  if (edges) {
    auto between = binsBetween(r, edges);
    return success(succeeded(between) && succeeded(r.result({*between}, type)) && succeeded(r.like(edges)));
  }
  if (failed(checkBins(r, bins)))
    return failure();
  return success(succeeded(r.result({bins}, type)) && succeeded(r.result({bins + 1}, type)));
}

static LogicalResult checkHistogramdd(Infer &r, Value input, size_t bins, std::optional<ArrayRef<double>> range, Value weight) {
  Shape shape = Infer::shape(input);
  if (shape.size() < 2) // histogramdd_c1
    return r.error("expects an input of rank >= 2, got " + Twine(shape.size()));
  if (failed(r.same(bins, shape.back(), "bins and coordinates"))) // histogramdd_c1
    return failure();
  if (range && range->size() != 2 * bins) // histogramdd_c4
    return r.error("expects a range of " + Twine(2 * bins) + " numbers, got " + Twine(range->size()));
  return sameSizes(r, weight, ArrayRef<int64_t>(shape).drop_back(), "weight"); // histogramdd_c3
}

static LogicalResult histogramddBinEdges(Infer &r, Value input, ArrayRef<int64_t> bins, std::optional<ArrayRef<double>> range,
                                         Value weight) {
  if (failed(checkHistogramdd(r, input, bins.size(), range, weight)))
    return failure();
  for (int64_t count : bins)
    if (failed(checkBins(r, count)) || failed(r.result({count + 1}, Infer::element(input))))
      return failure();
  return success();
}

static LogicalResult histogramddFromBinCts(Infer &r, Value input, ArrayRef<int64_t> bins, std::optional<ArrayRef<double>> range,
                                           Value weight) {
  if (failed(checkHistogramdd(r, input, bins.size(), range, weight)))
    return failure();
  for (int64_t count : bins)
    if (failed(checkBins(r, count)))
      return failure();
  return r.result(bins, Infer::element(input));
}

static LogicalResult histogramddFromBinTensors(Infer &r, Value input, ValueRange bins, Value weight) {
  if (failed(checkHistogramdd(r, input, bins.size(), std::nullopt, weight)))
    return failure();
  Shape shape;
  for (Value edges : bins) {
    auto count = binsBetween(r, edges);
    if (failed(count))
      return failure();
    shape.push_back(*count);
  }
  return r.result(shape, Infer::element(input));
}

static LogicalResult segmentReduce(Infer &r, Value data, StringRef reduce, Value lengths, Value offsets, int64_t axis) {
  if (!llvm::is_contained({"sum", "mean", "max", "min", "prod"}, reduce)) // segment_reduce_c1
    return r.error("expects reduce to be sum, mean, max, min or prod, got '" + reduce + "'");
  Value segments = offsets ? offsets : lengths;
  if (!segments) // segment_reduce_c2
    return r.error("expects lengths or offsets");
  Shape shape = Infer::shape(data), of = Infer::shape(segments);
  auto normal = r.dim(axis, shape.size()); // segment_reduce_c3
  if (failed(normal))
    return failure();
  if (shape.empty() || *normal + 1 != int64_t(of.size())) // segment_reduce_c3
    return r.error("expects axis to be the last dim of lengths or offsets, got axis " + Twine(axis) + " for rank " +
                   Twine(of.size()));
  auto before = [&](const Shape &sizes) { return ArrayRef<int64_t>(sizes).take_front(*normal); };
  if (failed(sameSizes(r, before(of), before(shape), "lengths or offsets"))) // segment_reduce_c4
    return failure();
  if (offsets && of.back() == 0) // segment_reduce_c3
    return r.error("expects at least one offset");
  shape[*normal] = offsets ? sum(of.back(), -1) : of.back();
  return r.result(shape, Infer::element(data));
}

static LogicalResult unique(Infer &r, Value input, std::optional<int64_t> dim, bool returnInverse, bool returnCounts) {
  Shape shape = Infer::shape(input), inverse = shape, output = {kDynamic};
  if (dim) {
    auto normal = r.dim(*dim, shape.size()); // unique_c1
    if (failed(normal))
      return failure();
    inverse = {sizeAlong(shape, *normal)};
    if (!shape.empty()) {
      output = shape;
      output[*normal] = kDynamic;
    }
  }
  Type index = r.builder().getI64Type();
  (void)r.result(output, Infer::element(input));
  (void)r.result(returnInverse || dim ? inverse : Shape{0}, index);
  return r.result({returnCounts || dim ? kDynamic : 0}, index);
}

//===----------------------------------------------------------------------===//
// Folders
//===----------------------------------------------------------------------===//

/// The input, where each reduced dim holds one element and the type stays. Null dims are all dims.
static OpFoldResult foldOneElement(Value input, Type result, Dims dims, bool emptyMeansAll = true) {
  if (input.getType() != result)
    return {};
  Shape shape = Infer::shape(input);
  auto isOne = [&](int64_t dim) { return shape.empty() || shape[dim < 0 ? dim + shape.size() : dim] == 1; };
  if (!dims || (dims->empty() && emptyMeansAll))
    return llvm::all_of(shape, [](int64_t size) { return size == 1; }) ? input : OpFoldResult();
  return llvm::all_of(*dims, isOne) ? input : OpFoldResult();
}

/// A float sum starts at +0, so it turns -0 into +0: only sums of integers fold.
static OpFoldResult foldOneTerm(Value input, Type result, Dims dims) {
  return category(Infer::element(input)) <= Category::Integer ? foldOneElement(input, result, dims) : OpFoldResult();
}

/// all and any of one bool; of one ui8 they are 0 or 1.
static OpFoldResult foldOneBool(Value input, Type result, Dims dims) {
  return Infer::element(input).isInteger(1) ? foldOneElement(input, result, dims, /*emptyMeansAll=*/false) : OpFoldResult();
}

OpFoldResult AllOp::fold(FoldAdaptor) { return foldOneBool(getInput(), getType(), getDim()); }

OpFoldResult AnyOp::fold(FoldAdaptor) { return foldOneBool(getInput(), getType(), getDim()); }

OpFoldResult AmaxOp::fold(FoldAdaptor) { return foldOneElement(getInput(), getType(), getDim()); }

OpFoldResult AminOp::fold(FoldAdaptor) { return foldOneElement(getInput(), getType(), getDim()); }

OpFoldResult ProdOp::fold(FoldAdaptor) { return foldOneElement(getInput(), getType(), getDim()); }

OpFoldResult SumOp::fold(FoldAdaptor) { return foldOneTerm(getInput(), getType(), getDim()); }

OpFoldResult CumprodOp::fold(FoldAdaptor) { return foldOneElement(getInput(), getType(), oneDim(getDim())); }

OpFoldResult CumsumOp::fold(FoldAdaptor) { return foldOneTerm(getInput(), getType(), oneDim(getDim())); }

//===----------------------------------------------------------------------===//
// Registration
//===----------------------------------------------------------------------===//

void FxDialect::registerReductionOps() {
  addOperations<
#define GET_OP_LIST
#include "fx/FxReductionOps.cpp.inc"
      >();
}

#define GET_OP_CLASSES
#include "fx/FxReductionOps.cpp.inc"
