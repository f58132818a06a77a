//! Tensors of which a view is overwritten: the view of a tensor's places tells which.

use super::combine::{Combine, write};
use crate::Result;
use crate::array::Array;
use crate::call::Call;
use crate::ops::shape::parts::{Strides, as_strided, diagonal, select, slice};
use crate::ops::shape::places;
use crate::ops::{Entry, one};
use crate::value::Value;

pub(in crate::ops) static OPS: &[Entry] = &[
    ("fx.as_strided_scatter", |call| {
        let strides = Strides::of(call)?;
        overwritten(call, |places| as_strided(places, &strides))
    }),
    ("fx.diagonal_scatter", |call| overwritten(call, |places| diagonal(places, call))),
    ("fx.select_scatter", |call| overwritten(call, |places| select(places, call))),
    ("fx.slice_scatter", |call| overwritten(call, |places| slice(places, call))),
];

/// `y = input`, then `view(y) = src`.
fn overwritten(call: &Call<'_>, view: impl Fn(&Array) -> Result<Array>) -> Result<Vec<Value>> {
    let input = call.array("input")?;
    let seen = view(&places(input.shape())?)?;
    let src = call.array("src")?.expand(seen.shape())?;
    let places: Vec<usize> = seen.values::<i64>().into_iter().map(|place| place as usize).collect();
    one(write(input, &places, &src, Combine::Replace, false)?)
}
