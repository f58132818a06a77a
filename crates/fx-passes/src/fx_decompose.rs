//! `fx-decompose`: rewrite composite fx ops into primitive ones.
//!
//! Needs     phase `fx`: functions of fx ops.
//! Gives     phase `prim`: the same functions, of ops that the table calls primitive.
//! Fails on  an op without a rule: all of them are reported, each at its place, before anything is changed.
//! Tests     lit-tests/passes/fx-decompose/
//!
//! ```text
//! %y = fx.mv %m, %v ..  =>  %t = fx.view %v, %p = fx.mm %m, %t, %y = fx.view %p
//! ```

use fx_ir::{Op, Options, Pass, Result, emit_error};
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
    check(function)?;
    decompose_all(function)
}

/// Reports every op that has no rule.
fn check(function: Op<'_>) -> Result {
    let mut result = Ok(());
    function.walk(&mut |op| {
        let Some(fx) = FxOp::new(op) else { return };
        let why = match find(op.name()).map(|row| row.decompose) {
            None => "it has no row in the op table",
            Some(Decompose::Missing(why)) => why,
            Some(_) => return,
        };
        let note = format!("replace Missing(..) in the row of '{}', or register an implementation and use 'fx.call'", op.name());
        result = Err(emit_error(fx.location(), &format!("'{}' op cannot be compiled: {why}", op.name()), &[(fx.location(), note)]));
    });
    result
}

/// Rewrites one op, and what its rule gives, until all of it is primitive.
fn decompose(op: Op<'_>) -> Result {
    let Some(fx) = FxOp::new(op) else { return Ok(()) };
    let rule = match find(op.name()).map(|row| row.decompose) {
        Some(Decompose::Rule(rule)) => rule,
        Some(Decompose::Primitive) => return Ok(()),
        _ => return check_one(fx),
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
    let values: Vec<_> = values.into_iter().zip(op.results()).map(|(value, result)| fit(op, value, result.ty())).collect();
    op.replace(&values);
    made.into_iter().try_for_each(decompose_all)
}

/// Rewrites an op and those in its regions.
fn decompose_all(op: Op<'_>) -> Result {
    let mut ops = vec![op];
    op.walk(&mut |op| ops.push(op));
    ops.into_iter().try_for_each(decompose)
}

fn check_one(fx: FxOp<'_>) -> Result {
    Err(fx.error("cannot be compiled: a decomposition rule made it, and the op table has no rule for it"))
}

fn previous<'c>(ops: Vec<Op<'c>>, op: Op<'c>) -> Option<Op<'c>> {
    ops.iter().position(|other| *other == op).and_then(|index| index.checked_sub(1)).map(|index| ops[index])
}

/// The value with the type that its users expect: they may know sizes that inference does not.
fn fit<'c>(op: Op<'c>, value: fx_ir::Value<'c>, ty: fx_ir::Type<'c>) -> fx_ir::Value<'c> {
    if value.ty() == ty || !ty.is_tensor() {
        return value;
    }
    fx_ir::Builder::before(op).value("tensor.cast", &[value], ty, &[])
}
