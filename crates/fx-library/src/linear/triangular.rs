//! Triangular systems.

use super::matrix::{Field, Matrix};

/// Which half of a matrix counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Triangle {
    /// On and above the diagonal, else on and below.
    pub(crate) upper: bool,
    /// The diagonal counts as ones.
    pub(crate) unit: bool,
}

/// `b = t^-1 b`; a zero on the diagonal divides as floats do.
pub(crate) fn solve<T: Field>(t: &Matrix<T>, triangle: Triangle, b: &mut Matrix<T>) {
    let n = t.rows;
    let columns = b.columns;
    for step in 0..n {
        let i = if triangle.upper { n - 1 - step } else { step };
        let known = if triangle.upper { i + 1..n } else { 0..i };
        for j in known {
            b.add_row(i, -t[(i, j)], j, 0, columns);
        }
        if !triangle.unit {
            let diagonal = t[(i, i)];
            b.row_mut(i).iter_mut().for_each(|value| *value /= diagonal);
        }
    }
}
