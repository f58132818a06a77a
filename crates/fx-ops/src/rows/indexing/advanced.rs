//! Advanced indexing: dims replaced by positions that tensors hold.

use fx_ir::{Attribute, NumberKind, Result, Type, Value};

use super::position::{Axis, Place, read};
use crate::batching;
use crate::fx_op::{Dim, FxOp};
use crate::library::{HostArguments, HostResult};
use crate::lower::{Body, Ix, Lower, Operand, Tensor};
use crate::rows::derivatives;
use crate::scalar::Number;
use crate::table::{OpRow, lowered};

/// The table.
pub static ROWS: &[OpRow] = &[lowered("fx.index", index).batched(batching::indexing::index).vjp(derivatives::indexing::index)];

/// Integer tensors that index, with the dim that each indexes.
pub(super) struct Positions<'c> {
    pub(super) tensors: Vec<Tensor<'c>>,
    pub(super) dims: Vec<usize>,
}

/// The operands `indices` of an op: a mask stands for the positions of its true elements, one tensor per dim.
pub(super) fn positions<'c>(cx: &mut Lower<'c>, op: FxOp<'c>) -> Result<Positions<'c>> {
    let present = op.op.attribute("present_indices").and_then(Attribute::as_bools).unwrap_or_default();
    let mut given = op.list("indices").into_iter();
    let mut found = Positions { tensors: Vec::new(), dims: Vec::new() };
    let mut dim = 0;
    for present in present {
        let Some(value) = (if present { given.next() } else { None }) else {
            dim += 1;
            continue;
        };
        let tensor = cx.tensor(value)?;
        let is_mask = matches!(tensor.element.number_kind(), NumberKind::Bool | NumberKind::Unsigned);
        if is_mask {
            cx.check_shape(&tensor.dims, &cx.operand(op, "input")?.dims[dim..]);
        }
        let tensors = if is_mask { true_positions(cx, tensor) } else { vec![tensor] };
        for tensor in tensors {
            found.tensors.push(tensor);
            found.dims.push(dim);
            dim += 1;
        }
    }
    Ok(found)
}

/// The positions of a mask's true elements, one tensor per dim; all have one size, which depends on data.
fn true_positions<'c>(cx: &mut Lower<'c>, mask: Tensor<'c>) -> Vec<Tensor<'c>> {
    let results = vec![HostResult::vector(Type::int(cx.context(), 64)); mask.rank()];
    let mut columns = cx.host("fx::nonzero_columns", &[mask], HostArguments::default(), &results);
    let size = columns.first().map(|column| column.dims.clone()).unwrap_or_default();
    columns.iter_mut().for_each(|column| column.dims = size.clone());
    columns
}

/// How index tensors and the dims that they leave make up a result.
pub(super) struct Layout<'c> {
    /// Sizes of the result: the broadcast index shape replaces the indexed dims where they are adjacent, and stands first
    /// otherwise.
    pub(super) dims: Vec<Dim<'c>>,
    /// The index tensors, read at the result's loops.
    pub(super) operands: Vec<Operand<'c>>,
    /// The input's dims that are not indexed, each with its loop.
    rest: Vec<(usize, usize)>,
}

impl<'c> Positions<'c> {
    /// How they index `input`.
    pub(super) fn layout(&self, cx: &Lower<'c>, input: &Tensor<'c>) -> Layout<'c> {
        let shapes: Vec<_> = self.tensors.iter().map(|tensor| tensor.dims.as_slice()).collect();
        let shape = cx.broadcast_dims(&shapes);
        let adjacent = self.dims.windows(2).all(|pair| pair[1] == pair[0] + 1);
        let place = if adjacent { self.dims.first().copied().unwrap_or(0) } else { 0 };
        let rest: Vec<_> = (0..input.rank()).filter(|dim| !self.dims.contains(dim)).collect();
        let mut dims: Vec<_> = rest.iter().map(|dim| input.dims[*dim]).collect();
        dims.splice(place..place, shape.iter().copied());
        let operands = self.tensors.iter().map(|tensor| {
            let mut operand = cx.broadcast(tensor, &shape);
            for ix in &mut operand.map {
                if let Ix::Loop(i) = ix {
                    *i += place;
                }
            }
            operand
        });
        let operands = operands.collect();
        let rest = rest.into_iter().enumerate().map(|(i, dim)| (dim, if i < place { i } else { i + shape.len() })).collect();
        Layout { dims, operands, rest }
    }
}

impl<'c> Layout<'c> {
    /// The first `count` indices into the input, where the index tensors for dims `indexed` hold `numbers`; and those of them
    /// that were checked.
    pub(super) fn place(
        &self,
        body: &Body<'c>,
        indexed: &[usize],
        axes: &[Axis<'c>],
        numbers: &[Number<'c>],
        count: usize,
    ) -> (Vec<Value<'c>>, Vec<Place<'c>>) {
        let mut at = vec![None; count];
        let places: Vec<_> = axes.iter().zip(numbers).map(|(axis, number)| axis.place(body, *number)).collect();
        for (dim, place) in indexed.iter().zip(&places) {
            at[*dim] = Some(place.index);
        }
        for (dim, i) in self.rest.iter().filter(|(dim, _)| *dim < count) {
            at[*dim] = Some(body.index(*i));
        }
        (at.into_iter().flatten().collect(), places)
    }
}

/// Advanced indexing by integer tensors.
fn index<'c>(cx: &mut Lower<'c>, op: FxOp<'c>) -> Result {
    let input = cx.operand(op, "input")?;
    let positions = positions(cx, op)?;
    let layout = positions.layout(cx, &input);
    let axes: Vec<_> = positions.dims.iter().map(|dim| Axis::wrapping(cx, op, &input, *dim)).collect();
    let result = cx.map(&layout.dims, input.element, &layout.operands, |body, a| {
        let (at, places) = layout.place(body, &positions.dims, &axes, a, input.rank());
        read(body, &input, &at, &places)
    });
    cx.set(op.op.result(0), result);
    Ok(())
}
