//! Indexing: elements at positions that tensors give, read and written.
//!
//! An op tells the places (in row-major order) of the elements that it reads or writes; [`read`] and
//! [`combine::write`] do the rest.

pub(super) mod advanced;
pub(super) mod bags;
mod combine;
pub(super) mod embedding;
pub(super) mod gather;
pub(super) mod masks;
pub(super) mod repetition;
pub(super) mod scatter;
pub(super) mod search;
pub(super) mod triangles;
pub(super) mod view_writes;

#[cfg(test)]
mod tests;

use crate::Result;
use crate::array::{Array, indices, ravel};

/// A position that must lie in [0, size).
fn position(value: i64, dim: usize, size: usize) -> Result<usize> {
    let place = usize::try_from(value).ok().filter(|place| *place < size);
    place.ok_or_else(|| format!("has index {value}, out of range for dim {dim} with size {size}"))
}

/// A position in [-size, size); a negative one counts from the end.
fn wrapped(value: i64, dim: usize, size: usize) -> Result<usize> {
    let normal = if value < 0 { value.saturating_add(size as i64) } else { value };
    position(normal, dim, size).map_err(|_| format!("has index {value}, out of range for dim {dim} with size {size}"))
}

/// All positions of an index tensor along one dim.
fn positions(index: &Array, dim: usize, size: usize) -> Result<Vec<usize>> {
    index.values::<i64>().into_iter().map(|value| position(value, dim, size)).collect()
}

/// The same tensor, with a dim of size 1 if it has none.
fn with_dims(array: &Array) -> Result<Array> {
    if array.rank() == 0 { array.reshape(&[1]) } else { Ok(array.clone()) }
}

/// The elements at `places`, in `shape`.
fn read(array: &Array, shape: &[usize], places: &[usize]) -> Result<Array> {
    let mut next = places.iter();
    array.reshape(&[array.len()])?.pick(shape, |_| next.next().into_iter().copied().collect())
}

/// The positions of the elements that are not 0, in row-major order.
fn true_positions(array: &Array) -> Vec<Vec<usize>> {
    indices(array.shape()).zip(array.values::<bool>()).filter_map(|(index, truth)| truth.then_some(index)).collect()
}

/// For each element of `index`, the place of the element of a tensor of `shape` at the same position but in `dim`.
fn places_along(shape: &[usize], dim: usize, index: &Array) -> Result<Vec<usize>> {
    if index.is_empty() {
        return Ok(Vec::new());
    }
    let size = *shape.get(dim).ok_or_else(|| format!("has no dim {dim}"))?;
    if index.rank() != shape.len() {
        return Err(format!("has an index of shape {:?} for shape {shape:?}", index.shape()));
    }
    let place = |(mut at, value): (Vec<usize>, i64)| {
        at[dim] = position(value, dim, size)?;
        ravel(&at, shape).ok_or_else(|| format!("has an index of shape {:?}, larger than shape {shape:?}", index.shape()))
    };
    indices(index.shape()).zip(index.values::<i64>()).map(place).collect()
}

/// The shape of slices at `positions` of `dim`, and the places of their elements.
fn slices(shape: &[usize], dim: usize, positions: &[usize]) -> Result<(Vec<usize>, Vec<usize>)> {
    let mut chosen = shape.to_vec();
    *chosen.get_mut(dim).ok_or_else(|| format!("has no dim {dim}"))? = positions.len();
    let place = |mut at: Vec<usize>| {
        at[dim] = positions[at[dim]];
        ravel(&at, shape).ok_or_else(|| format!("has position {} of dim {dim}, out of range for shape {shape:?}", at[dim]))
    };
    let places = indices(&chosen).map(place).collect::<Result<_>>()?;
    Ok((chosen, places))
}
