//! Eigenvalues of Hermitian matrices, singular values, and their vectors.
//!
//! Vectors are unique up to a factor of modulus 1. Each has that one with which LAPACK's tridiagonal or bidiagonal form
//! leaves one of its elements real, and that element is not negative here.

use super::matrix::{Field, Matrix};
use faer::Side;

/// What happened when no result can be had.
pub(crate) const NOT_FINITE: &str = "the matrix has elements that are infinite or NaN";

const NO_CONVERGENCE: &str = "the algorithm did not converge";

/// `A = V diag(values) V^H` for the Hermitian matrix that one triangle of A defines; values ascend.
pub(crate) fn eigen<T: Field>(a: &Matrix<T>, upper: bool, vectors: bool) -> Result<(Vec<f64>, Option<Matrix<T>>), &'static str> {
    let n = a.rows;
    if n == 0 {
        return Ok((Vec::new(), vectors.then(|| Matrix::identity(0, 0))));
    }
    let lower = Matrix::from_fn(n, n, |i, j| match (i.cmp(&j), upper) {
        (std::cmp::Ordering::Equal, _) => T::real(a[(i, i)].parts().0),
        (std::cmp::Ordering::Less, _) => T::real(0.0),
        (_, false) => a[(i, j)],
        (_, true) => a[(j, i)].bar(),
    });
    if !lower.data.iter().all(|value| value.finite()) {
        return Err(NOT_FINITE);
    }
    if !vectors {
        let values = lower.view().self_adjoint_eigenvalues(Side::Lower).map_err(|_| NO_CONVERGENCE)?;
        return Ok((values, None));
    }
    let result = lower.view().self_adjoint_eigen(Side::Lower).map_err(|_| NO_CONVERGENCE)?;
    let values = (0..n).map(|i| result.S()[i].parts().0).collect();
    let mut v = Matrix::from_fn(n, n, |i, j| result.U()[(i, j)]);
    let real = if upper { n - 1 } else { 0 };
    for j in 0..n {
        let factor = turn(v[(real, j)]);
        (0..n).for_each(|i| v[(i, j)] *= factor);
    }
    Ok((values, Some(v)))
}

/// The factor of modulus 1 that makes `element` real and not negative.
fn turn<T: Field>(element: T) -> T {
    if element == T::real(0.0) { T::real(1.0) } else { element.phase().bar() }
}

/// U, the singular values (descending) and V^H.
pub(crate) struct Singular<T> {
    pub(crate) u: Matrix<T>,
    pub(crate) values: Vec<f64>,
    pub(crate) vh: Matrix<T>,
}

/// The singular values, descending.
pub(crate) fn singular_values<T: Field>(a: &Matrix<T>) -> Result<Vec<f64>, &'static str> {
    if !a.data.iter().all(|value| value.finite()) {
        return Err(NOT_FINITE);
    }
    if a.rank() == 0 { Ok(Vec::new()) } else { a.view().singular_values().map_err(|_| NO_CONVERGENCE) }
}

/// `A = U diag(values) V^H`, with square U and V if `full`.
pub(crate) fn singular<T: Field>(a: &Matrix<T>, full: bool) -> Result<Singular<T>, &'static str> {
    if !a.data.iter().all(|value| value.finite()) {
        return Err(NOT_FINITE);
    }
    let (m, n, k) = (a.rows, a.columns, a.rank());
    let (left, right) = if full { (m, n) } else { (k, k) };
    if k == 0 {
        return Ok(Singular { u: Matrix::identity(m, left), values: Vec::new(), vh: Matrix::identity(right, n) });
    }
    let view = a.view();
    let result = if full { view.svd() } else { view.thin_svd() }.map_err(|_| NO_CONVERGENCE)?;
    let values = (0..k).map(|i| result.S()[i].parts().0).collect();
    let mut u = Matrix::from_fn(m, left, |i, j| result.U()[(i, j)]);
    let mut vh = Matrix::from_fn(right, n, |i, j| result.V()[(j, i)].bar());
    for j in 0..k {
        // u v^H stays what it is.
        let factor = if m >= n { turn(vh[(j, 0)].bar()) } else { turn(u[(0, j)]) };
        (0..m).for_each(|i| u[(i, j)] *= factor);
        vh.row_mut(j).iter_mut().for_each(|value| *value *= factor.bar());
    }
    Ok(Singular { u, values, vh })
}
