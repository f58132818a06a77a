//! Of scans.

use fx_ir::{Result, Value};

use super::indexing::at_dim;
use super::order::picked;
use super::reduction::factors;
use super::shape::{flipped, iota};
use crate::fx_op::Dim;
use crate::gradient::Back;

/// The dim that the op scans; none of a number, which is its own scan.
fn scanned(b: &Back<'_>) -> Result<Option<usize>> {
    match b.op.operand("input")?.ty().rank() {
        0 => Ok(None),
        rank => b.op.dim("dim", rank).map(Some),
    }
}

/// The sum of what comes from here on.
fn sum_from_here<'c>(b: &Back<'c>, x: Value<'c>, dim: usize) -> Result<Value<'c>> {
    flipped(b, b.op("fx.cumsum", &[flipped(b, x, dim)?], &at_dim(b, dim))?, dim)
}

/// Sums so far: the sum of the gradients from here on.
pub fn cumsum(b: &Back<'_>) -> Result {
    let g = b.g()?;
    b.give("input", scanned(b)?.map_or(Ok(g), |dim| sum_from_here(b, g, dim))?);
    Ok(())
}

/// Products so far: `sum_(j >= k) g_j prod_(i <= j, i != k) x_i`.
///
/// With P the product so far of what is not zero, the product without `x_k` is `P_j / x_k` before the first zero. From there
/// on to the second it is `P_j` without the first zero, and that zero's multiple for others; the same one further for two.
/// As in [`super::reduction::all_but_one`] zeros stay variables.
pub fn cumprod<'c>(b: &Back<'c>) -> Result {
    let g = b.g()?;
    let Some(dim) = scanned(b)? else {
        b.give("input", g);
        return Ok(());
    };
    let own = factors(b, b.cast(b.x("input")?, g.ty().element())?)?;
    let so_far = |name: &str, x: Value<'c>| b.op(name, &[x], &at_dim(b, dim));
    let (zeros, zero) = (so_far("fx.cumsum", own.is_zero)?, so_far("fx.cumsum", own.zero)?);
    let weighted = b.mul(g, b.conj(so_far("fx.cumprod", own.rest)?)?)?;
    let nothing = b.number(0.0);
    // Terms with a number of zeros so far, from here on.
    let with = |count: f64, x: Value<'c>| b.select(b.eq(zeros, b.number(count))?, x, nothing);
    let once = b.mul(weighted, b.conj(zero)?)?;
    let others = sum_from_here(b, b.add(with(0.0, weighted)?, with(1.0, once)?)?, dim)?;
    let at_zeros = sum_from_here(b, b.add(with(1.0, weighted)?, with(2.0, once)?)?, dim)?;
    let itself = b.mul(sum_from_here(b, with(2.0, weighted)?, dim)?, b.conj(own.zero)?)?;
    let is_zero = b.ne(own.is_zero, nothing)?;
    b.give("input", b.select(is_zero, b.sub(at_zeros, itself)?, b.div(others, b.conj(own.rest)?)?)?);
    Ok(())
}

/// Logarithms of sums of exponentials so far: `sum_(j >= k) g_j e^(x_k - y_j)`. The table of all pairs is written out: no
/// exponent in it is positive, while `e^-y` alone may be infinite, and unlike a sum of logarithms it is linear in g.
pub fn logcumsumexp(b: &Back<'_>) -> Result {
    let g = b.g()?;
    let Some(dim) = scanned(b)? else {
        b.give("input", g);
        return Ok(());
    };
    let sizes = b.dims(b.op.operand("input")?);
    // Place k in `dim`, place j in a dim after it.
    let (mut here, mut there) = (sizes.clone(), sizes.clone());
    here.insert(dim + 1, Dim::Static(1));
    there.insert(dim, Dim::Static(1));
    let places = iota(b, sizes[dim])?;
    let lined_up = |before: usize| {
        let mut shape = vec![Dim::Static(1); sizes.len() + 1];
        shape[dim + before] = sizes[dim];
        b.view(places, &shape)
    };
    let later = b.ge(lined_up(1)?, lined_up(0)?)?;
    let zero = b.number(0.0);
    let exponent = b.sub(b.view(b.x("input")?, &here)?, b.view(b.y(0)?, &there)?)?;
    let weight = b.exp(b.select(later, exponent, zero)?)?;
    let terms = b.select(later, b.mul(b.view(g, &there)?, b.conj(weight)?)?, zero)?;
    b.give("input", b.reduce("fx.sum", terms, &[dim + 1], false)?);
    Ok(())
}

/// Extrema so far: `g` to the element that was the extremum, the latest of equals.
pub fn extremum(b: &Back<'_>) -> Result {
    picked(b, scanned(b)?.unwrap_or(0))
}
