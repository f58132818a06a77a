//! Masks, positions of true elements, one-hot vectors.

use super::combine::{Combine, write};
use super::{position, read, true_positions};
use crate::Result;
use crate::array::{Array, DType, broadcast_shapes, element_count};
use crate::call::Call;
use crate::ops::{Entry, one};
use crate::value::{Number, Value};

pub(in crate::ops) static OPS: &[Entry] = &[
    ("fx.masked_scatter", masked_scatter),
    ("fx.masked_scatter_backward", masked_scatter_backward),
    ("fx.masked_select", |call| one(masked(call.array("input")?, call.array("mask")?)?)),
    ("fx.nonzero", |call| {
        let input = call.array("input")?;
        let rows = true_positions(input);
        one(table(&rows, rows.len(), input.rank(), 0)?)
    }),
    ("fx.nonzero_static", |call| {
        let input = call.array("input")?;
        let [size] = call.shape("size")?[..] else { return Err("has not one size".into()) };
        one(table(&true_positions(input), size, input.rank(), call.int("fill_value")?)?)
    }),
    ("fx.one_hot", one_hot),
];

/// The first `size` rows, and rows of `fill` where there are fewer.
fn table(rows: &[Vec<usize>], size: usize, columns: usize, fill: i64) -> Result<Array> {
    Array::from_fn(DType::I64, &[size, columns], |index| rows.get(index[0]).map_or(fill, |row| row[index[1]] as i64))
}

/// The places where a mask is true.
fn true_places(mask: &Array) -> Vec<usize> {
    mask.values::<bool>().into_iter().enumerate().filter_map(|(place, truth)| truth.then_some(place)).collect()
}

/// The elements where `mask` is true, after both broadcast.
fn masked(input: &Array, mask: &Array) -> Result<Array> {
    let shape = broadcast_shapes(&[input.shape(), mask.shape()])?;
    let places = true_places(&mask.expand(&shape)?);
    read(&input.expand(&shape)?, &[places.len()], &places)
}

/// `input` with the elements where `mask` is true replaced by those of `source` in order.
fn masked_scatter(call: &Call<'_>) -> Result<Vec<Value>> {
    let (input, mask, source) = (call.array("input")?, call.array("mask")?, call.array("source")?);
    let shape = broadcast_shapes(&[input.shape(), mask.shape()])?;
    let places = true_places(&mask.expand(&shape)?);
    if source.len() < places.len() {
        return Err(format!("has a mask with {} true elements, but a source of {}", places.len(), source.len()));
    }
    let values = read(source, &[places.len()], &(0..places.len()).collect::<Vec<_>>())?;
    one(write(&input.expand(&shape)?, &places, &values, Combine::Replace, false)?)
}

/// The gradients where `mask` is true, then zeros.
fn masked_scatter_backward(call: &Call<'_>) -> Result<Vec<Value>> {
    let shape = call.shape("sizes")?;
    let (selected, count) = (masked(call.array("grad_output")?, call.array("mask")?)?, element_count(&shape)?);
    let rest = count.checked_sub(selected.len());
    let rest = rest.ok_or_else(|| format!("has a mask with {} true elements, but sizes {shape:?}", selected.len()))?;
    let zeros = Array::full(selected.dtype(), &[rest], Number::Int(0))?;
    one(Array::concat(&[&selected, &zeros], 0)?.reshape(&shape)?)
}

/// `y[.., c] = (input[..] = c)`; -1 classes are as many as are needed.
fn one_hot(call: &Call<'_>) -> Result<Vec<Value>> {
    let (input, classes) = (call.array("input")?, call.int("num_classes")?);
    let values = input.values::<i64>();
    let classes = match (classes, values.iter().max()) {
        (-1, Some(largest)) => largest.saturating_add(1),
        (-1, None) => return Err("cannot tell the number of classes of an empty tensor".into()),
        (classes, _) => classes,
    };
    let classes = usize::try_from(classes).map_err(|_| format!("has {classes} classes"))?;
    for value in values {
        position(value, input.rank(), classes)?;
    }
    let mut shape = input.shape().to_vec();
    shape.push(classes);
    let own = input.unsqueeze(input.rank())?.expand(&shape)?.values::<i64>();
    let hot = own.into_iter().enumerate().map(|(place, value)| (place % classes) as i64 == value).collect();
    one(Array::new(DType::I64, &shape, hot)?)
}
