//! CPU kernels: from phase `kernels` to ELF objects.
//!
//! Needs     a module of phase `kernels`.
//! Gives     objects with one entry per kernel, `extern "C" fn(args: *const u64, lo: i64, hi: i64)`, as
//!           [`fx_runtime::plan::BinaryKind::ElfObject`] says, and the kernels' extents.

use std::collections::HashMap;

use fx_ir::{Builder, Module, Op, Result, emit_error, llvm, run_pipeline};
use fx_runtime::parallel::Busy;
use fx_runtime::plan::{Binary, Need};
use inkwell::attributes::{Attribute, AttributeLoc};
use inkwell::context::Context as LlvmContext;
use inkwell::module::{Linkage, Module as LlvmModule};
use inkwell::passes::PassBuilderOptions;
use inkwell::targets::{FileType, TargetMachine};
use inkwell::types::BasicTypeEnum;
use inkwell::values::{BasicMetadataValueEnum, FunctionValue};

use crate::contract_cpu;
use crate::emit_cpu::{Extent, emit};
use crate::kernel::Kernel;

mod parallel;
mod passes;
mod processor;

pub use processor::{Features, Processor};

/// What a module's kernels became.
pub struct Compiled {
    /// The objects.
    pub objects: Vec<Binary>,
    /// Which object a kernel is in, by name; the first one if it is not listed.
    pub binaries: HashMap<String, u32>,
    /// Extent of each kernel, by name.
    pub extents: HashMap<String, Extent>,
}

/// The name of a kernel's entry in the object.
pub fn entry_name(kernel: &str) -> String {
    format!("fx_{kernel}")
}

/// Phase `gpu` of a CPU target: each kernel as a function on memrefs, beside the host function.
///
/// # Errors
/// If a kernel holds what kernels cannot hold: reported.
pub fn emit_module<'c>(module: &Module<'c>, processor: &Processor) -> Result<(Module<'c>, HashMap<String, Extent>)> {
    let context = module.context();
    let result = Module::new(context, module.op().location());
    let builder = Builder::at_end(result.body(), context, module.op().location());
    let mut extents = HashMap::new();
    for op in module.body().ops() {
        if let Some(kernel) = Kernel::new(op)? {
            let (function, extent) = emit(builder, &kernel, processor.features)?;
            if !function.verify() {
                return Err(crate::internal(op, "the code of a kernel does not verify"));
            }
            extents.insert(kernel.name.to_string(), extent);
        }
    }
    Ok((result, extents))
}

/// Lowers emitted kernels to the LLVM dialect.
///
/// # Errors
/// If a pass fails: reported.
pub fn lower(module: &Module<'_>) -> Result {
    run_pipeline(module.context(), module, &passes::to_llvm_dialect(module))
}

/// LLVM IR of lowered kernels, with entries, optimised.
///
/// # Errors
/// If LLVM refuses: reported at the module.
pub fn to_llvm<'l>(module: &Module<'_>, machine: &TargetMachine, context: &'l LlvmContext) -> Result<LlvmModule<'l>> {
    let translated = llvm::translate(module.op(), context)?;
    let fail = |error: String| emit_error(module.op().location(), &format!("LLVM: {error}"), &[]);
    translated.set_triple(&machine.get_triple());
    translated.set_data_layout(&machine.get_target_data().get_data_layout());
    let mut entries = Vec::new();
    for op in module.body().ops() {
        let Some(name) = op.text("sym_name") else { continue };
        if let Some(function) = translated.get_function(name).filter(|function| function.count_basic_blocks() > 0 && is_kernel(op)) {
            let entry = add_entry(&translated, context, name, function).map_err(&fail)?;
            entries.push((entry, op.attribute(contract_cpu::TILED).is_some()));
        }
    }
    translated.run_passes(passes::MODULE, machine, options()).map_err(|error| fail(error.to_string()))?;
    for (entry, tiled) in entries {
        entry.run_passes(&passes::function(tiled), machine, options()).map_err(|error| fail(error.to_string()))?;
    }
    Ok(translated)
}

fn options() -> PassBuilderOptions {
    let options = PassBuilderOptions::create();
    options.set_loop_vectorization(true);
    options.set_loop_slp_vectorization(true);
    options.set_loop_unrolling(false);
    options
}

/// Kernels are the functions with bodies that are not helpers of math expansions.
fn is_kernel(op: Op<'_>) -> bool {
    op.text("sym_name").is_some_and(|name| name.starts_with("kernel_"))
}

/// `fx_NAME(args, lo, hi)`: loads each argument's 64 bits and calls the kernel.
fn add_entry<'l>(
    module: &LlvmModule<'l>,
    context: &'l LlvmContext,
    name: &str,
    kernel: FunctionValue<'l>,
) -> std::result::Result<FunctionValue<'l>, String> {
    let fail = |error: inkwell::builder::BuilderError| error.to_string();
    let i64_type = context.i64_type();
    let pointer = context.ptr_type(inkwell::AddressSpace::default());
    let entry_type = context.void_type().fn_type(&[pointer.into(), i64_type.into(), i64_type.into()], false);
    let entry = module.add_function(&entry_name(name), entry_type, None);
    kernel.set_linkage(Linkage::Internal);
    let attribute = |name: &str| context.create_enum_attribute(Attribute::get_named_enum_kind_id(name), 0);
    kernel.add_attribute(AttributeLoc::Function, attribute("alwaysinline"));
    let builder = context.create_builder();
    builder.position_at_end(context.append_basic_block(entry, "entry"));
    let parameter = |index: u32| entry.get_nth_param(index).ok_or_else(|| "entry without parameters".to_string());
    let table = parameter(0)?.into_pointer_value();
    let count = kernel.count_params();
    let mut arguments: Vec<BasicMetadataValueEnum<'l>> = Vec::new();
    for (i, value) in kernel.get_param_iter().enumerate().take(count as usize - 2) {
        let slot = i64_type.const_int(i as u64, false);
        // The place of argument `i` in the table that the caller fills.
        let place = builder.build_ptr_to_int(table, i64_type, "").map_err(fail)?;
        let place =
            builder.build_int_add(place, builder.build_int_mul(slot, i64_type.const_int(8, false), "").map_err(fail)?, "").map_err(fail)?;
        let place = builder.build_int_to_ptr(place, pointer, "").map_err(fail)?;
        let argument = match value.get_type() {
            BasicTypeEnum::PointerType(ty) => {
                kernel.add_attribute(AttributeLoc::Param(i as u32), attribute("noalias"));
                builder.build_load(ty, place, "").map_err(fail)?
            }
            BasicTypeEnum::IntType(ty) => {
                let word = builder.build_load(i64_type, place, "").map_err(fail)?.into_int_value();
                if ty.get_bit_width() < 64 { builder.build_int_truncate(word, ty, "").map_err(fail)?.into() } else { word.into() }
            }
            BasicTypeEnum::FloatType(ty) => {
                // The host's floats are doubles.
                let word = builder.build_load(context.f64_type(), place, "").map_err(fail)?.into_float_value();
                let same = ty == context.f64_type();
                if same { word.into() } else { builder.build_float_trunc(word, ty, "").map_err(fail)?.into() }
            }
            ty => builder.build_load(ty, place, "").map_err(fail)?,
        };
        arguments.push(argument.into());
    }
    arguments.push(parameter(1)?.into());
    arguments.push(parameter(2)?.into());
    builder.build_call(kernel, &arguments, "").map_err(fail)?;
    builder.build_return(None).map_err(fail)?;
    Ok(entry)
}

/// Machine code of optimised LLVM IR, as an object.
///
/// # Errors
/// If LLVM refuses: reported at the module.
pub fn to_object(module: &Module<'_>, translated: &LlvmModule<'_>, machine: &TargetMachine) -> Result<Vec<u8>> {
    machine_code(module, translated, machine, FileType::Object)
}

/// Machine code of optimised LLVM IR, as text.
///
/// # Errors
/// If LLVM refuses: reported at the module.
pub fn to_assembly(module: &Module<'_>, translated: &LlvmModule<'_>, machine: &TargetMachine) -> Result<String> {
    let text = machine_code(module, translated, machine, FileType::Assembly)?;
    Ok(String::from_utf8_lossy(&text).trim_end_matches('\0').to_string())
}

fn machine_code(module: &Module<'_>, translated: &LlvmModule<'_>, machine: &TargetMachine, file: FileType) -> Result<Vec<u8>> {
    let buffer = machine
        .write_to_memory_buffer(translated, file)
        .map_err(|error| emit_error(module.op().location(), &format!("LLVM: {error}"), &[]))?;
    Ok(buffer.as_slice().to_vec())
}

/// The object of a module of emitted kernels.
fn object(kernels: &Module<'_>, processor: &Processor, timer: &mut dyn FnMut(&str)) -> Result<Vec<u8>> {
    let machine = processor.machine().map_err(|error| emit_error(kernels.op().location(), &error, &[]))?;
    lower(kernels)?;
    timer("lower to LLVM dialect");
    let context = LlvmContext::create();
    let translated = to_llvm(kernels, &machine, &context)?;
    timer("LLVM passes");
    let object = to_object(kernels, &translated, &machine)?;
    timer("machine code");
    Ok(object)
}

/// What the code of some emitted kernels needs.
fn needs(kernels: &Module<'_>, chosen: &dyn Fn(&str) -> bool) -> Vec<Need> {
    let mut functions = kernels.body().ops().into_iter().filter(|op| op.text("sym_name").is_some_and(chosen));
    functions.any(contract_cpu::uses_matrix_unit).then_some(Need::AmxBf16).into_iter().collect()
}

/// The kernels of a module of phase `kernels` as objects, made on as many threads as processors are free.
///
/// # Errors
/// If any step fails: reported.
pub fn compile(module: &Module<'_>, processor: &Processor, timer: &mut dyn FnMut(&str)) -> Result<Compiled> {
    let busy = Busy::new();
    let (kernels, extents) = emit_module(module, processor)?;
    timer("emit");
    let texts = parallel::parts(&kernels, busy.workers());
    if texts.len() < 2 {
        let needs = needs(&kernels, &|_| true);
        let object = Binary::object(object(&kernels, processor, timer)?, needs);
        return Ok(Compiled { objects: vec![object], binaries: HashMap::new(), extents });
    }
    let objects = parallel::objects(&texts, processor, module.op().location())?;
    timer("machine code");
    let objects = texts.iter().zip(objects).map(|(part, bytes)| {
        let needs = needs(&kernels, &|name| part.kernels.iter().any(|own| own == name));
        Binary::object(bytes, needs)
    });
    let objects = objects.collect();
    let numbered = (0u32..).zip(&texts);
    let binaries = numbered.flat_map(|(index, part)| part.kernels.iter().map(move |name| (name.clone(), index))).collect();
    Ok(Compiled { objects, binaries, extents })
}
