//! GPU kernels: from phase `kernels` to PTX.
//!
//! Needs     a module of phase `kernels`.
//! Gives     PTX text for each kernel, as [`fx_runtime::plan::BinaryKind::Ptx`] says, and the kernels' grids. Each kernel is a
//!           module of its own, so that its text does not depend on what is compiled with it, or on how many threads.
//! Fails on  functions that the device has no code for: error naming them.

use std::collections::HashMap;

use fx_ir::{Builder, Module, Op, Result, emit_error, llvm, new_context, run_pipeline};
use fx_runtime::parallel::{Busy, map};
use inkwell::attributes::{Attribute, AttributeLoc};
use inkwell::context::Context as LlvmContext;
use inkwell::module::Module as LlvmModule;
use inkwell::passes::PassBuilderOptions;
use inkwell::targets::{CodeModel, FileType, InitializationConfig, RelocMode, Target, TargetMachine, TargetTriple};
use inkwell::{AddressSpace, OptimizationLevel};

use crate::emit_gpu::{Features, Grid, MODULE_NAME, emit_module, module_of_kernels};
use crate::parsed::parsed;

/// Passes from scf, memref and gpu to NVVM. Math ops are expanded first: what upstream makes of them are calls of a
/// library that is not there.
///
/// Canonicalisation goes over the code once, from its end: from the start, until nothing changes, it takes ten times as long for
/// the same code. The last one is for the constants that conversion makes.
const TO_NVVM: &str = "builtin.module(\
    gpu.module(\
        convert-complex-to-standard,\
        fx-expand-math{gpu=true},\
        canonicalize{top-down=false max-iterations=1 region-simplify=disabled},cse,\
        loop-invariant-code-motion,\
        convert-scf-to-cf,\
        convert-gpu-to-nvvm{use-bare-ptr-memref-call-conv=true},\
        cse,\
        reconcile-unrealized-casts))";

/// LLVM passes over the kernels: those of the usual pipeline (`default<O3>`) without which machine code of some kernel gets worse,
/// found by leaving out one after the other. They take half of its time.
///
/// None makes vectors: those of a GPU are its threads. Neighbouring accesses are joined here, where code generation would do it too,
/// but late, after it has worked on each of them: 16 bytes at a time are half as much to do. At the end it is said which
/// parameters are only read: the code generator then takes the cache that nobody writes to.
const OPTIMIZE: &str = "function(\
    sccp,\
    instcombine<max-iterations=1;no-verify-fixpoint>,\
    early-cse<memssa>,\
    correlated-propagation,\
    simplifycfg,\
    instcombine<max-iterations=1;no-verify-fixpoint>,\
    reassociate,\
    loop-mssa(loop-rotate,licm),\
    gvn,\
    correlated-propagation,\
    simplifycfg<hoist-common-insts;sink-common-insts>,\
    loop-unroll<O3>,\
    infer-alignment,\
    instcombine<max-iterations=1;no-verify-fixpoint>,\
    div-rem-pairs,\
    load-store-vectorizer),\
cgscc(function-attrs)";

/// How MLIR names the workgroup memory that a launch adds.
const DYNAMIC_MEMORY: &[u8] = b"__dynamic_shmem__";
/// The address space of workgroup memory.
const SHARED: u16 = 3;
/// Bytes that buffers in workgroup memory are aligned to: those of an access.
const WORKGROUP_ALIGNMENT: u32 = 16;

const TRIPLE: &str = "nvptx64-nvidia-cuda";

/// What a module's kernels became.
pub struct Compiled {
    /// Name and PTX of each kernel, in the module's order.
    pub kernels: Vec<(String, Vec<u8>)>,
    /// Grid of each kernel, by name.
    pub grids: HashMap<String, Grid>,
}

/// The GPU that code is made for.
pub struct Device {
    machine: TargetMachine,
}

impl Device {
    /// The GPU architecture `arch`, such as `sm_90a`.
    ///
    /// # Errors
    /// If LLVM has no code generator for it.
    pub fn new(arch: &str) -> std::result::Result<Self, String> {
        Target::initialize_nvptx(&InitializationConfig::default());
        let triple = TargetTriple::create(TRIPLE);
        // The next level has values numbered twice more, for the same code.
        let target = Target::from_triple(&triple).map_err(|error| error.to_string())?;
        let machine = target
            .create_target_machine(&triple, arch, ptx_version(arch), OptimizationLevel::Default, RelocMode::Default, CodeModel::Default)
            .ok_or_else(|| format!("LLVM has no code generator for '{arch}'"))?;
        Ok(Self { machine })
    }
}

/// The PTX version to write, as a feature: what drivers for CUDA 12.4 (or 12.3) read.
fn ptx_version(arch: &str) -> &'static str {
    if arch.starts_with("sm_90") { "+ptx84" } else { "+ptx83" }
}

/// Lowers emitted kernels to NVVM.
///
/// # Errors
/// If a pass fails: reported.
pub fn lower(module: &Module<'_>) -> Result {
    run_pipeline(module.context(), module, TO_NVVM)?;
    // What is said of a loop arrives at its branch, but not under the name that translation reads.
    module.op().walk(&mut |op| {
        if let Some(annotation) = op.attribute("llvm.loop_annotation") {
            op.set_attribute("loop_annotation", annotation);
        }
    });
    Ok(())
}

/// The `gpu.module`.
fn kernels<'c>(module: &Module<'c>) -> Result<Op<'c>> {
    let found = module.body().ops().into_iter().find(|op| op.name() == "gpu.module");
    found.ok_or_else(|| crate::internal(module.op(), "no module of kernels"))
}

/// LLVM IR of lowered kernels, optimised.
///
/// # Errors
/// If LLVM refuses: reported at the module.
pub fn to_llvm<'l>(module: &Module<'_>, device: &Device, context: &'l LlvmContext) -> Result<LlvmModule<'l>> {
    let translated = llvm::translate(kernels(module)?, context)?;
    translated.set_triple(&device.machine.get_triple());
    translated.set_data_layout(&device.machine.get_target_data().get_data_layout());
    for function in translated.get_functions().filter(|function| function.count_basic_blocks() > 0) {
        // No two parameters of a kernel overlap unless both are only read.
        let noalias = context.create_enum_attribute(Attribute::get_named_enum_kind_id("noalias"), 0);
        for (i, parameter) in function.get_param_iter().enumerate() {
            if parameter.is_pointer_value() {
                function.add_attribute(AttributeLoc::Param(i as u32), noalias);
            }
        }
    }
    // Workgroup memory is read four elements at a time where the addresses allow it.
    for global in translated.get_globals() {
        global.set_alignment(WORKGROUP_ALIGNMENT);
    }
    declare_dynamic_memory(&translated);
    let optimized = translated.run_passes(OPTIMIZE, &device.machine, PassBuilderOptions::create());
    optimized.map_err(|error| emit_error(module.op().location(), &format!("LLVM: {error}"), &[]))?;
    Ok(translated)
}

/// Makes declarations of what stands for the workgroup memory that a launch adds: as definitions, which they are in MLIR, they
/// would be variables without bytes.
fn declare_dynamic_memory(module: &LlvmModule<'_>) {
    for global in module.get_globals().filter(|global| global.get_name().to_bytes().starts_with(DYNAMIC_MEMORY)) {
        let ty = module.get_context().i8_type().array_type(0);
        let declared = module.add_global(ty, Some(AddressSpace::from(SHARED)), "dynamic_memory");
        declared.set_alignment(WORKGROUP_ALIGNMENT);
        global.as_pointer_value().replace_all_uses_with(declared.as_pointer_value()); // and the optimiser removes it
    }
}

/// PTX of optimised LLVM IR.
///
/// # Errors
/// If LLVM refuses, or the text calls a function that it does not hold: reported at the module.
pub fn to_ptx(module: &Module<'_>, translated: &LlvmModule<'_>, device: &Device) -> Result<String> {
    let location = module.op().location();
    let buffer = device.machine.write_to_memory_buffer(translated, FileType::Assembly);
    let buffer = buffer.map_err(|error| emit_error(location, &format!("LLVM: {error}"), &[]))?;
    let text = String::from_utf8_lossy(buffer.as_slice()).trim_end_matches('\0').to_string();
    let missing = missing_functions(&text);
    if missing.is_empty() {
        return Ok(text);
    }
    Err(emit_error(location, &format!("internal bug: device code calls functions that do not exist: {}", missing.join(", ")), &[]))
}

/// Functions that PTX declares and does not define: a driver would refuse it when it loads the code.
fn missing_functions(ptx: &str) -> Vec<&str> {
    // `.extern .func  (.param .b32 func_retval0) name` or `.extern .func name`, the parameters on lines of their own
    ptx.split(".extern .func").skip(1).map(declared_name).filter(|name| *name != "vprintf").collect()
}

fn declared_name(declaration: &str) -> &str {
    let rest = declaration.trim_start();
    let rest = if rest.starts_with('(') { rest.split_once(')').map_or(rest, |(_, rest)| rest) } else { rest };
    rest.trim_start().split(|c: char| c.is_whitespace() || c == '(' || c == ';').next().unwrap_or_default()
}

/// The kernels of a module of phase `kernels` as PTX, made on as many threads as processors are free.
///
/// # Errors
/// If any step fails: reported.
pub fn compile(module: &Module<'_>, arch: &str, timer: &mut dyn FnMut(&str)) -> Result<Compiled> {
    compile_on(module, arch, Busy::new().workers(), timer)
}

/// As [`compile`], on at most so many threads. Their number changes nothing in the result.
///
/// # Errors
/// If any step fails: reported.
pub fn compile_on(module: &Module<'_>, arch: &str, workers: usize, timer: &mut dyn FnMut(&str)) -> Result<Compiled> {
    let device = Device::new(arch).map_err(|error| emit_error(module.op().location(), &error, &[]))?;
    let (emitted, grids) = emit_module(module, Features::of(arch))?;
    let functions = kernels(&emitted)?.body(0).map(|body| body.ops()).unwrap_or_default();
    timer("emit");
    let ptx = if workers.min(functions.len()) < 2 {
        functions.iter().map(|function| ptx(&alone(*function)?, &device, timer)).collect::<Result<_>>()?
    } else {
        let ptx = in_parallel(&functions, arch, workers)?;
        timer("PTX");
        ptx
    };
    let names = functions.iter().map(|function| function.text("sym_name").unwrap_or_default().to_string());
    Ok(Compiled { kernels: names.zip(ptx).collect(), grids })
}

/// A module with one emitted kernel.
fn alone<'c>(function: Op<'c>) -> Result<Module<'c>> {
    let context = function.context();
    let module = Module::new(context, function.location());
    let body = module_of_kernels(Builder::at_end(module.body(), context, function.location()))?;
    Builder::at_end(body, context, function.location()).clone_op(function, &mut HashMap::new());
    Ok(module)
}

/// PTX of a module with one emitted kernel.
fn ptx(module: &Module<'_>, device: &Device, timer: &mut dyn FnMut(&str)) -> Result<Vec<u8>> {
    lower(module)?;
    timer("lower to NVVM");
    let context = LlvmContext::create();
    let translated = to_llvm(module, device, &context)?;
    timer("LLVM passes");
    let text = to_ptx(module, &translated, device)?;
    timer("PTX");
    Ok(text.into_bytes())
}

/// PTX of emitted kernels, in order. Each thread has a context of its own, and gets its kernels as text, the longest first.
fn in_parallel(functions: &[Op<'_>], arch: &str, workers: usize) -> Result<Vec<Vec<u8>>> {
    let mut texts: Vec<_> =
        functions.iter().map(|op| format!("gpu.module @{MODULE_NAME} {{\n{}\n}}", op.to_local_string(true))).enumerate().collect();
    texts.sort_by_key(|(_, text)| std::cmp::Reverse(text.len()));
    let start = || (new_context(false), Device::new(arch));
    let compiled = map(&texts, workers, start, |(context, device), (_, text)| {
        let device = device.as_ref().map_err(Clone::clone)?;
        parsed(context, text, |module| ptx(module, device, &mut |_| {}))
    });
    let mut compiled: Vec<_> = texts.iter().map(|(index, _)| *index).zip(compiled).collect();
    compiled.sort_by_key(|(index, _)| *index);
    let report = |(index, result): (usize, std::result::Result<std::result::Result<_, String>, String>)| {
        result.flatten().map_err(|message| emit_error(functions[index].location(), &message, &[]))
    };
    compiled.into_iter().map(report).collect()
}

#[cfg(test)]
mod tests {
    use super::missing_functions;

    #[test]
    fn names_functions_without_code() {
        let ptx =
            ".version 8.4\n.extern .func  (.param .b32 func_retval0) __nv_expf\n(\n\t.param .b32 a\n)\n;\n.extern .func trap_me\n(\n)\n;\n";
        assert_eq!(missing_functions(ptx), ["__nv_expf", "trap_me"]);
        assert!(missing_functions(".visible .entry kernel_0(\n").is_empty());
    }
}
