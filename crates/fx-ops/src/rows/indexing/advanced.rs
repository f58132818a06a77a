//! Advanced indexing: dims replaced by positions that tensors hold.

use fx_ir::{Attribute, NumberKind, Result, Type};

use super::position::{Axis, read};
use crate::batching;
use crate::fx_op::FxOp;
use crate::library::{HostArguments, HostResult};
use crate::lower::{Ix, Lower, Tensor};
use crate::rows::derivatives;
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

/// Advanced indexing by integer tensors: the broadcast index shape replaces the indexed dims where they are adjacent,
/// and stands first otherwise.
fn index<'c>(cx: &mut Lower<'c>, op: FxOp<'c>) -> Result {
    let input = cx.operand(op, "input")?;
    let Positions { tensors, dims: indexed } = positions(cx, op)?;
    let shapes: Vec<_> = tensors.iter().map(|tensor| tensor.dims.as_slice()).collect();
    let shape = cx.broadcast_dims(&shapes);
    let adjacent = indexed.windows(2).all(|pair| pair[1] == pair[0] + 1);
    let place = if adjacent { indexed.first().copied().unwrap_or(0) } else { 0 };
    let rest: Vec<_> = (0..input.rank()).filter(|dim| !indexed.contains(dim)).collect();
    let mut dims: Vec<_> = rest.iter().map(|dim| input.dims[*dim]).collect();
    dims.splice(place..place, shape.iter().copied());
    let operands: Vec<_> = tensors
        .iter()
        .map(|tensor| {
            let mut operand = cx.broadcast(tensor, &shape);
            for ix in &mut operand.map {
                if let Ix::Loop(i) = ix {
                    *i += place;
                }
            }
            operand
        })
        .collect();
    let axes: Vec<_> = indexed.iter().map(|dim| Axis::wrapping(cx, op, &input, *dim)).collect();
    let result = cx.map(&dims, input.element, &operands, |body, a| {
        let mut at = vec![None; input.rank()];
        let places: Vec<_> = axes.iter().zip(a).map(|(axis, number)| axis.place(body, *number)).collect();
        for (dim, place) in indexed.iter().zip(&places) {
            at[*dim] = Some(place.index);
        }
        for (i, dim) in rest.iter().enumerate() {
            at[*dim] = Some(body.index(if i < place { i } else { i + shape.len() }));
        }
        let at: Vec<_> = at.into_iter().flatten().collect();
        read(body, &input, &at, &places)
    });
    cx.set(op.op.result(0), result);
    Ok(())
}
