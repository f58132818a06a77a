//! `fxc check`: run golden cases and compare with what PyTorch computed.

mod report;

use crate::error::{CliError, Result, print};
use crate::files::write_text;
use crate::golden::case::Case;
use crate::golden::execute::{Outcome, Running, execute, install_panic_hook};
use crate::golden::read;
use crate::golden::reproduce::reproduce;
use crate::progress::Progress;
use crate::target::TargetArg;
use clap::Args;
use fx_runtime::Graphs;
use regex::Regex;
use std::num::NonZero;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

const EXAMPLES: &str = "\
A case passes when each result has PyTorch's dtype and shape, and each element
  |ours - float64 reference| <= 1.5 error64 + rtol |reference| + atol
with NaN equal to NaN; integers and bools must be equal. A case that cannot be compiled has failed. The last line is
`N passed, N failed, N skipped`; only --only skips. The line before it tells the median and the largest compile time.

Examples:
  fxc check opinfo/manifest.jsonl                       all operator cases
  fxc check opinfo/manifest.jsonl --only '^softmax/'    some of them
  fxc check models                                      all programs of all models
  fxc check models/mlp --only 'model.pt2$'              one program
  fxc check models --target=cuda --report report.tsv --dump computed/
  fxc check models --target=cuda --graphs always        each launch as a part of a CUDA graph
  fxc check models --reproducers failing/               what fails, as programs in MLIR text with their values
  fxc check models --jobs 1 -v                          names each case before it runs";

/// Check golden cases: import, compile, run, and compare values
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct CheckArgs {
    /// A manifest of operator cases, a model's folder (with meta.json), or a folder of such folders
    #[arg(value_name = "MANIFEST.jsonl|MODELDIR")]
    path: PathBuf,
    /// Check gradients too
    #[arg(long)]
    grad: bool,
    /// Where to run: cpu or cuda (or sm_90a, sm_80: a GPU with code for that architecture), or interp: the reference
    /// evaluator
    #[arg(long, default_value = "cpu")]
    target: TargetArg,
    /// Run only cases whose id matches (anywhere); the others count as skipped
    #[arg(long, value_name = "REGEX")]
    only: Option<Regex>,
    /// Cases that run at a time, by default as many as the machine has processors
    #[arg(short, long, value_name = "N")]
    jobs: Option<NonZero<usize>>,
    /// Where the random numbers of each case start
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// When calls on a GPU use CUDA graphs: auto (for eight launches in a row and more), always or never. With always, each
    /// call is made twice, and the results of the second are compared, which come from a graph
    #[arg(long, value_name = "auto|always|never", default_value = "auto")]
    graphs: Graphs,
    /// Write a table: case, status, compile_ms, run_ms, worst ratio, message; and beside it OUT.ops.tsv: for each
    /// operator (or model) its cases, how many failed, and the worst ratio
    #[arg(long, value_name = "OUT.tsv")]
    report: Option<PathBuf>,
    /// Write what was computed, under the golden files' names, to DIR/ID.safetensors
    #[arg(long, value_name = "DIR")]
    dump: Option<PathBuf>,
    /// Write each failing case as one program in MLIR text, with its inputs and parameters inside, to DIR/ID.mlir; its
    /// first lines say what is wrong and which command repeats it. Large values go into DIR/ID.safetensors
    #[arg(long, value_name = "DIR")]
    reproducers: Option<PathBuf>,
    /// Print a line when a case begins, and one when it ends; at the end, the worst error of each operator
    #[arg(short, long)]
    verbose: bool,
}

/// A case with its outcome.
type Finished<'a> = (&'a Case, Outcome);

/// Runs the command.
pub fn check(args: &CheckArgs) -> Result<()> {
    // Training programs are checked together with gradients.
    let cases = read(&args.path)?.into_iter().filter(|case| args.grad || !case.training);
    let cases: Vec<Case> = cases.map(|case| if args.grad { case } else { case.without_gradients() }).collect();
    let is_wanted = |case: &&Case| args.only.as_ref().is_none_or(|only| only.is_match(&case.id));
    let wanted: Vec<&Case> = cases.iter().filter(is_wanted).collect();
    let skipped = cases.len() - wanted.len();
    let finished = run_all(&wanted, args)?;
    if let Some(path) = &args.report {
        write_text(path, &report::cases(&finished))?;
        write_text(&report::operators_path(path), &report::operators_table(&finished))?;
    }
    print_failures(&finished)?;
    if args.verbose {
        print(&report::operators_text(&finished))?;
    }
    if let Some(line) = report::compile_times(&finished) {
        print(&line)?;
    }
    let (ran, failed) = (finished.len(), failures(&finished).count());
    print(&format!("{} passed, {failed} failed, {skipped} skipped", ran - failed))?;
    if failed > 0 || ran == 0 {
        return Err(CliError::Reported);
    }
    Ok(())
}

/// Stack of a thread that runs cases: deep graphs recurse.
const STACK: usize = 64 << 20;

/// Runs all cases on `--jobs` threads. Gives them in the order of their ids.
fn run_all<'a>(cases: &[&'a Case], args: &CheckArgs) -> Result<Vec<Finished<'a>>> {
    install_panic_hook();
    let jobs = args.jobs.or_else(|| std::thread::available_parallelism().ok());
    let jobs = jobs.map_or(1, NonZero::get).min(cases.len());
    let progress = Progress::new(cases.len(), args.verbose);
    let next = AtomicUsize::new(0);
    let outcomes = Mutex::new(Vec::with_capacity(cases.len()));
    let work = || {
        while let Some(case) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
            progress.start(&case.id);
            let outcome = run_one(case, args);
            progress.finish(|| format!("{} {}", report::status(&outcome), case.id));
            let mut outcomes = outcomes.lock().unwrap_or_else(|error| error.into_inner());
            outcomes.push((*case, outcome));
        }
    };
    std::thread::scope(|scope| {
        let spawn = |_| std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work);
        let threads: std::io::Result<Vec<_>> = (0..jobs).map(spawn).collect();
        threads.map(drop)
    })
    .map_err(|error| CliError::Failed(format!("a thread cannot be started: {error}")))?;
    progress.clear();
    let mut outcomes = outcomes.into_inner().unwrap_or_else(|error| error.into_inner());
    outcomes.sort_by(|(a, _), (b, _)| a.id.cmp(&b.id));
    Ok(outcomes)
}

fn run_one(case: &Case, args: &CheckArgs) -> Outcome {
    let running = Running { target: &args.target, seed: args.seed, graphs: args.graphs, dump: args.dump.as_deref() };
    let mut outcome = execute(case, running);
    if let (Some(folder), Some(_)) = (&args.reproducers, &outcome.failure) {
        outcome.reproducer = Some(reproduce(case, &args.target, &outcome, folder));
    }
    outcome
}

/// Cases that failed, with their messages.
fn failures<'a>(finished: &'a [Finished<'_>]) -> impl Iterator<Item = (&'a Finished<'a>, &'a str)> {
    finished.iter().filter_map(|one| Some((one, one.1.failure.as_deref()?)))
}

/// Each failure, and how often each message occurs if there are several.
fn print_failures(finished: &[Finished<'_>]) -> Result<()> {
    for ((case, outcome), message) in failures(finished) {
        print(&format!("FAIL {}: {}", case.id, report::first_lines(message)))?;
        if let Some(line) = &outcome.reproducer {
            print(&format!("    {line}"))?;
        }
    }
    if failures(finished).count() < 2 {
        return Ok(());
    }
    print("\nfailures by message:")?;
    for (message, count) in report::groups(failures(finished).map(|(_, message)| message)) {
        print(&format!("{count:6}  {message}"))?;
    }
    print("")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::golden::case::Tolerance;

    /// A case that is nowhere; its operator is what stands before the slash of its id.
    pub(super) fn case(id: &str) -> Case {
        Case {
            id: id.into(),
            op: id.split('/').next().unwrap_or_default().into(),
            program: "absent.pt2".into(),
            tensors: "absent.safetensors".into(),
            tolerance: Tolerance { rtol: 0.0, atol: 0.0 },
            training: false,
            gradients: None,
            sets: Vec::new(),
        }
    }

    #[test]
    fn cases_run_in_parallel_and_come_back_sorted() {
        let cases = [case("b"), case("a"), case("c")];
        let folder = tempfile::tempdir().unwrap();
        let args = CheckArgs {
            path: PathBuf::new(),
            grad: false,
            target: TargetArg::Compiled(fx_mlir::Target::Cpu),
            only: None,
            jobs: NonZero::new(2),
            seed: 0,
            graphs: Graphs::Auto,
            report: None,
            dump: None,
            reproducers: Some(folder.path().into()),
            verbose: false,
        };
        let wanted: Vec<&Case> = cases.iter().collect();
        let finished = run_all(&wanted, &args).unwrap();
        let ids: Vec<&str> = finished.iter().map(|(case, _)| case.id.as_str()).collect();
        assert_eq!(ids, ["a", "b", "c"]);
        assert_eq!(failures(&finished).count(), 3);
        assert!(finished[0].1.reproducer.as_deref().unwrap().starts_with("no reproducer: absent.pt2"));
        assert!(run_all(&[], &args).unwrap().is_empty());
    }
}
