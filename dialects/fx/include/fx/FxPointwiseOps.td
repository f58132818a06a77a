//===- FxPointwiseOps.td - one element in, one element out ---------------===//
//
// This file: arithmetic, rounding, comparison, logic, selection, elementary
// functions, angles. FxSpecialOps.td: special functions.
// FxActivationOps.td: activations and their gradients.
//
// Operands broadcast, and the result is computed in the promoted type, unless
// an op says otherwise. "x" in a formula is `input`.
//
//===----------------------------------------------------------------------===//

#ifndef FX_POINTWISE_OPS_TD
#define FX_POINTWISE_OPS_TD

include "fx/FxPointwiseClasses.td"
include "fx/FxActivationOps.td"
include "fx/FxSpecialOps.td"

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

def Fx_AbsOp : Fx_Unary<"abs", "ComplexToFloat", "absolute value", "y = |x|; of a complex number its modulus.", ["aten.absolute.default"]> {
  let hasFolder = 1;
}

def Fx_AddOp : Fx_Op<"add", "scaledSum(op.getInput(), op.getOther(), op.getAlpha(), r)",
                     ["aten.add.Tensor", "aten.add.Scalar"]> {
  let summary = "sum of two operands";
  let description = [{
    y = input + alpha * other.

    * (add_c1) alpha is a float only if the result is float or complex.
    * (add_c2) alpha is a bool only if the result is bool.

    ```mlir
    %y = fx.add %a, %b : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
    %z = fx.add %a, %b {alpha = 2 : i64} : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
    ```
  }];
  let arguments = (ins Fx_TensorOrScalar:$input, Fx_TensorOrScalar:$other, Fx_IntOr<"1">:$alpha);
  let results = (outs Fx_Tensor:$result);
  let hasFolder = 1;
}

def Fx_AddcdivOp : Fx_Op<"addcdiv", "addcdivType(op.getInput(), op.getTensor1(), op.getTensor2(), r)",
                         ["aten.addcdiv.default"]> {
  let summary = "sum with a scaled quotient";
  let description = [{
    y = input + value * tensor1 / tensor2.

    * (addcdiv_c1) tensor1 and tensor2 are not both integer or bool.

    ```mlir
    %y = fx.addcdiv %p, %m, %v {value = -1.0e-3 : f64} : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    ```
  }];
  let arguments = (ins Fx_Tensor:$input, Fx_Tensor:$tensor1, Fx_Tensor:$tensor2, Fx_IntOr<"1">:$value);
  let results = (outs Fx_Tensor:$result);
}

def Fx_AddcmulOp : Fx_Op<"addcmul", "r.pointwise({op.getInput(), op.getTensor1(), op.getTensor2()})",
                         ["aten.addcmul.default"]> {
  let summary = "sum with a scaled product";
  let description = [{
    y = input + value * tensor1 * tensor2.

    ```mlir
    %y = fx.addcmul %p, %a, %b {value = 0.5 : f64} : (tensor<4xf32>, tensor<4xf32>, tensor<1xf32>) -> tensor<4xf32>
    ```
  }];
  let arguments = (ins Fx_Tensor:$input, Fx_Tensor:$tensor1, Fx_Tensor:$tensor2, Fx_IntOr<"1">:$value);
  let results = (outs Fx_Tensor:$result);
}

def Fx_CopysignOp : Fx_Binary<"copysign", "IntToFloat", "magnitude of one, sign of another",
    "y = |x| with the sign bit of `other`.", ["Tensor", "Scalar"], [], [], Fx_RealTensorOrScalar>;

def Fx_DivOp : Fx_Op<"div", "quotient(op.getInput(), op.getOther(), op.getRoundingMode(), r)", [
    "aten.div.Tensor", "aten.div.Scalar", "aten.div.Tensor_mode", "aten.div.Scalar_mode",
    "aten.divide.Tensor", "aten.divide.Scalar", "aten.divide.Tensor_mode", "aten.divide.Scalar_mode",
    "aten.true_divide.Tensor", "aten.true_divide.Scalar",
    "aten.floor_divide.default(rounding_mode=#\"floor\")", "aten.floor_divide.Scalar(rounding_mode=#\"floor\")",
    "prims.div.default"]> {
  let summary = "quotient of two operands";
  let description = [{
    y = input / other; rounded towards zero with mode "trunc", downwards with "floor". Without a mode integers
    divide in f32; with one the result keeps the promoted type. Division of integers by zero is undefined.

    `prims.div` of two integers is the mode "trunc", of floats no mode. It imports as this op without a mode, so
    its integer case stops at the verifier, which infers f32.

    * (div_c1) rounding_mode is "trunc" or "floor".

    ```mlir
    %y = fx.div %a, %b : (tensor<4xi64>, tensor<4xi64>) -> tensor<4xf32>
    %z = fx.div %a, %b rounding "floor" : (tensor<4xi64>, tensor<4xi64>) -> tensor<4xi64>
    ```
  }];
  let arguments = (ins Fx_TensorOrScalar:$input, Fx_TensorOrScalar:$other, OptionalAttr<StrAttr>:$rounding_mode);
  let results = (outs Fx_Tensor:$result);
  let assemblyFormat = [{
    $input `,` $other (`rounding` $rounding_mode^)? attr-dict `:` functional-type(operands, results)
  }];
  let hasFolder = 1;
}

def Fx_FloatPowerOp : Fx_Op<"float_power", "floatPower(op.getInput(), op.getExponent(), r)",
    Fx_Overloads<"float_power", ["Tensor_Tensor", "Tensor_Scalar", "Scalar"], []>.names> {
  let summary = "power in double precision";
  let description = [{
    y = x^exponent, in f64, or complex<f64> if an operand is complex.

    ```mlir
    %y = fx.float_power %x, %n : (tensor<4xi32>, i64) -> tensor<4xf64>
    ```
  }];
  let arguments = (ins Fx_TensorOrScalar:$input, Fx_TensorOrScalar:$exponent);
  let results = (outs Fx_Tensor:$result);
}

def Fx_FmodOp : Fx_Binary<"fmod", "Default", "remainder with the dividend's sign",
    "y = x - other * trunc(x / other).", ["Tensor", "Scalar"], [], [], Fx_RealTensorOrScalar>;

def Fx_GcdOp : Fx_Binary<"gcd", "Default", "greatest common divisor",
    "y = the largest integer that divides |x| and |other|; gcd(0, 0) = 0.", ["default"], [], [Commutative], Fx_IntTensorOrScalar>;

def Fx_HypotOp : Fx_Binary<"hypot", "IntToFloat", "length of a right triangle's hypotenuse",
    "y = sqrt(x^2 + other^2).", ["default"], [], [Commutative], Fx_RealTensorOrScalar>;

def Fx_LcmOp : Fx_Binary<"lcm", "Default", "least common multiple",
    "y = |x * other| / gcd(x, other); lcm(0, 0) = 0.", ["default"], [], [Commutative], Fx_IntTensorOrScalar>;

def Fx_LdexpOp : Fx_Op<"ldexp", "ldexpType(op.getInput(), op.getOther(), r)", ["aten.ldexp.Tensor"]> {
  let summary = "product with a power of two";
  let description = [{
    y = x * 2^other. The power is a tensor of f32 if `other` is integer, of other's type else; then the types
    promote as in `fx.mul`.

    ```mlir
    %y = fx.ldexp %x, %e : (tensor<4xf16>, tensor<4xi32>) -> tensor<4xf32>
    ```
  }];
  let arguments = (ins Fx_Tensor:$input, Fx_Tensor:$other);
  let results = (outs Fx_Tensor:$result);
}

def Fx_LerpOp : Fx_Op<"lerp", "lerpType(op.getInput(), op.getEnd(), op.getWeight(), r)", ["aten.lerp.Tensor", "aten.lerp.Scalar"]> {
  let summary = "linear interpolation";
  let description = [{
    y = input + weight * (end - input), in input's type. To be computed so that weight = 1 gives `end`:
    end - (end - input) * (1 - weight) where |weight| >= 1/2.

    * (lerp_c1) end has the element type of input.

    ```mlir
    %y = fx.lerp %a, %b, %w : (tensor<4xf32>, tensor<4xf32>, f64) -> tensor<4xf32>
    ```
  }];
  let arguments = (ins Fx_Tensor:$input, Fx_Tensor:$end, Fx_TensorOrScalar:$weight);
  let results = (outs Fx_Tensor:$result);
}

def Fx_MulOp : Fx_Binary<"mul", "Default", "product of two operands", "y = x * other.",
    ["Tensor", "Scalar"], ["aten.multiply.Tensor", "aten.multiply.Scalar", "aten.positive.default(other=#1)"], [Commutative]> {
  let hasFolder = 1;
}

def Fx_NegOp : Fx_Unary<"neg", "Default", "negation", "y = -x.", ["aten.negative.default", "aten._neg_view.default"],
    Fx_NumericTensor> {
  let hasFolder = 1;
}

def Fx_NextafterOp : Fx_Binary<"nextafter", "IntToFloat", "next float towards another",
    "y = the float after x in the direction of `other`; x if they are equal.", ["default"], [], [], Fx_RealTensorOrScalar>;

def Fx_PowOp : Fx_Op<"pow", "r.pointwise({op.getInput(), op.getExponent()})", [
    "aten.pow.Tensor_Tensor", "aten.pow.Tensor_Scalar", "aten.pow.Scalar", "aten.square.default(exponent=#2)"]> {
  let summary = "power";
  let description = [{
    y = x^exponent. Integers to a negative integer power are undefined (PyTorch reports an error).

    ```mlir
    %y = fx.pow %x, %n : (tensor<4xf32>, i64) -> tensor<4xf32>
    ```
  }];
  let arguments = (ins Fx_TensorOrScalar:$input, Fx_TensorOrScalar:$exponent);
  let results = (outs Fx_Tensor:$result);
  let hasFolder = 1;
}

def Fx_ReciprocalOp : Fx_UnaryFloat<"reciprocal", "reciprocal", "y = 1 / x.">;

def Fx_RemainderOp : Fx_Binary<"remainder", "Default", "remainder with the divisor's sign",
    "y = x - other * floor(x / other).", ["Tensor", "Scalar", "Scalar_Tensor"], [], [], Fx_RealTensorOrScalar>;

def Fx_SubOp : Fx_Op<"sub", "scaledSum(op.getInput(), op.getOther(), op.getAlpha(), r)", [
    "aten.sub.Tensor", "aten.sub.Scalar", "aten.subtract.Tensor", "aten.subtract.Scalar",
    "aten.rsub.Tensor(input=other, other=self)", "aten.rsub.Scalar(input=other, other=self)"]> {
  let summary = "difference of two operands";
  let description = [{
    y = input - alpha * other.

    * (sub_c1) alpha is a float only if the result is float or complex.
    * (sub_c2) alpha is a bool only if the result is bool.

    ```mlir
    %y = fx.sub %one, %x : (f64, tensor<4xf32>) -> tensor<4xf32>
    ```
  }];
  let arguments = (ins Fx_NumericTensorOrScalar:$input, Fx_NumericTensorOrScalar:$other, Fx_IntOr<"1">:$alpha);
  let results = (outs Fx_Tensor:$result);
  let hasFolder = 1;
}

//===----------------------------------------------------------------------===//
// Rounding, signs and the parts of a float
//===----------------------------------------------------------------------===//

def Fx_CeilOp : Fx_Unary<"ceil", "Default", "round upwards", "y = the least integer >= x.", [], Fx_RealTensor> {
  let hasFolder = 1;
}

def Fx_FloorOp : Fx_Unary<"floor", "Default", "round downwards", "y = the greatest integer <= x.", [], Fx_RealTensor> {
  let hasFolder = 1;
}

def Fx_FracOp : Fx_Unary<"frac", "Default", "fractional part", "y = x - trunc(x).", [], Fx_RealTensor>;

def Fx_FrexpOp : Fx_Op<"frexp", "frexpTypes(op.getInput(), r)", ["aten.frexp.Tensor", "prims.frexp.default"]> {
  let summary = "mantissa and exponent of floats";
  let description = [{
    x = mantissa * 2^exponent with 1/2 <= |mantissa| < 1; zero, infinity and NaN have themselves as mantissa.

    ```mlir
    %m, %e = fx.frexp %x : (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xi32>)
    ```
  }];
  let arguments = (ins Fx_FloatTensor:$input);
  let results = (outs Fx_FloatTensor:$mantissa, Fx_IntTensor:$exponent);
}

def Fx_NanToNumOp : Fx_Activation<"nan_to_num", "replace what is not finite", [{
    y = nan if x is NaN, posinf if x = ∞, neginf if x = -∞, x else. Absent: 0, the type's greatest and least number.

    ```mlir
    %y = fx.nan_to_num %x {nan = 1.0 : f64} : (tensor<4xf32>) -> tensor<4xf32>
    ```
  }], (ins OptionalAttr<F64Attr>:$nan, OptionalAttr<F64Attr>:$posinf, OptionalAttr<F64Attr>:$neginf), [], Fx_Tensor>;

def Fx_RoundOp : Fx_Op<"round", "r.unary(op.getInput())", ["aten.round.default", "aten.round.decimals", "aten.special_round.default"]> {
  let summary = "round to nearest";
  let description = [{
    y = the multiple of 10^-decimals nearest to x; of two the even one.

    ```mlir
    %y = fx.round %x decimals 2 : (tensor<4xf32>) -> tensor<4xf32>
    ```
  }];
  let arguments = (ins Fx_RealTensor:$input, DefaultValuedAttr<I64Attr, "0">:$decimals);
  let results = (outs Fx_RealTensor:$result);
  let assemblyFormat = "$input (`decimals` $decimals^)? attr-dict `:` functional-type(operands, results)";
  let hasFolder = 1;
}

def Fx_SgnOp : Fx_Unary<"sgn", "Default", "sign of a complex number", "y = x / |x|, 0 if x = 0; for reals as `fx.sign`.">;

def Fx_SignOp : Fx_Unary<"sign", "Default", "sign", "y = -1, 0 or 1 as x < 0, x = 0 or x > 0.", [], Fx_RealTensor>;

def Fx_SignbitOp : Fx_Predicate<"signbit", "whether the sign bit is set", "y = x < 0, or x is -0.0 or a NaN with its sign bit set.", Fx_RealTensor>;

def Fx_TruncOp : Fx_Unary<"trunc", "Default", "round towards zero", "y = sign(x) * floor(|x|).", ["aten.fix.default"], Fx_RealTensor> {
  let hasFolder = 1;
}

//===----------------------------------------------------------------------===//
// Comparison
//===----------------------------------------------------------------------===//

def Fx_EqOp : Fx_Comparison<"eq", "", "equal", "y = (x = other).", Fx_TensorOrScalar, [Commutative]>;
def Fx_GeOp : Fx_Comparison<"ge", "greater_equal", "greater or equal", "y = (x >= other).">;
def Fx_GtOp : Fx_Comparison<"gt", "greater", "greater", "y = (x > other).">;

def Fx_IscloseOp : Fx_Op<"isclose", "iscloseType(op.getInput(), op.getOther(), op.getRtol(), op.getAtol(), r)",
                         ["aten.isclose.default"]> {
  let summary = "equal up to a tolerance";
  let description = [{
    y = (|x - other| <= atol + rtol * |other|) or x = other; two NaN are close if equal_nan.

    * (isclose_c1) the operands have the same element type.
    * (isclose_c2) rtol >= 0 and atol >= 0.

    ```mlir
    %y = fx.isclose %a, %b {rtol = 1.0e-3 : f64} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
    ```
  }];
  let arguments = (ins Fx_Tensor:$input, Fx_Tensor:$other, DefaultValuedAttr<F64Attr, "1e-05">:$rtol,
                       DefaultValuedAttr<F64Attr, "1e-08">:$atol, DefaultValuedAttr<BoolAttr, "false">:$equal_nan);
  let results = (outs Fx_BoolTensor:$result);
}

def Fx_IsfiniteOp : Fx_Predicate<"isfinite", "neither infinite nor NaN", "y = |x| < ∞.">;
def Fx_IsinfOp : Fx_Predicate<"isinf", "infinite", "y = (|x| = ∞).">;
def Fx_IsnanOp : Fx_Predicate<"isnan", "not a number", "y = (x != x).">;
def Fx_IsneginfOp : Fx_Predicate<"isneginf", "minus infinity", "y = (x = -∞).", Fx_RealTensor>;
def Fx_IsposinfOp : Fx_Predicate<"isposinf", "plus infinity", "y = (x = ∞).", Fx_RealTensor>;
def Fx_IsrealOp : Fx_Predicate<"isreal", "without an imaginary part", "y = (imag(x) = 0).">;
def Fx_LeOp : Fx_Comparison<"le", "less_equal", "less or equal", "y = (x <= other).">;
def Fx_LtOp : Fx_Comparison<"lt", "less", "less", "y = (x < other).">;
def Fx_NeOp : Fx_Comparison<"ne", "not_equal", "not equal", "y = (x != other).", Fx_TensorOrScalar, [Commutative]>;

//===----------------------------------------------------------------------===//
// Logic and bits
//===----------------------------------------------------------------------===//

def Fx_BitwiseAndOp : Fx_Bitwise<"bitwise_and", "__and__", "and of bits", "y = x ∧ other in each bit.", [Commutative]>;
def Fx_BitwiseLeftShiftOp : Fx_Shift<"bitwise_left_shift", "__lshift__", "shift to the left",
    "y = x * 2^other; 0 if other is negative or not less than the width.">;
def Fx_BitwiseNotOp : Fx_Unary<"bitwise_not", "Default", "complement of bits", "y = ¬x in each bit.", [], Fx_IntOrBoolTensor> {
  let hasFolder = 1;
}
def Fx_BitwiseOrOp : Fx_Bitwise<"bitwise_or", "__or__", "or of bits", "y = x ∨ other in each bit.", [Commutative]>;
def Fx_BitwiseRightShiftOp : Fx_Shift<"bitwise_right_shift", "__rshift__", "shift to the right",
    "y = floor(x / 2^other); of signed integers all sign bits if other is negative or not less than the width.">;
def Fx_BitwiseXorOp : Fx_Bitwise<"bitwise_xor", "__xor__", "exclusive or of bits", "y = x ⊕ other in each bit.", [Commutative]>;
def Fx_LogicalAndOp : Fx_Logical<"logical_and", "and of truth values", "y = (x != 0) ∧ (other != 0).">;
def Fx_LogicalNotOp : Fx_Predicate<"logical_not", "negated truth value", "y = (x = 0)."> {
  let hasFolder = 1;
}
def Fx_LogicalOrOp : Fx_Logical<"logical_or", "or of truth values", "y = (x != 0) ∨ (other != 0).">;
def Fx_LogicalXorOp : Fx_Logical<"logical_xor", "exclusive or of truth values", "y = (x != 0) ⊕ (other != 0).">;

//===----------------------------------------------------------------------===//
// Selection
//===----------------------------------------------------------------------===//

def Fx_ClampOp : Fx_Op<"clamp", "clampType(op.getInput(), op.getMin(), op.getMax(), r)", [
    "aten.clamp.default", "aten.clamp.Tensor", "aten.clip.default", "aten.clip.Tensor",
    "aten.clamp_min.default", "aten.clamp_min.Tensor", "aten.clamp_max.default", "aten.clamp_max.Tensor"],
    [Pure, AttrSizedOperandSegments]> {
  let summary = "limit to a range";
  let description = [{
    y = minimum(maximum(x, min), max), without a bound that is absent. NaN in any operand gives NaN. Bounds
    take part in type promotion.

    * (clamp_c1) min or max is given.

    ```mlir
    %y = fx.clamp %x min %a max %b : (tensor<4xf32>, f64, f64) -> tensor<4xf32>
    ```
  }];
  let arguments = (ins Fx_RealTensor:$input, Optional<Fx_RealTensorOrScalar>:$min, Optional<Fx_RealTensorOrScalar>:$max);
  let results = (outs Fx_RealTensor:$result);
  let assemblyFormat = "$input (`min` $min^)? (`max` $max^)? attr-dict `:` functional-type(operands, results)";
}

def Fx_FmaxOp : Fx_Binary<"fmax", "Default", "greater of two, ignoring NaN",
    "y = max(x, other); the other operand if one is NaN.", ["default"], ["prims.fmax.default"], [Commutative], Fx_RealTensorOrScalar>;

def Fx_FminOp : Fx_Binary<"fmin", "Default", "less of two, ignoring NaN",
    "y = min(x, other); the other operand if one is NaN.", ["default"], ["prims.fmin.default"], [Commutative], Fx_RealTensorOrScalar>;

def Fx_HeavisideOp : Fx_Op<"heaviside", "heavisideType(op.getInput(), op.getValues(), r)", ["aten.heaviside.default"]> {
  let summary = "step function";
  let description = [{
    y = 0 if x < 0, values if x = 0, 1 if x > 0; NaN gives 0.

    * (heaviside_c1) the operands have the same element type.

    ```mlir
    %y = fx.heaviside %x, %v : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
    ```
  }];
  let arguments = (ins Fx_RealTensor:$input, Fx_RealTensor:$values);
  let results = (outs Fx_RealTensor:$result);
}

def Fx_MaskedFillOp : Fx_Op<"masked_fill", "maskedFill(op.getInput(), op.getMask(), op.getValue(), r)",
                            ["aten.masked_fill.Scalar", "aten.masked_fill.Tensor"]> {
  let summary = "overwrite where a mask is set";
  let description = [{
    y = value where mask, input elsewhere, in input's type.

    * (masked_fill_c1) value is a number or a tensor of rank 0.

    ```mlir
    %y = fx.masked_fill %x, %m, %v : (tensor<4x8xf32>, tensor<8xi1>, f64) -> tensor<4x8xf32>
    ```
  }];
  let arguments = (ins Fx_Tensor:$input, Fx_BoolTensor:$mask, Fx_TensorOrScalar:$value);
  let results = (outs Fx_Tensor:$result);
}

def Fx_MaximumOp : Fx_Binary<"maximum", "Default", "greater of two",
    "y = max(x, other); NaN if one is NaN.", ["default"], ["aten.max.other"], [Commutative], Fx_RealTensorOrScalar> {
  let hasFolder = 1;
}

def Fx_MinimumOp : Fx_Binary<"minimum", "Default", "less of two",
    "y = min(x, other); NaN if one is NaN.", ["default"], ["aten.min.other"], [Commutative], Fx_RealTensorOrScalar> {
  let hasFolder = 1;
}

def Fx_WhereOp : Fx_Op<"where", "selection(op.getCondition(), op.getInput(), op.getOther(), r)", [
    "aten.where.self", "aten.where.ScalarSelf", "aten.where.ScalarOther", "aten.where.Scalar",
    "prims.where.default(condition=pred, input=a, other=b)"]> {
  let summary = "choose between two operands";
  let description = [{
    y = input where condition is true (not zero), other elsewhere. The condition broadcasts too, but takes no
    part in type promotion.

    ```mlir
    %y = fx.where %c, %a, %b : (tensor<4x1xi1>, tensor<4x8xf32>, f64) -> tensor<4x8xf32>
    ```
  }];
  let arguments = (ins Fx_MaskTensor:$condition, Fx_TensorOrScalar:$input, Fx_TensorOrScalar:$other);
  let results = (outs Fx_Tensor:$result);
  let hasFolder = 1;
}

//===----------------------------------------------------------------------===//
// Exponential and trigonometric functions
//===----------------------------------------------------------------------===//

def Fx_AcosOp : Fx_UnaryFloat<"acos", "inverse cosine", "y = arccos(x).", ["aten.arccos.default"]>;
def Fx_AcoshOp : Fx_UnaryFloat<"acosh", "inverse hyperbolic cosine", "y = arcosh(x).", ["aten.arccosh.default"]>;
def Fx_AsinOp : Fx_UnaryFloat<"asin", "inverse sine", "y = arcsin(x).", ["aten.arcsin.default"]>;
def Fx_AsinhOp : Fx_UnaryFloat<"asinh", "inverse hyperbolic sine", "y = arsinh(x).", ["aten.arcsinh.default"]>;
def Fx_AtanOp : Fx_UnaryFloat<"atan", "inverse tangent", "y = arctan(x).", ["aten.arctan.default"]>;
def Fx_Atan2Op : Fx_Binary<"atan2", "IntToFloat", "angle of a point", "y = the angle of the point (other, x), in [-π, π].",
    ["default"], ["aten.arctan2.default"], [], Fx_RealTensorOrScalar>;
def Fx_AtanhOp : Fx_UnaryFloat<"atanh", "inverse hyperbolic tangent", "y = artanh(x).", ["aten.arctanh.default"]>;
def Fx_CosOp : Fx_UnaryFloat<"cos", "cosine", "y = cos(x).">;
def Fx_CoshOp : Fx_UnaryFloat<"cosh", "hyperbolic cosine", "y = (e^x + e^-x) / 2.">;
def Fx_Deg2radOp : Fx_UnaryRealFloat<"deg2rad", "degrees to radians", "y = x * π / 180.">;
def Fx_ExpOp : Fx_UnaryFloat<"exp", "exponential", "y = e^x.">;
def Fx_Exp2Op : Fx_UnaryFloat<"exp2", "power of two", "y = 2^x.", ["aten.special_exp2.default"]>;
def Fx_Expm1Op : Fx_UnaryFloat<"expm1", "exponential less one", "y = e^x - 1, accurate near 0.", ["aten.special_expm1.default"]>;
def Fx_LogOp : Fx_UnaryFloat<"log", "natural logarithm", "y = ln(x).">;
def Fx_Log10Op : Fx_UnaryFloat<"log10", "decimal logarithm", "y = ln(x) / ln(10).">;
def Fx_Log1pOp : Fx_UnaryFloat<"log1p", "logarithm of one more", "y = ln(1 + x), accurate near 0.", ["aten.special_log1p.default"]>;
def Fx_Log2Op : Fx_UnaryFloat<"log2", "binary logarithm", "y = ln(x) / ln(2).">;
def Fx_LogaddexpOp : Fx_Binary<"logaddexp", "IntToFloat", "logarithm of a sum of exponentials",
    "y = ln(e^x + e^other).", ["default"], [], [Commutative]>;
def Fx_Logaddexp2Op : Fx_Binary<"logaddexp2", "IntToFloat", "binary logarithm of a sum of powers of two",
    "y = log2(2^x + 2^other).", ["default"], [], [Commutative], Fx_RealTensorOrScalar>;
def Fx_Rad2degOp : Fx_UnaryRealFloat<"rad2deg", "radians to degrees", "y = x * 180 / π.">;
def Fx_RsqrtOp : Fx_UnaryFloat<"rsqrt", "reciprocal square root", "y = 1 / sqrt(x).">;
def Fx_SinOp : Fx_UnaryFloat<"sin", "sine", "y = sin(x).">;
def Fx_SincOp : Fx_UnaryFloat<"sinc", "normalised cardinal sine", "y = sin(πx) / (πx), 1 if x = 0.", ["aten.special_sinc.default"]>;
def Fx_SinhOp : Fx_UnaryFloat<"sinh", "hyperbolic sine", "y = (e^x - e^-x) / 2.">;
def Fx_SqrtOp : Fx_UnaryFloat<"sqrt", "square root", "y = sqrt(x).">;
def Fx_TanOp : Fx_UnaryFloat<"tan", "tangent", "y = tan(x).">;
def Fx_TanhOp : Fx_UnaryFloat<"tanh", "hyperbolic tangent", "y = (e^x - e^-x) / (e^x + e^-x).">;

//===----------------------------------------------------------------------===//
// Angles of complex numbers (their parts: FxShapeOps.td)
//===----------------------------------------------------------------------===//

def Fx_AngleOp : Fx_Op<"angle", "angleType(op.getInput(), r)", ["aten.angle.default"]> {
  let summary = "argument of a complex number";
  let description = [{
    y = arg(x), in (-π, π]; of a real number 0 or π (NaN if it is NaN). Integers give f32, complex numbers their
    real type.

    ```mlir
    %y = fx.angle %x : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
    ```
  }];
  let arguments = (ins Fx_Tensor:$input);
  let results = (outs Fx_FloatTensor:$result);
}

def Fx_PolarOp : Fx_Op<"polar", "polarType(op.getAbs(), op.getAngle(), r)", ["aten.polar.default"]> {
  let summary = "complex number from modulus and argument";
  let description = [{
    y = abs * e^(i * angle).

    * (polar_c1) the operands have the same element type.

    ```mlir
    %y = fx.polar %r, %phi : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xcomplex<f32>>
    ```
  }];
  let arguments = (ins Fx_WideFloatTensor:$abs, Fx_WideFloatTensor:$angle);
  let results = (outs Fx_ComplexTensor:$result);
}

#endif // FX_POINTWISE_OPS_TD
