//! Pointwise ops: one element from one element of each operand.

use fx_ir::{NumberKind, Op, Type};

use crate::scalar::{Compare, Number, Scalars};
use crate::table::{Compute, OpRow, missing, pointwise};

use Compute::{Own, Promoted, Result as InResult};

/// The table.
pub static ROWS: &[OpRow] = &[
    // Arithmetic
    pointwise("fx.add", InResult, |s, a, op| s.add(a[0], scaled(s, a[1], op, "alpha"))),
    pointwise("fx.sub", InResult, |s, a, op| s.sub(a[0], scaled(s, a[1], op, "alpha"))),
    pointwise("fx.mul", InResult, |s, a, _| s.mul(a[0], a[1])),
    pointwise("fx.div", InResult, div),
    pointwise("fx.neg", InResult, |s, a, _| s.neg(a[0])),
    pointwise("fx.abs", Own, |s, a, _| s.abs(a[0])),
    pointwise("fx.maximum", InResult, |s, a, _| s.max(a[0], a[1])),
    pointwise("fx.minimum", InResult, |s, a, _| s.min(a[0], a[1])),
    pointwise("fx.reciprocal", InResult, |s, a, _| s.div(s.constant(a[0].ty, 1.0), a[0])),
    pointwise("fx.pow", InResult, pow),
    // Exponential and trigonometric functions
    pointwise("fx.exp", InResult, |s, a, _| s.op("math.exp", a)),
    pointwise("fx.exp2", InResult, |s, a, _| s.op("math.exp2", a)),
    pointwise("fx.expm1", InResult, |s, a, _| s.op("math.expm1", a)),
    pointwise("fx.log", InResult, |s, a, _| s.op("math.log", a)),
    pointwise("fx.log2", InResult, |s, a, _| s.op("math.log2", a)),
    pointwise("fx.log10", InResult, |s, a, _| s.op("math.log10", a)),
    pointwise("fx.log1p", InResult, |s, a, _| s.op("math.log1p", a)),
    pointwise("fx.sqrt", InResult, |s, a, _| s.op("math.sqrt", a)),
    pointwise("fx.rsqrt", InResult, |s, a, _| s.div(s.constant(a[0].ty, 1.0), s.op("math.sqrt", a))),
    pointwise("fx.sin", InResult, |s, a, _| s.op("math.sin", a)),
    pointwise("fx.cos", InResult, |s, a, _| s.op("math.cos", a)),
    pointwise("fx.tan", InResult, |s, a, _| s.op("math.tan", a)),
    pointwise("fx.tanh", InResult, |s, a, _| s.op("math.tanh", a)),
    pointwise("fx.erf", InResult, |s, a, _| s.op("math.erf", a)),
    // Rounding
    pointwise("fx.floor", InResult, |s, a, _| float_only(s, a[0], "math.floor")),
    pointwise("fx.ceil", InResult, |s, a, _| float_only(s, a[0], "math.ceil")),
    pointwise("fx.trunc", InResult, |s, a, _| float_only(s, a[0], "math.trunc")),
    // Activations
    pointwise("fx.relu", InResult, |s, a, _| relu(s, a[0])),
    pointwise("fx.sigmoid", InResult, |s, a, _| sigmoid(s, a[0])),
    pointwise("fx.silu", InResult, |s, a, _| s.div(a[0], one_plus_exp_neg(s, a[0]))),
    pointwise("fx.gelu", InResult, gelu),
    // Comparisons and logic
    pointwise("fx.eq", Promoted, |s, a, _| s.compare(Compare::Eq, a[0], a[1])),
    pointwise("fx.ne", Promoted, |s, a, _| s.compare(Compare::Ne, a[0], a[1])),
    pointwise("fx.lt", Promoted, |s, a, _| s.compare(Compare::Lt, a[0], a[1])),
    pointwise("fx.le", Promoted, |s, a, _| s.compare(Compare::Le, a[0], a[1])),
    pointwise("fx.gt", Promoted, |s, a, _| s.compare(Compare::Gt, a[0], a[1])),
    pointwise("fx.ge", Promoted, |s, a, _| s.compare(Compare::Ge, a[0], a[1])),
    pointwise("fx.logical_not", Own, |s, a, _| s.not(truth(s, a[0]))),
    pointwise("fx.logical_and", Own, |s, a, _| s.and(truth(s, a[0]), truth(s, a[1]))),
    pointwise("fx.logical_or", Own, |s, a, _| s.or(truth(s, a[0]), truth(s, a[1]))),
    pointwise("fx.logical_xor", Own, |s, a, _| s.xor(truth(s, a[0]), truth(s, a[1]))),
    pointwise("fx.bitwise_and", InResult, |s, a, _| s.and(a[0], a[1])),
    pointwise("fx.bitwise_or", InResult, |s, a, _| s.or(a[0], a[1])),
    pointwise("fx.bitwise_xor", InResult, |s, a, _| s.xor(a[0], a[1])),
    pointwise("fx.bitwise_not", InResult, |s, a, _| s.not(a[0])),
    pointwise("fx.isnan", Own, |s, a, _| s.is_nan(a[0])),
    // Choice
    pointwise("fx.where", Own, |s, a, op| {
        let ty = compute_type(s, op);
        s.select(truth(s, a[0]), s.cast(a[1], ty), s.cast(a[2], ty))
    }),
    pointwise("fx.masked_fill", Own, |s, a, op| {
        let ty = compute_type(s, op);
        s.select(truth(s, a[1]), s.cast(a[2], ty), s.cast(a[0], ty))
    }),
    // Casts
    pointwise("fx.to_copy", Own, |_, a, _| a[0]),
    pointwise("fx.clone", Own, |_, a, _| a[0]),
    missing("fx.acos", "not lowered yet"),
    missing("fx.acosh", "not lowered yet"),
    missing("fx.addcdiv", "not lowered yet"),
    missing("fx.addcmul", "not lowered yet"),
    missing("fx.angle", "not lowered yet"),
    missing("fx.asin", "not lowered yet"),
    missing("fx.asinh", "not lowered yet"),
    missing("fx.atan", "not lowered yet"),
    missing("fx.atan2", "not lowered yet"),
    missing("fx.atanh", "not lowered yet"),
    missing("fx.bitwise_left_shift", "not lowered yet"),
    missing("fx.bitwise_right_shift", "not lowered yet"),
    missing("fx.clamp", "not lowered yet"),
    missing("fx.copysign", "not lowered yet"),
    missing("fx.cosh", "not lowered yet"),
    missing("fx.deg2rad", "not lowered yet"),
    missing("fx.float_power", "not lowered yet"),
    missing("fx.fmax", "not lowered yet"),
    missing("fx.fmin", "not lowered yet"),
    missing("fx.fmod", "not lowered yet"),
    missing("fx.frac", "not lowered yet"),
    missing("fx.frexp", "not lowered yet"),
    missing("fx.gcd", "needs a loop per element"),
    missing("fx.heaviside", "not lowered yet"),
    missing("fx.hypot", "not lowered yet"),
    missing("fx.isclose", "not lowered yet"),
    missing("fx.isfinite", "not lowered yet"),
    missing("fx.isinf", "not lowered yet"),
    missing("fx.isneginf", "not lowered yet"),
    missing("fx.isposinf", "not lowered yet"),
    missing("fx.isreal", "not lowered yet"),
    missing("fx.lcm", "needs a loop per element"),
    missing("fx.ldexp", "not lowered yet"),
    missing("fx.lerp", "not lowered yet"),
    missing("fx.logaddexp", "not lowered yet"),
    missing("fx.logaddexp2", "not lowered yet"),
    missing("fx.nan_to_num", "not lowered yet"),
    missing("fx.nextafter", "not lowered yet"),
    missing("fx.polar", "not lowered yet"),
    missing("fx.rad2deg", "not lowered yet"),
    missing("fx.remainder", "not lowered yet"),
    missing("fx.round", "not lowered yet"),
    missing("fx.sgn", "not lowered yet"),
    missing("fx.sign", "not lowered yet"),
    missing("fx.signbit", "not lowered yet"),
    missing("fx.sinc", "not lowered yet"),
    missing("fx.sinh", "not lowered yet"),
];

/// The type that the op's result is computed in, before it is rounded to the result's own.
fn compute_type<'c>(s: &Scalars<'c>, op: Op<'c>) -> Type<'c> {
    crate::scalar::opmath(s.context(), op.result(0).ty().element())
}

/// Whether a number is not zero.
fn truth<'c>(s: &Scalars<'c>, a: Number<'c>) -> Number<'c> {
    s.cast(a, Type::int(s.context(), 1))
}

/// `a` times a number attribute; absent is 1.
fn scaled<'c>(s: &Scalars<'c>, a: Number<'c>, op: Op<'c>, name: &str) -> Number<'c> {
    match op.attribute(name) {
        Some(factor) if factor.as_int() == Some(1) || factor.as_float() == Some(1.0) => a,
        Some(factor) => match factor.as_int() {
            Some(factor) => s.mul(a, s.int(a.ty, factor)),
            None => s.mul(a, s.constant(a.ty, factor.as_float().unwrap_or(1.0))),
        },
        None => a,
    }
}

/// A rounding function: the identity on integers.
fn float_only<'c>(s: &Scalars<'c>, a: Number<'c>, name: &str) -> Number<'c> {
    if a.ty.is_float() { s.op(name, &[a]) } else { a }
}

/// `max(a, 0)` that keeps NaN.
fn relu<'c>(s: &Scalars<'c>, a: Number<'c>) -> Number<'c> {
    let zero = s.constant(a.ty, 0.0);
    s.max(a, zero)
}

/// `1 + e^-a`
fn one_plus_exp_neg<'c>(s: &Scalars<'c>, a: Number<'c>) -> Number<'c> {
    let e = s.op("math.exp", &[s.neg(a)]);
    s.add(s.constant(a.ty, 1.0), e)
}

/// `1 / (1 + e^-a)`
fn sigmoid<'c>(s: &Scalars<'c>, a: Number<'c>) -> Number<'c> {
    s.div(s.constant(a.ty, 1.0), one_plus_exp_neg(s, a))
}

/// `a / b`, or rounded as `rounding_mode` says.
fn div<'c>(s: &Scalars<'c>, a: &[Number<'c>], op: Op<'c>) -> Number<'c> {
    let (x, y) = (a[0], a[1]);
    match op.text("rounding_mode") {
        Some("trunc") if x.ty.is_float() => s.op("math.trunc", &[s.div(x, y)]),
        Some("floor") => floor_div(s, x, y),
        _ => s.div(x, y),
    }
}

/// `floor(x / y)`; on floats as Python's `//` (exact remainder first), an infinite quotient stays.
pub(crate) fn floor_div<'c>(s: &Scalars<'c>, x: Number<'c>, y: Number<'c>) -> Number<'c> {
    if x.ty.number_kind() == NumberKind::Unsigned {
        return s.div(x, y);
    }
    let zero = s.constant(x.ty, 0.0);
    let one = s.constant(x.ty, 1.0);
    if !x.ty.is_float() {
        let quotient = s.div(x, y);
        let rest = s.sub(x, s.mul(quotient, y));
        let inexact = s.compare(Compare::Ne, rest, zero);
        let signs_differ = s.xor(s.compare(Compare::Lt, rest, zero), s.compare(Compare::Lt, y, zero));
        return s.select(s.and(inexact, signs_differ), s.sub(quotient, one), quotient);
    }
    // c10/util/generic_math.h: div_floor_floating
    let rest = s.rem(x, y);
    let exact = s.div(s.sub(x, rest), y);
    let signs_differ = s.xor(s.compare(Compare::Lt, rest, zero), s.compare(Compare::Lt, y, zero));
    let adjust = s.and(s.compare(Compare::Ne, rest, zero), signs_differ);
    let quotient = s.select(adjust, s.sub(exact, one), exact);
    let floored = s.op("math.floor", &[quotient]);
    let half = s.constant(x.ty, 0.5);
    let rounded = s.select(s.compare(Compare::Gt, s.sub(quotient, floored), half), s.add(floored, one), floored);
    let signed_zero = s.op("math.copysign", &[zero, s.div(x, y)]);
    let result = s.select(s.compare(Compare::Ne, quotient, zero), rounded, signed_zero);
    s.select(s.compare(Compare::Eq, y, zero), s.div(x, y), result)
}

/// `a ^ b`. Small constant exponents are products; integers multiply by squaring.
fn pow<'c>(s: &Scalars<'c>, a: &[Number<'c>], op: Op<'c>) -> Number<'c> {
    let exponent = op.operand(1).constant().and_then(fx_ir::Attribute::as_float);
    match exponent {
        Some(2.0) => return s.mul(a[0], a[0]),
        Some(3.0) => return s.mul(s.mul(a[0], a[0]), a[0]),
        Some(1.0) => return a[0],
        Some(0.5) if a[0].ty.is_float() => return s.op("math.sqrt", &a[..1]),
        Some(-1.0) if a[0].ty.is_float() => return s.div(s.constant(a[0].ty, 1.0), a[0]),
        Some(-2.0) if a[0].ty.is_float() => return s.div(s.constant(a[0].ty, 1.0), s.mul(a[0], a[0])),
        _ => {}
    }
    match a[0].ty.number_kind() {
        NumberKind::Float => s.op("math.powf", &a[..2]),
        NumberKind::Complex => s.op("complex.pow", &a[..2]),
        _ => s.op("math.ipowi", &a[..2]),
    }
}

/// `x Φ(x)` by erf, or its tanh approximation.
fn gelu<'c>(s: &Scalars<'c>, a: &[Number<'c>], op: Op<'c>) -> Number<'c> {
    let x = a[0];
    let c = |value: f64| s.constant(x.ty, value);
    if op.text("approximate") == Some("tanh") {
        let cube = s.mul(s.mul(x, x), x);
        let inner = s.mul(c((2.0 / std::f64::consts::PI).sqrt()), s.add(x, s.mul(c(0.044715), cube)));
        return s.mul(s.mul(c(0.5), x), s.add(c(1.0), s.op("math.tanh", &[inner])));
    }
    let phi = s.add(c(1.0), s.op("math.erf", &[s.mul(x, c(std::f64::consts::FRAC_1_SQRT_2))]));
    s.mul(s.mul(x, c(0.5)), phi)
}
