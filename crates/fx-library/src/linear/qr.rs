//! QR decomposition by Householder reflections.

use super::matrix::{Field, Matrix, add};

/// `A = Q R` with `columns` columns of Q.
///
/// LAPACK's convention (`geqrf`): step k reflects column k to `beta e_k` with `beta` real and of the sign opposite to the
/// real part of its first element, unless the column is there already.
pub(crate) fn factor<T: Field>(a: Matrix<T>, columns: usize) -> (Matrix<T>, Matrix<T>) {
    let mut a = a;
    let (rows, rank) = (a.rows, a.rank());
    let mut reflections = Vec::with_capacity(rank);
    for k in 0..rank {
        let column: Vec<T> = (k..rows).map(|i| a[(i, k)]).collect();
        let (reflection, beta) = Reflection::of(column, k);
        let adjoint = Reflection { tau: reflection.tau.bar(), ..reflection };
        adjoint.apply(&mut a, k + 1);
        a[(k, k)] = beta;
        (k + 1..rows).for_each(|i| a[(i, k)] = T::real(0.0));
        reflections.push(Reflection { tau: adjoint.tau.bar(), ..adjoint });
    }
    let mut q = Matrix::identity(rows, columns);
    for reflection in reflections.iter().rev() {
        reflection.apply(&mut q, reflection.start);
    }
    let mut r = a;
    r.data.truncate(columns.min(rows) * r.columns);
    r.rows = columns.min(rows);
    (q, r)
}

/// `H = 1 - tau v v^H` on rows `start..`, with `v[0] = 1`.
struct Reflection<T> {
    start: usize,
    v: Vec<T>,
    tau: T,
}

impl<T: Field> Reflection<T> {
    /// The reflection with `H^H x = beta e_0`, and beta (LAPACK's `larfg`).
    fn of(x: Vec<T>, start: usize) -> (Self, T) {
        let mut v = x;
        let alpha = v[0];
        let (re, im) = alpha.parts();
        let below = norm(&v[1..]);
        v[0] = T::real(1.0);
        if below == 0.0 && im == 0.0 {
            return (Reflection { start, v, tau: T::real(0.0) }, alpha);
        }
        let beta = T::real(-alpha.modulus().hypot(below).copysign(re));
        let scale = alpha - beta;
        v[1..].iter_mut().for_each(|value| *value /= scale);
        (Reflection { start, v, tau: (beta - alpha) / beta }, beta)
    }

    /// Columns `from..` of `a` reflected.
    fn apply(&self, a: &mut Matrix<T>, from: usize) {
        let mut products = vec![T::real(0.0); a.columns - from.min(a.columns)];
        for (i, v) in self.v.iter().enumerate() {
            add(&mut products, v.bar(), &a.row(self.start + i)[from..]);
        }
        for (i, v) in self.v.iter().enumerate() {
            add(&mut a.row_mut(self.start + i)[from..], -(self.tau * *v), &products);
        }
    }
}

/// The Euclidean norm, without overflow.
fn norm<T: Field>(values: &[T]) -> f64 {
    let largest = values.iter().map(|value| value.modulus()).fold(0.0, f64::max);
    if largest == 0.0 || largest.is_infinite() {
        // NaN is in no maximum.
        return values.iter().map(|value| value.modulus()).fold(largest, |sum, value| if value.is_nan() { value } else { sum });
    }
    largest * values.iter().map(|value| (value.modulus() / largest).powi(2)).sum::<f64>().sqrt()
}
