//! Elements read at positions of one dim, or of the flattened tensor.

use super::{places_along, positions, read, slices, with_dims, wrapped};
use crate::Result;
use crate::array::{Array, broadcast_shapes};
use crate::call::Call;
use crate::ops::{Entry, one};
use crate::value::Value;

pub(in crate::ops) static OPS: &[Entry] = &[
    ("fx.gather", |call| {
        let (input, index) = (call.array("input")?, call.array("index")?);
        one(gather(input, call.dim("dim", input.rank())?, index)?)
    }),
    ("fx.index_select", index_select),
    ("fx.take", |call| {
        let (input, index) = (call.array("input")?, call.array("index")?);
        let place = |value| wrapped(value, 0, input.len());
        let places = index.values::<i64>().into_iter().map(place).collect::<Result<Vec<_>>>()?;
        one(read(input, index.shape(), &places)?)
    }),
    ("fx.take_along_dim", take_along_dim),
];

/// `y[i, j, k] = input[i, index[i, j, k], k]` for dim 1, in the shape of `index`.
fn gather(input: &Array, dim: usize, index: &Array) -> Result<Array> {
    let input = with_dims(input)?;
    let places = places_along(input.shape(), dim, &with_dims(index)?)?;
    read(&input, index.shape(), &places)
}

/// `y[i, j, k] = input[i, index[j], k]` for dim 1.
fn index_select(call: &Call<'_>) -> Result<Vec<Value>> {
    let (input, index) = (call.array("input")?, call.array("index")?);
    let dim = call.dim("dim", input.rank())?;
    let (shape, places) = slices(with_dims(input)?.shape(), dim, &positions(index, dim, input.size(dim))?)?;
    let selected = read(input, &shape, &places)?;
    one(if input.rank() == 0 { selected.reshape(&[])? } else { selected })
}

/// Gather after both broadcast in all dims but `dim`; of both flattened without `dim`.
fn take_along_dim(call: &Call<'_>) -> Result<Vec<Value>> {
    let (input, index) = (call.array("input")?, call.array("indices")?);
    if !call.has("dim") {
        return one(gather(&input.reshape(&[input.len()])?, 0, &index.reshape(&[index.len()])?)?);
    }
    let dim = call.dim("dim", input.rank())?;
    if input.rank() == 0 || index.rank() != input.rank() {
        return Err(format!("has indices of shape {:?} for shape {:?}", index.shape(), input.shape()));
    }
    let with = |shape: &[usize], size: usize| {
        let mut shape = shape.to_vec();
        shape[dim] = size;
        shape
    };
    let common = broadcast_shapes(&[&with(input.shape(), 1), &with(index.shape(), 1)])?;
    let (input, index) = (input.expand(&with(&common, input.size(dim)))?, index.expand(&with(&common, index.size(dim)))?);
    one(gather(&input, dim, &index)?)
}
