//! Sizes, control flow, checks and calls.

use crate::table::{Decompose, Lowering, OpRow, lowered, missing, row};

/// The table.
pub static ROWS: &[OpRow] = &[
    lowered("fx.size", |cx, op| {
        let input = cx.operand(op, "input")?;
        let dim = op.dim("dim", input.rank())?;
        let size = cx.dim_value(input.dims[dim]);
        cx.set_scalar(op.op.result(0), size);
        Ok(())
    }),
    lowered("fx.numel", |cx, op| {
        let input = cx.operand(op, "input")?;
        let size = cx.dim_value(cx.product(&input.dims));
        cx.set_scalar(op.op.result(0), size);
        Ok(())
    }),
    // A check that PyTorch made of its own conversion: nothing is left to do.
    lowered("fx.assert_tensor_metadata", |_, _| Ok(())),
    row("fx.cond", Decompose::Primitive, Lowering::Structural),
    row("fx.yield", Decompose::Primitive, Lowering::Structural),
    missing("fx.all_gather_into_tensor", "collectives are not lowered yet"),
    missing("fx.all_reduce", "collectives are not lowered yet"),
    missing("fx.all_to_all_single", "collectives are not lowered yet"),
    missing("fx.assert", "not lowered yet"),
    missing("fx.broadcast", "collectives are not lowered yet"),
    missing("fx.call", "an operator that is not ours needs a registered implementation"),
    missing("fx.is_contiguous", "not lowered yet"),
    missing("fx.item", "not lowered yet"),
    missing("fx.map", "regions with loops are not lowered yet"),
    missing("fx.reduce_scatter_tensor", "collectives are not lowered yet"),
    missing("fx.scan", "regions with loops are not lowered yet"),
    missing("fx.stop_gradient", "not lowered yet"),
    missing("fx.storage_offset", "not lowered yet"),
    missing("fx.stride", "not lowered yet"),
    missing("fx.wait_tensor", "collectives are not lowered yet"),
    missing("fx.while_loop", "regions with loops are not lowered yet"),
];
