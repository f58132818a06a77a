//! Rows of a table, and their gradient.

use super::combine::{Combine, write};
use super::{positions, read, slices};
use crate::Result;
use crate::array::Array;
use crate::call::Call;
use crate::ops::{Entry, one};
use crate::value::{Number, Value};

pub(in crate::ops) static OPS: &[Entry] = &[("fx.embedding", embedding), ("fx.embedding_dense_backward", embedding_dense_backward)];

/// A table's number of rows, from `num_weights`.
pub(super) fn row_count(call: &Call<'_>) -> Result<usize> {
    let count = call.size("num_weights")?.ok_or("has no number of rows")?;
    usize::try_from(count).map_err(|_| format!("has {count} rows"))
}

/// `y[.., j] = weight[indices[..], j]`
fn embedding(call: &Call<'_>) -> Result<Vec<Value>> {
    let (weight, indices) = (call.array("weight")?, call.array("indices")?);
    let [rows, columns] = *weight.shape() else { return Err(format!("has a table of shape {:?}", weight.shape())) };
    let (_, places) = slices(weight.shape(), 0, &positions(indices, 0, rows)?)?;
    one(read(weight, &[indices.shape(), &[columns]].concat(), &places)?)
}

/// Row v is the sum (the mean with `scale_grad_by_freq`) of the gradients where `indices` is v; that of `padding_idx` is 0.
fn embedding_dense_backward(call: &Call<'_>) -> Result<Vec<Value>> {
    let (grad, indices, count) = (call.array("grad_output")?, call.array("indices")?, row_count(call)?);
    let columns = grad.shape().last().copied().ok_or("has a gradient without dims")?;
    if grad.shape()[..grad.rank() - 1] != *indices.shape() {
        return Err(format!("has a gradient of shape {:?} for indices of shape {:?}", grad.shape(), indices.shape()));
    }
    let padding = call.size("padding_idx")?.unwrap_or(-1);
    let not_padding = |(k, row): (usize, i64)| (row != padding).then_some(k);
    let kept: Vec<usize> = indices.values::<i64>().into_iter().enumerate().filter_map(not_padding).collect();
    let flat = indices.reshape(&[indices.len()])?;
    let rows = positions(&read(&flat, &[kept.len()], &kept)?, 0, count)?;
    let (shape, sources) = slices(&[indices.len(), columns], 0, &kept)?;
    let values = read(grad, &shape, &sources)?;
    let (_, places) = slices(&[count, columns], 0, &rows)?;
    let zeros = Array::full(call.result_dtype(0)?, &[count, columns], Number::Int(0))?;
    let how = if call.bool("scale_grad_by_freq") { Combine::Mean } else { Combine::Sum };
    one(write(&zeros, &places, &values, how, false)?)
}
