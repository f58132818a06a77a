//! Of pointwise ops.

use std::f64::consts::LN_2;

use fx_ir::{Attribute, Result, Value};

use crate::fx_builder::Fx;
use crate::gradient::Back;
use crate::scalar::opmath;

//===----------------------------------------------------------------------===//
// What rules share
//===----------------------------------------------------------------------===//

/// An operand as a tensor: a number becomes one of rank 0, which promotes no other.
pub(super) fn tensor<'c>(b: &Back<'c>, name: &str) -> Result<Value<'c>> {
    let x = b.x(name)?;
    if x.ty().is_tensor() {
        return Ok(x);
    }
    let element = opmath(b.context(), b.op.result_element(0));
    b.op("fx.scalar_tensor", &[x], &[("dtype", Attribute::from_type(element))])
}

/// An operand, conjugated. A real number stays one.
fn conjugate<'c>(b: &Back<'c>, name: &str) -> Result<Value<'c>> {
    let x = b.x(name)?;
    if !x.ty().is_tensor() && !x.ty().is_complex() { Ok(x) } else { b.conj(tensor(b, name)?) }
}

/// The value of an operand that is a constant real number.
fn constant(b: &Back<'_>, name: &str) -> Option<f64> {
    b.op.optional(name)?.constant().and_then(Attribute::as_float)
}

/// `x` times a number attribute; absent is 1.
fn times<'c>(b: &Back<'c>, x: Value<'c>, name: &str) -> Result<Value<'c>> {
    match b.op.op.float(name) {
        None | Some(1.0) => Ok(x),
        Some(factor) => b.mul(x, b.number(factor)),
    }
}

/// `g` where `condition` holds, else 0.
pub(super) fn where_true<'c>(b: &Back<'c>, condition: Value<'c>, g: Value<'c>) -> Result<Value<'c>> {
    b.select(condition, g, b.number(0.0))
}

/// `g` but where `condition` holds, 0 there.
pub(super) fn where_false<'c>(b: &Back<'c>, condition: Value<'c>, g: Value<'c>) -> Result<Value<'c>> {
    b.select(condition, b.number(0.0), g)
}

/// `a < b`
pub(super) fn lt<'c>(f: &Fx<'c>, a: Value<'c>, b: Value<'c>) -> Result<Value<'c>> {
    f.op("fx.lt", &[a, b], &[])
}

/// `a > b`
pub(super) fn gt<'c>(f: &Fx<'c>, a: Value<'c>, b: Value<'c>) -> Result<Value<'c>> {
    f.op("fx.gt", &[a, b], &[])
}

/// `a and b`
pub(super) fn and<'c>(f: &Fx<'c>, a: Value<'c>, b: Value<'c>) -> Result<Value<'c>> {
    f.op("fx.logical_and", &[a, b], &[])
}

/// `x^2`
pub fn square<'c>(f: &Fx<'c>, x: Value<'c>) -> Result<Value<'c>> {
    f.mul(x, x)
}

/// The cotangent itself, of the first operand.
pub fn same(b: &Back<'_>) -> Result {
    b.give_place(0, b.g()?);
    Ok(())
}

/// The slope is one over something: `g / conj(below)`, which rounds once and does not overflow on the way.
pub fn over<'c>(b: &Back<'c>, below: Value<'c>) -> Result {
    b.give_place(0, b.div(b.g()?, b.conj(below)?)?);
    Ok(())
}

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

/// `x + alpha z`: g, alpha g
pub fn add(b: &Back<'_>) -> Result {
    b.give("input", b.g()?);
    b.give("other", times(b, b.g()?, "alpha")?);
    Ok(())
}

/// `x - alpha z`: g, -alpha g
pub fn sub(b: &Back<'_>) -> Result {
    b.give("input", b.g()?);
    b.give("other", b.neg(times(b, b.g()?, "alpha")?)?);
    Ok(())
}

/// `x z`: g z, g x
pub fn mul(b: &Back<'_>) -> Result {
    for (name, factor) in [("input", "other"), ("other", "input")] {
        if b.wants(name) {
            b.give(name, b.mul(b.g()?, conjugate(b, factor)?)?);
        }
    }
    Ok(())
}

/// `x / z`: g / z, -g ((x / z) / z), which does not overflow as `z^2` would. A rounded quotient is a step function.
pub fn div(b: &Back<'_>) -> Result {
    if b.op.op.text("rounding_mode").is_some() {
        return Ok(());
    }
    if b.wants("input") {
        b.give("input", b.div(b.g()?, conjugate(b, "other")?)?);
    }
    if b.wants("other") {
        let z = b.x("other")?;
        let slope = b.div(b.div(b.x("input")?, z)?, z)?;
        b.give("other", b.mul(b.neg(b.g()?)?, b.conj(slope)?)?);
    }
    Ok(())
}

/// `x - z round(x / z)`: g, -g round(x / z)
pub fn remainder(b: &Back<'_>, rounding: &str) -> Result {
    b.give("input", b.g()?);
    if b.wants("other") {
        let mode = [("rounding_mode", Attribute::string(b.context(), rounding))];
        let quotient = b.op("fx.div", &[b.x("input")?, b.x("other")?], &mode)?;
        b.give("other", b.mul(b.neg(b.g()?)?, quotient)?);
    }
    Ok(())
}

/// `x^z`: g z x^(z-1), 0 where z = 0; g y ln x, 0 where x = 0 and z >= 0.
///
/// By tensors of exponents in the result's own type: a sum over broadcast dims that eager mode's overflow of a factor makes
/// infinite, or NaN, is so here.
pub fn pow(b: &Back<'_>) -> Result {
    if b.wants("input") {
        give_base(b)?;
    }
    if b.wants("exponent") {
        let slope = exponent_slope(b)?;
        b.give("exponent", b.mul(raw_cotangent(b)?, b.conj(slope)?)?);
    }
    Ok(())
}

fn give_base(b: &Back<'_>) -> Result {
    let Some(power) = constant(b, "exponent") else {
        let (x, z) = (promoted(b, "input")?, promoted(b, "exponent")?);
        let slope = b.mul(z, b.op("fx.pow", &[x, b.sub(z, b.number(1.0))?], &[])?)?;
        let value = b.mul(raw_cotangent(b)?, b.conj(slope)?)?;
        b.give("input", where_false(b, b.eq(z, b.number(0.0))?, value)?);
        return Ok(());
    };
    if power == 0.0 {
        return Ok(());
    }
    let (g, x) = (b.g()?, b.widened(promoted(b, "input")?)?);
    let below = match power {
        1.0 => return same(b),
        2.0 => x,
        _ => b.op("fx.pow", &[x, b.number(power - 1.0)], &[])?,
    };
    b.give("input", b.mul(g, b.conj(b.mul(b.number(power), below)?)?)?);
    Ok(())
}

/// `y ln x`, 0 where x = 0 and z >= 0.
fn exponent_slope<'c>(b: &Back<'c>) -> Result<Value<'c>> {
    let (y, z) = (b.op.op.result(0), promoted(b, "exponent")?);
    let is_complex = z.ty().element().is_complex();
    let (slope, zero) = match constant(b, "input").filter(|_| !is_complex) {
        Some(0.0) => (b.mul(y, b.number(f64::NEG_INFINITY))?, None),
        Some(base) => return b.mul(y, b.number(base.ln())),
        None => {
            let x = promoted(b, "input")?;
            (b.mul(y, b.log(x)?)?, Some(b.eq(x, b.number(0.0))?))
        }
    };
    let mut none = if is_complex {
        let [re, im] = ["fx.real", "fx.imag"].map(|part| b.op(part, &[z], &[]));
        and(b, b.eq(im?, b.number(0.0))?, b.ge(re?, b.number(0.0))?)?
    } else {
        b.ge(z, b.number(0.0))?
    };
    if let Some(zero) = zero {
        none = and(b, zero, none)?;
    }
    where_false(b, none, slope)
}

/// An operand as a tensor of the result's element type.
fn promoted<'c>(b: &Back<'c>, name: &str) -> Result<Value<'c>> {
    let (x, element) = (b.op.operand(name)?, b.op.result_element(0));
    b.cast(if x.ty().is_tensor() { x } else { tensor(b, name)? }, element)
}

/// The cotangent of the only result, in its own type.
fn raw_cotangent<'c>(b: &Back<'c>) -> Result<Value<'c>> {
    b.raw_cotangent(0).map_or_else(|| b.g(), Ok)
}

/// `x + value a c`: g, value g c, value g a
pub fn addcmul(b: &Back<'_>) -> Result {
    b.give("input", b.g()?);
    for (name, factor) in [("tensor1", "tensor2"), ("tensor2", "tensor1")] {
        if b.wants(name) {
            b.give(name, b.mul(b.g()?, b.conj(times(b, b.x(factor)?, "value")?)?)?);
        }
    }
    Ok(())
}

/// `x + value a / c`: g, g value / c, -g value a / c^2
pub fn addcdiv(b: &Back<'_>) -> Result {
    let (g, below) = (b.g()?, b.x("tensor2")?);
    b.give("input", g);
    if b.wants("tensor1") {
        let slope = b.div(b.number(b.op.op.float("value").unwrap_or(1.0)), below)?;
        b.give("tensor1", b.mul(g, b.conj(slope)?)?);
    }
    if b.wants("tensor2") {
        let slope = b.div(times(b, b.x("tensor1")?, "value")?, square(b, below)?)?;
        b.give("tensor2", b.mul(b.neg(g)?, b.conj(slope)?)?);
    }
    Ok(())
}

/// `x + weight (end - x)`: g (1 - weight), g weight, g (end - x)
pub fn lerp(b: &Back<'_>) -> Result {
    let g = b.g()?;
    if b.wants("input") {
        let rest = match constant(b, "weight") {
            Some(weight) => b.number(1.0 - weight),
            None => b.sub(b.number(1.0), conjugate_tensor(b, "weight")?)?,
        };
        b.give("input", b.mul(g, rest)?);
    }
    if b.wants("end") {
        b.give("end", b.mul(g, conjugate(b, "weight")?)?);
    }
    if b.wants("weight") {
        let span = b.sub(b.x("end")?, b.x("input")?)?;
        b.give("weight", b.mul(g, b.conj(span)?)?);
    }
    Ok(())
}

fn conjugate_tensor<'c>(b: &Back<'c>, name: &str) -> Result<Value<'c>> {
    b.conj(tensor(b, name)?)
}

/// `sqrt(x^2 + z^2)`: g x / y, g z / y
pub fn hypot(b: &Back<'_>) -> Result {
    for name in ["input", "other"] {
        if b.wants(name) {
            b.give(name, b.mul(b.g()?, b.div(b.x(name)?, b.y(0)?)?)?);
        }
    }
    Ok(())
}

/// `|x|` with the sign of z: g y / x, 0 where x = 0. The sign is a step function.
pub fn copysign(b: &Back<'_>) -> Result {
    if b.wants("input") {
        let x = b.x("input")?;
        let sign = where_false(b, b.eq(x, b.number(0.0))?, b.div(b.y(0)?, x)?)?;
        b.give("input", b.mul(b.g()?, sign)?);
    }
    Ok(())
}

//===----------------------------------------------------------------------===//
// The larger or smaller of two, limits, choice
//===----------------------------------------------------------------------===//

/// The winner of two has the cotangent, both half of it at a tie, both all of it at NaN; `loses` says when the first loses.
pub fn extremum(b: &Back<'_>, loses: &str, wins: &str) -> Result {
    let (x, z, g) = (b.x("input")?, b.x("other")?, b.g()?);
    let shared = b.select(b.eq(x, z)?, b.div(g, b.number(2.0))?, g)?;
    b.give("input", where_false(b, b.op(loses, &[x, z], &[])?, shared)?);
    b.give("other", where_false(b, b.op(wins, &[x, z], &[])?, shared)?);
    Ok(())
}

/// The winner of two that ignore NaN has the cotangent, the first at a tie; `holds` says when the first wins.
pub fn number_extremum(b: &Back<'_>, holds: &str) -> Result {
    let (x, z, g) = (b.x("input")?, tensor(b, "other")?, b.g()?);
    let first = b.op("fx.logical_or", &[b.op(holds, &[x, z], &[])?, b.op("fx.isnan", &[z], &[])?], &[])?;
    b.give("input", where_true(b, first, g)?);
    b.give("other", where_false(b, first, g)?);
    Ok(())
}

/// Limits: x has the cotangent from bound to bound, inclusive; a bound where x is beyond it. If they are crossed, the upper one.
pub fn clamp(b: &Back<'_>) -> Result {
    let (x, g) = (b.x("input")?, b.g()?);
    let [low, high] = ["min", "max"].map(|name| b.op.optional(name).map(|bound| b.widened(bound)).transpose());
    let (low, high) = (low?, high?);
    let mut inside = g;
    for (bound, holds) in [(low, "fx.ge"), (high, "fx.le")] {
        if let Some(bound) = bound {
            inside = where_true(b, b.op(holds, &[x, bound], &[])?, inside)?;
        }
    }
    b.give("input", inside);
    if let Some(low) = low.filter(|_| b.wants("min")) {
        let below = lt(b, x, low)?;
        let below = if let Some(high) = high { and(b, below, lt(b, low, high)?)? } else { below };
        b.give("min", where_true(b, below, g)?);
    }
    if let Some(high) = high.filter(|_| b.wants("max")) {
        let above = gt(b, x, high)?;
        let above = if let Some(low) = low { b.op("fx.logical_or", &[above, lt(b, high, low)?], &[])? } else { above };
        b.give("max", where_true(b, above, g)?);
    }
    Ok(())
}

/// A choice: whoever was chosen has the cotangent, selected, not multiplied.
pub fn choose(b: &Back<'_>, mask: &str, chosen: &str, other: &str) -> Result {
    let (mask, g) = (b.op.operand(mask)?, b.g()?);
    b.give(chosen, where_true(b, mask, g)?);
    b.give(other, where_false(b, mask, g)?);
    Ok(())
}

/// g where x is finite
pub fn nan_to_num(b: &Back<'_>) -> Result {
    b.give("input", b.mul(b.g()?, b.op("fx.isfinite", &[b.x("input")?], &[])?)?);
    Ok(())
}

//===----------------------------------------------------------------------===//
// Complex numbers and angles
//===----------------------------------------------------------------------===//

/// `|x|`: g x / |x|, 0 at 0.
pub fn abs(b: &Back<'_>) -> Result {
    b.give("input", b.mul(b.g()?, b.op("fx.sgn", &[b.x("input")?], &[])?)?);
    Ok(())
}

/// `x / |x|`: (g - y^2 conj(g)) / (2 |x|), 0 at 0. Of real numbers a step function.
pub fn sgn(b: &Back<'_>) -> Result {
    let x = b.x("input")?;
    if !x.ty().element().is_complex() {
        return Ok(());
    }
    let (g, size) = (b.g()?, b.op("fx.abs", &[x], &[])?);
    let across = b.sub(g, b.mul(square(b, b.y(0)?)?, b.conj(g)?)?)?;
    let value = b.div(across, b.mul(b.number(2.0), size)?)?;
    b.give("input", where_false(b, b.eq(size, b.number(0.0))?, value)?);
    Ok(())
}

/// The argument of a complex number: g i x / |x|^2, 0 at 0. Of real numbers a step function.
pub fn angle(b: &Back<'_>) -> Result {
    let x = b.x("input")?;
    if !x.ty().element().is_complex() {
        return Ok(());
    }
    let [re, im] = ["fx.real", "fx.imag"].map(|part| b.op(part, &[x], &[]));
    let (re, im) = (re?, im?);
    let [re, im] = rotation(b, re, im)?;
    b.give("input", b.op("fx.complex", &[re, im], &[])?);
    Ok(())
}

/// The angle of (z, x): g z / (x^2 + z^2), -g x / (x^2 + z^2), 0 at the origin.
pub fn atan2(b: &Back<'_>) -> Result {
    let [other, input] = rotation(b, tensor(b, "other")?, tensor(b, "input")?)?;
    b.give("input", input);
    b.give("other", other);
    Ok(())
}

/// The cotangents of the parts of a complex number, of its argument's: `-g im / |x|^2`, `g re / |x|^2`, 0 at 0.
fn rotation<'c>(b: &Back<'c>, re: Value<'c>, im: Value<'c>) -> Result<[Value<'c>; 2]> {
    let g = b.g()?;
    let length = b.add(square(b, im)?, square(b, re)?)?;
    let inverse = where_false(b, b.eq(length, b.number(0.0))?, b.op("fx.reciprocal", &[length], &[])?)?;
    Ok([b.mul(b.mul(g, b.neg(im)?)?, inverse)?, b.mul(b.mul(g, re)?, inverse)?])
}

/// `r e^(i phi)`: Re(conj(g) e^(i phi)), Re(conj(g) i y)
pub fn polar(b: &Back<'_>) -> Result {
    let [re, im] = ["fx.real", "fx.imag"].map(|part| b.op(part, &[b.g()?], &[]));
    let (re, im) = (re?, im?);
    let angle = b.x("angle")?;
    let [sin, cos] = ["fx.sin", "fx.cos"].map(|function| b.op(function, &[angle], &[]));
    let (sin, cos) = (sin?, cos?);
    b.give("abs", b.add(b.mul(re, cos)?, b.mul(im, sin)?)?);
    let turned = b.sub(b.mul(im, cos)?, b.mul(re, sin)?)?;
    b.give("angle", b.mul(turned, b.x("abs")?)?);
    Ok(())
}

//===----------------------------------------------------------------------===//
// Exponential functions
//===----------------------------------------------------------------------===//

/// `log_B(B^x + B^z)`: g / (1 + B^(z-x)), g / (1 + B^(x-z)); `power` is the power of B.
pub fn logaddexp(b: &Back<'_>, power: &str) -> Result {
    let (x, z) = (b.x("input")?, b.x("other")?);
    for (name, own, other) in [("input", x, z), ("other", z, x)] {
        if b.wants(name) {
            let ratio = b.op(power, &[b.sub(other, own)?], &[])?;
            b.give(name, b.div(b.g()?, b.conj(b.add(b.number(1.0), ratio)?)?)?);
        }
    }
    Ok(())
}

/// The slope of `sin(pi x) / (pi x)`: `(pi x cos(pi x) - sin(pi x)) / (pi x^2)`, 0 at 0.
pub fn sinc_slope<'c>(f: &Fx<'c>, x: Value<'c>) -> Result<Value<'c>> {
    let pi = f.number(std::f64::consts::PI);
    let angle = f.mul(x, pi)?;
    let below = f.mul(square(f, x)?, pi)?;
    let [sin, cos] = ["fx.sin", "fx.cos"].map(|function| f.op(function, &[angle], &[]));
    let slope = f.div(f.sub(f.mul(angle, cos?)?, sin?)?, below)?;
    f.select(f.eq(below, f.number(0.0))?, f.number(0.0), slope)
}

/// The slope of `arcosh x`: `1 / sqrt(x^2 - 1)`; of complex numbers in two factors, for the cut's sake.
pub fn acosh_slope<'c>(f: &Fx<'c>, x: Value<'c>) -> Result<Value<'c>> {
    let one = f.number(1.0);
    if x.ty().element().is_complex() {
        return f.mul(f.rsqrt(f.add(x, one)?)?, f.rsqrt(f.sub(x, one)?)?);
    }
    f.rsqrt(f.sub(square(f, x)?, one)?)
}

/// `1 / sqrt(1 - x^2)`, the slope of `arcsin x`.
pub fn asin_slope<'c>(f: &Fx<'c>, x: Value<'c>) -> Result<Value<'c>> {
    f.rsqrt(f.sub(f.number(1.0), square(f, x)?)?)
}

/// `y ln 2`, the slope of `2^x`.
pub fn exp2_slope<'c>(f: &Fx<'c>, y: Value<'c>) -> Result<Value<'c>> {
    f.mul(y, f.number(LN_2))
}

/// `x = mantissa 2^exponent`: g / 2^exponent
pub fn frexp(b: &Back<'_>) -> Result {
    if let Some(g) = b.cotangent(0)? {
        let exponent = b.cast(b.op.op.result(1), g.ty().element())?;
        b.give("input", b.div(g, b.op("fx.exp2", &[exponent], &[])?)?);
    }
    Ok(())
}
