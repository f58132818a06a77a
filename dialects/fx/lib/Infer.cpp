//===- Infer.cpp - result types of fx ops --------------------------------===//

#include "fx/Infer.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace fx {

//===----------------------------------------------------------------------===//
// Element types
//===----------------------------------------------------------------------===//

Category category(Type element) {
  if (isa<ComplexType>(element))
    return Category::Complex;
  if (isa<FloatType>(element))
    return Category::Float;
  if (element.isInteger(1))
    return Category::Bool;
  return Category::Integer;
}

static bool isUnsigned8(Type type) { return type.isUnsignedInteger(8); }

static Type promoteIntegers(Type a, Type b) {
  // The only pair that fits neither operand: u8 with i8 is i16.
  if ((isUnsigned8(a) && b.isSignlessInteger(8)) || (isUnsigned8(b) && a.isSignlessInteger(8)))
    return IntegerType::get(a.getContext(), 16);
  return a.getIntOrFloatBitWidth() >= b.getIntOrFloatBitWidth() ? a : b;
}

static Type promoteFloats(Type a, Type b) {
  if (a == b)
    return a;
  unsigned widthA = a.getIntOrFloatBitWidth(), widthB = b.getIntOrFloatBitWidth();
  if (widthA != widthB)
    return widthA > widthB ? a : b;
  return Float32Type::get(a.getContext()); // f16 with bf16, or two 8-bit formats
}

Type promoteElements(Type a, Type b) {
  if (a == b)
    return a;
  Category ca = category(a), cb = category(b);
  if (ca < cb) {
    std::swap(a, b);
    std::swap(ca, cb);
  }
  if (ca == Category::Complex) {
    Type real = cast<ComplexType>(a).getElementType();
    if (cb == Category::Complex)
      return ComplexType::get(promoteFloats(real, cast<ComplexType>(b).getElementType()));
    return ComplexType::get(cb == Category::Float ? promoteFloats(real, b) : real);
  }
  if (ca != cb)
    return a;
  return ca == Category::Float ? promoteFloats(a, b) : ca == Category::Integer ? promoteIntegers(a, b) : a;
}

/// c10's combine_categories: `lower` counts only where its category is higher.
static Type combineCategories(Type higher, Type lower) {
  if (!higher)
    return lower;
  if (!lower)
    return higher;
  Category ch = category(higher), cl = category(lower);
  if (ch == Category::Complex)
    return higher;
  if (ch == Category::Float) {
    if (cl != Category::Complex)
      return higher;
    return ComplexType::get(higher.isF64() ? higher : Type(Float32Type::get(higher.getContext())));
  }
  if (ch == Category::Bool || cl >= Category::Float)
    return promoteElements(higher, lower);
  return higher;
}

Type Infer::element(Value value) {
  Type type = value.getType();
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    return tensor.getElementType();
  MLIRContext *context = type.getContext();
  if (isa<ComplexType>(type))
    return ComplexType::get(Float32Type::get(context));
  if (isa<FloatType>(type))
    return Float32Type::get(context);
  if (type.isInteger(1))
    return type;
  return IntegerType::get(context, 64);
}

Type Infer::promote(ArrayRef<Value> values, Promote kind) const {
  Type tensors, zeroRank, numbers;
  for (Value value : values) {
    if (!value)
      continue;
    auto tensor = dyn_cast<RankedTensorType>(value.getType());
    Type &slot = !tensor ? numbers : tensor.getRank() == 0 ? zeroRank : tensors;
    Type next = element(value);
    slot = slot ? promoteElements(slot, next) : next;
  }
  Type type = combineCategories(tensors, combineCategories(zeroRank, numbers));
  switch (kind) {
  case Promote::Default:
  case Promote::NoOpMath:
    return type;
  case Promote::IntToFloat:
    return category(type) <= Category::Integer ? Type(Float32Type::get(context)) : type;
  case Promote::ComplexToFloat:
    if (auto complex = dyn_cast<ComplexType>(type))
      return complex.getElementType();
    return type;
  case Promote::BoolToLong:
    return category(type) == Category::Bool ? Type(IntegerType::get(context, 64)) : type;
  case Promote::AlwaysBool:
    return IntegerType::get(context, 1);
  }
  llvm_unreachable("every kind is handled");
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

bool compatibleTypes(TypeRange inferred, TypeRange actual) {
  if (inferred.size() != actual.size())
    return false;
  return llvm::all_of(llvm::zip(inferred, actual), [](auto pair) {
    auto a = dyn_cast<RankedTensorType>(std::get<0>(pair));
    auto b = dyn_cast<RankedTensorType>(std::get<1>(pair));
    if (!a || !b)
      return std::get<0>(pair) == std::get<1>(pair);
    return a.getElementType() == b.getElementType() && succeeded(verifyCompatibleShape(a, b));
  });
}

LogicalResult Infer::error(const Twine &message) const {
  return emitOptionalError(location, "'", name, "' op ", message);
}

LogicalResult Infer::result(ArrayRef<int64_t> shape, Type element) {
  types.push_back(RankedTensorType::get(shape, element));
  return success();
}

LogicalResult Infer::result(Type type) {
  types.push_back(type);
  return success();
}

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

Shape Infer::shape(Value value) {
  if (auto tensor = dyn_cast<RankedTensorType>(value.getType()))
    return Shape(tensor.getShape());
  return {};
}

int64_t Infer::rank(Value value) {
  if (auto tensor = dyn_cast<RankedTensorType>(value.getType()))
    return tensor.getRank();
  return 0;
}

FailureOr<int64_t> Infer::same(int64_t a, int64_t b, const Twine &what) const {
  if (a == kDynamic || a == b)
    return b;
  if (b == kDynamic)
    return a;
  return error(what + ": expected equal sizes, got " + Twine(a) + " and " + Twine(b));
}

FailureOr<Shape> Infer::broadcastShapes(ArrayRef<int64_t> a, ArrayRef<int64_t> b) const {
  size_t rank = std::max(a.size(), b.size());
  Shape shape(rank);
  for (size_t i = 0; i < rank; ++i) { // i counts from the last dimension
    int64_t x = i < a.size() ? a[a.size() - 1 - i] : 1;
    int64_t y = i < b.size() ? b[b.size() - 1 - i] : 1;
    if (x != 1 && y != 1 && x != kDynamic && y != kDynamic && x != y)
      return error("operands do not broadcast: size " + Twine(x) + " against " + Twine(y) + " in dim " +
                   Twine(rank - 1 - i));
    // A symbolic size never stands for a broadcast 1 against another size: the other size is the result's.
    int64_t size = x == 1 ? y : y == 1 ? x : x == kDynamic ? y : x;
    shape[rank - 1 - i] = size;
  }
  return shape;
}

FailureOr<Shape> Infer::broadcast(ArrayRef<Value> values) const {
  Shape shape;
  for (Value value : values) {
    if (!value)
      continue;
    auto next = broadcastShapes(shape, Infer::shape(value));
    if (failed(next))
      return failure();
    shape = *next;
  }
  return shape;
}

FailureOr<int64_t> Infer::dim(int64_t dim, int64_t rank) const {
  int64_t bound = std::max<int64_t>(rank, 1);
  if (dim < -bound || dim >= bound)
    return error("dim " + Twine(dim) + " is out of range for an operand of rank " + Twine(rank));
  return dim < 0 ? dim + bound : dim;
}

FailureOr<Shape> Infer::dims(ArrayRef<int64_t> dims, int64_t rank, bool emptyMeansAll) const {
  Shape all;
  if (dims.empty() && emptyMeansAll) {
    llvm::append_range(all, llvm::seq<int64_t>(0, rank));
    return all;
  }
  for (int64_t d : dims) {
    auto normal = dim(d, rank);
    if (failed(normal))
      return failure();
    if (llvm::is_contained(all, *normal))
      return error("dim " + Twine(*normal) + " appears more than once in the list of dims");
    all.push_back(*normal);
  }
  return all;
}

Shape Infer::reduce(ArrayRef<int64_t> shape, ArrayRef<int64_t> dims, bool keepdim) {
  Shape out;
  for (auto [i, size] : llvm::enumerate(shape)) {
    if (!llvm::is_contained(dims, int64_t(i)))
      out.push_back(size);
    else if (keepdim)
      out.push_back(1);
  }
  return out;
}

int64_t Infer::numel(ArrayRef<int64_t> shape) {
  if (llvm::is_contained(shape, int64_t(0)))
    return 0;
  int64_t product = 1;
  for (int64_t size : shape) {
    if (size == kDynamic || llvm::MulOverflow(product, size, product))
      return kDynamic;
  }
  return product;
}

//===----------------------------------------------------------------------===//
// Shared rules
//===----------------------------------------------------------------------===//

LogicalResult Infer::unary(Value input, Promote kind) { return result(shape(input), promote({input}, kind)); }

LogicalResult Infer::pointwise(ArrayRef<Value> values, Promote kind) {
  auto shape = broadcast(values);
  if (failed(shape))
    return failure();
  return result(*shape, promote(values, kind));
}

LogicalResult Infer::like(Value input, Type dtype) { return result(shape(input), dtype ? dtype : element(input)); }

LogicalResult Infer::reduction(Value input, std::optional<ArrayRef<int64_t>> dims, bool keepdim, Type element) {
  auto normal = this->dims(dims.value_or(ArrayRef<int64_t>()), rank(input), /*emptyMeansAll=*/true);
  if (failed(normal))
    return failure();
  Shape in = shape(input);
  // dims over a 0-d tensor name its only element.
  if (in.empty())
    return result(in, element);
  return result(reduce(in, *normal, keepdim), element);
}

//===----------------------------------------------------------------------===//
// SymInt[] arguments and dtypes
//===----------------------------------------------------------------------===//

LogicalResult checkList(const Infer &r, ValueRange dynamic, ArrayRef<int64_t> list, const Twine &what) {
  size_t wanted = llvm::count(list, kDynamic);
  if (wanted != dynamic.size())
    return r.error(what + ": the list has " + Twine(wanted) + " dynamic entries, got " + Twine(dynamic.size()) + " operands");
  return success();
}

FailureOr<Shape> sizes(const Infer &r, ValueRange dynamic, ArrayRef<int64_t> list, const Twine &what, int64_t least) {
  if (failed(checkList(r, dynamic, list, what)))
    return failure();
  for (int64_t size : list)
    if (size != kDynamic && size < least)
      return r.error(what + ": expected sizes of at least " + Twine(least) + ", got " + Twine(size));
  return Shape(list);
}

FailureOr<int64_t> symInt(const Infer &r, ValueRange dynamic, ArrayRef<int64_t> list, const Twine &what,
                          std::optional<int64_t> otherwise) {
  if (failed(checkList(r, dynamic, list, what)))
    return failure();
  if (list.size() == 1)
    return list[0];
  if (list.empty() && otherwise)
    return *otherwise;
  return r.error(what + ": expected one number, got a list of " + Twine(list.size()));
}

bool isElement(Type type) {
  if (auto complex = dyn_cast<ComplexType>(type))
    return complex.getElementType().isF32() || complex.getElementType().isF64();
  if (type.isSignlessInteger())
    return llvm::is_contained({1u, 8u, 16u, 32u, 64u}, type.getIntOrFloatBitWidth());
  return type.isUnsignedInteger(8) ||
         isa<Float64Type, Float32Type, Float16Type, BFloat16Type, Float8E4M3FNType, Float8E5M2Type>(type);
}

FailureOr<Type> elementOr(const Infer &r, std::optional<Type> dtype, Type otherwise) {
  if (!dtype)
    return otherwise;
  if (isElement(*dtype))
    return *dtype;
  std::string text;
  llvm::raw_string_ostream(text) << *dtype;
  return r.error("dtype '" + text + "' is not an element type of fx tensors");
}

//===----------------------------------------------------------------------===//
// Checks of operands
//===----------------------------------------------------------------------===//

LogicalResult Infer::checkRank(StringRef name, Value value, int64_t min, int64_t max) const {
  if (!value)
    return success();
  int64_t got = rank(value);
  if (got >= min && got <= max)
    return success();
  if (min == max)
    return error("expects '" + name + "' of rank " + Twine(min) + ", got rank " + Twine(got));
  if (max == INT64_MAX)
    return error("expects '" + name + "' of rank " + Twine(min) + " or more, got rank " + Twine(got));
  return error("expects '" + name + "' of rank " + Twine(min) + " to " + Twine(max) + ", got rank " + Twine(got));
}

LogicalResult Infer::sameElements(ArrayRef<Value> values) const {
  Type first;
  for (Value value : values) {
    if (!value || !isa<RankedTensorType>(value.getType()))
      continue;
    Type next = element(value);
    if (first && next != first) {
      std::string text;
      llvm::raw_string_ostream(text) << "'" << first << "' and '" << next << "'";
      return error("expects operands of one element type, got " + text);
    }
    first = next;
  }
  return success();
}

FailureOr<Shape> Infer::sameShapes(ArrayRef<int64_t> a, ArrayRef<int64_t> b, StringRef what) const {
  if (a.size() != b.size())
    return error(what + ": expected equal ranks, got " + Twine(a.size()) + " and " + Twine(b.size()));
  Shape shape;
  for (auto [i, x] : llvm::enumerate(a)) {
    auto size = same(x, b[i], what + " in dim " + Twine(i));
    if (failed(size))
      return failure();
    shape.push_back(*size);
  }
  return shape;
}

} // namespace fx
