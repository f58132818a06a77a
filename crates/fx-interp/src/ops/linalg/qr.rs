//! QR decomposition by Householder's reflections, with LAPACK's signs (geqrf): a reflection H = I - τ v vᴴ, v_0 = 1, turns a
//! column into β e_0 with β real and of the sign opposite to that of the first element's real part.

use super::all;
use super::field::{Field, by_field};
use crate::Result;
use crate::array::Array;
use crate::call::Call;
use crate::ops::Entry;
use crate::ops::matrix::dense::{Matrix, stack};
use crate::value::Value;

pub(in crate::ops) static OPS: &[Entry] = &[("fx.linalg_qr", |call| by_field!(call, "A", qr))];

/// A reflection of the rows from `first` on.
struct Reflection<T> {
    first: usize,
    vector: Vec<T>,
    tau: T,
}

impl<T: Field> Reflection<T> {
    /// That which turns column `k` below row `k` to 0; none if it is 0 already and the diagonal real.
    fn of(a: &Matrix<T>, k: usize) -> Option<Reflection<T>> {
        let alpha = a.at(k, k);
        let rest = (k + 1..a.rows).map(|i| a.at(i, k).modulus()).fold(0.0, f64::hypot);
        if rest == 0.0 && alpha.im() == 0.0 {
            return None;
        }
        let beta = T::real(-alpha.modulus().hypot(rest).copysign(alpha.re()));
        let scale = alpha - beta;
        let vector = (k..a.rows).map(|i| if i == k { T::ONE } else { a.at(i, k) / scale }).collect();
        Some(Reflection { first: k, vector, tau: (beta - alpha) / beta })
    }

    /// `H m`, or `Hᴴ m`.
    fn apply(&self, m: &mut Matrix<T>, adjoint: bool) {
        // LAPACK's τ is such that Hᴴ makes zeros: its imaginary part is that of -α
        let tau = if adjoint { self.tau.conjugate() } else { self.tau };
        for j in 0..m.columns {
            let product = self.vector.iter().enumerate().fold(T::ZERO, |sum, (i, v)| sum + v.conjugate() * m.at(self.first + i, j));
            for (i, v) in self.vector.iter().enumerate() {
                let row = self.first + i;
                m.set(row, j, m.at(row, j) - *v * (tau * product));
            }
        }
    }
}

/// (Q, R) with Q square.
fn decompose<T: Field>(a: Matrix<T>) -> (Matrix<T>, Matrix<T>) {
    let (mut r, mut reflections) = (a, Vec::new());
    for k in 0..r.rows.min(r.columns) {
        if let Some(reflection) = Reflection::of(&r, k) {
            reflection.apply(&mut r, true);
            (k + 1..r.rows).for_each(|i| r.set(i, k, T::ZERO));
            reflections.push(reflection);
        }
    }
    let mut q = Matrix::identity(r.rows);
    reflections.iter().rev().for_each(|reflection| reflection.apply(&mut q, false));
    (q, r)
}

fn qr<T: Field>(call: &Call<'_>) -> Result<Vec<Value>> {
    let (batch, [rows, columns], parts) = all::<T>(call.array("A")?)?;
    let mode = call.str("mode")?;
    let kept = if mode == "complete" { rows } else { rows.min(columns) };
    let (mut qs, mut rs) = (Vec::new(), Vec::new());
    for a in parts {
        let (q, r) = decompose(a);
        qs.push(q.corner(rows, kept));
        rs.push(r.corner(kept, columns));
    }
    let q = match mode {
        "r" => Array::new(call.result_dtype(0)?, &[0], Vec::<f64>::new())?,
        _ => stack(call.result_dtype(0)?, &batch, [rows, kept], qs)?,
    };
    Ok(vec![q.into(), stack(call.result_dtype(1)?, &batch, [kept, columns], rs)?.into()])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::array::Complex;

    #[test]
    fn factors_multiply() {
        for (rows, columns) in [(4, 3), (3, 4), (1, 1), (2, 0)] {
            let a = Matrix::from_fn(rows, columns, |i, j| Complex::new((i * i + j) as f64 - 2.0, 1.0 - (i * j) as f64));
            let (q, r) = decompose(a.clone());
            let (product, unit) = (q.times(&r), q.adjoint().times(&q));
            assert!(product.elements().iter().zip(a.elements()).all(|(x, y)| (*x - *y).abs() < 1e-13));
            let identity = Matrix::identity(rows);
            assert!(unit.elements().iter().zip(identity.elements()).all(|(x, y): (&Complex, &Complex)| (*x - *y).abs() < 1e-13));
        }
        let (_, r) = decompose(Matrix::from_fn(2, 2, |i, j| [[3.0, 1.0], [4.0, 2.0]][i][j]));
        assert!((r.at(0, 0) + 5.0).abs() < 1e-15 && r.at(1, 0) == 0.0);
    }
}
