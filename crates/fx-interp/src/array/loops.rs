//! Loops: element by element, over reduced dims, along lanes.

use super::{Array, DType, Element, broadcast_shapes, indices, ravel};
use crate::Result;

/// `f` of the elements of operands that broadcast, read as `T`, rounded to `dtype`.
///
/// # Errors
/// If the shapes do not broadcast.
pub fn pointwise<T: Element, R: Element, const N: usize>(dtype: DType, operands: [&Array; N], f: impl Fn([T; N]) -> R) -> Result<Array> {
    let shapes = operands.map(Array::shape);
    let shape = broadcast_shapes(&shapes)?;
    let mut columns = Vec::with_capacity(N);
    for operand in operands {
        columns.push(operand.expand(&shape)?.values::<T>());
    }
    let columns: [Vec<T>; N] = columns.try_into().map_err(|_| "internal bug: an operand is lost".to_string())?;
    let count = super::element_count(&shape)?;
    let values = (0..count).map(|i| f(std::array::from_fn(|k| columns[k][i]))).collect();
    Array::new(dtype, &shape, values)
}

/// `a` where `condition` is true, `b` elsewhere, broadcast and converted to `dtype`.
///
/// # Errors
/// If the shapes do not broadcast.
pub fn choose(dtype: DType, condition: &Array, a: &Array, b: &Array) -> Result<Array> {
    let shape = broadcast_shapes(&[condition.shape(), a.shape(), b.shape()])?;
    let condition = condition.expand(&shape)?.values::<bool>();
    let (a, b) = (a.cast(dtype).expand(&shape)?, b.cast(dtype).expand(&shape)?);
    crate::each_kind!(dtype, T => {
        let pairs = a.values::<T>().into_iter().zip(b.values::<T>());
        Array::new(dtype, &shape, condition.into_iter().zip(pairs).map(|(c, (a, b))| if c { a } else { b }).collect())
    })
}

impl Array {
    /// `f` of each element, read as `T`, rounded to `dtype`.
    ///
    /// # Errors
    /// None that the operand could cause.
    pub fn map<T: Element, R: Element>(&self, dtype: DType, f: impl Fn(T) -> R) -> Result<Array> {
        Array::new(dtype, &self.shape, self.values::<T>().into_iter().map(f).collect())
    }

    /// `f` of the elements (in row-major order) that differ in `dims` alone. `dims` may have any order; the result lacks
    /// them, or has size 1 there with `keepdim`.
    ///
    /// # Errors
    /// If a dim is not below the rank.
    pub fn reduce<T: Element, R: Element>(
        &self,
        dtype: DType,
        dims: &[usize],
        keepdim: bool,
        mut f: impl FnMut(&[T]) -> R,
    ) -> Result<Array> {
        self.check_dims(dims)?;
        let values = self.values::<T>();
        let is_reduced = |dim: usize| dims.contains(&dim);
        let kept: Vec<usize> = self.shape.iter().enumerate().map(|(dim, size)| if is_reduced(dim) { 1 } else { *size }).collect();
        let inner: Vec<usize> = self.shape.iter().enumerate().map(|(dim, size)| if is_reduced(dim) { *size } else { 1 }).collect();
        let mut results = Vec::new();
        let mut group = Vec::new();
        for outer in indices(&kept) {
            group.clear();
            for offset in indices(&inner) {
                let index: Vec<usize> = outer.iter().zip(&offset).map(|(a, b)| a + b).collect();
                group.extend(ravel(&index, &self.shape).and_then(|place| values.get(place)).copied());
            }
            results.push(f(&group));
        }
        let shape: Vec<usize> = (0..self.rank()).filter(|dim| keepdim || !is_reduced(*dim)).map(|dim| kept[dim]).collect();
        Array::new(dtype, &shape, results)
    }

    /// `f` of each lane, the elements that differ in `dim` alone: `length` new elements, which take its place. An array
    /// without dims is one lane of one element.
    ///
    /// # Errors
    /// If `dim` is not below the rank, or `f` gives another number of elements.
    pub fn lanes<T: Element, R: Element>(
        &self,
        dtype: DType,
        dim: usize,
        length: usize,
        mut f: impl FnMut(&[T]) -> Vec<R>,
    ) -> Result<Array> {
        if self.rank() == 0 {
            let values = f(&self.values::<T>());
            return Array::new(dtype, &[], values);
        }
        self.check_dims(&[dim])?;
        let inner: usize = self.shape[dim + 1..].iter().product();
        let size = self.shape[dim];
        let outer: usize = self.shape[..dim].iter().product();
        let values = self.values::<T>();
        let mut shape = self.shape.clone();
        shape[dim] = length;
        let mut results: Vec<Option<R>> = vec![None; super::element_count(&shape)?];
        for o in 0..outer {
            for i in 0..inner {
                let lane: Vec<T> = (0..size).map(|k| values[(o * size + k) * inner + i]).collect();
                let new = f(&lane);
                if new.len() != length {
                    return Err(format!("internal bug: a lane of {} elements, expected {length}", new.len()));
                }
                for (k, value) in new.into_iter().enumerate() {
                    results[(o * length + k) * inner + i] = Some(value);
                }
            }
        }
        let results: Option<Vec<R>> = results.into_iter().collect();
        Array::new(dtype, &shape, results.ok_or("internal bug: an element was not computed")?)
    }

    pub(super) fn check_dims(&self, dims: &[usize]) -> Result<()> {
        match dims.iter().find(|dim| **dim >= self.rank()) {
            Some(dim) => Err(format!("dim {dim} is out of range for shape {:?}", self.shape)),
            None => Ok(()),
        }
    }
}
