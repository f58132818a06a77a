//! From phase `kernels` to texts and plans, per target.

use std::collections::HashMap;

use fx_ir::{Module, Op, Result, emit_error};
use fx_runtime::Plan;
use fx_runtime::plan::{Binary, Launch, Scalar, ScalarOp};
use inkwell::context::Context as LlvmContext;

use crate::cpu::{self, Processor};
use crate::emit_cpu::Extent;
use crate::emit_gpu::{self, Grid};
use crate::gpu;
use crate::kernel::{Kernel, Size};
use crate::plan::{Launcher, build};

/// `ceil(size / per)`
fn pieces(size: Scalar, per: i64, scalar: &mut dyn FnMut(ScalarOp, Scalar, Scalar) -> Scalar) -> Scalar {
    match size {
        Scalar::Const(size) => Scalar::Const(size.div_euclid(per) + i64::from(size.rem_euclid(per) != 0)),
        size if per == 1 => size,
        size => scalar(ScalarOp::CeilDivI, size, Scalar::Const(per)),
    }
}

/// `a * b`
fn multiply(a: Scalar, b: Scalar, scalar: &mut dyn FnMut(ScalarOp, Scalar, Scalar) -> Scalar) -> Scalar {
    match (a, b) {
        (Scalar::Const(x), Scalar::Const(y)) => Scalar::Const(x.saturating_mul(y)),
        (Scalar::Const(1), other) | (other, Scalar::Const(1)) => other,
        (x, y) => scalar(ScalarOp::MulI, x, y),
    }
}

/// Launches of CPU kernels: ranges of their outer loop.
struct CpuLauncher {
    extents: HashMap<String, Extent>,
    binaries: HashMap<String, u32>,
}

impl Launcher for CpuLauncher {
    fn launch(
        &self,
        kernel: &str,
        product: &mut dyn FnMut(&[Size]) -> Scalar,
        scalar: &mut dyn FnMut(ScalarOp, Scalar, Scalar) -> Scalar,
    ) -> Option<Launch> {
        let extent = self.extents.get(kernel)?;
        let mut total = Scalar::Const(1);
        for count in &extent.sizes {
            let pieces = pieces(product(&[count.size]), count.per, scalar);
            total = multiply(total, pieces, scalar);
        }
        Some(Launch::Range { extent: total, grain: extent.grain, pieces: extent.pieces })
    }
    fn symbol(&self, kernel: &str) -> String {
        cpu::entry_name(kernel)
    }
    fn binary(&self, kernel: &str) -> u32 {
        self.binaries.get(kernel).copied().unwrap_or(0)
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

/// The plan of a module of phase `kernels` for a CPU.
///
/// # Errors
/// If a step fails: reported.
pub fn plan_cpu(module: &Module<'_>, processor: &Processor, lap: &mut dyn FnMut(&str)) -> Result<Plan> {
    let compiled = cpu::compile(module, processor, lap)?;
    let launcher = CpuLauncher { extents: compiled.extents, binaries: compiled.binaries };
    let mut plan = build(host(module)?, &kernels(module)?, &launcher, "cpu")?;
    plan.binaries.extend(compiled.objects);
    lap("plan");
    Ok(plan)
}

/// Launches of kernels that have no code.
struct NoCode;

impl Launcher for NoCode {
    fn launch(
        &self,
        _: &str,
        _: &mut dyn FnMut(&[Size]) -> Scalar,
        _: &mut dyn FnMut(ScalarOp, Scalar, Scalar) -> Scalar,
    ) -> Option<Launch> {
        Some(Launch::Range { extent: Scalar::Const(0), grain: 1, pieces: 1 })
    }
    fn symbol(&self, kernel: &str) -> String {
        kernel.to_string()
    }
    fn binary(&self, _: &str) -> u32 {
        0
    }
}

/// The plan of a module of phase `kernels` without code: to see its buffers.
///
/// # Errors
/// If the host function holds what a plan cannot: reported.
pub fn plan_without_code(module: &Module<'_>) -> Result<Plan> {
    let mut plan = build(host(module)?, &kernels(module)?, &NoCode, "cpu")?;
    plan.binaries.push(Binary::object(Vec::new(), Vec::new()));
    Ok(plan)
}

/// The text of a phase after `kernels`, for a CPU.
///
/// # Errors
/// If a step fails, or the target has no such phase: reported.
pub fn emit_cpu(module: &Module<'_>, phase: &str, processor: &Processor) -> Result<String> {
    let (emitted, _) = cpu::emit_module(module, processor)?;
    if phase == "gpu" {
        return Ok(emitted.op().to_string_with_locations());
    }
    cpu::lower(&emitted)?;
    if phase == "nvvm" {
        return Ok(emitted.op().to_string_with_locations());
    }
    let machine = processor.machine().map_err(|error| emit_error(module.op().location(), &error, &[]))?;
    let context = LlvmContext::create();
    let translated = cpu::to_llvm(&emitted, &machine, &context)?;
    if phase == "llvm" {
        return Ok(translated.print_to_string().to_string());
    }
    if phase == "ptx" {
        return cpu::to_assembly(&emitted, &translated, &machine);
    }
    Err(emit_error(module.op().location(), &format!("the target 'cpu' has no phase '{phase}'"), &[]))
}

/// Launches of GPU kernels: a grid of blocks.
struct GpuLauncher {
    grids: HashMap<String, Grid>,
    binaries: HashMap<String, u32>,
}

impl Launcher for GpuLauncher {
    fn launch(
        &self,
        kernel: &str,
        product: &mut dyn FnMut(&[Size]) -> Scalar,
        scalar: &mut dyn FnMut(ScalarOp, Scalar, Scalar) -> Scalar,
    ) -> Option<Launch> {
        let grid = self.grids.get(kernel)?;
        let mut blocks = Scalar::Const(1);
        for factor in &grid.factors {
            let pieces = pieces(product(&factor.sizes), factor.per, scalar);
            blocks = multiply(blocks, pieces, scalar);
        }
        let mut shared_bytes = Scalar::Const(grid.shared);
        if let Some(length) = &grid.length {
            let size = product(&[length.size]);
            let over = scalar(ScalarOp::RemI, size, Scalar::Const(length.width));
            let is_whole = scalar(ScalarOp::EqI, over, Scalar::Const(0));
            let at_most = |most: i64, scalar: &mut dyn FnMut(ScalarOp, Scalar, Scalar) -> Scalar| {
                let is_less = scalar(ScalarOp::LeI, size, Scalar::Const(most));
                scalar(ScalarOp::MulI, is_whole, is_less)
            };
            let (is_short, fits) = (at_most(length.short, scalar), at_most(length.most, scalar));
            let mut where_so = |condition: Scalar, count: i64| {
                let more = scalar(ScalarOp::MulI, condition, Scalar::Const(count - 1));
                scalar(ScalarOp::AddI, more, Scalar::Const(1))
            };
            let (teams, each) = (where_so(is_short, length.teams), where_so(fits, length.rows));
            let rows = scalar(ScalarOp::MulI, teams, each);
            blocks = scalar(ScalarOp::CeilDivI, blocks, rows);
            let held = scalar(ScalarOp::MulI, fits, rows);
            let bytes = scalar(ScalarOp::MulI, size, Scalar::Const(length.bytes));
            shared_bytes = scalar(ScalarOp::MulI, held, bytes);
        }
        let threads = u32::try_from(grid.threads).ok()?;
        Some(Launch::Grid { blocks: [blocks, Scalar::Const(1), Scalar::Const(1)], threads: [threads, 1, 1], shared_bytes })
    }
    fn symbol(&self, kernel: &str) -> String {
        kernel.to_string()
    }
    fn binary(&self, kernel: &str) -> u32 {
        self.binaries.get(kernel).copied().unwrap_or(0)
    }
}

/// The plan of a module of phase `kernels` for a GPU.
///
/// # Errors
/// If a step fails: reported.
pub fn plan_gpu(module: &Module<'_>, arch: &str, lap: &mut dyn FnMut(&str)) -> Result<Plan> {
    let compiled = gpu::compile(module, arch, lap)?;
    let binaries = (0u32..).zip(&compiled.kernels).map(|(index, (name, _))| (name.clone(), index)).collect();
    let launcher = GpuLauncher { grids: compiled.grids, binaries };
    let mut plan = build(host(module)?, &kernels(module)?, &launcher, arch)?;
    plan.binaries.extend(compiled.kernels.into_iter().map(|(_, ptx)| Binary::ptx(ptx)));
    lap("plan");
    Ok(plan)
}

/// How many kernels a module of phase `kernels` has.
///
/// # Errors
/// If one is malformed: reported.
pub fn kernel_count(module: &Module<'_>) -> Result<usize> {
    kernels(module).map(|kernels| kernels.len())
}

/// The text of a phase after `kernels`, for a GPU.
///
/// # Errors
/// If a step fails, or there is no such phase: reported.
pub fn emit_gpu(module: &Module<'_>, phase: &str, arch: &str) -> Result<String> {
    let (emitted, _) = emit_gpu::emit_module(module, emit_gpu::Features::of(arch))?;
    if phase == "gpu" {
        return Ok(emitted.op().to_string_with_locations());
    }
    gpu::lower(&emitted)?;
    if phase == "nvvm" {
        return Ok(emitted.op().to_string_with_locations());
    }
    let device = gpu::Device::new(arch).map_err(|error| emit_error(module.op().location(), &error, &[]))?;
    let context = LlvmContext::create();
    let translated = gpu::to_llvm(&emitted, &device, &context)?;
    match phase {
        "llvm" => Ok(translated.print_to_string().to_string()),
        "ptx" => gpu::to_ptx(&emitted, &translated, &device),
        _ => Err(emit_error(module.op().location(), &format!("the target '{arch}' has no phase '{phase}'"), &[])),
    }
}
