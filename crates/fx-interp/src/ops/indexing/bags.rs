//! Bags: rows of a table reduced by groups of neighbouring indices, and the gradients.

use std::ops::Range;

use super::combine::{Combine, write};
use super::embedding::row_count;
use super::position;
use crate::Result;
use crate::array::{Array, DType};
use crate::call::Call;
use crate::ops::{Entry, one};
use crate::value::{Number, Value};

pub(in crate::ops) static OPS: &[Entry] = &[
    ("fx.embedding_bag", embedding_bag),
    ("fx.embedding_bag_backward", backward),
    ("fx.embedding_bag_dense_backward", backward),
    ("fx.embedding_bag_per_sample_weights_backward", per_sample_weights_backward),
];

/// How a bag becomes one row.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    Sum,
    Mean,
    Max,
}

impl Mode {
    fn of(call: &Call<'_>) -> Result<Self> {
        match call.int("mode")? {
            0 => Ok(Mode::Sum),
            1 => Ok(Mode::Mean),
            2 => Ok(Mode::Max),
            mode => Err(format!("has mode {mode}")),
        }
    }
}

/// The indices of each bag: from its offset to the next one, the last to the end of the indices, which is the last offset
/// where that is no bag.
pub(super) fn ranges(offsets: &[i64], count: usize, include_last_offset: bool) -> Result<Vec<Range<usize>>> {
    let mut bounds = offsets.to_vec();
    if !include_last_offset {
        bounds.push(count as i64);
    } else if bounds.last() != Some(&(count as i64)) {
        return Err(format!("has {count} indices, which is not the last offset"));
    }
    let range = |pair: &[i64]| match (usize::try_from(pair[0]), usize::try_from(pair[1])) {
        (Ok(start), Ok(end)) if start <= end && end <= count => Ok(start..end),
        _ => Err(format!("has a bag from {} to {} of {count} indices", pair[0], pair[1])),
    };
    bounds.windows(2).map(range).collect()
}

/// The table, by row and column.
struct Table {
    values: Vec<f64>,
    rows: usize,
    columns: usize,
}

impl Table {
    fn new(array: &Array) -> Result<Self> {
        let [rows, columns] = *array.shape() else { return Err(format!("has a table of shape {:?}", array.shape())) };
        Ok(Table { values: array.values(), rows, columns })
    }

    fn row(&self, value: i64) -> Result<&[f64]> {
        let row = position(value, 0, self.rows)?;
        self.values.get(row * self.columns..(row + 1) * self.columns).ok_or_else(|| "internal bug: a row is lost".into())
    }
}

/// The element of each column that is the greatest, the first of equal ones, and the index of its row; 0 without rows.
fn greatest(rows: &[(i64, &[f64])], columns: usize) -> (Vec<f64>, Vec<i64>) {
    let greatest = |column: usize| {
        let candidates = rows.iter().map(|(index, row)| (row[column], *index));
        candidates.reduce(|best, other| if other.0 > best.0 { other } else { best }).unwrap_or((0.0, 0))
    };
    (0..columns).map(greatest).unzip()
}

/// The length of a result that is a vector, if its type knows it.
fn known_length(call: &Call<'_>, result: usize) -> Result<Option<usize>> {
    Ok(call.result_shape(result)?.first().copied().flatten())
}

/// The reduced rows, and what the gradients need. Of that the CPU gives, with `mode` sum: no bags of the indices where
/// its fast kernels run, and sizes that are all 0; but for `mode` max, "positions of maxima" that are the sizes
/// (ATen/native/EmbeddingBag.cpp). Where the types know other lengths, those hold.
fn embedding_bag(call: &Call<'_>) -> Result<Vec<Value>> {
    let (weight, mode) = (call.array("weight")?, Mode::of(call)?);
    let (table, indices) = (Table::new(weight)?, call.array("indices")?.values::<i64>());
    let (offsets, include_last_offset) = (call.array("offsets")?.values::<i64>(), call.bool("include_last_offset"));
    if include_last_offset && offsets.is_empty() {
        return Err("has no last offset".into());
    }
    let padding = call.optional_int("padding_idx").filter(|padding| *padding >= 0);
    let factors = call.optional("per_sample_weights")?.map(Array::values::<f64>);
    if factors.as_ref().is_some_and(|factors| mode != Mode::Sum || factors.len() != indices.len()) {
        return Err(format!("has weights of samples for {} indices and a mode that is not sum, or not as many", indices.len()));
    }
    let bags = ranges(&offsets, indices.len(), include_last_offset)?;
    let (mut output, mut sizes, mut maxima) = (Vec::new(), Vec::new(), Vec::new());
    let mut bag_of_each = vec![bags.len().saturating_sub(1) as i64; indices.len()];
    for (bag, range) in bags.iter().enumerate() {
        bag_of_each[range.clone()].fill(bag as i64);
        let kept = range.clone().filter(|k| Some(indices[*k]) != padding);
        let rows = kept.clone().map(|k| Ok((indices[k], table.row(indices[k])?))).collect::<Result<Vec<_>>>()?;
        sizes.push(rows.len() as i64);
        if mode == Mode::Max {
            let (values, places) = greatest(&rows, table.columns);
            output.extend(values);
            maxima.extend(places);
            continue;
        }
        let factors: Vec<f64> = kept.map(|k| factors.as_ref().map_or(1.0, |factors| factors[k])).collect();
        let divisor = if mode == Mode::Mean { rows.len().max(1) as f64 } else { 1.0 };
        let sum = |column: usize| rows.iter().zip(&factors).map(|((_, row), factor)| factor * row[column]).sum::<f64>();
        output.extend((0..table.columns).map(|column| sum(column) / divisor));
    }
    let fast = mode == Mode::Sum && padding.is_none() && matches!(weight.dtype(), DType::F32 | DType::F16 | DType::BF16);
    if known_length(call, 1)?.map_or(fast, |length| length == 0) {
        bag_of_each.clear();
    }
    if mode == Mode::Sum {
        sizes.fill(0);
    }
    sizes.resize(known_length(call, 2)?.unwrap_or(sizes.len()), 0);
    let shape = if mode == Mode::Max { vec![bags.len(), table.columns] } else { vec![known_length(call, 3)?.unwrap_or(sizes.len())] };
    if mode != Mode::Max {
        maxima.clone_from(&sizes);
        maxima.resize(shape[0], 0);
    }
    let sizes = Array::new(call.result_dtype(2)?, &[sizes.len()], sizes)?;
    let maxima = Array::new(call.result_dtype(3)?, &shape, maxima)?;
    let output = Array::new(call.result_dtype(0)?, &[bags.len(), table.columns], output)?;
    let bag_of_each = Array::new(call.result_dtype(1)?, &[bag_of_each.len()], bag_of_each)?;
    Ok(vec![output.into(), bag_of_each.into(), sizes.into(), maxima.into()])
}

/// The bag of each index: given, or (where the forward op did not need it) from the offsets.
fn bag_of_each(call: &Call<'_>, count: usize) -> Result<Vec<i64>> {
    let given = call.array("offset2bag")?.values::<i64>();
    if given.len() == count {
        return Ok(given);
    }
    let offsets = call.optional("offsets")?.map(Array::values::<i64>);
    let offsets = offsets.ok_or_else(|| format!("has {} bags for {count} indices", given.len()))?;
    Ok((0..count as i64).map(|k| offsets.iter().filter(|offset| **offset <= k).count() as i64 - 1).collect())
}

/// Derivatives of the bags' rows by the table's, times `grad`.
fn backward(call: &Call<'_>) -> Result<Vec<Value>> {
    let (grad, count) = (Table::new(call.array("grad")?)?, row_count(call)?);
    let (mut places, mut values) = (Vec::new(), Vec::new());
    let sizes = call.array("bag_size")?.values::<i64>();
    let size_of = |bag: i64| position(bag, 0, sizes.len()).map(|bag| sizes[bag]);
    if Mode::of(call)? == Mode::Max {
        let maxima = call.array("maximum_indices")?;
        if maxima.shape() != [grad.rows, grad.columns] {
            return Err(format!("has positions of maxima of shape {:?}, expected {:?}", maxima.shape(), [grad.rows, grad.columns]));
        }
        for (k, row) in maxima.values::<i64>().into_iter().enumerate() {
            if size_of((k / grad.columns) as i64)? != 0 {
                places.push(position(row, 0, count)? * grad.columns + k % grad.columns);
                values.push(grad.values[k]);
            }
        }
    } else {
        let indices = call.array("indices")?.values::<i64>();
        let (padding, mean) = (call.int("padding_idx")?, Mode::of(call)? == Mode::Mean);
        let factors = call.optional("per_sample_weights")?.map(Array::values::<f64>);
        for (k, bag) in bag_of_each(call, indices.len())?.into_iter().enumerate() {
            if indices[k] == padding {
                continue;
            }
            let mut factor = match &factors {
                None => 1.0,
                Some(factors) => *factors.get(k).ok_or("has fewer weights of samples than indices")?,
            };
            if call.bool("scale_grad_by_freq") {
                factor /= indices.iter().filter(|other| **other == indices[k]).count() as f64;
            }
            if mean {
                factor /= size_of(bag)? as f64;
            }
            let row = position(indices[k], 0, count)?;
            places.extend(row * grad.columns..(row + 1) * grad.columns);
            values.extend(grad.row(bag)?.iter().map(|g| factor * g));
        }
    }
    let zeros = Array::full(call.result_dtype(0)?, &[count, grad.columns], Number::Int(0))?;
    one(write(&zeros, &places, &Array::new(DType::F64, &[values.len()], values)?, Combine::Sum, false)?)
}

/// `y[k] = sum_j grad[bag of k, j] weight[indices[k], j]`
fn per_sample_weights_backward(call: &Call<'_>) -> Result<Vec<Value>> {
    let (grad, table, indices) = (Table::new(call.array("grad")?)?, Table::new(call.array("weight")?)?, call.array("indices")?);
    if Mode::of(call)? != Mode::Sum {
        return Err("has weights of samples and a mode that is not sum".into());
    }
    let padding = call.int("padding_idx")?;
    let derivative = |(index, bag): (i64, i64)| {
        if index == padding {
            return Ok(0.0);
        }
        Ok(grad.row(bag)?.iter().zip(table.row(index)?).map(|(g, w)| g * w).sum())
    };
    let bags = bag_of_each(call, indices.len())?;
    let values: Vec<f64> = indices.values::<i64>().into_iter().zip(bags).map(derivative).collect::<Result<_>>()?;
    one(Array::new(call.result_dtype(0)?, indices.shape(), values)?)
}
