//! Singular values by Jacobi's rotations of columns (Hestenes, J. SIAM 6 (1958)).

use super::eigen::{Rotation, phase};
use super::field::{Field, by_field};
use super::{all, check_finite};
use crate::Result;
use crate::array::Array;
use crate::call::Call;
use crate::ops::Entry;
use crate::ops::matrix::dense::{Matrix, stack};
use crate::value::Value;

pub(in crate::ops) static OPS: &[Entry] = &[("fx.linalg_svd", |call| by_field!(call, "A", svd))];

/// Sweeps converge quadratically; a few more than any matrix needs.
const SWEEPS: usize = 60;

/// `A = U diag(S) Vᴴ` with S descending; U and V are square.
struct Svd<T> {
    u: Matrix<T>,
    s: Vec<f64>,
    v: Matrix<T>,
}

fn column<T: Field>(m: &Matrix<T>, j: usize) -> Vec<T> {
    (0..m.rows).map(|i| m.at(i, j)).collect()
}

fn inner<T: Field>(x: &[T], y: &[T]) -> T {
    x.iter().zip(y).fold(T::ZERO, |sum, (x, y)| sum + x.conjugate() * *y)
}

fn length<T: Field>(x: &[T]) -> f64 {
    x.iter().map(|x| x.modulus()).fold(0.0, f64::hypot)
}

/// Adds orthonormal vectors until there are `size` of them: each time what is left of the unit vector of which most is.
fn complete<T: Field>(columns: &mut Vec<Vec<T>>, size: usize) {
    while columns.len() < size {
        let rest = |k: usize| {
            let mut x: Vec<T> = (0..size).map(|i| if i == k { T::ONE } else { T::ZERO }).collect();
            // twice is enough
            for column in columns.iter().chain(columns.iter()) {
                let part = inner(column, &x);
                x.iter_mut().zip(column).for_each(|(x, c)| *x = *x - part * *c);
            }
            x
        };
        let best = (0..size).map(rest).max_by(|x, y| length(x).total_cmp(&length(y))).unwrap_or_default();
        let scale = length(&best);
        columns.push(best.into_iter().map(|x| x / T::real(scale)).collect());
    }
}

fn square<T: Field>(columns: &[Vec<T>]) -> Matrix<T> {
    Matrix::from_fn(columns.len(), columns.len(), |i, j| columns[j][i])
}

/// Of a matrix that has no more columns than rows.
fn decompose_tall<T: Field>(a: Matrix<T>) -> Svd<T> {
    let (rows, n) = (a.rows, a.columns);
    let (mut a, mut v) = (a, Matrix::identity(n));
    for _ in 0..SWEEPS {
        let mut done = true;
        for p in 0..n {
            for q in p + 1..n {
                let (x, y) = (column(&a, p), column(&a, q));
                let (alpha, delta) = (inner(&x, &x).re(), inner(&y, &y).re());
                let beta = inner(&x, &y);
                if beta.modulus() <= 1e-16 * (alpha * delta).sqrt() {
                    continue;
                }
                let Some(rotation) = Rotation::of(alpha, beta, delta) else { continue };
                done = false;
                rotation.turn(&mut a, p, q);
                rotation.turn(&mut v, p, q);
            }
        }
        if done {
            break;
        }
    }
    let sizes: Vec<f64> = (0..n).map(|j| length(&column(&a, j))).collect();
    let mut order: Vec<usize> = (0..n).collect();
    order.sort_by(|i, j| sizes[*j].total_cmp(&sizes[*i]));
    let s: Vec<f64> = order.iter().map(|j| sizes[*j]).collect();
    // what is 0 to working precision has no direction
    let least = s.first().copied().unwrap_or(0.0) * 1e-300;
    let mut u: Vec<Vec<T>> = Vec::new();
    let mut vs: Vec<Vec<T>> = Vec::new();
    for j in order {
        let turn = phase(&column(&v, j)).conjugate();
        vs.push(column(&v, j).into_iter().map(|x| x * turn).collect());
        if sizes[j] > least {
            u.push(column(&a, j).into_iter().map(|x| x * turn / T::real(sizes[j])).collect());
        }
    }
    complete(&mut u, rows);
    Svd { u: square(&u), s, v: square(&vs) }
}

fn decompose<T: Field>(a: Matrix<T>) -> Svd<T> {
    if a.columns <= a.rows {
        return decompose_tall(a);
    }
    let Svd { u, s, v } = decompose_tall(a.adjoint());
    Svd { u: v, s, v: u }
}

fn svd<T: Field>(call: &Call<'_>) -> Result<Vec<Value>> {
    let (batch, [rows, columns], parts) = all::<T>(call.array("A")?)?;
    let least = rows.min(columns);
    let [kept_rows, kept_columns] = if call.bool("full_matrices") { [rows, columns] } else { [least; 2] };
    let (mut us, mut ss, mut vs) = (Vec::new(), Vec::new(), Vec::new());
    for a in parts {
        check_finite(&a)?;
        let Svd { u, s, v } = decompose(a);
        us.push(u.corner(rows, kept_rows));
        ss.extend(s);
        vs.push(v.adjoint().corner(kept_columns, columns));
    }
    let s = Array::new(call.result_dtype(1)?, &[&batch[..], &[least]].concat(), ss)?;
    let vectors = |index: usize, shape: [usize; 2], parts: Vec<Matrix<T>>| match call.bool("compute_uv") {
        true => stack(call.result_dtype(index)?, &batch, shape, parts),
        false => Array::new(call.result_dtype(index)?, &[0], Vec::<f64>::new()),
    };
    Ok(vec![vectors(0, [rows, kept_rows], us)?.into(), s.into(), vectors(2, [kept_columns, columns], vs)?.into()])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::array::Complex;

    #[test]
    fn factors_multiply() {
        for (rows, columns, rank) in [(4, 3, 3), (3, 5, 3), (4, 4, 1), (2, 2, 0), (3, 0, 0)] {
            let a = Matrix::from_fn(rows, columns, |i, j| {
                (0..rank).fold(Complex::default(), |sum, k| {
                    sum + Complex::new((i * i + k) as f64 - 1.0, (j * k) as f64 - i as f64) * (j + k + 1) as f64
                })
            });
            let Svd { u, s, v } = decompose(a.clone());
            assert!(s.is_sorted_by(|x, y| x >= y));
            let scaled = Matrix::from_fn(rows, columns, |i, j| if i == j { Complex::from(s[i]) } else { Complex::default() });
            let product = u.times(&scaled).times(&v.adjoint());
            assert!(product.elements().iter().zip(a.elements()).all(|(x, y)| (*x - *y).abs() < 1e-11), "{rows} {columns}");
            for m in [u, v] {
                let unit = m.adjoint().times(&m);
                let identity = Matrix::<Complex>::identity(m.rows);
                assert!(unit.elements().iter().zip(identity.elements()).all(|(x, y)| (*x - *y).abs() < 1e-12));
            }
        }
    }
}
