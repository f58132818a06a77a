//! Eigenvalues of Hermitian matrices by Jacobi's rotations.

use super::field::{Field, by_field};
use super::{check_finite, square};
use crate::Result;
use crate::array::Array;
use crate::call::Call;
use crate::ops::matrix::dense::{Matrix, stack};
use crate::ops::{Entry, one};
use crate::value::Value;

pub(in crate::ops) static OPS: &[Entry] =
    &[("fx.linalg_eigh", |call| by_field!(call, "A", eigh)), ("fx.linalg_eigvalsh", |call| by_field!(call, "input", eigvalsh))];

/// Sweeps converge quadratically; a few more than any matrix needs.
const SWEEPS: usize = 60;

/// A unitary matrix of two columns: (p, q) -> (c p - s e q, s p + c e q), e of modulus 1.
#[derive(Clone, Copy)]
pub(super) struct Rotation<T> {
    c: f64,
    s: f64,
    phase: T,
}

impl<T: Field> Rotation<T> {
    /// That which makes the Hermitian matrix [[alpha, beta], [conj(beta), delta]] diagonal, by the smaller of two angles
    /// (Golub, Van Loan, 8.5.2); none if it is so to working precision.
    pub fn of(alpha: f64, beta: T, delta: f64) -> Option<Rotation<T>> {
        let size = beta.modulus();
        if size == 0.0 || size <= 1e-17 * (alpha.abs() * delta.abs()).sqrt() {
            return None;
        }
        let tau = (delta - alpha) / (2.0 * size);
        let t = 1f64.copysign(tau) / (tau.abs() + tau.hypot(1.0));
        let c = 1.0 / t.hypot(1.0);
        Some(Rotation { c, s: t * c, phase: beta.conjugate() / T::real(size) })
    }

    /// Turns columns `p` and `q`.
    pub fn turn(self, m: &mut Matrix<T>, p: usize, q: usize) {
        let (c, s) = (T::real(self.c), T::real(self.s));
        for i in 0..m.rows {
            let (x, y) = (m.at(i, p), self.phase * m.at(i, q));
            m.set(i, p, c * x - s * y);
            m.set(i, q, s * x + c * y);
        }
    }
}

/// Eigenvalues in ascending order with their vectors, the columns of a unitary matrix. Nothing fixes a vector's phase: here
/// its largest element is positive.
fn decompose<T: Field>(a: &Matrix<T>) -> (Vec<f64>, Matrix<T>) {
    let n = a.rows;
    let (mut a, mut vectors) = (a.clone(), Matrix::identity(n));
    for _ in 0..SWEEPS {
        let mut done = true;
        for p in 0..n {
            for q in p + 1..n {
                let Some(rotation) = Rotation::of(a.at(p, p).re(), a.at(p, q), a.at(q, q).re()) else { continue };
                done = false;
                rotation.turn(&mut a, p, q);
                let mut rows = a.adjoint();
                rotation.turn(&mut rows, p, q);
                a = rows.adjoint();
                a.set(p, q, T::ZERO);
                a.set(q, p, T::ZERO);
                rotation.turn(&mut vectors, p, q);
            }
        }
        if done {
            break;
        }
    }
    let mut order: Vec<usize> = (0..n).collect();
    order.sort_by(|i, j| a.at(*i, *i).re().total_cmp(&a.at(*j, *j).re()));
    let phases: Vec<T> = order.iter().map(|j| phase(&(0..n).map(|i| vectors.at(i, *j)).collect::<Vec<_>>())).collect();
    let sorted = Matrix::from_fn(n, n, |i, j| vectors.at(i, order[j]) * phases[j].conjugate());
    (order.iter().map(|j| a.at(*j, *j).re()).collect(), sorted)
}

/// The largest element divided by its modulus.
pub(super) fn phase<T: Field>(vector: &[T]) -> T {
    let largest =
        vector.iter().copied().fold(T::ZERO, |largest, x| if x.modulus() > largest.modulus() * (1.0 + 1e-9) { x } else { largest });
    if largest == T::ZERO { T::ONE } else { largest / T::real(largest.modulus()) }
}

/// Batch dims, a size, and eigenvalues with their vectors.
type Spectra<T> = (Vec<usize>, usize, Vec<(Vec<f64>, Matrix<T>)>);

/// The decompositions of Hermitian matrices of which `UPLO` says what is read.
fn spectra<T: Field>(call: &Call<'_>, operand: &str) -> Result<Spectra<T>> {
    let (batch, size, parts) = square::<T>(call.array(operand)?)?;
    let upper = call.str("UPLO")?.eq_ignore_ascii_case("U");
    let spectrum = |a: Matrix<T>| {
        check_finite(&a)?;
        let full = Matrix::from_fn(size, size, |i, j| match (i, j) {
            (i, j) if i == j => T::real(a.at(i, i).re()),
            (i, j) if (j > i) == upper => a.at(i, j),
            (i, j) => a.at(j, i).conjugate(),
        });
        Ok(decompose(&full))
    };
    Ok((batch, size, parts.into_iter().map(spectrum).collect::<Result<_>>()?))
}

fn eigh<T: Field>(call: &Call<'_>) -> Result<Vec<Value>> {
    let (batch, size, spectra) = spectra::<T>(call, "A")?;
    let values: Vec<f64> = spectra.iter().flat_map(|(values, _)| values.clone()).collect();
    let values = Array::new(call.result_dtype(0)?, &[&batch[..], &[size]].concat(), values)?;
    let dtype = call.result_dtype(1)?;
    let vectors = match call.bool("compute_v") {
        true => stack(dtype, &batch, [size; 2], spectra.into_iter().map(|(_, vectors)| vectors).collect())?,
        false => Array::new(dtype, &[0], Vec::<f64>::new())?,
    };
    Ok(vec![values.into(), vectors.into()])
}

fn eigvalsh<T: Field>(call: &Call<'_>) -> Result<Vec<Value>> {
    let (batch, size, spectra) = spectra::<T>(call, "input")?;
    let values: Vec<f64> = spectra.into_iter().flat_map(|(values, _)| values).collect();
    one(Array::new(call.result_dtype(0)?, &[&batch[..], &[size]].concat(), values)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::array::Complex;

    #[test]
    fn vectors_are_eigenvectors() {
        let b = Matrix::from_fn(4, 4, |i, j| Complex::new((i + 2 * j) as f64 - 1.5, (i * j) as f64 - 2.0));
        let a = Matrix::from_fn(4, 4, |i, j| b.at(i, j) + b.at(j, i).conj());
        let (values, vectors) = decompose(&a);
        assert!(values.is_sorted());
        let product = a.times(&vectors);
        for i in 0..4 {
            for (j, value) in values.iter().enumerate() {
                assert!((product.at(i, j) - vectors.at(i, j) * *value).abs() < 1e-12);
            }
        }
        let unit = vectors.adjoint().times(&vectors);
        assert!((0..16).all(|k| (unit.at(k / 4, k % 4) - Complex::from(f64::from(u8::from(k % 5 == 0)))).abs() < 1e-13));
        let values = decompose(&Matrix::from_fn(2, 2, |i, j| f64::from(u8::from(i != j)))).0;
        assert!((values[0] + 1.0).abs() < 1e-15 && (values[1] - 1.0).abs() < 1e-15);
    }
}
