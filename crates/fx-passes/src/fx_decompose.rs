//! `fx-decompose`: rewrite composite fx ops into primitive ones.
//!
//! Needs     phase `fx`: functions of fx ops.
//! Gives     phase `prim`: the same functions, of ops that the table calls primitive.
//! Fails on  an op in a form that its rule refuses: all of them are reported, each at its place.
//! Tests     lit-tests/passes/fx-decompose/
//!
//! ```text
//! %y = fx.mv %m, %v ..  =>  %t = fx.view %v, %p = fx.mm %m, %t, %y = fx.view %p
//! ```

use fx_ir::{Op, Options, Pass, Result};
use fx_ops::fx_builder::Fx;
use fx_ops::fx_op::FxOp;
use fx_ops::table::{Decompose, find};

/// The pass.
pub static PASS: Pass = Pass {
    name: "fx-decompose",
    summary: "rewrite composite fx ops into primitive ones",
    anchor: "func.func",
    options: &[],
    dialects: &["fx", "arith", "tensor"],
    run,
};

fn run(function: Op<'_>, _: &Options) -> Result {
    decompose_all(function)
}

/// Rewrites one op, and what its rule gives, until all of it is primitive.
fn decompose(op: Op<'_>) -> Result {
    let Some(fx) = FxOp::new(op) else { return Ok(()) };
    let rule = match find(op.name()).map(|row| row.decompose) {
        Some(Decompose::Rule(rule)) => rule,
        Some(Decompose::Primitive) => return Ok(()),
        None => return Err(fx.error("has no row in the op table")),
    };
    let before = op.block().map(|block| previous(block.ops(), op));
    let values = rule(&Fx::before(op), fx)?;
    if values.len() != op.results().len() {
        let count = op.results().len();
        return Err(fx.error(&format!("internal bug: its rule gave {} values for {count} results", values.len())));
    }
    // What the rule made stands between the op before and this one.
    let mut made = Vec::new();
    let mut next = match before.flatten() {
        Some(before) => before.next(),
        None => op.block().and_then(|block| block.ops().first().copied()),
    };
    while let Some(current) = next.filter(|current| *current != op) {
        made.push(current);
        next = current.next();
    }
    let values: Vec<_> = values.into_iter().zip(op.results()).map(|(value, result)| fit(op, value, result.ty())).collect::<Result<_>>()?;
    op.replace(&values);
    made.into_iter().try_for_each(decompose_all)
}

/// Rewrites an op and those in its regions. What cannot be rewritten is reported and left; the others are rewritten all the
/// same, for their reports.
fn decompose_all(op: Op<'_>) -> Result {
    let mut ops = vec![op];
    op.walk(&mut |op| ops.push(op));
    ops.into_iter().map(decompose).fold(Ok(()), Result::and)
}

fn previous<'c>(ops: Vec<Op<'c>>, op: Op<'c>) -> Option<Op<'c>> {
    ops.iter().position(|other| *other == op).and_then(|index| index.checked_sub(1)).map(|index| ops[index])
}

/// The value with the type that its users expect: they may know sizes that inference does not.
fn fit<'c>(op: Op<'c>, value: fx_ir::Value<'c>, ty: fx_ir::Type<'c>) -> Result<fx_ir::Value<'c>> {
    if value.ty() == ty || !ty.is_tensor() {
        return Ok(value);
    }
    if value.ty().element() != ty.element() || value.ty().rank() != ty.rank() {
        let message = format!("internal bug: '{}' op was rewritten as a value of type {}, expected {ty}", op.name(), value.ty());
        return Err(fx_ir::emit_error(op.location(), &message, &[]));
    }
    Ok(fx_ir::Builder::before(op).value("tensor.cast", &[value], ty, &[]))
}
