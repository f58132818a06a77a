//===- FxShapeOps.td - views and shape changes ----------------------------===//
//
// Views are values here: an op that aliases its input in PyTorch gives a new
// tensor with the same elements, and the copying twin (`view_copy`) is the same
// op. Strides do not exist; where ATen reads memory (`as_strided`, `resize`) it
// is the memory of a contiguous input. Creation: FxCreationOps.td.
//
//===----------------------------------------------------------------------===//

#ifndef FX_SHAPE_OPS_TD
#define FX_SHAPE_OPS_TD

include "fx/FxCreationOps.td"
include "fx/FxShapeClasses.td"

//===----------------------------------------------------------------------===//
// The same elements in another shape
//===----------------------------------------------------------------------===//

def Fx_FlattenOp : Fx_InputOp<"flatten", "`dims` $start_dim `to` $end_dim",
    ["aten.flatten.using_ints", "aten.ravel.default",
     "prims.collapse_view.default(input=a, start_dim=start, end_dim=end)",
     "prims.collapse.default(input=a, start_dim=start, end_dim=end)"]> {
  let summary = "several neighbouring dims as one";
  let description = [{
    y has the dims `start_dim` .. `end_dim` (inclusive) of `input` as one dim of their product. A
    tensor of rank 0 becomes rank 1.

    * (flatten_c1) both dims are in [-rank, rank).
    * (flatten_c2) start_dim <= end_dim, both counted from 0.

    ```mlir
    %y = fx.flatten %x dims 1 to -1 : (tensor<?x4x8xf32>) -> tensor<?x32xf32>
    ```
  }];
  let arguments = (ins Fx_Tensor:$input, Fx_IntByDefault<"0">:$start_dim, Fx_IntByDefault<"-1">:$end_dim);
  let hasFolder = 1;
}

def Fx_SplitDimOp : Fx_InputOp<"split_dim", "`dim` $dim custom<DynamicIndexList>($outer_length, $static_outer_length)",
    ["prims.split_dim.default(input=a)"]> {
  let summary = "one dim as two";
  let description = [{
    y has dim `dim`, of size n, as two dims of sizes `outer_length` and n / outer_length.

    * (split_dim_c1) dim is in [0, rank).
    * (split_dim_c2) outer_length divides the size of the dim.

    ```mlir
    %y = fx.split_dim %x dim 0 [2] : (tensor<8xf32>) -> tensor<2x4xf32>
    ```
  }];
  let arguments = (ins Fx_Tensor:$input, I64Attr:$dim, Variadic<Index>:$outer_length,
                       DenseI64ArrayAttr:$static_outer_length);
}

def Fx_SqueezeOp : Fx_InputOp<"squeeze", "(`dims` $dim^)?",
    ["aten.squeeze.default", "aten.squeeze.dim", "aten.squeeze.dims", "aten.squeeze_copy.default",
     "aten.squeeze_copy.dim", "aten.squeeze_copy.dims", "prims.squeeze.default(input=a, dim=dimensions)"]> {
  let summary = "without dims of size 1";
  let description = [{
    y lacks those dims among `dim` (every dim if absent) whose size is 1. A size of `?` is never 1
    here: torch.export specialises sizes of 0 and 1.

    * (squeeze_c1) each dim is in [-rank, rank), none twice.

    ```mlir
    %y = fx.squeeze %x dims [0, 2] : (tensor<1x4x1x1xf32>) -> tensor<4x1xf32>
    ```
  }];
  let arguments = (ins Fx_Tensor:$input, OptionalAttr<DenseI64ArrayAttr>:$dim);
  let hasFolder = 1;
}

def Fx_UnflattenOp : Fx_InputOp<"unflatten", "`dim` $dim custom<DynamicIndexList>($sizes, $static_sizes)",
    ["aten.unflatten.int"]> {
  let summary = "one dim as several";
  let description = [{
    y has dim `dim` as dims of the given `sizes`; one of them may be -1.

    * (unflatten_c1) dim is in [-rank, rank).
    * (unflatten_c2) the product of `sizes` is the size of the dim.
    * (unflatten_c3) at most one size is -1, none is less.

    ```mlir
    %y = fx.unflatten %x dim 1 [4, -1] : (tensor<?x32xf32>) -> tensor<?x4x8xf32>
    ```
  }];
  let arguments = (ins Fx_Tensor:$input, I64Attr:$dim, Variadic<Index>:$sizes, DenseI64ArrayAttr:$static_sizes);
}

def Fx_UnsqueezeOp : Fx_InputOp<"unsqueeze", "`dim` $dim", ["aten.unsqueeze.default", "aten.unsqueeze_copy.default"]> {
  let summary = "with a new dim of size 1";
  let description = [{
    y has a dim of size 1 at `dim`.

    * (unsqueeze_c1) dim is in [-rank - 1, rank].
  }];
  let arguments = (ins Fx_Tensor:$input, I64Attr:$dim);
}

def Fx_ViewAsOp : Fx_LikeOp<"view_as", ["aten.view_as.default", "aten.reshape_as.default"]> {
  let summary = "the same elements in the shape of another tensor";
  let description = [{
    y holds the elements of `input` in row-major order in the shape of `other`.

    * (view_as_c1) numel(other) = numel(input).
  }];
}

def Fx_ViewDtypeOp : Fx_InputOp<"view_dtype", "`as` $dtype",
    ["aten.view.dtype", "aten.view_copy.dtype", "prims.view_element_type.default(input=a)"]> {
  let summary = "the same bits as another element type";
  let description = [{
    y has the bytes of `input` as elements of type `dtype`; the last size scales with the ratio of
    the widths (i1 takes a byte).

    * (view_dtype_c1) `dtype` is an element type.
    * (view_dtype_c2) where the widths differ, the rank is at least 1.
    * (view_dtype_c3) where `dtype` is wider, the ratio divides the last size.

    ```mlir
    %y = fx.view_dtype %x as i16 : (tensor<4x8xf32>) -> tensor<4x16xi16>
    ```
  }];
  let arguments = (ins Fx_Tensor:$input, TypeAttr:$dtype);
  let hasFolder = 1;
}

def Fx_ViewOp : Fx_InputOp<"view", "custom<DynamicIndexList>($size, $static_size)",
    ["aten.view.default", "aten.reshape.default(size=shape)", "aten.view_copy.default", "aten._unsafe_view.default",
     "prims.reshape.default(input=a, size=shape)"]> {
  let summary = "the same elements in another shape";
  let description = [{
    y holds the elements of `input` in row-major order in the shape `size`; one size may be -1.

    * (view_c1) numel(size) = numel(input).
    * (view_c2) at most one size is -1, none is less; beside a -1 no size is 0.

    ```mlir
    %y = fx.view %x [%n, 64] : (tensor<?x8x8xf32>) -> tensor<?x64xf32>
    ```
  }];
  let arguments = (ins Fx_Tensor:$input, Variadic<Index>:$size, DenseI64ArrayAttr:$static_size);
  let hasFolder = 1;
}

//===----------------------------------------------------------------------===//
// Dims in another order
//===----------------------------------------------------------------------===//

def Fx_AdjointOp : Fx_InputOp<"adjoint", "", ["aten.adjoint.default", "aten.mH.default", "aten.matrix_H.default"]> {
  let summary = "conjugate transpose of matrices";
  let description = [{
    y[.., i, j] = conj(input[.., j, i]).

    * (adjoint_c1) the rank is 0 or at least 2.
  }];
  let hasCanonicalizeMethod = 1;
}

def Fx_MovedimOp : Fx_InputOp<"movedim", "$source `to` $destination",
    ["aten.movedim.int", "aten.movedim.intlist", "aten.moveaxis.int", "aten.moveaxis.intlist"]> {
  let summary = "some dims moved to other positions";
  let description = [{
    Dim source[k] of `input` is dim destination[k] of y; the others keep their order.

    * (movedim_c1) `source` and `destination` have equal lengths.
    * (movedim_c2) their entries are in [-rank, rank), none twice.

    ```mlir
    %y = fx.movedim %x [0] to [2] : (tensor<2x3x4xf32>) -> tensor<3x4x2xf32>
    ```
  }];
  let arguments = (ins Fx_Tensor:$input, DenseI64ArrayAttr:$source, DenseI64ArrayAttr:$destination);
  let hasCanonicalizeMethod = 1;
}

def Fx_NumpyTOp : Fx_InputOp<"numpy_T", "", ["aten.numpy_T.default"]> {
  let summary = "all dims in reverse order";
  let description = [{ y[i0, .., in] = input[in, .., i0]. }];
  let hasCanonicalizeMethod = 1;
}

def Fx_PermuteOp : Fx_InputOp<"permute", "$dims",
    ["aten.permute.default", "aten.permute_copy.default", "prims.transpose.default(input=a, dims=permutation)"]> {
  let summary = "dims in another order";
  let description = [{
    Dim k of y is dim dims[k] of `input`.

    * (permute_c1) `dims` has one entry per dim.
    * (permute_c2) its entries are in [-rank, rank), none twice.

    ```mlir
    %y = fx.permute %x [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
    ```
  }];
  let arguments = (ins Fx_Tensor:$input, DenseI64ArrayAttr:$dims);
  let hasFolder = 1;
}

def Fx_TOp : Fx_InputOp<"t", "", ["aten.t.default", "aten.t_copy.default"]> {
  let summary = "transpose of a matrix";
  let description = [{
    y[i, j] = input[j, i]; a vector or a number is itself.

    * (t_c1) the rank is at most 2.
  }];
  let hasFolder = 1;
  let hasCanonicalizeMethod = 1;
}

def Fx_TransposeOp : Fx_InputOp<"transpose", "$dim0 `,` $dim1",
    ["aten.transpose.int", "aten.transpose_copy.int", "aten.swapaxes.default(dim0=axis0, dim1=axis1)",
     "aten.swapdims.default", "aten.mT.default(dim0=#-2, dim1=#-1)"]> {
  let summary = "two dims exchanged";
  let description = [{
    y is `input` with the dims `dim0` and `dim1` exchanged.

    * (transpose_c1) both dims are in [-rank, rank).

    ```mlir
    %y = fx.transpose %x -2, -1 : (tensor<?x2x3xf32>) -> tensor<?x3x2xf32>
    ```
  }];
  let arguments = (ins Fx_Tensor:$input, I64Attr:$dim0, I64Attr:$dim1);
  let hasFolder = 1;
  let hasCanonicalizeMethod = 1;
}

def Fx_FlipOp : Fx_InputOp<"flip", "$dims", ["aten.flip.default", "prims.rev.default(input=a)"]> {
  let summary = "elements in reverse order along some dims";
  let description = [{
    y[.., i, ..] = input[.., n - 1 - i, ..] along each dim of `dims`.

    * (flip_c1) each dim is in [-rank, rank), none twice.
  }];
  let arguments = (ins Fx_Tensor:$input, DenseI64ArrayAttr:$dims);
  let hasFolder = 1;
}

def Fx_RollOp : Fx_InputOp<"roll", "custom<DynamicIndexList>($shifts, $static_shifts) (`dims` $dims^)?", ["aten.roll.default"]> {
  let summary = "elements moved round along some dims";
  let description = [{
    y[.., (i + shift) mod n, ..] = input[.., i, ..] along each dim of `dims` with its shift. Without
    `dims` the flattened tensor is rolled.

    * (roll_c1) one shift per dim; one shift without dims.
    * (roll_c2) each dim is in [-rank, rank).

    ```mlir
    %y = fx.roll %x[1, %n] dims [0, 1] : (tensor<4x8xf32>) -> tensor<4x8xf32>
    ```
  }];
  let arguments = (ins Fx_Tensor:$input, Variadic<Index>:$shifts, DenseI64ArrayAttr:$static_shifts,
                       OptionalAttr<DenseI64ArrayAttr>:$dims);
}

def Fx_Rot90Op : Fx_InputOp<"rot90", "`times` $k `dims` $dims", ["aten.rot90.default"]> {
  let summary = "rotation in the plane of two dims";
  let description = [{
    y is `input` turned `k` times by 90 degrees from the first of `dims` towards the second.

    * (rot90_c1) `dims` has two entries.
    * (rot90_c2) they are in [-rank, rank) and differ.

    ```mlir
    %y = fx.rot90 %x times 1 dims [0, 1] : (tensor<2x3xf32>) -> tensor<3x2xf32>
    ```
  }];
  let arguments = (ins Fx_Tensor:$input, Fx_IntByDefault<"1">:$k, DefaultValuedAttr<DenseI64ArrayAttr, "{0, 1}">:$dims);
}

//===----------------------------------------------------------------------===//
// Broadcasting and repetition
//===----------------------------------------------------------------------===//

def Fx_BroadcastInDimOp : Fx_InputOp<"broadcast_in_dim",
    "custom<DynamicIndexList>($shape, $static_shape) `dims` $broadcast_dimensions",
    ["prims.broadcast_in_dim.default(input=a)"]> {
  let summary = "repeated along new dims and dims of size 1";
  let description = [{
    Dim k of `input` is dim broadcast_dimensions[k] of y, where its size is kept or was 1; y repeats
    along the others.

    * (broadcast_in_dim_c1) one entry of `broadcast_dimensions` per dim of `input`, strictly
      increasing, in [0, rank(shape)).
    * (broadcast_in_dim_c2) size k is 1 or shape[broadcast_dimensions[k]].

    ```mlir
    %y = fx.broadcast_in_dim %x[2, 4] dims [1] : (tensor<4xf32>) -> tensor<2x4xf32>
    ```
  }];
  let arguments = (ins Fx_Tensor:$input, Variadic<Index>:$shape, DenseI64ArrayAttr:$static_shape,
                       DenseI64ArrayAttr:$broadcast_dimensions);
}

def Fx_ExpandAsOp : Fx_LikeOp<"expand_as", ["aten.expand_as.default"]> {
  let summary = "broadcast to the shape of another tensor";
  let description = [{
    y is `input` broadcast to the shape of `other`.

    * (expand_as_c1) rank(other) >= rank(input).
    * (expand_as_c2) each size of `input` is 1 or the size of `other`, counted from the last.
  }];
}

def Fx_ExpandOp : Fx_InputOp<"expand", "custom<DynamicIndexList>($size, $static_size)",
    ["aten.expand.default", "aten.expand_copy.default", "aten.broadcast_to.default"]> {
  let summary = "broadcast to a shape";
  let description = [{
    y is `input` broadcast to `size`; -1 keeps the size of a dim.

    * (expand_c1) `size` has at least one entry per dim.
    * (expand_c2) each size of `input` is 1 or that of `size`, counted from the last.
    * (expand_c3) no size is below -1, and no new dim is -1.

    ```mlir
    %y = fx.expand %x[%n, -1, 8] : (tensor<4x1xf32>) -> tensor<?x4x8xf32>
    ```
  }];
  let arguments = (ins Fx_Tensor:$input, Variadic<Index>:$size, DenseI64ArrayAttr:$static_size);
  let hasFolder = 1;
}

def Fx_MeshgridOp : Fx_Op<"meshgrid", "inferTypes(op, r)", ["aten.meshgrid.default", "aten.meshgrid.indexing"]> {
  let summary = "coordinates of a grid";
  let description = [{
    results[k][i0, .., in] = tensors[k][ik]. With `indexing` "xy" the first two dims of every result
    are exchanged.

    * (meshgrid_c1) there is a tensor, and each has rank 0 or 1.
    * (meshgrid_c2) the tensors have one element type.
    * (meshgrid_c3) `indexing` is "ij" or "xy".
  }];
  let arguments = (ins Variadic<Fx_Tensor>:$tensors, DefaultValuedStrAttr<StrAttr, "ij">:$indexing);
  let results = (outs Variadic<Fx_Tensor>:$results);
  let assemblyFormat = "$tensors $indexing attr-dict `:` functional-type($tensors, $results)";
}

def Fx_RepeatOp : Fx_InputOp<"repeat", "custom<DynamicIndexList>($repeats, $static_repeats)",
    ["aten.repeat.default", "aten.tile.default(repeats=dims)"]> {
  let summary = "the whole tensor several times along each dim";
  let description = [{
    y[.., i, ..] = input[.., i mod n, ..]; size k of y is repeats[k] times size k of `input`, counted
    from the last. The shorter list of the two is continued with 1 in front.

    * (repeat_c1) no repeat is negative.

    ```mlir
    %y = fx.repeat %x[2, 1, %n] : (tensor<3x4xf32>) -> tensor<2x3x?xf32>
    ```
  }];
  let arguments = (ins Fx_Tensor:$input, Variadic<Index>:$repeats, DenseI64ArrayAttr:$static_repeats);
  let hasFolder = 1;
}

//===----------------------------------------------------------------------===//
// Parts
//===----------------------------------------------------------------------===//

def Fx_AsStridedOp : Fx_InputOp<"as_strided", [{
      `size` custom<DynamicIndexList>($size, $static_size) `stride` custom<DynamicIndexList>($stride, $static_stride)
      `offset` custom<DynamicIndexList>($storage_offset, $static_storage_offset)}],
    ["aten.as_strided.default", "aten.as_strided_copy.default", "prims.as_strided.default(input=a)"],
    [AttrSizedOperandSegments]> {
  let summary = "elements of the contiguous input by strides";
  let description = [{
    y[i0, .., in] = flat(input)[storage_offset + sum_k stride[k] * ik], where flat(input) is `input` in
    row-major order. An absent `storage_offset` is 0.

    * (as_strided_c1) `size` and `stride` have equal lengths; no entry is negative.
    * (as_strided_c2) `storage_offset` has at most one entry, and it is not negative.
    * (as_strided_c3) every element that is read exists.

    ```mlir
    %y = fx.as_strided %x size [2, 3] stride [1, 2] offset [1] : (tensor<8xf32>) -> tensor<2x3xf32>
    ```
  }];
  let arguments = (ins Fx_Tensor:$input, Variadic<Index>:$size, DenseI64ArrayAttr:$static_size,
                       Variadic<Index>:$stride, DenseI64ArrayAttr:$static_stride,
                       Variadic<Index>:$storage_offset, Fx_ListOrNone:$static_storage_offset);
}

def Fx_ChunkOp : Fx_OpBase<"chunk", ["aten.chunk.default", "aten.unsafe_chunk.default"], [Pure]> {
  let summary = "a given number of parts along a dim";
  let description = [{
    The dim of size n in parts of size s = ceil(n / chunks), the last one smaller: ceil(n / s) parts,
    or `chunks` parts where n is 0.

    * (chunk_c1) dim is in [-rank, rank), and the rank is at least 1.
    * (chunk_c2) chunks > 0.
    * (chunk_c3) the number of results and their types follow; where n is unknown, results agree
      with `input` in the other dims.

    ```mlir
    %a, %b = fx.chunk %x into 2 dim 1 : (tensor<4x7xf32>) -> (tensor<4x4xf32>, tensor<4x3xf32>)
    ```
  }];
  let arguments = (ins Fx_Tensor:$input, I64Attr:$chunks, Fx_IntByDefault<"0">:$dim);
  let results = (outs Variadic<Fx_Tensor>:$results);
  let assemblyFormat = "$input `into` $chunks `dim` $dim attr-dict `:` functional-type($input, $results)";
  let hasVerifier = 1;
}

def Fx_DiagonalOp : Fx_InputOp<"diagonal", "`offset` $offset `dims` $dim1 `,` $dim2",
    ["aten.diagonal.default", "aten.diagonal_copy.default"]> {
  let summary = "diagonal of two dims";
  let description = [{
    y[.., k] = input[.., i, .., j, ..] with i = k + max(-offset, 0) in dim1 and j = k + max(offset, 0)
    in dim2; the diagonal is the last dim of y.

    * (diagonal_c1) both dims are in [-rank, rank) and differ.

    ```mlir
    %y = fx.diagonal %x offset 1 dims 0, 1 : (tensor<3x4x5xf32>) -> tensor<5x3xf32>
    ```
  }];
  let arguments = (ins Fx_Tensor:$input, Fx_IntByDefault<"0">:$offset, Fx_IntByDefault<"0">:$dim1,
                       Fx_IntByDefault<"1">:$dim2);
}

def Fx_NarrowOp : Fx_InputOp<"narrow", [{
      `dim` $dim `from` custom<DynamicIndexList>($start, $static_start) `length` custom<DynamicIndexList>($length, $static_length)}],
    ["aten.narrow.default", "aten.narrow_copy.default"], [AttrSizedOperandSegments]> {
  let summary = "a range of one dim, by its length";
  let description = [{
    y[.., i, ..] = input[.., start + i, ..] for 0 <= i < length; a negative `start` counts from the end.

    * (narrow_c1) dim is in [-rank, rank), and the rank is at least 1.
    * (narrow_c2) length >= 0, and the range lies in the dim.

    ```mlir
    %y = fx.narrow %x dim 0 from [%i] length [2] : (tensor<8x4xf32>) -> tensor<2x4xf32>
    ```
  }];
  let arguments = (ins Fx_Tensor:$input, I64Attr:$dim, Variadic<Index>:$start, DenseI64ArrayAttr:$static_start,
                       Variadic<Index>:$length, DenseI64ArrayAttr:$static_length);
}

def Fx_SelectOp : Fx_InputOp<"select", "`dim` $dim custom<DynamicIndexList>($index, $static_index)",
    ["aten.select.int", "aten.select_copy.int"]> {
  let summary = "one index of a dim";
  let description = [{
    y lacks dim `dim`: y[.., ..] = input[.., index, ..]; a negative index counts from the end.

    * (select_c1) dim is in [-rank, rank), and the rank is at least 1.
    * (select_c2) index is in [-size, size).

    ```mlir
    %y = fx.select %x dim 1 [-1] : (tensor<4x8xf32>) -> tensor<4xf32>
    ```
  }];
  let arguments = (ins Fx_Tensor:$input, I64Attr:$dim, Variadic<Index>:$index, DenseI64ArrayAttr:$static_index);
  let hasFolder = 1;
}

def Fx_SliceOp : Fx_InputOp<"slice", [{
      `dim` $dim custom<DynamicIndexList>($start, $static_start) `to` custom<DynamicIndexList>($end, $static_end)
      `step` custom<DynamicIndexList>($step, $static_step)}],
    ["aten.slice.Tensor", "aten.slice_copy.Tensor"], [AttrSizedOperandSegments]> {
  let summary = "a range of one dim";
  let description = [{
    y[.., i, ..] = input[.., start + i * step, ..] up to but without `end`. A negative start or end
    counts from the end; both are then clamped to [0, n], and `end` to at least `start`: the size is
    ceil((end - start) / step). An absent start is 0, an absent end is n, an absent step is 1.

    * (slice_c1) dim is in [-rank, rank), and the rank is at least 1.
    * (slice_c2) each of start, end and step has at most one entry.
    * (slice_c3) step > 0.

    ```mlir
    %y = fx.slice %x dim 0 [1] to [] step [2] : (tensor<8x4xf32>) -> tensor<4x4xf32>
    ```
  }];
  let arguments = (ins Fx_Tensor:$input, Fx_IntByDefault<"0">:$dim,
                       Variadic<Index>:$start, Fx_ListOrNone:$static_start,
                       Variadic<Index>:$end, Fx_ListOrNone:$static_end,
                       Variadic<Index>:$step, Fx_ListOrNone:$static_step);
  let hasFolder = 1;
}

def Fx_SplitOp : Fx_OpBase<"split",
    ["aten.split.Tensor", "aten.split_copy.Tensor", "aten.unsafe_split.Tensor"], [Pure]> {
  let summary = "parts of equal size along a dim";
  let description = [{
    The dim of size n in ceil(n / split_size) parts of size `split_size`, the last one smaller; one
    part where n is 0.

    * (split_c1) dim is in [-rank, rank), and the rank is at least 1.
    * (split_c2) split_size is one number, and not negative; 0 only where n is 0.
    * (split_c3) the number of results and their types follow; where n is unknown, results agree
      with `input` in the other dims.

    ```mlir
    %a, %b = fx.split %x[4] dim 1 : (tensor<4x7xf32>) -> (tensor<4x4xf32>, tensor<4x3xf32>)
    ```
  }];
  let arguments = (ins Fx_Tensor:$input, Variadic<Index>:$split_size, DenseI64ArrayAttr:$static_split_size,
                       Fx_IntByDefault<"0">:$dim);
  let results = (outs Variadic<Fx_Tensor>:$results);
  let assemblyFormat = [{
    $input custom<DynamicIndexList>($split_size, $static_split_size) `dim` $dim attr-dict `:` functional-type($input, $results)
  }];
  let hasVerifier = 1;
}

def Fx_SplitWithSizesOp : Fx_Op<"split_with_sizes", "inferTypes(op, r)",
    ["aten.split_with_sizes.default", "aten.split_with_sizes_copy.default", "aten.unsafe_split_with_sizes.default",
     "aten.split.sizes(split_sizes=split_size)"]> {
  let summary = "parts of given sizes along a dim";
  let description = [{
    One result per entry of `split_sizes`, of that size along `dim`, in order.

    * (split_with_sizes_c1) dim is in [-rank, rank), and the rank is at least 1.
    * (split_with_sizes_c2) no size is negative, and the sizes add up to that of the dim.

    ```mlir
    %a, %b = fx.split_with_sizes %x[%n, 2] dim 0 : (tensor<?x4xf32>) -> (tensor<?x4xf32>, tensor<2x4xf32>)
    ```
  }];
  let arguments = (ins Fx_Tensor:$input, Variadic<Index>:$split_sizes, DenseI64ArrayAttr:$static_split_sizes,
                       Fx_IntByDefault<"0">:$dim);
  let results = (outs Variadic<Fx_Tensor>:$results);
  let assemblyFormat = [{
    $input custom<DynamicIndexList>($split_sizes, $static_split_sizes) `dim` $dim attr-dict `:` functional-type($input, $results)
  }];
}

def Fx_UnbindOp : Fx_OpBase<"unbind", ["aten.unbind.int", "aten.unbind_copy.int"], [Pure]> {
  let summary = "every index of a dim";
  let description = [{
    Result k is input[.., k, ..], without dim `dim`.

    * (unbind_c1) dim is in [-rank, rank), and the rank is at least 1.
    * (unbind_c2) one result per index, where the size is known.
    * (unbind_c3) each result has the shape of `input` without the dim.

    ```mlir
    %a, %b = fx.unbind %x dim 0 : (tensor<2x4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
    ```
  }];
  let arguments = (ins Fx_Tensor:$input, Fx_IntByDefault<"0">:$dim);
  let results = (outs Variadic<Fx_Tensor>:$results);
  let assemblyFormat = "$input `dim` $dim attr-dict `:` functional-type($input, $results)";
  let hasVerifier = 1;
}

def Fx_UnfoldOp : Fx_InputOp<"unfold", "`dim` $dimension `size` $size `step` $step",
    ["aten.unfold.default", "aten.unfold_copy.default"]> {
  let summary = "windows along a dim";
  let description = [{
    y[.., k, .., j] = input[.., k * step + j, ..] for 0 <= j < size: dim `dimension` counts the
    (n - size) / step + 1 windows, and a last dim of size `size` holds each.

    * (unfold_c1) dimension is in [-rank, rank).
    * (unfold_c2) 0 <= size <= n.
    * (unfold_c3) step > 0.

    ```mlir
    %y = fx.unfold %x dim 0 size 3 step 2 : (tensor<7x4xf32>) -> tensor<3x4x3xf32>
    ```
  }];
  let arguments = (ins Fx_Tensor:$input, I64Attr:$dimension, I64Attr:$size, I64Attr:$step);
}

//===----------------------------------------------------------------------===//
// Joined
//===----------------------------------------------------------------------===//

def Fx_CatOp : Fx_ShapeOp<"cat", ["aten.cat.default", "aten.concat.default", "aten.concatenate.default", "prims.cat.default"]> {
  let summary = "tensors one after another along a dim";
  let description = [{
    y holds the `tensors` in order along `dim`, in the promoted type. A tensor of shape [0] is
    skipped, whatever the rank of the others.

    * (cat_c1) there is a tensor, and each has rank 1 at least.
    * (cat_c2) dim is in [-rank, rank), and the ranks are equal.
    * (cat_c3) sizes are equal in all other dims.

    ```mlir
    %y = fx.cat %a, %b dim 1 : (tensor<4x?xf32>, tensor<4x2xf32>) -> tensor<4x?xf32>
    ```
  }];
  let arguments = (ins Variadic<Fx_Tensor>:$tensors, Fx_IntByDefault<"0">:$dim);
  let assemblyFormat = "$tensors `dim` $dim attr-dict `:` functional-type($tensors, $result)";
  let hasFolder = 1;
}

def Fx_StackOp : Fx_ShapeOp<"stack", ["aten.stack.default"]> {
  let summary = "tensors of one shape along a new dim";
  let description = [{
    y[.., k, ..] = tensors[k], in the promoted type.

    * (stack_c1) there is a tensor, and the shapes are equal.
    * (stack_c2) dim is in [-rank - 1, rank].

    ```mlir
    %y = fx.stack %a, %b dim 0 : (tensor<4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
    ```
  }];
  let arguments = (ins Variadic<Fx_Tensor>:$tensors, Fx_IntByDefault<"0">:$dim);
  let assemblyFormat = "$tensors `dim` $dim attr-dict `:` functional-type($tensors, $result)";
}

//===----------------------------------------------------------------------===//
// Copies and conversions of the element type
//===----------------------------------------------------------------------===//

def Fx_CloneOp : Fx_InputOp<"clone", "",
    ["aten.clone.default", "aten.contiguous.default", "aten.alias.default", "aten.alias_copy.default",
     "aten.lift.default", "aten.lift_copy.default", "aten.lift_fresh.default", "aten.lift_fresh_copy.default",
     "aten.resolve_conj.default", "aten.resolve_neg.default", "prims.clone.default", "prims.view_of.default(input=a)",
     "prims.device_put.default(input=a)"]> {
  let summary = "the same tensor";
  let description = [{
    y = input. For a value a copy, an alias and another memory layout mean nothing: the op folds away.
    (`detach` is fx.stop_gradient.)
  }];
  let hasFolder = 1;
}

def Fx_CopyOp : Fx_ShapeOp<"copy", ["aten.copy.default"]> {
  let summary = "a tensor filled from another";
  let description = [{
    y = src, converted to the element type of `input` and broadcast to its shape. Nothing else of
    `input` counts.

    * (copy_c1) `src` broadcasts to the shape of `input`.

    ```mlir
    %y = fx.copy %x, %src : (tensor<4x8xbf16>, tensor<8xf32>) -> tensor<4x8xbf16>
    ```
  }];
  let arguments = (ins Fx_Tensor:$input, Fx_Tensor:$src);
  let hasFolder = 1;
}

def Fx_FillOp : Fx_ShapeOp<"fill", ["aten.fill.Scalar", "aten.fill.Tensor"]> {
  let summary = "a tensor filled with a number";
  let description = [{
    y[..] = value, with the shape and the element type of `input`; nothing else of it counts.

    * (fill_c1) `value` is a number or a tensor of rank 0.
  }];
  let arguments = (ins Fx_Tensor:$input, Fx_TensorOrScalar:$value);
  let hasCanonicalizeMethod = 1;
}

def Fx_ResizeOp : Fx_InputOp<"resize", "custom<DynamicIndexList>($size, $static_size)", ["aten.resize.default"]> {
  let summary = "the first elements in another shape";
  let description = [{
    y has shape `size` and begins, in row-major order, with the elements of `input`; elements beyond
    those are undefined.

    * (resize_c1) no size is negative.
  }];
  let arguments = (ins Fx_Tensor:$input, Variadic<Index>:$size, DenseI64ArrayAttr:$static_size);
}

def Fx_ToCopyOp : Fx_InputOp<"to_copy", "(`as` $dtype^)?",
    ["aten._to_copy.default", "aten.to.dtype", "aten.to.device", "aten.to.dtype_layout",
     "prims.convert_element_type.default(input=a)"]> {
  let summary = "conversion to another element type";
  let description = [{
    y[..] = dtype(input[..]): floats to integers truncate, numbers to bool are x != 0, complex to real
    drops the imaginary part. Without `dtype` it is `input`.

    * (to_copy_c1) `dtype` is an element type.

    ```mlir
    %y = fx.to_copy %x as bf16 : (tensor<4xf32>) -> tensor<4xbf16>
    ```
  }];
  let arguments = (ins Fx_Tensor:$input, OptionalAttr<TypeAttr>:$dtype);
  let hasFolder = 1;
}

def Fx_TypeAsOp : Fx_LikeOp<"type_as", ["aten.type_as.default", "aten.to.other"]> {
  let summary = "conversion to the element type of another tensor";
  let description = [{ y = fx.to_copy input as the element type of `other`. }];
}

//===----------------------------------------------------------------------===//
// Complex numbers
//===----------------------------------------------------------------------===//

def Fx_ComplexOp : Fx_ShapeOp<"complex", ["aten.complex.default"]> {
  let summary = "complex numbers from their parts";
  let description = [{
    y = real + i * imag, broadcast.

    * (complex_c1) both operands have the same element type, f32 or f64.
    * (complex_c2) the shapes broadcast.
  }];
  let arguments = (ins RankedTensorOf<[F32, F64]>:$real, RankedTensorOf<[F32, F64]>:$imag);
}

def Fx_ConjOp : Fx_InputOp<"conj", "",
    ["aten.conj.default", "aten._conj.default", "aten._conj_copy.default", "aten.conj_physical.default",
     "aten._conj_physical.default", "prims.conj.default(input=a)", "prims.conj_physical.default"]> {
  let summary = "complex conjugate";
  let description = [{ y = conj(input); the conjugate of a real number is itself. }];
  let hasFolder = 1;
}

def Fx_ImagOp : Fx_InputOp<"imag", "", ["aten.imag.default", "prims.imag.default"]> {
  let summary = "imaginary part";
  let description = [{ y = (input - conj(input)) / 2i, of the type of the part. }];
  let arguments = (ins RankedTensorOf<[Complex<F32>, Complex<F64>]>:$input);
}

def Fx_RealOp : Fx_InputOp<"real", "", ["aten.real.default", "prims.real.default"]> {
  let summary = "real part";
  let description = [{ y = (input + conj(input)) / 2, of the type of the part; a real tensor is itself. }];
  let hasFolder = 1;
}

def Fx_ViewAsComplexOp : Fx_InputOp<"view_as_complex", "", ["aten.view_as_complex.default", "aten.view_as_complex_copy.default"]> {
  let summary = "pairs as complex numbers";
  let description = [{
    y[..] = input[.., 0] + i * input[.., 1].

    * (view_as_complex_c1) the last size is 2.
  }];
  let arguments = (ins RankedTensorOf<[F32, F64]>:$input);
}

def Fx_ViewAsRealOp : Fx_InputOp<"view_as_real", "", ["aten.view_as_real.default", "aten.view_as_real_copy.default"]> {
  let summary = "complex numbers as pairs";
  let description = [{ y[.., 0] = real(input), y[.., 1] = imag(input). }];
  let arguments = (ins RankedTensorOf<[Complex<F32>, Complex<F64>]>:$input);
}

#endif // FX_SHAPE_OPS_TD
