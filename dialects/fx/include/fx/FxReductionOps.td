//===- FxReductionOps.td - reductions, scans, sorting, histograms ---------===//
//
// Ops whose result mixes the elements along some dimensions. This file:
// reductions, selections, sorting, scans, histograms. FxNormOps.td: softmax,
// normalisations and attention. FxLossOps.td: losses and distances.
//
//===----------------------------------------------------------------------===//

#ifndef FX_REDUCTION_OPS_TD
#define FX_REDUCTION_OPS_TD

include "fx/FxLossOps.td"
include "fx/FxNormOps.td"
include "fx/FxReductionClasses.td"

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
