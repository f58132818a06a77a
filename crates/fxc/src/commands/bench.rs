//! `fxc bench`: time of compiling, and of a call on the host and on the device.

mod gpu;
mod measure;
mod table;
mod torch;
mod verify;

use crate::error::{CliError, Result, print};
use crate::files::write_text;
use crate::gradients::wanted;
use crate::load::{Loaded, call_inputs, load};
use crate::target::TargetArg;
use crate::values::{Given, NamedValue, ZEROS, given_values, made_up_state, made_up_values};
use clap::Args;
use fx_mlir::{Cache, Program, Target};
use fx_runtime::plan::{ArgumentKind, Step};
use fx_runtime::tensor_file::TensorFile;
use fx_runtime::{DeviceKind, Graphs, HostTensor, Plan, Value};
use gpu::Gpu;
use measure::{Time, block, device_times, median, micros, on_device, warm_up};
use serde::Serialize;
use std::ffi::OsStr;
use std::num::NonZero;
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::time::Duration;
use torch::Comparison;

const EXAMPLES: &str = "\
Inputs are made up (floats between -1 and 1, zeros for integers unless --integers says otherwise, symbolic sizes of 16
if their ranges allow it) unless a file is given. So are parameters and buffers of .mlir programs.

--compare-torch runs the program in PyTorch's eager mode too, on the same inputs, in turns of a tenth of a second; the
ratio is the median over turns. For model.pt2 that is model_raw.pt2 (the archive before decomposition) if it is there,
else the archive itself; for .mlir text a Python function in a comment at its head, whose arguments are those of @main:
  // torch: lambda x, w: torch.relu(x @ w)

Examples:
  fxc bench model.pt2                                   on the CPU, with all its threads
  fxc bench model.pt2 --threads 1
  fxc bench model.pt2 --threads 2 --compare-torch       against PyTorch's eager mode with two threads
  fxc bench model.pt2 --target=cuda --json bench.json   and launches, bytes moved, speed of a copy
  fxc bench model.pt2 --target=cuda --graphs never      launches one by one, never as a CUDA graph
  fxc bench model.pt2 --inputs io.safetensors           with the tensors input.0, input.1, .. of the file
  fxc bench model.pt2 --size s0=128                     with made-up inputs of that size
  fxc bench model.mlir --integers 1000 --seconds 0.2    with made-up indices below 1000, shorter";

/// Measure a program: cold compilation by phase, then calls
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct BenchArgs {
    /// The program: a .pt2 archive, .mlir text, or a bundle made by `fxc compile`
    #[arg(value_name = "MODEL|BUNDLE")]
    model: PathBuf,
    /// Where to run: cpu or cuda (or sm_90a, sm_80: a GPU with code for that architecture)
    #[arg(long)]
    target: Option<TargetArg>,
    /// Measure with gradients
    #[arg(long)]
    grad: bool,
    /// Write the measurements as JSON
    #[arg(long, value_name = "OUT.json")]
    json: Option<PathBuf>,
    /// Threads of CPU kernels, by default all processors (or FX_NUM_THREADS)
    #[arg(long, value_name = "N")]
    threads: Option<NonZero<usize>>,
    /// Tensor inputs, as for `fxc run`
    #[arg(long, value_name = "IN.safetensors")]
    inputs: Option<PathBuf>,
    /// What stands before input.N in the file
    #[arg(long, value_name = "P", default_value = "", requires = "inputs")]
    prefix: String,
    /// A number input, by its position among the inputs (from 0) or its name
    #[arg(long, value_name = "N=VALUE", requires = "inputs")]
    arg: Vec<NamedValue>,
    /// The value of a symbolic size, for made-up inputs
    #[arg(long, value_name = "SYMBOL=VALUE", conflicts_with = "inputs")]
    size: Vec<NamedValue>,
    /// Made-up integers (i64, i32) go from 0 to below this: indices that are valid, say, and differ
    #[arg(long, value_name = "N", default_value_t = ZEROS, conflicts_with = "inputs")]
    integers: u32,
    /// How long calls are repeated
    #[arg(long, value_name = "SECONDS", default_value = "1", value_parser = seconds)]
    seconds: Duration,
    /// When calls on a GPU use CUDA graphs: auto (for eight launches in a row and more), always or never
    #[arg(long, value_name = "auto|always|never", default_value = "auto")]
    graphs: Graphs,
    /// Take turns with two copies of the inputs, and keep the results of one call during the next: tensors lie elsewhere in
    /// each call, as they may in a program
    #[arg(long)]
    alternate: bool,
    /// First call the program on several inputs with graphs and without: fails unless results have the same bits
    #[arg(long)]
    verify_graphs: bool,
    /// Measure PyTorch's eager mode on the CPU too, in turns with ours
    #[arg(long)]
    compare_torch: bool,
    /// The Python that has PyTorch, for --compare-torch
    #[arg(long, value_name = "PYTHON", default_value = "python3", requires = "compare_torch")]
    python: PathBuf,
    /// Take the compiled program from the cache if it is there, else put it there; without this it is compiled anew
    #[arg(long)]
    cached: bool,
    /// Compile each kernel by itself too, and say how long each takes
    #[arg(long)]
    each_kernel: bool,
}

/// What was measured; times in microseconds.
#[derive(Debug, Serialize)]
struct Measurements {
    model: String,
    target: String,
    device: String,
    /// Opening, importing, phases and loading, in order.
    compile: Vec<Time>,
    compile_total: f64,
    /// Opening the device, which is no part of compiling.
    device_open: f64,
    /// Compilation of each kernel by itself, the slowest first.
    #[serde(skip_serializing_if = "Option::is_none")]
    kernel_compile: Option<Vec<Time>>,
    kernels: usize,
    buffers: usize,
    planned_bytes: usize,
    /// The most that a call had, beside its inputs and the state.
    peak_bytes: usize,
    state_bytes: usize,
    calls: usize,
    /// Of the calls until all their work was done, over their number.
    call_mean: f64,
    /// Calls of functions of the host that the program has; what these take is in no kernel's time.
    host_calls: usize,
    /// From the call to its results; on a GPU until the call returns, its work being queued.
    host_median: f64,
    host_min: f64,
    /// Sum of all kernels of one call: the median over calls.
    device_median: f64,
    /// Kernels by their time in one call, the slowest first.
    kernel_times: Vec<Time>,
    #[serde(skip_serializing_if = "Option::is_none")]
    gpu: Option<Gpu>,
    /// Calls with graphs whose results had the bits of those without.
    #[serde(skip_serializing_if = "Option::is_none")]
    verified: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    torch: Option<Comparison>,
}

/// Runs the command.
pub fn bench(args: &BenchArgs) -> Result<()> {
    let target = args.target.as_ref().map(TargetArg::target).transpose()?;
    restart_with_threads(args.threads)?;
    let file = args.inputs.as_deref().map(TensorFile::open).transpose()?;
    let gradients = wanted(args.grad, file.as_ref(), &args.prefix);
    let cache = if args.cached { Cache::of_user() } else { None };
    let mut loaded = load(&args.model, target, gradients.as_ref(), cache.as_ref())?;
    if args.compare_torch && loaded.executor.device() != DeviceKind::Cpu {
        return Err(CliError::Usage("--compare-torch works on the CPU alone".into()));
    }
    let plan = loaded.executor.plan();
    let values = if args.inputs.is_some() {
        let given = Given { file: file.as_ref().zip(args.inputs.as_deref()), prefix: &args.prefix, args: &args.arg };
        given_values(&call_inputs(plan), &loaded.inputs, &given)?
    } else {
        made_up_values(plan, &args.size, args.integers)?
    };
    let mut state = Vec::new();
    if args.model.extension() == Some(OsStr::new("mlir")) {
        state = made_up_state(plan)?;
        for (name, tensor) in &state {
            loaded.executor.set_state(name, tensor.clone())?;
        }
    }
    let mut measurements = measure(args, &mut loaded, values.clone())?;
    if args.each_kernel {
        measurements.kernel_compile = Some(kernel_compile(args, target)?);
    }
    if args.compare_torch {
        let arguments = arguments(loaded.executor.plan(), &state, &values);
        measurements.torch = Some(torch::compare(&args.model, &args.python, &mut loaded.executor, &values, &arguments)?);
    }
    print(&table::table(&measurements))?;
    if let Some(path) = &args.json {
        let text = serde_json::to_string_pretty(&measurements);
        let text = text.map_err(|error| CliError::Failed(format!("the measurements: {error}")))?;
        write_text(path, &(text + "\n"))?;
    }
    Ok(())
}

/// The variable that the runtime's thread pool reads when it starts.
const THREADS: &str = "FX_NUM_THREADS";

/// Replaces the process by one whose pool has the wanted number of threads, unless it has already.
fn restart_with_threads(threads: Option<NonZero<usize>>) -> Result<()> {
    let Some(threads) = threads.map(|threads| threads.to_string()) else {
        return Ok(());
    };
    if std::env::var(THREADS).is_ok_and(|now| now == threads) {
        return Ok(());
    }
    let program = std::env::current_exe().map_err(|error| CliError::io("fxc".as_ref(), error))?;
    let error = std::process::Command::new(&program).args(std::env::args_os().skip(1)).env(THREADS, threads).exec();
    Err(CliError::io(&program, error))
}

fn measure(args: &BenchArgs, loaded: &mut Loaded, values: Vec<Value>) -> Result<Measurements> {
    let executor = &mut loaded.executor;
    let verified = if args.verify_graphs { Some(verify::verify(executor, &values)?) } else { None };
    executor.set_graphs(args.graphs);
    let mut turns = vec![on_device(executor, values.clone())?];
    if args.alternate {
        turns.push(on_device(executor, values)?);
    }
    let mut gpu = gpu::start(executor, &turns[0])?;
    let started = warm_up(executor, &turns, args.seconds)?;
    if let Some(gpu) = &mut gpu {
        gpu.calls_begin(executor);
    }
    let mut host = block(executor, &turns, args.seconds)?;
    let (elapsed, graphs) = (started.elapsed(), executor.graph_use());
    let (mut device, kernels) = device_times(executor, &turns[0], args.seconds)?;
    let host_calls = host_calls(&executor.plan().steps);
    let (call_mean, device_median) = (micros(elapsed) / host.len() as f64, median(&mut device));
    let time = if host_calls > 0 { call_mean } else { call_mean.min(device_median) };
    let gpu = gpu.map(|gpu| gpu.finish(args.graphs, graphs, host.len(), time, call_mean));
    let names = &executor.plan().kernels;
    let kernel_times = names.iter().zip(kernels).map(|(kernel, time)| Time { name: kernel.symbol.clone(), microseconds: time });
    let total: Duration = loaded.timings.iter().map(|(_, time)| *time).sum();
    let compile = loaded.timings.iter().map(|(name, time)| Time { name: name.clone(), microseconds: micros(*time) });
    Ok(Measurements {
        model: args.model.display().to_string(),
        target: executor.plan().target.clone(),
        device: executor.device().to_string(),
        compile: compile.collect(),
        compile_total: micros(total),
        device_open: micros(loaded.device),
        kernel_compile: None,
        kernels: executor.plan().kernels.len(),
        buffers: executor.plan().buffers.len(),
        planned_bytes: executor.planned_bytes(),
        peak_bytes: executor.memory_use().call_peak,
        state_bytes: executor.memory_use().state,
        calls: host.len(),
        call_mean,
        host_calls,
        host_median: median(&mut host),
        host_min: host.first().copied().unwrap_or(0.0), // sorted by now
        device_median,
        kernel_times: slowest_first(kernel_times),
        gpu,
        verified,
        torch: None,
    })
}

/// The value of `--seconds`.
fn seconds(text: &str) -> std::result::Result<Duration, String> {
    let number: f64 = text.parse().map_err(|_| format!("expected a number, got '{text}'"))?;
    Duration::try_from_secs_f64(number).map_err(|error| error.to_string())
}

fn host_calls(steps: &[Step]) -> usize {
    let calls = |step: &Step| match step {
        Step::Call { .. } => 1,
        Step::If { then, otherwise, .. } => host_calls(then) + host_calls(otherwise),
        Step::While { before, body, .. } => host_calls(before) + host_calls(body),
        _ => 0,
    };
    steps.iter().map(calls).sum()
}

fn slowest_first(times: impl Iterator<Item = Time>) -> Vec<Time> {
    let mut times: Vec<Time> = times.collect();
    times.sort_by(|a, b| b.microseconds.total_cmp(&a.microseconds));
    times
}

/// Compilation of each kernel by itself. Fails for a bundle, which is compiled already.
fn kernel_compile(args: &BenchArgs, target: Option<&Target>) -> Result<Vec<Time>> {
    let times = Program::open(&args.model)?.kernel_times(target.unwrap_or(&Target::Cpu))?;
    Ok(slowest_first(times.into_iter().map(|(name, time)| Time { name, microseconds: micros(time) })))
}

/// The program's arguments in order, by name: made-up state, and the values of the call. State of archives is not
/// among them.
fn arguments(plan: &Plan, state: &[(String, HostTensor)], values: &[Value]) -> Vec<(String, Value)> {
    let mut values = values.iter();
    let argument = |kind: &ArgumentKind| match kind {
        ArgumentKind::Input(name) => Some((name.clone(), values.next()?.clone())),
        ArgumentKind::Parameter(name) | ArgumentKind::Buffer(name) | ArgumentKind::Constant(name) => {
            let found = state.iter().find(|(other, _)| other == name);
            found.map(|(name, tensor)| (name.clone(), Value::Tensor(tensor.clone())))
        }
    };
    let kinds = plan.arguments.iter().map(|argument| &argument.kind);
    kinds.filter_map(argument).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pytorch_gets_arguments_in_the_programs_order() {
        let plan = crate::values::tests::plan();
        let values = made_up_values(&plan, &[], ZEROS).unwrap();
        let names = |state: &[(String, HostTensor)]| {
            let arguments = arguments(&plan, state, &values);
            arguments.into_iter().map(|(name, _)| name).collect::<Vec<_>>()
        };
        assert_eq!(names(&made_up_state(&plan).unwrap()), ["w", "x", "n", "y", "scale"]);
        assert_eq!(names(&[]), ["x", "n", "y", "scale"]);
    }
}
