//! Pads: with a constant, mirrored, with the edge repeated, around a circle; their gradients.

use super::{add_at, check_shape, list, places_by_dim, read, split};
use crate::Result;
use crate::array::Array;
use crate::call::Call;
use crate::ops::{Entry, one};
use crate::read::number;
use crate::value::{Number, Value};

pub(in crate::ops) static OPS: &[Entry] = &[
    ("fx.constant_pad_nd", |call| padded(call, Mode::Constant)),
    ("fx.pad", |call| {
        padded(
            call,
            match call.optional_str("mode").unwrap_or("constant") {
                "constant" => Mode::Constant,
                "reflect" => Mode::Reflect,
                "replicate" => Mode::Replicate,
                "circular" => Mode::Circular,
                mode => return Err(format!("has mode {mode:?}")),
            },
        )
    }),
    ("fx.reflection_pad1d", |call| edge(call, 1, Mode::Reflect)),
    ("fx.reflection_pad1d_backward", |call| edge_backward(call, 1, Mode::Reflect)),
    ("fx.reflection_pad2d", |call| edge(call, 2, Mode::Reflect)),
    ("fx.reflection_pad2d_backward", |call| edge_backward(call, 2, Mode::Reflect)),
    ("fx.reflection_pad3d", |call| edge(call, 3, Mode::Reflect)),
    ("fx.reflection_pad3d_backward", |call| edge_backward(call, 3, Mode::Reflect)),
    ("fx.replication_pad1d", |call| edge(call, 1, Mode::Replicate)),
    ("fx.replication_pad1d_backward", |call| edge_backward(call, 1, Mode::Replicate)),
    ("fx.replication_pad2d", |call| edge(call, 2, Mode::Replicate)),
    ("fx.replication_pad2d_backward", |call| edge_backward(call, 2, Mode::Replicate)),
    ("fx.replication_pad3d", |call| edge(call, 3, Mode::Replicate)),
    ("fx.replication_pad3d_backward", |call| edge_backward(call, 3, Mode::Replicate)),
];

/// What lies outside.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mode {
    Constant,
    /// Mirrored at the first and the last element, which are not repeated.
    Reflect,
    /// The first and the last element.
    Replicate,
    /// The other end; what negative pads crop is gone before.
    Circular,
}

/// For each index of a padded dim the index that it shows.
pub(super) fn padded_dim(size: usize, before: i64, after: i64, mode: Mode) -> Result<Vec<Option<usize>>> {
    let wrong = || format!("has pads {before} and {after} for a dim of size {size}");
    let (size, before, after) = (size as i128, i128::from(before), i128::from(after));
    let length = usize::try_from(size + before + after).map_err(|_| wrong())?;
    crate::array::element_count(&[length])?;
    let margin = match mode {
        Mode::Reflect => Some(size - 1),
        Mode::Circular => Some(size),
        Mode::Constant | Mode::Replicate => None,
    };
    if margin.is_some_and(|margin| before > margin || after > margin) {
        return Err(wrong());
    }
    let cropped = (size + before.min(0) + after.min(0)).max(1);
    let shown = |i: usize| {
        let place = i as i128 - before;
        let place = match mode {
            Mode::Constant => place,
            Mode::Reflect if place < 0 => -place,
            Mode::Reflect if place >= size => 2 * (size - 1) - place,
            Mode::Reflect => place,
            Mode::Replicate => place.clamp(0, (size - 1).max(0)),
            Mode::Circular => (i as i128 - before.max(0)).rem_euclid(cropped) - before.min(0),
        };
        match usize::try_from(place).ok().filter(|_| place < size) {
            None if mode != Mode::Constant => Err(wrong()),
            place => Ok(place),
        }
    };
    (0..length).map(shown).collect()
}

/// The padded shape, and what each of its elements shows. `pads` lists before and after of the last dim, then of the one
/// before it, and so on.
fn places(shape: &[usize], pads: &[i64], mode: Mode) -> Result<(Vec<usize>, Vec<Option<usize>>)> {
    if !pads.len().is_multiple_of(2) || pads.len() / 2 > shape.len() {
        return Err(format!("has pads {pads:?} for shape {shape:?}"));
    }
    let mut dims: Vec<Vec<Option<usize>>> = Vec::new();
    for (d, size) in shape.iter().enumerate() {
        let from_end = 2 * (shape.len() - 1 - d);
        dims.push(match pads.get(from_end..from_end + 2) {
            Some(pair) => padded_dim(*size, pair[0], pair[1], mode)?,
            None => (0..*size).map(Some).collect(),
        });
    }
    places_by_dim(shape, &dims)
}

fn padded(call: &Call<'_>, mode: Mode) -> Result<Vec<Value>> {
    let input = call.array("input")?;
    let (shape, places) = places(input.shape(), &call.sizes("pad")?, mode)?;
    let fill = call.attribute("value").and_then(number).unwrap_or(Number::Int(0));
    one(read(input, &shape, &places, fill)?)
}

/// What an edge pad of the last dims shows; one pad holds for all sides.
fn edge_places(call: &Call<'_>, input: &Array, spatial: usize, mode: Mode) -> Result<(Vec<usize>, Vec<Option<usize>>)> {
    split(input.shape(), spatial)?;
    let pads = match &list(call, "padding")?[..] {
        [pad] => vec![*pad; 2 * spatial],
        pads if pads.len() == 2 * spatial => pads.to_vec(),
        pads => return Err(format!("has 'padding' {pads:?}, expected 1 or {} entries", 2 * spatial)),
    };
    places(input.shape(), &pads, mode)
}

fn edge(call: &Call<'_>, spatial: usize, mode: Mode) -> Result<Vec<Value>> {
    let input = call.array("input")?;
    let (shape, places) = edge_places(call, input, spatial, mode)?;
    one(read(input, &shape, &places, Number::Int(0))?)
}

fn edge_backward(call: &Call<'_>, spatial: usize, mode: Mode) -> Result<Vec<Value>> {
    let (grad, input) = (call.array("grad_output")?, call.array("input")?);
    let (shape, places) = edge_places(call, input, spatial, mode)?;
    check_shape("grad_output", grad, &shape)?;
    one(add_at(call.result_dtype(0)?, grad, &places, input.shape())?)
}
