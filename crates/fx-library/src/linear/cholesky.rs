//! Cholesky decomposition, and what follows from it.

use super::matrix::{Field, Matrix};
use super::triangular::{Triangle, solve};

/// `A = L L^H`, from the lower triangle of A.
pub(crate) struct Cholesky<T> {
    /// L, zero above the diagonal. If A is not positive definite, its first `info - 1` columns are right.
    pub(crate) factor: Matrix<T>,
    /// 0, or the order of the first leading minor that is not positive definite.
    pub(crate) info: i32,
}

/// Columns that are finished before the rest of the matrix is updated by a product.
const BLOCK: usize = 32;

/// Right-looking decomposition by blocks (LAPACK's `potrf`).
pub(crate) fn factor<T: Field>(a: &Matrix<T>) -> Cholesky<T> {
    let mut factor = a.clone();
    let info = factor_lower(&mut factor);
    for i in 0..factor.rows {
        factor.row_mut(i)[i + 1..].fill(T::real(0.0));
    }
    Cholesky { factor, info }
}

/// The lower triangle becomes L; what is above is not read and means nothing after. Gives `info`.
fn factor_lower<T: Field>(l: &mut Matrix<T>) -> i32 {
    let n = l.rows;
    for start in (0..n).step_by(BLOCK) {
        let end = (start + BLOCK).min(n);
        for j in start..end {
            let square = l[(j, j)].parts().0 - l.row(j)[start..j].iter().map(|value| square(*value)).sum::<f64>();
            l[(j, j)] = T::real(square);
            // Also for NaN.
            if square.partial_cmp(&0.0) != Some(std::cmp::Ordering::Greater) {
                return j as i32 + 1;
            }
            let diagonal = square.sqrt();
            l[(j, j)] = T::real(diagonal);
            for i in j + 1..n {
                let (left, right) = (&l.row(i)[start..j], &l.row(j)[start..j]);
                let sum = left.iter().zip(right).fold(l[(i, j)], |sum, (a, b)| sum - *a * b.bar());
                l[(i, j)] = sum / T::real(diagonal);
            }
        }
        let panel = Matrix::from_fn(n - end, end - start, |i, j| l[(end + i, start + j)]);
        let rest = l.view_mut().split_at_mut(end, end).3;
        faer::linalg::matmul::matmul(rest, faer::Accum::Add, panel.view(), panel.view().adjoint(), T::real(-1.0), faer::Par::Seq);
    }
    0
}

fn square<T: Field>(value: T) -> f64 {
    let (re, im) = value.parts();
    re * re + im * im
}

/// `(L L^H)^-1 b` from L.
pub(crate) fn solve_factored<T: Field>(lower: &Matrix<T>, b: &mut Matrix<T>) {
    solve(lower, Triangle { upper: false, unit: false }, b);
    solve(&lower.adjoint(), Triangle { upper: true, unit: false }, b);
}
