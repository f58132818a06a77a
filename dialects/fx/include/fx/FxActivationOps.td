//===- FxActivationOps.td - activations and their gradients ---------------===//
//
// Part of FxPointwiseOps.td. An activation's result has its operand's type.
// A gradient is y = grad_output * f'(x), broadcast, in the promoted type; "g" in
// a formula is `grad_output`, σ the sigmoid, Φ and φ the normal distribution's
// function and density.
//
//===----------------------------------------------------------------------===//

#ifndef FX_ACTIVATION_OPS_TD
#define FX_ACTIVATION_OPS_TD

include "fx/FxPointwiseClasses.td"

//===----------------------------------------------------------------------===//
// Activations
//===----------------------------------------------------------------------===//

def Fx_CeluOp : Fx_Activation<"celu", "continuously differentiable exponential linear unit", [{
    y = max(0, x) + min(0, alpha * (e^(x / alpha) - 1)).

    ```mlir
    %y = fx.celu %x {alpha = 2.0 : f64} : (tensor<4xf32>) -> tensor<4xf32>
    ```
  }], (ins Fx_FloatOr<"1.0">:$alpha)>;

def Fx_EluOp : Fx_Activation<"elu", "exponential linear unit", [{
    y = scale * x if x > 0, scale * alpha * (e^(x * input_scale) - 1) else. `selu` is this op with its constants.

    ```mlir
    %y = fx.elu %x {alpha = 2.0 : f64} : (tensor<4xf32>) -> tensor<4xf32>
    ```
  }], (ins Fx_IntOr<"1">:$alpha, Fx_IntOr<"1">:$scale, Fx_IntOr<"1">:$input_scale),
  ["aten.selu.default(alpha=#1.6732632423543772, scale=#1.0507009873554805)"]>;

def Fx_GeluOp : Fx_Op<"gelu", "geluType({op.getInput()}, op.getApproximate(), r)", ["aten.gelu.default"]> {
  let summary = "Gaussian error linear unit";
  let description = [{
    y = x Φ(x) = x / 2 * (1 + erf(x / sqrt(2))); with approximate "tanh"
    y = x / 2 * (1 + tanh(sqrt(2 / π) * (x + 0.044715 x^3))).

    * (gelu_c1) approximate is "none" or "tanh".

    ```mlir
    %y = fx.gelu %x approximate "tanh" : (tensor<4xf32>) -> tensor<4xf32>
    ```
  }];
  let arguments = (ins Fx_FloatTensor:$input, DefaultValuedAttr<StrAttr, "\"none\"">:$approximate);
  let results = (outs Fx_FloatTensor:$result);
  let assemblyFormat = "$input (`approximate` $approximate^)? attr-dict `:` functional-type(operands, results)";
}

def Fx_GluOp : Fx_Op<"glu", "gluType(op.getInput(), op.getDim(), r)", ["aten.glu.default"]> {
  let summary = "gated linear unit";
  let description = [{
    y = a * σ(b), a and b the halves of input along dim.

    * (glu_c1) -rank(input) <= dim < rank(input).
    * (glu_c2) the size of dim is even.

    ```mlir
    %y = fx.glu %x dim 1 : (tensor<4x8xf32>) -> tensor<4x4xf32>
    ```
  }];
  let arguments = (ins Fx_FloatTensor:$input, DefaultValuedAttr<I64Attr, "-1">:$dim);
  let results = (outs Fx_FloatTensor:$result);
  let assemblyFormat = "$input (`dim` $dim^)? attr-dict `:` functional-type(operands, results)";
}

def Fx_HardshrinkOp : Fx_Activation<"hardshrink", "zero near zero", [{
    y = 0 if |x| <= lambd, x else.

    ```mlir
    %y = fx.hardshrink %x {lambd = 1.0 : f64} : (tensor<4xf32>) -> tensor<4xf32>
    ```
  }], (ins Fx_FloatOr<"0.5">:$lambd)>;

def Fx_HardsigmoidOp : Fx_Activation<"hardsigmoid", "piecewise linear sigmoid", "y = min(max(x + 3, 0), 6) / 6.">;

def Fx_HardswishOp : Fx_Activation<"hardswish", "piecewise linear swish", "y = x * min(max(x + 3, 0), 6) / 6.">;

def Fx_HardtanhOp : Fx_Activation<"hardtanh", "piecewise linear tanh", [{
    y = min(max(x, min_val), max_val). `relu6` is this op from 0 to 6.

    ```mlir
    %y = fx.hardtanh %x {min_val = 0 : i64, max_val = 6 : i64} : (tensor<4xf32>) -> tensor<4xf32>
    ```
  }], (ins Fx_IntOr<"-1">:$min_val, Fx_IntOr<"1">:$max_val), ["aten.relu6.default(min_val=#0, max_val=#6)"], Fx_RealTensor>;

def Fx_LeakyReluOp : Fx_Activation<"leaky_relu", "rectified linear unit that leaks", [{
    y = x if x > 0, negative_slope * x else.

    ```mlir
    %y = fx.leaky_relu %x {negative_slope = 0.2 : f64} : (tensor<4xf32>) -> tensor<4xf32>
    ```
  }], (ins Fx_FloatOr<"0.01">:$negative_slope)>;

def Fx_LogSigmoidOp : Fx_Activation<"log_sigmoid", "logarithm of the sigmoid", "y = ln(σ(x)) = -ln(1 + e^-x).">;

def Fx_LogSigmoidForwardOp : Fx_Op<"log_sigmoid_forward", "likeEach({op.getInput(), op.getInput()}, r)", ["aten.log_sigmoid_forward.default"]> {
  let summary = "logarithm of the sigmoid, and what its gradient keeps";
  let description = [{
    output = ln(σ(x)), buffer = e^-|x|. PyTorch has the buffer on the CPU only (it is empty elsewhere); here it is
    always there.

    ```mlir
    %y, %z = fx.log_sigmoid_forward %x : (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
    ```
  }];
  let arguments = (ins Fx_FloatTensor:$input);
  let results = (outs Fx_FloatTensor:$output, Fx_FloatTensor:$buffer);
}

def Fx_LogitOp : Fx_Op<"logit", "r.unary(op.getInput(), Promote::IntToFloat)", ["aten.logit.default", "aten.special_logit.default"]> {
  let summary = "inverse of the sigmoid";
  let description = [{
    y = ln(z / (1 - z)), z = x limited to [eps, 1 - eps] if eps is given.

    ```mlir
    %y = fx.logit %x eps 1.0e-6 : (tensor<4xf32>) -> tensor<4xf32>
    ```
  }];
  let arguments = (ins Fx_RealTensor:$input, OptionalAttr<F64Attr>:$eps);
  let results = (outs Fx_FloatTensor:$result);
  let assemblyFormat = "$input (`eps` $eps^)? attr-dict `:` functional-type(operands, results)";
}

def Fx_MishOp : Fx_Activation<"mish", "self-regularised activation", "y = x * tanh(ln(1 + e^x)).">;

def Fx_PreluOp : Fx_Op<"prelu", "preluType(op.getInput(), op.getWeight(), r)", ["aten.prelu.default"]> {
  let summary = "leaky rectified linear unit with learnt slopes";
  let description = [{
    y = x if x > 0, w * x else; w is the only weight, or weight[c] with c the index of x in dim 1 (of rank 1: 0).

    * (prelu_c1) rank(weight) <= 1.
    * (prelu_c2) weight has one element, or as many as dim 1 of input has.
    * (prelu_c3) weight has the element type of input.

    ```mlir
    %y = fx.prelu %x, %w : (tensor<4x8x?xf32>, tensor<8xf32>) -> tensor<4x8x?xf32>
    ```
  }];
  let arguments = (ins Fx_FloatTensor:$input, Fx_FloatTensor:$weight);
  let results = (outs Fx_FloatTensor:$result);
}

def Fx_PreluKernelOp : Fx_Op<"prelu_kernel", "r.pointwise({op.getInput(), op.getWeight()})", ["aten._prelu_kernel.default"]> {
  let summary = "leaky rectified linear unit with slopes that broadcast";
  let description = [{ y = x if x > 0, weight * x else. }];
  let arguments = (ins Fx_FloatTensor:$input, Fx_FloatTensor:$weight);
  let results = (outs Fx_FloatTensor:$result);
}

def Fx_ReluOp : Fx_Activation<"relu", "rectified linear unit", "y = max(x, 0); NaN stays.", (ins), [], Fx_RealTensor> {
  let hasFolder = 1;
}

def Fx_SigmoidOp : Fx_UnaryFloat<"sigmoid", "logistic function", "y = σ(x) = 1 / (1 + e^-x).", ["aten.special_expit.default"]>;

def Fx_SiluOp : Fx_Activation<"silu", "sigmoid linear unit (swish)", "y = x σ(x).", (ins), [], Fx_FloatOrComplexTensor>;

def Fx_SoftplusOp : Fx_Activation<"softplus", "smooth rectified linear unit", [{
    y = ln(1 + e^(beta x)) / beta, x itself where beta x > threshold.

    ```mlir
    %y = fx.softplus %x {beta = 2 : i64} : (tensor<4xf32>) -> tensor<4xf32>
    ```
  }], (ins Fx_IntOr<"1">:$beta, Fx_IntOr<"20">:$threshold)>;

def Fx_SoftshrinkOp : Fx_Activation<"softshrink", "towards zero by a constant", [{
    y = x - lambd if x > lambd, x + lambd if x < -lambd, 0 else.

    ```mlir
    %y = fx.softshrink %x {lambd = 1.0 : f64} : (tensor<4xf32>) -> tensor<4xf32>
    ```
  }], (ins Fx_FloatOr<"0.5">:$lambd)>;

def Fx_ThresholdOp : Fx_Activation<"threshold", "replace what is small", [{
    y = x if x > threshold (or x is NaN), value else.

    ```mlir
    %y = fx.threshold %x {threshold = 0.5 : f64, value = 0 : i64} : (tensor<4xf32>) -> tensor<4xf32>
    ```
  }], (ins Fx_NumberAttr:$threshold, Fx_NumberAttr:$value), [], Fx_RealTensor>;

//===----------------------------------------------------------------------===//
// Gradients
//===----------------------------------------------------------------------===//

def Fx_EluBackwardOp : Fx_Backward<"elu_backward", [{
    With s = self_or_result, `is_result` says which: y = g * scale if s > 0; else g * input_scale * (s + alpha * scale) of the
    result, g * input_scale * alpha * scale * e^(s * input_scale) of the operand.

    ```mlir
    %y = fx.elu_backward %g, %x {alpha = 1 : i64, scale = 1 : i64, input_scale = 1 : i64, is_result = false}
        : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    ```
  }], (ins Fx_FloatTensor:$self_or_result),
  (ins Fx_NumberAttr:$alpha, Fx_NumberAttr:$scale, Fx_NumberAttr:$input_scale, BoolAttr:$is_result)>;

def Fx_GeluBackwardOp : Fx_Op<"gelu_backward", "geluType({op.getGradOutput(), op.getInput()}, op.getApproximate(), r)",
                              ["aten.gelu_backward.default"]> {
  let summary = "gradient of gelu";
  let description = [{
    y = g * (Φ(x) + x φ(x)); with approximate "tanh", u = sqrt(2 / π) * (x + 0.044715 x^3):
    y = g / 2 * (1 + tanh(u) + x * (1 - tanh(u)^2) * sqrt(2 / π) * (1 + 0.134145 x^2)).

    * (gelu_backward_c1) approximate is "none" or "tanh".

    ```mlir
    %y = fx.gelu_backward %g, %x approximate "tanh" : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    ```
  }];
  let arguments = (ins Fx_FloatTensor:$grad_output, Fx_FloatTensor:$input, DefaultValuedAttr<StrAttr, "\"none\"">:$approximate);
  let results = (outs Fx_FloatTensor:$result);
  let assemblyFormat = [{
    $grad_output `,` $input (`approximate` $approximate^)? attr-dict `:` functional-type(operands, results)
  }];
}

def Fx_GluBackwardOp : Fx_Op<"glu_backward", "gluBackward(op.getGradOutput(), op.getInput(), op.getDim(), r)",
                             ["aten.glu_backward.default"]> {
  let summary = "gradient of glu";
  let description = [{
    With a and b the halves of input along dim, y = [g σ(b), g a σ(b) (1 - σ(b))] joined along dim.

    * (glu_backward_c1) -rank(input) <= dim < rank(input).
    * (glu_backward_c2) grad_output has input's sizes, in dim half of it.

    ```mlir
    %y = fx.glu_backward %g, %x dim 1 : (tensor<4x4xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
    ```
  }];
  let arguments = (ins Fx_FloatTensor:$grad_output, Fx_FloatTensor:$input, I64Attr:$dim);
  let results = (outs Fx_FloatTensor:$result);
  let assemblyFormat = "$grad_output `,` $input `dim` $dim attr-dict `:` functional-type(operands, results)";
}

def Fx_HardshrinkBackwardOp : Fx_Backward<"hardshrink_backward", [{
    y = 0 if |x| <= lambd, g else (g is `grad_out`).
  }], (ins Fx_FloatTensor:$input), (ins Fx_NumberAttr:$lambd), (ins Fx_FloatTensor:$grad_out)>;

def Fx_HardsigmoidBackwardOp : Fx_Backward<"hardsigmoid_backward", "y = g / 6 if -3 < x < 3, 0 else.">;

def Fx_HardswishBackwardOp : Fx_Backward<"hardswish_backward", "y = 0 if x <= -3, g if x >= 3, g * (x / 3 + 1/2) else.">;

def Fx_HardtanhBackwardOp : Fx_Backward<"hardtanh_backward", "y = g if min_val < x < max_val, 0 else.",
    (ins Fx_FloatTensor:$input), (ins Fx_NumberAttr:$min_val, Fx_NumberAttr:$max_val)>;

def Fx_LeakyReluBackwardOp : Fx_Backward<"leaky_relu_backward", [{
    y = g if x > 0, negative_slope * g else; `self_is_result`: x is the forward result, which has the operand's sign.
  }], (ins Fx_FloatTensor:$input), (ins Fx_NumberAttr:$negative_slope, BoolAttr:$self_is_result)>;

def Fx_LogSigmoidBackwardOp : Fx_Backward<"log_sigmoid_backward", [{
    y = g * (1 - σ(x)). `buffer` is the forward op's, or anything.
  }], (ins Fx_FloatTensor:$input, Fx_FloatTensor:$buffer)>;

def Fx_LogitBackwardOp : Fx_Backward<"logit_backward", [{
    y = g / (x (1 - x)) if eps <= x <= 1 - eps, 0 else; without eps NaN outside [0, 1].
  }], (ins Fx_FloatTensor:$input), (ins OptionalAttr<F64Attr>:$eps)>;

def Fx_MishBackwardOp : Fx_Backward<"mish_backward", "With t = tanh(ln(1 + e^x)), y = g * (t + x σ(x) (1 - t^2)).">;

def Fx_PreluKernelBackwardOp : Fx_Op<"prelu_kernel_backward",
    "preluGradients(op.getGradOutput(), op.getInput(), op.getWeight(), r)", ["aten._prelu_kernel_backward.default"]> {
  let summary = "gradients of prelu_kernel";
  let description = [{
    grad_input = g if x > 0, g * weight else; grad_weight = 0 if x > 0, g * x else, not yet summed over broadcast dims.

    ```mlir
    %dx, %dw = fx.prelu_kernel_backward %g, %x, %w
        : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<1x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>)
    ```
  }];
  let arguments = (ins Fx_FloatTensor:$grad_output, Fx_FloatTensor:$input, Fx_FloatTensor:$weight);
  let results = (outs Fx_FloatTensor:$grad_input, Fx_FloatTensor:$grad_weight);
}

def Fx_SigmoidBackwardOp : Fx_Backward<"sigmoid_backward", "y = g * output * (1 - output).",
    (ins Fx_FloatOrComplexTensor:$output), (ins), (ins Fx_FloatOrComplexTensor:$grad_output)>;

def Fx_SiluBackwardOp : Fx_Backward<"silu_backward", "y = g σ(x) (1 + x (1 - σ(x))).",
    (ins Fx_FloatOrComplexTensor:$input), (ins), (ins Fx_FloatOrComplexTensor:$grad_output)>;

def Fx_SoftplusBackwardOp : Fx_Backward<"softplus_backward", "y = g if beta x > threshold, g σ(beta x) else.",
    (ins Fx_FloatTensor:$input), (ins Fx_NumberAttr:$beta, Fx_NumberAttr:$threshold)>;

def Fx_SoftshrinkBackwardOp : Fx_Backward<"softshrink_backward", "y = 0 if -lambd <= x <= lambd, g else.",
    (ins Fx_FloatTensor:$input), (ins Fx_NumberAttr:$lambd)>;

def Fx_TanhBackwardOp : Fx_Backward<"tanh_backward", "y = g * (1 - output^2).",
    (ins Fx_FloatOrComplexTensor:$output), (ins), (ins Fx_FloatOrComplexTensor:$grad_output)>;

def Fx_ThresholdBackwardOp : Fx_Backward<"threshold_backward", "y = 0 if x <= threshold, g else (also the gradient of relu, with 0).",
    (ins Fx_RealTensor:$input), (ins Fx_NumberAttr:$threshold), (ins Fx_RealTensor:$grad_output)>;

#endif // FX_ACTIVATION_OPS_TD
