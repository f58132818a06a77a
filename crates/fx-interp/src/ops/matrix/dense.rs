//! Matrices, and arrays as batches of them.

use super::ring::{Ring, sum};
use crate::Result;
use crate::array::{Array, DType, Element, broadcast_shapes};

/// A matrix in row-major order.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::ops) struct Matrix<T> {
    pub rows: usize,
    pub columns: usize,
    elements: Vec<T>,
}

impl<T: Copy> Matrix<T> {
    /// The matrix with element `element(i, j)` in row `i`, column `j`.
    pub fn from_fn(rows: usize, columns: usize, mut element: impl FnMut(usize, usize) -> T) -> Self {
        let mut elements = Vec::with_capacity(rows * columns);
        for i in 0..rows {
            elements.extend((0..columns).map(|j| element(i, j)));
        }
        Matrix { rows, columns, elements }
    }

    pub fn at(&self, i: usize, j: usize) -> T {
        self.elements[i * self.columns + j]
    }

    pub fn set(&mut self, i: usize, j: usize, element: T) {
        self.elements[i * self.columns + j] = element;
    }

    pub fn row(&self, i: usize) -> &[T] {
        &self.elements[i * self.columns..(i + 1) * self.columns]
    }

    pub fn elements(&self) -> &[T] {
        &self.elements
    }

    pub fn transposed(&self) -> Self {
        Matrix::from_fn(self.columns, self.rows, |i, j| self.at(j, i))
    }

    /// The first rows and columns.
    pub fn corner(&self, rows: usize, columns: usize) -> Self {
        Matrix::from_fn(rows, columns, |i, j| self.at(i, j))
    }

    pub fn swap_rows(&mut self, a: usize, b: usize) {
        for j in 0..self.columns {
            self.elements.swap(a * self.columns + j, b * self.columns + j);
        }
    }
}

impl<T: Ring> Matrix<T> {
    pub fn identity(size: usize) -> Self {
        Matrix::from_fn(size, size, |i, j| if i == j { T::ONE } else { T::ZERO })
    }

    /// The conjugate transpose.
    pub fn adjoint(&self) -> Self {
        Matrix::from_fn(self.columns, self.rows, |i, j| self.at(j, i).conjugate())
    }

    /// `self * other`, where the sizes are known to agree.
    pub fn times(&self, other: &Self) -> Self {
        let columns = other.transposed();
        Matrix::from_fn(self.rows, other.columns, |i, j| sum(self.row(i).iter().zip(columns.row(j)).map(|(a, b)| a.times(*b))))
    }
}

/// The sizes before the last two, and those.
pub(in crate::ops) fn split_shape(shape: &[usize]) -> Result<(&[usize], [usize; 2])> {
    match shape {
        [batch @ .., rows, columns] => Ok((batch, [*rows, *columns])),
        _ => Err(format!("expects a matrix, got shape {shape:?}")),
    }
}

/// The matrices in the last two dims of an array, whose other dims broadcast to `batch`.
pub(in crate::ops) fn matrices<T: Element>(array: &Array, batch: &[usize]) -> Result<Vec<Matrix<T>>> {
    let (_, [rows, columns]) = split_shape(array.shape())?;
    let count = batch.iter().product();
    let values = array.expand(&[batch, &[rows, columns]].concat())?.values::<T>();
    let part = |k: usize| values[k * rows * columns..(k + 1) * rows * columns].to_vec();
    Ok((0..count).map(|k| Matrix { rows, columns, elements: part(k) }).collect())
}

/// The array of matrices of one shape.
pub(in crate::ops) fn stack<T: Element>(dtype: DType, batch: &[usize], shape: [usize; 2], parts: Vec<Matrix<T>>) -> Result<Array> {
    let elements = parts.into_iter().flat_map(|part| part.elements).collect();
    Array::new(dtype, &[batch, &shape].concat(), elements)
}

/// `a[.., i, k] b[.., k, j]` summed over k, the other dims broadcast; an array of rank 1 is a row (first) or a column
/// (second), whose dim of size 1 is not in the result. The operands are read in the kind of `dtype`.
pub(in crate::ops) fn product(a: &Array, b: &Array, dtype: DType) -> Result<Array> {
    let (row, column) = (a.rank() == 1, b.rank() == 1);
    let a = if row { a.unsqueeze(0)? } else { a.clone() };
    let b = if column { b.unsqueeze(1)? } else { b.clone() };
    let ((batch_a, [rows, inner]), (batch_b, [other, columns])) = (split_shape(a.shape())?, split_shape(b.shape())?);
    if inner != other {
        return Err(format!("contracts sizes {inner} and {other}"));
    }
    let batch = broadcast_shapes(&[batch_a, batch_b])?;
    let result = crate::each_kind!(dtype, T => {
        let pairs = matrices::<T>(&a, &batch)?.into_iter().zip(matrices::<T>(&b, &batch)?);
        stack(dtype, &batch, [rows, columns], pairs.map(|(a, b)| a.times(&b)).collect())?
    });
    let mut shape = batch;
    shape.extend((!row).then_some(rows));
    shape.extend((!column).then_some(columns));
    result.reshape(&shape)
}
