//! A program ready to be called: compiled from a model, read from a bundle, or interpreted.

use crate::error::{CliError, Result, note};
use crate::target::{TargetArg, device};
use clap::Args;
use fx_library::Library;
use fx_mlir::gradients::Gradients;
use fx_mlir::{Cache, Compiled, Interpreter, Program, Target};
use fx_runtime::bundle::Bundle;
use fx_runtime::device::OpenDevice;
use fx_runtime::plan::{ArgumentKind, ArgumentValue};
use fx_runtime::{DType, DeviceKind, Executor, Graphs, OutputItem, Plan, Value};
use std::io::Read;
use std::path::Path;
use std::time::{Duration, Instant};

/// A program with its device and its state.
pub struct Loaded {
    /// To call it.
    pub executor: Executor,
    /// Names of the user inputs in calling order; inputs that were fixed at export may be missing.
    pub inputs: Vec<String>,
    /// Where the time went: opening, importing, each phase, loading.
    pub timings: Vec<(String, Duration)>,
    /// Time until the device was open, which is not the program's.
    pub device: Duration,
}

/// What runs a program.
pub enum Runner {
    /// Its compiled code.
    Compiled(Box<Executor>),
    /// The reference evaluator.
    Interpreted(Box<Interpreter>),
}

/// An input of a call.
pub struct CallInput {
    /// Its name.
    pub name: String,
    /// The type of a number; tensors have none.
    pub number: Option<DType>,
}

impl Runner {
    /// The inputs of a call, in order.
    pub fn inputs(&self) -> Vec<CallInput> {
        match self {
            Runner::Compiled(executor) => call_inputs(executor.plan()),
            Runner::Interpreted(program) => program.inputs().map(|(name, number)| CallInput { name: name.to_owned(), number }).collect(),
        }
    }

    /// Starts the random numbers again, from a seed; the reference evaluator has none.
    pub fn set_seed(&mut self, seed: u64) {
        if let Runner::Compiled(executor) = self {
            Library::with_seed(seed).register(executor);
        }
    }

    /// Sets when calls use CUDA graphs; the reference evaluator has none.
    pub fn set_graphs(&mut self, graphs: Graphs) {
        if let Runner::Compiled(executor) = self {
            executor.set_graphs(graphs);
        }
    }

    /// Calls the program.
    pub fn call(&mut self, values: &[Value]) -> Result<Vec<OutputItem>> {
        Ok(match self {
            Runner::Compiled(executor) => executor.call(values)?,
            Runner::Interpreted(program) => program.call(values)?,
        })
    }
}

/// What runs a model's program, for a target.
pub fn runner(program: &Program, target: &TargetArg) -> Result<Runner> {
    Ok(match target {
        TargetArg::Compiled(target) => Runner::Compiled(Box::new(compile(program, target, None)?.executor(device(target))?)),
        TargetArg::Interpreter => Runner::Interpreted(Box::new(program.interpreter()?)),
    })
}

/// Opens a program, with gradients if some are wanted.
pub fn open(path: &Path, gradients: Option<&Gradients>) -> Result<Program> {
    let program = Program::open(path)?;
    Ok(match gradients {
        Some(gradients) => program.with_gradients(gradients)?,
        None => program,
    })
}

/// `--no-cache`
#[derive(Args)]
pub struct CacheArg {
    /// Compile anew, and keep nothing: compiled programs are kept in $FX_CACHE_DIR, by default ~/.cache/fx-mlir
    #[arg(long)]
    no_cache: bool,
}

impl CacheArg {
    /// The user's cache, unless it is not wanted.
    pub fn cache(&self) -> Option<Cache> {
        if self.no_cache { None } else { Cache::of_user() }
    }
}

/// What runs a model or a bundle, and the names of all its inputs as [`Loaded`] has them.
pub fn load_runner(
    path: &Path,
    target: Option<&TargetArg>,
    gradients: Option<&Gradients>,
    cache: Option<&Cache>,
) -> Result<(Runner, Vec<String>)> {
    match target {
        Some(target @ TargetArg::Interpreter) => {
            let program = open(path, gradients)?;
            let names = program.inputs().iter().map(|input| input.name.clone()).collect();
            Ok((runner(&program, target)?, names))
        }
        target => {
            let loaded = load(path, target.map(TargetArg::target).transpose()?, gradients, cache)?;
            Ok((Runner::Compiled(Box::new(loaded.executor)), loaded.inputs))
        }
    }
}

/// Compiles a model, or reads a bundle, for `target`: by default the CPU, or what the bundle was made for.
pub fn load(path: &Path, target: Option<&Target>, gradients: Option<&Gradients>, cache: Option<&Cache>) -> Result<Loaded> {
    match (is_bundle(path)?, gradients) {
        (true, None) => load_bundle(path, target),
        (true, Some(_)) => {
            Err(CliError::Usage("a bundle has the gradients that it was compiled with: give --grad to `fxc compile`".into()))
        }
        (false, _) => load_model(path, target.unwrap_or(&Target::Cpu), gradients, cache),
    }
}

/// Whether a file begins as bundles do.
pub fn is_bundle(path: &Path) -> Result<bool> {
    let mut start = Vec::new();
    std::fs::File::open(path).and_then(|file| file.take(8).read_to_end(&mut start)).map_err(|error| CliError::io(path, error))?;
    Ok(start == b"FXBUNDLE")
}

fn load_model(path: &Path, target: &Target, gradients: Option<&Gradients>, cache: Option<&Cache>) -> Result<Loaded> {
    // first, since the driver compiles PTX for open devices; its errors are told after the program's
    let opened = open_device(device(target));
    let started = Instant::now();
    let program = open(path, gradients)?;
    let mut timings = vec![("open".to_owned(), started.elapsed())];
    let inputs = program.inputs().iter().map(|input| input.name.clone());
    let inputs = inputs.collect();
    let compiled = compile(&program, target, cache)?;
    timings.extend(compiled.timings.iter().cloned());
    let (opened, device_time) = opened?;
    let started = Instant::now();
    let executor = compiled.executor(device(target))?;
    timings.push(("load".to_owned(), started.elapsed()));
    drop(opened);
    Ok(Loaded { executor, inputs, timings, device: device_time })
}

/// Compiles a program, and says what did not work on the way.
fn compile(program: &Program, target: &Target, cache: Option<&Cache>) -> Result<Compiled> {
    let compiled = match cache {
        Some(cache) => program.compile_cached(target, cache)?,
        None => program.compile(target)?,
    };
    compiled.remarks.iter().for_each(|remark| note(&format!("remark: {remark}")));
    Ok(compiled)
}

/// The device, open, and how long that took.
fn open_device(device: DeviceKind) -> Result<(OpenDevice, Duration)> {
    let started = Instant::now();
    let opened = device.open()?;
    Ok((opened, started.elapsed()))
}

fn load_bundle(path: &Path, target: Option<&Target>) -> Result<Loaded> {
    let started = Instant::now();
    let bundle = Bundle::read(path)?;
    let device = match target {
        Some(target) => device(target),
        None if bundle.plan.target == "cpu" => DeviceKind::Cpu,
        None => DeviceKind::Cuda(0),
    };
    let inputs = user_inputs(&bundle.plan).map(|(name, _)| name.to_owned());
    let inputs = inputs.collect();
    let read = started.elapsed();
    let (opened, device_time) = open_device(device)?;
    let started = Instant::now();
    let mut executor = Executor::from_bundle(bundle, device)?;
    drop(opened);
    Library::default().register(&mut executor);
    Ok(Loaded { executor, inputs, timings: vec![("load".to_owned(), read + started.elapsed())], device: device_time })
}

/// Compiles a model into a bundle, with its parameters, buffers and constants; and where the time went.
pub fn bundle(
    path: &Path,
    target: &Target,
    gradients: Option<&Gradients>,
    cache: Option<&Cache>,
) -> Result<(Bundle, Vec<(String, Duration)>)> {
    let started = Instant::now();
    let program = open(path, gradients)?;
    let mut timings = vec![("open".to_owned(), started.elapsed())];
    let compiled = compile(&program, target, cache)?;
    timings.extend(compiled.timings);
    Ok((Bundle { plan: compiled.plan, tensors: compiled.tensors }, timings))
}

/// The user inputs of a plan, in calling order.
pub fn user_inputs(plan: &Plan) -> impl Iterator<Item = (&str, &ArgumentValue)> {
    plan.arguments.iter().filter_map(|argument| match &argument.kind {
        ArgumentKind::Input(name) => Some((name.as_str(), &argument.value)),
        _ => None,
    })
}

/// The inputs of a call of a plan, in order.
pub fn call_inputs(plan: &Plan) -> Vec<CallInput> {
    let number = |value: &ArgumentValue| match value {
        ArgumentValue::Tensor(_) => None,
        ArgumentValue::Scalar { dtype, .. } => Some(*dtype),
    };
    user_inputs(plan).map(|(name, value)| CallInput { name: name.to_owned(), number: number(value) }).collect()
}
