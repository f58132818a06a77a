//! Linear algebra by textbook algorithms (Golub, Van Loan, Matrix Computations). Matrices are the last two dims.

pub(in crate::ops) mod cholesky;
pub(in crate::ops) mod eigen;
mod field;
pub(in crate::ops) mod lu;
pub(in crate::ops) mod qr;
pub(in crate::ops) mod svd;
pub(in crate::ops) mod triangular;

use crate::Result;
use crate::array::{Array, DType, broadcast_shapes};
use crate::ops::matrix::dense::{Matrix, matrices, split_shape, stack};
use field::Field;

/// Batch dims, the shape of each matrix, and the matrices.
type Batch<T> = (Vec<usize>, [usize; 2], Vec<Matrix<T>>);

/// The matrices of an operand by themselves, with their batch dims.
fn all<T: Field>(array: &Array) -> Result<Batch<T>> {
    let (batch, shape) = split_shape(array.shape())?;
    Ok((batch.to_vec(), shape, matrices(array, batch)?))
}

/// As [`all`], of matrices that must be square.
fn square<T: Field>(array: &Array) -> Result<(Vec<usize>, usize, Vec<Matrix<T>>)> {
    let (batch, [rows, columns], parts) = all(array)?;
    if rows == columns { Ok((batch, rows, parts)) } else { Err(format!("expects square matrices, got shape {:?}", array.shape())) }
}

/// That no element is infinite or NaN: iterations would not end.
fn check_finite<T: Field>(matrix: &Matrix<T>) -> Result<()> {
    let finite = matrix.elements().iter().all(|x| x.re().is_finite() && x.im().is_finite());
    if finite { Ok(()) } else { Err("does not converge: a matrix has elements that are not finite".into()) }
}

/// Square matrices `a` and right-hand sides `b`, batch dims broadcast: X with a X = b, or X a = b without `left`, as
/// `solution(a, b)` gives the former.
fn solved<T: Field>(
    dtype: DType,
    [a, b]: [&Array; 2],
    left: bool,
    solution: impl Fn(&Matrix<T>, &Matrix<T>) -> Result<Matrix<T>>,
) -> Result<Array> {
    let ((batch_a, [size, columns]), (batch_b, shape)) = (split_shape(a.shape())?, split_shape(b.shape())?);
    if size != columns || size != shape[usize::from(!left)] {
        return Err(format!("expects square matrices and fitting right-hand sides, got shapes {:?} and {:?}", a.shape(), b.shape()));
    }
    let batch = broadcast_shapes(&[batch_a, batch_b])?;
    let pairs = matrices::<T>(a, &batch)?.into_iter().zip(matrices::<T>(b, &batch)?);
    let solve = |(a, b): (Matrix<T>, Matrix<T>)| match left {
        true => solution(&a, &b),
        false => Ok(solution(&a.transposed(), &b.transposed())?.transposed()),
    };
    stack(dtype, &batch, shape, pairs.map(solve).collect::<Result<_>>()?)
}
