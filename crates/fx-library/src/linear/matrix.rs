//! Row-major matrices of doubles, and stacks of them.

use crate::doubles::{self, Scalar};
use crate::typed::{broadcast_strides, offsets};
use faer::traits::ComplexField;
use faer::{MatMut, MatRef, c64};
use fx_runtime::HostTensor;
use std::ops::{Add, AddAssign, Div, Index, IndexMut, Mul, Neg, Sub};

/// Arithmetic of matrix elements.
pub(crate) trait Field:
    Scalar
    + ComplexField<Real = f64>
    + PartialEq
    + AddAssign
    + Neg<Output = Self>
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
{
    /// A real number.
    fn real(re: f64) -> Self {
        Self::from_parts(&[re, 0.0][..Self::PARTS])
    }
    /// The conjugate.
    fn bar(self) -> Self {
        let (re, im) = self.parts();
        Self::from_parts(&[re, -im][..Self::PARTS])
    }
    /// The absolute value.
    fn modulus(self) -> f64 {
        let (re, im) = self.parts();
        if Self::PARTS == 1 { re.abs() } else { re.hypot(im) }
    }
    /// `self / |self|`, 0 for 0.
    fn phase(self) -> Self {
        let modulus = self.modulus();
        if modulus == 0.0 { self } else { self / Self::real(modulus) }
    }
    /// Neither infinite nor NaN.
    fn finite(self) -> bool {
        let (re, im) = self.parts();
        re.is_finite() && im.is_finite()
    }
}

impl Field for f64 {}
impl Field for c64 {}

/// A row-major matrix.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Matrix<T> {
    pub(crate) rows: usize,
    pub(crate) columns: usize,
    pub(crate) data: Vec<T>,
}

impl<T> Index<(usize, usize)> for Matrix<T> {
    type Output = T;

    fn index(&self, (i, j): (usize, usize)) -> &T {
        &self.data[i * self.columns + j]
    }
}

impl<T> IndexMut<(usize, usize)> for Matrix<T> {
    fn index_mut(&mut self, (i, j): (usize, usize)) -> &mut T {
        &mut self.data[i * self.columns + j]
    }
}

impl<T: Field> Matrix<T> {
    pub(crate) fn from_fn(rows: usize, columns: usize, element: impl Fn(usize, usize) -> T) -> Self {
        let element = &element;
        let data = (0..rows).flat_map(|i| (0..columns).map(move |j| element(i, j))).collect();
        Matrix { rows, columns, data }
    }

    pub(crate) fn identity(rows: usize, columns: usize) -> Self {
        Self::from_fn(rows, columns, |i, j| T::real(if i == j { 1.0 } else { 0.0 }))
    }

    pub(crate) fn transpose(&self) -> Self {
        Self::from_fn(self.columns, self.rows, |i, j| self[(j, i)])
    }

    /// The conjugate of the transpose.
    pub(crate) fn adjoint(&self) -> Self {
        Self::from_fn(self.columns, self.rows, |i, j| self[(j, i)].bar())
    }

    /// The smaller of its sizes.
    pub(crate) fn rank(&self) -> usize {
        self.rows.min(self.columns)
    }

    pub(crate) fn row(&self, i: usize) -> &[T] {
        &self.data[i * self.columns..(i + 1) * self.columns]
    }

    pub(crate) fn row_mut(&mut self, i: usize) -> &mut [T] {
        &mut self.data[i * self.columns..(i + 1) * self.columns]
    }

    /// `row i += factor * row j` from column `from` up to `to`; i is not j.
    pub(crate) fn add_row(&mut self, i: usize, factor: T, j: usize, from: usize, to: usize) {
        let (n, upper) = (self.columns, i.max(j));
        let (above, below) = self.data.split_at_mut(upper * n);
        let (high, low) = (&mut above[i.min(j) * n..][..n], &mut below[..n]);
        let (target, source) = if i < j { (high, low) } else { (low, high) };
        add(&mut target[from..to], factor, &source[from..to]);
    }

    pub(crate) fn swap_rows(&mut self, i: usize, j: usize) {
        if i != j {
            let (above, below) = self.data.split_at_mut(i.max(j) * self.columns);
            above[i.min(j) * self.columns..][..self.columns].swap_with_slice(&mut below[..self.columns]);
        }
    }

    pub(crate) fn view(&self) -> MatRef<'_, T> {
        MatRef::from_row_major_slice(&self.data, self.rows, self.columns)
    }

    pub(crate) fn view_mut(&mut self) -> MatMut<'_, T> {
        MatMut::from_row_major_slice_mut(&mut self.data, self.rows, self.columns)
    }
}

/// `target += factor * source`, element by element.
pub(crate) fn add<T: Field>(target: &mut [T], factor: T, source: &[T]) {
    for (target, source) in target.iter_mut().zip(source) {
        *target += factor * *source;
    }
}

/// A tensor whose last two dims are matrices.
pub(crate) struct Stack<T> {
    pub(crate) batch: Vec<usize>,
    rows: usize,
    columns: usize,
    data: Vec<T>,
}

impl<T: Field> Stack<T> {
    /// Matrices of a tensor.
    pub(crate) fn read(tensor: &HostTensor) -> Result<Self, String> {
        Self::with_dims(tensor, tensor.dims())
    }

    /// Matrices of a tensor in another shape.
    pub(crate) fn with_dims(tensor: &HostTensor, dims: &[usize]) -> Result<Self, String> {
        let [batch @ .., rows, columns] = dims else {
            return Err(format!("expects matrices, got a tensor of rank {}", dims.len()));
        };
        Ok(Stack { batch: batch.to_vec(), rows: *rows, columns: *columns, data: doubles::read(tensor)? })
    }

    /// Square matrices of a tensor.
    pub(crate) fn square(tensor: &HostTensor) -> Result<Self, String> {
        let own = Self::read(tensor)?;
        if own.rows == own.columns { Ok(own) } else { Err(format!("expects square matrices, got {} by {}", own.rows, own.columns)) }
    }

    /// Checks that `A X = B` (or `X A = B`, unless `left`) has a meaning, A being this one's square matrices.
    pub(crate) fn meets(&self, b: &Self, left: bool) -> Result<(), String> {
        let (n, own) = (self.rows, if left { b.rows } else { b.columns });
        if n == own { Ok(()) } else { Err(format!("expects {n} equations, got {own}")) }
    }

    /// How many matrices there are.
    pub(crate) fn len(&self) -> usize {
        self.batch.iter().product()
    }

    /// Matrix `index`.
    pub(crate) fn get(&self, index: usize) -> Matrix<T> {
        let size = self.rows * self.columns;
        Matrix { rows: self.rows, columns: self.columns, data: self.data[index * size..(index + 1) * size].to_vec() }
    }

    /// All matrices in order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = Matrix<T>> {
        (0..self.len()).map(|index| self.get(index))
    }

    /// Which matrices stand at the places of a batch that this one broadcasts to.
    pub(crate) fn broadcast(&self, batch: &[usize]) -> Result<Vec<usize>, String> {
        Ok(offsets(batch, &broadcast_strides(&self.batch, batch)?))
    }

    /// Where matrix `index` is, for messages.
    pub(crate) fn place(&self, index: usize) -> String {
        if self.batch.is_empty() { String::new() } else { format!(" (matrix {index} of the batch)") }
    }
}
