//! Triangular systems, by substitution.

use super::field::{Field, by_field};
use super::solved;
use crate::Result;
use crate::array::broadcast_shapes;
use crate::call::Call;
use crate::ops::matrix::dense::{Matrix, split_shape};
use crate::ops::{Entry, one};
use crate::value::Value;

pub(in crate::ops) static OPS: &[Entry] = &[
    ("fx.linalg_solve_triangular", |call| by_field!(call, "input", solve_triangular)),
    ("fx.triangular_solve", |call| by_field!(call, "A", triangular_solve)),
];

/// Which part of a matrix is read.
#[derive(Debug, Clone, Copy)]
pub(super) struct Triangle {
    pub upper: bool,
    /// Whether the diagonal counts as 1.
    pub unit: bool,
}

/// X with T X = b, T a triangle of `matrix`.
pub(super) fn substitute<T: Field>(matrix: &Matrix<T>, triangle: Triangle, b: &Matrix<T>) -> Matrix<T> {
    let n = matrix.rows;
    let mut x = b.clone();
    for step in 0..n {
        let i = if triangle.upper { n - 1 - step } else { step };
        let known = if triangle.upper { i + 1..n } else { 0..i };
        for j in 0..b.columns {
            let sum = known.clone().fold(x.at(i, j), |sum, k| sum - matrix.at(i, k) * x.at(k, j));
            x.set(i, j, if triangle.unit { sum } else { sum / matrix.at(i, i) });
        }
    }
    x
}

fn solve_triangular<T: Field>(call: &Call<'_>) -> Result<Vec<Value>> {
    let (left, triangle) = (call.bool("left"), Triangle { upper: call.bool("upper"), unit: call.bool("unitriangular") });
    let operands = [call.array("input")?, call.array("B")?];
    // the transpose of an upper triangle is a lower one
    let triangle = if left { triangle } else { Triangle { upper: !triangle.upper, ..triangle } };
    one(solved::<T>(call.result_dtype(0)?, operands, left, |a, b| Ok(substitute(a, triangle, b)))?)
}

/// (X, A), A broadcast as X is.
fn triangular_solve<T: Field>(call: &Call<'_>) -> Result<Vec<Value>> {
    let (a, b, transpose) = (call.array("A")?, call.array("input")?, call.bool("transpose"));
    let triangle = Triangle { upper: call.bool("upper") != transpose, unit: call.bool("unitriangular") };
    let solution = |a: &Matrix<T>, b: &Matrix<T>| {
        let transposed = if transpose { a.transposed() } else { a.clone() };
        Ok(substitute(&transposed, triangle, b))
    };
    let x = solved::<T>(call.result_dtype(0)?, [a, b], true, solution)?;
    let ((batch_a, shape), (batch_b, _)) = (split_shape(a.shape())?, split_shape(b.shape())?);
    let batch = broadcast_shapes(&[batch_a, batch_b])?;
    Ok(vec![x.into(), a.expand(&[&batch[..], &shape].concat())?.into()])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn triangles() {
        let a = Matrix::from_fn(3, 3, |i, j| (1 + 3 * i + j) as f64);
        let b = Matrix::from_fn(3, 2, |i, j| (i + 2 * j) as f64 - 1.0);
        for (upper, unit) in [(false, false), (false, true), (true, false), (true, true)] {
            let x = substitute(&a, Triangle { upper, unit }, &b);
            let t = Matrix::from_fn(3, 3, |i, j| match (i, j) {
                (i, j) if i == j => {
                    if unit {
                        1.0
                    } else {
                        a.at(i, j)
                    }
                }
                (i, j) if (j > i) == upper => a.at(i, j),
                _ => 0.0,
            });
            let back = t.times(&x);
            assert!(back.elements().iter().zip(b.elements()).all(|(x, y)| (x - y).abs() < 1e-12));
        }
    }
}
