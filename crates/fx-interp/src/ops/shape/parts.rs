//! Some of the elements: ranges, diagonals, windows, and parts that make up the whole.

use crate::Result;
use crate::array::Array;
use crate::call::Call;
use crate::ops::{Entry, one};
use crate::value::Value;

pub(in crate::ops) static OPS: &[Entry] = &[
    ("fx.as_strided", |call| one(as_strided(call.array("input")?, &Strides::of(call)?)?)),
    ("fx.chunk", chunk),
    ("fx.diagonal", |call| one(diagonal(call.array("input")?, call)?)),
    ("fx.narrow", narrow),
    ("fx.select", |call| one(select(call.array("input")?, call)?)),
    ("fx.slice", |call| one(slice(call.array("input")?, call)?)),
    ("fx.split", split),
    ("fx.split_with_sizes", |call| {
        let input = call.array("input")?;
        parts(call, input, dim_of(call, input, "dim")?, &call.shape("split_sizes")?)
    }),
    ("fx.unbind", |call| {
        let input = call.array("input")?;
        let dim = dim_of(call, input, "dim")?;
        check_count(call, input.size(dim))?;
        (0..input.size(dim)).map(|i| Ok(input.select(dim, i)?.into())).collect()
    }),
    ("fx.unfold", unfold),
];

/// A dim of a tensor that has dims.
fn dim_of(call: &Call<'_>, input: &Array, name: &str) -> Result<usize> {
    if input.rank() == 0 {
        return Err("has an operand without dims".into());
    }
    call.dim(name, input.rank())
}

//--- one part ----------------------------------------------------------------------

/// A view by sizes and strides in elements.
pub(in crate::ops) struct Strides {
    size: Vec<usize>,
    stride: Vec<usize>,
    offset: usize,
}

impl Strides {
    /// From `size`, `stride` and `storage_offset`, which is 0 if absent.
    pub(in crate::ops) fn of(call: &Call<'_>) -> Result<Self> {
        let (size, stride) = (call.shape("size")?, call.shape("stride")?);
        if size.len() != stride.len() {
            return Err(format!("has sizes {size:?} and strides {stride:?}"));
        }
        let offset = call.size("storage_offset")?.unwrap_or(0);
        Ok(Strides { size, stride, offset: usize::try_from(offset).map_err(|_| format!("has storage offset {offset}"))? })
    }
}

/// `flat(input)[offset + sum_k stride[k] i_k]`
pub(in crate::ops) fn as_strided(input: &Array, strides: &Strides) -> Result<Array> {
    let flat = input.reshape(&[input.len()])?;
    let place = |index: &[usize]| {
        let terms = index.iter().zip(&strides.stride).map(|(i, stride)| i.saturating_mul(*stride));
        vec![terms.fold(strides.offset, usize::saturating_add)]
    };
    flat.pick(&strides.size, place).map_err(|error| format!("reads beyond the tensor: {error}"))
}

/// The diagonal of `dim1` and `dim2` that begins `offset` columns to the right, or `-offset` rows down, as the last dim.
pub(in crate::ops) fn diagonal(input: &Array, call: &Call<'_>) -> Result<Array> {
    let (offset, dim1, dim2) = (call.int("offset")?, call.dim("dim1", input.rank())?, call.dim("dim2", input.rank())?);
    diagonal_of(input, offset, dim1, dim2)
}

pub(super) fn diagonal_of(input: &Array, offset: i64, dim1: usize, dim2: usize) -> Result<Array> {
    if dim1 == dim2 {
        return Err(format!("has dim {dim1} twice"));
    }
    let far = usize::try_from(offset.unsigned_abs()).unwrap_or(usize::MAX);
    let (down, right) = if offset < 0 { (far, 0) } else { (0, far) };
    let length = input.size(dim1).saturating_sub(down).min(input.size(dim2).saturating_sub(right));
    let others: Vec<usize> = (0..input.rank()).filter(|dim| *dim != dim1 && *dim != dim2).collect();
    let mut shape: Vec<usize> = others.iter().map(|dim| input.size(*dim)).collect();
    shape.push(length);
    input.pick(&shape, |index| {
        let mut source = vec![0; input.rank()];
        for (dim, i) in others.iter().zip(index) {
            source[*dim] = *i;
        }
        let k = index[others.len()];
        (source[dim1], source[dim2]) = (k + down, k + right);
        source
    })
}

/// The range [start, start + length); a negative start counts from the end.
fn narrow(call: &Call<'_>) -> Result<Vec<Value>> {
    let input = call.array("input")?;
    let dim = dim_of(call, input, "dim")?;
    let size = input.size(dim) as i64;
    let (start, length) = (call.size("start")?.ok_or("has no start")?, call.size("length")?.ok_or("has no length")?);
    let first = if start < 0 { start.saturating_add(size) } else { start };
    if first < 0 || length < 0 || first.saturating_add(length) > size {
        return Err(format!("reads {length} indices from {start} on, of dim {dim} with size {size}"));
    }
    one(input.slice(dim, first as usize, length as usize, 1)?)
}

/// The part at `index` of `dim`, which goes away; a negative index counts from the end.
pub(in crate::ops) fn select(input: &Array, call: &Call<'_>) -> Result<Array> {
    let dim = dim_of(call, input, "dim")?;
    let (index, size) = (call.size("index")?.ok_or("has no index")?, input.size(dim) as i64);
    let place = if index < 0 { index.saturating_add(size) } else { index };
    if place < 0 || place >= size {
        return Err(format!("reads index {index}, out of range for dim {dim} with size {size}"));
    }
    input.select(dim, place as usize)
}

/// The range `start:end:step` of `dim`, as Python has it, but with a positive step.
pub(in crate::ops) fn slice(input: &Array, call: &Call<'_>) -> Result<Array> {
    let dim = dim_of(call, input, "dim")?;
    let (first, length, step) = range(input.size(dim), call.size("start")?, call.size("end")?, call.size("step")?)?;
    input.slice(dim, first, length, step)
}

/// First index, number of indices and step: bounds count from the end if negative, then lie within the dim.
pub(super) fn range(size: usize, start: Option<i64>, end: Option<i64>, step: Option<i64>) -> Result<(usize, usize, usize)> {
    let step = step.unwrap_or(1);
    let step = usize::try_from(step).ok().filter(|step| *step > 0).ok_or_else(|| format!("has step {step}"))?;
    let limit = |bound: i64| {
        let bound = if bound < 0 { bound.saturating_add(size as i64) } else { bound };
        bound.clamp(0, size as i64) as usize
    };
    let first = limit(start.unwrap_or(0));
    let last = limit(end.unwrap_or(i64::MAX)).max(first);
    Ok((first, (last - first).div_ceil(step), step))
}

/// Windows of `size` at distances `step`: a dim of windows, and a last dim within each.
fn unfold(call: &Call<'_>) -> Result<Vec<Value>> {
    let input = call.array("input")?;
    let dim = call.dim("dimension", input.rank())?;
    let positive = |name, least| {
        let value = call.int(name)?;
        usize::try_from(value).ok().filter(|value| *value >= least).ok_or_else(|| format!("has {name} {value}"))
    };
    let (size, step) = (positive("size", 0)?, positive("step", 1)?);
    let free = input.size(dim).checked_sub(size).ok_or_else(|| format!("has windows of {size}, dim {dim} has size {}", input.size(dim)))?;
    let mut shape = input.shape().to_vec();
    if let Some(windows) = shape.get_mut(dim) {
        *windows = free / step + 1;
    }
    shape.push(size);
    one(input.pick(&shape, |index| {
        let (within, outer) = (index[input.rank()], &index[..input.rank()]);
        let mut source = outer.to_vec();
        if let Some(place) = source.get_mut(dim) {
            *place = *place * step + within;
        }
        source
    })?)
}

//--- all parts ---------------------------------------------------------------------

fn check_count(call: &Call<'_>, count: usize) -> Result<()> {
    if count == call.result_count() {
        return Ok(());
    }
    Err(format!("gives {count} parts, its types say {}", call.result_count()))
}

/// Neighbouring ranges of `dim` with these sizes.
fn parts(call: &Call<'_>, input: &Array, dim: usize, sizes: &[usize]) -> Result<Vec<Value>> {
    let total = sizes.iter().fold(0usize, |sum, size| sum.saturating_add(*size));
    if total != input.size(dim) {
        return Err(format!("has parts of sizes {sizes:?}, dim {dim} has size {}", input.size(dim)));
    }
    check_count(call, sizes.len())?;
    let mut start = 0;
    let part = |size: &usize| {
        let part = input.slice(dim, start, *size, 1)?;
        start += size;
        Ok(part.into())
    };
    sizes.iter().map(part).collect()
}

/// Sizes of parts of size `size`, the last one smaller; one empty part of nothing.
pub(super) fn equal_parts(total: usize, size: usize) -> Vec<usize> {
    let count = if size == 0 { 1 } else { total.div_ceil(size).max(1) };
    (0..count).map(|k| size.min(total - k * size)).collect()
}

fn split(call: &Call<'_>) -> Result<Vec<Value>> {
    let input = call.array("input")?;
    let dim = dim_of(call, input, "dim")?;
    let [size] = call.shape("split_size")?[..] else { return Err("has not one size of parts".into()) };
    parts(call, input, dim, &equal_parts(input.size(dim), size))
}

/// Parts of size ceil(n / chunks); `chunks` empty ones of nothing.
fn chunk(call: &Call<'_>) -> Result<Vec<Value>> {
    let input = call.array("input")?;
    let (dim, chunks) = (dim_of(call, input, "dim")?, call.int("chunks")?);
    let chunks = usize::try_from(chunks).ok().filter(|chunks| *chunks > 0).ok_or_else(|| format!("has {chunks} chunks"))?;
    let total = input.size(dim);
    let sizes = if total == 0 { vec![0; chunks] } else { equal_parts(total, total.div_ceil(chunks)) };
    parts(call, input, dim, &sizes)
}
