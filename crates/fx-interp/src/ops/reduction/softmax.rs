//! Softmax, its logarithm, and their gradients.

use crate::Result;
use crate::array::{Array, DType, pointwise};
use crate::call::Call;
use crate::ops::reduction::logsumexp;
use crate::ops::{Entry, maximum, one};
use crate::value::Value;

pub(in crate::ops) static OPS: &[Entry] = &[
    ("fx.log_softmax", |call| softmax(call, |row| shifted(row, logsumexp(row)))),
    ("fx.log_softmax_backward_data", |call| {
        backward(call, |g, y| {
            let total = g.iter().sum::<f64>();
            g.iter().zip(y).map(|(g, y)| g - y.exp() * total).collect()
        })
    }),
    ("fx.safe_softmax", |call| softmax(call, |row| if is_masked(row) { vec![0.0; row.len()] } else { weights(row) })),
    ("fx.softmax", |call| softmax(call, weights)),
    ("fx.softmax_backward_data", |call| {
        backward(call, |g, y| {
            let total = g.iter().zip(y).map(|(g, y)| g * y).sum::<f64>();
            g.iter().zip(y).map(|(g, y)| y * (g - total)).collect()
        })
    }),
];

/// Whether a row is -∞ throughout.
pub(in crate::ops) fn is_masked(row: &[f64]) -> bool {
    row.iter().all(|x| *x == f64::NEG_INFINITY)
}

/// `e^(x - m) / Σ e^(x - m)`, m the greatest element.
pub(in crate::ops) fn weights(row: &[f64]) -> Vec<f64> {
    let greatest = row.iter().copied().fold(f64::NEG_INFINITY, maximum);
    let powers: Vec<f64> = row.iter().map(|x| (x - greatest).exp()).collect();
    let total = powers.iter().sum::<f64>();
    powers.into_iter().map(|x| x / total).collect()
}

/// `x - log`; a row that has an infinite greatest element is NaN where that is subtracted, as in `weights`.
fn shifted(row: &[f64], log: f64) -> Vec<f64> {
    let is_infinite = row.iter().copied().fold(f64::NEG_INFINITY, maximum).is_infinite();
    row.iter().map(|x| if is_infinite { f64::NAN } else { x - log }).collect()
}

/// A function of each row along `dim`, the input converted to `dtype` first.
fn softmax(call: &Call<'_>, f: impl FnMut(&[f64]) -> Vec<f64>) -> Result<Vec<Value>> {
    let input = call.array("input")?;
    let input = call.dtype("dtype").map_or(input.clone(), |dtype| input.cast(dtype));
    let dim = call.dim("dim", input.rank())?;
    one(input.lanes(call.result_dtype(0)?, dim, input.size(dim), f)?)
}

/// A function of each row of `grad_output` and of `output`.
fn backward(call: &Call<'_>, f: impl Fn(&[f64], &[f64]) -> Vec<f64>) -> Result<Vec<Value>> {
    let (g, y) = (call.array("grad_output")?, call.array("output")?);
    if g.shape() != y.shape() {
        return Err(format!("has a gradient of shape {:?} for {:?}", g.shape(), y.shape()));
    }
    // both rows in one lane
    let pairs = pairs_last(g, y)?;
    let dim = call.dim("dim", g.rank())?;
    let size = g.size(dim);
    let result = pairs.lanes(call.result_dtype(0)?, if g.rank() == 0 { 0 } else { dim }, size, |lane: &[f64]| {
        let (g, y) = lane.split_at(lane.len() / 2);
        f(g, y)
    })?;
    one(result.reshape(g.shape())?)
}

/// Placeholder for the two joined along the dim.
fn pairs_last(g: &Array, y: &Array) -> Result<Array> {
    pointwise(DType::F64, [g, y], |[g, _]: [f64; 2]| g)
}
