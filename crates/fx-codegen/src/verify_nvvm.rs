//! `verify-nvvm`: check the contract of phase nvvm.
//!
//! Needs     anything that parses.
//! Gives     nothing: the module is not changed.
//! Fails on  what the contract of phase `nvvm` excludes: an error at each op.
//! Tests     lit-tests/passes/verify-phases/

use fx_ir::{Op, Options, Pass, Result};

use fx_passes::legality::{check, only_dialects};

/// The pass.
pub static PASS: Pass =
    Pass { name: "verify-nvvm", summary: "check the contract of phase nvvm", anchor: "builtin.module", options: &[], dialects: &[], run };

fn run(module: Op<'_>, _: &Options) -> Result {
    check(module, "nvvm", "the lowering to the LLVM dialect", |op| only_dialects(op, &["llvm", "nvvm", "gpu", "builtin"]))
}
