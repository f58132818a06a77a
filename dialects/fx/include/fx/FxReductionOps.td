//===- FxReductionOps.td - reductions, scans, norms, attention, losses ---===//
//
// Ops whose result mixes the elements along some dimensions. The classes hold
// what their ops share: arguments, assembly, and the constraints of the group,
// which are appended to the formula of each op. In every op:
//
//  * (dtype_c1) a `dtype` is an element type of the dialect.
//  * (size_list_c1) a list of sizes has one operand for each unknown size, and
//    no size is negative; a SymInt is a list of one number.
//
//===----------------------------------------------------------------------===//

#ifndef FX_REDUCTION_OPS_TD
#define FX_REDUCTION_OPS_TD

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

//===----------------------------------------------------------------------===//
// Reductions over any dimensions
//===----------------------------------------------------------------------===//

/// `dim` absent: every dimension. `rule` is a function of ReductionOps.cpp,
/// `element` a C++ expression for the element type.
class Fx_Reduction<string mnemonic, string rule, string element, list<string> aten, string formula,
                   Constraint tensor = Fx_Tensor, dag more = (ins)>
    : Fx_Op<mnemonic, rule # "(r, op.getInput(), op.getDim(), op.getKeepdim(), " # element # ")", aten> {
  let description = formula # [{

    Absent dims are all dims.

    * (reduction_c1) -rank(input) <= dim[i] < rank(input), and no dim appears twice.}] #
    !if(!eq(rule, "reduceSome"), "\n    * (reduction_c2) a reduced size is not 0: there is no neutral element.\n", "\n");
  let arguments = !con((ins tensor:$input, Fx_OptionalDims:$dim, Fx_False:$keepdim), more);
  let results = (outs Fx_Tensor:$result);
  let assemblyFormat = !strconcat("$input (`dim` $dim^)?", Fx_Rest);
}

def Fx_AllOp : Fx_Reduction<"all", "reduceListed", "boolElement(op.getInput())",
    ["aten.all.default", "aten.all.dim", "aten.all.dims"], [{
    y = and_i (input[i] != 0); ui8 stays ui8. Unlike other reductions, an empty list of dims is no dim.}]> {
  let summary = "whether all elements are true";
  let hasFolder = 1;
}

def Fx_AmaxOp : Fx_Reduction<"amax", "reduceSome", "dtypeOrElse(r, op.getDtype(), Infer::element(op.getInput()))",
    ["aten.amax.default", "aten.max.default", "prims.amax.default(input=inp, dim=dims, dtype=output_dtype)"], [{
    y = max_i input[i]; NaN if any element is.}], Fx_RealTensor, (ins Fx_OptionalDtype:$dtype)> {
  let summary = "largest element";
  let hasFolder = 1;
}

def Fx_AminOp : Fx_Reduction<"amin", "reduceSome", "dtypeOrElse(r, op.getDtype(), Infer::element(op.getInput()))",
    ["aten.amin.default", "aten.min.default", "prims.amin.default(input=inp, dim=dims, dtype=output_dtype)"], [{
    y = min_i input[i]; NaN if any element is.}], Fx_RealTensor, (ins Fx_OptionalDtype:$dtype)> {
  let summary = "smallest element";
  let hasFolder = 1;
}

def Fx_AnyOp : Fx_Reduction<"any", "reduceListed", "boolElement(op.getInput())",
    ["aten.any.default", "aten.any.dim", "aten.any.dims"], [{
    y = or_i (input[i] != 0); ui8 stays ui8. Unlike other reductions, an empty list of dims is no dim.}]> {
  let summary = "whether any element is true";
  let hasFolder = 1;
}

def Fx_CountNonzeroOp : Fx_Reduction<"count_nonzero", "reduce", "r.builder().getI64Type()",
    ["aten.count_nonzero.default", "aten.count_nonzero.dim_IntList"], [{
    y = sum_i (input[i] != 0 ? 1 : 0), in i64.}]> {
  let summary = "number of elements that are not zero";
}

def Fx_LinalgVectorNormOp : Fx_Reduction<"linalg_vector_norm", "reduce",
    "normElement(r, op.getInput(), op.getDtype())",
    ["aten.linalg_vector_norm.default", "aten.frobenius_norm.dim", "aten.norm.Scalar(ord=p)",
     "aten.norm.ScalarOpt_dim(ord=p)", "aten.norm.ScalarOpt_dim_dtype(ord=p)", "aten.norm.ScalarOpt_dtype(ord=p)"], [{
    y = (sum_i |input[i]|^ord)^(1/ord); max |input[i]| for ord = inf, min for -inf,
    and the number of elements that are not 0 for ord = 0. An absent ord is 2. A complex input has a real norm.

    * (linalg_vector_norm_c1) the input, or `dtype`, is float or complex.}],
    Fx_Tensor, (ins Fx_OptionalNumber:$ord, Fx_OptionalDtype:$dtype)> {
  let summary = "norm of vectors";
}

def Fx_LogsumexpOp : Fx_Reduction<"logsumexp", "reduce", "r.promote({op.getInput()}, Promote::IntToFloat)",
    ["aten.logsumexp.default", "aten.special_logsumexp.default"], [{
    y = m + log(sum_i e^(input[i] - m)),  m = max_i input[i].}]> {
  let summary = "logarithm of the sum of exponentials";
}

def Fx_MeanOp : Fx_Reduction<"mean", "reduce", "meanElement(r, op.getInput(), op.getDtype())",
    ["aten.mean.default", "aten.mean.dim"], [{
    y = (1/n) sum_i input[i],  n the number of elements that are reduced.

    * (mean_c1) the input, or `dtype`, is float or complex.}],
    Fx_Tensor, (ins Fx_OptionalDtype:$dtype)> {
  let summary = "mean of elements";
}

def Fx_NanmeanOp : Fx_Reduction<"nanmean", "reduce", "meanElement(r, op.getInput(), op.getDtype())",
    ["aten.nanmean.default"], [{
    y = mean of the input[i] that are not NaN.}],
    Fx_FloatOrComplexTensor, (ins Fx_OptionalDtype:$dtype)> {
  let summary = "mean of elements that are not NaN";
}

def Fx_NansumOp : Fx_Reduction<"nansum", "reduce", "sumElement(r, op.getInput(), op.getDtype())",
    ["aten.nansum.default"], [{
    y = sum of the input[i] that are not NaN.}],
    Fx_RealTensor, (ins Fx_OptionalDtype:$dtype)> {
  let summary = "sum of elements that are not NaN";
}

def Fx_ProdOp : Fx_Reduction<"prod", "reduce", "sumElement(r, op.getInput(), op.getDtype())",
    ["aten.prod.default", "aten.prod.dim_int", "prims.prod.default(input=inp, dim=dims, dtype=output_dtype)"], [{
    y = prod_i input[i]; integers and bool in i64, unless `dtype` says otherwise. A prims.prod that differs
    (integers that stay narrow, an empty list of dims) does not verify.}],
    Fx_Tensor, (ins Fx_OptionalDtype:$dtype)> {
  let summary = "product of elements";
  let hasFolder = 1;
}

def Fx_SumOp : Fx_Reduction<"sum", "reduce", "sumElement(r, op.getInput(), op.getDtype())",
    ["aten.sum.default", "aten.sum.dim_IntList", "prims.sum.default(input=inp, dim=dims, dtype=output_dtype)"], [{
    y = sum_i input[i]; integers and bool in i64, unless `dtype` says otherwise. A prims.sum that differs
    (integers that stay narrow, an empty list of dims) does not verify.

    ```mlir
    %y = fx.sum %x dim [1] {keepdim = true} : (tensor<4x8xf32>) -> tensor<4x1xf32>
    ```}],
    Fx_Tensor, (ins Fx_OptionalDtype:$dtype)> {
  let summary = "sum of elements";
  let hasFolder = 1;
}

def Fx_XorSumOp : Fx_Op<"xor_sum", [{reduceListed(r, op.getInput(), op.getDims(), /*keepdim=*/false,
                                     dtypeOrElse(r, op.getOutputDtype(), Infer::element(op.getInput())))}],
                        ["prims.xor_sum.default(input=inp)"]> {
  let summary = "exclusive or of elements";
  let description = [{
    y = input[0] ^ input[1] ^ ... along `dims` (absent: all; empty: none).

    * (reduction_c1) as for the other reductions.
  }];
  let arguments = (ins Fx_IntOrBoolTensor:$input, Fx_OptionalDims:$dims, Fx_OptionalDtype:$output_dtype);
  let results = (outs Fx_Tensor:$result);
  let assemblyFormat = !strconcat("$input (`dims` $dims^)?", Fx_Rest);
}

//===----------------------------------------------------------------------===//
// Variance
//===----------------------------------------------------------------------===//

defvar Fx_VarianceArguments = (ins Fx_True:$unbiased, Fx_OptionalNumber:$correction);
defvar Fx_VarianceFormula = [{
    v = sum_i |input[i] - m|^2 / max(0, n - c),  m = mean of the n elements. The correction c is `correction`,
    or, where it is absent, 1 when `unbiased` and 0 otherwise. The variance of a complex input is real.

    * (variance_c1) the input is float or complex.}];

def Fx_StdOp : Fx_Reduction<"std", "reduce", "varianceElement(r, op.getInput())",
    ["aten.std.default", "aten.std.dim", "aten.std.correction"], !strconcat("    y = sqrt(v),", Fx_VarianceFormula),
    Fx_Tensor, Fx_VarianceArguments> {
  let summary = "standard deviation";
}

def Fx_VarOp : Fx_Reduction<"var", "reduce", "dtypeOrElse(r, op.getDtype(), varianceElement(r, op.getInput()))",
    ["aten.var.default", "aten.var.dim", "aten.var.correction",
     "prims.var.default(input=inp, dim=dims, dtype=output_dtype)"], !strconcat("    y = v,", Fx_VarianceFormula),
    Fx_Tensor, !con(Fx_VarianceArguments, (ins Fx_OptionalDtype:$dtype))> {
  let summary = "variance";
}

/// Two results: the variance or deviation, and the mean.
class Fx_Moments<string mnemonic, string first, list<string> aten>
    : Fx_Op<mnemonic, "moments(r, op.getInput(), op.getDim(), op.getKeepdim())", aten> {
  let description = !strconcat("    (y, m) with y = ", first, ",", Fx_VarianceFormula,
                                "\n    * (reduction_c1) as for the other reductions.\n");
  let arguments = !con((ins Fx_Tensor:$input, Fx_OptionalDims:$dim, Fx_False:$keepdim), Fx_VarianceArguments);
  let results = (outs Fx_Tensor:$deviation, Fx_Tensor:$mean);
  let assemblyFormat = !strconcat("$input (`dim` $dim^)?", Fx_Rest);
}

def Fx_StdMeanOp : Fx_Moments<"std_mean", "sqrt(v)",
    ["aten.std_mean.default", "aten.std_mean.dim", "aten.std_mean.correction"]> {
  let summary = "standard deviation and mean";
}

def Fx_VarMeanOp : Fx_Moments<"var_mean", "v",
    ["aten.var_mean.default", "aten.var_mean.dim", "aten.var_mean.correction"]> {
  let summary = "variance and mean";
}

//===----------------------------------------------------------------------===//
// Selections: an element and where it was
//===----------------------------------------------------------------------===//

class Fx_ArgReduction<string mnemonic, list<string> aten, string formula>
    : Fx_Op<mnemonic, [{reduceSome(r, op.getInput(), oneDim(op.getDim()), op.getKeepdim(), r.builder().getI64Type())}], aten> {
  let description = formula # [{ Without `dim`, an index into the elements in row-major order.

    * (reduction_c1) -rank(input) <= dim < rank(input).
    * (reduction_c2) a reduced size is not 0.
  }];
  let arguments = (ins Fx_RealTensor:$input, OptionalAttr<I64Attr>:$dim, Fx_False:$keepdim);
  let results = (outs Fx_Tensor:$result);
  let assemblyFormat = !strconcat("$input (`dim` $dim^)?", Fx_Rest);
}

def Fx_ArgmaxOp : Fx_ArgReduction<"argmax", ["aten.argmax.default"],
    "    y = the first i with input[i] = max; NaN is the largest."> {
  let summary = "index of the largest element";
}

def Fx_ArgminOp : Fx_ArgReduction<"argmin", ["aten.argmin.default"],
    "    y = the first i with input[i] = min; NaN is the smallest."> {
  let summary = "index of the smallest element";
}

def Fx_AminmaxOp : Fx_Op<"aminmax", "bothEnds(r, op.getInput(), oneDim(op.getDim()), op.getKeepdim())",
                         ["aten.aminmax.default"]> {
  let summary = "smallest and largest element";
  let description = [{
    (amin(input), amax(input)) along `dim`, or of all elements.

    * (reduction_c1) -rank(input) <= dim < rank(input).
    * (reduction_c2) a reduced size is not 0.
  }];
  let arguments = (ins Fx_RealTensor:$input, OptionalAttr<I64Attr>:$dim, Fx_False:$keepdim);
  let results = (outs Fx_Tensor:$min, Fx_Tensor:$max);
  let assemblyFormat = !strconcat("$input (`dim` $dim^)?", Fx_Rest);
}

/// One element per row along `dim`, and its index.
class Fx_Selection<string mnemonic, list<string> aten, string formula, Attr dim = I64Attr>
    : Fx_Op<mnemonic, "selection(r, op.getInput(), op.getDim(), op.getKeepdim())", aten> {
  let description = formula # [{ The result is (values, indices), indices in i64.

    * (selection_c1) -rank(input) <= dim < rank(input).
    * (selection_c2) the size along `dim` is not 0.

    ```mlir
    %values, %indices = fx.}] # mnemonic # [{ %x dim 1 : (tensor<4x8xf32>) -> (tensor<4xf32>, tensor<4xi64>)
    ```
  }];
  let arguments = (ins Fx_RealTensor:$input, dim:$dim, Fx_False:$keepdim);
  let results = (outs Fx_Tensor:$values, Fx_Tensor:$indices);
  let assemblyFormat = !strconcat("$input `dim` $dim", Fx_Rest);
}

def Fx_MaxDimOp : Fx_Selection<"max_dim", ["aten.max.dim"], "    Largest element along `dim`; NaN is the largest."> {
  let summary = "largest element along one dimension";
}

def Fx_MedianDimOp : Fx_Selection<"median_dim", ["aten.median.dim"],
    "    Element floor((n-1)/2) of the n in increasing order along `dim`; NaN if there is one."> {
  let summary = "median along one dimension";
}

def Fx_MinDimOp : Fx_Selection<"min_dim", ["aten.min.dim"], "    Smallest element along `dim`; NaN is the smallest."> {
  let summary = "smallest element along one dimension";
}

def Fx_ModeOp : Fx_Selection<"mode", ["aten.mode.default"],
    "    Most frequent value along `dim`, the smallest such; the index is of its last occurrence.", Fx_LastDim> {
  let summary = "most frequent value along one dimension";
}

def Fx_NanmedianDimOp : Fx_Selection<"nanmedian_dim", ["aten.nanmedian.dim"],
    "    Median along `dim` of the elements that are not NaN."> {
  let summary = "median without NaN along one dimension";
}

class Fx_MedianOfAll<string mnemonic, list<string> aten, string formula>
    : Fx_Op<mnemonic, "r.result({}, Infer::element(op.getInput()))", aten> {
  let description = formula # " NaN for an empty input.";
  let arguments = (ins Fx_RealTensor:$input);
  let results = (outs Fx_Tensor:$result);
}

def Fx_MedianOp : Fx_MedianOfAll<"median", ["aten.median.default"],
    "    y = element floor((n-1)/2) of all n elements in increasing order; NaN if there is one."> {
  let summary = "median of all elements";
}

def Fx_NanmedianOp : Fx_MedianOfAll<"nanmedian", ["aten.nanmedian.default"],
    "    y = median of all elements that are not NaN."> {
  let summary = "median of all elements that are not NaN";
}

def Fx_KthvalueOp : Fx_Op<"kthvalue", "kthvalue(r, op.getInput(), {op.getK(), op.getStaticK()}, op.getDim(), op.getKeepdim())",
                          ["aten.kthvalue.default"]> {
  let summary = "k-th smallest element along one dimension";
  let description = [{
    Element k - 1 in increasing order along `dim`, and its index.

    * (selection_c1) -rank(input) <= dim < rank(input).
    * (selection_c2) the size along `dim` is not 0.
    * (kthvalue_c1) `k` is one size, and 1 <= k <= size along `dim`.

    ```mlir
    %values, %indices = fx.kthvalue %x k [2] dim 1 : (tensor<4x8xf32>) -> (tensor<4xf32>, tensor<4xi64>)
    ```
  }];
  let arguments = (ins Fx_RealTensor:$input, Variadic<Index>:$k, DenseI64ArrayAttr:$static_k, Fx_LastDim:$dim, Fx_False:$keepdim);
  let results = (outs Fx_Tensor:$values, Fx_Tensor:$indices);
  let assemblyFormat = !strconcat("$input `k` custom<DynamicIndexList>($k, $static_k) `dim` $dim", Fx_Rest);
}

//===----------------------------------------------------------------------===//
// Sorting
//===----------------------------------------------------------------------===//

def Fx_ArgsortOp : Fx_Op<"argsort", "alongDim(r, op.getInput(), op.getDim(), r.builder().getI64Type())",
                         ["aten.argsort.default", "aten.argsort.stable"]> {
  let summary = "indices that sort along one dimension";
  let description = [{
    y = the indices of fx.sort.

    * (scan_c1) -rank(input) <= dim < rank(input).
  }];
  let arguments = (ins Fx_RealTensor:$input, Fx_LastDim:$dim, Fx_False:$descending, OptionalAttr<BoolAttr>:$stable);
  let results = (outs Fx_Tensor:$result);
  let assemblyFormat = !strconcat("$input `dim` $dim", Fx_Rest);
}

def Fx_SortOp : Fx_Op<"sort", "withIndices(r, op.getInput(), op.getDim())", ["aten.sort.default", "aten.sort.stable"]> {
  let summary = "elements in order along one dimension";
  let description = [{
    values[i] = input[indices[i]] with values[i] <= values[i+1], or >= when `descending`; NaN is the largest.
    `stable` keeps the order of equal elements; absent it is free.

    * (scan_c1) -rank(input) <= dim < rank(input).

    ```mlir
    %values, %indices = fx.sort %x dim -1 {descending = true} : (tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xi64>)
    ```
  }];
  let arguments = (ins Fx_RealTensor:$input, OptionalAttr<BoolAttr>:$stable, Fx_LastDim:$dim, Fx_False:$descending);
  let results = (outs Fx_Tensor:$values, Fx_Tensor:$indices);
  let assemblyFormat = !strconcat("$input `dim` $dim", Fx_Rest);
}

def Fx_TopkOp : Fx_Op<"topk", "topk(r, op.getInput(), {op.getK(), op.getStaticK()}, op.getDim())", ["aten.topk.default"]> {
  let summary = "the k largest or smallest elements along one dimension";
  let description = [{
    The first k elements of fx.sort, descending when `largest`, with their indices; their order is free unless `sorted`.

    * (scan_c1) -rank(input) <= dim < rank(input).
    * (topk_c1) `k` is one size, and 0 <= k <= size along `dim`.

    ```mlir
    %values, %indices = fx.topk %x k [3] dim -1 : (tensor<4x8xf32>) -> (tensor<4x3xf32>, tensor<4x3xi64>)
    ```
  }];
  let arguments = (ins Fx_RealTensor:$input, Variadic<Index>:$k, DenseI64ArrayAttr:$static_k,
                       Fx_LastDim:$dim, Fx_True:$largest, Fx_True:$sorted);
  let results = (outs Fx_Tensor:$values, Fx_Tensor:$indices);
  let assemblyFormat = !strconcat("$input `k` custom<DynamicIndexList>($k, $static_k) `dim` $dim", Fx_Rest);
}

//===----------------------------------------------------------------------===//
// Scans
//===----------------------------------------------------------------------===//

class Fx_Scan<string mnemonic, string element, list<string> aten, string formula, Constraint tensor = Fx_Tensor, dag more = (ins)>
    : Fx_Op<mnemonic, "alongDim(r, op.getInput(), op.getDim(), " # element # ")", aten> {
  let description = formula # [{

    * (scan_c1) -rank(input) <= dim < rank(input).
  }];
  let arguments = !con((ins tensor:$input, I64Attr:$dim), more);
  let results = (outs Fx_Tensor:$result);
  let assemblyFormat = !strconcat("$input `dim` $dim", Fx_Rest);
}

/// Two results: the extremum so far, and its index.
class Fx_ScanWithIndices<string mnemonic, list<string> aten, string formula>
    : Fx_Op<mnemonic, "withIndices(r, op.getInput(), op.getDim())", aten> {
  let description = formula # [{ The indices are i64, of the last such element.

    * (scan_c1) -rank(input) <= dim < rank(input).
  }];
  let arguments = (ins Fx_RealTensor:$input, I64Attr:$dim);
  let results = (outs Fx_Tensor:$values, Fx_Tensor:$indices);
  let assemblyFormat = !strconcat("$input `dim` $dim", Fx_Rest);
}

def Fx_CummaxOp : Fx_ScanWithIndices<"cummax", ["aten.cummax.default"], "    values[i] = max_{j <= i} input[j]."> {
  let summary = "largest element so far";
}

def Fx_CumminOp : Fx_ScanWithIndices<"cummin", ["aten.cummin.default"], "    values[i] = min_{j <= i} input[j]."> {
  let summary = "smallest element so far";
}

def Fx_CumprodOp : Fx_Scan<"cumprod", "sumElement(r, op.getInput(), op.getDtype())", ["aten.cumprod.default"],
    "    y[i] = prod_{j <= i} input[j]; integers and bool in i64, unless `dtype` says otherwise.",
    Fx_Tensor, (ins Fx_OptionalDtype:$dtype)> {
  let summary = "product so far";
  let hasFolder = 1;
}

def Fx_CumsumOp : Fx_Scan<"cumsum", "sumElement(r, op.getInput(), op.getDtype())", ["aten.cumsum.default"],
    "    y[i] = sum_{j <= i} input[j]; integers and bool in i64, unless `dtype` says otherwise.",
    Fx_Tensor, (ins Fx_OptionalDtype:$dtype)> {
  let summary = "sum so far";
  let hasFolder = 1;
}

def Fx_LogcumsumexpOp : Fx_Scan<"logcumsumexp", "Infer::element(op.getInput())", ["aten.logcumsumexp.default"],
    "    y[i] = log(sum_{j <= i} e^input[j]).", Fx_FloatOrComplexTensor> {
  let summary = "logarithm of the sum of exponentials so far";
}

def Fx_DiffOp : Fx_Op<"diff", "diff(r, op.getInput(), op.getN(), op.getDim(), op.getPrepend(), op.getAppend())",
                      ["aten.diff.default"], [Pure, AttrSizedOperandSegments]> {
  let summary = "differences of neighbours along one dimension";
  let description = [{
    `n` times y[i] = x[i+1] - x[i] (xor for bool), from x = cat(prepend, input, append) along `dim`.

    * (scan_c1) -rank(input) <= dim < rank(input).
    * (diff_c1) rank(input) >= 1 and n >= 0.
    * (diff_c2) `prepend` and `append` have the input's rank, and its sizes but for `dim`.

    ```mlir
    %y = fx.diff %x prepend %p {dim = 1 : i64} : (tensor<4x8xi64>, tensor<4x1xi64>) -> tensor<4x8xi64>
    ```
  }];
  let arguments = (ins Fx_Tensor:$input, DefaultValuedAttr<I64Attr, "1">:$n, Fx_LastDim:$dim,
                       Fx_OptionalTensor:$prepend, Fx_OptionalTensor:$append);
  let results = (outs Fx_Tensor:$result);
  let assemblyFormat = !strconcat("$input (`prepend` $prepend^)? (`append` $append^)?", Fx_Rest);
}

//===----------------------------------------------------------------------===//
// Softmax
//===----------------------------------------------------------------------===//

class Fx_Softmax<string mnemonic, list<string> aten, string formula, dag more = (ins)>
    : Fx_Op<mnemonic, "softmax(r, op.getInput(), op.getDim(), op.getDtype(), " #
                      !if(!empty(more), "false", "op.getHalfToFloat()") # ")", aten> {
  let description = formula # [{

    `dtype` converts the input first; `half_to_float` gives an f32 result for a half precision input.

    * (softmax_c1) -rank(input) <= dim < rank(input).
    * (softmax_c2) the input, or `dtype`, is float.
    * (softmax_c3) `half_to_float` needs an f16 or bf16 input.

    ```mlir
    %y = fx.}] # mnemonic # [{ %x dim 1 : (tensor<4x8xf32>) -> tensor<4x8xf32>
    ```
  }];
  let arguments = !con((ins Fx_RealTensor:$input, I64Attr:$dim, Fx_OptionalDtype:$dtype), more);
  let results = (outs Fx_FloatTensor:$result);
  let assemblyFormat = !strconcat("$input `dim` $dim", Fx_Rest);
}

def Fx_LogSoftmaxOp : Fx_Softmax<"log_softmax",
    ["aten._log_softmax.default", "aten.log_softmax.int", "aten.special_log_softmax.default"],
    "    y[i] = x[i] - m - log(sum_j e^(x[j] - m)),  m = max_j x[j],  i and j along `dim`.", (ins Fx_False:$half_to_float)> {
  let summary = "logarithm of softmax along one dimension";
}

def Fx_SafeSoftmaxOp : Fx_Softmax<"safe_softmax", ["aten._safe_softmax.default"],
    "    y = softmax(x), but 0 along a row that is -inf throughout."> {
  let summary = "softmax that is 0 for rows masked throughout";
}

def Fx_SoftmaxOp : Fx_Softmax<"softmax", ["aten._softmax.default", "aten.softmax.int", "aten.special_softmax.default"],
    "    y[i] = e^(x[i] - m) / sum_j e^(x[j] - m),  m = max_j x[j],  i and j along `dim`.", (ins Fx_False:$half_to_float)> {
  let summary = "softmax along one dimension";
}

class Fx_SoftmaxBackward<string mnemonic, list<string> aten, string formula>
    : Fx_Op<mnemonic, "softmaxBackward(r, op.getGradOutput(), op.getOutput(), op.getDim(), op.getInputDtype())", aten> {
  let description = formula # [{  y = output, in `input_dtype`.

    * (softmax_backward_c1) -rank <= dim < rank.
    * (softmax_backward_c2) `grad_output` and `output` have the same sizes.
    * (softmax_backward_c3) `input_dtype` is float.
  }];
  let arguments = (ins Fx_FloatTensor:$grad_output, Fx_FloatTensor:$output, I64Attr:$dim, TypeAttr:$input_dtype);
  let results = (outs Fx_FloatTensor:$grad_input);
  let assemblyFormat = !strconcat("$grad_output `,` $output `dim` $dim", Fx_Rest);
}

def Fx_LogSoftmaxBackwardDataOp : Fx_SoftmaxBackward<"log_softmax_backward_data", ["aten._log_softmax_backward_data.default"],
    "    g - e^y sum_j g[j],  g = grad_output,"> {
  let summary = "gradient of log_softmax";
}

def Fx_SoftmaxBackwardDataOp : Fx_SoftmaxBackward<"softmax_backward_data", ["aten._softmax_backward_data.default"],
    "    y (g - sum_j g[j] y[j]),  g = grad_output,"> {
  let summary = "gradient of softmax";
}

//===----------------------------------------------------------------------===//
// Normalization over the last dimensions
//===----------------------------------------------------------------------===//

defvar Fx_NormalizedShape = (ins Variadic<Index>:$normalized_shape, DenseI64ArrayAttr:$static_normalized_shape);
defvar Fx_NormalizedShapeFormat = "`normalized_shape` custom<DynamicIndexList>($normalized_shape, $static_normalized_shape)";
defvar Fx_WeightBiasFormat = " (`weight` $weight^)? (`bias` $bias^)?";
defvar Fx_LayerNormFormula = [{
    y = (input - m) rstd * weight + bias,  rstd = 1 / sqrt(v + eps), with the mean m and the (biased) variance v over
    the last dims, whose sizes are `normalized_shape`. Absent weight is 1, absent bias 0.

    * (layer_norm_c1) 1 <= number of normalized dims <= rank(input).
    * (layer_norm_c2) the input's last sizes are `normalized_shape`.
    * (layer_norm_c3) weight and bias have the shape `normalized_shape`.
}];
/// The CPU's rule for the type of the statistics of a norm.
defvar Fx_StatisticsType = [{
    The statistics have the input's type, or f32 where the parameters have another type than the input.
}];

def Fx_LayerNormOp : Fx_Op<"layer_norm", [{layerNorm(r, op.getInput(), {op.getNormalizedShape(), op.getStaticNormalizedShape()},
                                          op.getWeight(), op.getBias(), /*statistics=*/0)}],
                           ["aten.layer_norm.default"], [Pure, AttrSizedOperandSegments]> {
  let summary = "normalization over the last dimensions";
  let description = Fx_LayerNormFormula # [{
    ```mlir
    %y = fx.layer_norm %x normalized_shape [8] weight %w bias %b
      : (tensor<4x8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
    ```
  }];
  let arguments = !con((ins Fx_FloatTensor:$input), Fx_NormalizedShape,
                       (ins Fx_OptionalFloatTensor:$weight, Fx_OptionalFloatTensor:$bias,
                            DefaultValuedAttr<F64Attr, "1.0e-5">:$eps, Fx_True:$cudnn_enable));
  let results = (outs Fx_FloatTensor:$result);
  let assemblyFormat = !strconcat("$input ", Fx_NormalizedShapeFormat, Fx_WeightBiasFormat, Fx_Rest);
}

def Fx_NativeLayerNormOp : Fx_Op<"native_layer_norm", [{layerNorm(r, op.getInput(), {op.getNormalizedShape(),
            op.getStaticNormalizedShape()}, op.getWeight(), op.getBias(), /*statistics=*/2)}],
                                 ["aten.native_layer_norm.default"], [Pure, AttrSizedOperandSegments]> {
  let summary = "normalization over the last dimensions, with its statistics";
  let description = !strconcat("    (y, m, rstd) with", Fx_LayerNormFormula, Fx_StatisticsType, [{
    ```mlir
    %y, %m, %rstd = fx.native_layer_norm %x normalized_shape [8] {eps = 1.0e-05 : f64}
      : (tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x1xf32>, tensor<4x1xf32>)
    ```
  }]);
  let arguments = !con((ins Fx_FloatTensor:$input), Fx_NormalizedShape,
                       (ins Fx_OptionalFloatTensor:$weight, Fx_OptionalFloatTensor:$bias, F64Attr:$eps));
  let results = (outs Fx_FloatTensor:$output, Fx_FloatTensor:$mean, Fx_FloatTensor:$rstd);
  let assemblyFormat = !strconcat("$input ", Fx_NormalizedShapeFormat, Fx_WeightBiasFormat, Fx_Rest);
}

/// Which gradients a norm's backward op computes.
defvar Fx_OutputMaskText = [{
    A gradient that `output_mask` excludes, or whose parameter is absent, is an empty tensor of size [0].

    * (output_mask_c1) `output_mask` has one entry per result.
}];

def Fx_NativeLayerNormBackwardOp
    : Fx_Op<"native_layer_norm_backward", [{layerNormBackward(r, op.getGradOut(), op.getInput(), {op.getNormalizedShape(),
            op.getStaticNormalizedShape()}, op.getMean(), op.getRstd(), op.getWeight(), op.getBias(), op.getOutputMask())}],
            ["aten.native_layer_norm_backward.default"], [Pure, AttrSizedOperandSegments]> {
  let summary = "gradients of native_layer_norm";
  let description = !strconcat([{
    With x = (input - mean) rstd, g = grad_out * weight and means over the normalized dims:
    grad_input = rstd (g - mean(g) - x mean(g x)), grad_weight = sum grad_out x, grad_bias = sum grad_out.

    * (layer_norm_c1 .. layer_norm_c3) as in fx.layer_norm.
    * (norm_backward_c1) grad_out has the input's sizes.
  }], Fx_OutputMaskText);
  let arguments = !con((ins Fx_FloatTensor:$grad_out, Fx_FloatTensor:$input), Fx_NormalizedShape,
                       (ins Fx_FloatTensor:$mean, Fx_FloatTensor:$rstd, Fx_OptionalFloatTensor:$weight,
                            Fx_OptionalFloatTensor:$bias, DenseBoolArrayAttr:$output_mask));
  let results = (outs Fx_FloatTensor:$grad_input, Fx_FloatTensor:$grad_weight, Fx_FloatTensor:$grad_bias);
  let assemblyFormat = !strconcat("$grad_out `,` $input ", Fx_NormalizedShapeFormat, " `mean` $mean `rstd` $rstd",
                                  Fx_WeightBiasFormat,
                       " `output_mask` $output_mask", Fx_Rest);
}

defvar Fx_RmsNormFormula = [{
    y = input * rstd * weight,  rstd = 1 / sqrt(mean(input^2) + eps), the mean over the last dims, whose sizes are
    `normalized_shape`. Absent weight is 1, absent eps the epsilon of the type it is computed in.

    * (layer_norm_c1 .. layer_norm_c3) as in fx.layer_norm.
}];

def Fx_RmsNormOp : Fx_Op<"rms_norm", [{layerNorm(r, op.getInput(), {op.getNormalizedShape(), op.getStaticNormalizedShape()},
                                        op.getWeight(), {}, /*statistics=*/0)}],
                         ["aten.rms_norm.default"], [Pure, AttrSizedOperandSegments]> {
  let summary = "division by the root mean square over the last dimensions";
  let description = Fx_RmsNormFormula # [{
    ```mlir
    %y = fx.rms_norm %x normalized_shape [8] weight %w : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
    ```
  }];
  let arguments = !con((ins Fx_FloatOrComplexTensor:$input), Fx_NormalizedShape,
                       (ins Optional<Fx_FloatOrComplexTensor>:$weight, OptionalAttr<F64Attr>:$eps));
  let results = (outs Fx_FloatOrComplexTensor:$result);
  let assemblyFormat = !strconcat("$input ", Fx_NormalizedShapeFormat, " (`weight` $weight^)?", Fx_Rest);
}

def Fx_FusedRmsNormOp : Fx_Op<"fused_rms_norm", "fusedRmsNorm(r, op.getInput(), op.getNormalizedShape(), op.getWeight())",
                              ["aten._fused_rms_norm.default"]> {
  let summary = "division by the root mean square, with its statistics";
  let description = !strconcat("    (y, rstd) with", Fx_RmsNormFormula, [{
    rstd is f32 where the input is narrower.

    ```mlir
    %y, %rstd = fx.fused_rms_norm %x weight %w {normalized_shape = array<i64: 8>}
      : (tensor<4x8xf32>, tensor<8xf32>) -> (tensor<4x8xf32>, tensor<4x1xf32>)
    ```
  }]);
  let arguments = (ins Fx_FloatTensor:$input, DenseI64ArrayAttr:$normalized_shape, Fx_OptionalFloatTensor:$weight,
                       OptionalAttr<F64Attr>:$eps);
  let results = (outs Fx_FloatTensor:$output, Fx_FloatTensor:$rstd);
  let assemblyFormat = !strconcat("$input (`weight` $weight^)?", Fx_Rest);
}

def Fx_FusedRmsNormBackwardOp
    : Fx_Op<"fused_rms_norm_backward", [{fusedRmsNormBackward(r, op.getGradOut(), op.getInput(), op.getNormalizedShape(),
            op.getWeight(), op.getOutputMask())}], ["aten._fused_rms_norm_backward.default"]> {
  let summary = "gradients of fused_rms_norm";
  let description = !strconcat([{
    With x = input rstd, g = grad_out * weight and means over the normalized dims:
    grad_input = rstd (g - x mean(g x)), grad_weight = sum grad_out x.

    * (layer_norm_c1 .. layer_norm_c3) as in fx.layer_norm.
    * (norm_backward_c1) grad_out has the input's sizes.
  }], Fx_OutputMaskText);
  let arguments = (ins Fx_FloatTensor:$grad_out, Fx_FloatTensor:$input, DenseI64ArrayAttr:$normalized_shape,
                       Fx_FloatTensor:$rstd, Fx_OptionalFloatTensor:$weight, DenseBoolArrayAttr:$output_mask);
  let results = (outs Fx_FloatTensor:$grad_input, Fx_FloatTensor:$grad_weight);
  let assemblyFormat = !strconcat("$grad_out `,` $input `rstd` $rstd (`weight` $weight^)? `output_mask` $output_mask", Fx_Rest);
}

//===----------------------------------------------------------------------===//
// Normalization of groups of channels
//===----------------------------------------------------------------------===//

defvar Fx_GroupNormFormula = [{
    y = (input - m) rstd * weight[c] + bias[c],  rstd = 1 / sqrt(v + eps), with the mean m and the (biased) variance v
    of each group of channels (dim 1) of each sample (dim 0). Absent weight is 1, absent bias 0.

    * (group_norm_c1) the number of groups is positive and divides the number of channels.
    * (group_norm_c2) weight and bias have one element per channel.
}];
defvar Fx_GroupSizes = (ins Variadic<Index>:$N, DenseI64ArrayAttr:$static_N, Variadic<Index>:$C, DenseI64ArrayAttr:$static_C,
                            Variadic<Index>:$HxW, DenseI64ArrayAttr:$static_HxW);
defvar Fx_GroupSizesFormat = " `N` custom<DynamicIndexList>($N, $static_N) `C` custom<DynamicIndexList>($C, $static_C)" #
                             " `HxW` custom<DynamicIndexList>($HxW, $static_HxW) `group` $group";

def Fx_GroupNormOp : Fx_Op<"group_norm", "groupNorm(r, op.getInput(), op.getNumGroups(), op.getWeight(), op.getBias())",
                           ["aten.group_norm.default"], [Pure, AttrSizedOperandSegments]> {
  let summary = "normalization of groups of channels";
  let description = Fx_GroupNormFormula # [{
    * (group_norm_c4) rank(input) >= 2.

    ```mlir
    %y = fx.group_norm %x num_groups 2 weight %w bias %b
      : (tensor<3x4x5xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<3x4x5xf32>
    ```
  }];
  let arguments = (ins Fx_FloatTensor:$input, I64Attr:$num_groups, Fx_OptionalFloatTensor:$weight, Fx_OptionalFloatTensor:$bias,
                       DefaultValuedAttr<F64Attr, "1.0e-5">:$eps, Fx_True:$cudnn_enabled);
  let results = (outs Fx_FloatTensor:$result);
  let assemblyFormat = !strconcat("$input `num_groups` $num_groups", Fx_WeightBiasFormat, Fx_Rest);
}

def Fx_NativeGroupNormOp
    : Fx_Op<"native_group_norm", [{nativeGroupNorm(r, op.getInput(), op.getWeight(), op.getBias(), {op.getN(), op.getStatic_N()},
            {op.getC(), op.getStatic_C()}, {op.getHxW(), op.getStatic_HxW()}, op.getGroup())}],
            ["aten.native_group_norm.default"], [Pure, AttrSizedOperandSegments]> {
  let summary = "normalization of groups of channels, with its statistics";
  let description = !strconcat("    (y, m, rstd), m and rstd of shape [N, group], with", Fx_GroupNormFormula, [{
    * (group_norm_c3) N * C * HxW is the number of elements; N and C are the input's first sizes.
  }], Fx_StatisticsType, [{
    ```mlir
    %y, %m, %rstd = fx.native_group_norm %x N [3] C [4] HxW [5] group 2 {eps = 1.0e-05 : f64}
      : (tensor<3x4x5xf32>) -> (tensor<3x4x5xf32>, tensor<3x2xf32>, tensor<3x2xf32>)
    ```
  }]);
  let arguments = !con((ins Fx_FloatTensor:$input, Fx_OptionalFloatTensor:$weight, Fx_OptionalFloatTensor:$bias), Fx_GroupSizes,
                       (ins I64Attr:$group, F64Attr:$eps));
  let results = (outs Fx_FloatTensor:$output, Fx_FloatTensor:$mean, Fx_FloatTensor:$rstd);
  let assemblyFormat = !strconcat("$input", Fx_WeightBiasFormat, Fx_GroupSizesFormat, Fx_Rest);
}

def Fx_NativeGroupNormBackwardOp
    : Fx_Op<"native_group_norm_backward", [{groupNormBackward(r, op.getGradOut(), op.getInput(), op.getMean(), op.getRstd(),
            op.getWeight(), {op.getN(), op.getStatic_N()}, {op.getC(), op.getStatic_C()}, {op.getHxW(), op.getStatic_HxW()},
            op.getGroup(), op.getOutputMask())}],
            ["aten.native_group_norm_backward.default"], [Pure, AttrSizedOperandSegments]> {
  let summary = "gradients of native_group_norm";
  let description = !strconcat([{
    With x = (input - mean) rstd, g = grad_out * weight and means over a group:
    grad_input = rstd (g - mean(g) - x mean(g x)), grad_weight = sum grad_out x, grad_bias = sum grad_out.
    The gradients of weight and bias have one element per channel.

    * (group_norm_c1 .. group_norm_c3) as in fx.native_group_norm.
    * (norm_backward_c1) grad_out has the input's sizes.
  }], Fx_OutputMaskText);
  let arguments = !con((ins Fx_FloatTensor:$grad_out, Fx_FloatTensor:$input, Fx_FloatTensor:$mean, Fx_FloatTensor:$rstd,
                            Fx_OptionalFloatTensor:$weight), Fx_GroupSizes,
                       (ins I64Attr:$group, DenseBoolArrayAttr:$output_mask));
  let results = (outs Fx_FloatTensor:$grad_input, Fx_FloatTensor:$grad_weight, Fx_FloatTensor:$grad_bias);
  let assemblyFormat = !strconcat("$grad_out `,` $input `mean` $mean `rstd` $rstd (`weight` $weight^)?", Fx_GroupSizesFormat,
                       " `output_mask` $output_mask", Fx_Rest);
}

//===----------------------------------------------------------------------===//
// Normalization of channels over the batch
//===----------------------------------------------------------------------===//

defvar Fx_BatchNormFormula = [{
    y = (input - m) rstd * weight[c] + bias[c],  rstd = 1 / sqrt(v + eps), per channel c (dim 1). When `training`,
    m and v are the mean and biased variance over the other dims, else running_mean and running_var.

    * (batch_norm_c1) rank(input) >= 2.
    * (batch_norm_c2) weight, bias, running_mean and running_var have one element per channel.
}];
defvar Fx_RunningUpdate = [{
    New running statistics: (1 - momentum) running_mean + momentum m, and the same for running_var with the unbiased
    variance; the old ones when not `training`. They are f32 where the running statistics are narrower.
}];
defvar Fx_RunningFormat = " `running_mean` $running_mean `running_var` $running_var";
defvar Fx_OptionalRunningFormat = " (`running_mean` $running_mean^)? (`running_var` $running_var^)?";
defvar Fx_OptionalRunning = (ins Fx_OptionalFloatTensor:$running_mean, Fx_OptionalFloatTensor:$running_var);
defvar Fx_InputWeightBias = (ins Fx_FloatTensor:$input, Fx_OptionalFloatTensor:$weight, Fx_OptionalFloatTensor:$bias);
defvar Fx_Running = (ins Fx_FloatTensor:$running_mean, Fx_FloatTensor:$running_var);

def Fx_BatchNormOp : Fx_Op<"batch_norm", [{batchNorm(r, op.getInput(), {op.getWeight(), op.getBias(), op.getRunningMean(),
                                           op.getRunningVar()}, op.getTraining(), BatchNorm::Output)}],
                           ["aten.batch_norm.default"], [Pure, AttrSizedOperandSegments]> {
  let summary = "normalization of channels over the batch";
  let description = Fx_BatchNormFormula # [{
    * (batch_norm_c3) running_mean and running_var are there unless `training`.

    The op does not say that training moves the running statistics: fx.native_batch_norm_legit_functional does.

    ```mlir
    %y = fx.batch_norm %x running_mean %m running_var %v {training = false, momentum = 0.1, eps = 1.0e-05}
      : (tensor<3x4x5xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<3x4x5xf32>
    ```
  }];
  let arguments = !con(Fx_InputWeightBias, Fx_OptionalRunning,
                       (ins BoolAttr:$training, F64Attr:$momentum, F64Attr:$eps, Fx_True:$cudnn_enabled));
  let results = (outs Fx_FloatTensor:$result);
  let assemblyFormat = !strconcat("$input", Fx_WeightBiasFormat, Fx_OptionalRunningFormat, Fx_Rest);
}

def Fx_InstanceNormOp : Fx_Op<"instance_norm", [{batchNorm(r, op.getInput(), {op.getWeight(), op.getBias(), op.getRunningMean(),
                                                 op.getRunningVar()}, op.getUseInputStats(), BatchNorm::Output)}],
                              ["aten.instance_norm.default"], [Pure, AttrSizedOperandSegments]> {
  let summary = "normalization of each channel of each sample";
  let description = [{
    fx.batch_norm of each sample (dim 0) alone; `use_input_stats` is its `training`.

    * (batch_norm_c1 .. batch_norm_c3) as in fx.batch_norm.
  }];
  let arguments = !con(Fx_InputWeightBias, Fx_OptionalRunning,
                       (ins BoolAttr:$use_input_stats, F64Attr:$momentum, F64Attr:$eps, Fx_True:$cudnn_enabled));
  let results = (outs Fx_FloatTensor:$result);
  let assemblyFormat = !strconcat("$input", Fx_WeightBiasFormat, Fx_OptionalRunningFormat, Fx_Rest);
}

def Fx_NativeBatchNormLegitOp
    : Fx_Op<"native_batch_norm_legit", [{batchNorm(r, op.getInput(), {op.getWeight(), op.getBias()}, op.getTraining(),
            BatchNorm::Statistics)}], ["aten._native_batch_norm_legit.no_stats"], [Pure, AttrSizedOperandSegments]> {
  let summary = "normalization of channels over the batch, without running statistics";
  let description = !strconcat("    (y, m, rstd) with", Fx_BatchNormFormula, [{
    * (batch_norm_c3) `training` is true.
  }], Fx_StatisticsType);
  let arguments = !con(Fx_InputWeightBias, (ins BoolAttr:$training, F64Attr:$momentum, F64Attr:$eps));
  let results = (outs Fx_FloatTensor:$output, Fx_FloatTensor:$save_mean, Fx_FloatTensor:$save_invstd);
  let assemblyFormat = !strconcat("$input", Fx_WeightBiasFormat, Fx_Rest);
}

def Fx_NativeBatchNormLegitNoTrainingOp
    : Fx_Op<"native_batch_norm_legit_no_training", [{batchNorm(r, op.getInput(), {op.getWeight(), op.getBias(),
            op.getRunningMean(), op.getRunningVar()}, /*training=*/false, BatchNorm::Statistics)}],
            ["aten._native_batch_norm_legit_no_training.default"], [Pure, AttrSizedOperandSegments]> {
  let summary = "normalization of channels by running statistics";
  let description = !strconcat(Fx_BatchNormFormula, [{
    `training` is false, so the saved statistics are empty: size [0], as on the CPU.
  }], Fx_StatisticsType, [{
    ```mlir
    %y, %m, %rstd = fx.native_batch_norm_legit_no_training %x running_mean %rm running_var %rv {momentum = 0.1, eps = 1.0e-05}
      : (tensor<3x4x5xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<3x4x5xf32>, tensor<0xf32>, tensor<0xf32>)
    ```
  }]);
  let arguments = !con(Fx_InputWeightBias, Fx_Running, (ins F64Attr:$momentum, F64Attr:$eps));
  let results = (outs Fx_FloatTensor:$output, Fx_FloatTensor:$save_mean, Fx_FloatTensor:$save_invstd);
  let assemblyFormat = !strconcat("$input", Fx_WeightBiasFormat, Fx_RunningFormat, Fx_Rest);
}

def Fx_NativeBatchNormLegitFunctionalOp
    : Fx_Op<"native_batch_norm_legit_functional", [{batchNorm(r, op.getInput(), {op.getWeight(), op.getBias(),
            op.getRunningMean(), op.getRunningVar()}, op.getTraining(), BatchNorm::Functional)}],
            ["aten._native_batch_norm_legit_functional.default"], [Pure, AttrSizedOperandSegments]> {
  let summary = "normalization of channels over the batch, with new running statistics";
  let description = !strconcat("    (y, m, rstd, running_mean_out, running_var_out) with", Fx_BatchNormFormula, [{
    When not `training`, m and rstd are empty: size [0].
  }], Fx_StatisticsType, Fx_RunningUpdate, [{
    ```mlir
    %y:5 = fx.native_batch_norm_legit_functional %x running_mean %rm running_var %rv
      {training = true, momentum = 0.1, eps = 1.0e-05} : (tensor<3x4x5xf32>, tensor<4xf32>, tensor<4xf32>)
      -> (tensor<3x4x5xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>)
    ```
  }]);
  let arguments = !con(Fx_InputWeightBias, Fx_Running, (ins BoolAttr:$training, F64Attr:$momentum, F64Attr:$eps));
  let results = (outs Fx_FloatTensor:$output, Fx_FloatTensor:$save_mean, Fx_FloatTensor:$save_invstd,
                      Fx_FloatTensor:$running_mean_out, Fx_FloatTensor:$running_var_out);
  let assemblyFormat = !strconcat("$input", Fx_WeightBiasFormat, Fx_RunningFormat, Fx_Rest);
}

def Fx_BatchNormWithUpdateFunctionalOp
    : Fx_Op<"batch_norm_with_update_functional", [{batchNorm(r, op.getInput(), {op.getWeight(), op.getBias(),
            op.getRunningMean(), op.getRunningVar()}, /*training=*/true, BatchNorm::FunctionalWithReserve)}],
            ["aten._batch_norm_with_update_functional.default"], [Pure, AttrSizedOperandSegments]> {
  let summary = "training batch norm with new running statistics and a reserve";
  let description = !strconcat([{
    (y, m, rstd, reserve, running_mean_out, running_var_out), `training`, the reserve empty: size [0], ui8.
  }], Fx_BatchNormFormula, Fx_StatisticsType, Fx_RunningUpdate);
  let arguments = !con(Fx_InputWeightBias, Fx_Running, (ins F64Attr:$momentum, F64Attr:$eps));
  let results = (outs Fx_FloatTensor:$output, Fx_FloatTensor:$save_mean, Fx_FloatTensor:$save_invstd, Fx_Tensor:$reserve,
                      Fx_FloatTensor:$running_mean_out, Fx_FloatTensor:$running_var_out);
  let assemblyFormat = !strconcat("$input", Fx_WeightBiasFormat, Fx_RunningFormat, Fx_Rest);
}

def Fx_NativeBatchNormBackwardOp
    : Fx_Op<"native_batch_norm_backward", [{batchNormBackward(r, op.getGradOut(), op.getInput(), op.getWeight(),
            {op.getRunningMean(), op.getRunningVar(), op.getTrain() ? op.getSaveMean() : Value(),
             op.getTrain() ? op.getSaveInvstd() : Value()}, op.getOutputMask())}],
            ["aten.native_batch_norm_backward.default"], [Pure, AttrSizedOperandSegments]> {
  let summary = "gradients of native_batch_norm";
  let description = !strconcat([{
    With x = (input - m) rstd, g = grad_out * weight and, when `train`, means per channel:
    grad_input = rstd (g - mean(g) - x mean(g x)), else rstd g; grad_weight = sum grad_out x, grad_bias = sum grad_out.
    (m, rstd) are saved when `train`, else from the running statistics.

    * (batch_norm_c1, batch_norm_c2) as in fx.batch_norm, for the saved statistics too when `train`.
    * (norm_backward_c1) grad_out has the input's sizes.
  }], Fx_OutputMaskText);
  let arguments = (ins Fx_FloatTensor:$grad_out, Fx_FloatTensor:$input, Fx_OptionalFloatTensor:$weight,
                       Fx_OptionalFloatTensor:$running_mean, Fx_OptionalFloatTensor:$running_var,
                       Fx_OptionalFloatTensor:$save_mean, Fx_OptionalFloatTensor:$save_invstd,
                       BoolAttr:$train, F64Attr:$eps, DenseBoolArrayAttr:$output_mask);
  let results = (outs Fx_FloatTensor:$grad_input, Fx_FloatTensor:$grad_weight, Fx_FloatTensor:$grad_bias);
  let assemblyFormat = !strconcat("$grad_out `,` $input (`weight` $weight^)?", Fx_OptionalRunningFormat,
                       " (`save_mean` $save_mean^)? (`save_invstd` $save_invstd^)? `output_mask` $output_mask", Fx_Rest);
}

//===----------------------------------------------------------------------===//
// Attention
//===----------------------------------------------------------------------===//

defvar Fx_AttentionFormula = [{
    y = softmax(scale query key^T + bias) value over the last two dims, query [.., L, E], key [.., S, E] and
    value [.., S, Ev]. The bias is `attn_mask`; -inf where a bool mask is false, and for j > i when `is_causal`.
    Absent scale is 1 / sqrt(E). `dropout_p` > 0 drops weights at random.

    * (attention_c1) query, key and value have rank >= 2.
    * (attention_c2) query, key and value have the same element type.
    * (attention_c3) query and key have the same last size, key and value the same size before the last.
    * (attention_c4) the other dims broadcast.
    * (attention_c5) attn_mask is bool, f32 or of the query's type, and broadcasts to [.., L, S].
}];

def Fx_ScaledDotProductAttentionOp
    : Fx_Op<"scaled_dot_product_attention", [{attention(r, op.getQuery(), op.getKey(), op.getValue(), op.getAttnMask(),
            op.getIsCausal(), op.getEnableGqa())}], ["aten.scaled_dot_product_attention.default"],
            [DeclareOpInterfaceMethods<MemoryEffectsOpInterface, ["getEffects"]>]> {
  let summary = "attention";
  let description = Fx_AttentionFormula # [{
    * (attention_c6) there is no attn_mask when `is_causal`.
    * (attention_c7) `enable_gqa` repeats each head (dim -3) of key and value, whose number divides the query's.

    The op is pure unless dropout_p > 0.

    ```mlir
    %y = fx.scaled_dot_product_attention %q, %k, %v {is_causal = true}
      : (tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32>
    ```
  }];
  let arguments = (ins Fx_FloatTensor:$query, Fx_FloatTensor:$key, Fx_FloatTensor:$value, Fx_OptionalTensor:$attn_mask,
                       DefaultValuedAttr<F64Attr, "0.0">:$dropout_p, Fx_False:$is_causal, OptionalAttr<F64Attr>:$scale,
                       Fx_False:$enable_gqa);
  let results = (outs Fx_FloatTensor:$result);
  let assemblyFormat = !strconcat("$query `,` $key `,` $value (`attn_mask` $attn_mask^)?", Fx_Rest);
}

def Fx_ScaledDotProductFlashAttentionForCpuOp
    : Fx_Op<"scaled_dot_product_flash_attention_for_cpu", [{flashAttention(r, op.getQuery(), op.getKey(), op.getValue(),
            op.getAttnMask())}], ["aten._scaled_dot_product_flash_attention_for_cpu.default"],
            [DeclareOpInterfaceMethods<MemoryEffectsOpInterface, ["getEffects"]>]> {
  let summary = "attention with the logarithm of its normalizers";
  let description = !strconcat("    (y, logsumexp), logsumexp f32 of shape [batch, heads, L], with", Fx_AttentionFormula, [{
    * (flash_attention_c1) query, key and value have rank 4 and the same last size.

    The op is pure unless dropout_p > 0.
  }]);
  let arguments = (ins Fx_FloatTensor:$query, Fx_FloatTensor:$key, Fx_FloatTensor:$value,
                       DefaultValuedAttr<F64Attr, "0.0">:$dropout_p, Fx_False:$is_causal, Fx_OptionalTensor:$attn_mask,
                       OptionalAttr<F64Attr>:$scale);
  let results = (outs Fx_FloatTensor:$output, Fx_FloatTensor:$logsumexp);
  let assemblyFormat = !strconcat("$query `,` $key `,` $value (`attn_mask` $attn_mask^)?", Fx_Rest);
}

def Fx_ScaledDotProductFlashAttentionForCpuBackwardOp
    : Fx_Op<"scaled_dot_product_flash_attention_for_cpu_backward", [{flashAttentionBackward(r, op.getGradOut(), op.getQuery(),
            op.getKey(), op.getValue(), op.getAttnMask())}],
            ["aten._scaled_dot_product_flash_attention_for_cpu_backward.default"]> {
  let summary = "gradients of attention";
  let description = [{
    (grad_query, grad_key, grad_value) of fx.scaled_dot_product_flash_attention_for_cpu, whose results are `out` and `logsumexp`.

    * (attention_c1 .. attention_c5, flash_attention_c1) as there.
    * (flash_attention_backward_c1) grad_out has the query's sizes.
  }];
  let arguments = (ins Fx_FloatTensor:$grad_out, Fx_FloatTensor:$query, Fx_FloatTensor:$key, Fx_FloatTensor:$value,
                       Fx_FloatTensor:$out, Fx_FloatTensor:$logsumexp, F64Attr:$dropout_p, BoolAttr:$is_causal,
                       Fx_OptionalTensor:$attn_mask, OptionalAttr<F64Attr>:$scale);
  let results = (outs Fx_FloatTensor:$grad_query, Fx_FloatTensor:$grad_key, Fx_FloatTensor:$grad_value);
  let assemblyFormat = !strconcat("$grad_out `,` $query `,` $key `,` $value `,` $out `,` $logsumexp (`attn_mask` $attn_mask^)?",
                                  Fx_Rest);
}

//===----------------------------------------------------------------------===//
// Losses of elements
//===----------------------------------------------------------------------===//

defvar Fx_LossText = [{

    `reduction` is 0: no reduction, 1: mean, 2: sum.

    * (loss_c1) 0 <= reduction <= 2.
    * (loss_c2) the operands broadcast.
    * (loss_c3) the mean of a loss needs a float or complex one.
}];

class Fx_Loss<string mnemonic, list<string> aten, string formula, dag more = (ins), string kind = "Default">
    : Fx_Op<mnemonic, "loss(r, {op.getInput(), op.getTarget()}, op.getReduction(), Promote::" # kind # ")", aten> {
  let description = !strconcat("    With x = input and t = target: l = ", formula, Fx_LossText);
  let arguments = !con((ins Fx_Tensor:$input, Fx_Tensor:$target, Fx_LossReduction:$reduction), more);
  let results = (outs Fx_Tensor:$result);
  let assemblyFormat = !strconcat("$input `,` $target", Fx_Rest);
}

def Fx_HuberLossOp : Fx_Loss<"huber_loss", ["aten.huber_loss.default"],
    "d^2 / 2 where d = |x - t| <= delta, else delta (d - delta / 2).", (ins DefaultValuedAttr<F64Attr, "1.0">:$delta)> {
  let summary = "Huber loss";
}

def Fx_KlDivOp : Fx_Loss<"kl_div", ["aten.kl_div.default"],
    "t (log t - x), 0 where t = 0; e^t (t - x) when `log_target`.", (ins Fx_False:$log_target), "IntToFloat"> {
  let summary = "Kullback-Leibler divergence";
}

def Fx_L1LossOp : Fx_Loss<"l1_loss", ["aten.l1_loss.default"], "|x - t|.", (ins), "ComplexToFloat"> {
  let summary = "absolute error";
}

def Fx_MseLossOp : Fx_Loss<"mse_loss", ["aten.mse_loss.default"], "(x - t)^2."> {
  let summary = "squared error";
}

def Fx_SmoothL1LossOp : Fx_Loss<"smooth_l1_loss", ["aten.smooth_l1_loss.default"],
    "d^2 / (2 beta) where d = |x - t| < beta, else d - beta / 2.", (ins DefaultValuedAttr<F64Attr, "1.0">:$beta)> {
  let summary = "smooth absolute error";
}

def Fx_SoftMarginLossOp : Fx_Loss<"soft_margin_loss", ["aten.soft_margin_loss.default"], "log(1 + e^(-t x)).",
    (ins), "IntToFloat"> {
  let summary = "soft margin loss";
}

def Fx_BinaryCrossEntropyOp
    : Fx_Op<"binary_cross_entropy", [{binaryCrossEntropy(r, op.getInput(), op.getTarget(), op.getWeight(), {},
            op.getReduction())}],
            ["aten.binary_cross_entropy.default"]> {
  let summary = "binary cross entropy of probabilities";
  let description = !strconcat([{
    With x = input and t = target: l = -weight (t max(log x, -100) + (1 - t) max(log(1 - x), -100)).
  }], Fx_LossText, [{
    * (binary_cross_entropy_c1) the target has the input's sizes.
  }]);
  let arguments = (ins Fx_FloatTensor:$input, Fx_Tensor:$target, Fx_OptionalTensor:$weight, Fx_LossReduction:$reduction);
  let results = (outs Fx_FloatTensor:$result);
  let assemblyFormat = !strconcat("$input `,` $target (`weight` $weight^)?", Fx_Rest);
}

def Fx_BinaryCrossEntropyWithLogitsOp
    : Fx_Op<"binary_cross_entropy_with_logits", [{binaryCrossEntropy(r, op.getInput(), op.getTarget(), op.getWeight(),
            op.getPosWeight(), op.getReduction())}],
            ["aten.binary_cross_entropy_with_logits.default"], [Pure, AttrSizedOperandSegments]> {
  let summary = "binary cross entropy of logits";
  let description = !strconcat([{
    With x = input, t = target and s = sigmoid: l = -weight (pos_weight t log s(x) + (1 - t) log s(-x)).
  }], Fx_LossText, [{
    * (binary_cross_entropy_c1) the target has the input's sizes.
  }]);
  let arguments = (ins Fx_FloatTensor:$input, Fx_Tensor:$target, Fx_OptionalTensor:$weight, Fx_OptionalTensor:$pos_weight,
                       Fx_LossReduction:$reduction);
  let results = (outs Fx_FloatTensor:$result);
  let assemblyFormat = !strconcat("$input `,` $target (`weight` $weight^)? (`pos_weight` $pos_weight^)?", Fx_Rest);
}

/// The gradient of a loss with respect to its input.
class Fx_LossBackward<string mnemonic, list<string> aten, dag more>
    : Fx_Op<mnemonic, "lossBackward(r, op.getGradOutput(), op.getInput(), op.getTarget(), op.getReduction())", aten> {
  let description = [{
    grad_output dl/dinput, divided by the number of elements when `reduction` is 1.

    * (loss_c1) 0 <= reduction <= 2.
    * (loss_c2) the operands broadcast.
  }];
  let arguments = !con((ins Fx_Tensor:$grad_output, Fx_Tensor:$input, Fx_Tensor:$target), more);
  let results = (outs Fx_Tensor:$grad_input);
  let assemblyFormat = !strconcat("$grad_output `,` $input `,` $target", Fx_Rest);
}

def Fx_BinaryCrossEntropyBackwardOp : Fx_LossBackward<"binary_cross_entropy_backward",
    ["aten.binary_cross_entropy_backward.default"],
    (ins Fx_OptionalTensor:$weight, Fx_LossReduction:$reduction)> {
  let summary = "gradient of binary_cross_entropy";
  let assemblyFormat = !strconcat("$grad_output `,` $input `,` $target (`weight` $weight^)?", Fx_Rest);
}

def Fx_HuberLossBackwardOp : Fx_LossBackward<"huber_loss_backward", ["aten.huber_loss_backward.default"],
    (ins I64Attr:$reduction, F64Attr:$delta)> {
  let summary = "gradient of huber_loss";
}

def Fx_MseLossBackwardOp : Fx_LossBackward<"mse_loss_backward", ["aten.mse_loss_backward.default"], (ins I64Attr:$reduction)> {
  let summary = "gradient of mse_loss";
}

def Fx_SmoothL1LossBackwardOp : Fx_LossBackward<"smooth_l1_loss_backward", ["aten.smooth_l1_loss_backward.default"],
    (ins I64Attr:$reduction, F64Attr:$beta)> {
  let summary = "gradient of smooth_l1_loss";
}

def Fx_SoftMarginLossBackwardOp : Fx_LossBackward<"soft_margin_loss_backward", ["aten.soft_margin_loss_backward.default"],
    (ins I64Attr:$reduction)> {
  let summary = "gradient of soft_margin_loss";
}

//===----------------------------------------------------------------------===//
// Losses of classes
//===----------------------------------------------------------------------===//

/// `ignore_index` is a SymInt: a list of one.
defvar Fx_RequiredIgnoreIndex = (ins Variadic<Index>:$ignore_index, DenseI64ArrayAttr:$static_ignore_index);
defvar Fx_IgnoreIndex = (ins Variadic<Index>:$ignore_index, DefaultValuedAttr<DenseI64ArrayAttr, "{-100}">:$static_ignore_index);
defvar Fx_ClassLossFormat = "$input `,` $target (`weight` $weight^)?" #
                            " `ignore_index` custom<DynamicIndexList>($ignore_index, $static_ignore_index)";
defvar Fx_NllText = [{
    l = -weight[t] input[t],  t = target, the class in dim 1 (dim 0 when the rank is 1); 0 where t = ignore_index. The mean
    is weighted: sum l / total_weight,  total_weight = sum weight[t]. Absent weight is 1.

    * (loss_c1) 0 <= reduction <= 2.
    * (nll_loss_c1) rank(input) >= 1, and the target has the input's sizes without the class dim.
    * (nll_loss_c2) weight has one element per class.
    * (nll_loss_c3) the target holds integers, and ignore_index is one number.
}];

def Fx_CrossEntropyLossOp
    : Fx_Op<"cross_entropy_loss", [{crossEntropy(r, op.getInput(), op.getTarget(), op.getWeight(), op.getReduction(),
            {op.getIgnoreIndex(), op.getStaticIgnoreIndex()})}],
            ["aten.cross_entropy_loss.default"], [Pure, AttrSizedOperandSegments]> {
  let summary = "cross entropy of logits";
  let description = [{
    nll_loss(log_softmax(input)) over the class dim for a target of classes, or
    l = -sum_c weight[c] target[c] log_softmax(input)[c] for one of probabilities, with
    target (1 - label_smoothing) + label_smoothing / C in place of the target.

    * (loss_c1, nll_loss_c1 .. nll_loss_c3) as in fx.nll_loss, for a target of classes.
    * (cross_entropy_loss_c1) a target of probabilities is float and has the input's sizes.

    ```mlir
    %l = fx.cross_entropy_loss %x, %t ignore_index [-100] : (tensor<4x10xf32>, tensor<4xi64>) -> tensor<f32>
    ```
  }];
  let arguments = !con((ins Fx_FloatTensor:$input, Fx_Tensor:$target, Fx_OptionalFloatTensor:$weight,
                            Fx_LossReduction:$reduction),
                       Fx_IgnoreIndex, (ins DefaultValuedAttr<F64Attr, "0.0">:$label_smoothing));
  let results = (outs Fx_FloatTensor:$result);
  let assemblyFormat = !strconcat(Fx_ClassLossFormat, Fx_Rest);
}

def Fx_NllLossOp
    : Fx_Op<"nll_loss", [{nllLoss(r, op.getInput(), op.getTarget(), op.getWeight(), op.getReduction(),
            {op.getIgnoreIndex(), op.getStaticIgnoreIndex()})}],
            ["aten.nll_loss.default", "aten.nll_loss2d.default", "aten.nll_loss_nd.default"], [Pure, AttrSizedOperandSegments]> {
  let summary = "negative log likelihood";
  let description = Fx_NllText;
  let arguments = !con((ins Fx_FloatTensor:$input, Fx_Tensor:$target, Fx_OptionalFloatTensor:$weight,
                            Fx_LossReduction:$reduction),
                       Fx_IgnoreIndex);
  let results = (outs Fx_FloatTensor:$result);
  let assemblyFormat = !strconcat(Fx_ClassLossFormat, Fx_Rest);
}

def Fx_NllLossForwardOp
    : Fx_Op<"nll_loss_forward", [{nllLossForward(r, op.getInput(), op.getTarget(), op.getWeight(), op.getReduction(),
            {op.getIgnoreIndex(), op.getStaticIgnoreIndex()})}],
            ["aten.nll_loss_forward.default", "aten.nll_loss2d_forward.default"], [Pure, AttrSizedOperandSegments]> {
  let summary = "negative log likelihood, with its total weight";
  let description = !strconcat("    (reduced l, total_weight) with", Fx_NllText, [{
    ```mlir
    %l, %w = fx.nll_loss_forward %x, %t ignore_index [-100] {reduction = 1 : i64}
      : (tensor<4x10xf32>, tensor<4xi64>) -> (tensor<f32>, tensor<f32>)
    ```
  }]);
  let arguments = !con((ins Fx_FloatTensor:$input, Fx_Tensor:$target, Fx_OptionalFloatTensor:$weight, I64Attr:$reduction),
                       Fx_RequiredIgnoreIndex);
  let results = (outs Fx_FloatTensor:$output, Fx_FloatTensor:$total_weight);
  let assemblyFormat = !strconcat(Fx_ClassLossFormat, Fx_Rest);
}

def Fx_NllLossBackwardOp
    : Fx_Op<"nll_loss_backward", [{nllLossBackward(r, op.getInput(), op.getTarget(), op.getWeight(), op.getReduction(),
            {op.getIgnoreIndex(), op.getStaticIgnoreIndex()})}],
            ["aten.nll_loss_backward.default", "aten.nll_loss2d_backward.default"], [Pure, AttrSizedOperandSegments]> {
  let summary = "gradient of nll_loss_forward";
  let description = !strconcat("    grad_output dl/dinput, divided by total_weight when `reduction` is 1, where", Fx_NllText);
  let arguments = !con((ins Fx_FloatTensor:$grad_output, Fx_FloatTensor:$input, Fx_Tensor:$target, Fx_OptionalFloatTensor:$weight,
                            I64Attr:$reduction), Fx_RequiredIgnoreIndex, (ins Fx_FloatTensor:$total_weight));
  let results = (outs Fx_FloatTensor:$grad_input);
  let assemblyFormat = !strconcat("$grad_output `,` ", Fx_ClassLossFormat, " `total_weight` $total_weight", Fx_Rest);
}

//===----------------------------------------------------------------------===//
// Distances
//===----------------------------------------------------------------------===//

def Fx_CosineSimilarityOp : Fx_Op<"cosine_similarity", "cosineSimilarity(r, op.getX1(), op.getX2(), op.getDim())",
                                  ["aten.cosine_similarity.default"]> {
  let summary = "cosine of the angle between vectors";
  let description = [{
    y = sum_i x1[i] x2[i] / (max(|x1|, eps) max(|x2|, eps)) along `dim` of the operands, broadcast.

    * (cosine_similarity_c1) -rank <= dim < rank of the broadcast operands.
    * (cosine_similarity_c2) the promoted type is float.
  }];
  let arguments = (ins Fx_Tensor:$x1, Fx_Tensor:$x2, DefaultValuedAttr<I64Attr, "1">:$dim,
                       DefaultValuedAttr<F64Attr, "1.0e-8">:$eps);
  let results = (outs Fx_Tensor:$result);
}

def Fx_DistOp : Fx_Op<"dist", "dist(r, op.getInput(), op.getOther())", ["aten.dist.default"]> {
  let summary = "norm of a difference";
  let description = [{
    y = (sum_i |input[i] - other[i]|^p)^(1/p) over all elements of the broadcast operands; an absent p is 2.

    * (dist_c1) the operands broadcast, to a float or complex type.
  }];
  let arguments = (ins Fx_Tensor:$input, Fx_Tensor:$other, Fx_OptionalNumber:$p);
  let results = (outs Fx_Tensor:$result);
}

def Fx_RenormOp : Fx_Op<"renorm", "alongDim(r, op.getInput(), op.getDim(), Infer::element(op.getInput()))",
                        ["aten.renorm.default"]> {
  let summary = "slices scaled down to a norm";
  let description = [{
    y = input[i] min(1, maxnorm / (|input[i]| + 1e-7)) for each slice input[i] along `dim`, | | its p-norm.

    * (scan_c1) -rank(input) <= dim < rank(input).
  }];
  let arguments = (ins Fx_FloatOrComplexTensor:$input, Fx_NumberAttr:$p, I64Attr:$dim, Fx_NumberAttr:$maxnorm);
  let results = (outs Fx_Tensor:$result);
  let assemblyFormat = !strconcat("$input `dim` $dim", Fx_Rest);
}

def Fx_SumToSizeOp : Fx_Op<"sum_to_size", "sumToSize(r, op.getInput(), {op.getSize(), op.getStaticSize()})",
                           ["aten.sum_to_size.default"]> {
  let summary = "sum over the dimensions that a broadcast added";
  let description = [{
    y = sum over the leading dims that `size` lacks and the dims where it is 1.

    * (sum_to_size_c1) `size` broadcasts to the input's sizes.

    ```mlir
    %y = fx.sum_to_size %x size [1, 8] : (tensor<3x4x8xf32>) -> tensor<1x8xf32>
    ```
  }];
  let arguments = (ins Fx_Tensor:$input, Variadic<Index>:$size, DenseI64ArrayAttr:$static_size);
  let results = (outs Fx_Tensor:$result);
  let assemblyFormat = !strconcat("$input `size` custom<DynamicIndexList>($size, $static_size)", Fx_Rest);
}

//===----------------------------------------------------------------------===//
// Histograms, segments and distinct values
//===----------------------------------------------------------------------===//

def Fx_BincountOp : Fx_Op<"bincount", "bincount(r, op.getInput(), op.getWeights(), {op.getMinlength(), op.getStaticMinlength()})",
                          ["aten.bincount.default"], [Pure, AttrSizedOperandSegments]> {
  let summary = "number of occurrences of each non-negative integer";
  let description = [{
    y[k] = sum_i (input[i] = k ? weights[i] : 0) for k < max(minlength, max input + 1). Absent weights count: i64;
    f32 weights give f32, others f64.

    * (bincount_c1) the input has rank 1, and weights its size.
    * (bincount_c2) minlength is one size >= 0.

    ```mlir
    %y = fx.bincount %x minlength [0] : (tensor<9xi64>) -> tensor<?xi64>
    ```
  }];
  let arguments = (ins Fx_IntOrBoolTensor:$input, Fx_OptionalTensor:$weights, Variadic<Index>:$minlength,
                       DefaultValuedAttr<DenseI64ArrayAttr, "{0}">:$static_minlength);
  let results = (outs Fx_Tensor:$result);
  let assemblyFormat = !strconcat("$input (`weights` $weights^)?",
                                  " `minlength` custom<DynamicIndexList>($minlength, $static_minlength)",
                                  Fx_Rest);
}

def Fx_HistcOp : Fx_Op<"histc", "histc(r, op.getInput(), op.getBins())", ["aten.histc.default"]> {
  let summary = "histogram of equal bins";
  let description = [{
    y[k] = number of elements in the k-th of `bins` equal bins of [min, max], or of the elements' range when min = max.
    Absent min and max are 0.

    * (histogram_c1) bins > 0.
  }];
  let arguments = (ins Fx_RealTensor:$input, DefaultValuedAttr<I64Attr, "100">:$bins,
                       Fx_OptionalNumber:$min, Fx_OptionalNumber:$max);
  let results = (outs Fx_Tensor:$result);
}

def Fx_HistogramOp
    : Fx_Op<"histogram", "histogram(r, op.getInput(), op.getEdges(), op.getBins(), op.getRange(), op.getWeight())",
            ["aten.histogram.bin_ct", "aten.histogram.bins_tensor(edges=bins)"], [Pure, AttrSizedOperandSegments]> {
  let summary = "histogram with its bin edges";
  let description = [{
    hist[k] = sum of the weights of the elements in bin k; `density` divides by the total weight and the bins' widths.
    The bins lie between `edges`, or are `bins` equal ones of `range`; an absent range is that of the elements.

    * (histogram_c1) bins > 0, or edges of rank 1 with at least one element.
    * (histogram_c2) weight has the input's sizes.
    * (histogram_c3) range is a pair.

    ```mlir
    %hist, %bin_edges = fx.histogram %x {bins = 10 : i64} : (tensor<4x8xf32>) -> (tensor<10xf32>, tensor<11xf32>)
    ```
  }];
  let arguments = (ins Fx_FloatTensor:$input, Fx_OptionalFloatTensor:$edges, DefaultValuedAttr<I64Attr, "100">:$bins,
                       OptionalAttr<DenseF64ArrayAttr>:$range, Fx_OptionalFloatTensor:$weight, Fx_False:$density);
  let results = (outs Fx_FloatTensor:$hist, Fx_FloatTensor:$bin_edges);
  let assemblyFormat = !strconcat("$input (`edges` $edges^)? (`weight` $weight^)?", Fx_Rest);
}

defvar Fx_HistogramddText = [{
    The input's last dim holds the D coordinates of a point; bins are boxes, each side from a list of edges.

    * (histogramdd_c1) rank(input) >= 2 and one entry of bins per coordinate.
    * (histogramdd_c2) bins[i] > 0, or edges of rank 1 with at least one element.
    * (histogramdd_c3) weight has the input's sizes without the last.
    * (histogramdd_c4) range has a pair per coordinate.
}];

def Fx_HistogramddBinEdgesOp
    : Fx_Op<"histogramdd_bin_edges", "histogramddBinEdges(r, op.getInput(), op.getBins(), op.getRange(), op.getWeight())",
            ["aten._histogramdd_bin_edges.default"]> {
  let summary = "bin edges of a multi-dimensional histogram";
  let description = !strconcat("    edges[i] = bins[i] + 1 equidistant edges of coordinate i.\n", Fx_HistogramddText);
  let arguments = (ins Fx_FloatTensor:$input, DenseI64ArrayAttr:$bins, OptionalAttr<DenseF64ArrayAttr>:$range,
                       Fx_OptionalFloatTensor:$weight, Fx_False:$density);
  let results = (outs Variadic<Fx_FloatTensor>:$edges);
  let assemblyFormat = !strconcat("$input (`weight` $weight^)?", Fx_Rest);
}

def Fx_HistogramddFromBinCtsOp
    : Fx_Op<"histogramdd_from_bin_cts", "histogramddFromBinCts(r, op.getInput(), op.getBins(), op.getRange(), op.getWeight())",
            ["aten._histogramdd_from_bin_cts.default"]> {
  let summary = "multi-dimensional histogram of equal bins";
  let description = !strconcat("    y[k..] = sum of the weights of the points in box k.. .\n", Fx_HistogramddText);
  let arguments = (ins Fx_FloatTensor:$input, DenseI64ArrayAttr:$bins, OptionalAttr<DenseF64ArrayAttr>:$range,
                       Fx_OptionalFloatTensor:$weight, Fx_False:$density);
  let results = (outs Fx_FloatTensor:$result);
  let assemblyFormat = !strconcat("$input (`weight` $weight^)?", Fx_Rest);
}

def Fx_HistogramddFromBinTensorsOp
    : Fx_Op<"histogramdd_from_bin_tensors", "histogramddFromBinTensors(r, op.getInput(), op.getBins(), op.getWeight())",
            ["aten._histogramdd_from_bin_tensors.default"], [Pure, AttrSizedOperandSegments]> {
  let summary = "multi-dimensional histogram of given bins";
  let description = !strconcat("    y[k..] = sum of the weights of the points in box k.. .\n", Fx_HistogramddText);
  let arguments = (ins Fx_FloatTensor:$input, Variadic<Fx_FloatTensor>:$bins, Fx_OptionalFloatTensor:$weight, Fx_False:$density);
  let results = (outs Fx_FloatTensor:$result);
  let assemblyFormat = !strconcat("$input `bins` `(` $bins `)` (`weight` $weight^)?", Fx_Rest);
}

def Fx_SegmentReduceOp
    : Fx_Op<"segment_reduce", [{segmentReduce(r, op.getData(), op.getReduce(), op.getLengths(), op.getOffsets(), op.getAxis())}],
            ["aten.segment_reduce.default"], [Pure, AttrSizedOperandSegments]> {
  let summary = "reduction of consecutive segments";
  let description = [{
    y[s] = reduction of the elements of segment s along `axis`, from `initial` on. The segments have sizes `lengths`, or lie
    between `offsets`; both have the data's leading sizes.

    * (segment_reduce_c1) reduce is "sum", "mean", "max", "min" or "prod".
    * (segment_reduce_c2) there are lengths or offsets.
    * (segment_reduce_c3) axis is the last dim of lengths or offsets, and a dim of data.
    * (segment_reduce_c4) the sizes before `axis` agree.

    ```mlir
    %y = fx.segment_reduce %x reduce "sum" lengths %l {axis = 0 : i64} : (tensor<9x4xf32>, tensor<3xi64>) -> tensor<3x4xf32>
    ```
  }];
  let arguments = (ins Fx_FloatTensor:$data, StrAttr:$reduce, Optional<Fx_IndexTensor>:$lengths,
                       Optional<Fx_IndexTensor>:$indices,
                       Optional<Fx_IndexTensor>:$offsets, DefaultValuedAttr<I64Attr, "0">:$axis, Fx_False:$unsafe,
                       Fx_OptionalNumber:$initial);
  let results = (outs Fx_FloatTensor:$result);
  let assemblyFormat = !strconcat("$data `reduce` $reduce (`lengths` $lengths^)? (`indices` $indices^)? (`offsets` $offsets^)?",
                                  Fx_Rest);
}

/// Distinct elements or slices. The number is known only at run time.
class Fx_Unique<string mnemonic, string dim, list<string> aten, string formula, dag more>
    : Fx_Op<mnemonic, "unique(r, op.getInput(), " # dim # ", op.getReturnInverse(), op.getReturnCounts())", aten> {
  let description = formula # [{
    The results are (output, inverse, counts): input[i] = output[inverse[i]], and counts[k] is how often output[k] occurs.
    An inverse or counts that is not asked for is empty: size [0]; with `dim` the CPU gives both in any case.
  }];
  let arguments = !con((ins Fx_RealTensor:$input), more);
  let results = (outs Fx_Tensor:$output, Fx_Tensor:$inverse, Fx_Tensor:$counts);
}

def Fx_Unique2Op : Fx_Unique<"unique2", "std::nullopt", ["aten._unique2.default"], "    The distinct elements.",
    (ins Fx_True:$sorted, Fx_False:$return_inverse, Fx_False:$return_counts)> {
  let summary = "distinct elements";
}

def Fx_UniqueConsecutiveOp : Fx_Unique<"unique_consecutive", "op.getDim()", ["aten.unique_consecutive.default"],
    "    The first of each run of equal elements, or of equal slices along `dim` (unique_c1: -rank(input) <= dim < rank(input)).",
    (ins Fx_False:$return_inverse, Fx_False:$return_counts, OptionalAttr<I64Attr>:$dim)> {
  let summary = "distinct neighbours";
}

def Fx_UniqueDimOp : Fx_Unique<"unique_dim", "op.getDim()", ["aten.unique_dim.default"],
    "    The distinct slices along `dim` (unique_c1: -rank(input) <= dim < rank(input)).",
    (ins I64Attr:$dim, Fx_True:$sorted, Fx_False:$return_inverse, Fx_False:$return_counts)> {
  let summary = "distinct slices";
}

#endif // FX_REDUCTION_OPS_TD
