//! `verify-linalg`: check the contract of phase linalg.
//!
//! Needs     anything that parses.
//! Gives     nothing: the module is not changed.
//! Fails on  what the contract of phase `linalg` excludes: an error at each op.
//! Tests     lit-tests/passes/verify-phases/

use fx_ir::{Op, Options, Pass, Result};

use crate::legality::{check, only_dialects};

/// The pass.
pub static PASS: Pass = Pass { name: "verify-linalg", summary: "check the contract of phase linalg", anchor: "builtin.module", options: &[], dialects: &[], run };

fn run(module: Op<'_>, _: &Options) -> Result {
    check(module, "linalg", "'convert-fx-to-linalg'", |op| {
        if op.name() == "fx.call" {
            return None; // a host function
        }
        only_dialects(op, &["linalg", "tensor", "arith", "math", "complex", "scf", "cf", "func"])
    })
}
