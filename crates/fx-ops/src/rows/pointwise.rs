//! Pointwise ops: one element from one element of each operand.

use fx_ir::{NumberKind, Op, Type};

use crate::batching;
use crate::fx_op::FxOp;
use crate::rows::complex;
use crate::rows::derivatives::pointwise as vjp;
use crate::scalar::{Compare, Number, Scalars};
use crate::table::{Compute, OpRow, composite, pointwise};

use Compute::{Own, Promoted, Result as InResult};

/// Why an op has no derivative.
const INTEGERS: &str = "it is of integers";
const TRUTH: &str = "it is true or false";
const STEPS: &str = "its slope is 0 where it has one";

/// The table.
pub static ROWS: &[OpRow] = &[
    // Arithmetic
    pointwise("fx.add", InResult, |s, a, op| s.add(a[0], scaled(s, a[1], op, "alpha"))).vjp(vjp::add),
    pointwise("fx.sub", InResult, |s, a, op| s.sub(a[0], scaled(s, a[1], op, "alpha"))).vjp(vjp::sub),
    pointwise("fx.mul", InResult, |s, a, _| s.mul(a[0], a[1])).vjp(vjp::mul),
    pointwise("fx.div", InResult, div).vjp(vjp::div),
    pointwise("fx.neg", InResult, |s, a, _| s.neg(a[0])).slope(|f, _, _| Ok(f.number(-1.0))),
    pointwise("fx.abs", Own, |s, a, _| s.abs(a[0])).vjp(vjp::abs).kinked(),
    pointwise("fx.maximum", InResult, |s, a, _| s.max(a[0], a[1])).vjp(|b| vjp::extremum(b, "fx.lt", "fx.gt")).kinked(),
    pointwise("fx.minimum", InResult, |s, a, _| s.min(a[0], a[1])).vjp(|b| vjp::extremum(b, "fx.gt", "fx.lt")).kinked(),
    pointwise("fx.reciprocal", InResult, |s, a, _| s.div(s.constant(a[0].ty, 1.0), a[0])).slope(|f, _, y| f.neg(vjp::square(f, y)?)),
    pointwise("fx.pow", InResult, pow).vjp(vjp::pow).kinked(),
    pointwise("fx.float_power", InResult, pow).vjp(vjp::pow).kinked(),
    pointwise("fx.fmod", InResult, |s, a, _| s.rem(a[0], a[1])).vjp(|b| vjp::remainder(b, "trunc")).kinked(),
    pointwise("fx.remainder", InResult, |s, a, _| remainder(s, a[0], a[1])).vjp(|b| vjp::remainder(b, "floor")).kinked(),
    pointwise("fx.fmax", InResult, |s, a, _| number_or(s, a, s.max(a[0], a[1]))).vjp(|b| vjp::number_extremum(b, "fx.ge")).kinked(),
    pointwise("fx.fmin", InResult, |s, a, _| number_or(s, a, s.min(a[0], a[1]))).vjp(|b| vjp::number_extremum(b, "fx.le")).kinked(),
    pointwise("fx.addcmul", InResult, |s, a, op| s.add(a[0], s.mul(scaled(s, a[1], op, "value"), a[2]))).vjp(vjp::addcmul),
    pointwise("fx.addcdiv", InResult, |s, a, op| s.add(a[0], s.div(scaled(s, a[1], op, "value"), a[2]))).vjp(vjp::addcdiv),
    pointwise("fx.lerp", InResult, |s, a, _| lerp(s, a[0], a[1], a[2])).vjp(vjp::lerp),
    // the power is a tensor of its own, rounded to its type
    composite("fx.ldexp", |f, op| Ok(vec![f.mul(op.operand("input")?, f.op("fx.exp2", &[op.operand("other")?], &[])?)?])),
    pointwise("fx.hypot", InResult, |s, a, _| hypot(s, a[0], a[1])).vjp(vjp::hypot).kinked(),
    pointwise("fx.copysign", InResult, |s, a, _| s.op("math.copysign", &a[..2])).vjp(vjp::copysign).kinked(),
    pointwise("fx.gcd", InResult, |s, a, _| gcd(s, a[0], a[1])).constant(INTEGERS),
    pointwise("fx.lcm", InResult, |s, a, _| lcm(s, a[0], a[1])).constant(INTEGERS),
    // Signs
    pointwise("fx.sign", InResult, |s, a, _| sign(s, a[0])).constant(STEPS),
    pointwise("fx.sgn", InResult, |s, a, _| sign(s, a[0])).vjp(vjp::sgn).kinked(),
    pointwise("fx.signbit", Own, |s, a, _| signbit(s, a[0])).constant(TRUTH),
    pointwise("fx.heaviside", InResult, |s, a, _| {
        let zero = s.int(a[0].ty, 0);
        let step = s.cast(s.compare(Compare::Gt, a[0], zero), a[0].ty);
        s.select(s.compare(Compare::Eq, a[0], zero), a[1], step)
    })
    .constant("a step, which PyTorch does not differentiate either"),
    // Exponential and trigonometric functions
    pointwise("fx.exp", InResult, |s, a, _| elementary(s, "exp", a[0])).slope(|_, _, y| Ok(y)),
    pointwise("fx.exp2", InResult, |s, a, _| exp2(s, a[0])).slope(|f, _, y| vjp::exp2_slope(f, y)),
    pointwise("fx.expm1", InResult, |s, a, _| elementary(s, "expm1", a[0])).slope(|f, _, y| f.add(y, f.number(1.0))),
    pointwise("fx.log", InResult, |s, a, _| elementary(s, "log", a[0])).vjp(|b| vjp::over(b, b.x("input")?)),
    pointwise("fx.log2", InResult, |s, a, _| log_base(s, "math.log2", a[0], std::f64::consts::LN_2))
        .vjp(|b| vjp::over(b, b.mul(b.x("input")?, b.number(std::f64::consts::LN_2))?)),
    pointwise("fx.log10", InResult, |s, a, _| log_base(s, "math.log10", a[0], std::f64::consts::LN_10))
        .vjp(|b| vjp::over(b, b.mul(b.x("input")?, b.number(std::f64::consts::LN_10))?)),
    pointwise("fx.log1p", InResult, |s, a, _| elementary(s, "log1p", a[0])).vjp(|b| vjp::over(b, b.add(b.x("input")?, b.number(1.0))?)),
    pointwise("fx.sqrt", InResult, |s, a, _| elementary(s, "sqrt", a[0])).vjp(|b| vjp::over(b, b.mul(b.number(2.0), b.y(0)?)?)),
    pointwise("fx.rsqrt", InResult, |s, a, _| s.div(s.constant(a[0].ty, 1.0), elementary(s, "sqrt", a[0])))
        .slope(|f, _, y| f.mul(f.number(-0.5), f.mul(vjp::square(f, y)?, y)?)),
    pointwise("fx.sin", InResult, |s, a, _| elementary(s, "sin", a[0])).slope(|f, x, _| f.op("fx.cos", &[x], &[])),
    pointwise("fx.cos", InResult, |s, a, _| elementary(s, "cos", a[0])).slope(|f, x, _| f.neg(f.op("fx.sin", &[x], &[])?)),
    pointwise("fx.tan", InResult, |s, a, _| elementary(s, "tan", a[0])).slope(|f, _, y| f.add(f.number(1.0), vjp::square(f, y)?)),
    pointwise("fx.tanh", InResult, |s, a, _| elementary(s, "tanh", a[0])).slope(|f, _, y| f.sub(f.number(1.0), f.mul(y, y)?)),
    pointwise("fx.acos", InResult, |s, a, _| if a[0].ty.is_complex() { complex::acos(s, a[0]) } else { s.op("math.acos", a) })
        .slope(|f, x, _| f.neg(vjp::asin_slope(f, x)?)),
    pointwise("fx.acosh", InResult, |s, a, _| if a[0].ty.is_complex() { complex::acosh(s, a[0]) } else { s.op("math.acosh", a) })
        .slope(|f, x, _| vjp::acosh_slope(f, x)),
    pointwise("fx.asin", InResult, |s, a, _| if a[0].ty.is_complex() { complex::asin(s, a[0]) } else { s.op("math.asin", a) })
        .slope(|f, x, _| vjp::asin_slope(f, x)),
    pointwise("fx.asinh", InResult, |s, a, _| if a[0].ty.is_complex() { complex::asinh(s, a[0]) } else { s.op("math.asinh", a) })
        .slope(|f, x, _| f.rsqrt(f.add(vjp::square(f, x)?, f.number(1.0))?)),
    pointwise("fx.atan", InResult, |s, a, _| if a[0].ty.is_complex() { complex::atan(s, a[0]) } else { s.op("math.atan", a) })
        .vjp(|b| vjp::over(b, b.add(vjp::square(b, b.x("input")?)?, b.number(1.0))?)),
    pointwise("fx.atanh", InResult, |s, a, _| if a[0].ty.is_complex() { complex::atanh(s, a[0]) } else { s.op("math.atanh", a) })
        .vjp(|b| vjp::over(b, b.sub(b.number(1.0), vjp::square(b, b.x("input")?)?)?)),
    pointwise("fx.atan2", InResult, |s, a, _| s.op("math.atan2", &a[..2])).vjp(vjp::atan2).kinked(),
    pointwise("fx.sinh", InResult, |s, a, _| hyperbolic(s, "math.sinh", a[0], Scalars::sub)).slope(|f, x, _| f.op("fx.cosh", &[x], &[])),
    pointwise("fx.cosh", InResult, |s, a, _| hyperbolic(s, "math.cosh", a[0], Scalars::add)).slope(|f, x, _| f.op("fx.sinh", &[x], &[])),
    pointwise("fx.sinc", InResult, |s, a, _| sinc(s, a[0])).slope(|f, x, _| vjp::sinc_slope(f, x)).kinked(),
    pointwise("fx.deg2rad", InResult, |s, a, _| s.mul(a[0], s.constant(a[0].ty, std::f64::consts::PI / 180.0)))
        .slope(|f, _, _| Ok(f.number(std::f64::consts::PI / 180.0))),
    pointwise("fx.rad2deg", InResult, |s, a, _| s.mul(a[0], s.constant(a[0].ty, 180.0 / std::f64::consts::PI)))
        .slope(|f, _, _| Ok(f.number(180.0 / std::f64::consts::PI))),
    pointwise("fx.logaddexp", InResult, |s, a, _| logaddexp(s, a[0], a[1], 1.0)).vjp(|b| vjp::logaddexp(b, "fx.exp")),
    pointwise("fx.logaddexp2", InResult, |s, a, _| logaddexp(s, a[0], a[1], std::f64::consts::LN_2)).vjp(|b| vjp::logaddexp(b, "fx.exp2")),
    pointwise("fx.angle", Own, angle).vjp(vjp::angle).kinked(),
    pointwise("fx.polar", Own, |s, a, _| {
        let part = |name: &str| s.mul(a[0], s.op(name, &a[1..]));
        s.complex(part("math.cos"), part("math.sin"))
    })
    .vjp(vjp::polar),
    // Rounding
    pointwise("fx.floor", InResult, |s, a, _| float_only(s, a[0], "math.floor")).constant(STEPS),
    pointwise("fx.ceil", InResult, |s, a, _| float_only(s, a[0], "math.ceil")).constant(STEPS),
    pointwise("fx.trunc", InResult, |s, a, _| float_only(s, a[0], "math.trunc")).constant(STEPS),
    pointwise("fx.round", InResult, round).constant(STEPS),
    pointwise("fx.frac", InResult, |s, a, _| s.sub(a[0], float_only(s, a[0], "math.trunc"))).vjp(vjp::same).kinked(),
    // Comparisons and logic
    pointwise("fx.eq", Promoted, |s, a, _| s.compare(Compare::Eq, a[0], a[1])).constant(TRUTH),
    pointwise("fx.ne", Promoted, |s, a, _| s.compare(Compare::Ne, a[0], a[1])).constant(TRUTH),
    pointwise("fx.lt", Promoted, |s, a, _| s.compare(Compare::Lt, a[0], a[1])).constant(TRUTH),
    pointwise("fx.le", Promoted, |s, a, _| s.compare(Compare::Le, a[0], a[1])).constant(TRUTH),
    pointwise("fx.gt", Promoted, |s, a, _| s.compare(Compare::Gt, a[0], a[1])).constant(TRUTH),
    pointwise("fx.ge", Promoted, |s, a, _| s.compare(Compare::Ge, a[0], a[1])).constant(TRUTH),
    pointwise("fx.logical_not", Own, |s, a, _| s.not(truth(s, a[0]))).constant(TRUTH),
    pointwise("fx.logical_and", Own, |s, a, _| s.and(truth(s, a[0]), truth(s, a[1]))).constant(TRUTH),
    pointwise("fx.logical_or", Own, |s, a, _| s.or(truth(s, a[0]), truth(s, a[1]))).constant(TRUTH),
    pointwise("fx.logical_xor", Own, |s, a, _| s.xor(truth(s, a[0]), truth(s, a[1]))).constant(TRUTH),
    pointwise("fx.bitwise_and", InResult, |s, a, _| s.and(a[0], a[1])).constant(INTEGERS),
    pointwise("fx.bitwise_or", InResult, |s, a, _| s.or(a[0], a[1])).constant(INTEGERS),
    pointwise("fx.bitwise_xor", InResult, |s, a, _| s.xor(a[0], a[1])).constant(INTEGERS),
    pointwise("fx.bitwise_not", InResult, |s, a, _| s.not(a[0])).constant(INTEGERS),
    pointwise("fx.bitwise_left_shift", InResult, |s, a, _| shift(s, a[0], a[1], "arith.shli", Overflow::Zero)).constant(INTEGERS),
    pointwise("fx.bitwise_right_shift", InResult, |s, a, _| match a[0].ty.number_kind() {
        NumberKind::Unsigned => shift(s, a[0], a[1], "arith.shrui", Overflow::Zero),
        _ => shift(s, a[0], a[1], "arith.shrsi", Overflow::Sign),
    })
    .constant(INTEGERS),
    // Properties
    pointwise("fx.isnan", Own, |s, a, _| s.is_nan(a[0])).constant(TRUTH),
    pointwise("fx.isinf", Own, |s, a, _| of_parts(s, a[0], Scalars::or, |s, x| s.compare(Compare::Eq, s.abs(x), infinity(s, x.ty)), false))
        .constant(TRUTH),
    pointwise("fx.isfinite", Own, |s, a, _| is_finite(s, a[0])).constant(TRUTH),
    pointwise("fx.isposinf", Own, |s, a, _| of_parts(s, a[0], Scalars::or, |s, x| s.compare(Compare::Eq, x, infinity(s, x.ty)), false))
        .constant(TRUTH),
    pointwise("fx.isneginf", Own, |s, a, _| {
        of_parts(s, a[0], Scalars::or, |s, x| s.compare(Compare::Eq, x, s.neg(infinity(s, x.ty))), false)
    })
    .constant(TRUTH),
    pointwise("fx.isreal", Own, |s, a, _| {
        if !a[0].ty.is_complex() {
            return truth_value(s, true);
        }
        let (_, im) = s.parts(a[0]);
        s.compare(Compare::Eq, im, s.constant(im.ty, 0.0))
    })
    .constant(TRUTH),
    pointwise("fx.isclose", Own, isclose).constant(TRUTH),
    // Choice
    pointwise("fx.where", Own, |s, a, op| {
        let ty = compute_type(s, op);
        s.select(truth(s, a[0]), s.cast(a[1], ty), s.cast(a[2], ty))
    })
    .vjp(|b| vjp::choose(b, "condition", "input", "other")),
    pointwise("fx.masked_fill", Own, |s, a, op| {
        let ty = compute_type(s, op);
        s.select(truth(s, a[1]), s.cast(a[2], ty), s.cast(a[0], ty))
    })
    .batched(batching::masked_fill)
    .vjp(|b| vjp::choose(b, "mask", "value", "input")),
    pointwise("fx.clamp", InResult, clamp).vjp(vjp::clamp).kinked(),
    pointwise("fx.nan_to_num", InResult, nan_to_num).vjp(vjp::nan_to_num).kinked(),
    // Casts
    pointwise("fx.to_copy", Own, |_, a, _| a[0])
        .vjp(vjp::same)
        .tested_by("a narrower type hides small differences: PyTorch's gradients of casts"),
    pointwise("fx.clone", Own, |_, a, _| a[0]).vjp(vjp::same),
];

/// The type that the op's result is computed in, before it is rounded to the result's own.
pub(crate) fn compute_type<'c>(s: &Scalars<'c>, op: Op<'c>) -> Type<'c> {
    crate::scalar::opmath(s.context(), op.result(0).ty().element())
}

/// `both`, or of two numbers the one that is not NaN.
fn number_or<'c>(s: &Scalars<'c>, a: &[Number<'c>], both: Number<'c>) -> Number<'c> {
    if !both.ty.is_float() {
        return both;
    }
    s.select(s.is_nan(a[0]), a[1], s.select(s.is_nan(a[1]), a[0], both))
}

/// Whether a number is not zero.
fn truth<'c>(s: &Scalars<'c>, a: Number<'c>) -> Number<'c> {
    s.cast(a, Type::int(s.context(), 1))
}

/// `a` times a number attribute; absent is 1.
pub(crate) fn scaled<'c>(s: &Scalars<'c>, a: Number<'c>, op: Op<'c>, name: &str) -> Number<'c> {
    match op.attribute(name) {
        Some(factor) if factor.as_int() == Some(1) || factor.as_float() == Some(1.0) => a,
        Some(factor) => match factor.as_int() {
            // of bools any number but 0 is true
            Some(factor) => s.mul(a, s.int(a.ty, if a.ty.is_bool() { i64::from(factor != 0) } else { factor })),
            None => s.mul(a, s.constant(a.ty, factor.as_float().unwrap_or(1.0))),
        },
        None => a,
    }
}

/// A rounding function: the identity on integers.
fn float_only<'c>(s: &Scalars<'c>, a: Number<'c>, name: &str) -> Number<'c> {
    if a.ty.is_float() { s.op(name, &[a]) } else { a }
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
        _ => int_pow(s, a[0], a[1]),
    }
}

/// `x ^ y` on integers, wrapping: squares for each bit of the exponent. A negative exponent gives 0, but for 1 and -1.
fn int_pow<'c>(s: &Scalars<'c>, x: Number<'c>, y: Number<'c>) -> Number<'c> {
    let (zero, one, minus_one) = (s.int(x.ty, 0), s.int(x.ty, 1), s.int(x.ty, -1));
    let (mut power, mut square, mut bits) = (one, x, y);
    for _ in 0..x.ty.bit_width() {
        let set = s.compare(Compare::Ne, s.and(bits, one), zero);
        power = s.select(set, s.mul(power, square), power);
        square = s.mul(square, square);
        bits = s.op("arith.shrui", &[bits, one]);
    }
    if x.ty.number_kind() != NumberKind::Int {
        return power;
    }
    let odd = s.compare(Compare::Ne, s.and(y, one), zero);
    let of_minus_one = s.select(odd, minus_one, one);
    let fraction = s.select(s.compare(Compare::Eq, x, one), one, s.select(s.compare(Compare::Eq, x, minus_one), of_minus_one, zero));
    s.select(s.compare(Compare::Lt, y, zero), fraction, power)
}

/// Euclid's algorithm on magnitudes; `gcd(0, 0) = 0`. The least integer has no magnitude, and stays itself.
fn gcd<'c>(s: &Scalars<'c>, x: Number<'c>, y: Number<'c>) -> Number<'c> {
    let results = s.while_loop(
        &[s.abs(x), s.abs(y)],
        |s, pair| s.compare(Compare::Ne, pair[0], s.int(x.ty, 0)),
        |s, pair| vec![s.rem(pair[1], pair[0]), pair[0]],
    );
    results[1]
}

/// `|x / gcd * y|`, 0 if both are 0. Narrow integers are promoted to i32 as in C: only the result is cut off.
fn lcm<'c>(s: &Scalars<'c>, x: Number<'c>, y: Number<'c>) -> Number<'c> {
    let own = x.ty;
    let wide = if own.bit_width() < 32 { Type::int(s.context(), 32) } else { own };
    let (x, y) = (s.cast(x, wide), s.cast(y, wide));
    let divisor = gcd(s, x, y);
    let zero = s.int(wide, 0);
    let none = s.compare(Compare::Eq, divisor, zero);
    let product = s.mul(s.div(x, s.select(none, s.int(wide, 1), divisor)), y);
    s.cast(s.select(none, zero, s.abs(product)), own)
}

/// A number attribute as a number of type `ty`.
pub(crate) fn attribute<'c>(s: &Scalars<'c>, op: Op<'c>, name: &str, absent: f64, ty: Type<'c>) -> Number<'c> {
    match op.attribute(name).and_then(fx_ir::Attribute::as_int) {
        Some(value) => s.int(ty, value),
        None => s.constant(ty, op.float(name).unwrap_or(absent)),
    }
}

/// A function of the `math` dialect, or of `complex` for complex numbers (which has not all of them: the verifier says).
pub(crate) fn elementary<'c>(s: &Scalars<'c>, name: &str, a: Number<'c>) -> Number<'c> {
    let dialect = if a.ty.is_complex() { "complex" } else { "math" };
    s.op(&format!("{dialect}.{name}"), &[a])
}

/// A logarithm of another base than e.
fn log_base<'c>(s: &Scalars<'c>, name: &str, a: Number<'c>, ln: f64) -> Number<'c> {
    if a.ty.is_complex() { s.div(s.op("complex.log", &[a]), s.constant(a.ty, ln)) } else { s.op(name, &[a]) }
}

/// `2 ^ a`
fn exp2<'c>(s: &Scalars<'c>, a: Number<'c>) -> Number<'c> {
    if a.ty.is_complex() {
        return s.op("complex.exp", &[s.mul(a, s.constant(a.ty, std::f64::consts::LN_2))]);
    }
    s.op("math.exp2", &[a])
}

/// `(e^a ± e^-a) / 2`
fn hyperbolic<'c>(
    s: &Scalars<'c>,
    name: &str,
    a: Number<'c>,
    combine: fn(&Scalars<'c>, Number<'c>, Number<'c>) -> Number<'c>,
) -> Number<'c> {
    if !a.ty.is_complex() {
        return s.op(name, &[a]);
    }
    let e = |x: Number<'c>| s.op("complex.exp", &[x]);
    s.mul(combine(s, e(a), e(s.neg(a))), s.constant(a.ty, 0.5))
}

/// `sin(πx) / (πx)`, 1 at 0.
fn sinc<'c>(s: &Scalars<'c>, a: Number<'c>) -> Number<'c> {
    let angle = s.mul(a, s.constant(a.ty, std::f64::consts::PI));
    let quotient = s.div(elementary(s, "sin", angle), angle);
    s.select(s.compare(Compare::Eq, a, s.constant(a.ty, 0.0)), s.constant(a.ty, 1.0), quotient)
}

/// `m + ln(1 + b^-|x - y|) / ln b` with the base b = e or 2 and m the larger; equal infinities are themselves. Complex numbers
/// are compared by their real parts, and the imaginary part may lie outside of [-π, π], as in ATen (LogAddExp.h).
pub(crate) fn logaddexp<'c>(s: &Scalars<'c>, x: Number<'c>, y: Number<'c>, ln_base: f64) -> Number<'c> {
    if x.ty.is_complex() {
        let ((a, _), (b, _)) = (s.parts(x), s.parts(y));
        let less = s.compare(Compare::Lt, a, b);
        let (small, large) = (s.select(less, x, y), s.select(less, y, x));
        let one = s.complex(s.constant(a.ty, 1.0), s.constant(a.ty, 0.0));
        let log = elementary(s, "log", s.add(one, elementary(s, "exp", s.sub(small, large))));
        let sum = elementary(s, "log", s.add(elementary(s, "exp", x), elementary(s, "exp", y)));
        let negative = s.compare(Compare::Lt, a, s.constant(a.ty, 0.0));
        let infinite = s.and(s.compare(Compare::Eq, a, b), s.compare(Compare::Eq, s.abs(a), infinity(s, a.ty)));
        return s.select(infinite, s.select(negative, small, sum), s.add(large, log));
    }
    let distance = s.neg(s.abs(s.sub(x, y)));
    let power = if ln_base == 1.0 { s.op("math.exp", &[distance]) } else { s.op("math.exp2", &[distance]) };
    let log = s.op("math.log1p", &[power]);
    let log = if ln_base == 1.0 { log } else { s.mul(log, s.constant(x.ty, 1.0 / ln_base)) };
    let infinite = s.compare(Compare::Eq, s.abs(x), infinity(s, x.ty));
    s.select(s.and(infinite, s.compare(Compare::Eq, x, y)), x, s.add(s.max(x, y), log))
}

/// The argument of a complex number; of a real one 0 or π.
fn angle<'c>(s: &Scalars<'c>, a: &[Number<'c>], op: Op<'c>) -> Number<'c> {
    if a[0].ty.is_complex() {
        let (re, im) = s.parts(a[0]);
        return s.op("math.atan2", &[im, re]);
    }
    let ty = compute_type(s, op);
    let x = s.cast(a[0], ty);
    let zero = s.constant(ty, 0.0);
    let angle = s.select(s.compare(Compare::Lt, x, zero), s.constant(ty, std::f64::consts::PI), zero);
    s.select(s.is_nan(x), x, angle)
}

/// Remainder with the sign of the divisor, as Python's `%`.
fn remainder<'c>(s: &Scalars<'c>, x: Number<'c>, y: Number<'c>) -> Number<'c> {
    let rest = s.rem(x, y);
    if x.ty.number_kind() == NumberKind::Unsigned {
        return rest;
    }
    let zero = s.int(x.ty, 0);
    let signs_differ = s.xor(s.compare(Compare::Lt, rest, zero), s.compare(Compare::Lt, y, zero));
    let adjust = s.and(s.compare(Compare::Ne, rest, zero), signs_differ);
    s.select(adjust, s.add(rest, y), rest)
}

/// From `a` to `b` by `weight`, from the nearer end.
fn lerp<'c>(s: &Scalars<'c>, a: Number<'c>, b: Number<'c>, weight: Number<'c>) -> Number<'c> {
    let span = s.sub(b, a);
    let magnitude = s.abs(weight);
    let from_start = s.add(a, s.mul(weight, span));
    let from_end = s.sub(b, s.mul(span, s.sub(s.constant(weight.ty, 1.0), weight)));
    s.select(s.compare(Compare::Lt, magnitude, s.constant(magnitude.ty, 0.5)), from_start, from_end)
}

/// `sqrt(x^2 + y^2)` without overflow on the way: in f64, or scaled by the larger.
fn hypot<'c>(s: &Scalars<'c>, x: Number<'c>, y: Number<'c>) -> Number<'c> {
    let (ax, ay) = (s.abs(x), s.abs(y));
    let infinite = s.or(s.compare(Compare::Eq, ax, infinity(s, x.ty)), s.compare(Compare::Eq, ay, infinity(s, x.ty)));
    let length = if x.ty.is_f64() {
        let (large, small) = (s.max(ax, ay), s.min(ax, ay));
        let zero = s.constant(x.ty, 0.0);
        let none = s.compare(Compare::Eq, large, zero);
        let ratio = s.select(none, zero, s.div(small, large));
        s.mul(large, s.op("math.sqrt", &[s.add(s.constant(x.ty, 1.0), s.mul(ratio, ratio))]))
    } else {
        let wide = Type::f64(s.context());
        let (wx, wy) = (s.cast(x, wide), s.cast(y, wide));
        s.cast(s.op("math.sqrt", &[s.add(s.mul(wx, wx), s.mul(wy, wy))]), x.ty)
    };
    s.select(infinite, infinity(s, x.ty), length)
}

/// -1, 0 or 1; of a complex number `a / |a|`.
fn sign<'c>(s: &Scalars<'c>, a: Number<'c>) -> Number<'c> {
    match a.ty.number_kind() {
        NumberKind::Complex => s.op("complex.sign", &[a]),
        NumberKind::Bool => a,
        _ => {
            let zero = s.int(a.ty, 0);
            let positive = s.cast(s.compare(Compare::Gt, a, zero), a.ty);
            let negative = s.cast(s.compare(Compare::Lt, a, zero), a.ty);
            s.sub(positive, negative)
        }
    }
}

/// Whether the sign bit is set.
fn signbit<'c>(s: &Scalars<'c>, a: Number<'c>) -> Number<'c> {
    match a.ty.number_kind() {
        NumberKind::Float => {
            let signed_one = s.op("math.copysign", &[s.constant(a.ty, 1.0), a]);
            s.compare(Compare::Lt, signed_one, s.constant(a.ty, 0.0))
        }
        NumberKind::Int => s.compare(Compare::Lt, a, s.int(a.ty, 0)),
        _ => truth_value(s, false),
    }
}

fn truth_value<'c>(s: &Scalars<'c>, value: bool) -> Number<'c> {
    s.int(Type::int(s.context(), 1), i64::from(value))
}

pub(crate) fn infinity<'c>(s: &Scalars<'c>, ty: Type<'c>) -> Number<'c> {
    s.constant(ty, f64::INFINITY)
}

/// A property of floats: of both parts of a complex number, `integers` for other numbers.
fn of_parts<'c>(
    s: &Scalars<'c>,
    a: Number<'c>,
    combine: fn(&Scalars<'c>, Number<'c>, Number<'c>) -> Number<'c>,
    property: fn(&Scalars<'c>, Number<'c>) -> Number<'c>,
    integers: bool,
) -> Number<'c> {
    match a.ty.number_kind() {
        NumberKind::Float => property(s, a),
        NumberKind::Complex => {
            let (re, im) = s.parts(a);
            combine(s, property(s, re), property(s, im))
        }
        _ => truth_value(s, integers),
    }
}

pub(crate) fn is_finite<'c>(s: &Scalars<'c>, a: Number<'c>) -> Number<'c> {
    of_parts(s, a, Scalars::and, |s, x| s.compare(Compare::Lt, s.abs(x), infinity(s, x.ty)), true)
}

/// `|x - y| <= atol + rtol * |y|` where that is finite, or `x = y`.
fn isclose<'c>(s: &Scalars<'c>, a: &[Number<'c>], op: Op<'c>) -> Number<'c> {
    let close = s.compare(Compare::Eq, a[0], a[1]);
    let close = if op.flag("equal_nan") { s.or(close, s.and(s.is_nan(a[0]), s.is_nan(a[1]))) } else { close };
    let (rtol, atol) = (op.float("rtol").unwrap_or(1e-5), op.float("atol").unwrap_or(1e-8));
    if rtol == 0.0 && atol == 0.0 {
        return close;
    }
    let is_float = a[0].ty.is_float() || a[0].ty.is_complex();
    let ty = if is_float { a[0].ty } else { Type::f32(s.context()) };
    let (x, y) = (s.cast(a[0], ty), s.cast(a[1], ty));
    let size = s.abs(y);
    let allowed = s.add(s.constant(size.ty, atol), s.mul(s.constant(size.ty, rtol), size));
    let actual = s.abs(s.sub(x, y));
    s.or(close, s.and(is_finite(s, actual), s.compare(Compare::Le, actual, allowed)))
}

/// To the nearest multiple of a power of ten, to even.
fn round<'c>(s: &Scalars<'c>, a: &[Number<'c>], op: Op<'c>) -> Number<'c> {
    let x = a[0];
    let decimals = op.int("decimals").unwrap_or(0);
    if decimals == 0 || !x.ty.is_float() {
        return float_only(s, x, "math.roundeven");
    }
    let power = s.constant(x.ty, 10f64.powi(decimals.unsigned_abs().min(400) as i32));
    let nearest = |x: Number<'c>| s.op("math.roundeven", &[x]);
    if decimals > 0 { s.div(nearest(s.mul(x, power)), power) } else { s.mul(nearest(s.div(x, power)), power) }
}

/// What a shift by a negative number, or by the width or more, gives.
#[derive(Clone, Copy, PartialEq)]
enum Overflow {
    Zero,
    Sign,
}

fn shift<'c>(s: &Scalars<'c>, x: Number<'c>, by: Number<'c>, name: &str, overflow: Overflow) -> Number<'c> {
    let last = s.int(x.ty, i64::from(x.ty.bit_width()) - 1);
    let negative = s.compare(Compare::Lt, by, s.int(by.ty, 0));
    let beyond = s.or(negative, s.compare(Compare::Gt, by, last));
    let shifted = s.op(name, &[x, s.select(beyond, last, by)]);
    if overflow == Overflow::Sign { shifted } else { s.select(beyond, s.int(x.ty, 0), shifted) }
}

/// `min(max(x, min), max)` with the bounds that are there.
fn clamp<'c>(s: &Scalars<'c>, a: &[Number<'c>], op: Op<'c>) -> Number<'c> {
    let has_min = FxOp::new(op).is_some_and(|fx| fx.optional("min").is_some());
    match a {
        [x, min, max] => s.min(s.max(*x, *min), *max),
        [x, min] if has_min => s.max(*x, *min),
        [x, max] => s.min(*x, *max),
        _ => a[0],
    }
}

/// The greatest finite number of a float type.
fn greatest(ty: Type<'_>) -> f64 {
    let context_free =
        [(ty.is_f64(), f64::MAX), (ty.is_f32(), f64::from(f32::MAX)), (ty.is_f16(), 65504.0), (ty.is_bf16(), 3.389_531_389_251_535_5e38)];
    match context_free.into_iter().find(|(is, _)| *is) {
        Some((_, value)) => value,
        // f8E5M2 and f8E4M3FN, told apart by their names.
        None => {
            if ty.to_string().contains("E5M2") {
                57344.0
            } else {
                448.0
            }
        }
    }
}

fn nan_to_num<'c>(s: &Scalars<'c>, a: &[Number<'c>], op: Op<'c>) -> Number<'c> {
    let x = a[0];
    let element = op.result(0).ty().element();
    let replace = |x: Number<'c>, element: Type<'c>| {
        let number = |name: &str, absent: f64| s.constant(x.ty, op.float(name).unwrap_or(absent));
        let infinity = infinity(s, x.ty);
        let y = s.select(s.compare(Compare::Eq, x, infinity), number("posinf", greatest(element)), x);
        let y = s.select(s.compare(Compare::Eq, x, s.neg(infinity)), number("neginf", -greatest(element)), y);
        s.select(s.is_nan(x), number("nan", 0.0), y)
    };
    match x.ty.number_kind() {
        NumberKind::Float => replace(x, element),
        NumberKind::Complex => {
            let (re, im) = s.parts(x);
            s.complex(replace(re, element.element()), replace(im, element.element()))
        }
        _ => x,
    }
}
