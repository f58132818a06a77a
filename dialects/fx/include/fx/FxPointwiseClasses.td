//===- FxPointwiseClasses.td - types and classes of the pointwise ops ----===//
//
// Shared by FxPointwiseOps.td, FxSpecialOps.td and FxActivationOps.td. A class
// takes what an op says in one line: its summary, its formula, the names of its
// overloads ("Tensor" is "aten.<mnemonic>.Tensor") and the full names of aliases.
//
// The Promote kind of an op is PyTorch's for the same operator.
//
//===----------------------------------------------------------------------===//

#ifndef FX_POINTWISE_CLASSES_TD
#define FX_POINTWISE_CLASSES_TD

include "fx/FxBase.td"

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

def Fx_NumericTensor : RankedTensorOf<[F64, F32, F16, BF16, F8E4M3FN, F8E5M2, I64, I32, I16, I8, UI8, Complex<F32>, Complex<F64>]>;
def Fx_ComplexTensor : RankedTensorOf<[Complex<F32>, Complex<F64>]>;
def Fx_WideFloatTensor : RankedTensorOf<[F32, F64]>;
def Fx_MaskTensor : RankedTensorOf<[I1, UI8]>;

def Fx_NumericTensorOrScalar : AnyTypeOf<[Fx_NumericTensor, Fx_Scalar], "tensor of numbers, or scalar">;
def Fx_RealTensorOrScalar : AnyTypeOf<[Fx_RealTensor, I64, F64, I1, Index], "real tensor or scalar">;
def Fx_IntTensorOrScalar : AnyTypeOf<[Fx_IntTensor, I64, Index], "integer tensor or scalar">;
def Fx_IntOrBoolTensorOrScalar : AnyTypeOf<[Fx_IntOrBoolTensor, I64, I1, Index], "integer or bool, tensor or scalar">;

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

/// A number that is an integer, or a float, unless given.
class Fx_IntOr<string default> : DefaultValuedAttr<Fx_NumberAttr, default> {
  let constBuilderCall = "$_builder.getI64IntegerAttr($0)";
}
class Fx_FloatOr<string default> : DefaultValuedAttr<Fx_NumberAttr, default> {
  let constBuilderCall = "$_builder.getF64FloatAttr($0)";
}

//===----------------------------------------------------------------------===//
// Classes
//===----------------------------------------------------------------------===//

/// "aten.<mnemonic>.<overload>" of each overload, then the aliases.
class Fx_Overloads<string mnemonic, list<string> overloads, list<string> aliases> {
  list<string> names = !foreach(overload, overloads, "aten." # mnemonic # "." # overload) # aliases;
}

/// One operand.
class Fx_Unary<string mnemonic, string promote, string what, string formula, list<string> aliases = [],
               TypeConstraint type = Fx_Tensor, TypeConstraint out = Fx_Tensor>
    : Fx_Op<mnemonic, "r.unary(op.getInput(), Promote::" # promote # ")",
            Fx_Overloads<mnemonic, ["default"], aliases>.names> {
  let summary = what;
  let description = formula;
  let arguments = (ins type:$input);
  let results = (outs out:$result);
}

/// Integers compute in f32.
class Fx_UnaryFloat<string mnemonic, string what, string formula, list<string> aliases = []>
    : Fx_Unary<mnemonic, "IntToFloat", what, formula, aliases>;
class Fx_UnaryRealFloat<string mnemonic, string what, string formula, list<string> aliases = []>
    : Fx_Unary<mnemonic, "IntToFloat", what, formula, aliases, Fx_RealTensor>;

/// A property of one element.
class Fx_Predicate<string mnemonic, string what, string formula, TypeConstraint type = Fx_Tensor>
    : Fx_Unary<mnemonic, "AlwaysBool", what, formula, [], type, Fx_BoolTensor>;

/// Two operands that broadcast.
class Fx_Binary<string mnemonic, string promote, string what, string formula, list<string> overloads,
                list<string> aliases = [], list<Trait> traits = [], TypeConstraint type = Fx_TensorOrScalar,
                TypeConstraint out = Fx_Tensor>
    : Fx_Op<mnemonic, "r.pointwise({op.getInput(), op.getOther()}, Promote::" # promote # ")",
            Fx_Overloads<mnemonic, overloads, aliases>.names, [Pure] # traits> {
  let summary = what;
  let description = formula;
  let arguments = (ins type:$input, type:$other);
  let results = (outs out:$result);
}

/// Compares two operands; `alias` is the operator's other name.
class Fx_Comparison<string mnemonic, string alias, string what, string formula, TypeConstraint type = Fx_RealTensorOrScalar,
                    list<Trait> traits = []>
    : Fx_Binary<mnemonic, "AlwaysBool", what, formula, ["Tensor", "Scalar"],
                !if(!empty(alias), []<string>, ["aten." # alias # ".Tensor", "aten." # alias # ".Scalar"]),
                traits, type, Fx_BoolTensor>;

/// Combines truth values: any number but zero is true.
class Fx_Logical<string mnemonic, string what, string formula>
    : Fx_Binary<mnemonic, "AlwaysBool", what, formula, ["default"], [], [Commutative], Fx_TensorOrScalar, Fx_BoolTensor>;

/// Bit by bit; `operator` is Python's name of it.
class Fx_Bitwise<string mnemonic, string operator, string what, string formula, list<Trait> traits = []>
    : Fx_Binary<mnemonic, "Default", what, formula, ["Tensor", "Scalar", "Scalar_Tensor"],
                ["aten." # operator # ".Tensor", "aten." # operator # ".Scalar"], traits, Fx_IntOrBoolTensorOrScalar>;

/// A shift; "Tensor_Scalar" is what its Scalar overload is called.
class Fx_Shift<string mnemonic, string operator, string what, string formula>
    : Fx_Binary<mnemonic, "Default", what, formula, ["Tensor", "Tensor_Scalar", "Scalar_Tensor"],
                ["aten." # operator # ".Tensor", "aten." # operator # ".Scalar"], [], Fx_IntTensorOrScalar>;

/// A polynomial of degree n at x.
class Fx_Polynomial<string mnemonic, string what, string formula>
    : Fx_Op<mnemonic, "r.pointwise({op.getX(), op.getN()}, Promote::IntToFloat)",
            Fx_Overloads<mnemonic, ["default", "x_scalar", "n_scalar"], []>.names> {
  let summary = what;
  let description = formula;
  let arguments = (ins Fx_RealTensorOrScalar:$x, Fx_RealTensorOrScalar:$n);
  let results = (outs Fx_Tensor:$result);
}

/// One operand and attributes; the result has the operand's type.
class Fx_Activation<string mnemonic, string what, string formula, dag attributes = (ins), list<string> aliases = [],
                    TypeConstraint type = Fx_FloatTensor>
    : Fx_Op<mnemonic, "r.like(op.getInput())", Fx_Overloads<mnemonic, ["default"], aliases>.names> {
  let summary = what;
  let description = formula;
  let arguments = !con((ins type:$input), attributes);
  let results = (outs type:$result);
}

/// The gradient of an activation: `saved` is the forward operand, or the forward result where that suffices.
class Fx_Backward<string mnemonic, string formula, dag saved = (ins Fx_FloatTensor:$input), dag attributes = (ins),
                  dag gradient = (ins Fx_FloatTensor:$grad_output)>
    : Fx_Op<mnemonic, "r.pointwise(firstTwo(op.getOperands()))", Fx_Overloads<mnemonic, ["default"], []>.names> {
  let summary = "gradient of " # !subst("_backward", "", mnemonic);
  let description = formula;
  let arguments = !con(gradient, saved, attributes);
  let results = (outs Fx_Tensor:$result);
}

#endif // FX_POINTWISE_CLASSES_TD
