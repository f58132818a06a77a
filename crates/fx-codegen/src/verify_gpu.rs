//! `verify-gpu`: check the contract of phase gpu.
//!
//! Needs     anything that parses.
//! Gives     nothing: the module is not changed.
//! Fails on  what the contract of phase `gpu` excludes: an error at each op.
//! Tests     lit-tests/passes/verify-phases/

use fx_ir::{Op, Options, Pass, Result};

use fx_passes::legality::{check, only_dialects};

/// The pass.
pub static PASS: Pass =
    Pass { name: "verify-gpu", summary: "check the contract of phase gpu", anchor: "builtin.module", options: &[], dialects: &[], run };

fn run(module: Op<'_>, _: &Options) -> Result {
    check(module, "gpu", "the emitters of kernels", |op| {
        let values = op.operands().into_iter().chain(op.results());
        if values.into_iter().any(|value| value.ty().is_tensor()) {
            return Some("it has a tensor: kernels work on memory".to_string());
        }
        only_dialects(op, &["gpu", "func", "memref", "vector", "arith", "math", "complex", "scf", "llvm", "nvvm"])
    })
}
