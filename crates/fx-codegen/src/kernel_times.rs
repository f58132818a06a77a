//! How long each kernel takes to compile by itself: for measuring. A program's kernels are compiled together.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use fx_ir::{Builder, Module, Op, Result, emit_error};
use fx_runtime::assembler::Assembler;

use crate::cpu::Processor;
use crate::kernel::Kernel;
use crate::{cpu, gpu};

/// What kernels are compiled for.
#[derive(Clone, Copy)]
pub enum Machine<'a> {
    /// A CPU.
    Cpu(&'a Processor),
    /// A GPU of this architecture.
    Gpu(&'a str),
}

/// How often a kernel is compiled: the time is the median, as other work on the machine interrupts some.
const TIMES: usize = 3;

/// The kernels of a module of phase `kernels`, in order, each with the time from linalg to machine code; on a GPU to PTX if there is no
/// assembler.
///
/// # Errors
/// If a step fails: reported.
pub fn kernel_times(module: &Module<'_>, machine: Machine<'_>) -> Result<Vec<(String, Duration)>> {
    let mut times = Vec::new();
    for op in module.body().ops() {
        let Some(kernel) = Kernel::new(op)? else { continue };
        if times.is_empty() {
            time(module, op, machine)?; // what LLVM and MLIR set up once is not the first kernel's
        }
        let mut own = (0..TIMES).map(|_| time(module, op, machine)).collect::<Result<Vec<_>>>()?;
        own.sort_unstable();
        times.push((kernel.name.to_string(), own[TIMES / 2]));
    }
    Ok(times)
}

/// Compiles one kernel.
fn time<'c>(module: &Module<'c>, kernel: Op<'c>, machine: Machine<'_>) -> Result<Duration> {
    let context = module.context();
    let alone = Module::new(context, module.op().location());
    Builder::at_end(alone.body(), context, kernel.location()).clone_op(kernel, &mut HashMap::new());
    let started = Instant::now();
    match machine {
        Machine::Cpu(processor) => cpu::compile(&alone, processor, &mut |_| {}).map(drop)?,
        Machine::Gpu(arch) => {
            let compiled = gpu::compile(&alone, arch, &mut |_| {})?;
            if let Some(assembler) = Assembler::choose(compiled.kernels.len(), arch).next() {
                for (name, ptx) in &compiled.kernels {
                    let assembled = assembler.assemble(ptx, arch).map(drop);
                    assembled.map_err(|error| emit_error(kernel.location(), &format!("{name}: {}: {error}", assembler.name()), &[]))?;
                }
            }
        }
    }
    Ok(started.elapsed())
}
