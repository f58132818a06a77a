//! Several tensors as one.

use crate::Result;
use crate::array::Array;
use crate::call::{Call, normalize};
use crate::ops::{Entry, one};
use crate::value::Value;

pub(in crate::ops) static OPS: &[Entry] = &[("fx.cat", cat), ("fx.stack", stack)];

/// The tensors in the promoted type.
fn promoted(call: &Call<'_>) -> Result<Vec<Array>> {
    let dtype = call.result_dtype(0)?;
    Ok(call.arrays("tensors")?.into_iter().map(|tensor| tensor.cast(dtype)).collect())
}

/// One after another along `dim`; tensors of shape [0] are skipped, whatever the others are.
fn cat(call: &Call<'_>) -> Result<Vec<Value>> {
    let tensors = promoted(call)?;
    let joined: Vec<&Array> = tensors.iter().filter(|tensor| tensor.shape() != [0]).collect();
    match joined.first().or(tensors.first().as_ref()) {
        None => Err("has no tensor".into()),
        Some(first) if joined.is_empty() => one((*first).clone()),
        Some(first) => one(Array::concat(&joined, normalize(call.int("dim")?, first.rank())?)?),
    }
}

/// One after another along a new dim.
fn stack(call: &Call<'_>) -> Result<Vec<Value>> {
    let tensors = promoted(call)?;
    let rank = tensors.first().ok_or("has no tensor")?.rank();
    let dim = normalize(call.int("dim")?, rank + 1)?;
    let parts: Vec<Array> = tensors.iter().map(|tensor| tensor.unsqueeze(dim)).collect::<Result<_>>()?;
    one(Array::concat(&parts.iter().collect::<Vec<_>>(), dim)?)
}
