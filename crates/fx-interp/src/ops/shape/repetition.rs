//! Elements in several places.

use crate::Result;
use crate::array::Array;
use crate::call::Call;
use crate::ops::{Entry, one};
use crate::value::Value;

pub(in crate::ops) static OPS: &[Entry] = &[
    ("fx.broadcast_in_dim", broadcast_in_dim),
    ("fx.expand", |call| {
        let input = call.array("input")?;
        one(input.expand(&kept(&call.sizes("size")?, input.shape())?)?)
    }),
    ("fx.expand_as", |call| one(call.array("input")?.expand(call.array("other")?.shape())?)),
    ("fx.meshgrid", meshgrid),
    ("fx.repeat", |call| one(repeat(call.array("input")?, &call.shape("repeats")?)?)),
];

/// A shape in which -1 stands for the size of the dim that it meets, counted from the last.
fn kept(sizes: &[i64], shape: &[usize]) -> Result<Vec<usize>> {
    let front = sizes.len().checked_sub(shape.len()).ok_or_else(|| format!("has shape {shape:?}, more dims than {sizes:?}"))?;
    let size = |(k, size): (usize, &i64)| match *size {
        -1 if k >= front => Ok(shape[k - front]),
        size => usize::try_from(size).map_err(|_| format!("has size {size} in {sizes:?} for shape {shape:?}")),
    };
    sizes.iter().enumerate().map(size).collect()
}

/// Dim k is dim `broadcast_dimensions[k]` of the result.
fn broadcast_in_dim(call: &Call<'_>) -> Result<Vec<Value>> {
    let (input, shape, dims) = (call.array("input")?, call.shape("shape")?, call.ints("broadcast_dimensions")?);
    let mut between = vec![1; shape.len()];
    for (dim, size) in dims.iter().zip(input.shape()) {
        let place = usize::try_from(*dim).ok().and_then(|dim| between.get_mut(dim));
        *place.ok_or_else(|| format!("has dims {dims:?}, out of range for shape {shape:?}"))? = *size;
    }
    if dims.len() != input.rank() || dims.windows(2).any(|pair| pair[0] >= pair[1]) {
        return Err(format!("has dims {dims:?} for shape {:?}", input.shape()));
    }
    one(input.reshape(&between)?.expand(&shape)?)
}

/// Result k varies along dim k alone; with "xy" the first two dims are exchanged.
fn meshgrid(call: &Call<'_>) -> Result<Vec<Value>> {
    let tensors = call.arrays("tensors")?;
    let shape: Vec<usize> = tensors.iter().map(|tensor| tensor.len()).collect();
    let exchanged = match call.str("indexing")? {
        "ij" => false,
        "xy" => shape.len() >= 2,
        other => return Err(format!("has indexing '{other}'")),
    };
    let grid = |(k, tensor): (usize, &&Array)| {
        let mut along = vec![1; shape.len()];
        along[k] = tensor.len();
        let grid = tensor.reshape(&along)?.expand(&shape)?;
        Ok(if exchanged { grid.transpose(0, 1)? } else { grid }.into())
    };
    tensors.iter().enumerate().map(grid).collect()
}

/// The whole tensor `repeats[k]` times along dim k; the shorter list has ones in front.
pub(super) fn repeat(input: &Array, repeats: &[usize]) -> Result<Array> {
    let rank = repeats.len().max(input.rank());
    let front = |list: &[usize]| [vec![1; rank - list.len()], list.to_vec()].concat();
    let (own, repeats) = (front(input.shape()), front(repeats));
    let size = |(size, times): (&usize, &usize)| size.checked_mul(*times).ok_or("has too many elements");
    let shape = own.iter().zip(&repeats).map(size).collect::<std::result::Result<Vec<_>, _>>()?;
    input.reshape(&own)?.pick(&shape, |index| index.iter().zip(&own).map(|(i, size)| i % size).collect())
}
