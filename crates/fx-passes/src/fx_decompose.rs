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
use fx_ops::decompose::decompose;

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
fn rewrite(op: Op<'_>) -> Result {
    decompose(op)?.unwrap_or_default().into_iter().try_for_each(decompose_all)
}

/// Rewrites an op and those in its regions. What cannot be rewritten is reported and left; the others are rewritten all the
/// same, for their reports.
fn decompose_all(op: Op<'_>) -> Result {
    let mut ops = vec![op];
    op.walk(&mut |op| ops.push(op));
    ops.into_iter().map(rewrite).fold(Ok(()), Result::and)
}
