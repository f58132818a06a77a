//! From linalg to kernels, CPU objects and PTX.
//!
//! Layer     Above `fx-passes`; the only crate that knows NVVM, PTX and machine code.
//! Holds     Kernel formation, code for kernels on a CPU and on a GPU, LLVM, and the launch plan.
#![forbid(unsafe_code)]

use fx_ir::{Op, Pass, Reported, emit_error};

mod assembly;
mod conditions;
pub mod contract_cpu;
pub mod contract_gpu;
pub mod contraction;
pub mod cpu;
pub mod device_math;
pub mod emit_cpu;
pub mod emit_gpu;
pub mod eval;
pub mod expand_math;
pub mod form_kernels;
pub mod generic;
pub mod gpu;
pub mod kernel;
pub mod kernel_times;
mod parsed;
pub mod pipeline;
pub mod plan;
pub mod scan;
pub mod scatter;
pub mod sort;
pub mod split_reductions;
pub mod stash;
pub mod team;
pub mod verify_gpu;
pub mod verify_kernels;
pub mod verify_nvvm;

/// Every pass of this crate.
pub static PASSES: &[&Pass] =
    &[&expand_math::PASS, &form_kernels::PASS, &split_reductions::PASS, &verify_gpu::PASS, &verify_kernels::PASS, &verify_nvvm::PASS];

/// The place that an op comes from, for messages at run time: `file:line:column`, or MLIR's text form.
pub(crate) fn place_of(op: Op<'_>) -> String {
    let text = op.location().to_string();
    text.strip_prefix("loc(").and_then(|text| text.strip_suffix(')')).unwrap_or(&text).replace('"', "")
}

/// Reports a bug of the compiler itself at an op.
pub(crate) fn internal(op: Op<'_>, what: &str) -> Reported {
    emit_error(op.location(), &format!("internal bug: {what}"), &[])
}
