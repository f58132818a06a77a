//===- FxReductionClasses.td - shared by reductions, norms and losses -----===//
//
// Shared by FxReductionOps.td, FxNormOps.td and FxLossOps.td. The classes of these
// files hold what their ops share: arguments, assembly, and the constraints of
// the group, which are appended to the formula of each op. In every op:
//
//  * (dtype_c1) a `dtype` is an element type of the dialect.
//  * (size_list_c1) a list of sizes has one operand for each unknown size, and
//    no size is negative; a SymInt is a list of one number.
//
//===----------------------------------------------------------------------===//

#ifndef FX_REDUCTION_CLASSES_TD
#define FX_REDUCTION_CLASSES_TD

include "fx/FxBase.td"

defvar Fx_OptionalDims = OptionalAttr<DenseI64ArrayAttr>;
defvar Fx_OptionalDtype = OptionalAttr<TypeAttr>;
defvar Fx_OptionalNumber = OptionalAttr<Fx_NumberAttr>;
defvar Fx_OptionalTensor = Optional<Fx_Tensor>;
defvar Fx_OptionalFloatTensor = Optional<Fx_FloatTensor>;
defvar Fx_False = DefaultValuedAttr<BoolAttr, "false">;
defvar Fx_True = DefaultValuedAttr<BoolAttr, "true">;
defvar Fx_LastDim = DefaultValuedAttr<I64Attr, "-1">;
/// How a loss is reduced: 0 not at all, 1 to its mean, 2 to its sum.
defvar Fx_LossReduction = DefaultValuedAttr<I64Attr, "1">;

defvar Fx_Rest = " attr-dict `:` functional-type(operands, results)";

#endif // FX_REDUCTION_CLASSES_TD
