//! Of special functions.

use std::f64::consts::PI;

use fx_ir::{Attribute, Result, Value};

use crate::fx_builder::Fx;
use crate::gradient::Back;
use crate::rows::derivatives::pointwise::{and, square, tensor, where_false};
use crate::rows::special::incomplete_gamma::Side;

//===----------------------------------------------------------------------===//
// Error functions
//===----------------------------------------------------------------------===//

/// `factor e^(-x^2)`: with 2 / sqrt(pi) the slope of erf.
pub fn bell<'c>(f: &Fx<'c>, x: Value<'c>, factor: f64) -> Result<Value<'c>> {
    f.mul(f.number(factor), f.exp(f.neg(square(f, x)?)?)?)
}

/// The slope of the inverse of erf from its result: `sqrt(pi) / 2 e^(y^2)`.
pub fn erfinv_slope<'c>(f: &Fx<'c>, y: Value<'c>) -> Result<Value<'c>> {
    f.mul(f.number(0.5 * PI.sqrt()), f.exp(square(f, y)?)?)
}

/// `2 x y - 2 / sqrt(pi)`, the slope of `y = e^(x^2) erfc(x)`.
pub fn erfcx_slope<'c>(f: &Fx<'c>, x: Value<'c>, y: Value<'c>) -> Result<Value<'c>> {
    f.sub(f.mul(f.mul(f.number(2.0), x)?, y)?, f.number(2.0 / PI.sqrt()))
}

/// `e^(-x^2 / 2) / sqrt(2 pi)`, the slope of the normal distribution function.
pub fn ndtr_slope<'c>(f: &Fx<'c>, x: Value<'c>) -> Result<Value<'c>> {
    f.mul(f.number(1.0 / (2.0 * PI).sqrt()), f.exp(f.mul(square(f, x)?, f.number(-0.5))?)?)
}

/// `e^-(y + x^2 / 2) / sqrt(2 pi)`, the slope of its logarithm.
pub fn log_ndtr_slope<'c>(f: &Fx<'c>, x: Value<'c>, y: Value<'c>) -> Result<Value<'c>> {
    let exponent = f.neg(f.add(y, f.mul(square(f, x)?, f.number(0.5))?)?)?;
    f.mul(f.number(1.0 / (2.0 * PI).sqrt()), f.exp(exponent)?)
}

/// `sqrt(2 pi) e^(y^2 / 2)`, the slope of its inverse.
pub fn ndtri_slope<'c>(f: &Fx<'c>, y: Value<'c>) -> Result<Value<'c>> {
    f.mul(f.number((2.0 * PI).sqrt()), f.exp(f.mul(square(f, y)?, f.number(0.5))?)?)
}

/// `-(1 + ln x)`, the slope of `-x ln x`.
pub fn entr_slope<'c>(f: &Fx<'c>, x: Value<'c>) -> Result<Value<'c>> {
    f.neg(f.add(f.number(1.0), f.log(x)?)?)
}

/// `x ln(z + shift)`: g ln(z + shift), but 0 where x = 0 and that is no number; g x / (z + shift). `op` is the op.
pub fn times_log(b: &Back<'_>, shift: f64) -> Result {
    let (g, z) = (b.g()?, b.x("other")?);
    if b.wants("input") {
        let undefined = and(b, b.eq(b.x("input")?, b.number(0.0))?, b.le(tensor(b, "other")?, b.number(-shift))?)?;
        b.give("input", where_false(b, undefined, b.op(b.op.op.name(), &[g, z], &[])?)?);
    }
    if b.wants("other") {
        let below = if shift == 0.0 { z } else { b.add(z, b.number(shift))? };
        b.give("other", b.div(b.mul(g, b.x("input")?)?, below)?);
    }
    Ok(())
}

//===----------------------------------------------------------------------===//
// Gamma and zeta functions
//===----------------------------------------------------------------------===//

fn polygamma_of<'c>(f: &Fx<'c>, n: i64, x: Value<'c>) -> Result<Value<'c>> {
    f.op("fx.polygamma", &[x], &[("n", Attribute::i64(f.context(), n))])
}

/// The slope of digamma.
pub fn trigamma<'c>(f: &Fx<'c>, x: Value<'c>) -> Result<Value<'c>> {
    polygamma_of(f, 1, x)
}

/// The slope is the next one.
pub fn polygamma(b: &Back<'_>) -> Result {
    b.give("input", b.mul(b.g()?, polygamma_of(b, b.op.int("n")? + 1, b.x("input")?)?)?);
    Ok(())
}

/// `sum_{i<p} ln Γ(x - i / 2)`: g times the sum of digamma there.
pub fn mvlgamma(b: &Back<'_>) -> Result {
    let x = b.x("input")?;
    let mut slope = b.op("fx.digamma", &[x], &[])?;
    for i in 1..b.op.int("p")? {
        let place = b.sub(x, b.number(0.5 * i as f64))?;
        slope = b.add(slope, b.op("fx.digamma", &[place], &[])?)?;
    }
    b.give("input", b.mul(b.g()?, slope)?);
    Ok(())
}

/// Only the second operand has a derivative, as in PyTorch.
fn refuse_first(b: &Back<'_>) -> Result {
    match b.wants("input") {
        true => Err(b.op.error("cannot be differentiated by its first operand: PyTorch has no derivative either")),
        false => Ok(()),
    }
}

/// The incomplete gamma function, by its bound z: g e^((a - 1) ln z - z - ln Γ(a)); of the upper one, negated.
pub(crate) fn incomplete_gamma(b: &Back<'_>, side: Side) -> Result {
    refuse_first(b)?;
    let (a, z) = (tensor(b, "input")?, b.x("other")?);
    let exponent = b.sub(b.sub(b.mul(b.sub(a, b.number(1.0))?, b.log(z)?)?, z)?, b.op("fx.lgamma", &[a], &[])?)?;
    let slope = b.exp(exponent)?;
    b.give("other", b.mul(b.g()?, if side == Side::Lower { slope } else { b.neg(slope)? })?);
    Ok(())
}

/// `sum_{k>=0} 1 / (k + q)^x`, by q: -g x times the function of x + 1.
pub fn zeta(b: &Back<'_>) -> Result {
    refuse_first(b)?;
    let x = tensor(b, "input")?;
    let next = b.op("fx.special_zeta", &[b.add(x, b.number(1.0))?, b.x("other")?], &[])?;
    b.give("other", b.mul(b.mul(b.g()?, b.neg(x)?)?, next)?);
    Ok(())
}

//===----------------------------------------------------------------------===//
// Modified Bessel functions
//===----------------------------------------------------------------------===//

/// `I_0'(x) = I_1(x)`, scaled by `e^-|x|`: less sgn(x) y.
pub fn i0e_slope<'c>(f: &Fx<'c>, x: Value<'c>, y: Value<'c>) -> Result<Value<'c>> {
    let sign = f.op("fx.sign", &[x], &[])?;
    f.sub(f.op("fx.special_i1e", &[x], &[])?, f.mul(sign, y)?)
}

/// `I_1'(x) = I_0(x) - y / x`, 1/2 at 0.
pub fn i1_slope<'c>(f: &Fx<'c>, x: Value<'c>, y: Value<'c>) -> Result<Value<'c>> {
    off_zero(f, x, |x| f.sub(f.op("fx.i0", &[x], &[])?, f.mul(y, f.op("fx.reciprocal", &[x], &[])?)?))
}

/// The same scaled by `e^-|x|`: less sgn(x) y.
pub fn i1e_slope<'c>(f: &Fx<'c>, x: Value<'c>, y: Value<'c>) -> Result<Value<'c>> {
    off_zero(f, x, |x| {
        let factor = f.add(f.op("fx.sign", &[x], &[])?, f.op("fx.reciprocal", &[x], &[])?)?;
        f.sub(f.op("fx.special_i0e", &[x], &[])?, f.mul(y, factor)?)
    })
}

/// `slope(x)`, and 1/2 where x is not further from 0 than the distance from 1 to the next float.
fn off_zero<'c>(f: &Fx<'c>, x: Value<'c>, slope: impl FnOnce(Value<'c>) -> Result<Value<'c>>) -> Result<Value<'c>> {
    let epsilon = f.number(if x.ty().element().is_f64() { f64::EPSILON } else { f64::from(f32::EPSILON) });
    let far = f.op("fx.gt", &[f.op("fx.abs", &[x], &[])?, epsilon], &[])?;
    f.select(far, slope(f.select(far, x, epsilon)?)?, f.number(0.5))
}
