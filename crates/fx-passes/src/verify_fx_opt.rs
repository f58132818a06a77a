//! `verify-fx-opt`: check the contract of phase fx-opt.
//!
//! Needs     anything that parses.
//! Gives     nothing: the module is not changed.
//! Fails on  what the contract of phase `fx-opt` excludes: an error at each op.
//! Tests     lit-tests/passes/verify-phases/

use fx_ir::{Op, Options, Pass, Result};

use crate::legality::{check, only_dialects};

/// The pass.
pub static PASS: Pass = Pass { name: "verify-fx-opt", summary: "check the contract of phase fx-opt", anchor: "builtin.module", options: &[], dialects: &[], run };

fn run(module: Op<'_>, _: &Options) -> Result {
    check(module, "fx-opt", "canonicalisation", |op| only_dialects(op, &["fx", "func", "arith", "math", "complex", "tensor", "scf"]))
}
