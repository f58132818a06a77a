//===- FxLossOps.td - losses and distances --------------------------------===//
//
// Part of FxReductionOps.td.
//
//===----------------------------------------------------------------------===//

#ifndef FX_LOSS_OPS_TD
#define FX_LOSS_OPS_TD

include "fx/FxReductionClasses.td"

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

#endif // FX_LOSS_OPS_TD
