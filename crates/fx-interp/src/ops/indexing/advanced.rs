//! Advanced indexing: index tensors and masks for some of the dims.

use super::combine::{Combine, write};
use super::{read, true_positions, wrapped};
use crate::Result;
use crate::array::{Array, DType, broadcast_shapes, indices, ravel};
use crate::call::Call;
use crate::ops::{Entry, one};

pub(in crate::ops) static OPS: &[Entry] = &[
    ("fx.index", |call| {
        let input = call.array("input")?;
        let chosen = Selection::of(call, input)?;
        one(read(input, &chosen.shape, &chosen.places)?)
    }),
    ("fx.index_put", |call| {
        let input = call.array("input")?;
        let chosen = Selection::of(call, input)?;
        let values = call.array("values")?.expand(&chosen.shape)?;
        let how = if call.bool("accumulate") { Combine::Sum } else { Combine::Replace };
        one(write(input, &chosen.places, &values, how, how == Combine::Sum)?)
    }),
];

/// The elements that `input[indices]` names.
pub(super) struct Selection {
    /// The shape of `input[indices]`.
    pub(super) shape: Vec<usize>,
    /// Their places, in its row-major order.
    pub(super) places: Vec<usize>,
}

impl Selection {
    fn of(call: &Call<'_>, input: &Array) -> Result<Self> {
        let mut present = call.arrays("indices")?.into_iter();
        let next = |is_present: &bool| match is_present {
            true => present.next().map(Some).ok_or("has fewer index tensors than present indices"),
            false => Ok(None),
        };
        let indices: Vec<Option<&Array>> = call.bools("present_indices")?.iter().map(next).collect::<std::result::Result<_, _>>()?;
        Selection::new(input.shape(), &indices)
    }

    /// Index k is for dim k, but a mask of rank n is for n dims, as the n index tensors of its true positions. The
    /// shape K that all index tensors broadcast to replaces the indexed dims if those are neighbours, else stands first.
    pub(super) fn new(shape: &[usize], list: &[Option<&Array>]) -> Result<Self> {
        let indexed = per_dim(shape, list)?;
        let common = broadcast_shapes(&indexed.iter().map(|(_, index)| index.shape()).collect::<Vec<_>>())?;
        let columns = indexed.iter().map(|(dim, index)| Ok((*dim, index.expand(&common)?.values::<i64>()))).collect::<Result<Vec<_>>>()?;
        let dims: Vec<usize> = columns.iter().map(|(dim, _)| *dim).collect();
        let kept: Vec<usize> = (0..shape.len()).filter(|dim| !dims.contains(dim)).collect();
        let before = match (dims.first(), dims.last()) {
            (Some(first), Some(last)) if last - first + 1 == dims.len() => *first,
            _ => 0,
        };
        let after = before + common.len();
        let mut chosen: Vec<usize> = kept.iter().map(|dim| shape[*dim]).collect();
        chosen.splice(before..before, common.iter().copied());
        let place = |index: Vec<usize>| {
            let mut source = vec![0; shape.len()];
            for (dim, i) in kept.iter().zip(index[..before].iter().chain(&index[after..])) {
                source[*dim] = *i;
            }
            let k = ravel(&index[before..after], &common);
            for (dim, column) in &columns {
                let value = k.and_then(|k| column.get(k)).ok_or("internal bug: an index is lost")?;
                source[*dim] = wrapped(*value, *dim, shape[*dim])?;
            }
            ravel(&source, shape).ok_or_else(|| format!("internal bug: index {source:?} is beyond shape {shape:?}"))
        };
        let places = indices(&chosen).map(place).collect::<Result<_>>()?;
        Ok(Selection { shape: chosen, places })
    }
}

/// The indexed dims in order, with an index tensor each.
fn per_dim(shape: &[usize], list: &[Option<&Array>]) -> Result<Vec<(usize, Array)>> {
    let mut indexed = Vec::new();
    let mut dim = 0;
    for index in list {
        match index {
            None => dim += 1,
            Some(mask) if matches!(mask.dtype(), DType::Bool | DType::U8) => {
                if shape.get(dim..dim + mask.rank()) != Some(mask.shape()) {
                    return Err(format!("has a mask of shape {:?} for the dims from {dim} on of shape {shape:?}", mask.shape()));
                }
                let positions = true_positions(mask);
                for k in 0..mask.rank() {
                    let column = positions.iter().map(|position| position[k] as i64).collect();
                    indexed.push((dim + k, Array::new(DType::I64, &[positions.len()], column)?));
                }
                dim += mask.rank();
            }
            Some(index) => {
                indexed.push((dim, (*index).clone()));
                dim += 1;
            }
        }
    }
    if dim > shape.len() {
        return Err(format!("has indices for {dim} dims of shape {shape:?}"));
    }
    Ok(indexed)
}
