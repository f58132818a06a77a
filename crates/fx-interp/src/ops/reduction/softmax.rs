//! Softmax, its logarithm, and their gradients.

use crate::Result;
use crate::array::{Array, DType};
use crate::call::Call;
use crate::ops::{Entry, maximum, one};
use crate::value::Value;

pub(in crate::ops) static OPS: &[Entry] = &[
    ("fx.log_softmax", |call| softmax(call, log_weights)),
    ("fx.log_softmax_backward_data", |call| {
        backward(call, |g, y| {
            let total = g.iter().sum::<f64>();
            g.iter().zip(y).map(|(g, y)| g - y.exp() * total).collect()
        })
    }),
    ("fx.safe_softmax", |call| softmax(call, safe_weights)),
    ("fx.softmax", |call| softmax(call, weights)),
    ("fx.softmax_backward_data", |call| {
        backward(call, |g, y| {
            let total = g.iter().zip(y).map(|(g, y)| g * y).sum::<f64>();
            g.iter().zip(y).map(|(g, y)| y * (g - total)).collect()
        })
    }),
];

/// The differences to the greatest element.
fn shifted(row: &[f64]) -> Vec<f64> {
    let greatest = row.iter().copied().fold(f64::NEG_INFINITY, maximum);
    row.iter().map(|x| x - greatest).collect()
}

/// `e^(x - m) / Σ e^(x - m)`, m the greatest element: NaN if that is infinite.
pub(in crate::ops) fn weights(row: &[f64]) -> Vec<f64> {
    let powers: Vec<f64> = shifted(row).into_iter().map(f64::exp).collect();
    let total = powers.iter().sum::<f64>();
    powers.into_iter().map(|x| x / total).collect()
}

/// `x - m - ln Σ e^(x - m)`
pub(in crate::ops) fn log_weights(row: &[f64]) -> Vec<f64> {
    let differences = shifted(row);
    let log = differences.iter().map(|x| x.exp()).sum::<f64>().ln();
    differences.into_iter().map(|x| x - log).collect()
}

/// As `weights`, but 0 in a row that is -∞ throughout.
pub(in crate::ops) fn safe_weights(row: &[f64]) -> Vec<f64> {
    if row.iter().all(|x| *x == f64::NEG_INFINITY) { vec![0.0; row.len()] } else { weights(row) }
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
    let dim = call.dim("dim", g.rank())?;
    // an array without dims is one row
    let rows = |array: &Array| if array.rank() == 0 { array.reshape(&[1]) } else { Ok(array.clone()) };
    let both = Array::concat(&[&rows(g)?.cast(DType::F64), &rows(y)?.cast(DType::F64)], dim)?;
    let result = both.lanes(call.result_dtype(0)?, dim, g.size(dim), |lane: &[f64]| {
        let (g, y) = lane.split_at(lane.len() / 2);
        f(g, y)
    })?;
    one(result.reshape(g.shape())?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn infinite_rows() {
        const LOW: f64 = f64::NEG_INFINITY;
        assert_eq!(weights(&[1000.0, LOW]), [1.0, 0.0]);
        assert_eq!(log_weights(&[1000.0, 1000.0]), [-(2f64.ln()); 2]);
        assert!(weights(&[LOW, LOW]).iter().chain(&log_weights(&[f64::INFINITY, 0.0])).all(|x| x.is_nan()));
        assert_eq!(safe_weights(&[LOW, LOW]), [0.0, 0.0]);
    }
}
