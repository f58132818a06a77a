//! `--compare-torch`: the same program in PyTorch's eager mode, in a child process, on the same inputs, in turns.
//!
//! The child runs `torch_side.py`, whose head says what is exchanged. Each side runs for [`BLOCK`] while the other
//! sleeps: our pool goes to sleep by itself, the child answers only when its threads have.

use super::measure::{block, median};
use crate::error::{CliError, Result};
use crate::files::read_text;
use fx_runtime::plan::OutputKind;
use fx_runtime::pool::Pool;
use fx_runtime::tensor_file::{read_tensors, write_tensors};
use fx_runtime::{Executor, HostTensor, Value};
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Duration;

const SCRIPT: &str = include_str!("torch_side.py");
/// How long one side runs at a time.
const BLOCK: Duration = Duration::from_millis(100);
/// Between two blocks: enough for our pool to sleep.
const PAUSE: Duration = Duration::from_millis(20);
/// Blocks of each side.
const BLOCKS: usize = 16;
/// Lines of the child's stderr that an error shows.
const SHOWN: usize = 12;

/// How both sides did; times in microseconds.
#[derive(Debug, Serialize)]
pub struct Comparison {
    /// Of PyTorch.
    pub version: String,
    /// What PyTorch ran: an archive's name, or an expression.
    pub program: String,
    /// Of each side.
    pub threads: usize,
    /// Of all calls.
    pub ours_median: f64,
    /// Likewise.
    pub torch_median: f64,
    /// PyTorch's time over ours: the median over blocks that follow each other, so that a machine whose speed drifts counts for both
    /// sides.
    pub ratio: f64,
    /// Of the results: the largest difference in a tensor over the tensor's largest value.
    pub difference: f64,
    /// Medians of single blocks, in order.
    pub ours_blocks: Vec<f64>,
    /// Likewise.
    pub torch_blocks: Vec<f64>,
}

/// What PyTorch runs.
#[derive(Debug, PartialEq)]
enum TorchProgram {
    Archive(PathBuf),
    Expression(String),
}

impl TorchProgram {
    /// For `model.pt2` the archive before decomposition, `model_raw.pt2`, if there is one: it is what eager mode runs.
    fn of(model: &Path) -> Result<Self> {
        match model.extension().and_then(OsStr::to_str) {
            Some("pt2") => {
                let raw = model.file_stem().map(|stem| model.with_file_name(format!("{}_raw.pt2", stem.to_string_lossy())));
                Ok(TorchProgram::Archive(raw.filter(|raw| raw.is_file()).unwrap_or_else(|| model.to_path_buf())))
            }
            Some("mlir") => expression(&read_text(model)?).map(TorchProgram::Expression).ok_or_else(|| {
                let line = "a line such as '// torch: lambda x, w: x @ w'";
                CliError::Usage(format!("{}: comparing with PyTorch needs {line} at its head", model.display()))
            }),
            _ => Err(CliError::Usage(format!("{}: only .pt2 and .mlir programs can be compared with PyTorch", model.display()))),
        }
    }

    fn name(&self) -> String {
        match self {
            TorchProgram::Archive(path) => path.file_name().unwrap_or_default().to_string_lossy().into_owned(),
            TorchProgram::Expression(text) => text.clone(),
        }
    }
}

/// What follows `// torch:` in the comments at the head of MLIR text.
fn expression(text: &str) -> Option<String> {
    let comments = text.lines().map_while(|line| line.trim().strip_prefix("//"));
    let found = comments.filter_map(|comment| comment.trim().strip_prefix("torch:")).next()?.trim();
    (!found.is_empty()).then(|| found.to_owned())
}

/// Compares a program that is ready to be called. `arguments` are the values that PyTorch gets, by name: those of the
/// call, and before them parameters that the program's file does not hold.
pub fn compare(
    model: &Path,
    python: &Path,
    executor: &mut Executor,
    values: &[Value],
    arguments: &[(String, Value)],
) -> Result<Comparison> {
    let program = TorchProgram::of(model)?;
    let folder = tempfile::tempdir().map_err(|error| CliError::io("a temporary folder".as_ref(), error))?;
    let threads = Pool::global().threads();
    let mut torch = Torch::start(python, &program, threads, arguments, folder.path())?;
    let difference = difference(&torch.outputs(folder.path())?, executor, values)?;
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    let (mut ours_blocks, mut torch_blocks) = (Vec::new(), Vec::new());
    let turns = [values.to_vec()];
    for _ in 0..BLOCKS {
        let mut times = block(executor, &turns, BLOCK)?;
        ours_blocks.push(median(&mut times));
        ours.append(&mut times);
        std::thread::sleep(PAUSE);
        let mut times = torch.block()?;
        torch_blocks.push(median(&mut times));
        theirs.append(&mut times);
        std::thread::sleep(PAUSE);
    }
    let (ours_median, torch_median) = (median(&mut ours), median(&mut theirs));
    Ok(Comparison {
        version: torch.version.clone(),
        program: program.name(),
        threads,
        ours_median,
        torch_median,
        ratio: ratio(&ours_blocks, &torch_blocks),
        difference,
        ours_blocks,
        torch_blocks,
    })
}

/// The median of `theirs` over `ours`, pair by pair.
fn ratio(ours: &[f64], theirs: &[f64]) -> f64 {
    median(&mut ours.iter().zip(theirs).map(|(ours, theirs)| theirs / ours).collect::<Vec<_>>())
}

/// The child process.
struct Torch {
    child: Child,
    stdin: Option<ChildStdin>,
    stdout: BufReader<ChildStdout>,
    stderr: std::fs::File,
    version: String,
}

/// A line from the child.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Reply {
    Ready { version: String },
    Times(Vec<f64>),
    Written(usize),
    Error(String),
}

impl Torch {
    /// Starts Python, hands over the inputs in a file in `folder`, and waits until the program has run a few times.
    fn start(python: &Path, program: &TorchProgram, threads: usize, arguments: &[(String, Value)], folder: &Path) -> Result<Self> {
        let stderr = tempfile::tempfile_in(folder).map_err(|error| CliError::io(folder, error))?;
        let mut command = Command::new(python);
        command.arg("-c").arg(SCRIPT).stdin(Stdio::piped()).stdout(Stdio::piped());
        command.stderr(stderr.try_clone().map_err(|error| CliError::io(folder, error))?);
        let failed = |error| CliError::Failed(format!("'{}' cannot be started: {error} (--python gives its path)", python.display()));
        let mut child = command.spawn().map_err(failed)?;
        let (Some(stdin), Some(stdout)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(CliError::Failed("internal error: a child without pipes".into()));
        };
        let mut torch = Torch { child, stdin: Some(stdin), stdout: BufReader::new(stdout), stderr, version: String::new() };
        let setup = setup(program, threads, arguments, folder)?;
        match torch.request(&setup)? {
            Reply::Ready { version } => torch.version = version,
            other => return Err(unexpected(&other)),
        }
        Ok(torch)
    }

    /// Sends a line and reads one.
    fn request(&mut self, request: &serde_json::Value) -> Result<Reply> {
        // a child that has ended does not read: its last words say why
        if let Some(stdin) = &mut self.stdin {
            let _ = writeln!(stdin, "{request}").and_then(|()| stdin.flush());
        }
        let mut line = String::new();
        let read = self.stdout.read_line(&mut line);
        if line.is_empty() {
            let why = read.err().map(|error| error.to_string()).unwrap_or_else(|| self.last_words());
            return Err(CliError::Failed(format!("PyTorch's process has ended: {why}")));
        }
        match serde_json::from_str(&line) {
            Ok(Reply::Error(message)) => Err(CliError::Failed(message)),
            Ok(reply) => Ok(reply),
            Err(error) => Err(CliError::Failed(format!("PyTorch's process: {error} in '{}'", line.trim()))),
        }
    }

    /// The end of stderr.
    fn last_words(&mut self) -> String {
        let mut text = Vec::new();
        let _ = self.child.wait();
        let _ = self.stderr.seek(SeekFrom::Start(0)).and_then(|_| self.stderr.read_to_end(&mut text));
        let text = String::from_utf8_lossy(&text);
        let lines: Vec<&str> = text.trim_end().lines().collect();
        lines[lines.len().saturating_sub(SHOWN)..].join("\n")
    }

    /// Times of calls.
    fn block(&mut self) -> Result<Vec<f64>> {
        match self.request(&json!({ "run": BLOCK.as_secs_f64() }))? {
            Reply::Times(times) if !times.is_empty() => Ok(times),
            other => Err(unexpected(&other)),
        }
    }

    /// The tensors among the results, in order.
    fn outputs(&mut self, folder: &Path) -> Result<Vec<HostTensor>> {
        let path = folder.join("outputs.safetensors");
        let count = match self.request(&json!({ "outputs": path }))? {
            Reply::Written(count) => count,
            other => return Err(unexpected(&other)),
        };
        let mut tensors = read_tensors(&path)?;
        let missing = |index| CliError::Failed(format!("PyTorch's process wrote no tensor 'output.{index}'"));
        (0..count).map(|index| tensors.remove(&format!("output.{index}")).ok_or_else(|| missing(index))).collect()
    }
}

impl Drop for Torch {
    fn drop(&mut self) {
        self.stdin = None; // the child ends at the end of its input
        let _ = self.child.wait();
    }
}

fn unexpected(reply: &Reply) -> CliError {
    CliError::Failed(format!("PyTorch's process gave an unexpected answer: {reply:?}"))
}

/// The first line for the child; writes the tensors.
fn setup(program: &TorchProgram, threads: usize, arguments: &[(String, Value)], folder: &Path) -> Result<serde_json::Value> {
    let path = folder.join("inputs.safetensors");
    let mut tensors = Vec::new();
    let mut described = Vec::new();
    for (name, value) in arguments {
        described.push(match value {
            Value::Tensor(tensor) => {
                let key = format!("input.{}", tensors.len());
                tensors.push((key.clone(), tensor));
                json!({ "name": name, "tensor": key })
            }
            Value::Int(value) => json!({ "name": name, "value": value }),
            Value::Float(value) => json!({ "name": name, "value": value }),
            Value::Bool(value) => json!({ "name": name, "value": value }),
            Value::Device(_) => return Err(CliError::Usage("comparing with PyTorch works on the CPU".into())),
        });
    }
    write_tensors(&path, tensors.iter().map(|(key, tensor)| (key.as_str(), *tensor)), &BTreeMap::new())?;
    let (archive, expression) = match program {
        TorchProgram::Archive(path) => (Some(path), None),
        TorchProgram::Expression(text) => (None, Some(text)),
    };
    Ok(json!({ "program": archive, "expression": expression, "tensors": path, "threads": threads, "arguments": described }))
}

/// How far our results lie from PyTorch's. Fails when they are not of the same number and shapes.
fn difference(expected: &[HostTensor], executor: &mut Executor, values: &[Value]) -> Result<f64> {
    let items = executor.call(values)?;
    let outputs = items.iter().filter(|item| item.kind == OutputKind::Output).filter_map(|item| item.tensor().ok());
    let ours: Vec<&HostTensor> = outputs.collect();
    let shapes = |tensors: &mut dyn Iterator<Item = &HostTensor>| {
        let shapes: Vec<String> = tensors.map(|tensor| format!("{}{:?}", tensor.dtype(), tensor.dims())).collect();
        shapes.join(", ")
    };
    let (our_shapes, torch_shapes) = (shapes(&mut ours.iter().copied()), shapes(&mut expected.iter()));
    if our_shapes != torch_shapes {
        return Err(CliError::Failed(format!("the program gives {our_shapes}, but PyTorch's gives {torch_shapes}")));
    }
    let mut worst = 0.0f64;
    for (ours, theirs) in ours.iter().zip(expected) {
        let (Ok(ours), Ok(theirs)) = (ours.to_f64_vec(), theirs.to_f64_vec()) else {
            continue; // complex numbers
        };
        worst = worst.max(relative_difference(&ours, &theirs));
    }
    Ok(worst)
}

/// The largest difference over the largest reference.
fn relative_difference(ours: &[f64], theirs: &[f64]) -> f64 {
    let largest = theirs.iter().filter(|value| value.is_finite()).fold(0.0f64, |largest, value| largest.max(value.abs()));
    let differences = ours.iter().zip(theirs).map(|(a, b)| if a == b || (a.is_nan() && b.is_nan()) { 0.0 } else { (a - b).abs() });
    let largest_difference = differences.fold(0.0f64, |worst, d| if d.is_nan() { f64::INFINITY } else { worst.max(d) });
    if largest_difference == 0.0 { 0.0 } else { largest_difference / largest }
}

#[cfg(test)]
#[path = "torch_tests.rs"]
mod tests;
