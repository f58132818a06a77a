//! `verify-kernels`: check the contract of phase kernels.
//!
//! Needs     anything that parses.
//! Gives     nothing: the module is not changed.
//! Fails on  what the contract of phase `kernels` excludes: an error at each op.
//! Tests     lit-tests/passes/verify-phases/

use fx_ir::{Op, Options, Pass, Result};

use fx_passes::legality::{check, dialect, only_dialects};

use crate::kernel::Kernel;
use crate::scatter::Scatter;
use crate::sort::Sort;

/// The pass.
pub static PASS: Pass = Pass {
    name: "verify-kernels",
    summary: "check the contract of phase kernels",
    anchor: "builtin.module",
    options: &[],
    dialects: &[],
    run,
};

fn run(module: Op<'_>, _: &Options) -> Result {
    for function in module.body(0).map(|body| body.ops()).unwrap_or_default() {
        Kernel::new(function)?;
    }
    check(module, "kernels", "'fx-form-kernels'", |op| {
        let kernel = op.ancestor("func.func").is_some_and(|function| function.attribute("fx.kernel").is_some());
        if dialect(op) == "linalg" && !kernel {
            return Some("it computes on the host, outside every kernel".to_string());
        }
        if op.name() == "fx.call" && (!kernel || Scatter::of(op).is_some() || Sort::of(op).is_some()) {
            return None; // a host function, or one that kernels know
        }
        only_dialects(op, &["linalg", "tensor", "arith", "math", "complex", "scf", "cf", "func"])
    })
}
