//! Triangles of matrices.

use crate::Result;
use crate::array::{Array, DType, indices};
use crate::call::Call;
use crate::ops::{Entry, one};
use crate::value::{Number, Value};

pub(in crate::ops) static OPS: &[Entry] = &[
    ("fx.tril", |call| triangle(call, |above, diagonal| above <= diagonal)),
    ("fx.tril_indices", |call| triangle_indices(call, |above, diagonal| above <= diagonal)),
    ("fx.triu", |call| triangle(call, |above, diagonal| above >= diagonal)),
    ("fx.triu_indices", |call| triangle_indices(call, |above, diagonal| above >= diagonal)),
];

/// The elements whose column less row is on one side of `diagonal`; 0 elsewhere.
fn triangle(call: &Call<'_>, keeps: impl Fn(i64, i64) -> bool) -> Result<Vec<Value>> {
    let input = call.array("input")?;
    let diagonal = call.size("diagonal")?.ok_or("has no diagonal")?;
    let row = input.rank().checked_sub(2).ok_or_else(|| format!("has rank {}, expected at least 2", input.rank()))?;
    one(input.pick_or(Number::Int(0), input.shape(), |index| {
        keeps(index[row + 1] as i64 - index[row] as i64, diagonal).then(|| index.to_vec())
    })?)
}

/// The rows and the columns of those elements of a `row` x `col` matrix.
fn triangle_indices(call: &Call<'_>, keeps: impl Fn(i64, i64) -> bool) -> Result<Vec<Value>> {
    let size = |name| {
        let size = call.int(name)?;
        usize::try_from(size).map_err(|_| format!("has {name} {size}"))
    };
    let (shape, offset) = ([size("row")?, size("col")?], call.int("offset")?);
    crate::array::element_count(&shape)?;
    let kept: Vec<Vec<usize>> = indices(&shape).filter(|index| keeps(index[1] as i64 - index[0] as i64, offset)).collect();
    let dtype = call.dtype("dtype").unwrap_or(DType::I64);
    one(Array::from_fn(dtype, &[2, kept.len()], |index| kept[index[1]][index[0]] as i64)?)
}
