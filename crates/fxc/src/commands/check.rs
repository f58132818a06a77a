//! `fxc check`: run golden cases and compare with what PyTorch computed.

use crate::error::{CliError, Result, print};
use crate::files::write_text;
use crate::golden::case::Case;
use crate::golden::execute::{Outcome, execute, install_panic_hook};
use crate::golden::read;
use crate::progress::Progress;
use crate::target::{TargetArg, no_gradients};
use clap::Args;
use regex::Regex;
use std::num::NonZero;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

const EXAMPLES: &str = "\
A case passes when each result has PyTorch's dtype and shape, and each element
  |ours - float64 reference| <= 1.5 error64 + rtol |reference| + atol
with NaN equal to NaN; integers and bools must be equal. A case that cannot be compiled has failed. The last line is
`N passed, N failed, N skipped`; only --only skips.

Examples:
  fxc check opinfo/manifest.jsonl                       all operator cases
  fxc check opinfo/manifest.jsonl --only '^softmax/'    some of them
  fxc check models                                      all programs of all models
  fxc check models/mlp --only 'model.pt2$'              one program
  fxc check models --target=cuda --report report.tsv --dump computed/
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
    /// Write a table: case, status, compile_ms, run_ms, worst ratio, message
    #[arg(long, value_name = "OUT.tsv")]
    report: Option<PathBuf>,
    /// Write what was computed, under the golden files' names, to DIR/ID.safetensors
    #[arg(long, value_name = "DIR")]
    dump: Option<PathBuf>,
    /// Print a line when a case begins, and one when it ends
    #[arg(short, long)]
    verbose: bool,
}

/// A case with its outcome.
type Finished<'a> = (&'a Case, Outcome);

/// Runs the command.
pub fn check(args: &CheckArgs) -> Result<()> {
    no_gradients(args.grad)?;
    // Training programs are checked together with gradients.
    let cases: Vec<Case> = read(&args.path)?.into_iter().filter(|case| args.grad || !case.training).collect();
    let is_wanted = |case: &&Case| args.only.as_ref().is_none_or(|only| only.is_match(&case.id));
    let wanted: Vec<&Case> = cases.iter().filter(is_wanted).collect();
    let skipped = cases.len() - wanted.len();
    let finished = run_all(&wanted, args)?;
    if let Some(path) = &args.report {
        write_text(path, &report(&finished))?;
    }
    let failures = failures(&finished);
    for (id, message) in &failures {
        print(&format!("FAIL {id}: {}", first_lines(message)))?;
    }
    print_groups(&failures)?;
    let (ran, failed) = (finished.len(), failures.len());
    let passed = ran - failed;
    print(&format!("{passed} passed, {failed} failed, {skipped} skipped"))?;
    if failed > 0 || ran == 0 {
        return Err(CliError::Reported);
    }
    Ok(())
}

/// Stack of a thread that runs cases: deep graphs recurse.
const STACK: usize = 64 << 20;

/// Runs all cases on `--jobs` threads. Gives them in the order of `cases`.
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
            let outcome = execute(case, &args.target, args.dump.as_deref());
            progress.finish(|| format!("{} {}", status(&outcome), case.id));
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

fn status(outcome: &Outcome) -> &'static str {
    match outcome.failure {
        None => "passed",
        Some(_) => "failed",
    }
}

/// Ids and messages, sorted by id as `finished` is.
fn failures<'a>(finished: &'a [Finished<'_>]) -> Vec<(&'a str, &'a str)> {
    finished.iter().filter_map(|(case, outcome)| Some((case.id.as_str(), outcome.failure.as_deref()?))).collect()
}

/// The first three lines, the later ones indented.
fn first_lines(message: &str) -> String {
    let lines: Vec<&str> = message.trim_end().lines().take(3).collect();
    lines.join("\n    ")
}

/// How often each first line occurs, the most frequent ones first; nothing for a single failure.
fn print_groups(failures: &[(&str, &str)]) -> Result<()> {
    let groups = groups(failures);
    if failures.len() < 2 {
        return Ok(());
    }
    print("\nfailures by message:")?;
    for (message, count) in groups {
        print(&format!("{count:6}  {message}"))?;
    }
    print("")
}

fn groups<'a>(failures: &[(&str, &'a str)]) -> Vec<(&'a str, usize)> {
    let mut counts = std::collections::BTreeMap::new();
    for (_, message) in failures {
        let line = message.lines().next().unwrap_or_default();
        // without the place, which differs from case to case
        let line = line.split_once("error: ").map_or(line, |(_, rest)| rest);
        *counts.entry(line).or_insert(0) += 1;
    }
    let mut counts: Vec<(&str, usize)> = counts.into_iter().collect();
    counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    counts
}

/// The table of `--report`.
fn report(finished: &[Finished<'_>]) -> String {
    let ms = |time: Option<Duration>| match time {
        Some(time) => format!("{:.3}", time.as_secs_f64() * 1e3),
        None => String::new(),
    };
    let mut text = String::from("case\tstatus\tcompile_ms\trun_ms\tworst_ratio\tmessage\n");
    for (case, outcome) in finished {
        let ratio = match outcome.run {
            Some(_) => format!("{:.4}", outcome.ratio),
            None => String::new(),
        };
        let message = outcome.failure.as_deref().unwrap_or_default().trim_end();
        let columns = [
            case.id.clone(),
            status(outcome).to_owned(),
            ms(outcome.compile),
            ms(outcome.run),
            ratio,
            message.replace('\n', " | ").replace('\t', " "),
        ];
        text.push_str(&columns.join("\t"));
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::golden::case::Tolerance;

    fn case(id: &str) -> Case {
        Case {
            id: id.into(),
            program: "absent.pt2".into(),
            tensors: "absent.safetensors".into(),
            tolerance: Tolerance { rtol: 0.0, atol: 0.0 },
            training: false,
            sets: Vec::new(),
        }
    }

    #[test]
    fn the_report_is_one_line_a_case() {
        let (a, b) = (case("a"), case("b"));
        let passed =
            Outcome { compile: Some(Duration::from_micros(1500)), run: Some(Duration::from_micros(20)), ratio: 0.25, failure: None };
        let failed = Outcome { failure: Some("m.mlir:1:2: error: bad\nnote\there\n".into()), ..Outcome::default() };
        let finished = [(&a, passed), (&b, failed)];
        assert_eq!(
            report(&finished),
            "case\tstatus\tcompile_ms\trun_ms\tworst_ratio\tmessage\n\
             a\tpassed\t1.500\t0.020\t0.2500\t\n\
             b\tfailed\t\t\t\tm.mlir:1:2: error: bad | note here\n"
        );
        assert_eq!(failures(&finished).len(), 1);
    }

    #[test]
    fn equal_messages_are_grouped() {
        let failures = [("a", "1:2: error: no op\nmore"), ("b", "differs"), ("c", "3:4: error: no op")];
        assert_eq!(groups(&failures), [("no op", 2), ("differs", 1)]);
        assert_eq!(first_lines("a\nb\nc\nd\n"), "a\n    b\n    c");
    }

    #[test]
    fn cases_run_in_parallel_and_come_back_sorted() {
        let cases = [case("b"), case("a"), case("c")];
        let args = CheckArgs {
            path: PathBuf::new(),
            grad: false,
            target: TargetArg::Compiled(fx_mlir::Target::Cpu),
            only: None,
            jobs: NonZero::new(2),
            report: None,
            dump: None,
            verbose: false,
        };
        let wanted: Vec<&Case> = cases.iter().collect();
        let finished = run_all(&wanted, &args).unwrap();
        let ids: Vec<&str> = finished.iter().map(|(case, _)| case.id.as_str()).collect();
        assert_eq!(ids, ["a", "b", "c"]);
        assert_eq!(failures(&finished).len(), 3);
        assert!(run_all(&[], &args).unwrap().is_empty());
    }
}
