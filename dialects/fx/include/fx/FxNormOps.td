//===- FxNormOps.td - softmax, normalisations and attention ---------------===//
//
// Part of FxReductionOps.td. Ops that reduce along some dimensions, and scale their
// input by what that gives.
//
//===----------------------------------------------------------------------===//

#ifndef FX_NORM_OPS_TD
#define FX_NORM_OPS_TD

include "fx/FxReductionClasses.td"

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

#endif // FX_NORM_OPS_TD
