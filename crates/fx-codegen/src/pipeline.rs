//! From phase `kernels` to texts and plans, per target.

use std::collections::HashMap;

use fx_ir::{Module, Op, Result, emit_error};
use fx_runtime::Plan;
use fx_runtime::plan::{Binary, BinaryKind, Launch, Scalar, ScalarOp};
use inkwell::context::Context as LlvmContext;

use crate::cpu;
use crate::emit_cpu::Extent;
use crate::kernel::{Kernel, Size};
use crate::plan::{Launcher, build};

/// Launches of CPU kernels: ranges of their outer loop.
struct CpuLauncher(HashMap<String, Extent>);

impl Launcher for CpuLauncher {
    fn launch(&self, kernel: &str, product: &mut dyn FnMut(&[Size]) -> Scalar, _: &mut dyn FnMut(ScalarOp, Scalar, Scalar) -> Scalar) -> Option<Launch> {
        let extent = self.0.get(kernel)?;
        Some(Launch::Range { extent: product(&extent.sizes), grain: extent.grain })
    }
    fn symbol(&self, kernel: &str) -> String {
        cpu::entry_name(kernel)
    }
    fn binary(&self, _: &str) -> u32 {
        0
    }
}

/// `@main`, the host function.
fn host<'c>(module: &Module<'c>) -> Result<Op<'c>> {
    module.function("main").ok_or_else(|| emit_error(module.op().location(), "the program has no function '@main'", &[]))
}

/// Kernel functions by name.
pub(crate) fn kernels<'c>(module: &Module<'c>) -> Result<HashMap<&'c str, Kernel<'c>>> {
    let mut found = HashMap::new();
    for op in module.body().ops() {
        if let Some(kernel) = Kernel::new(op)? {
            found.insert(kernel.name, kernel);
        }
    }
    Ok(found)
}

/// The plan of a module of phase `kernels` for this machine's processor.
///
/// # Errors
/// If a step fails: reported.
pub fn plan_cpu(module: &Module<'_>, lap: &mut dyn FnMut(&str)) -> Result<Plan> {
    let compiled = cpu::compile(module, lap)?;
    let mut plan = build(host(module)?, &kernels(module)?, &CpuLauncher(compiled.extents), "cpu")?;
    plan.binaries.push(Binary { kind: BinaryKind::ElfObject, bytes: compiled.object });
    lap("plan");
    Ok(plan)
}

/// The text of a phase after `kernels`, for this machine's processor.
///
/// # Errors
/// If a step fails, or the target has no such phase: reported.
pub fn emit_cpu(module: &Module<'_>, phase: &str) -> Result<String> {
    let (emitted, _) = cpu::emit_module(module)?;
    if phase == "gpu" {
        return Ok(emitted.op().to_string_with_locations());
    }
    cpu::lower(&emitted)?;
    if phase == "nvvm" {
        return Ok(emitted.op().to_string_with_locations());
    }
    let machine = cpu::Host::new().map_err(|error| emit_error(module.op().location(), &error, &[]))?;
    let context = LlvmContext::create();
    let translated = cpu::to_llvm(&emitted, &machine, &context)?;
    if phase == "llvm" {
        return Ok(translated.print_to_string().to_string());
    }
    Err(emit_error(module.op().location(), &format!("the target 'cpu' has no phase '{phase}'"), &[]))
}

/// The plan of a module of phase `kernels` for a GPU.
///
/// # Errors
/// If a step fails: reported.
pub fn plan_gpu(module: &Module<'_>, arch: &str, _: &mut dyn FnMut(&str)) -> Result<Plan> {
    Err(emit_error(module.op().location(), &format!("code for '{arch}' is not made yet"), &[]))
}

/// The text of a phase after `kernels`, for a GPU.
///
/// # Errors
/// If a step fails: reported.
pub fn emit_gpu(module: &Module<'_>, _: &str, arch: &str) -> Result<String> {
    Err(emit_error(module.op().location(), &format!("code for '{arch}' is not made yet"), &[]))
}
