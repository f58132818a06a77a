//! A loop as a scan over its trips, which a first run counts.

use std::collections::HashMap;

use fx_ir::{Attribute, DYNAMIC, Result, Type};
use fx_ops::fx_builder::Fx;
use fx_ops::fx_op::FxOp;

use crate::regions::{Body, scan};

/// Puts a loop that counts and a scan of that length in place of a loop.
pub(crate) fn as_scan(op: FxOp<'_>) -> Result<FxOp<'_>> {
    let f = Fx::before(op.op);
    let wide = Type::int(f.context(), 64);
    let zero = f.b.int(wide, 0);
    let mut init = op.op.operands();
    let count = init.len();
    init.push(zero);
    let types: Vec<_> = init.iter().map(|value| value.ty()).collect();
    let counting = f.b.op_with_regions(op.op.name(), &init, &types, &[], &[Some(&types), Some(&types)]);
    for index in 0..2 {
        let from = op.op.body(index).ok_or_else(|| op.error("internal bug: has a region without a block"))?;
        let mut body = Body::new(counting, index)?;
        let arguments = body.block.arguments();
        let mut map: HashMap<_, _> = from.arguments().into_iter().zip(arguments.iter().copied()).collect();
        let mut yielded = body.copy(from, &mut map);
        if index == 1 {
            let one = body.f.b.int(wide, 1);
            yielded.push(body.f.b.value("arith.addi", &[arguments[count], one], wide, &[]));
        }
        body.finish(&yielded);
    }
    let trips = f.b.value("arith.index_cast", &[counting.result(count)], Type::index(f.context()), &[]);
    let steps = f.op(
        "fx.full",
        &[trips, zero],
        &[("static_size", Attribute::i64s(f.context(), &[DYNAMIC])), ("dtype", Attribute::from_type(wide))],
    )?;
    let twin = scan::build(&f, &init[..count], &[steps], &types[..count]);
    let from = op.op.body(1).ok_or_else(|| op.error("internal bug: has a region without a block"))?;
    let mut body = Body::new(twin, 0)?;
    let mut map: HashMap<_, _> = from.arguments().into_iter().zip(body.block.arguments()).collect();
    let yielded = body.copy(from, &mut map);
    body.finish(&yielded);
    op.op.replace(&twin.results());
    FxOp::new(twin).ok_or_else(|| fx_ir::emit_error(twin.location(), "internal bug: a scan is no op of fx", &[]))
}
