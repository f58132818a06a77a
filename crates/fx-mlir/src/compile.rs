//! The pipeline: a table of phases, each made from the one before.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use fx_codegen::cpu::Processor;
use fx_codegen::emit_gpu::Features;
use fx_codegen::kernel_times::{self, Machine};
use fx_codegen::pipeline;
use fx_import::Archive;
use fx_ir::{Module, Reported, emit_error};
use fx_library::Library;
use fx_runtime::assembler::{self, Assembler};
use fx_runtime::cache::Key;
use fx_runtime::plan::{ArgumentValue, Scalar};
use fx_runtime::{DType, DeviceKind, Executor, HostTensor, Plan};

use crate::training::is_optimizer_state;
use crate::{Error, Phase, Target};

/// Time of each step of a compilation.
pub(crate) struct Timer {
    last: Instant,
    pub(crate) laps: Vec<(String, Duration)>,
}

impl Timer {
    pub(crate) fn start() -> Self {
        Self { last: Instant::now(), laps: Vec::new() }
    }

    /// Ends a step, or a further piece of one.
    pub(crate) fn lap(&mut self, name: &str) {
        let now = Instant::now();
        let time = now - self.last;
        match self.laps.iter_mut().find(|(known, _)| known == name) {
            Some((_, sum)) => *sum += time,
            None => self.laps.push((name.to_string(), time)),
        }
        self.last = now;
    }
}

/// MLIR phases before `linalg` in order, each with the passes that make it from the one before.
const STAGES: [(Phase, &str); 2] = [
    // Folding first: views of constants and casts to the same type would only be lowered and folded again.
    (Phase::FxOpt, "builtin.module(func.func(canonicalize,cse))"),
    (Phase::Prim, "builtin.module(func.func(fx-decompose),func.func(canonicalize,cse))"),
];

/// The passes that make phase `linalg`.
fn linalg_passes(target: &Target) -> String {
    let options = match target {
        // Its kernels have caches to pad windows in.
        Target::Cpu | Target::Processor(_) => "pad-in-kernels=true",
        // Its kernels sort, and write at computed places if any order will do.
        Target::Cuda { deterministic: false, .. } => "sort-in-kernels=true scatter-in-kernels=true",
        Target::Cuda { .. } => "sort-in-kernels=true",
    };
    format!("builtin.module(func.func(convert-fx-to-linalg{{{options}}}),func.func(canonicalize,cse))")
}

/// The passes that make phase `kernels`, with further options of `fx-form-kernels`.
fn kernel_passes(target: &Target, options: &str) -> String {
    let (split, form) = match target {
        // A CPU does less at a time.
        Target::Cpu | Target::Processor(_) => ("parts=64 row-parts=4", "reorder-weights=true"),
        // A cluster reduces rows of up to 2^18 elements whole.
        Target::Cuda { arch, .. } if Features::of(arch).clusters => {
            ("columns=128 keep-rows=262144", "recompute=true siblings=true scatters=true sorts=true")
        }
        Target::Cuda { .. } => ("columns=128", "recompute=true siblings=true scatters=true sorts=true"),
    };
    format!("builtin.module(fx-split-reductions{{{split}}},fx-form-kernels{{{form}{options}}},func.func(canonicalize,cse))")
}

/// Lowers a module to `phase`, at most to `kernels`.
pub(crate) fn lower(module: &Module<'_>, phase: Phase, target: &Target, lap: &mut dyn FnMut(&str)) -> Result<(), Reported> {
    let (linalg, kernels) = (linalg_passes(target), kernel_passes(target, ""));
    let of_target = [(Phase::Linalg, linalg.as_str()), (Phase::Kernels, kernels.as_str())];
    for (stage, passes) in STAGES.into_iter().chain(of_target).take_while(|(stage, _)| *stage <= phase) {
        fx_ir::run_pipeline(module.context(), module, passes)?;
        lap(stage.name());
    }
    Ok(())
}

/// Lowers a module to `kernels`, with a remark for each value between two of them.
pub(crate) fn lower_with_remarks(module: &Module<'_>, target: &Target) -> Result<(), Reported> {
    lower(module, Phase::Linalg, target, &mut |_| {})?;
    fx_ir::run_pipeline(module.context(), module, &kernel_passes(target, " remarks=true"))
}

/// The text of a phase.
pub(crate) fn emit(module: &Module<'_>, phase: Phase, target: &Target) -> Result<String, Reported> {
    lower(module, phase, target, &mut |_| {})?;
    if phase <= Phase::Kernels {
        return Ok(module.op().to_string_with_locations());
    }
    if phase == Phase::Plan {
        let plan = build(module, target, &mut |_| {})?;
        let text = plan.to_json();
        return text.map_err(|error| emit_error(module.op().location(), &format!("internal bug: the plan does not print: {error}"), &[]));
    }
    match target {
        Target::Cpu => pipeline::emit_cpu(module, phase.name(), &Processor::host()),
        Target::Processor(processor) => pipeline::emit_cpu(module, phase.name(), processor),
        Target::Cuda { arch, .. } => pipeline::emit_gpu(module, phase.name(), arch),
    }
}

/// Compiles a module of phase `fx` to a plan, with machine code for a GPU where an assembler is at hand. What that refuses
/// stays PTX, which the driver compiles.
pub(crate) fn compile(module: &Module<'_>, target: &Target, timer: &mut Timer, remarks: &mut Vec<String>) -> Result<Plan, Reported> {
    let mut plan = std::thread::scope(|scope| {
        // Meanwhile assemblers are loaded: the first one needs as long as the passes take, a large library longer.
        let prepare = |count: usize| {
            if let Target::Cuda { arch, .. } = target {
                scope.spawn(move || Assembler::prepare(count, arch));
            }
        };
        prepare(1);
        lower(module, Phase::Kernels, target, &mut |name| timer.lap(name))?;
        prepare(pipeline::kernel_count(module)?);
        build(module, target, &mut |name| timer.lap(name))
    })?;
    if let Target::Cuda { .. } = target {
        if let Err(error) = assembler::assemble(&mut plan) {
            remarks.push(format!("{error}; the driver compiles it when it is loaded"));
        }
        timer.lap("machine code");
    }
    Ok(plan)
}

/// What the compiler is made from, as a hash; `build.rs` makes it.
const COMPILER: &str = concat!(env!("CARGO_PKG_VERSION"), " ", env!("FX_COMPILER"));

/// All that a plan depends on: the program with its locations, which messages of the plan show, the target and the compiler.
pub(crate) fn key(module: &Module<'_>, target: &Target) -> Key {
    let machine = match target {
        Target::Cpu => Processor::host().identity(),
        Target::Processor(processor) => processor.identity(),
        Target::Cuda { .. } => format!("{target}, assemblers: {}", Assembler::identity()),
    };
    Key::new(&[("compiler", COMPILER), ("machine", &machine), ("program", &module.op().to_string_with_locations())])
}

/// Time of compiling each kernel of a module of phase `fx` by itself.
pub(crate) fn kernel_times(module: &Module<'_>, target: &Target) -> Result<Vec<(String, Duration)>, Reported> {
    lower(module, Phase::Kernels, target, &mut |_| {})?;
    match target {
        Target::Cpu => kernel_times::kernel_times(module, Machine::Cpu(&Processor::host())),
        Target::Processor(processor) => kernel_times::kernel_times(module, Machine::Cpu(processor)),
        Target::Cuda { arch, .. } => kernel_times::kernel_times(module, Machine::Gpu(arch)),
    }
}

fn build(module: &Module<'_>, target: &Target, lap: &mut dyn FnMut(&str)) -> Result<Plan, Reported> {
    match target {
        Target::Cpu => pipeline::plan_cpu(module, &Processor::host(), lap),
        Target::Processor(processor) => pipeline::plan_cpu(module, processor, lap),
        Target::Cuda { arch, .. } => pipeline::plan_gpu(module, arch, lap),
    }
}

/// A compiled program: its plan and the tensors that belong to it.
pub struct Compiled {
    /// The launch plan.
    pub plan: Plan,
    /// Time of each step.
    pub timings: Vec<(String, Duration)>,
    /// What did not work, and was done in another way.
    pub remarks: Vec<String>,
    /// Whether it was taken from a cache.
    pub is_cached: bool,
    /// Parameters, buffers and constants, by the names that the plan's arguments have.
    pub tensors: BTreeMap<String, HostTensor>,
}

impl Compiled {
    pub(crate) fn new(
        plan: Plan,
        timings: Vec<(String, Duration)>,
        remarks: Vec<String>,
        is_cached: bool,
        archive: Option<&Archive>,
    ) -> Result<Self, Error> {
        let mut compiled = Self { plan, timings, remarks, is_cached, tensors: BTreeMap::new() };
        compiled.load(archive)?;
        Ok(compiled)
    }

    /// Reads the state that the plan names out of the archive; that of an optimizer begins with zeros.
    fn load(&mut self, archive: Option<&Archive>) -> Result<(), Error> {
        use fx_runtime::plan::ArgumentKind;
        for argument in &self.plan.arguments {
            let (ArgumentKind::Parameter(name) | ArgumentKind::Buffer(name) | ArgumentKind::Constant(name)) = &argument.kind else {
                continue;
            };
            let tensor = match archive {
                _ if is_optimizer_state(name) => {
                    let (dtype, dims) = fixed_type(&self.plan, &argument.value)
                        .ok_or_else(|| Error::Usage(format!("'{name}' has a size that is not known before a call")))?;
                    HostTensor::zeros(dtype, &dims)?
                }
                Some(archive) => state_tensor(archive, name)?,
                None => continue,
            };
            self.tensors.insert(name.clone(), tensor);
        }
        Ok(())
    }

    /// An executor on a device, with the program's tensors set. Its random numbers are those of seed 0.
    ///
    /// # Errors
    /// If the device is absent, or the code does not load.
    pub fn executor(self, device: DeviceKind) -> Result<Executor, Error> {
        self.executor_with(device, &Library::default())
    }

    /// As [`Compiled::executor`], with the host functions of a library that the caller keeps: to set its seed, or to draw
    /// the random numbers of several programs one after the other.
    ///
    /// # Errors
    /// If the device is absent, or the code does not load.
    pub fn executor_with(self, device: DeviceKind, library: &Library) -> Result<Executor, Error> {
        let mut executor = Executor::new(self.plan, device)?;
        library.register(&mut executor);
        for (name, tensor) in self.tensors {
            executor.set_state(&name, tensor)?;
        }
        Ok(executor)
    }
}

/// Element type and sizes of an argument of a plan; none for a number, and for run-time sizes.
pub(crate) fn fixed_type(plan: &Plan, value: &ArgumentValue) -> Option<(DType, Vec<usize>)> {
    let ArgumentValue::Tensor(buffer) = value else { return None };
    let buffer = plan.buffers.get(*buffer as usize)?;
    let size = |dim: &Scalar| if let Scalar::Const(size) = dim { usize::try_from(*size).ok() } else { None };
    Some((buffer.dtype, buffer.dims.iter().map(size).collect::<Option<_>>()?))
}

/// A parameter, buffer or constant of an archive.
pub(crate) fn state_tensor(archive: &Archive, name: &str) -> Result<HostTensor, Error> {
    let data = archive.weight(name).or_else(|_| archive.constant(name))?;
    let dtype = dtype_of(data.dtype)
        .ok_or_else(|| Error::Usage(format!("'{name}' has the element type {}, which cannot be in memory", data.dtype)))?;
    let bytes = data.to_contiguous().map_err(|error| Error::Usage(format!("'{name}': {error}")))?;
    let dims: Vec<usize> = data.sizes.iter().map(|size| usize::try_from(*size).unwrap_or(usize::MAX)).collect();
    Ok(HostTensor::from_bytes(dtype, &dims, &bytes)?)
}

/// The runtime's element type for an archive's.
fn dtype_of(ty: fx_import::ScalarType) -> Option<DType> {
    use fx_import::ScalarType;
    Some(match ty {
        ScalarType::Float64 => DType::F64,
        ScalarType::Float32 => DType::F32,
        ScalarType::Float16 => DType::F16,
        ScalarType::BFloat16 => DType::BF16,
        ScalarType::Float8E4M3FN => DType::F8E4M3FN,
        ScalarType::Float8E5M2 => DType::F8E5M2,
        ScalarType::Int64 => DType::I64,
        ScalarType::Int32 => DType::I32,
        ScalarType::Int16 => DType::I16,
        ScalarType::Int8 => DType::I8,
        ScalarType::UInt8 => DType::U8,
        ScalarType::Bool => DType::Bool,
        ScalarType::Complex64 => DType::C64,
        ScalarType::Complex128 => DType::C128,
        _ => return None,
    })
}
