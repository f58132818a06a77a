//! Binary search in sorted sequences.

use super::{places_along, read};
use crate::Result;
use crate::array::{Array, Category, DType, Element};
use crate::call::Call;
use crate::ops::{Entry, one};
use crate::value::Value;

pub(in crate::ops) static OPS: &[Entry] = &[
    ("fx.bucketize", |call| {
        let (input, dtype) = (call.operand("input")?, call.promoted(&["input", "boundaries"])?);
        one(search(call, &call.array("boundaries")?.cast(dtype), &input.cast(dtype), call.bool("right"))?)
    }),
    ("fx.searchsorted", searchsorted),
];

/// The first place, found by halving, whose element is not before `x` (or, to the `right`, is after it). A comparison
/// with NaN says "before" (ATen/native/Bucketization.cpp).
pub(super) fn bound<T: PartialOrd>(sorted: &[T], x: &T, right: bool) -> usize {
    let (mut low, mut high) = (0, sorted.len());
    while low < high {
        let middle = low + (high - low) / 2;
        let reached = if right { sorted[middle] > *x } else { sorted[middle] >= *x };
        if reached {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    low
}

/// The bound of each element of `input` in its row of `sorted`, or in the only row.
fn search(call: &Call<'_>, sorted: &Array, input: &Array, right: bool) -> Result<Array> {
    let length = sorted.shape().last().copied().ok_or("has a sequence without dims")?;
    let width = if sorted.rank() == 1 { input.len() } else { input.shape().last().copied().unwrap_or(1) };
    let rows_match = sorted.rank() == input.rank() && sorted.shape().iter().zip(input.shape()).rev().skip(1).all(|(a, b)| a == b);
    if sorted.rank() != 1 && !rows_match {
        return Err(format!("has sequences of shape {:?} for shape {:?}", sorted.shape(), input.shape()));
    }
    let bounds = if sorted.category() == Category::Float { bounds::<f64> } else { bounds::<i64> };
    Array::new(call.result_dtype(0)?, input.shape(), bounds(sorted, length, input, width, right))
}

/// Rows of `sorted` have `length` elements, those of `input` `width`.
fn bounds<T: Element + PartialOrd>(sorted: &Array, length: usize, input: &Array, width: usize, right: bool) -> Vec<i64> {
    let sorted = sorted.values::<T>();
    let row = |k: usize| sorted.get(k / width * length..(k / width + 1) * length).unwrap_or_default();
    input.values::<T>().iter().enumerate().map(|(k, x)| bound(row(k), x, right) as i64).collect()
}

/// As bucketize, with a sequence per row; `sorter` tells the order that sorts them.
fn searchsorted(call: &Call<'_>) -> Result<Vec<Value>> {
    let (input, dtype) = (call.operand("input")?, call.promoted(&["input", "sorted_sequence"])?);
    let mut sorted = call.array("sorted_sequence")?.cast(dtype);
    if let Some(sorter) = call.optional("sorter")? {
        if sorter.shape() != sorted.shape() || sorter.dtype() != DType::I64 {
            return Err(format!("has a sorter of shape {:?} for shape {:?}", sorter.shape(), sorted.shape()));
        }
        let places = places_along(sorted.shape(), sorted.rank().saturating_sub(1), sorter)?;
        sorted = read(&sorted, sorter.shape(), &places)?;
    }
    let right = match call.optional_str("side") {
        None => call.bool("right"),
        Some("right") => true,
        Some("left") if !call.bool("right") => false,
        Some(side) => return Err(format!("has side '{side}' and right {}", call.bool("right"))),
    };
    one(search(call, &sorted, &input.cast(dtype), right)?)
}
