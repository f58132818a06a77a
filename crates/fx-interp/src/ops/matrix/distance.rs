//! Distances between rows, and their gradients.

use super::dense::{Matrix, matrices, split_shape, stack};
use crate::Result;
use crate::array::{Array, DType, broadcast_shapes, round_float};
use crate::call::Call;
use crate::ops::reduction::norms::norm;
use crate::ops::{Entry, one};
use crate::value::Value;

pub(in crate::ops) static OPS: &[Entry] =
    &[("fx.cdist", cdist), ("fx.cdist_backward", cdist_backward), ("fx.pdist", pdist), ("fx.pdist_backward", pdist_backward)];

fn distance(x: &[f64], y: &[f64], p: f64) -> f64 {
    norm(x.iter().zip(y).map(|(x, y)| (x - y).abs()), p)
}

/// `g` times the derivative of the distance `r` of type `dtype` by an element whose difference is `d`; 0 for p = 0 and for
/// equal rows.
fn slope(dtype: DType, g: f64, d: f64, r: f64, p: f64) -> f64 {
    let sign = if d == 0.0 { 0.0 } else { d.signum() };
    match p {
        0.0 => 0.0,
        1.0 => g * sign,
        _ if r == 0.0 || (d == 0.0 && p < 1.0) => 0.0,
        f64::INFINITY => {
            // The largest difference was rounded.
            if round_float(dtype, d.abs()) == r { g * sign } else { g * 0.0 }
        }
        p => g * sign * (d.abs() / r).powf(p - 1.0),
    }
}

/// Sizes that follow from others.
fn expect<const N: usize>(what: &str, own: [usize; N], expected: [usize; N]) -> Result<()> {
    if own == expected { Ok(()) } else { Err(format!("has {what} of size {own:?}, expected {expected:?}")) }
}

fn cdist(call: &Call<'_>) -> Result<Vec<Value>> {
    let (a, b, p) = (call.array("x1")?, call.array("x2")?, call.float("p")?);
    let ((batch_a, [rows, width]), (batch_b, [columns, other])) = (split_shape(a.shape())?, split_shape(b.shape())?);
    expect("rows of the second operand", [other], [width])?;
    let batch = broadcast_shapes(&[batch_a, batch_b])?;
    let pairs = matrices::<f64>(a, &batch)?.into_iter().zip(matrices::<f64>(b, &batch)?);
    let part = |(a, b): (Matrix<f64>, Matrix<f64>)| Matrix::from_fn(rows, columns, |i, j| distance(a.row(i), b.row(j), p));
    one(stack(call.result_dtype(0)?, &batch, [rows, columns], pairs.map(part).collect())?)
}

fn cdist_backward(call: &Call<'_>) -> Result<Vec<Value>> {
    let (a, b, p) = (call.array("x1")?, call.array("x2")?, call.float("p")?);
    let ((batch_a, shape), (batch_b, [others, width])) = (split_shape(a.shape())?, split_shape(b.shape())?);
    expect("rows of the second operand", [width], [shape[1]])?;
    for name in ["grad", "cdist"] {
        expect(name, split_shape(call.array(name)?.shape())?.1, [shape[0], others])?;
    }
    let batch = broadcast_shapes(&[batch_a, batch_b])?;
    let mut parts = Vec::new();
    let (grads, distances) = (matrices::<f64>(call.array("grad")?, &batch)?, matrices::<f64>(call.array("cdist")?, &batch)?);
    let operands = matrices::<f64>(a, &batch)?.into_iter().zip(matrices::<f64>(b, &batch)?);
    let dtype = call.array("cdist")?.dtype();
    for ((a, b), (g, r)) in operands.zip(grads.into_iter().zip(distances)) {
        let term = |i: usize, j: usize, k: usize| slope(dtype, g.at(i, j), a.at(i, k) - b.at(j, k), r.at(i, j), p);
        parts.push(Matrix::from_fn(shape[0], shape[1], |i, k| (0..others).map(|j| term(i, j, k)).sum::<f64>()));
    }
    one(stack(call.result_dtype(0)?, &batch, shape, parts)?)
}

/// Pairs i < j, ordered by i, then j.
fn pairs(rows: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..rows).flat_map(move |i| (i + 1..rows).map(move |j| (i, j)))
}

fn only_matrix(array: &Array) -> Result<Matrix<f64>> {
    matrices::<f64>(array, &[])?.pop().ok_or_else(|| "internal bug: no matrix".to_string())
}

fn pdist(call: &Call<'_>) -> Result<Vec<Value>> {
    let (x, p) = (only_matrix(call.array("input")?)?, call.float("p")?);
    let distances: Vec<f64> = pairs(x.rows).map(|(i, j)| distance(x.row(i), x.row(j), p)).collect();
    one(Array::new(call.result_dtype(0)?, &[distances.len()], distances)?)
}

fn pdist_backward(call: &Call<'_>) -> Result<Vec<Value>> {
    let (x, p) = (only_matrix(call.array("input")?)?, call.float("p")?);
    let (grads, distances) = (call.array("grad")?.values::<f64>(), call.array("pdist")?.values::<f64>());
    expect("gradients and distances", [grads.len(), distances.len()], [pairs(x.rows).count(); 2])?;
    let dtype = call.array("pdist")?.dtype();
    let mut result = Matrix::from_fn(x.rows, x.columns, |_, _| 0.0);
    for ((i, j), (g, r)) in pairs(x.rows).zip(grads.into_iter().zip(distances)) {
        for k in 0..x.columns {
            let term = slope(dtype, g, x.at(i, k) - x.at(j, k), r, p);
            result.set(i, k, result.at(i, k) + term);
            result.set(j, k, result.at(j, k) - term);
        }
    }
    one(stack(call.result_dtype(0)?, &[], [x.rows, x.columns], vec![result])?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slopes_are_derivatives() {
        let (x, y) = ([0.3, -1.2, 2.0], [0.7, 0.1, -0.4]);
        for p in [0.7, 1.0, 1.5, 2.0, 3.0, f64::INFINITY] {
            for k in 0..3 {
                let (mut low, mut high) = (x, x);
                low[k] -= 1e-6;
                high[k] += 1e-6;
                let expected = (distance(&high, &y, p) - distance(&low, &y, p)) / 2e-6;
                assert!((slope(DType::F64, 1.0, x[k] - y[k], distance(&x, &y, p), p) - expected).abs() < 1e-6, "{p} {k}");
            }
        }
        let zero =
            [(1.0, 0.0, 0.0, 2.0), (f64::NAN, 1.0, 1.0, 0.0), (1.0, 0.0, 2.0, 0.5)].map(|(g, d, r, p)| slope(DType::F64, g, d, r, p));
        assert_eq!(zero, [0.0; 3]);
        // 0.1 in f32 is not 0.1.
        assert_eq!(slope(DType::F32, 1.0, -0.1, f64::from(0.1_f32), f64::INFINITY), -1.0);
    }
}
