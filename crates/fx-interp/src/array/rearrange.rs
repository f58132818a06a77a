//! The same elements in other places.

use super::{Array, Data, element_count, indices, ravel};
use crate::Result;
use crate::value::Number;

impl Array {
    /// The array of `shape` whose element at an index is this one's at `source(index)`.
    ///
    /// # Errors
    /// If that is out of bounds.
    pub fn pick(&self, shape: &[usize], source: impl FnMut(&[usize]) -> Vec<usize>) -> Result<Array> {
        let mut source = source;
        self.pick_or(Number::Int(0), shape, |index| Some(source(index)))
    }

    /// As [`Array::pick`], with `fill` where `source` gives no index.
    ///
    /// # Errors
    /// If an index is out of bounds.
    pub fn pick_or(&self, fill: Number, shape: &[usize], source: impl FnMut(&[usize]) -> Option<Vec<usize>>) -> Result<Array> {
        let mut source = source;
        let mut places = Vec::with_capacity(element_count(shape)?);
        for index in indices(shape) {
            places.push(match source(&index) {
                None => None,
                Some(index) => {
                    let place = ravel(&index, &self.shape);
                    Some(place.ok_or_else(|| format!("index {index:?} is out of bounds of shape {:?}", self.shape))?)
                }
            });
        }
        let fill = Array::scalar(self.dtype, fill).item()?;
        let data = self.data.pick(&places, fill).ok_or("internal bug: a place beyond the array")?;
        Ok(Array { dtype: self.dtype, shape: shape.to_vec(), data })
    }

    /// The same elements in another shape.
    ///
    /// # Errors
    /// If it has another number of elements.
    pub fn reshape(&self, shape: &[usize]) -> Result<Array> {
        if element_count(shape)? != self.len() {
            return Err(format!("shape {:?} cannot become {shape:?}", self.shape));
        }
        Ok(Array { dtype: self.dtype, shape: shape.to_vec(), data: self.data.clone() })
    }

    /// The array repeated along new dims in front and dims of size 1.
    ///
    /// # Errors
    /// If it does not broadcast to `shape`.
    pub fn expand(&self, shape: &[usize]) -> Result<Array> {
        if self.shape == shape {
            return Ok(self.clone());
        }
        let fits = |(own, size): (&usize, &usize)| own == size || *own == 1;
        if shape.len() < self.rank() || !self.shape.iter().rev().zip(shape.iter().rev()).all(fits) {
            return Err(format!("shape {:?} does not broadcast to {shape:?}", self.shape));
        }
        let front = shape.len() - self.rank();
        self.pick(shape, |index| index[front..].iter().zip(&self.shape).map(|(i, size)| if *size == 1 { 0 } else { *i }).collect())
    }

    /// Dim `k` of the result is dim `dims[k]`.
    ///
    /// # Errors
    /// If `dims` is no permutation.
    pub fn permute(&self, dims: &[usize]) -> Result<Array> {
        let mut sorted = dims.to_vec();
        sorted.sort_unstable();
        if sorted != (0..self.rank()).collect::<Vec<_>>() {
            return Err(format!("{dims:?} is no permutation of the dims of shape {:?}", self.shape));
        }
        let shape: Vec<usize> = dims.iter().map(|dim| self.shape[*dim]).collect();
        self.pick(&shape, |index| {
            let mut source = vec![0; index.len()];
            for (dim, i) in dims.iter().zip(index) {
                source[*dim] = *i;
            }
            source
        })
    }

    /// Exchanges two dims.
    ///
    /// # Errors
    /// If one is not below the rank.
    pub fn transpose(&self, a: usize, b: usize) -> Result<Array> {
        self.check_dims(&[a, b])?;
        let mut dims: Vec<usize> = (0..self.rank()).collect();
        dims.swap(a, b);
        self.permute(&dims)
    }

    /// `length` indices of dim `dim`: `start`, `start + step` and so on.
    ///
    /// # Errors
    /// If one is out of bounds.
    pub fn slice(&self, dim: usize, start: usize, length: usize, step: usize) -> Result<Array> {
        self.check_dims(&[dim])?;
        let mut shape = self.shape.clone();
        shape[dim] = length;
        self.pick(&shape, |index| {
            let mut index = index.to_vec();
            index[dim] = start.saturating_add(index[dim].saturating_mul(step));
            index
        })
    }

    /// The part at one index of a dim, which goes away.
    ///
    /// # Errors
    /// If it is out of bounds.
    pub fn select(&self, dim: usize, at: usize) -> Result<Array> {
        let part = self.slice(dim, at, 1, 1)?;
        let mut shape = part.shape.clone();
        shape.remove(dim);
        part.reshape(&shape)
    }

    /// With a dim of size 1 before `dim`.
    ///
    /// # Errors
    /// If `dim` is above the rank.
    pub fn unsqueeze(&self, dim: usize) -> Result<Array> {
        if dim > self.rank() {
            return Err(format!("dim {dim} is out of range for shape {:?}", self.shape));
        }
        let mut shape = self.shape.clone();
        shape.insert(dim, 1);
        self.reshape(&shape)
    }

    /// Arrays of one dtype joined along a dim.
    ///
    /// # Errors
    /// If there is none, or their dtypes or other sizes differ.
    pub fn concat(parts: &[&Array], dim: usize) -> Result<Array> {
        let first = parts.first().ok_or("nothing to join")?;
        first.check_dims(&[dim])?;
        let without = |shape: &[usize]| {
            let mut shape = shape.to_vec();
            if dim < shape.len() {
                shape.remove(dim);
            }
            shape
        };
        let mut shape = first.shape.clone();
        shape[dim] = 0;
        for part in parts {
            if part.dtype != first.dtype || part.rank() != first.rank() || without(&part.shape) != without(&first.shape) {
                let (a, b) = (first, part);
                return Err(format!("{} of {:?} and {} of {:?} do not join along dim {dim}", a.dtype, a.shape, b.dtype, b.shape));
            }
            shape[dim] += part.shape[dim];
        }
        // dim in front: the parts then lie one after another
        let mut order: Vec<usize> = (0..shape.len()).collect();
        order.remove(dim);
        order.insert(0, dim);
        let moved: Vec<Array> = parts.iter().map(|part| part.permute(&order)).collect::<Result<_>>()?;
        let data = Data::join(&moved.iter().map(|part| &part.data).collect::<Vec<_>>()).ok_or("internal bug: kinds of elements differ")?;
        let joined = Array { dtype: first.dtype, shape: order.iter().map(|k| shape[*k]).collect(), data };
        let mut back: Vec<usize> = (1..shape.len()).collect();
        back.insert(dim, 0);
        joined.permute(&back)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::array::DType;

    fn iota(shape: &[usize]) -> Array {
        let mut next = -1;
        Array::from_fn(DType::I64, shape, |_| {
            next += 1;
            next
        })
        .unwrap()
    }

    #[test]
    fn views() {
        let x = iota(&[2, 3]);
        assert_eq!(x.transpose(0, 1).unwrap().values::<i64>(), [0, 3, 1, 4, 2, 5]);
        assert_eq!(x.select(1, 2).unwrap().values::<i64>(), [2, 5]);
        assert_eq!(x.slice(1, 0, 2, 2).unwrap().values::<i64>(), [0, 2, 3, 5]);
        assert!(x.slice(1, 2, 2, 1).is_err());
        assert_eq!(x.expand(&[2, 2, 3]).unwrap().len(), 12);
        assert!(x.expand(&[3, 3]).is_err());
        let joined = Array::concat(&[&x, &iota(&[2, 1])], 1).unwrap();
        assert_eq!(joined.values::<i64>(), [0, 1, 2, 0, 3, 4, 5, 1]);
    }

    #[test]
    fn sums() {
        let x = iota(&[2, 3, 2]);
        let sum = |dims: &[usize], keep| x.reduce::<i64, i64>(DType::I64, dims, keep, |group| group.iter().sum()).unwrap();
        assert_eq!(sum(&[1], false).values::<i64>(), [6, 9, 24, 27]);
        assert_eq!(sum(&[0, 2], true).shape(), [1, 3, 1]);
        assert_eq!(sum(&[0, 2], false).values::<i64>(), [14, 22, 30]);
        assert_eq!(iota(&[0, 3]).reduce::<i64, i64>(DType::I64, &[0], false, |group| group.len() as i64).unwrap().values::<i64>(), [0; 3]);
        let last = x.lanes::<i64, i64>(DType::I64, 1, 1, |lane| vec![lane[2]]).unwrap();
        assert_eq!(last.values::<i64>(), [4, 5, 10, 11]);
    }
}
