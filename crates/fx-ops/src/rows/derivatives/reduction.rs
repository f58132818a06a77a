//! Of reductions.

use fx_ir::{Attribute, Result, Value};

use crate::fx_builder::Fx;
use crate::gradient::{Back, kept};
use crate::rows::reduction::count;

/// The cotangent of a reduction over `dims` (or its result), with size 1 in them: broadcast over the operand by whoever gets
/// it.
pub(super) fn spread<'c>(b: &Back<'c>, g: Value<'c>, dims: &[usize]) -> Result<Value<'c>> {
    let input = b.op.operand("input")?;
    if g.ty().rank() == input.ty().rank() { Ok(g) } else { b.view(g, &kept(b, input, dims)) }
}

/// The dims that the op reduces.
fn reduced(b: &Back<'_>) -> Result<Vec<usize>> {
    b.op.reduced_dims("dim", b.op.operand("input")?.ty().rank())
}

/// `a / b`, 0 where `b` is 0; no infinity comes up on the way, which a second derivative would turn into NaN.
fn ratio<'c>(f: &Fx<'c>, a: Value<'c>, b: Value<'c>) -> Result<Value<'c>> {
    let (zero, one) = (f.number(0.0), f.number(1.0));
    let is_zero = f.eq(b, zero)?;
    f.select(is_zero, zero, f.div(a, f.select(is_zero, one, b)?)?)
}

/// The sum over dims.
pub fn sum(b: &Back<'_>) -> Result {
    b.give("input", spread(b, b.g()?, &reduced(b)?)?);
    Ok(())
}

/// The sum of what is not NaN.
pub fn nansum(b: &Back<'_>) -> Result {
    let is_nan = b.op("fx.isnan", &[b.x("input")?], &[])?;
    b.give("input", b.select(is_nan, b.number(0.0), spread(b, b.g()?, &reduced(b)?)?)?);
    Ok(())
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

/// Factors taken apart, for products of all but one.
pub(super) struct Factors<'c> {
    /// Those that are not zero, else 1.
    pub(super) rest: Value<'c>,
    /// Those that are zero (as variables), else 0.
    pub(super) zero: Value<'c>,
    /// 1 where they are zero, else 0.
    pub(super) is_zero: Value<'c>,
}

/// Takes factors apart.
pub(super) fn factors<'c>(b: &Back<'c>, x: Value<'c>) -> Result<Factors<'c>> {
    let (zero, one) = (b.number(0.0), b.number(1.0));
    let is_zero = b.eq(x, zero)?;
    Ok(Factors { rest: b.select(is_zero, one, x)?, zero: b.select(is_zero, x, zero)?, is_zero: b.cast(is_zero, x.ty().element())? })
}

/// For each factor the product of all others of its group, from sums and products over groups: the product of what is not
/// zero, divided by the factor, times the zeros among the others. Those are none, one, or more, whose product is 0 and does
/// not change with one of them. So derivatives of it are right too, and no factor is divided by that is zero.
pub(super) fn all_but_one<'c>(b: &Back<'c>, own: &Factors<'c>, product: Value<'c>, zeros: Value<'c>, zero: Value<'c>) -> Result<Value<'c>> {
    let other_zeros = b.sub(zeros, own.is_zero)?;
    let only_zero = b.sub(zero, own.zero)?;
    let is = |count: f64| b.eq(other_zeros, b.number(count));
    let zeros = b.select(is(0.0)?, b.number(1.0), b.select(is(1.0)?, only_zero, b.number(0.0))?)?;
    b.mul(b.div(product, own.rest)?, zeros)
}

/// The product: `g` times the product of the others.
pub fn prod<'c>(b: &Back<'c>) -> Result {
    let (g, dims) = (b.g()?, reduced(b)?);
    let own = factors(b, b.cast(b.x("input")?, g.ty().element())?)?;
    let over = |name: &str, x: Value<'c>| b.reduce(name, x, &dims, true);
    let others = all_but_one(b, &own, over("fx.prod", own.rest)?, over("fx.sum", own.is_zero)?, over("fx.sum", own.zero)?)?;
    b.give("input", b.mul(spread(b, g, &dims)?, b.conj(others)?)?);
    Ok(())
}

//===----------------------------------------------------------------------===//
// Extrema
//===----------------------------------------------------------------------===//

/// The largest or smallest: `g` in equal parts to those that equal it. NaN equals nothing, so the parts of NaN are NaN; of
/// all elements (`aten.max`) those that are NaN share it.
pub fn extremum(b: &Back<'_>) -> Result {
    let dims = reduced(b)?;
    shared(b, &dims, b.op.op.attribute("dim").is_none())
}

/// The median of all elements: `g` in equal parts to those that equal it.
pub fn median(b: &Back<'_>) -> Result {
    shared(b, &reduced(b)?, true)
}

fn shared(b: &Back<'_>, dims: &[usize], nan_equals_nan: bool) -> Result {
    let (x, y) = (b.x("input")?, spread(b, b.y(0)?, dims)?);
    let mut wins = b.eq(x, y)?;
    if nan_equals_nan {
        let [x, y] = [x, y].map(|value| b.op("fx.isnan", &[value], &[]));
        wins = b.op("fx.logical_or", &[wins, b.op("fx.logical_and", &[x?, y?], &[])?], &[])?;
    }
    let winners = b.reduce("fx.sum", wins, dims, true)?;
    let own = b.select(wins, spread(b, b.g()?, dims)?, b.number(0.0))?;
    b.give("input", b.div(own, winners)?);
    Ok(())
}

//===----------------------------------------------------------------------===//
// Norms
//===----------------------------------------------------------------------===//

/// `ln sum e^x`: `g e^(x - y)`
pub fn logsumexp(b: &Back<'_>) -> Result {
    let dims = reduced(b)?;
    let weight = b.exp(b.sub(b.x("input")?, spread(b, b.y(0)?, &dims)?)?)?;
    b.give("input", b.mul(spread(b, b.g()?, &dims)?, b.conj(weight)?)?);
    Ok(())
}

/// The norm of vectors.
pub fn linalg_vector_norm(b: &Back<'_>) -> Result {
    let dims = reduced(b)?;
    let (y, g) = (spread(b, b.y(0)?, &dims)?, spread(b, b.g()?, &dims)?);
    if let Some(x) = of_norm(b, b.x("input")?, y, g, b.op.op.float("ord"), &dims)? {
        b.give("input", x);
    }
    Ok(())
}

/// The norm of a difference.
pub fn dist(b: &Back<'_>) -> Result {
    let difference = b.sub(b.x("input")?, b.x("other")?)?;
    let dims: Vec<_> = (0..difference.ty().rank()).collect();
    if let Some(x) = of_norm(b, difference, b.y(0)?, b.g()?, b.op.op.float("p"), &dims)? {
        b.give("input", x);
        b.give("other", b.neg(x)?);
    }
    Ok(())
}

/// The gradient of a p-norm `y` of `x` over `dims` (an absent p is 2): `g x |x|^(p-2) / y^(p-1)`, 0 where y is. Of the
/// largest or smallest (p infinite) in equal parts to those that are it, or are NaN. None is zero.
fn of_norm<'c>(b: &Back<'c>, x: Value<'c>, y: Value<'c>, g: Value<'c>, p: Option<f64>, dims: &[usize]) -> Result<Option<Value<'c>>> {
    let size = |x: Value<'c>| b.op("fx.abs", &[x], &[]);
    let sign = |x: Value<'c>| b.op("fx.sgn", &[x], &[]);
    let power = |x: Value<'c>, p: f64| b.op("fx.pow", &[x, b.number(p)], &[]);
    let zero = b.number(0.0);
    Ok(Some(match p.unwrap_or(2.0) {
        0.0 => return Ok(None),
        1.0 => b.mul(sign(x)?, g)?,
        2.0 => b.mul(g, ratio(b, x, y)?)?,
        p if p.is_infinite() => {
            let size = size(x)?;
            let wins = b.op("fx.logical_or", &[b.eq(size, y)?, b.op("fx.isnan", &[size], &[])?], &[])?;
            let share = b.div(g, b.reduce("fx.sum", wins, dims, true)?)?;
            b.mul(sign(x)?, b.select(wins, share, zero)?)?
        }
        p if p < 1.0 => {
            let is_zero = b.eq(x, zero)?;
            let size = power(b.select(is_zero, b.number(1.0), size(x)?)?, p - 1.0)?;
            let scaled = b.select(is_zero, zero, b.mul(sign(x)?, size)?)?;
            b.mul(b.mul(scaled, g)?, power(y, 1.0 - p)?)?
        }
        p => {
            let scaled = if p < 2.0 { b.mul(sign(x)?, power(size(x)?, p - 1.0)?)? } else { b.mul(x, power(size(x)?, p - 2.0)?)? };
            let is_zero = b.eq(y, zero)?;
            let scale = b.div(g, power(b.select(is_zero, b.number(1.0), y)?, p - 1.0)?)?;
            b.mul(scaled, b.select(is_zero, zero, scale)?)?
        }
    }))
}

//===----------------------------------------------------------------------===//
// Variances
//===----------------------------------------------------------------------===//

/// The variance: `2 g (x - mean) / (n - c)`
pub fn var(b: &Back<'_>) -> Result {
    give_var(b, b.g()?)
}

/// The standard deviation: as [`var`] with `g / 2y`, 0 where y is.
pub fn std(b: &Back<'_>) -> Result {
    give_var(b, of_root(b, b.g()?)?)
}

/// The variance and the mean.
pub fn var_mean(b: &Back<'_>) -> Result {
    if let Some(g) = b.cotangent(0)? {
        give_var(b, g)?;
    }
    give_mean(b)
}

/// The standard deviation and the mean.
pub fn std_mean(b: &Back<'_>) -> Result {
    if let Some(g) = b.cotangent(0)? {
        give_var(b, of_root(b, g)?)?;
    }
    give_mean(b)
}

fn of_root<'c>(b: &Back<'c>, g: Value<'c>) -> Result<Value<'c>> {
    ratio(b, g, b.mul(b.y(0)?, b.number(2.0))?)
}

fn give_mean(b: &Back<'_>) -> Result {
    if let Some(g) = b.cotangent(1)? {
        let dims = reduced(b)?;
        b.give("input", b.div(spread(b, g, &dims)?, count(b, b.op.operand("input")?, &dims)?)?);
    }
    Ok(())
}

fn give_var<'c>(b: &Back<'c>, g: Value<'c>) -> Result {
    let (x, dims) = (b.x("input")?, reduced(b)?);
    let count = count(b, x, &dims)?;
    let unbiased = b.op.op.attribute("unbiased").and_then(Attribute::as_bool).unwrap_or(true);
    let correction = b.op.op.float("correction").unwrap_or(if unbiased { 1.0 } else { 0.0 });
    let centred = b.sub(x, b.div(b.reduce("fx.sum", x, &dims, true)?, count)?)?;
    let g = spread(b, g, &dims)?;
    let too_few = count.constant().and_then(Attribute::as_float).is_some_and(|count| count <= correction);
    if too_few && b.op.op.attribute("dim").is_none() {
        // The limit of the quotient: a mean has no deviation, anything else an infinite one.
        let limit = b.select(b.eq(centred, b.number(0.0))?, b.number(f64::NAN), b.number(f64::INFINITY))?;
        b.give("input", b.mul(g, limit)?);
        return Ok(());
    }
    let divisor = b.b.value("arith.subf", &[count, b.number(correction)], count.ty(), &[]);
    let factor = b.b.value("arith.divf", &[b.number(2.0), divisor], count.ty(), &[]);
    b.give("input", b.mul(b.mul(g, factor)?, centred)?);
    Ok(())
}
