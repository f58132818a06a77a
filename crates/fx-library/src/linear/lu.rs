//! LU decomposition with row exchanges, and what follows from it: solutions, inverses, determinants.

use super::matrix::{Field, Matrix};
use super::triangular::{Triangle, solve};

/// `A = P L U`. L (unit diagonal, not stored) lies below the diagonal of `factors`, U on and above it.
pub(crate) struct Lu<T> {
    pub(crate) factors: Matrix<T>,
    /// Row `i` was exchanged with row `exchanges[i]`, one after the other.
    pub(crate) exchanges: Vec<usize>,
    /// The first place with a zero on U's diagonal.
    pub(crate) zero: Option<usize>,
}

/// Columns that are eliminated before the rest of the matrix is updated by a product.
const BLOCK: usize = 32;

/// Right-looking elimination (LAPACK's `getrf`), with the largest `|re| + |im|` of a column as its pivot.
pub(crate) fn factor<T: Field>(a: Matrix<T>, pivoting: bool) -> Lu<T> {
    let (mut a, mut exchanges, mut zero) = (a, Vec::new(), None);
    let (rows, columns, rank) = (a.rows, a.columns, a.rank());
    for start in (0..rank).step_by(BLOCK) {
        let end = (start + BLOCK).min(rank);
        for j in start..end {
            let pivot = if pivoting { largest(&a, j) } else { j };
            exchanges.push(pivot);
            a.swap_rows(j, pivot);
            let diagonal = a[(j, j)];
            if diagonal == T::real(0.0) {
                zero = zero.or(Some(j));
                continue;
            }
            for i in j + 1..rows {
                let factor = a[(i, j)] / diagonal;
                a[(i, j)] = factor;
                a.add_row(i, -factor, j, j + 1, end);
            }
        }
        for i in start..end {
            for j in start..i {
                let factor = a[(i, j)];
                a.add_row(i, -factor, j, end, columns);
            }
        }
        let (_, above, left, rest) = a.view_mut().split_at_mut(end, end);
        let (left, above) = (left.as_ref().get(.., start..), above.as_ref().get(start.., ..));
        faer::linalg::matmul::matmul(rest, faer::Accum::Add, left, above, T::real(-1.0), faer::Par::Seq);
    }
    Lu { factors: a, exchanges, zero }
}

/// The row at or below the diagonal with the largest element in column `j`.
fn largest<T: Field>(a: &Matrix<T>, j: usize) -> usize {
    let size = |i: usize| {
        let (re, im) = a[(i, j)].parts();
        re.abs() + im.abs()
    };
    (j + 1..a.rows).fold((j, size(j)), |best, i| if size(i) > best.1 { (i, size(i)) } else { best }).0
}

impl<T: Field> Lu<T> {
    /// 0, or the place of the first zero on U's diagonal, counted from 1.
    pub(crate) fn info(&self) -> i32 {
        self.zero.map_or(0, |place| place as i32 + 1)
    }

    /// Row exchanges counted from 1.
    pub(crate) fn pivots(&self) -> impl Iterator<Item = i32> {
        self.exchanges.iter().map(|row| *row as i32 + 1)
    }

    fn diagonal(&self) -> impl Iterator<Item = T> {
        (0..self.factors.rank()).map(|i| self.factors[(i, i)])
    }

    /// The determinant of P.
    fn sign(&self) -> f64 {
        let exchanged = self.exchanges.iter().enumerate().filter(|(i, row)| i != *row).count();
        if exchanged % 2 == 0 { 1.0 } else { -1.0 }
    }

    pub(crate) fn determinant(&self) -> T {
        self.diagonal().fold(T::real(self.sign()), |product, pivot| product * pivot)
    }

    /// The determinant's sign (of modulus 1, or 0) and the logarithm of its absolute value.
    pub(crate) fn log_determinant(&self) -> (T, f64) {
        let sign = self.diagonal().fold(T::real(self.sign()), |product, pivot| product * pivot.phase());
        (sign, self.diagonal().map(|pivot| pivot.modulus().ln()).sum())
    }

    /// `A^-1 b`
    pub(crate) fn solve(&self, b: Matrix<T>) -> Matrix<T> {
        let mut b = b;
        for (i, row) in self.exchanges.iter().enumerate() {
            b.swap_rows(i, *row);
        }
        solve(&self.factors, Triangle { upper: false, unit: true }, &mut b);
        solve(&self.factors, Triangle { upper: true, unit: false }, &mut b);
        b
    }

    /// `(A^T)^-1 b`
    pub(crate) fn solve_transposed(&self, b: Matrix<T>) -> Matrix<T> {
        let (mut b, factors) = (b, self.factors.transpose());
        solve(&factors, Triangle { upper: false, unit: false }, &mut b);
        solve(&factors, Triangle { upper: true, unit: true }, &mut b);
        for (i, row) in self.exchanges.iter().enumerate().rev() {
            b.swap_rows(i, *row);
        }
        b
    }
}
