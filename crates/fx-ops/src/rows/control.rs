//! Sizes, control flow, checks and calls.

use crate::table::{Decompose, Lowering, OpRow, lowered, row};

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
];
