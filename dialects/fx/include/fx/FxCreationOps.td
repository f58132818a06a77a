//===- FxCreationOps.td - creation ----------------------------------------===//
//
// Part of FxShapeOps.td. Tensors of given sizes, of the size of another tensor, or
// of numbers.
//
//===----------------------------------------------------------------------===//

#ifndef FX_CREATION_OPS_TD
#define FX_CREATION_OPS_TD

include "fx/FxShapeClasses.td"

//===----------------------------------------------------------------------===//
// Creation
//===----------------------------------------------------------------------===//

def Fx_ArangeOp : Fx_ShapeOp<"arange",
    ["aten.arange.default(start=#0, step=#1)", "aten.arange.start(step=#1)", "aten.arange.start_step"]> {
  let summary = "numbers at equal distances";
  let description = [{
    y[i] = start + i * step, of size ceil((end - start) / step), which is known where all operands are
    constants; an absent `step` is 1. The element type is `dtype`, else i64 if all operands are
    integers, else f32. For i64 the operands are truncated first.

    * (arange_c1) step is not 0.
    * (arange_c2) start does not lie beyond end in the direction of step.
    * (arange_c3) the operands are real numbers, and `dtype` is an element type.

    ```mlir
    %y = fx.arange %start to %end step %step : (i64, i64, i64) -> tensor<4xi64>
    ```
  }];
  let arguments = (ins Fx_Scalar:$start, Fx_Scalar:$end, Optional<Fx_Scalar>:$step, OptionalAttr<TypeAttr>:$dtype);
  let assemblyFormat = [{
    $start `to` $end (`step` $step^)? (`as` $dtype^)? attr-dict `:` functional-type(operands, results)
  }];
}

def Fx_EmptyOp : Fx_ShapeOp<"empty",
    ["aten.empty.memory_format", "aten.empty_strided.default", "aten.empty_permuted.default",
     "prims.empty_strided.default(size=shape)", "prims.empty_permuted.default(size=shape)"]> {
  let summary = "a tensor of undefined contents";
  let description = [{
    y has the shape `size`; its elements are undefined. The element type is `dtype`, else f32.

    * (empty_c1) no size is negative, and `dtype` is an element type.

    ```mlir
    %y = fx.empty[4, %n] as bf16 : tensor<4x?xbf16>
    ```
  }];
  let arguments = (ins Variadic<Index>:$size, DenseI64ArrayAttr:$static_size, OptionalAttr<TypeAttr>:$dtype);
  let assemblyFormat = "custom<DynamicIndexList>($size, $static_size) (`as` $dtype^)? attr-dict `:` type($result)";
  let hasFolder = 1;
}

def Fx_EmptyLikeOp : Fx_InputOp<"empty_like", "(`as` $dtype^)?", ["aten.empty_like.default"]> {
  let summary = "a tensor of undefined contents, shaped like another";
  let description = [{
    y has the shape of `input` and undefined elements of type `dtype`, else of the type of `input`.

    * (empty_like_c1) `dtype` is an element type.
  }];
  let arguments = (ins Fx_Tensor:$input, OptionalAttr<TypeAttr>:$dtype);
  let hasCanonicalizeMethod = 1;
}

def Fx_EyeOp : Fx_ShapeOp<"eye", ["aten.eye.default", "aten.eye.m"], [AttrSizedOperandSegments]> {
  let summary = "ones on the diagonal";
  let description = [{
    y[i, j] = 1 where i = j, else 0, of shape [n, m]; an absent `m` is n. The element type is `dtype`,
    else f32.

    * (eye_c1) n and m are one number each (m may be absent), and not negative.
    * (eye_c2) `dtype` is an element type.

    ```mlir
    %y = fx.eye[4] by [%m] : tensor<4x?xf32>
    ```
  }];
  let arguments = (ins Variadic<Index>:$n, DenseI64ArrayAttr:$static_n, Variadic<Index>:$m, Fx_ListOrNone:$static_m,
                       OptionalAttr<TypeAttr>:$dtype);
  let assemblyFormat = [{
    custom<DynamicIndexList>($n, $static_n) `by` custom<DynamicIndexList>($m, $static_m) (`as` $dtype^)? attr-dict `:` type($result)
  }];
}

def Fx_FullOp : Fx_ShapeOp<"full",
    ["aten.full.default", "aten.zeros.default(fill_value=#0.0)", "aten.ones.default(fill_value=#1.0)",
     "prims.full.default(size=shape)"]> {
  let summary = "one number everywhere";
  let description = [{
    y[..] = fill_value, in the shape `size`. The element type is `dtype`, else that of the number: i64,
    f32, i1 or complex<f32>.

    * (full_c1) no size is negative, and `dtype` is an element type.
    * (full_c2) `fill_value` is a number or a tensor of rank 0.

    ```mlir
    %y = fx.full[4, %n] %v as bf16 : (f64) -> tensor<4x?xbf16>
    ```
  }];
  let arguments = (ins Variadic<Index>:$size, DenseI64ArrayAttr:$static_size, Fx_TensorOrScalar:$fill_value,
                       OptionalAttr<TypeAttr>:$dtype);
  let assemblyFormat = [{
    custom<DynamicIndexList>($size, $static_size) $fill_value (`as` $dtype^)? attr-dict `:` functional-type($fill_value, $result)
  }];
  let hasFolder = 1;
}

def Fx_FullLikeOp : Fx_ShapeOp<"full_like",
    ["aten.full_like.default", "aten.zeros_like.default(fill_value=#0)", "aten.ones_like.default(fill_value=#1)",
     "aten.zero.default(fill_value=#0)", "prims.full_like.default(input=a)"]> {
  let summary = "one number everywhere, shaped like another tensor";
  let description = [{
    y[..] = fill_value, in the shape of `input`. The element type is `dtype`, else that of `input`.

    * (full_like_c1) `fill_value` is a number or a tensor of rank 0.
    * (full_like_c2) `dtype` is an element type.

    ```mlir
    %y = fx.full_like %x, %v as i64 : (tensor<4x?xf32>, i64) -> tensor<4x?xi64>
    ```
  }];
  let arguments = (ins Fx_Tensor:$input, Fx_TensorOrScalar:$fill_value, OptionalAttr<TypeAttr>:$dtype);
  let assemblyFormat = "$input `,` $fill_value (`as` $dtype^)? attr-dict `:` functional-type(operands, results)";
  let hasCanonicalizeMethod = 1;
}

def Fx_IotaOp : Fx_ShapeOp<"iota", ["prims.iota.default"], [AttrSizedOperandSegments]> {
  let summary = "a given number of integers at equal distances";
  let description = [{
    y[i] = start + i * step for 0 <= i < length, in integers of type `dtype`.

    * (iota_c1) length, start and step are one number each; length is not negative.
    * (iota_c2) `dtype` is an integer type.

    ```mlir
    %y = fx.iota[8] from [0] step [1] as i64 : tensor<8xi64>
    ```
  }];
  let arguments = (ins Variadic<Index>:$length, DenseI64ArrayAttr:$static_length,
                       Variadic<Index>:$start, DenseI64ArrayAttr:$static_start,
                       Variadic<Index>:$step, DenseI64ArrayAttr:$static_step, TypeAttr:$dtype);
  let assemblyFormat = [{
    custom<DynamicIndexList>($length, $static_length) `from` custom<DynamicIndexList>($start, $static_start)
    `step` custom<DynamicIndexList>($step, $static_step) `as` $dtype attr-dict `:` type($result)
  }];
}

def Fx_LinspaceOp : Fx_ShapeOp<"linspace",
    ["aten.linspace.default", "aten.linspace.Tensor_Tensor", "aten.linspace.Tensor_Scalar", "aten.linspace.Scalar_Tensor"]> {
  let summary = "a given number of points of an interval";
  let description = [{
    y[i] = start + i * (end - start) / (steps - 1), computed from the nearer end. The element type is
    `dtype`, else f32, or complex<f32> if an operand is complex.

    * (linspace_c1) steps >= 0.
    * (linspace_c2) `start` and `end` are numbers or tensors of rank 0.
    * (linspace_c3) `dtype` is an element type.

    ```mlir
    %y = fx.linspace %a to %b steps 5 : (f64, f64) -> tensor<5xf32>
    ```
  }];
  let arguments = (ins Fx_TensorOrScalar:$start, Fx_TensorOrScalar:$end, I64Attr:$steps, OptionalAttr<TypeAttr>:$dtype);
  let assemblyFormat = "$start `to` $end `steps` $steps (`as` $dtype^)? attr-dict `:` functional-type(operands, results)";
}

def Fx_LogspaceOp : Fx_ShapeOp<"logspace",
    ["aten.logspace.default", "aten.logspace.Tensor_Tensor", "aten.logspace.Tensor_Scalar", "aten.logspace.Scalar_Tensor"]> {
  let summary = "powers of a base at equal distances of the exponent";
  let description = [{
    y = base ^ linspace(start, end, steps). Constraints (logspace_c1) to (logspace_c3) are those of
    fx.linspace.
  }];
  let arguments = (ins Fx_TensorOrScalar:$start, Fx_TensorOrScalar:$end, I64Attr:$steps,
                       DefaultValuedAttr<F64Attr, "10.0">:$base, OptionalAttr<TypeAttr>:$dtype);
  let assemblyFormat = [{
    $start `to` $end `steps` $steps `base` $base (`as` $dtype^)? attr-dict `:` functional-type(operands, results)
  }];
}

def Fx_NewEmptyOp : Fx_InputOp<"new_empty", "custom<DynamicIndexList>($size, $static_size) (`as` $dtype^)?",
    ["aten.new_empty.default", "aten.new_empty_strided.default"]> {
  let summary = "a tensor of undefined contents, of another's element type";
  let description = [{
    fx.empty whose element type is by default that of `input`; nothing else of it counts.

    * (new_empty_c1) no size is negative, and `dtype` is an element type.
  }];
  let arguments = (ins Fx_Tensor:$input, Variadic<Index>:$size, DenseI64ArrayAttr:$static_size, OptionalAttr<TypeAttr>:$dtype);
  let hasCanonicalizeMethod = 1;
}

def Fx_NewFullOp : Fx_ShapeOp<"new_full",
    ["aten.new_full.default", "aten.new_zeros.default(fill_value=#0)", "aten.new_ones.default(fill_value=#1)"]> {
  let summary = "one number everywhere, of another tensor's element type";
  let description = [{
    fx.full whose element type is by default that of `input`; nothing else of it counts.

    * (new_full_c1) no size is negative, and `dtype` is an element type.
    * (new_full_c2) `fill_value` is a number or a tensor of rank 0.

    ```mlir
    %y = fx.new_full %x[2, %n], %v : (tensor<4xbf16>, i64) -> tensor<2x?xbf16>
    ```
  }];
  let arguments = (ins Fx_Tensor:$input, Variadic<Index>:$size, DenseI64ArrayAttr:$static_size,
                       Fx_TensorOrScalar:$fill_value, OptionalAttr<TypeAttr>:$dtype);
  let assemblyFormat = [{
    $input custom<DynamicIndexList>($size, $static_size) `,` $fill_value (`as` $dtype^)? attr-dict `:` `(` type($input) `,`
    type($fill_value) `)` `->` type($result)
  }];
  let hasCanonicalizeMethod = 1;
}

def Fx_ScalarTensorOp : Fx_ShapeOp<"scalar_tensor", ["aten.scalar_tensor.default", "prims.scalar_tensor.default"]> {
  let summary = "a number as a tensor of rank 0";
  let description = [{
    y = s. The element type is `dtype`, else f32, whatever the number.

    * (scalar_tensor_c1) `dtype` is an element type.
  }];
  let arguments = (ins Fx_Scalar:$s, OptionalAttr<TypeAttr>:$dtype);
  let assemblyFormat = "$s (`as` $dtype^)? attr-dict `:` functional-type($s, $result)";
  let hasCanonicalizeMethod = 1;
}

#endif // FX_CREATION_OPS_TD
