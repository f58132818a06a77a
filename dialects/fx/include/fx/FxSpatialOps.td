//===- FxSpatialOps.td - convolution, pooling, padding, resampling -------===//
//
// Tensors are [N, C, spatial dims] unless a description says otherwise; N may
// be absent where PyTorch allows it. Lists have one entry per spatial dim, or
// one entry for all of them.
//
//===----------------------------------------------------------------------===//

#ifndef FX_SPATIAL_OPS_TD
#define FX_SPATIAL_OPS_TD

include "fx/FxBase.td"

/// A gradient that the caller may not have asked for: then it has type `none`.
def Fx_MaskedTensor : AnyTypeOf<[Fx_Tensor, NoneType], "tensor or none">;
def Fx_PositionTensor : RankedTensorOf<[I64]>;

/// Syntax of a `SymInt[]` argument: a keyword and the list.
class Fx_SpatialList<string name> {
  string syntax = " `" # name # "` custom<DynamicIndexList>($" # name # ", $static_" # name # ") ";
}
class Fx_SpatialLists<list<string> names> {
  string syntax = !foldl("", names, text, name, text # Fx_SpatialList<name>.syntax);
}

//===----------------------------------------------------------------------===//
// Convolution
//===----------------------------------------------------------------------===//

def Fx_ConvolutionOp : Fx_Op<"convolution", "convolution(op, r)", ["aten.convolution.default"],
                             [Pure, AttrSizedOperandSegments]> {
  let summary = "convolution with any number of spatial dims, plain or transposed";
  let description = [{
    y[n, o, p] = bias[o] + sum_{c, k} weight[o, c, k] * input[n, g * C/groups + c, p * stride + k * dilation - padding],
    with g the group of o, `input` 0 outside of its sizes, and `weight` of shape [O, C / groups, K..]. Output size per
    dim: (size + 2 * padding - dilation * (K - 1) - 1) / stride + 1, rounded down.

    With `transposed`, the linear map that is transposed to the one above: `weight` is [C, O / groups, K..] and the
    output size (size - 1) * stride - 2 * padding + dilation * (K - 1) + output_padding + 1.

    * (convolution_c1) `weight` has rank 3 or more, `input` the same rank (or one less: no batch).
    * (convolution_c2) lists have one entry, or one per spatial dim; `groups` is one positive number.
    * (convolution_c3) `stride` and `dilation` are positive, `padding` and `output_padding` not negative.
    * (convolution_c4) the channels of `input` and `weight` agree with `groups`.
    * (convolution_c5) `bias` has the shape [O].
    * (convolution_c6) operands have one element type.
    * (convolution_c7) each output size is positive.

    ```mlir
    %y = fx.convolution %x, %w bias %b stride [2, 2] padding [1, 1] dilation [1, 1] output_padding [0, 0] groups [1] : (tensor<?x3x32x32xf32>, tensor<8x3x3x3xf32>, tensor<8xf32>) -> tensor<?x8x16x16xf32>
    ```
  }];
  let arguments = (ins Fx_Tensor:$input, Fx_Tensor:$weight, Optional<Fx_Tensor>:$bias,
                       Variadic<Index>:$stride, DenseI64ArrayAttr:$static_stride,
                       Variadic<Index>:$padding, DenseI64ArrayAttr:$static_padding,
                       Variadic<Index>:$dilation, DenseI64ArrayAttr:$static_dilation,
                       DefaultValuedAttr<BoolAttr, "false">:$transposed,
                       Variadic<Index>:$output_padding, DenseI64ArrayAttr:$static_output_padding,
                       Variadic<Index>:$groups, DenseI64ArrayAttr:$static_groups);
  let results = (outs Fx_Tensor:$result);
  let assemblyFormat = "$input `,` $weight (`bias` $bias^)?"
                     # Fx_SpatialLists<["stride", "padding", "dilation", "output_padding", "groups"]>.syntax
                     # "attr-dict `:` functional-type(operands, results)";
}

def Fx_ConvolutionBackwardOp : Fx_Op<"convolution_backward", "convolutionBackward(op, r)",
                                     ["aten.convolution_backward.default"], [Pure, AttrSizedOperandSegments]> {
  let summary = "gradients of convolution with respect to input, weight and bias";
  let description = [{
    The three gradients of sum(grad_output * convolution(input, weight, bias, ..)); a result whose entry of
    `output_mask` is false is not computed and has type `none`. `bias_sizes` is empty if there is no bias.

    * (convolution_backward_c1) `output_mask` has three entries.
    * (convolution_backward_c2) `grad_output` has the shape of the convolution.
    * constraints convolution_c1 to convolution_c7.

    ```mlir
    %dx, %dw, %db = fx.convolution_backward %g, %x, %w bias_sizes [8] stride [1] padding [0] dilation [1] output_padding [0] groups [1] output_mask [true, true, false]
        : (tensor<2x8x30xf32>, tensor<2x3x32xf32>, tensor<8x3x3xf32>) -> (tensor<2x3x32xf32>, tensor<8x3x3xf32>, none)
    ```
  }];
  let arguments = (ins Fx_Tensor:$grad_output, Fx_Tensor:$input, Fx_Tensor:$weight,
                       Variadic<Index>:$bias_sizes, DenseI64ArrayAttr:$static_bias_sizes,
                       Variadic<Index>:$stride, DenseI64ArrayAttr:$static_stride,
                       Variadic<Index>:$padding, DenseI64ArrayAttr:$static_padding,
                       Variadic<Index>:$dilation, DenseI64ArrayAttr:$static_dilation,
                       DefaultValuedAttr<BoolAttr, "false">:$transposed,
                       Variadic<Index>:$output_padding, DenseI64ArrayAttr:$static_output_padding,
                       Variadic<Index>:$groups, DenseI64ArrayAttr:$static_groups, DenseBoolArrayAttr:$output_mask);
  let results = (outs Fx_MaskedTensor:$grad_input, Fx_MaskedTensor:$grad_weight, Fx_MaskedTensor:$grad_bias);
  let assemblyFormat = "$grad_output `,` $input `,` $weight"
                     # Fx_SpatialLists<["bias_sizes", "stride", "padding", "dilation", "output_padding", "groups"]>.syntax
                     # "`output_mask` $output_mask attr-dict `:` functional-type(operands, results)";
}

/// `fx.convolution` with a fixed number of spatial dims, not transposed; N may be absent.
class Fx_ConvNd<int n> : Fx_Op<"conv" # n # "d", "convNd(op, " # n # ", r)", ["aten.conv" # n # "d.default"],
                               [Pure, AttrSizedOperandSegments]> {
  let summary = "convolution over " # n # " spatial dims";
  let description = [{
    As `fx.convolution`, not transposed; `input` may lack the batch dim. Constraints of `fx.convolution`.
  }];
  let arguments = (ins Fx_Tensor:$input, Fx_Tensor:$weight, Optional<Fx_Tensor>:$bias,
                       Variadic<Index>:$stride, DenseI64ArrayAttr:$static_stride,
                       Variadic<Index>:$padding, DenseI64ArrayAttr:$static_padding,
                       Variadic<Index>:$dilation, DenseI64ArrayAttr:$static_dilation,
                       Variadic<Index>:$groups, DenseI64ArrayAttr:$static_groups);
  let results = (outs Fx_Tensor:$result);
  let assemblyFormat = "$input `,` $weight (`bias` $bias^)?"
                     # Fx_SpatialLists<["stride", "padding", "dilation", "groups"]>.syntax
                     # "attr-dict `:` functional-type(operands, results)";
}
def Fx_Conv1dOp : Fx_ConvNd<1>;
def Fx_Conv2dOp : Fx_ConvNd<2>;
def Fx_Conv3dOp : Fx_ConvNd<3>;

/// Convolution with its padding given by name.
///
///   * (conv_padding_c1) `padding` is "same" or "valid", and "same" only with strides of 1.
class Fx_ConvNdPadding<int n>
    : Fx_Op<"conv" # n # "d_padding", "convNdPadding(op, " # n # ", r)", ["aten.conv" # n # "d.padding"],
            [Pure, AttrSizedOperandSegments]> {
  let summary = "convolution over " # n # " spatial dims with padding by name";
  let description = [{
    As `fx.convolution`, not transposed, with padding 0 for "valid", and for "same" zeros on both sides so that the
    sizes stay (the further zero of an odd total goes to the end). Constraints of `fx.convolution`, and

    * (conv_padding_c1) `padding` is "same" or "valid", and "same" only with strides of 1.

    ```mlir
    %y = fx.conv1d_padding %x, %w stride [1] padding "same" dilation [1] groups [1] : (tensor<2x3x10xf32>, tensor<8x3x4xf32>) -> tensor<2x8x10xf32>
    ```
  }];
  let arguments = (ins Fx_Tensor:$input, Fx_Tensor:$weight, Optional<Fx_Tensor>:$bias,
                       Variadic<Index>:$stride, DenseI64ArrayAttr:$static_stride,
                       DefaultValuedAttr<StrAttr, "\"valid\"">:$padding,
                       Variadic<Index>:$dilation, DenseI64ArrayAttr:$static_dilation,
                       Variadic<Index>:$groups, DenseI64ArrayAttr:$static_groups);
  let results = (outs Fx_Tensor:$result);
  let assemblyFormat = "$input `,` $weight (`bias` $bias^)?" # Fx_SpatialList<"stride">.syntax # "`padding` $padding"
                     # Fx_SpatialLists<["dilation", "groups"]>.syntax
                     # "attr-dict `:` functional-type(operands, results)";
}
def Fx_Conv1dPaddingOp : Fx_ConvNdPadding<1>;
def Fx_Conv2dPaddingOp : Fx_ConvNdPadding<2>;
def Fx_Conv3dPaddingOp : Fx_ConvNdPadding<3>;

/// `fx.convolution` with `transposed` and a fixed number of spatial dims; N may be absent.
class Fx_ConvTransposeNd<int n, string overload>
    : Fx_Op<"conv_transpose" # n # "d", "convTransposeNd(op, " # n # ", r)",
            ["aten.conv_transpose" # n # "d." # overload],
            [Pure, AttrSizedOperandSegments]> {
  let summary = "transposed convolution over " # n # " spatial dims";
  let description = [{
    As `fx.convolution` with `transposed`; `input` may lack the batch dim. Constraints of `fx.convolution`.
  }];
  let arguments = (ins Fx_Tensor:$input, Fx_Tensor:$weight, Optional<Fx_Tensor>:$bias,
                       Variadic<Index>:$stride, DenseI64ArrayAttr:$static_stride,
                       Variadic<Index>:$padding, DenseI64ArrayAttr:$static_padding,
                       Variadic<Index>:$output_padding, DenseI64ArrayAttr:$static_output_padding,
                       Variadic<Index>:$groups, DenseI64ArrayAttr:$static_groups,
                       Variadic<Index>:$dilation, DenseI64ArrayAttr:$static_dilation);
  let results = (outs Fx_Tensor:$result);
  let assemblyFormat = "$input `,` $weight (`bias` $bias^)?"
                     # Fx_SpatialLists<["stride", "padding", "output_padding", "groups", "dilation"]>.syntax
                     # "attr-dict `:` functional-type(operands, results)";
}
def Fx_ConvTranspose1dOp : Fx_ConvTransposeNd<1, "default">;
def Fx_ConvTranspose2dOp : Fx_ConvTransposeNd<2, "input">;
def Fx_ConvTranspose3dOp : Fx_ConvTransposeNd<3, "input">;

//===----------------------------------------------------------------------===//
// Pooling
//
// Output size per dim, for windows of K elements `dilation` apart:
//   (size + 2 * padding - dilation * (K - 1) - 1) / stride + 1,
// rounded down, or up with `ceil_mode`; a last window that would start in the
// padding after the input is dropped. An empty `stride` is `kernel_size`.
//
//   * (pool_c1) `input` has the spatial dims, channels, and perhaps a batch dim.
//   * (pool_c2) lists have one entry, or one per spatial dim.
//   * (pool_c3) `kernel_size`, `stride` and `dilation` are positive; 0 <= padding <= (dilation * (K - 1) + 1) / 2.
//   * (pool_c4) each output size is positive.
//===----------------------------------------------------------------------===//

class Fx_AvgPool<int n, dag extra>
    : Fx_Op<"avg_pool" # n # "d", "averagePool(op, " # n # ", r)", ["aten.avg_pool" # n # "d.default"]> {
  let summary = "mean over windows of " # n # " spatial dims";
  let description = [{
    y[n, c, p] = sum of input[n, c, q] over the window at p, divided by `divisor_override` if given, else by the number
    of its elements: those of the padding count with `count_include_pad`.

    * (pool_c1) `input` has the spatial dims, channels, and perhaps a batch dim.
    * (pool_c2) lists have one entry, or one per spatial dim; an empty `stride` is `kernel_size`.
    * (pool_c3) `kernel_size` and `stride` are positive; 0 <= padding <= K / 2.
    * (pool_c4) each output size is positive.
    * (avg_pool_c5) `divisor_override` is not 0.
  }];
  let arguments = !con((ins Fx_Tensor:$input, DenseI64ArrayAttr:$kernel_size,
                            DefaultValuedAttr<DenseI64ArrayAttr, "{}">:$stride,
                            DefaultValuedAttr<DenseI64ArrayAttr, "{0}">:$padding,
                            DefaultValuedAttr<BoolAttr, "false">:$ceil_mode,
                            DefaultValuedAttr<BoolAttr, "true">:$count_include_pad), extra);
  let results = (outs Fx_Tensor:$result);
  let assemblyFormat = "$input `kernel_size` $kernel_size attr-dict `:` functional-type(operands, results)";
}
def Fx_AvgPool1dOp : Fx_AvgPool<1, (ins)>;
def Fx_AvgPool2dOp : Fx_AvgPool<2, (ins OptionalAttr<I64Attr>:$divisor_override)>;
def Fx_AvgPool3dOp : Fx_AvgPool<3, (ins OptionalAttr<I64Attr>:$divisor_override)>;

class Fx_AvgPoolBackward<int n>
    : Fx_Op<"avg_pool" # n # "d_backward", "averagePoolBackward(op, " # n # ", r)",
            ["aten.avg_pool" # n # "d_backward.default"]> {
  let summary = "gradient of avg_pool" # n # "d";
  let description = [{
    y[n, c, q] = sum of grad_output[n, c, p] / divisor(p) over the windows p that hold q. Constraints of the pooling op.

    * (pool_backward_c1) `grad_output` has the shape of the pooling result.
  }];
  let arguments = (ins Fx_Tensor:$grad_output, Fx_Tensor:$input, DenseI64ArrayAttr:$kernel_size,
                       DenseI64ArrayAttr:$stride, DenseI64ArrayAttr:$padding, BoolAttr:$ceil_mode,
                       BoolAttr:$count_include_pad, OptionalAttr<I64Attr>:$divisor_override);
  let results = (outs Fx_Tensor:$result);
  let assemblyFormat = [{
    $grad_output `,` $input `kernel_size` $kernel_size `stride` $stride `padding` $padding attr-dict
    `:` functional-type(operands, results)
  }];
}
def Fx_AvgPool2dBackwardOp : Fx_AvgPoolBackward<2>;
def Fx_AvgPool3dBackwardOp : Fx_AvgPoolBackward<3>;

class Fx_MaxPoolBase<string mnemonic, int n, string withIndices>
    : Fx_Op<mnemonic, "maxPool(op, " # n # ", /*indices=*/" # withIndices # ", r)", ["aten." # mnemonic # ".default"]> {
  let arguments = (ins Fx_Tensor:$input, DenseI64ArrayAttr:$kernel_size,
                       DefaultValuedAttr<DenseI64ArrayAttr, "{}">:$stride,
                       DefaultValuedAttr<DenseI64ArrayAttr, "{0}">:$padding,
                       DefaultValuedAttr<DenseI64ArrayAttr, "{1}">:$dilation,
                       DefaultValuedAttr<BoolAttr, "false">:$ceil_mode);
  let assemblyFormat = "$input `kernel_size` $kernel_size attr-dict `:` functional-type(operands, results)";
}

class Fx_MaxPool<int n> : Fx_MaxPoolBase<"max_pool" # n # "d", n, "false"> {
  let summary = "maximum over windows of " # n # " spatial dims";
  let description = [{
    y[n, c, p] = max of input[n, c, q] over the window at p, padded by -∞; a NaN in the window is the maximum.
    Constraints pool_c1 to pool_c4.
  }];
  let results = (outs Fx_Tensor:$result);
}
def Fx_MaxPool1dOp : Fx_MaxPool<1>;
def Fx_MaxPool2dOp : Fx_MaxPool<2>;
def Fx_MaxPool3dOp : Fx_MaxPool<3>;

class Fx_MaxPoolWithIndices<int n> : Fx_MaxPoolBase<"max_pool" # n # "d_with_indices", n, "true"> {
  let summary = "maximum over windows of " # n # " spatial dims, and where it is";
  let description = [{
    The maximum as in `fx.max_pool2d`, and its position in the flattened spatial dims of `input` (i64).

    * (pool_c1) `input` has the spatial dims, channels, and perhaps a batch dim.
    * (pool_c2) lists have one entry, or one per spatial dim; an empty `stride` is `kernel_size`.
    * (pool_c3) `kernel_size`, `stride` and `dilation` are positive; 0 <= padding <= (dilation * (K - 1) + 1) / 2.
    * (pool_c4) each output size is positive.
  }];
  let results = (outs Fx_Tensor:$result, Fx_PositionTensor:$indices);
}
def Fx_MaxPool1dWithIndicesOp : Fx_MaxPoolWithIndices<1>;
def Fx_MaxPool2dWithIndicesOp : Fx_MaxPoolWithIndices<2>;
def Fx_MaxPool3dWithIndicesOp : Fx_MaxPoolWithIndices<3>;

class Fx_MaxPoolBackward<int n>
    : Fx_Op<"max_pool" # n # "d_with_indices_backward", "maxPoolBackward(op, " # n # ", r)",
            ["aten.max_pool" # n # "d_with_indices_backward.default"]> {
  let summary = "gradient of max_pool" # n # "d_with_indices";
  let description = [{
    y[n, c, q] = sum of grad_output[n, c, p] over the windows p whose maximum is at q = indices[n, c, p]. Constraints of
    the pooling op.

    * (pool_backward_c1) `grad_output` and `indices` have the shape of the pooling result.
  }];
  let arguments = (ins Fx_Tensor:$grad_output, Fx_Tensor:$input, DenseI64ArrayAttr:$kernel_size,
                       DenseI64ArrayAttr:$stride, DenseI64ArrayAttr:$padding, DenseI64ArrayAttr:$dilation,
                       BoolAttr:$ceil_mode, Fx_PositionTensor:$indices);
  let results = (outs Fx_Tensor:$result);
  let assemblyFormat = [{
    $grad_output `,` $input `,` $indices `kernel_size` $kernel_size `stride` $stride `padding` $padding
    `dilation` $dilation attr-dict `:` functional-type(operands, results)
  }];
}
def Fx_MaxPool2dWithIndicesBackwardOp : Fx_MaxPoolBackward<2>;
def Fx_MaxPool3dWithIndicesBackwardOp : Fx_MaxPoolBackward<3>;

class Fx_MaxUnpool<int n, dag extra>
    : Fx_Op<"max_unpool" # n # "d", "maxUnpool(op, " # n # ", r)", ["aten.max_unpool" # n # "d.default"]> {
  let summary = "values put back to the positions of their maxima, over " # n # " spatial dims";
  let description = [{
    y[n, c, q] = input[n, c, p] where q = indices[n, c, p] in the flattened spatial dims, else 0.

    * (max_unpool_c1) `input` has the spatial dims, channels, and perhaps a batch dim.
    * (max_unpool_c2) `indices` has the shape of `input`.
    * (max_unpool_c3) `output_size` has one entry per spatial dim, not negative.
  }];
  let arguments = !con((ins Fx_Tensor:$input, Fx_PositionTensor:$indices, Variadic<Index>:$output_size,
                            DenseI64ArrayAttr:$static_output_size), extra);
  let results = (outs Fx_Tensor:$result);
  let assemblyFormat = "$input `,` $indices" # Fx_SpatialList<"output_size">.syntax
                     # "attr-dict `:` functional-type(operands, results)";
}
def Fx_MaxUnpool2dOp : Fx_MaxUnpool<2, (ins)>;
def Fx_MaxUnpool3dOp : Fx_MaxUnpool<3, (ins DenseI64ArrayAttr:$stride, DenseI64ArrayAttr:$padding)>;

/// Pools of which the output size is given: window p covers [p * size / output_size, (p + 1) * size / output_size),
/// rounded down and up.
///
///   * (adaptive_pool_c1) `input` has the spatial dims, channels, and perhaps a batch dim.
///   * (adaptive_pool_c2) `output_size` has one entry, or one per spatial dim, not negative.
class Fx_AdaptiveAvgPool<int n, list<string> aten, string size = "op.getOutputSize(), op.getStaticOutputSize()">
    : Fx_Op<"adaptive_avg_pool" # n # "d",
            "adaptivePool(op.getInput(), " # size # ", " # n # ", /*indices=*/false, r)", aten> {
  let summary = "mean over windows that divide " # n # " spatial dims";
  let description = [{
    y[n, c, p] = mean of input[n, c, q] over q in [floor(p * size / output_size), ceil((p + 1) * size / output_size)).

    * (adaptive_pool_c1) `input` has the spatial dims, channels, and perhaps a batch dim.
    * (adaptive_pool_c2) `output_size` has one entry, or one per spatial dim, not negative.
  }];
  let arguments = (ins Fx_Tensor:$input, Variadic<Index>:$output_size, DenseI64ArrayAttr:$static_output_size);
  let results = (outs Fx_Tensor:$result);
  let assemblyFormat = "$input" # Fx_SpatialList<"output_size">.syntax
                     # "attr-dict `:` functional-type(operands, results)";
}
def Fx_AdaptiveAvgPool1dOp : Fx_AdaptiveAvgPool<1, ["aten.adaptive_avg_pool1d.default"], "{}, op.getOutputSize()"> {
  let arguments = (ins Fx_Tensor:$input, DenseI64ArrayAttr:$output_size);
  let assemblyFormat = "$input `output_size` $output_size attr-dict `:` functional-type(operands, results)";
}
def Fx_AdaptiveAvgPool2dOp : Fx_AdaptiveAvgPool<2, ["aten._adaptive_avg_pool2d.default",
                                                    "aten.adaptive_avg_pool2d.default"]>;
def Fx_AdaptiveAvgPool3dOp : Fx_AdaptiveAvgPool<3, ["aten._adaptive_avg_pool3d.default",
                                                    "aten.adaptive_avg_pool3d.default"]>;

class Fx_AdaptiveAvgPoolBackward<int n>
    : Fx_Op<"adaptive_avg_pool" # n # "d_backward", "adaptivePoolBackward(op.getGradOutput(), op.getInput(), {}, "
            # n # ", r)", ["aten._adaptive_avg_pool" # n # "d_backward.default"]> {
  let summary = "gradient of adaptive_avg_pool" # n # "d";
  let description = [{
    y[n, c, q] = sum of grad_output[n, c, p] / (elements of window p) over the windows p that hold q.

    * (adaptive_pool_backward_c1) `grad_output` and `input` have one rank, that of a pooling operand, and agree in the
      dims that are not spatial.
  }];
  let arguments = (ins Fx_Tensor:$grad_output, Fx_Tensor:$input);
  let results = (outs Fx_Tensor:$result);
}
def Fx_AdaptiveAvgPool2dBackwardOp : Fx_AdaptiveAvgPoolBackward<2>;
def Fx_AdaptiveAvgPool3dBackwardOp : Fx_AdaptiveAvgPoolBackward<3>;

class Fx_AdaptiveMaxPool<int n>
    : Fx_Op<"adaptive_max_pool" # n # "d",
            "adaptivePool(op.getInput(), {}, op.getOutputSize(), " # n # ", /*indices=*/true, r)",
            ["aten.adaptive_max_pool" # n # "d.default"]> {
  let summary = "maximum over windows that divide " # n # " spatial dims, and where it is";
  let description = [{
    The maximum over the windows of `fx.adaptive_avg_pool2d`, and its position in the flattened spatial dims (i64).
    Constraints adaptive_pool_c1 and adaptive_pool_c2.
  }];
  let arguments = (ins Fx_Tensor:$input, DenseI64ArrayAttr:$output_size);
  let results = (outs Fx_Tensor:$result, Fx_PositionTensor:$indices);
  let assemblyFormat = "$input `output_size` $output_size attr-dict `:` functional-type(operands, results)";
}
def Fx_AdaptiveMaxPool1dOp : Fx_AdaptiveMaxPool<1>;
def Fx_AdaptiveMaxPool2dOp : Fx_AdaptiveMaxPool<2>;
def Fx_AdaptiveMaxPool3dOp : Fx_AdaptiveMaxPool<3>;

class Fx_AdaptiveMaxPoolBackward<int n>
    : Fx_Op<"adaptive_max_pool" # n # "d_backward", "adaptivePoolBackward(op.getGradOutput(), op.getInput(), "
            # "op.getIndices(), " # n # ", r)", ["aten.adaptive_max_pool" # n # "d_backward.default"]> {
  let summary = "gradient of adaptive_max_pool" # n # "d";
  let description = [{
    y[n, c, q] = sum of grad_output[n, c, p] over the p with indices[n, c, p] = q. Constraint adaptive_pool_backward_c1;
    `indices` has the shape of `grad_output`.
  }];
  let arguments = (ins Fx_Tensor:$grad_output, Fx_Tensor:$input, Fx_PositionTensor:$indices);
  let results = (outs Fx_Tensor:$result);
}
def Fx_AdaptiveMaxPool2dBackwardOp : Fx_AdaptiveMaxPoolBackward<2>;
def Fx_AdaptiveMaxPool3dBackwardOp : Fx_AdaptiveMaxPoolBackward<3>;

class Fx_FractionalMaxPool<int n>
    : Fx_Op<"fractional_max_pool" # n # "d", "fractionalMaxPool(op, " # n # ", r)",
            ["aten.fractional_max_pool" # n # "d.default"]> {
  let summary = "maximum over windows at pseudo-random places of " # n # " spatial dims";
  let description = [{
    y[n, c, p] = max of input[n, c, s_p + k] over 0 <= k < K, and its position in the flattened spatial dims. With
    u = random_samples[n, c, dim] and alpha = (size - K) / (output_size - 1): s_p = floor((p + u) * alpha) -
    floor(u * alpha), and size - K for the last p.

    * (fractional_max_pool_c1) `input` has the spatial dims, channels, and perhaps a batch dim.
    * (fractional_max_pool_c2) lists have one entry, or one per spatial dim, all positive.
    * (fractional_max_pool_c3) output_size + K - 1 <= size.
    * (fractional_max_pool_c4) `random_samples` has rank 3 and the element type of `input`.
  }];
  let arguments = (ins Fx_FloatTensor:$input, DenseI64ArrayAttr:$kernel_size, DenseI64ArrayAttr:$output_size,
                       Fx_FloatTensor:$random_samples);
  let results = (outs Fx_FloatTensor:$result, Fx_PositionTensor:$indices);
  let assemblyFormat = [{
    $input `,` $random_samples `kernel_size` $kernel_size `output_size` $output_size attr-dict
    `:` functional-type(operands, results)
  }];
}
def Fx_FractionalMaxPool2dOp : Fx_FractionalMaxPool<2>;
def Fx_FractionalMaxPool3dOp : Fx_FractionalMaxPool<3>;

class Fx_FractionalMaxPoolBackward<int n>
    : Fx_Op<"fractional_max_pool" # n # "d_backward", "adaptivePoolBackward(op.getGradOutput(), op.getInput(), "
            # "op.getIndices(), " # n # ", r)", ["aten.fractional_max_pool" # n # "d_backward.default"]> {
  let summary = "gradient of fractional_max_pool" # n # "d";
  let description = [{
    y[n, c, q] = sum of grad_output[n, c, p] over the p with indices[n, c, p] = q. Constraint adaptive_pool_backward_c1.
  }];
  let arguments = (ins Fx_FloatTensor:$grad_output, Fx_FloatTensor:$input, DenseI64ArrayAttr:$kernel_size,
                       DenseI64ArrayAttr:$output_size, Fx_PositionTensor:$indices);
  let results = (outs Fx_FloatTensor:$result);
}
def Fx_FractionalMaxPool2dBackwardOp : Fx_FractionalMaxPoolBackward<2>;
def Fx_FractionalMaxPool3dBackwardOp : Fx_FractionalMaxPoolBackward<3>;

//===----------------------------------------------------------------------===//
// Padding
//===----------------------------------------------------------------------===//

def Fx_ConstantPadNdOp : Fx_Op<"constant_pad_nd", "constantPad(op, r)", ["aten.constant_pad_nd.default"]> {
  let summary = "a tensor with a constant put around it";
  let description = [{
    y[i] = input[i - before] inside, `value` (0 if absent) outside. `pad` lists before and after of the last dim, then of
    the one before it, ..; negative entries crop.

    * (constant_pad_nd_c1) `pad` has an even number of entries, at most 2 * rank(input).
    * (constant_pad_nd_c2) no size becomes negative.

    ```mlir
    %y = fx.constant_pad_nd %x pad [1, 2, 0, -1] {value = 0.5 : f64} : (tensor<4x8xf32>) -> tensor<3x11xf32>
    ```
  }];
  let arguments = (ins Fx_Tensor:$input, Variadic<Index>:$pad, DenseI64ArrayAttr:$static_pad,
                       OptionalAttr<Fx_NumberAttr>:$value);
  let results = (outs Fx_Tensor:$result);
  let assemblyFormat = "$input" # Fx_SpatialList<"pad">.syntax # "attr-dict `:` functional-type(operands, results)";
  let hasFolder = 1;
}

def Fx_PadOp : Fx_Op<"pad", "pad(op, r)", ["aten.pad.default"]> {
  let summary = "a tensor padded in one of four ways";
  let description = [{
    `mode` "constant": `fx.constant_pad_nd`; "reflect" and "replicate": the reflection and replication pads of the last
    1, 2 or 3 dims; "circular": y[i] = input[(i - before) mod size].

    * (pad_c1) `pad` has an even number of entries, at most 2 * rank(input), and no size becomes negative.
    * (pad_c2) `mode` is one of the four; `value` goes with "constant" only.
    * (pad_c3) for "reflect", pads are less than the size; for "circular" no more than it.
  }];
  let arguments = (ins Fx_Tensor:$input, Variadic<Index>:$pad, DenseI64ArrayAttr:$static_pad,
                       DefaultValuedAttr<StrAttr, "\"constant\"">:$mode, OptionalAttr<F64Attr>:$value);
  let results = (outs Fx_Tensor:$result);
  let assemblyFormat = "$input" # Fx_SpatialList<"pad">.syntax
                     # "`mode` $mode attr-dict `:` functional-type(operands, results)";
  let hasFolder = 1;
}

/// Pads that repeat elements of the input.
class Fx_EdgePad<string kind, int n> : Fx_Op<kind # "_pad" # n # "d", kind # "Pad(op, " # n # ", r)",
                                             ["aten." # kind # "_pad" # n # "d.default"]> {
  let summary = kind # " padding of the last " # n # " dims";
  let arguments = (ins Fx_Tensor:$input, Variadic<Index>:$padding, DenseI64ArrayAttr:$static_padding);
  let results = (outs Fx_Tensor:$result);
  let assemblyFormat = "$input" # Fx_SpatialList<"padding">.syntax # "attr-dict `:` functional-type(operands, results)";
}

class Fx_EdgePadBackward<string kind, int n>
    : Fx_Op<kind # "_pad" # n # "d_backward", "edgePadBackward(op, " # n # ", r)",
            ["aten." # kind # "_pad" # n # "d_backward.default"]> {
  let summary = "gradient of " # kind # "_pad" # n # "d";
  let description = [{
    y[q] = sum of grad_output[p] over the p that hold input[q].

    * (pad_backward_c1) `grad_output` has the shape of the padded input.
  }];
  let arguments = (ins Fx_Tensor:$grad_output, Fx_Tensor:$input, Variadic<Index>:$padding,
                       DenseI64ArrayAttr:$static_padding);
  let results = (outs Fx_Tensor:$result);
  let assemblyFormat = "$grad_output `,` $input" # Fx_SpatialList<"padding">.syntax
                     # "attr-dict `:` functional-type(operands, results)";
}

class Fx_ReflectionPad<int n> : Fx_EdgePad<"reflection", n> {
  let description = [{
    y[p] = input[q] with q = p - before, mirrored at the first and the last element (which are not repeated). `padding`
    lists before and after of the last dim, then of the one before it, ..

    * (edge_pad_c1) `input` has the padded dims, channels, and perhaps a batch dim.
    * (edge_pad_c2) `padding` has one entry, or two per padded dim.
    * (edge_pad_c3) each padded size is positive.
    * (reflection_pad_c4) paddings are less than the size of their dim.
  }];
}
def Fx_ReflectionPad1dOp : Fx_ReflectionPad<1>;
def Fx_ReflectionPad2dOp : Fx_ReflectionPad<2>;
def Fx_ReflectionPad3dOp : Fx_ReflectionPad<3>;
def Fx_ReflectionPad1dBackwardOp : Fx_EdgePadBackward<"reflection", 1>;
def Fx_ReflectionPad2dBackwardOp : Fx_EdgePadBackward<"reflection", 2>;
def Fx_ReflectionPad3dBackwardOp : Fx_EdgePadBackward<"reflection", 3>;

class Fx_ReplicationPad<int n> : Fx_EdgePad<"replication", n> {
  let description = [{
    y[p] = input[clamp(p - before, 0, size - 1)]. `padding` lists before and after of the last dim, then of the one
    before it, .. Constraints edge_pad_c1 to edge_pad_c3.
  }];
}
def Fx_ReplicationPad1dOp : Fx_ReplicationPad<1>;
def Fx_ReplicationPad2dOp : Fx_ReplicationPad<2>;
def Fx_ReplicationPad3dOp : Fx_ReplicationPad<3>;
def Fx_ReplicationPad1dBackwardOp : Fx_EdgePadBackward<"replication", 1>;
def Fx_ReplicationPad2dBackwardOp : Fx_EdgePadBackward<"replication", 2>;
def Fx_ReplicationPad3dBackwardOp : Fx_EdgePadBackward<"replication", 3>;

//===----------------------------------------------------------------------===//
// Resampling
//===----------------------------------------------------------------------===//

/// The attributes `scales`, or `scales_h` and `scales_w`, or all three: the scale that a caller gave, which wins over
/// the quotient of the sizes when positions are computed.
class Fx_Scales<int n> {
  dag arguments = !cond(!eq(n, 1) : (ins OptionalAttr<F64Attr>:$scales),
                        !eq(n, 2) : (ins OptionalAttr<F64Attr>:$scales_h, OptionalAttr<F64Attr>:$scales_w),
                        true : (ins OptionalAttr<F64Attr>:$scales_d, OptionalAttr<F64Attr>:$scales_h,
                                    OptionalAttr<F64Attr>:$scales_w));
}

/// Resampling of all spatial dims to `output_size`, or to floor(size * scale_factors).
class Fx_Upsample<string kind, int n, string aten, string formula, dag mode>
    : Fx_Op<"upsample_" # kind # n # "d", "upsample(op, " # n # ", r)",
            ["aten." # aten # ".default", "aten." # aten # ".vec"]> {
  let summary = kind # " resampling of " # n # " spatial dims";
  let description = formula # [{

    * (upsample_c1) `input` has batch, channels and the spatial dims.
    * (upsample_c2) either `output_size` or `scale_factors` is given, with one entry, or one per spatial dim.
    * (upsample_c3) each output size is positive.

    ```mlir
    %y = fx.upsample_nearest2d %x output_size [8, 8] : (tensor<2x3x4x4xf32>) -> tensor<2x3x8x8xf32>
    ```
  }];
  let arguments = !con((ins Fx_Tensor:$input, Variadic<Index>:$output_size, DenseI64ArrayAttr:$static_output_size), mode,
                       (ins OptionalAttr<DenseF64ArrayAttr>:$scale_factors), Fx_Scales<n>.arguments);
  let results = (outs Fx_Tensor:$result);
  let assemblyFormat = "$input" # Fx_SpatialList<"output_size">.syntax
                     # "attr-dict `:` functional-type(operands, results)";
}

class Fx_UpsampleBackward<string kind, int n, string aten, dag mode>
    : Fx_Op<"upsample_" # kind # n # "d_backward", "upsampleBackward(op, " # n # ", r)",
            ["aten." # aten # "_backward.default"],
            [Pure, AttrSizedOperandSegments]> {
  let summary = "gradient of upsample_" # kind # n # "d";
  let description = [{
    y[q] = sum_p w(p, q) * grad_output[p], where w are the weights with which the resampling reads `input`.

    * (upsample_backward_c1) `output_size` has one entry per spatial dim, `input_size` two more, none negative.
    * (upsample_backward_c2) `grad_output` has batch and channels of `input_size` and the spatial dims `output_size`.
  }];
  let arguments = !con((ins Fx_Tensor:$grad_output, Variadic<Index>:$output_size, DenseI64ArrayAttr:$static_output_size,
                            Variadic<Index>:$input_size, DenseI64ArrayAttr:$static_input_size), mode,
                       Fx_Scales<n>.arguments);
  let results = (outs Fx_Tensor:$result);
  let assemblyFormat = "$grad_output" # Fx_SpatialLists<["output_size", "input_size"]>.syntax
                     # "attr-dict `:` functional-type(operands, results)";
}

defvar Fx_NearestFormula = [{
    y[p] = input[min(floor(p * scale), size - 1)] with scale = size / output_size.
}];
defvar Fx_NearestExactFormula = [{
    y[p] = input[min(floor((p + 1/2) * scale), size - 1)] with scale = size / output_size.
}];
defvar Fx_LinearFormula = [{
    y[p] = linear interpolation of `input`, per spatial dim, at max((p + 1/2) * size / output_size - 1/2, 0), or at
    p * (size - 1) / (output_size - 1) with `align_corners`.
}];
defvar Fx_CubicFormula = [{
    y[p] = cubic convolution (a = -3/4) of `input`, per spatial dim, at (p + 1/2) * size / output_size - 1/2, or at
    p * (size - 1) / (output_size - 1) with `align_corners`; positions outside are clamped.
}];
defvar Fx_AntialiasFormula = [{
    y[p] = weighted mean of `input`, per spatial dim, with the filter's support scaled by size / output_size where
    that exceeds 1 (antialiasing).
}];
defvar Fx_Aligned = (ins BoolAttr:$align_corners);

def Fx_UpsampleNearest1dOp : Fx_Upsample<"nearest", 1, "upsample_nearest1d", Fx_NearestFormula, (ins)>;
def Fx_UpsampleNearest2dOp : Fx_Upsample<"nearest", 2, "upsample_nearest2d", Fx_NearestFormula, (ins)>;
def Fx_UpsampleNearest3dOp : Fx_Upsample<"nearest", 3, "upsample_nearest3d", Fx_NearestFormula, (ins)>;
def Fx_UpsampleNearestExact1dOp
    : Fx_Upsample<"nearest_exact", 1, "_upsample_nearest_exact1d", Fx_NearestExactFormula, (ins)>;
def Fx_UpsampleNearestExact2dOp
    : Fx_Upsample<"nearest_exact", 2, "_upsample_nearest_exact2d", Fx_NearestExactFormula, (ins)>;
def Fx_UpsampleNearestExact3dOp
    : Fx_Upsample<"nearest_exact", 3, "_upsample_nearest_exact3d", Fx_NearestExactFormula, (ins)>;
def Fx_UpsampleLinear1dOp : Fx_Upsample<"linear", 1, "upsample_linear1d", Fx_LinearFormula, Fx_Aligned>;
def Fx_UpsampleBilinear2dOp : Fx_Upsample<"bilinear", 2, "upsample_bilinear2d", Fx_LinearFormula, Fx_Aligned>;
def Fx_UpsampleTrilinear3dOp : Fx_Upsample<"trilinear", 3, "upsample_trilinear3d", Fx_LinearFormula, Fx_Aligned>;
def Fx_UpsampleBicubic2dOp : Fx_Upsample<"bicubic", 2, "upsample_bicubic2d", Fx_CubicFormula, Fx_Aligned>;
def Fx_UpsampleBilinear2dAaOp : Fx_Upsample<"bilinear", 2, "_upsample_bilinear2d_aa", Fx_AntialiasFormula, Fx_Aligned> {
  let opName = "upsample_bilinear2d_aa";
}
def Fx_UpsampleBicubic2dAaOp : Fx_Upsample<"bicubic", 2, "_upsample_bicubic2d_aa", Fx_AntialiasFormula, Fx_Aligned> {
  let opName = "upsample_bicubic2d_aa";
}

def Fx_UpsampleNearest1dBackwardOp : Fx_UpsampleBackward<"nearest", 1, "upsample_nearest1d", (ins)>;
def Fx_UpsampleNearest2dBackwardOp : Fx_UpsampleBackward<"nearest", 2, "upsample_nearest2d", (ins)>;
def Fx_UpsampleNearest3dBackwardOp : Fx_UpsampleBackward<"nearest", 3, "upsample_nearest3d", (ins)>;
def Fx_UpsampleNearestExact1dBackwardOp : Fx_UpsampleBackward<"nearest_exact", 1, "_upsample_nearest_exact1d", (ins)>;
def Fx_UpsampleNearestExact2dBackwardOp : Fx_UpsampleBackward<"nearest_exact", 2, "_upsample_nearest_exact2d", (ins)>;
def Fx_UpsampleNearestExact3dBackwardOp : Fx_UpsampleBackward<"nearest_exact", 3, "_upsample_nearest_exact3d", (ins)>;
def Fx_UpsampleLinear1dBackwardOp : Fx_UpsampleBackward<"linear", 1, "upsample_linear1d", Fx_Aligned>;
def Fx_UpsampleBilinear2dBackwardOp : Fx_UpsampleBackward<"bilinear", 2, "upsample_bilinear2d", Fx_Aligned>;
def Fx_UpsampleTrilinear3dBackwardOp : Fx_UpsampleBackward<"trilinear", 3, "upsample_trilinear3d", Fx_Aligned>;
def Fx_UpsampleBicubic2dBackwardOp : Fx_UpsampleBackward<"bicubic", 2, "upsample_bicubic2d", Fx_Aligned>;
def Fx_UpsampleBilinear2dAaBackwardOp : Fx_UpsampleBackward<"bilinear", 2, "_upsample_bilinear2d_aa", Fx_Aligned> {
  let opName = "upsample_bilinear2d_aa_backward";
}
def Fx_UpsampleBicubic2dAaBackwardOp : Fx_UpsampleBackward<"bicubic", 2, "_upsample_bicubic2d_aa", Fx_Aligned> {
  let opName = "upsample_bicubic2d_aa_backward";
}

def Fx_GridSamplerOp : Fx_Op<"grid_sampler", "gridSampler(op, r)",
                             ["aten.grid_sampler.default", "aten.grid_sampler_2d.default",
                              "aten.grid_sampler_3d.default"]> {
  let summary = "input sampled at the points of a grid";
  let description = [{
    y[n, c, p] = `input`[n, c] interpolated at grid[n, p]: coordinates x, y(, z) in [-1, 1] over the sizes W, H(, D).
    `interpolation_mode` 0 is linear, 1 nearest, 2 cubic; `padding_mode` 0 reads zeros outside, 1 the border,
    2 reflections; with `align_corners` -1 and 1 are the centres of the first and last elements, else their edges.

    * (grid_sampler_c1) `input` has rank 4 or 5, `grid` the same rank and a last dim of rank - 2 coordinates.
    * (grid_sampler_c2) `input` and `grid` agree in batch and element type.
    * (grid_sampler_c3) both modes are in [0, 2]; cubic only for rank 4.
  }];
  let arguments = (ins Fx_FloatTensor:$input, Fx_FloatTensor:$grid, I64Attr:$interpolation_mode, I64Attr:$padding_mode,
                       BoolAttr:$align_corners);
  let results = (outs Fx_FloatTensor:$result);
}

def Fx_GridSamplerBackwardOp : Fx_Op<"grid_sampler_backward", "gridSamplerBackward(op, r)",
                                     ["aten.grid_sampler_2d_backward.default",
                                      "aten.grid_sampler_3d_backward.default"]> {
  let summary = "gradients of grid_sampler with respect to input and grid";
  let description = [{
    The gradients of sum(grad_output * grid_sampler(input, grid, ..)); a result whose entry of `output_mask` is false
    has type `none`. Constraints of `fx.grid_sampler`, and

    * (grid_sampler_backward_c4) `output_mask` has two entries.
    * (grid_sampler_backward_c5) `grad_output` has the shape of the sampled tensor.
  }];
  let arguments = (ins Fx_FloatTensor:$grad_output, Fx_FloatTensor:$input, Fx_FloatTensor:$grid,
                       I64Attr:$interpolation_mode, I64Attr:$padding_mode, BoolAttr:$align_corners,
                       DenseBoolArrayAttr:$output_mask);
  let results = (outs Fx_MaskedTensor:$grad_input, Fx_MaskedTensor:$grad_grid);
}

def Fx_AffineGridGeneratorOp : Fx_Op<"affine_grid_generator", "affineGrid(op, r)",
                                     ["aten.affine_grid_generator.default"]> {
  let summary = "grid of points of an affine map";
  let description = [{
    y[n, p] = theta[n] * (x, y(, z), 1) for the points of a regular grid over [-1, 1] with the spatial dims of `size`
    ([N, C, H, W] or [N, C, D, H, W]).

    * (affine_grid_generator_c1) `size` has 4 or 5 entries, none negative.
    * (affine_grid_generator_c2) `theta` has the shape [N, 2, 3] or [N, 3, 4].
  }];
  let arguments = (ins Fx_FloatTensor:$theta, Variadic<Index>:$size, DenseI64ArrayAttr:$static_size,
                       BoolAttr:$align_corners);
  let results = (outs Fx_FloatTensor:$result);
  let assemblyFormat = "$theta" # Fx_SpatialList<"size">.syntax # "attr-dict `:` functional-type(operands, results)";
}

def Fx_AffineGridGeneratorBackwardOp : Fx_Op<"affine_grid_generator_backward", "affineGridBackward(op, r)",
                                             ["aten.affine_grid_generator_backward.default"]> {
  let summary = "gradient of affine_grid_generator";
  let description = [{
    y[n] = sum_p grad[n, p]^T (x, y(, z), 1) over the points of the grid.

    * (affine_grid_generator_backward_c1) `size` has 4 or 5 entries, none negative.
    * (affine_grid_generator_backward_c2) `grad` has the shape of the grid.
  }];
  let arguments = (ins Fx_FloatTensor:$grad, Variadic<Index>:$size, DenseI64ArrayAttr:$static_size,
                       BoolAttr:$align_corners);
  let results = (outs Fx_FloatTensor:$result);
  let assemblyFormat = "$grad" # Fx_SpatialList<"size">.syntax # "attr-dict `:` functional-type(operands, results)";
}

//===----------------------------------------------------------------------===//
// Rearrangement
//===----------------------------------------------------------------------===//

def Fx_PixelShuffleOp : Fx_Op<"pixel_shuffle", "pixelShuffle(op.getInput(), op.getUpscaleFactor(), r)",
                              ["aten.pixel_shuffle.default"]> {
  let summary = "channels moved into blocks of pixels";
  let description = [{
    y[.., c, h * f + i, w * f + j] = input[.., c * f² + i * f + j, h, w] with f = upscale_factor.

    * (pixel_shuffle_c1) `input` has rank 3 or more, and `upscale_factor` is positive.
    * (pixel_shuffle_c2) the number of channels is a multiple of f².
  }];
  let arguments = (ins Fx_Tensor:$input, I64Attr:$upscale_factor);
  let results = (outs Fx_Tensor:$result);
  let hasFolder = 1;
}

def Fx_PixelUnshuffleOp : Fx_Op<"pixel_unshuffle", "pixelUnshuffle(op.getInput(), op.getDownscaleFactor(), r)",
                                ["aten.pixel_unshuffle.default"]> {
  let summary = "blocks of pixels moved into channels";
  let description = [{
    y[.., c * f² + i * f + j, h, w] = input[.., c, h * f + i, w * f + j] with f = downscale_factor.

    * (pixel_unshuffle_c1) `input` has rank 3 or more, and `downscale_factor` is positive.
    * (pixel_unshuffle_c2) height and width are multiples of f.
  }];
  let arguments = (ins Fx_Tensor:$input, I64Attr:$downscale_factor);
  let results = (outs Fx_Tensor:$result);
  let hasFolder = 1;
}

def Fx_ChannelShuffleOp : Fx_Op<"channel_shuffle", "channelShuffle(op, r)",
                                ["aten.channel_shuffle.default", "aten.native_channel_shuffle.default"]> {
  let summary = "channels of several groups interleaved";
  let description = [{
    y[n, j * groups + g, ..] = input[n, g * C / groups + j, ..].

    * (channel_shuffle_c1) `input` has rank 3 or more.
    * (channel_shuffle_c2) `groups` is one positive number that divides the number of channels.
  }];
  let arguments = (ins Fx_Tensor:$input, Variadic<Index>:$groups, DenseI64ArrayAttr:$static_groups);
  let results = (outs Fx_Tensor:$result);
  let assemblyFormat = "$input" # Fx_SpatialList<"groups">.syntax # "attr-dict `:` functional-type(operands, results)";
}

def Fx_Im2colOp : Fx_Op<"im2col", "im2col(op, r)", ["aten.im2col.default"]> {
  let summary = "windows of an image as columns";
  let description = [{
    y[n, (c, k), p] = input[n, c, p * stride + k * dilation - padding], 0 outside, for windows k of `kernel_size` at the
    places p, both flattened.

    * (im2col_c1) `input` has rank 3 or 4.
    * (im2col_c2) lists have one or two entries; `padding` is not negative, the others are positive.
    * (im2col_c3) at least one window fits in each dim.
  }];
  let arguments = (ins Fx_Tensor:$input, DenseI64ArrayAttr:$kernel_size, DenseI64ArrayAttr:$dilation,
                       DenseI64ArrayAttr:$padding, DenseI64ArrayAttr:$stride);
  let results = (outs Fx_Tensor:$result);
  let assemblyFormat = [{
    $input `kernel_size` $kernel_size `dilation` $dilation `padding` $padding `stride` $stride attr-dict
    `:` functional-type(operands, results)
  }];
}

def Fx_Col2imOp : Fx_Op<"col2im", "col2im(op, r)", ["aten.col2im.default"]> {
  let summary = "columns added back to the windows of an image";
  let description = [{
    y[n, c, q] = sum of input[n, (c, k), p] over the windows p and places k with q = p * stride + k * dilation - padding.

    * (col2im_c1) `input` has rank 2 or 3.
    * (col2im_c2) lists have one or two entries; `padding` is not negative, the others are positive.
    * (col2im_c3) the rows of `input` are a multiple of the elements of a window, its columns the number of windows.
  }];
  let arguments = (ins Fx_Tensor:$input, Variadic<Index>:$output_size, DenseI64ArrayAttr:$static_output_size,
                       DenseI64ArrayAttr:$kernel_size, DenseI64ArrayAttr:$dilation, DenseI64ArrayAttr:$padding,
                       DenseI64ArrayAttr:$stride);
  let results = (outs Fx_Tensor:$result);
  let assemblyFormat = "$input" # Fx_SpatialList<"output_size">.syntax
                     # "`kernel_size` $kernel_size `dilation` $dilation `padding` $padding `stride` $stride attr-dict"
                     # " `:` functional-type(operands, results)";
}

#endif // FX_SPATIAL_OPS_TD
