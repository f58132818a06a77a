//! Masks, and positions of true elements: functions on the host (`fx-library`).

use fx_ir::{Result, Type};

use crate::fx_op::{Dim, FxOp};
use crate::library::{HostArguments, HostResult};
use crate::lower::{Ix, Lower, Operand, Tensor};
use crate::rows::derivatives;
use crate::table::{OpRow, lowered};

/// The table.
pub static ROWS: &[OpRow] = &[
    lowered("fx.nonzero", |cx, op| {
        let input = cx.operand(op, "input")?;
        let dims = vec![None, Some(Dim::Static(input.rank() as i64))];
        let result = HostResult { dims, element: Type::int(cx.context(), 64) };
        cx.host_op(op, "fx::nonzero", &[input], HostArguments::default(), &[result]);
        Ok(())
    })
    .constant("its results are integers"),
    lowered("fx.nonzero_static", |cx, op| {
        let input = cx.operand(op, "input")?;
        let size = cx.sizes(op, "size").first().copied().unwrap_or(Dim::Static(0));
        let scalars = [cx.int_argument(op.op.int("fill_value").unwrap_or(-1))];
        let result = HostResult::sized(&[size, Dim::Static(input.rank() as i64)], Type::int(cx.context(), 64));
        cx.host_op(op, "fx::nonzero_static", &[input], HostArguments::scalars(&scalars), &[result]);
        Ok(())
    })
    .constant("its results are integers"),
    lowered("fx.masked_select", |cx, op| {
        let (input, mask) = masked(cx, op, "input")?;
        let result = HostResult::vector(input.element);
        cx.host_op(op, "fx::masked_select", &[input, mask], HostArguments::default(), &[result]);
        Ok(())
    })
    .vjp(derivatives::indexing::masked_select),
    lowered("fx.masked_scatter", |cx, op| {
        let (input, mask) = masked(cx, op, "input")?;
        let result = HostResult::sized(&input.dims, input.element);
        let tensors = [input, mask, cx.operand(op, "source")?];
        cx.host_op(op, "fx::masked_scatter", &tensors, HostArguments::default(), &[result]);
        Ok(())
    })
    .vjp(derivatives::indexing::masked_scatter),
    lowered("fx.masked_scatter_backward", |cx, op| {
        let (grad, mask) = masked(cx, op, "grad_output")?;
        let result = HostResult::sized(&cx.sizes(op, "sizes"), grad.element);
        cx.host_op(op, "fx::masked_scatter_backward", &[grad, mask], HostArguments::default(), &[result]);
        Ok(())
    })
    .vjp(derivatives::indexing::masked_scatter_backward),
    lowered("fx.repeat_interleave", repeat_interleave).vjp(derivatives::indexing::repeat_interleave),
];

/// A tensor expanded to larger sizes.
fn expanded<'c>(cx: &Lower<'c>, tensor: Tensor<'c>, dims: &[Dim<'c>]) -> Tensor<'c> {
    if tensor.dims == dims { tensor } else { cx.map(dims, tensor.element, &[cx.broadcast(&tensor, dims)], |_, a| a[0]) }
}

/// An operand and the op's mask, broadcast against each other.
fn masked<'c>(cx: &Lower<'c>, op: FxOp<'c>, name: &str) -> Result<(Tensor<'c>, Tensor<'c>)> {
    let (input, mask) = (cx.operand(op, name)?, cx.operand(op, "mask")?);
    let dims = cx.broadcast_dims(&[&input.dims, &mask.dims]);
    Ok((expanded(cx, input, &dims), expanded(cx, mask, &dims)))
}

/// Slices at positions that the host computes: j repeated `repeats[j]` times.
fn repeat_interleave<'c>(cx: &mut Lower<'c>, op: FxOp<'c>) -> Result {
    let repeats = cx.operand(op, "repeats")?;
    let mut input = op.optional("input").map(|value| cx.tensor(value)).transpose()?;
    let mut dim = 0;
    if let Some(tensor) = &mut input {
        match op.op.int("dim") {
            Some(given) if tensor.rank() > 0 => dim = op.normalize(given, tensor.rank())?,
            _ => *tensor = cx.reshape(tensor, &[cx.product(&tensor.dims)]),
        }
    }
    let slices = input.as_ref().map_or_else(|| repeats.dims.first().copied().unwrap_or(Dim::Static(1)), |input| input.dims[dim]);
    let size = cx.sizes(op, "output_size").first().copied();
    let expected = size.map_or_else(|| cx.int_argument(-1), |size| cx.dim_value(size));
    let scalars = [cx.dim_value(slices), expected];
    let result = HostResult { dims: vec![size], element: repeats.element };
    let indices = cx.host("fx::repeats", &[repeats], HostArguments::scalars(&scalars), &[result]).remove(0);
    let Some(input) = input else {
        cx.set(op.op.result(0), indices);
        return Ok(());
    };
    let mut dims = input.dims.clone();
    dims[dim] = indices.dims[0];
    let rank = dims.len();
    let operand = Operand { tensor: indices, map: vec![Ix::Loop(dim)] };
    let result = cx.map(&dims, input.element, &[operand], |body, a| {
        let mut at: Vec<_> = (0..rank).map(|i| body.index(i)).collect();
        at[dim] = body.s.cast(a[0], Type::index(body.s.context())).value;
        body.extract(&input, &at)
    });
    cx.set(op.op.result(0), result);
    Ok(())
}
