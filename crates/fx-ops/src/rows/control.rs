//! Sizes, control flow, checks and calls.

use fx_ir::Type;

use crate::fx_op::Dim;
use crate::scalar::{Number, Scalars, storage_type};
use crate::table::{Decompose, Lowering, OpRow, composite, lowered, missing, row};

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
    composite("fx.stop_gradient", |_, op| Ok(vec![op.operand("input")?])),
    lowered("fx.stride", |cx, op| {
        let input = cx.operand(op, "input")?;
        let dim = op.dim("dim", input.rank())?;
        let sizes: Vec<_> = input.dims[dim + 1..].iter().map(|size| cx.max(*size, Dim::Static(1))).collect();
        let stride = cx.dim_value(cx.product(&sizes));
        cx.set_scalar(op.op.result(0), stride);
        Ok(())
    }),
    lowered("fx.storage_offset", |cx, op| {
        let zero = cx.b.index(0);
        cx.set_scalar(op.op.result(0), zero);
        Ok(())
    }),
    lowered("fx.is_contiguous", |cx, op| {
        let yes = cx.b.int(Type::int(cx.context(), 1), 1);
        cx.set_scalar(op.op.result(0), yes);
        Ok(())
    }),
    lowered("fx.item", |cx, op| {
        let input = cx.operand(op, "input")?;
        let zero = cx.b.index(0);
        let operands: Vec<_> = std::iter::once(input.value).chain(input.dims.iter().map(|_| zero)).collect();
        let value = cx.b.value("tensor.extract", &operands, storage_type(input.element), &[]);
        let number = Scalars::new(cx.b).cast(Number { value, ty: input.element }, op.op.result(0).ty());
        cx.set_scalar(op.op.result(0), number.value);
        Ok(())
    }),
    missing("fx.all_gather_into_tensor", "collectives are not lowered yet"),
    missing("fx.all_reduce", "collectives are not lowered yet"),
    missing("fx.all_to_all_single", "collectives are not lowered yet"),
    missing("fx.assert", "a check at run time needs a way out of a kernel"),
    missing("fx.broadcast", "collectives are not lowered yet"),
    missing("fx.call", "an operator that is not ours needs a registered implementation"),
    missing("fx.map", "regions with loops are not lowered yet"),
    missing("fx.reduce_scatter_tensor", "collectives are not lowered yet"),
    missing("fx.scan", "regions with loops are not lowered yet"),
    missing("fx.wait_tensor", "collectives are not lowered yet"),
    missing("fx.while_loop", "regions with loops are not lowered yet"),
];
