//===- FxBase.td - dialect, types and op classes of fx -------------------===//
//
// What every family file includes. Conventions that the importer, the Rust op
// table and the generated docs rely on:
//
//  * An operand or attribute has the name of its argument in the ATen schema;
//    `self` is called `input`.
//  * Tensor -> Fx_Tensor operand, Tensor? -> Optional<Fx_Tensor>,
//    Tensor[] -> Variadic<Fx_Tensor>.
//  * Scalar (or Tensor that may be a number) of pointwise and creation ops
//    -> Fx_TensorOrScalar operand, Scalar? -> Optional<Fx_TensorOrScalar>.
//    Scalars that only configure an op (alpha, beta, negative_slope, ...)
//    -> Fx_NumberAttr.
//  * int -> I64Attr, int? -> OptionalAttr<I64Attr>, int[] -> DenseI64ArrayAttr,
//    float -> F64Attr, float[] -> DenseF64ArrayAttr, bool -> BoolAttr,
//    str -> StrAttr, ScalarType -> TypeAttr, ScalarType? -> OptionalAttr<TypeAttr>.
//  * SymInt and SymInt[] -> two arguments: `Variadic<Index>:$size,
//    DenseI64ArrayAttr:$static_size`, printed by custom<DynamicIndexList>. A
//    SymInt is a list of one, an absent SymInt? a list of none.
//  * Layout, device, memory format, pin_memory, non_blocking and generator are
//    dropped: they mean nothing for a value.
//
//===----------------------------------------------------------------------===//

#ifndef FX_BASE_TD
#define FX_BASE_TD

include "mlir/IR/OpBase.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"

def Fx_Dialect : Dialect {
  let name = "fx";
  let cppNamespace = "::fx";
  let summary = "PyTorch FX/ATen graphs";
  let description = [{
    One op per functional ATen operator. Tensors are builtin ranked tensors,
    numbers are `i64`, `f64`, `i1` and `complex<f64>` ("wrapped numbers" of
    PyTorch's type promotion), sizes are `index`. A dimension that is known only
    at run time is `?`; function arguments name theirs in the argument attribute
    `fx.dims`, and the function attribute `fx.symbols` gives each name's range:
    equal names are equal sizes. Ops are functional: a mutation is a further
    result of the function, marked `fx.mutates`.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::tensor::TensorDialect", "::mlir::func::FuncDialect"];
  let hasConstantMaterializer = 1;
  let hasOperationAttrVerify = 1;
  let hasRegionArgAttrVerify = 1;
  let extraClassDeclaration = [{
    // One per family file, defined beside its op classes.
    void registerPointwiseOps();
    void registerReductionOps();
    void registerShapeOps();
    void registerIndexingOps();
    void registerSpatialOps();
    void registerMatrixOps();
    void registerRandomOps();
    void registerControlOps();
  }];
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

def Fx_Float : AnyTypeOf<[F64, F32, F16, BF16, F8E4M3FN, F8E5M2], "float">;
def Fx_Int : AnyTypeOf<[I64, I32, I16, I8, UI8], "integer">;
def Fx_Complex : AnyTypeOf<[Complex<F32>, Complex<F64>], "complex">;

def Fx_Tensor : RankedTensorOf<[F64, F32, F16, BF16, F8E4M3FN, F8E5M2, I64, I32, I16, I8, UI8, I1, Complex<F32>, Complex<F64>]>;
def Fx_FloatTensor : RankedTensorOf<[F64, F32, F16, BF16, F8E4M3FN, F8E5M2]>;
def Fx_RealTensor : RankedTensorOf<[F64, F32, F16, BF16, F8E4M3FN, F8E5M2, I64, I32, I16, I8, UI8, I1]>;
def Fx_FloatOrComplexTensor : RankedTensorOf<[F64, F32, F16, BF16, F8E4M3FN, F8E5M2, Complex<F32>, Complex<F64>]>;
def Fx_IntTensor : RankedTensorOf<[I64, I32, I16, I8, UI8]>;
def Fx_IntOrBoolTensor : RankedTensorOf<[I64, I32, I16, I8, UI8, I1]>;
def Fx_BoolTensor : RankedTensorOf<[I1]>;
def Fx_IndexTensor : RankedTensorOf<[I64, I32]>;

/// A number: PyTorch's Scalar, or a symbolic size.
def Fx_Scalar : AnyTypeOf<[I64, F64, I1, Index, Complex<F64>], "scalar (i64, f64, i1, index or complex<f64>)">;
def Fx_TensorOrScalar : AnyTypeOf<[Fx_Tensor, Fx_Scalar], "tensor or scalar">;

/// A constant number: an integer, a float or a bool attribute.
def Fx_NumberAttr : Attr<CPred<"::llvm::isa<::mlir::IntegerAttr, ::mlir::FloatAttr>($_self)">, "number"> {
  let storageType = "::mlir::TypedAttr";
  let returnType = "::mlir::TypedAttr";
  let convertFromStorage = "$_self";
}

//===----------------------------------------------------------------------===//
// Op classes
//===----------------------------------------------------------------------===//

/// Base of every op. `inferBody` is a C++ expression of type LogicalResult over
/// `op` (the adaptor: operands and attributes by their getters) and `r` (an
/// fx::Infer, which collects the result types and reports errors).
///
/// `aten` lists the overloads that import as this op. The form is
///   "aten.add.Tensor" or "prims.sum.default(input=inp, dim=dims)"
/// where each pair is `fx argument = schema argument`, or `fx argument = #literal`
/// for a constant (`#0`, `#1.0`, `#true`); unlisted arguments keep their names.
class Fx_OpBase<string mnemonic, list<string> aten, list<Trait> traits = []>
    : Op<Fx_Dialect, mnemonic, traits> {
  list<string> atenOverloads = aten;
  string inferBody = "";
}

class Fx_Op<string mnemonic, string infer, list<string> aten, list<Trait> traits = [Pure]>
    : Fx_OpBase<mnemonic, aten, traits # [DeclareOpInterfaceMethods<InferTypeOpInterface, ["inferReturnTypes"]>]> {
  let inferBody = infer;
  let extraClassDeclaration = [{
    static bool isCompatibleReturnTypes(::mlir::TypeRange left, ::mlir::TypeRange right);
  }];
  let extraClassDefinition = [{
    ::llvm::LogicalResult $cppClass::inferReturnTypes(
        ::mlir::MLIRContext *context, ::std::optional<::mlir::Location> location,
        ::mlir::ValueRange operands, ::mlir::DictionaryAttr attributes,
        ::mlir::OpaqueProperties properties, ::mlir::RegionRange regions,
        ::llvm::SmallVectorImpl<::mlir::Type> &inferredReturnTypes) {
      // An op that is being created has no defaults in its properties yet.
      auto complete = ::fx::withDefaults<$cppClass>(context, properties);
      [[maybe_unused]] Adaptor op(operands, attributes, complete, regions);
      [[maybe_unused]] ::fx::Infer r(context, location, getOperationName(), inferredReturnTypes);
      return }] # infer # [{;
    }
    bool $cppClass::isCompatibleReturnTypes(::mlir::TypeRange left, ::mlir::TypeRange right) {
      return ::fx::compatibleTypes(left, right);
    }
  }];
  let assemblyFormat = "operands attr-dict `:` functional-type(operands, results)";
}

#endif // FX_BASE_TD
