//! Losses of elements, and their gradients. With x the input and t the target; losses of classes are in [`classes`].

pub(in crate::ops) mod classes;

use super::{Entry, maximum, one};
use crate::Result;
use crate::array::{Array, Category, Complex, DType, category, pointwise};
use crate::call::Call;
use crate::value::{Number, Value};

pub(super) static OPS: &[Entry] = &[
    ("fx.binary_cross_entropy", |call| {
        let f = |[x, t]: [f64; 2]| -(t * maximum(x.ln(), -100.0) + (1.0 - t) * maximum((-x).ln_1p(), -100.0));
        weighted(call, elements(call, f)?)
    }),
    ("fx.binary_cross_entropy_backward", |call| {
        let g = gradients(call, |[x, t]| (x - t) / (x * (1.0 - x)).max(1e-12))?;
        let dtype = call.result_dtype(0)?;
        one(match call.optional("weight")? {
            Some(weight) => pointwise(dtype, [&g, weight], |[g, w]: [f64; 2]| g * w)?,
            None => g.cast(dtype),
        })
    }),
    ("fx.binary_cross_entropy_with_logits", logits),
    ("fx.huber_loss", |call| {
        let delta = call.float("delta")?;
        reduced(call, elements(call, |[x, t]| huber((x - t).abs(), delta))?)
    }),
    ("fx.huber_loss_backward", |call| {
        let delta = call.float("delta")?;
        one(gradients(call, |[x, t]| kept_nan(x - t, (x - t).max(-delta).min(delta)))?.cast(call.result_dtype(0)?))
    }),
    ("fx.kl_div", |call| {
        let f = |[x, t]: [f64; 2]| if t == 0.0 { -t * x } else { t * t.ln() - t * x };
        let of_log = |[x, t]: [f64; 2]| t.exp() * (t - x);
        reduced(call, if call.bool("log_target") { elements(call, of_log)? } else { elements(call, f)? })
    }),
    ("fx.l1_loss", |call| {
        let [x, t] = call.pair("input", "target")?;
        let is_complex = x.dtype().is_complex() || t.dtype().is_complex();
        let differences = match category(call.result_dtype(0)?) {
            _ if is_complex => pointwise(DType::F64, [&x, &t], |[x, t]: [Complex; 2]| (x - t).abs())?,
            Category::Int | Category::Bool => pointwise(DType::I64, [&x, &t], |[x, t]: [i64; 2]| x.wrapping_sub(t).wrapping_abs())?,
            _ => pointwise(DType::F64, [&x, &t], |[x, t]: [f64; 2]| (x - t).abs())?,
        };
        reduced(call, differences)
    }),
    ("fx.mse_loss", |call| {
        let [x, t] = call.pair("input", "target")?;
        let squares = match category(call.result_dtype(0)?) {
            Category::Complex => pointwise(DType::C128, [&x, &t], |[x, t]: [Complex; 2]| (x - t) * (x - t))?,
            Category::Float => pointwise(DType::F64, [&x, &t], |[x, t]: [f64; 2]| (x - t) * (x - t))?,
            _ => pointwise(DType::I64, [&x, &t], |[x, t]: [i64; 2]| x.wrapping_sub(t).wrapping_mul(x.wrapping_sub(t)))?,
        };
        reduced(call, squares)
    }),
    ("fx.mse_loss_backward", |call| one(gradients(call, |[x, t]| 2.0 * (x - t))?.cast(call.result_dtype(0)?))),
    ("fx.smooth_l1_loss", |call| {
        let beta = call.float("beta")?;
        reduced(call, elements(call, |[x, t]| smooth((x - t).abs(), beta))?)
    }),
    ("fx.smooth_l1_loss_backward", |call| {
        let beta = call.float("beta")?;
        one(gradients(call, |[x, t]| smooth_slope(x - t, beta))?.cast(call.result_dtype(0)?))
    }),
    ("fx.soft_margin_loss", |call| reduced(call, elements(call, |[x, t]| softplus(-t * x))?)),
    ("fx.soft_margin_loss_backward", |call| one(gradients(call, |[x, t]| -t / (1.0 + (t * x).exp()))?.cast(call.result_dtype(0)?))),
];

/// `ln(1 + e^x)`
fn softplus(x: f64) -> f64 {
    maximum(x, 0.0) + (-x.abs()).exp().ln_1p()
}

fn kept_nan(d: f64, slope: f64) -> f64 {
    if d.is_nan() { d } else { slope }
}

/// `d² / 2` up to delta, then the tangent.
fn huber(d: f64, delta: f64) -> f64 {
    if d <= delta { d * d / 2.0 } else { delta * (d - delta / 2.0) }
}

/// `d² / (2 beta)` below beta, then the tangent.
fn smooth(d: f64, beta: f64) -> f64 {
    if d < beta { d * d / (2.0 * beta) } else { d - beta / 2.0 }
}

fn smooth_slope(d: f64, beta: f64) -> f64 {
    match d {
        d if d <= -beta => -1.0,
        d if d >= beta => 1.0,
        d => d / beta,
    }
}

/// The losses of elements, in f64.
fn elements(call: &Call<'_>, f: impl Fn([f64; 2]) -> f64) -> Result<Array> {
    pointwise(DType::F64, [call.array("input")?, call.array("target")?], f)
}

/// Losses reduced as the attribute `reduction` says: 0 not at all, 1 to their mean, 2 to their sum.
fn reduced(call: &Call<'_>, losses: Array) -> Result<Vec<Value>> {
    let dtype = call.result_dtype(0)?;
    let all: Vec<usize> = (0..losses.rank()).collect();
    let count = losses.len() as f64;
    one(match (call.int("reduction")?, losses.category()) {
        (0, _) => losses.cast(dtype),
        (1, Category::Complex) => losses.reduce(dtype, &all, false, |group: &[Complex]| {
            let total = group.iter().fold(Complex::default(), |total, z| total + *z);
            Complex::new(total.re / count, total.im / count)
        })?,
        (1, _) => losses.reduce(dtype, &all, false, |group: &[f64]| group.iter().sum::<f64>() / count)?,
        (2, Category::Complex) => {
            losses.reduce(dtype, &all, false, |group: &[Complex]| group.iter().fold(Complex::default(), |total, z| total + *z))?
        }
        (2, Category::Int) => losses.reduce(dtype, &all, false, |group: &[i64]| group.iter().fold(0i64, |a, b| a.wrapping_add(*b)))?,
        (2, _) => losses.reduce(dtype, &all, false, |group: &[f64]| group.iter().sum::<f64>())?,
        (other, _) => return Err(format!("has reduction {other}")),
    })
}

/// Losses times `weight`, reduced; their mean is over all of them.
fn weighted(call: &Call<'_>, losses: Array) -> Result<Vec<Value>> {
    let weight = call.optional("weight")?;
    reduced(call, weight.map_or(Ok(losses.clone()), |weight| pointwise(DType::F64, [&losses, weight], |[l, w]: [f64; 2]| l * w))?)
}

/// `-(p t ln σ(x) + (1 - t) ln σ(-x))`, p being `pos_weight`; -ln σ(x) = softplus(-x).
fn logits(call: &Call<'_>) -> Result<Vec<Value>> {
    let one = Array::scalar(DType::F64, Number::Int(1));
    let factor = call.optional("pos_weight")?.unwrap_or(&one);
    let operands = [call.array("input")?, call.array("target")?, factor];
    let losses = pointwise(DType::F64, operands, |[x, t, p]: [f64; 3]| p * t * softplus(-x) + (1.0 - t) * softplus(x))?;
    weighted(call, losses)
}

/// `grad_output slope(x, t)`, over the number of elements of the input if their mean was taken; in f64.
fn gradients(call: &Call<'_>, slope: impl Fn([f64; 2]) -> f64) -> Result<Array> {
    let input = call.array("input")?;
    let count = if call.int("reduction")? == 1 { input.len() as f64 } else { 1.0 };
    pointwise(DType::F64, [call.array("grad_output")?, input, call.array("target")?], |[g, x, t]: [f64; 3]| slope([x, t]) * g / count)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slopes_are_derivatives() {
        let derivative = |f: &dyn Fn(f64) -> f64, x: f64| (f(x + 1e-6) - f(x - 1e-6)) / 2e-6;
        for x in [-3.0f64, -0.4, 0.2, 1.7] {
            assert!((derivative(&|x| huber(x.abs(), 0.7), x) - x.clamp(-0.7, 0.7)).abs() < 1e-6);
            assert!((derivative(&|x| smooth(x.abs(), 0.7), x) - smooth_slope(x, 0.7)).abs() < 1e-6);
            assert!((derivative(&|x| softplus(-x), x) + 1.0 / (1.0 + x.exp())).abs() < 1e-6);
        }
        assert_eq!((smooth(0.0, 0.0), smooth(2.0, 0.0)), (0.0, 2.0));
        assert_eq!(softplus(1000.0), 1000.0);
    }
}
