//===- FxControlOps.td - regions, calls, sizes, checks, collectives ------===//

#ifndef FX_CONTROL_OPS_TD
#define FX_CONTROL_OPS_TD

include "fx/FxBase.td"

/// What collectives read and write: they keep their order, and none is erased.
def Fx_CollectiveResource : Resource<"::fx::CollectiveResource">;

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

def Fx_YieldOp : Fx_OpBase<"yield", [],
    [Pure, Terminator, ReturnLike, ParentOneOf<["CondOp", "MapOp", "ScanOp", "WhileLoopOp"]>]> {
  let summary = "end of a region, with its values";
  let description = [{ Gives its operands to the op around it, which says what they mean. }];
  let arguments = (ins Variadic<AnyType>:$values);
  let assemblyFormat = "($values^ `:` type($values))? attr-dict";
  let builders = [OpBuilder<(ins), [{ }]>];
}

/// An op with regions of one block each. Values of the surrounding function are
/// captured. Types of yielded values may be less or more refined than those they meet.
class Fx_RegionOp<string mnemonic, list<Trait> traits = []>
    : Fx_OpBase<mnemonic, [], [SingleBlock, RecursiveMemoryEffects, RecursivelySpeculatable] # traits> {
  let hasRegionVerifier = 1;
}

def Fx_CondOp : Fx_RegionOp<"cond", [NoRegionArguments]> {
  let summary = "one of two regions";
  let description = [{
    The results are what `then_region` yields if the predicate is true, else what `else_region`
    yields; only that region runs.

    * (cond_c1) a predicate that is a tensor has one element.
    * (cond_c2) both regions yield values of the results' types.

    ```mlir
    %y = fx.cond %p : tensor<i1> -> (tensor<4xf32>) {
      %a = fx.exp %x : (tensor<4xf32>) -> tensor<4xf32>
      fx.yield %a : tensor<4xf32>
    } else {
      fx.yield %x : tensor<4xf32>
    }
    ```
  }];
  let arguments = (ins AnyTypeOf<[Fx_BoolTensor, I1]>:$pred);
  let results = (outs Variadic<AnyType>:$results);
  let regions = (region SizedRegion<1>:$then_region, SizedRegion<1>:$else_region);
  let assemblyFormat = [{
    $pred attr-dict `:` type($pred) (`->` `(` type($results)^ `)`)? $then_region `else` $else_region
  }];
}

def Fx_MapOp : Fx_RegionOp<"map"> {
  let summary = "a region for each index of the first dim";
  let description = [{
    The region runs for every i: its arguments are xs[k][i, ..], and what it yields is
    results[k][i, ..]. The runs are independent of one another.

    * (map_c1) there are xs; each has rank 1 at least, and the first sizes are equal.
    * (map_c2) the region has one argument per x, of its type without the first dim.
    * (map_c3) it yields one tensor per result, of its type without the first dim.

    ```mlir
    %y = fx.map %x : (tensor<8x4xf32>) -> tensor<8x4xf32> {
    ^bb0(%row: tensor<4xf32>):
      %s = fx.exp %row : (tensor<4xf32>) -> tensor<4xf32>
      fx.yield %s : tensor<4xf32>
    }
    ```
  }];
  let arguments = (ins Variadic<Fx_Tensor>:$xs);
  let results = (outs Variadic<Fx_Tensor>:$results);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$xs attr-dict `:` functional-type($xs, $results) $body";
}

def Fx_ScanOp : Fx_RegionOp<"scan", [AttrSizedOperandSegments]> {
  let summary = "a region for each index of the first dim, with carried values";
  let description = [{
    The region runs for i = 0, 1, ..: its arguments are the carried values, at first `init`, then the
    slices xs[k][i, ..]. It yields the carried values of the next run, then slices of the stacked
    outputs. The results are the last carried values, then the stacked outputs: ys[k][i, ..].

    * (scan_c1) each of xs has rank 1 at least, and the first sizes are equal.
    * (scan_c2) the region's arguments have the types of `init`, then of xs without the first dim.
    * (scan_c3) the results begin with the types of `init`.
    * (scan_c4) the region yields the types of `init`, then those of the further results without
      the first dim.

    ```mlir
    %sum, %sums = fx.scan init(%zero) xs(%x) : (tensor<4xf32>, tensor<8x4xf32>) -> (tensor<4xf32>, tensor<8x4xf32>) {
    ^bb0(%carry: tensor<4xf32>, %row: tensor<4xf32>):
      %next = fx.add %carry, %row : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
      fx.yield %next, %next : tensor<4xf32>, tensor<4xf32>
    }
    ```
  }];
  let arguments = (ins Variadic<AnyType>:$init, Variadic<Fx_Tensor>:$xs);
  let results = (outs Variadic<AnyType>:$results);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    `init` `(` $init `)` `xs` `(` $xs `)` attr-dict `:` functional-type(operands, results) $body
  }];
}

def Fx_WhileLoopOp : Fx_RegionOp<"while_loop"> {
  let summary = "a region as long as a condition holds";
  let description = [{
    The arguments of both regions are the carried values, at first `init`. While the region
    `condition` yields true, `body` runs and yields the next carried values. The results are the last.

    * (while_loop_c1) both regions' arguments have the types of `init`.
    * (while_loop_c2) `condition` yields one i1, or one tensor of i1 of one element.
    * (while_loop_c3) `body` yields the types of `init`.
    * (while_loop_c4) the results have the types of `init`.

    ```mlir
    %r = fx.while_loop(%x) : (tensor<4xf32>) -> tensor<4xf32> {
    ^bb0(%v: tensor<4xf32>):
      ..
      fx.yield %more : tensor<i1>
    } do {
    ^bb0(%v: tensor<4xf32>):
      ..
      fx.yield %next : tensor<4xf32>
    }
    ```
  }];
  let arguments = (ins Variadic<AnyType>:$init);
  let results = (outs Variadic<AnyType>:$results);
  let regions = (region SizedRegion<1>:$condition, SizedRegion<1>:$body);
  let assemblyFormat = [{
    `(` $init `)` attr-dict `:` functional-type($init, $results) $condition `do` $body
  }];
}

//===----------------------------------------------------------------------===//
// Operators that are not ours
//===----------------------------------------------------------------------===//

def Fx_CallOp : Fx_OpBase<"call", []> {
  let summary = "an unknown or custom operator";
  let description = [{
    The results of the operator `target`, of which nothing is known: it may have any effect. `args` holds
    those of its arguments that are not operands, by their names in its schema.

    * (call_c1) `target` has the form "namespace::operator".

    ```mlir
    %y = fx.call "my::op"(%x) args {alpha = 2.0 : f64} : (tensor<4xf32>) -> tensor<4xf32>
    ```
  }];
  let arguments = (ins StrAttr:$target, Variadic<AnyType>:$inputs, OptionalAttr<DictionaryAttr>:$args);
  let results = (outs Variadic<AnyType>:$results);
  let assemblyFormat = "$target `(` $inputs `)` (`args` $args^)? attr-dict `:` functional-type($inputs, $results)";
  let hasVerifier = 1;
}

def Fx_StopGradientOp : Fx_Op<"stop_gradient", "r.like(op.getInput())",
    ["aten.detach.default", "aten.detach_.default", "aten.detach_copy.default"]> {
  let summary = "the same tensor, a constant to differentiation";
  let description = [{ y = input, with derivative 0. }];
  let arguments = (ins Fx_Tensor:$input);
  let results = (outs Fx_Tensor:$result);
  let assemblyFormat = "$input attr-dict `:` functional-type($input, $result)";
  let hasFolder = 1;
}

//===----------------------------------------------------------------------===//
// Sizes and other numbers of a tensor
//===----------------------------------------------------------------------===//

/// A number that folds to a constant where the type tells it.
class Fx_NumberOfOp<string mnemonic, list<string> aten> : Fx_OpBase<mnemonic, aten, [Pure]> {
  let arguments = (ins Fx_Tensor:$input);
  let results = (outs Index:$result);
  let assemblyFormat = "$input attr-dict `:` type($input)";
  let hasFolder = 1;
}

def Fx_SizeOp : Fx_NumberOfOp<"size", ["aten.sym_size.int", "aten.size.int"]> {
  let summary = "size of a dim";
  let description = [{
    The number of indices of dim `dim`.

    * (size_c1) dim is in [-rank, rank), and the rank is at least 1.

    ```mlir
    %n = fx.size %x dim 0 : tensor<?x4xf32>
    ```
  }];
  let arguments = (ins Fx_Tensor:$input, I64Attr:$dim);
  let hasVerifier = 1;
  let assemblyFormat = "$input `dim` $dim attr-dict `:` type($input)";
}

def Fx_StrideOp : Fx_NumberOfOp<"stride", ["aten.sym_stride.int", "aten.stride.int"]> {
  let summary = "stride of a dim of a contiguous tensor";
  let description = [{
    The product of max(size, 1) over the dims after `dim`: tensors of fx are contiguous.

    * (stride_c1) dim is in [-rank, rank), and the rank is at least 1.
  }];
  let arguments = (ins Fx_Tensor:$input, I64Attr:$dim);
  let hasVerifier = 1;
  let assemblyFormat = "$input `dim` $dim attr-dict `:` type($input)";
}

def Fx_NumelOp : Fx_NumberOfOp<"numel", ["aten.sym_numel.default", "aten.numel.default"]> {
  let summary = "number of elements";
  let description = [{ The product of all sizes. }];
}

def Fx_StorageOffsetOp : Fx_NumberOfOp<"storage_offset", 
    ["aten.sym_storage_offset.default", "aten.storage_offset.default"]> {
  let summary = "place of the first element in memory";
  let description = [{ 0: tensors of fx are contiguous. }];
}

def Fx_IsContiguousOp : Fx_NumberOfOp<"is_contiguous", 
    ["aten.sym_is_contiguous.default", "aten.is_contiguous.default", "aten.is_contiguous.memory_format"]> {
  let summary = "whether the elements lie in row-major order";
  let description = [{ True: tensors of fx are contiguous. }];
  let results = (outs I1:$result);
}

def Fx_ItemOp : Fx_OpBase<"item", ["aten._local_scalar_dense.default", "aten.item.default", "prims.item.default(input=a)"],
    [Pure, DeclareOpInterfaceMethods<InferTypeOpInterface, ["inferReturnTypes"]>]> {
  let summary = "the only element of a tensor, as a number";
  let description = [{
    The element of `input`: an f64, i64, i1 or complex<f64> by the category of its element type. An
    integer may also be given as an index, to serve as a size.

    * (item_c1) `input` has one element.
    * (item_c2) the result is a number of the category of the element type.

    ```mlir
    %n = fx.item %x : (tensor<i64>) -> index
    ```
  }];
  let arguments = (ins Fx_Tensor:$input);
  let results = (outs Fx_Scalar:$result);
  let extraClassDeclaration = [{
    static bool isCompatibleReturnTypes(::mlir::TypeRange left, ::mlir::TypeRange right);
  }];
  let assemblyFormat = "$input attr-dict `:` functional-type($input, $result)";
}

//===----------------------------------------------------------------------===//
// Checks at run time
//===----------------------------------------------------------------------===//

def Fx_AssertOp : Fx_OpBase<"assert",
    ["aten._assert_scalar.default", "aten._assert_async.default", "aten._assert_async.msg"], [MemoryEffects<[MemWrite]>]> {
  let summary = "stops with a message unless a condition holds";
  let description = [{
    Stops the program with `assert_msg` if `input` is 0.

    * (assert_c1) an operand that is a tensor has one element.

    ```mlir
    fx.assert %c, "a size must be at least 2" : i1
    ```
  }];
  let arguments = (ins Fx_TensorOrScalar:$input, DefaultValuedStrAttr<StrAttr, "">:$assert_msg);
  let assemblyFormat = "$input `,` $assert_msg attr-dict `:` type($input)";
  let hasVerifier = 1;
  let hasCanonicalizeMethod = 1;
}

def Fx_AssertTensorMetadataOp : Fx_OpBase<"assert_tensor_metadata", ["aten._assert_tensor_metadata.default(input=a)"],
    [MemoryEffects<[MemWrite]>, AttrSizedOperandSegments]> {
  let summary = "checks the type and the sizes of a tensor";
  let description = [{
    Stops the program unless `input` has element type `dtype` and the sizes `size`, where these are
    given. `stride` means nothing for a value. The op goes away when types prove it.

    * (assert_tensor_metadata_c1) the element type is `dtype`.
    * (assert_tensor_metadata_c2) known sizes agree with `size`.

    ```mlir
    fx.assert_tensor_metadata %x as f32 size [%n, 4] stride [] : tensor<?x4xf32>
    ```
  }];
  let arguments = (ins Fx_Tensor:$input, Variadic<Index>:$size, DefaultValuedAttr<DenseI64ArrayAttr, "{}">:$static_size,
                       Variadic<Index>:$stride, DefaultValuedAttr<DenseI64ArrayAttr, "{}">:$static_stride,
                       OptionalAttr<TypeAttr>:$dtype);
  let assemblyFormat = [{
    $input (`as` $dtype^)? `size` custom<DynamicIndexList>($size, $static_size)
    `stride` custom<DynamicIndexList>($stride, $static_stride) attr-dict `:` type($input)
  }];
  let hasVerifier = 1;
  let hasCanonicalizeMethod = 1;
}

//===----------------------------------------------------------------------===//
// Collectives: _c10d_functional
//===----------------------------------------------------------------------===//

/// An exchange between the processes of the group `group_name`. The result may be
/// read only through fx.wait_tensor.
class Fx_CollectiveOp<string mnemonic, string infer, string keywords, list<Trait> traits = []>
    : Fx_Op<mnemonic, infer, ["_c10d_functional." # mnemonic # ".default"],
            [MemoryEffects<[MemRead<Fx_CollectiveResource>, MemWrite<Fx_CollectiveResource>]>] # traits> {
  let results = (outs Fx_Tensor:$result);
  let assemblyFormat = "$input " # keywords # " `group` $group_name attr-dict `:` functional-type($input, $result)";
}

def Fx_AllGatherIntoTensorOp : Fx_CollectiveOp<"all_gather_into_tensor", "inferTypes(op, r)", "`size` $group_size"> {
  let summary = "every process's tensor, one after another";
  let description = [{
    y holds the `input` of each of the `group_size` processes, in their order, along dim 0; a tensor
    of rank 0 counts as rank 1.

    * (all_gather_into_tensor_c1) group_size > 0.
  }];
  let arguments = (ins Fx_Tensor:$input, I64Attr:$group_size, StrAttr:$group_name);
}

def Fx_AllReduceOp : Fx_CollectiveOp<"all_reduce", "inferTypes(op, r)", "`by` $reduce_op"> {
  let summary = "all processes' tensors reduced to one";
  let description = [{
    y is the sum (or what `reduce_op` says) of the `input` of every process.

    * (all_reduce_c1) reduce_op is one of sum, avg, product, min, max, band, bor, bxor.
  }];
  let arguments = (ins Fx_Tensor:$input, StrAttr:$reduce_op, StrAttr:$group_name);
}

def Fx_AllToAllSingleOp : Fx_CollectiveOp<"all_to_all_single", "inferTypes(op, r)", [{
      `output` custom<DynamicIndexList>($output_split_sizes, $static_output_split_sizes)
      `input` custom<DynamicIndexList>($input_split_sizes, $static_input_split_sizes)}],
    [AttrSizedOperandSegments]> {
  let summary = "a part of every process's tensor for every process";
  let description = [{
    Process p gets the p-th part of each process's `input` along dim 0, in the processes' order. The
    parts have the sizes `input_split_sizes`, those received `output_split_sizes`; without the lists
    all parts are equal.

    * (all_to_all_single_c1) the rank is at least 1.
    * (all_to_all_single_c2) no size is negative, and input sizes add up to that of dim 0.
  }];
  let arguments = (ins Fx_Tensor:$input,
                       Variadic<Index>:$output_split_sizes, DenseI64ArrayAttr:$static_output_split_sizes,
                       Variadic<Index>:$input_split_sizes, DenseI64ArrayAttr:$static_input_split_sizes,
                       StrAttr:$group_name);
}

def Fx_BroadcastOp : Fx_CollectiveOp<"broadcast", "inferTypes(op, r)", "`from` $src"> {
  let summary = "one process's tensor for all";
  let description = [{
    y is the `input` of process `src`.

    * (broadcast_c1) src >= 0.
  }];
  let arguments = (ins Fx_Tensor:$input, I64Attr:$src, StrAttr:$group_name);
}

def Fx_ReduceScatterTensorOp : Fx_CollectiveOp<"reduce_scatter_tensor", "inferTypes(op, r)", "`by` $reduce_op `size` $group_size"> {
  let summary = "a part of the reduced tensor for every process";
  let description = [{
    Process p gets the p-th of `group_size` equal parts, along dim 0, of the sum (or what `reduce_op`
    says) of the `input` of every process.

    * (reduce_scatter_tensor_c1) reduce_op is one of those of fx.all_reduce.
    * (reduce_scatter_tensor_c2) group_size > 0.
    * (reduce_scatter_tensor_c3) the rank is at least 1, and group_size divides size 0.
  }];
  let arguments = (ins Fx_Tensor:$input, StrAttr:$reduce_op, I64Attr:$group_size, StrAttr:$group_name);
}

def Fx_WaitTensorOp : Fx_Op<"wait_tensor", "r.like(op.getTensor())", ["_c10d_functional.wait_tensor.default"],
    [MemoryEffects<[MemRead<Fx_CollectiveResource>, MemWrite<Fx_CollectiveResource>]>]> {
  let summary = "the result of a collective, once it is there";
  let description = [{ y = tensor, after the collective that gives it has finished. }];
  let arguments = (ins Fx_Tensor:$tensor);
  let results = (outs Fx_Tensor:$result);
  let assemblyFormat = "$tensor attr-dict `:` functional-type($tensor, $result)";
}

#endif // FX_CONTROL_OPS_TD
