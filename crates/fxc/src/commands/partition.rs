//! `fxc partition`: a training program as two, and the memory that both take.

use crate::error::{CliError, Result, print};
use crate::files::write_text;
use crate::golden::case::Case;
use crate::golden::execute::{guarded, input_value, install_panic_hook};
use crate::golden::read;
use crate::load::call_inputs;
use crate::target::TargetArg;
use crate::values::{Given, NamedValue, ZEROS, given_values, made_up_state, made_up_values};
use clap::Args;
use fx_library::Library;
use fx_mlir::gradients::{Arguments, Gradients};
use fx_mlir::halves::{Budget, Pair, Partitioning, Strategy};
use fx_mlir::{InputInfo, InputKind, Program, Target};
use fx_runtime::plan::OutputKind;
use fx_runtime::tensor_file::TensorFile;
use fx_runtime::{HostTensor, OutputItem, Value};
use serde::Serialize;
use std::collections::HashMap;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

const EXAMPLES: &str = "\
Both halves are compiled and called once, on the recorded inputs of a model's folder, those of a file, or made-up ones. A
line for each partition tells
  saved       bytes that are kept from the forward half for the backward half
  again       operations on numbers that both halves do
  predicted   peak of memory as the partitioner knows it
  measured    peak of memory of the calls: arenas and results, and what is saved; not inputs and parameters
  difference  of both, in percent of what was measured

Examples:
  fxc partition models                                  all training programs, by the minimum cut
  fxc partition models/gpt2_tiny --budget 1.0,0.5,0     at three budgets of memory
  fxc partition model_train.pt2 --budget 1048576 --json peaks.json
  fxc partition model_train.pt2 --strategy default --size s0=8";

/// Split training programs into a forward and a backward half; say what is saved and how much memory they take
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct PartitionArgs {
    /// A program (.pt2, .mlir), a model's folder (with meta.json), or a folder of such folders
    #[arg(value_name = "MODEL|MODELDIR")]
    path: PathBuf,
    /// default: compute nothing twice; min-cut: save little
    #[arg(long, default_value = "min-cut", value_parser = ["default", "min-cut"], conflicts_with = "budget")]
    strategy: String,
    /// Peaks of memory: fractions between the least that can be reached (0) and that of saving everything (1), or bytes
    #[arg(long, value_name = "BUDGET,..", value_delimiter = ',', value_parser = budget)]
    budget: Vec<(String, Budget)>,
    /// Where to run: cpu or cuda (or sm_90a, sm_80)
    #[arg(long, default_value = "cpu")]
    target: TargetArg,
    /// Tensor inputs of a program, as for `fxc run`
    #[arg(long, value_name = "IN.safetensors")]
    inputs: Option<PathBuf>,
    /// A number input, by its position among the inputs (from 0) or its name
    #[arg(long, value_name = "N=VALUE", requires = "inputs")]
    arg: Vec<NamedValue>,
    /// The value of a symbolic size, for made-up inputs
    #[arg(long, value_name = "SYMBOL=VALUE", conflicts_with = "inputs")]
    size: Vec<NamedValue>,
    /// Write the lines as JSON
    #[arg(long, value_name = "OUT.json")]
    json: Option<PathBuf>,
}

fn budget(text: &str) -> Result<(String, Budget), String> {
    let budget = text.parse().map_err(|()| format!("'{text}' is no fraction between 0 and 1, and no number of bytes"))?;
    Ok((text.to_owned(), budget))
}

/// A line.
#[derive(Debug, Serialize)]
struct Peaks {
    model: String,
    strategy: String,
    saved_bytes: usize,
    recomputed_flops: u64,
    predicted_peak_bytes: u64,
    measured_peak_bytes: usize,
}

/// A program with values for its inputs.
struct Job {
    name: String,
    program: Program,
    values: Vec<Value>,
}

/// Runs the command.
pub fn partition(args: &PartitionArgs) -> Result<()> {
    install_panic_hook();
    let target = args.target.target()?;
    let mut strategies: Vec<_> = args.budget.iter().map(|(text, budget)| (format!("budget {text}"), Strategy::Budget(*budget))).collect();
    if strategies.is_empty() {
        let strategy = if args.strategy == "default" { Strategy::Default } else { Strategy::MinCut };
        strategies.push((args.strategy.clone(), strategy));
    }
    print(&format!(
        "{:24} {:16} {:>11} {:>13} {:>11} {:>11} {:>10}",
        "model", "strategy", "saved", "again", "predicted", "measured", "difference"
    ))?;
    let (mut lines, mut failed) = (Vec::new(), false);
    let work: Vec<Box<dyn Fn() -> Result<Job>>> = if args.path.is_dir() {
        let cases = read(&args.path)?.into_iter().filter(is_training_program);
        cases.map(|case| -> Box<dyn Fn() -> Result<Job>> { Box::new(move || recorded(&case)) }).collect()
    } else {
        vec![Box::new(|| given(args, target))]
    };
    if work.is_empty() {
        return Err(CliError::Failed(format!("{}: no training program (model_train.pt2)", args.path.display())));
    }
    for job in work {
        let result = guarded(|| {
            let job = job()?;
            for (name, strategy) in &strategies {
                let peaks = measure(&job, name, *strategy, target)?;
                print(&line(&peaks))?;
                lines.push(peaks);
            }
            Ok(())
        });
        if let Err(message) = result {
            crate::error::note(&message);
            failed = true;
        }
    }
    if let Some(path) = &args.json {
        let text = serde_json::to_string_pretty(&lines).map_err(|error| CliError::Failed(format!("the lines: {error}")))?;
        write_text(path, &(text + "\n"))?;
    }
    if failed { Err(CliError::Reported) } else { Ok(()) }
}

fn is_training_program(case: &Case) -> bool {
    case.program.file_name() == Some(OsStr::new("model_train.pt2"))
}

/// A model's training program with its first recorded inputs.
fn recorded(case: &Case) -> Result<Job> {
    let fail = |message: &str| CliError::Failed(format!("{}: {message}", case.id));
    let set = case.sets.first().ok_or_else(|| fail("no inputs"))?;
    let file = TensorFile::open(&case.tensors)?;
    let program = Program::open(&case.program)?;
    let value = |info: &InputInfo| {
        let input = set.inputs.iter().find(|input| input.placeholder == info.name);
        input_value(input.ok_or_else(|| fail(&format!("no input '{}'", info.name)))?, &file)
    };
    let values = program.inputs().iter().map(value).collect::<Result<_>>()?;
    Ok(Job { name: case.op.clone(), program, values })
}

/// The program of the command line.
fn given(args: &PartitionArgs, target: &Target) -> Result<Job> {
    let program = Program::open(&args.path)?;
    let plan = program.compile(target)?.plan;
    let values = match &args.inputs {
        Some(path) => {
            let file = TensorFile::open(path)?;
            let names: Vec<_> = program.inputs().iter().map(|input| input.name.clone()).collect();
            given_values(&call_inputs(&plan), &names, &Given { file: Some((&file, path)), prefix: "", args: &args.arg })?
        }
        None => made_up_values(&plan, &args.size, ZEROS)?,
    };
    Ok(Job { name: name_of(&args.path), program, values })
}

fn name_of(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

/// Partitions, compiles, and calls both halves once.
fn measure(job: &Job, name: &str, strategy: Strategy, target: &Target) -> Result<Peaks> {
    let has_parameters = job.program.archive().is_some_and(|archive| archive.weights().any(|(_, payload)| payload.is_param));
    let arguments = if has_parameters { Arguments::Parameters } else { Arguments::All };
    let how = Partitioning {
        gradients: Gradients { arguments, ..Gradients::default() },
        strategy,
        sizes: sizes(job.program.inputs(), &job.values),
        target: target.clone(),
    };
    let halves = job.program.halves(&how)?;
    let mut pair = Pair::new(&halves, target, &Library::default())?;
    if job.program.archive().is_none() {
        for plan in pair.plans().map(made_up_state) {
            for (name, tensor) in plan? {
                pair.set_state(&name, &tensor.into())?;
            }
        }
    }
    let outputs = pair.forward(&job.values)?;
    pair.backward(&cotangents(&outputs)?)?;
    Ok(Peaks {
        model: job.name.clone(),
        strategy: name.to_owned(),
        saved_bytes: pair.saved_bytes(),
        recomputed_flops: halves.report.work,
        predicted_peak_bytes: halves.report.peak,
        measured_peak_bytes: pair.peak_bytes(),
    })
}

/// Zeros like the outputs.
fn cotangents(outputs: &[OutputItem]) -> Result<Vec<Value>> {
    let outputs = outputs.iter().filter(|item| item.kind == OutputKind::Output);
    let tensors = outputs.filter_map(|item| if let Some(Value::Tensor(tensor)) = &item.value { Some(tensor) } else { None });
    let floats = tensors.filter(|tensor| tensor.dtype().is_float() || tensor.dtype().is_complex());
    floats.map(|tensor| Ok(HostTensor::zeros(tensor.dtype(), tensor.dims())?.into())).collect()
}

/// Sizes of symbols, as the values have them.
fn sizes(inputs: &[InputInfo], values: &[Value]) -> HashMap<String, u64> {
    let mut sizes = HashMap::new();
    for (info, value) in inputs.iter().zip(values) {
        match (&info.kind, value) {
            (InputKind::Tensor { dims, .. }, Value::Tensor(tensor)) => {
                let named = dims.iter().zip(tensor.dims()).filter(|(name, _)| name.parse::<u64>().is_err());
                sizes.extend(named.map(|(name, size)| (name.clone(), *size as u64)));
            }
            (InputKind::Scalar(_), Value::Int(number)) => {
                sizes.extend(u64::try_from(*number).ok().map(|number| (info.name.clone(), number)));
            }
            _ => {}
        }
    }
    sizes
}

fn line(peaks: &Peaks) -> String {
    let (predicted, measured) = (peaks.predicted_peak_bytes as f64, peaks.measured_peak_bytes as f64);
    format!(
        "{:24} {:16} {:>11} {:>13} {:>11} {:>11} {:>9.2}%",
        peaks.model,
        peaks.strategy,
        peaks.saved_bytes,
        peaks.recomputed_flops,
        peaks.predicted_peak_bytes,
        peaks.measured_peak_bytes,
        100.0 * (predicted - measured) / measured.max(1.0)
    )
}
