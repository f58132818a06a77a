//===- FxIndexingOps.td - gather, scatter, masks and lookups -------------===//
//
// Index operands hold i64 or i32 positions. A negative position of `index`,
// `index_put`, `take` and `put` counts from the end; elsewhere positions lie in
// [0, size). A `Tensor?[]` is the list of its present tensors and a bool per
// entry: `[_, %i]` is "nothing, then %i".
//
//===----------------------------------------------------------------------===//

#ifndef FX_INDEXING_OPS_TD
#define FX_INDEXING_OPS_TD

include "fx/FxBase.td"

/// Positions, or a mask (bool, or u8 as in old programs).
def Fx_IndexOrMaskTensor : RankedTensorOf<[I64, I32, UI8, I1]>;
def Fx_LongTensor : RankedTensorOf<[I64]>;

/// Syntax of a `SymInt[]` argument: a keyword and the list.
class Fx_IndexingList<string name> {
  string syntax = " `" # name # "` custom<DynamicIndexList>($" # name # ", $static_" # name # ") ";
}

//===----------------------------------------------------------------------===//
// Advanced indexing
//===----------------------------------------------------------------------===//

def Fx_IndexOp : Fx_Op<"index", "index(op, r)", ["aten.index.Tensor", "aten._unsafe_index.Tensor"]> {
  let summary = "elements at the positions given by index tensors";
  let description = [{
    y[.., k.., ..] = input[.., indices_0[k], indices_1[k].., ..]: the index tensors broadcast to one shape K, which
    replaces the indexed dims where they are adjacent, and otherwise stands first. A mask of rank n stands for the n
    index tensors of its true positions.

    * (index_c1) the present indices take no more dims than `input` has.
    * (index_c2) the indices broadcast.
    * (index_c3) a mask has the sizes of the dims that it indexes.
    * (index_c4) one operand for each true entry of `present_indices`.

    ```mlir
    %y = fx.index %x[_, %i] : (tensor<4x8xf32>, tensor<3xi64>) -> tensor<4x3xf32>
    ```
  }];
  let arguments = (ins Fx_Tensor:$input, Variadic<Fx_IndexOrMaskTensor>:$indices, DenseBoolArrayAttr:$present_indices);
  let results = (outs Fx_Tensor:$result);
  let assemblyFormat = [{
    $input `` custom<OptionalTensors>($indices, $present_indices) attr-dict `:` functional-type(operands, results)
  }];
  let hasFolder = 1;
}

def Fx_IndexPutOp : Fx_Op<"index_put", "indexPut(op, r)",
                          ["aten.index_put.default", "aten._unsafe_index_put.default"]> {
  let summary = "a tensor with values put at the positions given by index tensors";
  let description = [{
    y = input, then y[indices] = values, or y[indices] += values with `accumulate`, where `y[indices]` are the elements
    that `fx.index` would read. Without `accumulate` the result at a repeated position is one of its values.

    * (index_put_c1) `values` broadcasts to the shape of `fx.index input[indices]`.
    * (index_put_c2) `values` has the element type of `input`.
    * the constraints of `fx.index`.

    ```mlir
    %y = fx.index_put %x[_, %i], %v {accumulate = true} : (tensor<4x8xf32>, tensor<3xi64>, tensor<f32>) -> tensor<4x8xf32>
    ```
  }];
  let arguments = (ins Fx_Tensor:$input, Variadic<Fx_IndexOrMaskTensor>:$indices, Fx_Tensor:$values,
                       DenseBoolArrayAttr:$present_indices, DefaultValuedAttr<BoolAttr, "false">:$accumulate);
  let results = (outs Fx_Tensor:$result);
  let assemblyFormat = [{
    $input `` custom<OptionalTensors>($indices, $present_indices) `,` $values attr-dict
    `:` functional-type(operands, results)
  }];
}

//===----------------------------------------------------------------------===//
// Positions along one dim
//===----------------------------------------------------------------------===//

def Fx_GatherOp : Fx_Op<"gather", "gather(op, r)", ["aten.gather.default"]> {
  let summary = "elements at positions along one dim";
  let description = [{
    y[i, j, k] = input[i, index[i, j, k], k] for dim = 1, and so for other dims.

    * (gather_c1) `dim` is in [-rank(input), rank(input)).
    * (gather_c2) `index` has the rank of `input` (0 counts as 1).
    * (gather_c3) size(index, d) <= size(input, d) for d != dim.
    * (gather_c4) `index` is i64 or i32, unless it is empty.

    ```mlir
    %y = fx.gather %x, %i dim 1 : (tensor<4x8xf32>, tensor<4x2xi64>) -> tensor<4x2xf32>
    ```
  }];
  let arguments = (ins Fx_Tensor:$input, I64Attr:$dim, Fx_IntTensor:$index,
                       DefaultValuedAttr<BoolAttr, "false">:$sparse_grad);
  let results = (outs Fx_Tensor:$result);
  let assemblyFormat = "$input `,` $index `dim` $dim attr-dict `:` functional-type(operands, results)";
}

/// Writes `src` to positions along `dim`:
///
///   * (scatter_c1) `dim` is in [-rank(input), rank(input)).
///   * (scatter_c2) `index` and a tensor `src` have the rank of `input` (0 counts as 1).
///   * (scatter_c3) size(index, d) <= size(input, d) for d != dim, and size(index, d) <= size(src, d).
///   * (scatter_c4) a tensor `src` has the element type of `input`.
///   * (scatter_c6) `index` is i64 or i32, unless it is empty.
class Fx_ScatterBase<string mnemonic, string infer, list<string> aten, TypeConstraint src, dag extra>
    : Fx_Op<mnemonic, infer, aten> {
  let arguments = !con((ins Fx_Tensor:$input, I64Attr:$dim, Fx_IntTensor:$index, src:$src), extra);
  let results = (outs Fx_Tensor:$result);
  let assemblyFormat = "$input `,` $index `,` $src `dim` $dim attr-dict `:` functional-type(operands, results)";
}

def Fx_ScatterOp : Fx_ScatterBase<"scatter", "scatter(op, op.getReduce(), {\"add\", \"multiply\"}, r)",
                                  ["aten.scatter.src", "aten.scatter.value(src=value)", "aten.scatter.reduce",
                                   "aten.scatter.value_reduce(src=value)"],
                                  Fx_TensorOrScalar, (ins OptionalAttr<StrAttr>:$reduce)> {
  let summary = "a tensor with values written to positions along one dim";
  let description = [{
    y = input, then y[i, index[i, j, k], k] = src[i, j, k] for dim = 1; a number `src` is written everywhere. `reduce`
    "add" or "multiply" combines with the value that is there.

    * (scatter_c1) `dim` is in [-rank(input), rank(input)).
    * (scatter_c2) `index` and a tensor `src` have the rank of `input` (0 counts as 1).
    * (scatter_c3) size(index, d) <= size(input, d) for d != dim, and size(index, d) <= size(src, d).
    * (scatter_c4) a tensor `src` has the element type of `input`.
    * (scatter_c5) `reduce` is "add" or "multiply".
    * (scatter_c6) `index` is i64 or i32, unless it is empty.

    ```mlir
    %y = fx.scatter %x, %i, %v dim 1 : (tensor<4x8xf32>, tensor<4x2xi64>, tensor<4x2xf32>) -> tensor<4x8xf32>
    ```
  }];
}

def Fx_ScatterAddOp : Fx_ScatterBase<"scatter_add", "scatter(op, std::nullopt, {}, r)", ["aten.scatter_add.default"],
                                     Fx_Tensor, (ins)> {
  let summary = "a tensor with values added at positions along one dim";
  let description = [{
    y = input, then y[i, index[i, j, k], k] += src[i, j, k] for dim = 1. Constraints scatter_c1 to scatter_c4, scatter_c6.
  }];
}

def Fx_ScatterReduceOp : Fx_ScatterBase<"scatter_reduce",
                                        "scatter(op, op.getReduce(), {\"sum\", \"prod\", \"mean\", \"amax\", \"amin\"}, r)",
                                        ["aten.scatter_reduce.two"], Fx_Tensor,
                                        (ins StrAttr:$reduce, DefaultValuedAttr<BoolAttr, "true">:$include_self)> {
  let summary = "a tensor with values reduced into positions along one dim";
  let description = [{
    y[i, p, k] = reduce of the src[i, j, k] with index[i, j, k] = p for dim = 1, and of input[i, p, k] too with
    `include_self`; a position without values keeps that of `input`. Constraints scatter_c1 to scatter_c4, scatter_c6, and

    * (scatter_reduce_c5) `reduce` is "sum", "prod", "mean", "amax" or "amin".
  }];
}

def Fx_IndexSelectOp : Fx_Op<"index_select", "indexSelect(op, r)", ["aten.index_select.default"]> {
  let summary = "slices at positions along one dim";
  let description = [{
    y[i, j, k] = input[i, index[j], k] for dim = 1.

    * (index_select_c1) `dim` is in [-rank(input), rank(input)).
    * (index_select_c2) `index` has rank 0 (one position) or 1.

    ```mlir
    %y = fx.index_select %x, %i dim 0 : (tensor<4x8xf32>, tensor<3xi64>) -> tensor<3x8xf32>
    ```
  }];
  let arguments = (ins Fx_Tensor:$input, I64Attr:$dim, Fx_IndexTensor:$index);
  let results = (outs Fx_Tensor:$result);
  let assemblyFormat = "$input `,` $index `dim` $dim attr-dict `:` functional-type(operands, results)";
}

/// Writes the slices of `source` to positions along `dim`; has the type of `input`.
///
///   * (index_add_c1) `dim` is in [-rank(input), rank(input)).
///   * (index_add_c2) `index` has rank 0 (one position) or 1.
///   * (index_add_c3) `source` has the shape of `input`, with numel(index) along `dim`.
///   * (index_add_c4) `source` has the element type of `input`.
class Fx_IndexedWrite<string mnemonic, string infer, list<string> aten, dag extra> : Fx_Op<mnemonic, infer, aten> {
  let arguments = !con((ins Fx_Tensor:$input, I64Attr:$dim, Fx_IndexTensor:$index, Fx_Tensor:$source), extra);
  let results = (outs Fx_Tensor:$result);
  let assemblyFormat = "$input `,` $index `,` $source `dim` $dim attr-dict `:` functional-type(operands, results)";
}

def Fx_IndexAddOp : Fx_IndexedWrite<"index_add", "indexedWrite(op, r)", ["aten.index_add.default"],
                                    (ins OptionalAttr<Fx_NumberAttr>:$alpha)> {
  let summary = "a tensor with slices added at positions along one dim";
  let description = [{
    y = input, then y[i, index[j], k] += alpha * source[i, j, k] for dim = 1; alpha is 1 if absent.

    * (index_add_c1) `dim` is in [-rank(input), rank(input)).
    * (index_add_c2) `index` has rank 0 (one position) or 1.
    * (index_add_c3) `source` has the shape of `input`, with numel(index) along `dim`.
    * (index_add_c4) `source` has the element type of `input`.

    ```mlir
    %y = fx.index_add %x, %i, %s dim 0 {alpha = 2.0 : f64} : (tensor<4x8xf32>, tensor<3xi64>, tensor<3x8xf32>) -> tensor<4x8xf32>
    ```
  }];
}

def Fx_IndexCopyOp : Fx_IndexedWrite<"index_copy", "indexedWrite(op, r)", ["aten.index_copy.default"], (ins)> {
  let summary = "a tensor with slices written to positions along one dim";
  let description = [{
    y = input, then y[i, index[j], k] = source[i, j, k] for dim = 1. Constraints of `fx.index_add`.
  }];
}

def Fx_IndexReduceOp : Fx_IndexedWrite<"index_reduce", "indexReduce(op, r)", ["aten.index_reduce.default"],
                                       (ins StrAttr:$reduce, DefaultValuedAttr<BoolAttr, "true">:$include_self)> {
  let summary = "a tensor with slices reduced into positions along one dim";
  let description = [{
    y[i, p, k] = reduce of the source[i, j, k] with index[j] = p for dim = 1, and of input[i, p, k] too with
    `include_self`. Constraints of `fx.index_add`, and

    * (index_reduce_c5) `reduce` is "prod", "mean", "amax" or "amin".
  }];
}

def Fx_IndexFillOp : Fx_Op<"index_fill", "indexFill(op, r)",
                           ["aten.index_fill.int_Scalar", "aten.index_fill.int_Tensor"]> {
  let summary = "a tensor with slices along one dim set to one value";
  let description = [{
    y = input, then y[i, index[j], k] = value for dim = 1.

    * (index_fill_c1) `dim` is in [-rank(input), rank(input)).
    * (index_fill_c2) `index` has rank 0 (one position) or 1.
    * (index_fill_c3) `value` is a number or has rank 0.
  }];
  let arguments = (ins Fx_Tensor:$input, I64Attr:$dim, Fx_IndexTensor:$index, Fx_TensorOrScalar:$value);
  let results = (outs Fx_Tensor:$result);
  let assemblyFormat = "$input `,` $index `,` $value `dim` $dim attr-dict `:` functional-type(operands, results)";
}

def Fx_TakeAlongDimOp : Fx_Op<"take_along_dim", "takeAlongDim(op, r)", ["aten.take_along_dim.default"]> {
  let summary = "elements at positions along one dim, broadcast elsewhere";
  let description = [{
    y = `fx.gather` of `input` and `indices` after they broadcast against each other in all dims but `dim`. Without
    `dim` both are flattened first.

    * (take_along_dim_c1) `dim` is in [-rank(input), rank(input)).
    * (take_along_dim_c2) `indices` has the rank of `input`.
    * (take_along_dim_c3) the sizes broadcast in the dims other than `dim`.
  }];
  let arguments = (ins Fx_Tensor:$input, Fx_IndexTensor:$indices, OptionalAttr<I64Attr>:$dim);
  let results = (outs Fx_Tensor:$result);
  let assemblyFormat = "$input `,` $indices (`dim` $dim^)? attr-dict `:` functional-type(operands, results)";
}

//===----------------------------------------------------------------------===//
// Positions in the flattened tensor
//===----------------------------------------------------------------------===//

def Fx_TakeOp : Fx_Op<"take", "r.result(Infer::shape(op.getIndex()), Infer::element(op.getInput()))",
                      ["aten.take.default"]> {
  let summary = "elements at positions of the flattened tensor";
  let description = [{ y[k] = flatten(input)[index[k]]. }];
  let arguments = (ins Fx_Tensor:$input, Fx_IndexTensor:$index);
  let results = (outs Fx_Tensor:$result);
}

def Fx_PutOp : Fx_Op<"put", "put(op, r)", ["aten.put.default"]> {
  let summary = "a tensor with values put at positions of the flattened tensor";
  let description = [{
    y = input, then flatten(y)[index[k]] = source[k], or += with `accumulate`; k runs over the flattened operands.

    * (put_c1) numel(source) = numel(index).
    * (put_c2) `source` has the element type of `input`.
  }];
  let arguments = (ins Fx_Tensor:$input, Fx_IndexTensor:$index, Fx_Tensor:$source,
                       DefaultValuedAttr<BoolAttr, "false">:$accumulate);
  let results = (outs Fx_Tensor:$result);
}

//===----------------------------------------------------------------------===//
// Masks and positions of true elements
//===----------------------------------------------------------------------===//

def Fx_MaskedSelectOp : Fx_Op<"masked_select", "maskedSelect(op, r)", ["aten.masked_select.default"]> {
  let summary = "the elements where a mask is true, as a vector";
  let description = [{
    y = the elements of `input` where `mask` is true, in row-major order, after both broadcast; its size is known only
    at run time.

    * (masked_select_c1) `input` and `mask` broadcast.
  }];
  let arguments = (ins Fx_Tensor:$input, Fx_BoolTensor:$mask);
  let results = (outs Fx_Tensor:$result);
}

def Fx_MaskedScatterOp : Fx_Op<"masked_scatter", "maskedScatter(op, r)", ["aten.masked_scatter.default"]> {
  let summary = "a tensor with the elements where a mask is true replaced in order";
  let description = [{
    y[i] = source[number of true elements of mask before i] where mask[i], else input[i], after `input` and `mask`
    broadcast; positions and `source` are in row-major order.

    * (masked_scatter_c1) `input` and `mask` broadcast.
    * (masked_scatter_c2) `source` has the element type of `input`.
  }];
  let arguments = (ins Fx_Tensor:$input, Fx_BoolTensor:$mask, Fx_Tensor:$source);
  let results = (outs Fx_Tensor:$result);
}

def Fx_MaskedScatterBackwardOp : Fx_Op<"masked_scatter_backward", "maskedScatterBackward(op, r)",
                                       ["aten.masked_scatter_backward.default"]> {
  let summary = "gradient of masked_scatter with respect to source";
  let description = [{
    y[k] = grad_output at the k-th true position of `mask`, 0 from there on, in the shape `sizes`.

    * (masked_scatter_backward_c1) the sizes are not negative.
  }];
  let arguments = (ins Fx_Tensor:$grad_output, Fx_BoolTensor:$mask, Variadic<Index>:$sizes,
                       DenseI64ArrayAttr:$static_sizes);
  let results = (outs Fx_Tensor:$result);
  let assemblyFormat = "$grad_output `,` $mask" # Fx_IndexingList<"sizes">.syntax
                     # "attr-dict `:` functional-type(operands, results)";
}

def Fx_NonzeroOp : Fx_Op<"nonzero", "r.result({kDynamic, Infer::rank(op.getInput())}, r.builder().getI64Type())",
                         ["aten.nonzero.default", "aten.argwhere.default"]> {
  let summary = "positions of the elements that are not zero";
  let description = [{
    y[k, d] = position in dim d of the k-th element of `input` that is not zero, in row-major order; the number of rows
    is known only at run time.
  }];
  let arguments = (ins Fx_Tensor:$input);
  let results = (outs Fx_LongTensor:$result);
}

def Fx_NonzeroStaticOp : Fx_Op<"nonzero_static", "nonzeroStatic(op, r)", ["aten.nonzero_static.default"]> {
  let summary = "positions of the first elements that are not zero";
  let description = [{
    The first `size` rows of `fx.nonzero`, filled up with rows of `fill_value`.

    * (nonzero_static_c1) `size` is one size, not negative.

    ```mlir
    %y = fx.nonzero_static %x size [6] : (tensor<4x8xf32>) -> tensor<6x2xi64>
    ```
  }];
  let arguments = (ins Fx_Tensor:$input, Variadic<Index>:$size, DenseI64ArrayAttr:$static_size,
                       DefaultValuedAttr<I64Attr, "-1">:$fill_value);
  let results = (outs Fx_LongTensor:$result);
  let assemblyFormat = "$input" # Fx_IndexingList<"size">.syntax # "attr-dict `:` functional-type(operands, results)";
}

def Fx_OneHotOp : Fx_Op<"one_hot", "oneHot(op, r)", ["aten.one_hot.default"]> {
  let summary = "one-hot vectors of class numbers";
  let description = [{
    y[.., c] = 1 if input[..] = c, else 0; with num_classes = -1 there are max(input) + 1 classes.

    * (one_hot_c1) `num_classes` is -1 or positive (0 only for an empty `input`).
  }];
  let arguments = (ins Fx_LongTensor:$input, DefaultValuedAttr<I64Attr, "-1">:$num_classes);
  let results = (outs Fx_LongTensor:$result);
}

//===----------------------------------------------------------------------===//
// Repetition and sorted search
//===----------------------------------------------------------------------===//

def Fx_RepeatInterleaveOp : Fx_Op<"repeat_interleave", "repeatInterleave(op, r)",
                                  ["aten.repeat_interleave.Tensor", "aten.repeat_interleave.self_Tensor"],
                                  [Pure, AttrSizedOperandSegments]> {
  let summary = "slices repeated as often as a tensor says";
  let description = [{
    y = slice j of `input` along `dim` repeats[j] times, for all j in order; a `repeats` of one element holds for all.
    Without `dim` the input is flattened, without `input` the slices are the numbers 0, 1, .. `output_size` is
    sum(repeats) if given.

    * (repeat_interleave_c1) `repeats` has rank 0 or 1; rank 1 without `input`.
    * (repeat_interleave_c2) `dim` is in [-rank(input), rank(input)).
    * (repeat_interleave_c3) `repeats` has one element, or as many as `input` has slices.
    * (repeat_interleave_c4) `output_size` is empty or one size, not negative.

    ```mlir
    %y = fx.repeat_interleave input %x repeats %r output_size [9] {dim = 0 : i64} : (tensor<4x8xf32>, tensor<4xi64>) -> tensor<9x8xf32>
    ```
  }];
  let arguments = (ins Optional<Fx_Tensor>:$input, Fx_IndexTensor:$repeats, OptionalAttr<I64Attr>:$dim,
                       Variadic<Index>:$output_size, DenseI64ArrayAttr:$static_output_size);
  let results = (outs Fx_Tensor:$result);
  let assemblyFormat = "(`input` $input^)? `repeats` $repeats" # Fx_IndexingList<"output_size">.syntax
                     # "attr-dict `:` functional-type(operands, results)";
}

def Fx_RepeatInterleaveIntOp : Fx_Op<"repeat_interleave_int", "repeatInterleaveInt(op, r)",
                                     ["aten.repeat_interleave.self_int"], [Pure, AttrSizedOperandSegments]> {
  let summary = "each slice repeated the same number of times";
  let description = [{
    y = each slice of `input` along `dim` `repeats` times, in order; without `dim` the input is flattened.

    * (repeat_interleave_int_c1) `repeats` is one size, not negative.
    * (repeat_interleave_int_c2) `dim` is in [-rank(input), rank(input)).
    * (repeat_interleave_int_c3) `output_size` is empty or one size, that of the result.
  }];
  let arguments = (ins Fx_Tensor:$input, Variadic<Index>:$repeats, DenseI64ArrayAttr:$static_repeats,
                       OptionalAttr<I64Attr>:$dim, Variadic<Index>:$output_size,
                       DenseI64ArrayAttr:$static_output_size);
  let results = (outs Fx_Tensor:$result);
  let assemblyFormat = "$input" # Fx_IndexingList<"repeats">.syntax # Fx_IndexingList<"output_size">.syntax
                     # "attr-dict `:` functional-type(operands, results)";
}

def Fx_BucketizeOp : Fx_Op<"bucketize", "bucketize(op, r)", ["aten.bucketize.Tensor", "aten.bucketize.Scalar"]> {
  let summary = "the bucket of each element between sorted boundaries";
  let description = [{
    y[i] = number of boundaries b with b < input[i], or b <= input[i] with `right`; i64, or i32 with `out_int32`.

    * (bucketize_c1) `boundaries` has rank 1.
  }];
  let arguments = (ins Fx_TensorOrScalar:$input, Fx_RealTensor:$boundaries,
                       DefaultValuedAttr<BoolAttr, "false">:$out_int32, DefaultValuedAttr<BoolAttr, "false">:$right);
  let results = (outs Fx_IndexTensor:$result);
}

def Fx_SearchsortedOp : Fx_Op<"searchsorted", "searchsorted(op, r)",
                              ["aten.searchsorted.Tensor", "aten.searchsorted.Scalar"]> {
  let summary = "where elements would be inserted into sorted sequences";
  let description = [{
    y[.., i] = number of elements s of the row sorted_sequence[..] with s < input[.., i], or s <= input[.., i] with
    `right` or side "right"; i64, or i32 with `out_int32`. `sorter` gives the order that sorts `sorted_sequence`.

    * (searchsorted_c1) `sorted_sequence` has rank 1, or the sizes of `input` in all dims but the last.
    * (searchsorted_c2) `side` is "left" or "right", and not "left" together with `right`.
    * (searchsorted_c3) `sorter` has the shape of `sorted_sequence`.
  }];
  let arguments = (ins Fx_RealTensor:$sorted_sequence, Fx_TensorOrScalar:$input,
                       DefaultValuedAttr<BoolAttr, "false">:$out_int32, DefaultValuedAttr<BoolAttr, "false">:$right,
                       OptionalAttr<StrAttr>:$side, Optional<Fx_LongTensor>:$sorter);
  let results = (outs Fx_IndexTensor:$result);
}

//===----------------------------------------------------------------------===//
// Writes to a view
//===----------------------------------------------------------------------===//

def Fx_AsStridedScatterOp : Fx_Op<"as_strided_scatter", "asStridedScatter(op, r)", ["aten.as_strided_scatter.default"],
                                  [Pure, AttrSizedOperandSegments]> {
  let summary = "a tensor with a strided view overwritten";
  let description = [{
    y = input, then flatten(y)[storage_offset + sum_d i_d * stride_d] = src[i]; the offset is 0 if absent.

    * (as_strided_scatter_c1) `size` and `stride` have one entry per dim of `src`.
    * (as_strided_scatter_c2) `src` has the shape `size`.
    * (as_strided_scatter_c3) `src` has the element type of `input`.
    * (as_strided_scatter_c4) `storage_offset` has at most one entry, and no entry of the lists is negative.

    ```mlir
    %y = fx.as_strided_scatter %x, %s size [2, 2] stride [1, 2] storage_offset [0] : (tensor<3x3xf32>, tensor<2x2xf32>) -> tensor<3x3xf32>
    ```
  }];
  let arguments = (ins Fx_Tensor:$input, Fx_Tensor:$src, Variadic<Index>:$size, DenseI64ArrayAttr:$static_size,
                       Variadic<Index>:$stride, DenseI64ArrayAttr:$static_stride,
                       Variadic<Index>:$storage_offset, DenseI64ArrayAttr:$static_storage_offset);
  let results = (outs Fx_Tensor:$result);
  let assemblyFormat = "$input `,` $src" # Fx_IndexingList<"size">.syntax # Fx_IndexingList<"stride">.syntax
                     # Fx_IndexingList<"storage_offset">.syntax # "attr-dict `:` functional-type(operands, results)";
}

def Fx_DiagonalScatterOp : Fx_Op<"diagonal_scatter", "diagonalScatter(op, r)", ["aten.diagonal_scatter.default"]> {
  let summary = "a tensor with a diagonal overwritten";
  let description = [{
    y = input, then y[.., i, .., i + offset, ..] = src[.., i] with i in `dim1` and i + offset in `dim2`.

    * (diagonal_scatter_c1) `dim1` and `dim2` are different dims of `input`.
    * (diagonal_scatter_c2) `src` has the shape of the diagonal.
    * (diagonal_scatter_c3) `src` has the element type of `input`.
  }];
  let arguments = (ins Fx_Tensor:$input, Fx_Tensor:$src, DefaultValuedAttr<I64Attr, "0">:$offset,
                       DefaultValuedAttr<I64Attr, "0">:$dim1, DefaultValuedAttr<I64Attr, "1">:$dim2);
  let results = (outs Fx_Tensor:$result);
}

def Fx_SelectScatterOp : Fx_Op<"select_scatter", "selectScatter(op, r)", ["aten.select_scatter.default"]> {
  let summary = "a tensor with one slice overwritten";
  let description = [{
    y = input, then y[.., index, ..] = src with `index` in `dim`; a negative index counts from the end.

    * (select_scatter_c1) `dim` is a dim of `input`.
    * (select_scatter_c2) `src` has the shape of `input` without `dim`.
    * (select_scatter_c3) `src` has the element type of `input`.
    * (select_scatter_c4) `index` is one number in [-size(input, dim), size(input, dim)).

    ```mlir
    %y = fx.select_scatter %x, %s dim 0 index [2] : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
    ```
  }];
  let arguments = (ins Fx_Tensor:$input, Fx_Tensor:$src, I64Attr:$dim, Variadic<Index>:$index,
                       DenseI64ArrayAttr:$static_index);
  let results = (outs Fx_Tensor:$result);
  let assemblyFormat = "$input `,` $src `dim` $dim" # Fx_IndexingList<"index">.syntax
                     # "attr-dict `:` functional-type(operands, results)";
}

def Fx_SliceScatterOp : Fx_Op<"slice_scatter", "sliceScatter(op, r)", ["aten.slice_scatter.default"],
                              [Pure, AttrSizedOperandSegments]> {
  let summary = "a tensor with a range of slices overwritten";
  let description = [{
    y = input, then y[.., start:end:step, ..] = src along `dim`; absent bounds are the ends of the dim, negative ones
    count from its end, and both are clamped to it.

    * (slice_scatter_c1) `dim` is a dim of `input`.
    * (slice_scatter_c2) `src` broadcasts to the shape of the range.
    * (slice_scatter_c3) `src` has the element type of `input`.
    * (slice_scatter_c4) `step` is one positive number; `start` and `end` have at most one entry.

    ```mlir
    %y = fx.slice_scatter %x, %s dim 0 start [1] end [3] step [1] : (tensor<4x8xf32>, tensor<2x8xf32>) -> tensor<4x8xf32>
    ```
  }];
  let arguments = (ins Fx_Tensor:$input, Fx_Tensor:$src, DefaultValuedAttr<I64Attr, "0">:$dim, Variadic<Index>:$start,
                       DenseI64ArrayAttr:$static_start, Variadic<Index>:$end, DenseI64ArrayAttr:$static_end,
                       Variadic<Index>:$step, DenseI64ArrayAttr:$static_step);
  let results = (outs Fx_Tensor:$result);
  let assemblyFormat = "$input `,` $src `dim` $dim" # Fx_IndexingList<"start">.syntax # Fx_IndexingList<"end">.syntax
                     # Fx_IndexingList<"step">.syntax # "attr-dict `:` functional-type(operands, results)";
  let hasFolder = 1;
}

//===----------------------------------------------------------------------===//
// Triangles
//===----------------------------------------------------------------------===//

/// Keeps one triangle of the last two dims.
class Fx_Triangle<string mnemonic> : Fx_Op<mnemonic, "triangle(op, r)", ["aten." # mnemonic # ".default"]> {
  let arguments = (ins Fx_Tensor:$input, Variadic<Index>:$diagonal, DenseI64ArrayAttr:$static_diagonal);
  let results = (outs Fx_Tensor:$result);
  let assemblyFormat = "$input" # Fx_IndexingList<"diagonal">.syntax
                     # "attr-dict `:` functional-type(operands, results)";
}

def Fx_TrilOp : Fx_Triangle<"tril"> {
  let summary = "lower triangle of the last two dims";
  let description = [{
    y[.., i, j] = input[.., i, j] if j - i <= diagonal, else 0.

    * (tril_c1) `input` has rank 2 or more.
    * (tril_c2) `diagonal` is one number.

    ```mlir
    %y = fx.tril %x diagonal [0] : (tensor<4x4xf32>) -> tensor<4x4xf32>
    ```
  }];
}

def Fx_TriuOp : Fx_Triangle<"triu"> {
  let summary = "upper triangle of the last two dims";
  let description = [{ y[.., i, j] = input[.., i, j] if j - i >= diagonal, else 0. Constraints of `fx.tril`. }];
}

/// Positions of one triangle of a row x col matrix, as the two rows of the result.
///
///   * (tril_indices_c1) `row` and `col` are in [0, 2^31).
///   * (tril_indices_c2) `dtype` is an element type of fx tensors.
class Fx_TriangleIndices<string mnemonic, string lower>
    : Fx_Op<mnemonic, "triangleIndices(op, " # lower # ", r)", ["aten." # mnemonic # ".default"]> {
  let arguments = (ins I64Attr:$row, I64Attr:$col, DefaultValuedAttr<I64Attr, "0">:$offset,
                       OptionalAttr<TypeAttr>:$dtype);
  let results = (outs Fx_Tensor:$result);
  let assemblyFormat = "`row` $row `col` $col attr-dict `:` type($result)";
}

def Fx_TrilIndicesOp : Fx_TriangleIndices<"tril_indices", "/*lower=*/true"> {
  let summary = "positions of a lower triangle";
  let description = [{
    y[0, k], y[1, k] = row and column of the k-th element with column - row <= offset, in row-major order; i64 unless
    `dtype` is given.

    * (tril_indices_c1) `row` and `col` are in [0, 2^31).
    * (tril_indices_c2) `dtype` is an element type of fx tensors.

    ```mlir
    %y = fx.tril_indices row 3 col 3 : tensor<2x6xi64>
    ```
  }];
}

def Fx_TriuIndicesOp : Fx_TriangleIndices<"triu_indices", "/*lower=*/false"> {
  let summary = "positions of an upper triangle";
  let description = [{
    y[0, k], y[1, k] = row and column of the k-th element with column - row >= offset, in row-major order; i64 unless
    `dtype` is given. Constraints tril_indices_c1, tril_indices_c2.
  }];
}

//===----------------------------------------------------------------------===//
// Embeddings
//===----------------------------------------------------------------------===//

def Fx_EmbeddingOp : Fx_Op<"embedding", "embedding(op, r)", ["aten.embedding.default"]> {
  let summary = "rows of a table";
  let description = [{
    y[.., j] = weight[indices[..], j]. Row `padding_idx` (none if negative) gets no gradient; `scale_grad_by_freq`
    divides gradients by the number of times that a row is used; `sparse` asks for a sparse gradient.

    * (embedding_c1) `weight` has rank 2.
    * (embedding_c2) `padding_idx` is one number.

    ```mlir
    %y = fx.embedding %w, %i padding_idx [-1] : (tensor<100x16xf32>, tensor<2x7xi64>) -> tensor<2x7x16xf32>
    ```
  }];
  let arguments = (ins Fx_Tensor:$weight, Fx_IndexTensor:$indices, Variadic<Index>:$padding_idx,
                       DenseI64ArrayAttr:$static_padding_idx, DefaultValuedAttr<BoolAttr, "false">:$scale_grad_by_freq,
                       DefaultValuedAttr<BoolAttr, "false">:$sparse);
  let results = (outs Fx_Tensor:$result);
  let assemblyFormat = "$weight `,` $indices" # Fx_IndexingList<"padding_idx">.syntax
                     # "attr-dict `:` functional-type(operands, results)";
}

def Fx_EmbeddingDenseBackwardOp : Fx_Op<"embedding_dense_backward", "embeddingDenseBackward(op, r)",
                                        ["aten.embedding_dense_backward.default"], [Pure, AttrSizedOperandSegments]> {
  let summary = "gradient of embedding with respect to the table";
  let description = [{
    y[v, j] = sum of grad_output[.., j] over the positions where indices[..] = v, 0 for v = padding_idx; divided by the
    number of those positions with `scale_grad_by_freq`.

    * (embedding_dense_backward_c1) `grad_output` has the shape of `indices` and one dim more.
    * (embedding_dense_backward_c2) `num_weights` is one size, not negative, and `padding_idx` one number.

    ```mlir
    %y = fx.embedding_dense_backward %g, %i num_weights [100] padding_idx [-1] : (tensor<2x7x16xf32>, tensor<2x7xi64>) -> tensor<100x16xf32>
    ```
  }];
  let arguments = (ins Fx_Tensor:$grad_output, Fx_IndexTensor:$indices, Variadic<Index>:$num_weights,
                       DenseI64ArrayAttr:$static_num_weights, Variadic<Index>:$padding_idx,
                       DenseI64ArrayAttr:$static_padding_idx, DefaultValuedAttr<BoolAttr, "false">:$scale_grad_by_freq);
  let results = (outs Fx_Tensor:$result);
  let assemblyFormat = "$grad_output `,` $indices" # Fx_IndexingList<"num_weights">.syntax
                     # Fx_IndexingList<"padding_idx">.syntax # "attr-dict `:` functional-type(operands, results)";
}

def Fx_EmbeddingBagOp : Fx_Op<"embedding_bag", "embeddingBag(op, r)",
                              ["aten._embedding_bag.default", "aten._embedding_bag_forward_only.default",
                               "aten.embedding_bag.default", "aten.embedding_bag.padding_idx"]> {
  let summary = "reductions over bags of rows of a table";
  let description = [{
    output[b, j] = sum (mode 0), mean (1) or max (2) of per_sample_weights[k] * weight[indices[k], j] over the k in
    [offsets[b], offsets[b + 1]), the last bag ending at size(indices), or at the last offset with
    `include_last_offset`. Rows `padding_idx` are skipped; absent or negative: none.

    The other results are for the backward op: the bag of each index (empty where the backend does not need it), the
    sizes of the bags, and the position of each maximum. Their sizes depend on the backend, so some are `?`.

    * (embedding_bag_c1) `weight` has rank 2, `indices` and `offsets` rank 1.
    * (embedding_bag_c2) `mode` is 0, 1 or 2.
    * (embedding_bag_c3) `per_sample_weights` has the shape of `indices`, and `mode` is 0 with it.
    * (embedding_bag_c4) `offsets` is not empty with `include_last_offset`.
  }];
  let arguments = (ins Fx_FloatTensor:$weight, Fx_IndexTensor:$indices, Fx_IndexTensor:$offsets,
                       DefaultValuedAttr<BoolAttr, "false">:$scale_grad_by_freq, DefaultValuedAttr<I64Attr, "0">:$mode,
                       DefaultValuedAttr<BoolAttr, "false">:$sparse, Optional<Fx_FloatTensor>:$per_sample_weights,
                       DefaultValuedAttr<BoolAttr, "false">:$include_last_offset, OptionalAttr<I64Attr>:$padding_idx);
  let results = (outs Fx_FloatTensor:$output, Fx_IndexTensor:$offset2bag, Fx_IndexTensor:$bag_size,
                      Fx_IndexTensor:$max_indices);
}

/// Gradient of embedding_bag with respect to the table.
///
///   * (embedding_bag_backward_c1) `grad` has rank 2.
///   * (embedding_bag_backward_c2) `num_weights` is one size, not negative.
///   * (embedding_bag_backward_c3) `mode` is 0, 1 or 2, and `sparse` false.
class Fx_EmbeddingBagBackward<string mnemonic, string infer, list<string> aten, dag offsets, dag sparse>
    : Fx_Op<mnemonic, infer, aten, [Pure, AttrSizedOperandSegments]> {
  let arguments = !con((ins Fx_FloatTensor:$grad, Fx_IndexTensor:$indices), offsets,
                       (ins Fx_IndexTensor:$offset2bag, Fx_IndexTensor:$bag_size, Fx_IndexTensor:$maximum_indices,
                            Variadic<Index>:$num_weights, DenseI64ArrayAttr:$static_num_weights,
                            BoolAttr:$scale_grad_by_freq, I64Attr:$mode),
                       sparse,
                       (ins Optional<Fx_FloatTensor>:$per_sample_weights,
                            DefaultValuedAttr<I64Attr, "-1">:$padding_idx));
  let results = (outs Fx_FloatTensor:$result);
}

def Fx_EmbeddingBagBackwardOp : Fx_EmbeddingBagBackward<"embedding_bag_backward",
                                                        "embeddingBagBackward(op, op.getSparse(), r)",
                                                        ["aten._embedding_bag_backward.default"],
                                                        (ins Fx_IndexTensor:$offsets), (ins BoolAttr:$sparse)> {
  let summary = "gradient of embedding_bag with respect to the table";
  let description = [{
    y[v, j] = sum over bags b and positions k of b with indices[k] = v of the derivative of output[b, j] times
    grad[b, j]; 0 for v = padding_idx.

    * (embedding_bag_backward_c1) `grad` has rank 2.
    * (embedding_bag_backward_c2) `num_weights` is one size, not negative.
    * (embedding_bag_backward_c3) `mode` is 0, 1 or 2, and `sparse` false.
  }];
  let assemblyFormat = "$grad `,` $indices `,` $offsets `,` $offset2bag `,` $bag_size `,` $maximum_indices"
                     # " (`weights` $per_sample_weights^)?" # Fx_IndexingList<"num_weights">.syntax
                     # "`mode` $mode attr-dict `:` functional-type(operands, results)";
}

def Fx_EmbeddingBagDenseBackwardOp : Fx_EmbeddingBagBackward<"embedding_bag_dense_backward",
                                                             "embeddingBagBackward(op, /*sparse=*/false, r)",
                                                             ["aten._embedding_bag_dense_backward.default"], (ins),
                                                             (ins)> {
  let summary = "dense gradient of embedding_bag with respect to the table";
  let description = [{ As `fx.embedding_bag_backward`, with the bag of each index given by `offset2bag` alone. }];
  let assemblyFormat = "$grad `,` $indices `,` $offset2bag `,` $bag_size `,` $maximum_indices"
                     # " (`weights` $per_sample_weights^)?" # Fx_IndexingList<"num_weights">.syntax
                     # "`mode` $mode attr-dict `:` functional-type(operands, results)";
}

def Fx_EmbeddingBagPerSampleWeightsBackwardOp
    : Fx_Op<"embedding_bag_per_sample_weights_backward",
            "r.result(Infer::shape(op.getIndices()), Infer::element(op.getGrad()))",
            ["aten._embedding_bag_per_sample_weights_backward.default"]> {
  let summary = "gradient of embedding_bag with respect to the weights of the samples";
  let description = [{ y[k] = sum_j grad[bag of k, j] * weight[indices[k], j]; 0 where indices[k] = padding_idx. }];
  let arguments = (ins Fx_FloatTensor:$grad, Fx_FloatTensor:$weight, Fx_IndexTensor:$indices, Fx_IndexTensor:$offsets,
                       Fx_IndexTensor:$offset2bag, I64Attr:$mode, DefaultValuedAttr<I64Attr, "-1">:$padding_idx);
  let results = (outs Fx_FloatTensor:$result);
}

#endif // FX_INDEXING_OPS_TD
