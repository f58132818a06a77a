//===- Infer.h - result types of fx ops ------------------------*- C++ -*-===//
//
// Building blocks of type inference: PyTorch's type promotion, broadcasting and
// shape rules over builtin tensor types. Every function here takes an unknown
// size (`?`, ShapedType::kDynamic) to mean "some size": it never reports an
// error that only a run-time value could prove.
//
//===----------------------------------------------------------------------===//

#ifndef FX_INFER_H
#define FX_INFER_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/IR/ValueRange.h"

namespace fx {

using Shape = llvm::SmallVector<int64_t, 6>;
inline constexpr int64_t kDynamic = mlir::ShapedType::kDynamic;

/// Whether the types that inference found and those that an op has agree: same
/// element type, same rank, and sizes equal wherever both are known.
bool compatibleTypes(mlir::TypeRange inferred, mlir::TypeRange actual);

/// How PyTorch derives a result's element type from the operands'
/// (torch/_prims_common: ELEMENTWISE_TYPE_PROMOTION_KIND).
enum class Promote {
  Default,        ///< the promoted type
  NoOpMath,       ///< the same (where, cat)
  IntToFloat,     ///< integers and bool become f32
  ComplexToFloat, ///< complex becomes its real type (abs)
  BoolToLong,     ///< bool becomes i64 (sum, prod)
  AlwaysBool,     ///< comparison
};

/// Order of categories: bool < integer < float < complex.
enum class Category { Bool, Integer, Float, Complex };
Category category(mlir::Type element);

/// PyTorch's promotion lattice of two element types (c10/core/ScalarType.cpp).
mlir::Type promoteElements(mlir::Type a, mlir::Type b);

/// Collects the result types of one op, and reports errors as
/// "'fx.name' op message" at its location.
class Infer {
public:
  Infer(mlir::MLIRContext *context, std::optional<mlir::Location> location,
        llvm::StringRef name, llvm::SmallVectorImpl<mlir::Type> &types)
      : context(context), location(location), name(name), types(types) {}

  mlir::MLIRContext *getContext() const { return context; }
  mlir::Builder builder() const { return mlir::Builder(context); }

  /// Report an error. Text: lower case, no full stop, expected and actual values.
  llvm::LogicalResult error(const llvm::Twine &message) const;

  /// Add a result of this shape and element type.
  llvm::LogicalResult result(llvm::ArrayRef<int64_t> shape, mlir::Type element);
  /// Add a result of any type.
  llvm::LogicalResult result(mlir::Type type);

  //--- operands -------------------------------------------------------------
  /// Sizes of a tensor; a number has rank 0.
  static Shape shape(mlir::Value value);
  static int64_t rank(mlir::Value value);
  /// Element type of a tensor, or the type PyTorch gives a number (i64, f32, i1, complex<f32>).
  static mlir::Type element(mlir::Value value);

  /// Element type after type promotion; null values (absent operands) are skipped.
  mlir::Type promote(llvm::ArrayRef<mlir::Value> values, Promote kind) const;

  //--- shapes ---------------------------------------------------------------
  /// Common shape of operands that broadcast.
  llvm::FailureOr<Shape> broadcast(llvm::ArrayRef<mlir::Value> values) const;
  llvm::FailureOr<Shape> broadcastShapes(llvm::ArrayRef<int64_t> a, llvm::ArrayRef<int64_t> b) const;
  /// A dim in [-rank, rank) made non-negative; rank 0 counts as rank 1.
  llvm::FailureOr<int64_t> dim(int64_t dim, int64_t rank) const;
  /// The same for a list, without duplicates; `emptyMeansAll` as in sum.dim_IntList.
  llvm::FailureOr<Shape> dims(llvm::ArrayRef<int64_t> dims, int64_t rank, bool emptyMeansAll) const;
  /// Shape after reducing `dims` (non-negative).
  static Shape reduce(llvm::ArrayRef<int64_t> shape, llvm::ArrayRef<int64_t> dims, bool keepdim);
  /// Product of sizes, or kDynamic.
  static int64_t numel(llvm::ArrayRef<int64_t> shape);
  /// Two sizes that must agree: the known one, or an error.
  llvm::FailureOr<int64_t> same(int64_t a, int64_t b, const llvm::Twine &what) const;

  //--- whole rules shared by many ops ----------------------------------------
  /// One operand, its shape, the promoted type.
  llvm::LogicalResult unary(mlir::Value input, Promote kind = Promote::Default);
  /// Broadcast operands (null: absent), the promoted type.
  llvm::LogicalResult pointwise(llvm::ArrayRef<mlir::Value> values, Promote kind = Promote::Default);
  /// The operand's own type, `dtype` (may be null) in place of its element type.
  llvm::LogicalResult like(mlir::Value input, mlir::Type dtype = {});
  /// Reduction over dims; absent dims reduce all.
  llvm::LogicalResult reduction(mlir::Value input, std::optional<llvm::ArrayRef<int64_t>> dims, bool keepdim,
                                mlir::Type element);

  //--- checks of operands -----------------------------------------------------
  /// An operand of rank `min` to `max` (absent operands pass).
  llvm::LogicalResult checkRank(llvm::StringRef name, mlir::Value value, int64_t min, int64_t max) const;
  llvm::LogicalResult checkRank(llvm::StringRef name, mlir::Value value, int64_t rank) const {
    return checkRank(name, value, rank, rank);
  }
  /// Tensors of one element type; numbers and absent operands are skipped.
  llvm::LogicalResult sameElements(llvm::ArrayRef<mlir::Value> values) const;
  /// Two shapes that must agree: the known sizes, or an error.
  llvm::FailureOr<Shape> sameShapes(llvm::ArrayRef<int64_t> a, llvm::ArrayRef<int64_t> b, llvm::StringRef what) const;

private:
  mlir::MLIRContext *context;
  std::optional<mlir::Location> location;
  llvm::StringRef name;
  llvm::SmallVectorImpl<mlir::Type> &types;
};

//===----------------------------------------------------------------------===//
// SymInt[] arguments and dtypes
//===----------------------------------------------------------------------===//

/// A pair `Variadic<Index>`, `DenseI64ArrayAttr` must have one operand for each kDynamic entry of the list.
llvm::LogicalResult checkList(const Infer &r, mlir::ValueRange dynamic, llvm::ArrayRef<int64_t> list,
                              const llvm::Twine &what);
/// The same for sizes: no entry below `least`.
llvm::FailureOr<Shape> sizes(const Infer &r, mlir::ValueRange dynamic, llvm::ArrayRef<int64_t> list,
                             const llvm::Twine &what, int64_t least = 0);
/// A SymInt: a list of one. An absent one (a list of none) is `otherwise`, or an error when that is null.
llvm::FailureOr<int64_t> symInt(const Infer &r, mlir::ValueRange dynamic, llvm::ArrayRef<int64_t> list,
                                const llvm::Twine &what, std::optional<int64_t> otherwise = std::nullopt);

/// Whether a tensor of fx may have this element type.
bool isElement(mlir::Type type);
/// `dtype`, which must be an element type, or `otherwise` when it is absent.
llvm::FailureOr<mlir::Type> elementOr(const Infer &r, std::optional<mlir::Type> dtype, mlir::Type otherwise);

//===----------------------------------------------------------------------===//
// Properties
//===----------------------------------------------------------------------===//

/// A copy of an op's properties in which absent attributes have their defaults.
template <typename OpTy>
typename OpTy::template InferredProperties<OpTy> withDefaults(mlir::MLIRContext *context, mlir::OpaqueProperties properties) {
  using Properties = typename OpTy::template InferredProperties<OpTy>;
  Properties complete{};
  if (properties)
    complete = *properties.as<Properties *>();
  OpTy::populateDefaultProperties(mlir::OperationName(OpTy::getOperationName(), context), complete);
  return complete;
}

} // namespace fx

#endif // FX_INFER_H
