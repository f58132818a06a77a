//! Slices repeated.

use super::{read, slices, with_dims};
use crate::Result;
use crate::array::Array;
use crate::call::Call;
use crate::ops::{Entry, one};
use crate::value::Value;

pub(in crate::ops) static OPS: &[Entry] = &[
    ("fx.repeat_interleave", |call| {
        let repeats = call.array("repeats")?;
        let counts = repeats.values::<i64>();
        let Some(input) = call.optional("input")? else {
            let numbers = Array::from_fn(call.result_dtype(0)?, &[counts.len()], |index| index[0] as i64)?;
            return repeated(call, &numbers, 0, &counts);
        };
        along(call, input, &counts)
    }),
    ("fx.repeat_interleave_int", |call| along(call, call.array("input")?, &call.sizes("repeats")?)),
];

/// Slices along `dim`, or elements without it.
fn along(call: &Call<'_>, input: &Array, counts: &[i64]) -> Result<Vec<Value>> {
    if call.has("dim") {
        return repeated(call, &with_dims(input)?, call.dim("dim", input.rank())?, counts);
    }
    repeated(call, &input.reshape(&[input.len()])?, 0, counts)
}

/// Slice j of `input` `counts[j]` times; a single count holds for all.
fn repeated(call: &Call<'_>, input: &Array, dim: usize, counts: &[i64]) -> Result<Vec<Value>> {
    let size = input.size(dim);
    let count = |j: usize| match counts {
        [all] => Ok(*all),
        counts if counts.len() == size => Ok(counts[j]),
        _ => Err(format!("has {} repeats for dim {dim} with size {size}", counts.len())),
    };
    let mut positions = Vec::new();
    for j in 0..size {
        let times = count(j)?;
        let times = usize::try_from(times).map_err(|_| format!("repeats slice {j} {times} times"))?;
        crate::array::element_count(&[positions.len().saturating_add(times)])?;
        positions.extend(std::iter::repeat_n(j, times));
    }
    if let Some(size) = call.size("output_size")?.filter(|size| usize::try_from(*size) != Ok(positions.len())) {
        return Err(format!("gives {} slices, not {size}", positions.len()));
    }
    let (shape, places) = slices(input.shape(), dim, &positions)?;
    one(read(input, &shape, &places)?)
}
