//===- FxShapeClasses.td - shared by views and creation -------------------===//
//
// Shared by FxShapeOps.td and FxCreationOps.td.
//
//===----------------------------------------------------------------------===//

#ifndef FX_SHAPE_CLASSES_TD
#define FX_SHAPE_CLASSES_TD

include "fx/FxBase.td"

/// SymInt[] that an overload may lack: the list of none stands for its absence.
def Fx_ListOrNone : DefaultValuedAttr<DenseI64ArrayAttr, "{}">;
class Fx_IntByDefault<string value> : DefaultValuedAttr<I64Attr, value>;

/// One tensor result, inferred by the overload of `inferTypes` for this op.
class Fx_ShapeOp<string mnemonic, list<string> aten, list<Trait> traits = []>
    : Fx_Op<mnemonic, "inferTypes(op, r)", aten, [Pure] # traits> {
  let results = (outs Fx_Tensor:$result);
}

/// `fx.name %input <keywords> : (type) -> type`.
class Fx_InputOp<string mnemonic, string keywords, list<string> aten, list<Trait> traits = []>
    : Fx_ShapeOp<mnemonic, aten, traits> {
  let arguments = (ins Fx_Tensor:$input);
  let assemblyFormat = "$input " # keywords # " attr-dict `:` functional-type($input, $result)";
}

/// Shape of one tensor, nothing else of it: canonicalises to the op that names the shape.
class Fx_LikeOp<string mnemonic, list<string> aten> : Fx_ShapeOp<mnemonic, aten> {
  let arguments = (ins Fx_Tensor:$input, Fx_Tensor:$other);
  let hasCanonicalizeMethod = 1;
}

#endif // FX_SHAPE_CLASSES_TD
