//! The same elements in row-major order in another shape.

use crate::Result;
use crate::array::{Array, element_count};
use crate::call::{Call, normalize};
use crate::ops::{Entry, one};
use crate::value::Value;

pub(in crate::ops) static OPS: &[Entry] = &[
    ("fx.flatten", flatten),
    ("fx.split_dim", |call| {
        let input = call.array("input")?;
        let dim = call.dim("dim", input.rank())?;
        let outer = call.size("outer_length")?.ok_or("has no outer length")?;
        one(unflatten(input, dim, &[outer, -1])?)
    }),
    ("fx.squeeze", squeeze),
    ("fx.unflatten", |call| {
        let input = call.array("input")?;
        one(unflatten(input, call.dim("dim", input.rank())?, &call.sizes("sizes")?)?)
    }),
    ("fx.unsqueeze", |call| {
        let input = call.array("input")?;
        one(input.unsqueeze(call.dim("dim", input.rank() + 1)?)?)
    }),
    ("fx.view", |call| {
        let input = call.array("input")?;
        one(input.reshape(&complete(&call.sizes("size")?, input.len())?)?)
    }),
    ("fx.view_as", |call| one(call.array("input")?.reshape(call.array("other")?.shape())?)),
    ("fx.view_dtype", view_dtype),
];

/// A shape of `count` elements, one size of which may be -1.
pub(super) fn complete(sizes: &[i64], count: usize) -> Result<Vec<usize>> {
    let message = || format!("shape {sizes:?} does not hold {count} elements");
    let unknown = sizes.iter().filter(|size| **size == -1).count();
    let known: Vec<usize> = sizes.iter().filter_map(|size| usize::try_from(*size).ok()).collect();
    if unknown > 1 || known.len() + unknown != sizes.len() {
        return Err(format!("shape {sizes:?} has a negative size"));
    }
    let product = element_count(&known)?;
    if unknown == 0 {
        return if product == count { Ok(known) } else { Err(message()) };
    }
    if product == 0 {
        return Err(format!("shape {sizes:?} does not tell its size -1, since another is 0"));
    }
    let rest = count.is_multiple_of(product).then_some(count / product).ok_or_else(message)?;
    Ok(sizes.iter().map(|size| usize::try_from(*size).unwrap_or(rest)).collect())
}

fn unflatten(input: &Array, dim: usize, sizes: &[i64]) -> Result<Array> {
    let parts = complete(sizes, input.size(dim))?;
    let mut shape = input.shape().to_vec();
    shape.splice(dim..(dim + 1).min(shape.len()), parts);
    input.reshape(&shape)
}

/// Dims `start_dim` .. `end_dim` as one; without dims the result has one.
fn flatten(call: &Call<'_>) -> Result<Vec<Value>> {
    let input = call.array("input")?;
    let (first, last) = (call.dim("start_dim", input.rank())?, call.dim("end_dim", input.rank())?);
    if first > last {
        return Err(format!("joins dims {first} to {last}"));
    }
    if input.rank() == 0 {
        return one(input.reshape(&[1])?);
    }
    let mut shape = input.shape().to_vec();
    let joined = shape[first..=last].iter().product();
    shape.splice(first..=last, [joined]);
    one(input.reshape(&shape)?)
}

/// Without the dims of size 1 among `dim`: of all if it is absent, of none if it is the empty list.
fn squeeze(call: &Call<'_>) -> Result<Vec<Value>> {
    let input = call.array("input")?;
    let dims = match call.optional_ints("dim") {
        None => (0..input.rank()).collect(),
        Some(dims) => dims.into_iter().map(|dim| normalize(dim, input.rank())).collect::<Result<Vec<_>>>()?,
    };
    let kept = |(dim, size): (usize, &usize)| (*size != 1 || !dims.contains(&dim)).then_some(*size);
    let shape: Vec<usize> = input.shape().iter().enumerate().filter_map(kept).collect();
    let rank = call.result_shape(0)?.len();
    if shape.len() != rank {
        return Err(format!("drops {} dims of shape {:?}, its type says {rank} remain", input.rank() - shape.len(), input.shape()));
    }
    one(input.reshape(&shape)?)
}

/// The bytes as elements of another type; the last size changes with the width.
fn view_dtype(call: &Call<'_>) -> Result<Vec<Value>> {
    let (input, dtype) = (call.array("input")?, call.result_dtype(0)?);
    let (old, new) = (input.dtype().size(), dtype.size());
    let mut shape = input.shape().to_vec();
    if old != new {
        let last = shape.last_mut().ok_or_else(|| format!("has no dim whose size could change from {} to {dtype}", input.dtype()))?;
        let bytes = last.saturating_mul(old);
        if bytes % new != 0 {
            return Err(format!("has a last size {last} of {}, which is no multiple of {dtype}", input.dtype()));
        }
        *last = bytes / new;
    }
    one(Array::from_bytes(dtype, &shape, &input.to_bytes())?)
}
