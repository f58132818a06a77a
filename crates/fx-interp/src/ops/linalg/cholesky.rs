//! Cholesky's decomposition of positive definite matrices, and systems solved with it.

use super::field::{Field, by_field};
use super::triangular::{Triangle, substitute};
use super::{solved, square};
use crate::Result;
use crate::array::{Array, DType};
use crate::call::Call;
use crate::ops::matrix::dense::{Matrix, stack};
use crate::ops::{Entry, one};
use crate::value::Value;

pub(in crate::ops) static OPS: &[Entry] = &[
    ("fx.cholesky", |call| by_field!(call, "input", cholesky)),
    ("fx.cholesky_inverse", |call| by_field!(call, "input", cholesky_inverse)),
    ("fx.cholesky_solve", |call| by_field!(call, "input", cholesky_solve)),
    ("fx.linalg_cholesky_ex", |call| by_field!(call, "input", cholesky_ex)),
];

/// L with L Lᴴ = A, of which the lower triangle is read; and 0, or the order of the first leading minor that is not
/// positive, where L ends.
fn factor<T: Field>(a: &Matrix<T>) -> (Matrix<T>, i64) {
    let mut l = Matrix::from_fn(a.rows, a.rows, |i, j| if j <= i { a.at(i, j) } else { T::ZERO });
    for j in 0..a.rows {
        let square = (0..j).fold(a.at(j, j).re(), |sum, k| sum - (l.at(j, k) * l.at(j, k).conjugate()).re());
        if square.is_nan() || square <= 0.0 {
            return (l, j as i64 + 1);
        }
        let root = square.sqrt();
        l.set(j, j, T::real(root));
        for i in j + 1..a.rows {
            let sum = (0..j).fold(a.at(i, j), |sum, k| sum - l.at(i, k) * l.at(j, k).conjugate());
            l.set(i, j, sum / T::real(root));
        }
    }
    (l, 0)
}

/// The factors of a batch, and the numbers that tell whether there are any.
fn factors<T: Field>(call: &Call<'_>, checks: bool) -> Result<[Array; 2]> {
    let (batch, size, parts) = square::<T>(call.array("input")?)?;
    let upper = call.bool("upper");
    let (mut results, mut infos) = (Vec::new(), Vec::new());
    for a in parts {
        // A = Uᴴ U with U = Lᴴ
        let (l, info) = factor(&if upper { a.adjoint() } else { a });
        if checks && info != 0 {
            return Err(format!("has a matrix that is not positive definite: its leading minor of order {info} is not"));
        }
        results.push(if upper { l.adjoint() } else { l });
        infos.push(info);
    }
    Ok([stack(call.result_dtype(0)?, &batch, [size; 2], results)?, Array::new(DType::I32, &batch, infos)?])
}

fn cholesky<T: Field>(call: &Call<'_>) -> Result<Vec<Value>> {
    let [l, _] = factors::<T>(call, true)?;
    one(l)
}

fn cholesky_ex<T: Field>(call: &Call<'_>) -> Result<Vec<Value>> {
    Ok(factors::<T>(call, call.bool("check_errors"))?.map(Value::from).into())
}

/// X with (L Lᴴ) X = b; with `upper` the matrix is Lᴴ.
fn solve_with<T: Field>(matrix: &Matrix<T>, upper: bool, b: &Matrix<T>) -> Matrix<T> {
    let l = if upper { matrix.adjoint() } else { matrix.clone() };
    let y = substitute(&l, Triangle { upper: false, unit: false }, b);
    substitute(&l.adjoint(), Triangle { upper: true, unit: false }, &y)
}

fn cholesky_solve<T: Field>(call: &Call<'_>) -> Result<Vec<Value>> {
    let (operands, upper) = ([call.array("input2")?, call.array("input")?], call.bool("upper"));
    one(solved::<T>(call.result_dtype(0)?, operands, true, |l, b| Ok(solve_with(l, upper, b)))?)
}

fn cholesky_inverse<T: Field>(call: &Call<'_>) -> Result<Vec<Value>> {
    let (batch, size, parts) = square::<T>(call.array("input")?)?;
    let upper = call.bool("upper");
    let inverses = parts.iter().map(|l| solve_with(l, upper, &Matrix::identity(size))).collect();
    one(stack(call.result_dtype(0)?, &batch, [size; 2], inverses)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::array::Complex;

    #[test]
    fn factors_multiply() {
        let b = Matrix::from_fn(3, 3, |i, j| Complex::new((i + 2 * j) as f64 - 1.5, i as f64 - (j * j) as f64));
        let a = b.times(&b.adjoint());
        let (l, info) = factor(&a);
        let product = l.times(&l.adjoint());
        assert_eq!(info, 0);
        assert!(product.elements().iter().zip(a.elements()).all(|(x, y)| (*x - *y).abs() < 1e-12));
        let identity = solve_with(&l, false, &a);
        assert!((identity.at(1, 1) - Complex::ONE).abs() < 1e-9 && identity.at(0, 1).abs() < 1e-9);
        assert_eq!(factor(&Matrix::from_fn(2, 2, |i, j| if i == j { 1.0 } else { 2.0 })).1, 2);
    }
}
