//! `fxc bench`: time of compiling, and of a call on the host and on the device.

use crate::error::{CliError, Result, print};
use crate::files::write_text;
use crate::load::{Loaded, load};
use crate::target::{TargetArg, no_gradients};
use crate::values::{Given, NamedValue, given_values, made_up_values};
use clap::Args;
use fx_runtime::tensor_file::TensorFile;
use fx_runtime::{DeviceKind, Executor, Value};
use serde::Serialize;
use std::num::NonZero;
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::time::{Duration, Instant};

const EXAMPLES: &str = "\
Inputs are made up (floats between -1 and 1, zeros for integers, symbolic sizes of 16 if their ranges allow it) unless
a file is given.

Examples:
  fxc bench model.pt2                                   on the CPU, with all its threads
  fxc bench model.pt2 --threads 1
  fxc bench model.pt2 --target=cuda --json bench.json
  fxc bench model.pt2 --inputs io.safetensors           with the tensors input.0, input.1, .. of the file
  fxc bench model.pt2 --size s0=128                     with made-up inputs of that size";

/// Measure a program: cold compilation by phase, then calls for about a second
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
    kernels: usize,
    buffers: usize,
    planned_bytes: usize,
    state_bytes: usize,
    calls: usize,
    /// From the call to its results; on a GPU until the call returns, its work being queued.
    host_median: f64,
    host_min: f64,
    /// Sum of all kernels of one call: the median over calls.
    device_median: f64,
    /// Kernels by their time in one call, the slowest first.
    kernel_times: Vec<Time>,
}

#[derive(Debug, Serialize)]
struct Time {
    name: String,
    microseconds: f64,
}

/// Runs the command.
pub fn bench(args: &BenchArgs) -> Result<()> {
    no_gradients(args.grad)?;
    let target = args.target.as_ref().map(TargetArg::target).transpose()?;
    restart_with_threads(args.threads)?;
    let file = args.inputs.as_deref().map(TensorFile::open).transpose()?;
    let mut loaded = load(&args.model, target)?;
    let plan = loaded.executor.plan();
    let values = if args.inputs.is_some() {
        let given = Given { file: file.as_ref().zip(args.inputs.as_deref()), prefix: &args.prefix, args: &args.arg };
        given_values(plan, &loaded.inputs, &given)?
    } else {
        made_up_values(plan, &args.size)?
    };
    let measurements = measure(args, &mut loaded, values)?;
    print(&table(&measurements))?;
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

/// How long calls are repeated.
const DURATION: Duration = Duration::from_secs(1);
/// Calls whose time is not counted.
const WARM_UP: usize = 3;
/// Calls between two waits for a GPU.
const QUEUED: usize = 32;
/// Calls with timing of kernels.
const TIMED: usize = 10;
/// Kernels that the table shows.
const SHOWN: usize = 10;

fn measure(args: &BenchArgs, loaded: &mut Loaded, values: Vec<Value>) -> Result<Measurements> {
    let executor = &mut loaded.executor;
    let values = on_device(executor, values)?;
    let mut host = call_times(executor, &values)?;
    let (mut device, kernels) = device_times(executor, &values)?;
    let names = &executor.plan().kernels;
    let mut kernel_times: Vec<Time> =
        names.iter().zip(kernels).map(|(kernel, time)| Time { name: kernel.symbol.clone(), microseconds: time }).collect();
    kernel_times.sort_by(|a, b| b.microseconds.total_cmp(&a.microseconds));
    let total: Duration = loaded.timings.iter().map(|(_, time)| *time).sum();
    let compile = loaded.timings.iter().map(|(name, time)| Time { name: name.clone(), microseconds: micros(*time) });
    Ok(Measurements {
        model: args.model.display().to_string(),
        target: executor.plan().target.clone(),
        device: executor.device().to_string(),
        compile: compile.collect(),
        compile_total: micros(total),
        kernels: executor.plan().kernels.len(),
        buffers: executor.plan().buffers.len(),
        planned_bytes: executor.planned_bytes(),
        state_bytes: executor.memory_use().state,
        calls: host.len(),
        host_median: median(&mut host),
        host_min: host.first().copied().unwrap_or(0.0), // sorted by now
        device_median: median(&mut device),
        kernel_times,
    })
}

/// Inputs where the device reaches them, so that calls do not copy.
fn on_device(executor: &mut Executor, values: Vec<Value>) -> Result<Vec<Value>> {
    if executor.device() == DeviceKind::Cpu {
        return Ok(values);
    }
    let values = values.into_iter().map(|value| {
        Ok(match value {
            Value::Tensor(tensor) => Value::Device(executor.upload(&tensor)?),
            other => other,
        })
    });
    values.collect()
}

/// Host time of each call, in microseconds.
fn call_times(executor: &mut Executor, values: &[Value]) -> Result<Vec<f64>> {
    for _ in 0..WARM_UP {
        executor.call_on_device(values)?;
    }
    executor.synchronize()?;
    let mut times = Vec::new();
    let started = Instant::now();
    while started.elapsed() < DURATION || times.is_empty() {
        let call = Instant::now();
        let results = executor.call_on_device(values)?;
        times.push(micros(call.elapsed()));
        drop(results);
        if times.len() % QUEUED == 0 {
            executor.synchronize()?;
        }
    }
    executor.synchronize()?;
    Ok(times)
}

/// Device time of each of some calls, and of each kernel in an average call, in microseconds.
fn device_times(executor: &mut Executor, values: &[Value]) -> Result<(Vec<f64>, Vec<f64>)> {
    let mut kernels = vec![0.0; executor.plan().kernels.len()];
    let mut calls = Vec::with_capacity(TIMED);
    executor.set_timing(true);
    for _ in 0..TIMED {
        executor.call_on_device(values)?;
        let mut sum = 0.0;
        for launch in executor.take_times()? {
            let time = launch.nanoseconds as f64 / 1e3;
            sum += time;
            if let Some(kernel) = kernels.get_mut(launch.kernel as usize) {
                *kernel += time / TIMED as f64;
            }
        }
        calls.push(sum);
    }
    executor.set_timing(false);
    Ok((calls, kernels))
}

fn micros(time: Duration) -> f64 {
    time.as_secs_f64() * 1e6
}

/// The middle one; sorts the times. 0 for none.
fn median(times: &mut [f64]) -> f64 {
    times.sort_by(f64::total_cmp);
    match (times.get(times.len() / 2), times.len() % 2) {
        (Some(upper), 0) => (upper + times[times.len() / 2 - 1]) / 2.0,
        (Some(middle), _) => *middle,
        (None, _) => 0.0,
    }
}

fn table(measurements: &Measurements) -> String {
    let m = measurements;
    let mut lines = vec![format!("{} for {} on {}", m.model, m.target, m.device)];
    let mut row = |name: &str, value: String| lines.push(format!("  {name:<28} {value:>14}"));
    row("compile", time(m.compile_total));
    for phase in &m.compile {
        row(&format!("  {}", phase.name), time(phase.microseconds));
    }
    row("kernels", m.kernels.to_string());
    row("buffers", m.buffers.to_string());
    row("planned bytes", m.planned_bytes.to_string());
    row("state bytes", m.state_bytes.to_string());
    row("calls", m.calls.to_string());
    row("host time, median", time(m.host_median));
    row("host time, least", time(m.host_min));
    row("kernel time, median", time(m.device_median));
    for kernel in m.kernel_times.iter().take(SHOWN) {
        row(&format!("  {}", kernel.name), time(kernel.microseconds));
    }
    if m.kernel_times.len() > SHOWN {
        row(&format!("  {} more", m.kernel_times.len() - SHOWN), String::new());
    }
    let trimmed: Vec<&str> = lines.iter().map(|line| line.trim_end()).collect();
    trimmed.join("\n")
}

/// Microseconds with a unit that suits.
fn time(microseconds: f64) -> String {
    match microseconds {
        t if t < 1e3 => format!("{t:.2} us"),
        t if t < 1e6 => format!("{:.2} ms", t / 1e3),
        t => format!("{:.2} s", t / 1e6),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn medians_and_units() {
        assert_eq!(median(&mut [3.0, 1.0, 2.0]), 2.0);
        assert_eq!(median(&mut [4.0, 1.0, 2.0, 3.0]), 2.5);
        assert_eq!(median(&mut []), 0.0);
        assert_eq!(time(12.345), "12.35 us");
        assert_eq!(time(12_345.0), "12.35 ms");
        assert_eq!(time(2.5e6), "2.50 s");
    }
}
