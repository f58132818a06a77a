//! Arrays: contiguous, row-major, with values that their dtype can represent.

mod bytes;
mod complex;
mod dtype;
mod element;
mod loops;
mod rearrange;

pub use complex::Complex;
pub use dtype::{Category, bits, category, largest, next_after, promote_types, real_part, round_float, wrap_int};
pub use element::{Data, Element};
pub use fx_runtime::DType;
pub use loops::{choose, pointwise};

use crate::Result;
use crate::value::Number;

/// More elements than a test could want; larger shapes are errors, not aborts.
const LIMIT: usize = 1 << 31;

/// A tensor's value. `data` is always rounded to `dtype`, and as long as `shape` says.
#[derive(Debug, Clone, PartialEq)]
pub struct Array {
    dtype: DType,
    shape: Vec<usize>,
    data: Data,
}

/// The number of elements of a shape.
///
/// # Errors
/// If it is absurd.
pub fn element_count(shape: &[usize]) -> Result<usize> {
    let count = if shape.contains(&0) { Some(0) } else { shape.iter().try_fold(1usize, |count, size| count.checked_mul(*size)) };
    count.filter(|count| *count <= LIMIT).ok_or_else(|| format!("shape {shape:?} has too many elements"))
}

/// All indices of a shape in row-major order.
pub fn indices(shape: &[usize]) -> impl Iterator<Item = Vec<usize>> + use<> {
    let shape = shape.to_vec();
    let count = if shape.contains(&0) { 0 } else { shape.iter().product() };
    (0..count).map(move |offset| unravel(offset, &shape))
}

/// The index of the element at `offset` in row-major order.
pub fn unravel(mut offset: usize, shape: &[usize]) -> Vec<usize> {
    let mut index = vec![0; shape.len()];
    for (place, size) in index.iter_mut().zip(shape).rev() {
        *place = offset % size.max(&1);
        offset /= size.max(&1);
    }
    index
}

/// The place of an index in row-major order; none if it is out of bounds.
pub fn ravel(index: &[usize], shape: &[usize]) -> Option<usize> {
    if index.len() != shape.len() || index.iter().zip(shape).any(|(i, size)| i >= size) {
        return None;
    }
    Some(index.iter().zip(shape).fold(0, |offset, (i, size)| offset * size + i))
}

/// The shape that shapes broadcast to.
///
/// # Errors
/// If two sizes of a dim differ and neither is 1.
pub fn broadcast_shapes(shapes: &[&[usize]]) -> Result<Vec<usize>> {
    let rank = shapes.iter().map(|shape| shape.len()).max().unwrap_or(0);
    let mut result = vec![1; rank];
    for shape in shapes {
        for (size, own) in result[rank - shape.len()..].iter_mut().zip(*shape) {
            match (*size, *own) {
                (a, b) if a == b => {}
                (1, b) => *size = b,
                (_, 1) => {}
                _ => return Err(format!("shapes do not broadcast: {shapes:?}")),
            }
        }
    }
    Ok(result)
}

impl Array {
    /// An array of `values`, converted and rounded to `dtype`.
    ///
    /// # Errors
    /// If their number is not the shape's.
    pub fn new<T: Element>(dtype: DType, shape: &[usize], values: Vec<T>) -> Result<Self> {
        let count = element_count(shape)?;
        if count != values.len() {
            return Err(format!("{} values do not fill shape {shape:?}", values.len()));
        }
        Ok(Array { dtype, shape: shape.to_vec(), data: T::store(values, dtype) })
    }

    /// An array without dims.
    pub fn scalar(dtype: DType, number: Number) -> Self {
        Array { dtype, shape: Vec::new(), data: number.data(dtype, 1) }
    }

    /// One number everywhere.
    ///
    /// # Errors
    /// If the shape is absurd.
    pub fn full(dtype: DType, shape: &[usize], number: Number) -> Result<Self> {
        Ok(Array { dtype, shape: shape.to_vec(), data: number.data(dtype, element_count(shape)?) })
    }

    /// The array with element `value(index)` at each index.
    ///
    /// # Errors
    /// If the shape is absurd.
    pub fn from_fn<T: Element>(dtype: DType, shape: &[usize], value: impl FnMut(&[usize]) -> T) -> Result<Self> {
        let mut value = value;
        element_count(shape)?;
        Self::new(dtype, shape, indices(shape).map(|index| value(&index)).collect())
    }

    /// As [`Array::from_fn`], for elements that may be errors.
    ///
    /// # Errors
    /// The first of them.
    pub fn try_from_fn<T: Element>(dtype: DType, shape: &[usize], value: impl FnMut(&[usize]) -> Result<T>) -> Result<Self> {
        let mut value = value;
        element_count(shape)?;
        let values: Result<Vec<T>> = indices(shape).map(|index| value(&index)).collect();
        Self::new(dtype, shape, values?)
    }

    /// Element type.
    pub fn dtype(&self) -> DType {
        self.dtype
    }

    /// Kind of numbers.
    pub fn category(&self) -> Category {
        category(self.dtype)
    }

    /// Sizes.
    pub fn shape(&self) -> &[usize] {
        &self.shape
    }

    /// Number of dims.
    pub fn rank(&self) -> usize {
        self.shape.len()
    }

    /// Size of a dim; 1 beyond the rank.
    pub fn size(&self, dim: usize) -> usize {
        self.shape.get(dim).copied().unwrap_or(1)
    }

    /// Number of elements.
    pub fn len(&self) -> usize {
        self.data.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The elements as they are stored.
    pub fn data(&self) -> &Data {
        &self.data
    }

    /// The elements as `T`: floats truncate to integers, numbers but 0 are true, complex numbers lose their imaginary part.
    pub fn values<T: Element>(&self) -> Vec<T> {
        T::read(&self.data)
    }

    /// The element at a place in row-major order.
    pub fn number(&self, offset: usize) -> Option<Number> {
        self.data.number(offset)
    }

    /// The element at an index.
    ///
    /// # Errors
    /// If it is out of bounds.
    pub fn at(&self, index: &[usize]) -> Result<Number> {
        let number = ravel(index, &self.shape).and_then(|offset| self.number(offset));
        number.ok_or_else(|| format!("index {index:?} is out of bounds of shape {:?}", self.shape))
    }

    /// The only element.
    ///
    /// # Errors
    /// If there is not exactly one.
    pub fn item(&self) -> Result<Number> {
        match (self.len(), self.number(0)) {
            (1, Some(number)) => Ok(number),
            _ => Err(format!("expected one element, got shape {:?}", self.shape)),
        }
    }

    /// The same numbers in another element type.
    #[must_use]
    pub fn cast(&self, dtype: DType) -> Array {
        Array { dtype, shape: self.shape.clone(), data: self.data.cast(self.dtype, dtype) }
    }
}
