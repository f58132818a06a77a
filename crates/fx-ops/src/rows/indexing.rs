//! Lookups: elements at positions that tensors hold.

use fx_ir::{Attribute, Result, Type, Value};

use crate::fx_op::{Dim, FxOp};
use crate::lower::{Body, Ix, Lower, Tensor};
use crate::scalar::{Compare, Number};
use crate::table::{OpRow, lowered, missing};

/// The table.
pub static ROWS: &[OpRow] = &[
    lowered("fx.embedding", embedding),
    lowered("fx.gather", gather),
    lowered("fx.index_select", index_select),
    lowered("fx.index", index),
    missing("fx.index_put", "not lowered yet"),
    missing("fx.as_strided_scatter", "needs a scatter kernel"),
    missing("fx.bucketize", "not lowered yet"),
    missing("fx.diagonal_scatter", "not lowered yet"),
    missing("fx.embedding_bag", "not lowered yet"),
    missing("fx.index_add", "needs a scatter kernel"),
    missing("fx.index_copy", "needs a scatter kernel"),
    missing("fx.index_fill", "not lowered yet"),
    missing("fx.index_reduce", "needs a scatter kernel"),
    missing("fx.masked_scatter", "needs a scatter kernel"),
    missing("fx.masked_select", "needs a compaction kernel: its result has a data-dependent size"),
    missing("fx.nonzero", "needs a compaction kernel: its result has a data-dependent size"),
    missing("fx.nonzero_static", "needs a compaction kernel: its result has a data-dependent size"),
    missing("fx.one_hot", "not lowered yet"),
    missing("fx.put", "needs a scatter kernel"),
    missing("fx.repeat_interleave", "needs a compaction kernel: its result has a data-dependent size"),
    missing("fx.repeat_interleave_int", "not lowered yet"),
    missing("fx.scatter", "needs a scatter kernel"),
    missing("fx.scatter_add", "needs a scatter kernel"),
    missing("fx.scatter_reduce", "needs a scatter kernel"),
    missing("fx.searchsorted", "not lowered yet"),
    missing("fx.select_scatter", "not lowered yet"),
    missing("fx.slice_scatter", "not lowered yet"),
    missing("fx.take", "not lowered yet"),
    missing("fx.take_along_dim", "not lowered yet"),
    missing("fx.tril", "not lowered yet"),
    missing("fx.tril_indices", "not lowered yet"),
    missing("fx.triu", "not lowered yet"),
    missing("fx.triu_indices", "not lowered yet"),
];

/// A position read from an index tensor, as an index; negative ones count from the end.
fn position<'c>(body: &Body<'c>, at: Number<'c>, size: Value<'c>, wrap: bool) -> Value<'c> {
    let s = &body.s;
    let index = Type::index(s.context());
    let at = s.cast(at, index);
    if !wrap {
        return at.value;
    }
    let negative = s.compare(Compare::Lt, at, s.int(index, 0));
    let size = body.as_number(size);
    s.select(negative, s.add(at, size), at).value
}

/// `result[i.., j] = weight[indices[i..], j]`
fn embedding<'c>(cx: &mut Lower<'c>, op: FxOp<'c>) -> Result {
    let weight = cx.operand(op, "weight")?;
    let indices = cx.operand(op, "indices")?;
    let mut dims = indices.dims.clone();
    dims.push(weight.dims[1]);
    let map = cx.broadcast(&indices, &indices.dims).map;
    let size = cx.dim_value(weight.dims[0]);
    let operand = crate::lower::Operand { tensor: indices.clone(), map };
    let last = dims.len() - 1;
    let result = cx.map(&dims, weight.element, &[operand], |body, a| {
        let row = position(body, a[0], size, false);
        body.extract(&weight, &[row, body.index(last)])
    });
    cx.set(op.op.result(0), result);
    Ok(())
}

/// `result[i, j] = input[index[i, j], j]` for dim 0, and so for other dims.
fn gather<'c>(cx: &mut Lower<'c>, op: FxOp<'c>) -> Result {
    let input = cx.operand(op, "input")?;
    let index = cx.operand(op, "index")?;
    let dim = op.dim("dim", input.rank())?;
    let operand = crate::lower::Operand { map: (0..index.rank()).map(Ix::Loop).collect(), tensor: index.clone() };
    let size = input.dims.get(dim).map(|size| cx.dim_value(*size));
    let rank = input.rank();
    let result = cx.map(&index.dims, input.element, &[operand], |body, a| {
        let mut at: Vec<_> = (0..rank).map(|i| body.index(i)).collect();
        if let Some(size) = size {
            at[dim] = position(body, a[0], size, false);
        }
        body.extract(&input, &at)
    });
    cx.set(op.op.result(0), result);
    Ok(())
}

/// `result[.., i, ..] = input[.., index[i], ..]`
fn index_select<'c>(cx: &mut Lower<'c>, op: FxOp<'c>) -> Result {
    let input = cx.operand(op, "input")?;
    let index = cx.operand(op, "index")?;
    if input.rank() == 0 {
        cx.set(op.op.result(0), input);
        return Ok(());
    }
    let dim = op.dim("dim", input.rank())?;
    let mut dims = input.dims.clone();
    dims[dim] = index.dims.first().copied().unwrap_or(Dim::Static(1));
    let map = index.dims.iter().map(|_| Ix::Loop(dim)).collect();
    let size = cx.dim_value(input.dims[dim]);
    let rank = input.rank();
    let operand = crate::lower::Operand { tensor: index.clone(), map };
    let result = cx.map(&dims, input.element, &[operand], |body, a| {
        let mut at: Vec<_> = (0..rank).map(|i| body.index(i)).collect();
        at[dim] = position(body, a[0], size, false);
        body.extract(&input, &at)
    });
    cx.set(op.op.result(0), result);
    Ok(())
}

/// Advanced indexing by integer tensors: the broadcast index shape replaces the indexed dims where they are adjacent,
/// and stands first otherwise.
fn index<'c>(cx: &mut Lower<'c>, op: FxOp<'c>) -> Result {
    let input = cx.operand(op, "input")?;
    let present = op.op.attribute("present_indices").and_then(Attribute::as_bools).unwrap_or_default();
    let tensors = op.list("indices").into_iter().map(|value| cx.tensor(value)).collect::<Result<Vec<Tensor<'c>>>>()?;
    if tensors.iter().any(|tensor| tensor.element.is_bool() || tensor.element.bit_width() == 8) {
        return Err(op.error("with a mask is not compiled yet: its result has a data-dependent size"));
    }
    let indexed: Vec<_> = present.iter().enumerate().filter(|(_, there)| **there).map(|(dim, _)| dim).collect();
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
    let sizes: Vec<_> = indexed.iter().map(|dim| cx.dim_value(input.dims[*dim])).collect();
    let result = cx.map(&dims, input.element, &operands, |body, a| {
        let mut at = vec![None; input.rank()];
        for ((dim, number), size) in indexed.iter().zip(a).zip(&sizes) {
            at[*dim] = Some(position(body, *number, *size, true));
        }
        for (i, dim) in rest.iter().enumerate() {
            at[*dim] = Some(body.index(if i < place { i } else { i + shape.len() }));
        }
        let at: Vec<_> = at.into_iter().flatten().collect();
        body.extract(&input, &at)
    });
    cx.set(op.op.result(0), result);
    Ok(())
}
