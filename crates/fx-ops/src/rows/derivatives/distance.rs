//! Of distances between rows.
//!
//! ```text
//! d = (sum_k |x_k|^p)^(1/p)    slope s = dd/dx = sign(x) (|x| / d)^(p - 1)
//! ds/dx = (p - 1) (|x| / d)^(p - 2) / d    ds/dd = -(p - 1) s / d
//! ```
//!
//! All are 0 where d is, and below p = 2 where x is.

use fx_ir::{Attribute, Result, Type, Value};

use crate::gradient::Back;
use crate::rows::matrix::pairs;

/// Between the rows of two matrices: the gradient op for each, the second with all exchanged.
pub fn cdist(b: &Back<'_>) -> Result {
    let p = order(b, b.op.op.float("p").unwrap_or(2.0));
    let (g, d, x1, x2) = (b.g()?, b.y(0)?, b.x("x1")?, b.x("x2")?);
    if b.wants("x1") {
        b.give("x1", b.op("fx.cdist_backward", &[g, x1, x2, d], &[p])?);
    }
    if b.wants("x2") {
        b.give("x2", b.op("fx.cdist_backward", &[swapped(b, g)?, x2, x1, swapped(b, d)?], &[p])?);
    }
    Ok(())
}

/// Between all pairs of rows of one matrix: the gradient op.
pub fn pdist(b: &Back<'_>) -> Result {
    let p = order(b, b.op.op.float("p").unwrap_or(2.0));
    b.give("input", b.op("fx.pdist_backward", &[b.g()?, b.x("input")?, b.y(0)?], &[p])?);
    Ok(())
}

/// `y[i] = sum_j g[i, j] s(x1[i] - x2[j])`
pub fn cdist_backward(b: &Back<'_>) -> Result {
    let of_pair = |x| unsqueezed(b, x, -1);
    let difference = b.sub(unsqueezed(b, b.x("x1")?, -2)?, unsqueezed(b, b.x("x2")?, -3)?)?;
    let outer = unsqueezed(b, b.g()?, -2)?;
    let parts = Parts::new(b, difference, of_pair(b.x("cdist")?)?, outer, of_pair(b.x("grad")?)?)?;
    let rank = difference.ty().rank();
    b.give("grad", b.reduce("fx.sum", parts.grad, &[rank - 1], false)?);
    if let Some([distance, x]) = parts.second {
        b.give("cdist", b.reduce("fx.sum", distance, &[rank - 1], false)?);
        b.give("x1", b.reduce("fx.sum", x, &[rank - 2], false)?);
        b.give("x2", b.neg(b.reduce("fx.sum", x, &[rank - 3], false)?)?);
    }
    Ok(())
}

/// `y[i] = sum over pairs of i with j of g[pair] s(x[i] - x[j])`
pub fn pdist_backward(b: &Back<'_>) -> Result {
    let x = b.x("input")?;
    let places = pairs(b, b.op, x)?;
    let along = ("dim", Attribute::i64(b.context(), 0));
    let difference = |x| b.sub(b.op("fx.index_select", &[x, places[0]], &[along])?, b.op("fx.index_select", &[x, places[1]], &[along])?);
    let of_pair = |x| unsqueezed(b, x, -1);
    let parts = Parts::new(b, difference(x)?, of_pair(b.x("pdist")?)?, difference(b.g()?)?, of_pair(b.x("grad")?)?)?;
    b.give("grad", b.reduce("fx.sum", parts.grad, &[1], false)?);
    if let Some([distance, slope]) = parts.second {
        b.give("pdist", b.reduce("fx.sum", distance, &[1], false)?);
        if b.wants("input") {
            let first = b.op("fx.index_add", &[b.zeros_like(x)?, places[0], slope], &[along])?;
            b.give("input", b.op("fx.index_add", &[first, places[1], b.neg(slope)?], &[along])?);
        }
    }
    Ok(())
}

/// `outer * s(x) * grad` differentiated, before any sum.
struct Parts<'c> {
    grad: Value<'c>,
    /// By the distance and by x, unless the slope is piecewise constant.
    second: Option<[Value<'c>; 2]>,
}

impl<'c> Parts<'c> {
    fn new(b: &Back<'c>, x: Value<'c>, distance: Value<'c>, outer: Value<'c>, grad: Value<'c>) -> Result<Self> {
        let p = b.op.float("p")?;
        let (zero, one) = (b.number(0.0), b.number(1.0));
        let sign = b.op("fx.sign", &[x], &[])?;
        if p == 0.0 || p == 1.0 {
            let slope = if p == 0.0 { b.zeros_like(x)? } else { sign };
            return Ok(Self { grad: b.mul(outer, slope)?, second: None });
        }
        let size = b.op("fx.abs", &[x], &[])?;
        if p.is_infinite() {
            let slope = b.select(b.eq(size, distance)?, sign, zero)?;
            return Ok(Self { grad: b.mul(outer, slope)?, second: None });
        }
        let mut none = b.eq(distance, zero)?;
        let safe_distance = b.select(none, one, distance)?;
        if p < 2.0 {
            none = b.op("fx.logical_or", &[none, b.eq(x, zero)?], &[])?;
        }
        let ratio = b.div(b.select(none, one, size)?, safe_distance)?;
        let power = |exponent: f64| match exponent {
            0.0 => Ok(None),
            1.0 => Ok(Some(ratio)),
            _ => b.op("fx.pow", &[ratio, b.number(exponent)], &[]).map(Some),
        };
        let slope = power(p - 1.0)?.map_or(Ok(sign), |power| b.mul(sign, power))?;
        let slope = b.select(none, zero, slope)?;
        let curvature = b.div(b.number(p - 1.0), safe_distance)?;
        let by_x = power(p - 2.0)?.map_or(Ok(curvature), |power| b.mul(curvature, power))?;
        let by_x = b.select(none, zero, by_x)?;
        let by_distance = b.neg(b.mul(slope, curvature)?)?;
        let both = b.mul(outer, grad)?;
        Ok(Self { grad: b.mul(outer, slope)?, second: Some([b.mul(both, by_distance)?, b.mul(both, by_x)?]) })
    }
}

fn order<'c>(b: &Back<'c>, p: f64) -> (&'static str, Attribute<'c>) {
    ("p", Attribute::float(b.context(), Type::f64(b.context()), p))
}

fn unsqueezed<'c>(b: &Back<'c>, x: Value<'c>, dim: i64) -> Result<Value<'c>> {
    b.op("fx.unsqueeze", &[x], &[("dim", Attribute::i64(b.context(), dim))])
}

/// The last two dims swapped.
fn swapped<'c>(b: &Back<'c>, x: Value<'c>) -> Result<Value<'c>> {
    super::matrix::adjoint(b, x)
}
