//! `verify-prim`: check the contract of phase prim.
//!
//! Needs     anything that parses.
//! Gives     nothing: the module is not changed.
//! Fails on  what the contract of phase `prim` excludes: an error at each op.
//! Tests     lit-tests/passes/verify-phases/

use fx_ir::{Op, Options, Pass, Result};

use fx_ops::table::{Decompose, find};

use crate::legality::{check, dialect, only_dialects};

/// The pass.
pub static PASS: Pass = Pass { name: "verify-prim", summary: "check the contract of phase prim", anchor: "builtin.module", options: &[], dialects: &[], run };

fn run(module: Op<'_>, _: &Options) -> Result {
    check(module, "prim", "'fx-decompose'", |op| {
        let primitive = matches!(find(op.name()).map(|row| row.decompose), Some(Decompose::Primitive));
        if dialect(op) == "fx" && !primitive {
            return Some("it is not primitive".to_string());
        }
        only_dialects(op, &["fx", "func", "arith", "math", "complex", "tensor", "scf"])
    })
}
