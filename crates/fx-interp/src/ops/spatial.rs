//! Convolution, pooling, padding, resampling, blocks of pixels.
//!
//! Tensors are [N, C, spatial dims], N perhaps absent. What an op reads is told as places, row-major in the flattened
//! spatial dims or in the whole tensor; gradients add at the places that the forward op reads.

pub(super) mod affine_grid;
pub(super) mod average_pool;
pub(super) mod blocks;
pub(super) mod convolution;
mod filters;
pub(super) mod grid_sampler;
pub(super) mod max_pool;
pub(super) mod pads;
mod pool;
pub(super) mod upsample;
mod windows;

#[cfg(test)]
mod tests;

use super::matrix::ring::Ring;
use crate::Result;
use crate::array::{Array, DType, element_count, indices, ravel};
use crate::call::Call;
use crate::each_kind;
use crate::value::Number;

/// The dims before the last `spatial` ones, and those: channels must be among the former, a batch dim may be.
fn split(shape: &[usize], spatial: usize) -> Result<(&[usize], &[usize])> {
    match shape.len().checked_sub(spatial) {
        Some(lead @ 1..=2) => Ok(shape.split_at(lead)),
        _ => Err(format!("expects {spatial} spatial dims, channels and perhaps a batch dim, got shape {shape:?}")),
    }
}

/// The shape of leading dims and spatial ones.
fn joined(lead: &[usize], spatial: &[usize]) -> Vec<usize> {
    [lead, spatial].concat()
}

/// Entries of a list: one per spatial dim, or one that holds for all; at least `least`.
fn per_dim(name: &str, list: &[i64], count: usize, least: usize) -> Result<Vec<usize>> {
    let entry = |entry: &i64| usize::try_from(*entry).ok().filter(|entry| *entry >= least);
    let entries: Option<Vec<usize>> = list.iter().map(entry).collect();
    match entries {
        None => Err(format!("has '{name}' {list:?}, expected entries of at least {least}")),
        Some(entries) if entries.len() == count => Ok(entries),
        Some(entries) if entries.len() == 1 => Ok(vec![entries[0]; count]),
        Some(_) => Err(format!("has '{name}' {list:?}, expected 1 or {count} entries")),
    }
}

/// A list that is a plain attribute or may have run-time entries.
fn list(call: &Call<'_>, name: &str) -> Result<Vec<i64>> {
    match call.optional_ints(name) {
        Some(list) => Ok(list),
        None => call.sizes(name),
    }
}

/// An operand must have this shape.
fn check_shape(name: &str, array: &Array, shape: &[usize]) -> Result<()> {
    if array.shape() == shape {
        return Ok(());
    }
    Err(format!("has '{name}' of shape {:?}, expected {shape:?}", array.shape()))
}

/// What is not computed since nobody asked for it.
fn nothing() -> crate::value::Value {
    Number::Int(0).into()
}

//--- places ------------------------------------------------------------------------

/// For each element of a result the element of a tensor of `shape` that it is, dim by dim: `dims[d][i]` is the index in
/// dim d for index i of the result.
fn places_by_dim(shape: &[usize], dims: &[Vec<Option<usize>>]) -> Result<(Vec<usize>, Vec<Option<usize>>)> {
    let result: Vec<usize> = dims.iter().map(Vec::len).collect();
    element_count(&result)?;
    let place = |index: Vec<usize>| {
        let source: Option<Vec<usize>> = index.iter().zip(dims).map(|(i, dim)| dim[*i]).collect();
        source.and_then(|source| ravel(&source, shape))
    };
    let places = indices(&result).map(place).collect();
    Ok((result, places))
}

/// The elements at `places` in a tensor of `shape`, and `fill` where there is none.
fn read(array: &Array, shape: &[usize], places: &[Option<usize>], fill: Number) -> Result<Array> {
    let mut next = places.iter();
    array.reshape(&[array.len()])?.pick_or(fill, shape, |_| next.next().copied().flatten().map(|place| vec![place]))
}

/// Zeros of `shape` with each element added at its place, if it has one.
fn add_at(dtype: DType, values: &Array, places: &[Option<usize>], shape: &[usize]) -> Result<Array> {
    let count = element_count(shape)?;
    if values.len() != places.len() {
        return Err(format!("internal bug: {} places for {} elements", places.len(), values.len()));
    }
    each_kind!(dtype, T => {
        let mut sums = vec![<T as Ring>::ZERO; count];
        for (value, place) in values.values::<T>().into_iter().zip(places) {
            let Some(place) = place else { continue };
            let sum = sums.get_mut(*place).ok_or_else(|| format!("adds at {place}, beyond shape {shape:?}"))?;
            *sum = sum.plus(value);
        }
        Array::new(dtype, shape, sums)
    })
}

/// Positions in planes of `size` elements as places in the whole tensor: `count` positions for each plane.
fn places_in_planes(positions: &[i64], count: usize, size: usize) -> Result<Vec<Option<usize>>> {
    let place = |(k, position): (usize, &i64)| {
        let position = usize::try_from(*position).ok().filter(|position| *position < size);
        let position = position.ok_or_else(|| format!("has index {}, out of range for {size} places", positions[k]))?;
        Ok(Some(k / count.max(1) * size + position))
    };
    positions.iter().enumerate().map(place).collect()
}
