//! Feeds damaged archives to the reader and looks for panics and slowness.
//!
//! ```text
//! cargo run --release -p fx-import --example mutate -- COUNT SEED ARCHIVE...
//! ```
//!
//! Mutation `i` of a seed depends on both and on the archives only, so a finding can be repeated:
//! run with the printed seed and a count of 1. Two kinds alternate: damage to the bytes, and damage to
//! the JSON of one member inside an otherwise sound archive with right checksums. What still opens is
//! read through: tensors, expressions, origins of nodes. The last line has the totals; the exit code is
//! 1 after a panic or an archive that took more than [`SLOWEST`].

#[path = "../tests/import/zip_writer.rs"]
#[allow(dead_code)] // the tests use more of it
mod zip_writer;

#[path = "mutate/mutations.rs"]
mod mutations;

#[path = "mutate/random.rs"]
mod random;

use std::panic::{self, AssertUnwindSafe};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use fx_import::schema::{Graph, SymBool, SymFloat};
use fx_import::{Archive, Argument, SymExpr, SymInt, TensorData};
use mutations::Original;
use random::Random;

/// The longest time that an archive may take.
const SLOWEST: Duration = Duration::from_secs(5);

/// The largest tensor that is copied.
const LARGEST_TENSOR: u64 = 16 << 20;

#[derive(Default)]
struct Totals {
    mutated: u64,
    accepted: u64,
    rejected: u64,
    panics: u64,
    slow: u64,
    slowest: Duration,
}

fn main() -> ExitCode {
    let mut args = std::env::args().skip(1);
    let numbers: Option<(u64, u64)> = (|| {
        let count = args.next()?.parse().ok()?;
        Some((count, args.next()?.parse().ok()?))
    })();
    let paths: Vec<String> = args.collect();
    let (Some((count, seed)), false) = (numbers, paths.is_empty()) else {
        eprintln!("usage: mutate COUNT SEED ARCHIVE...");
        return ExitCode::from(2);
    };
    let originals: Result<Vec<Original>, String> = paths.iter().map(|path| Original::read(path)).collect();
    let originals = match originals {
        Ok(originals) => originals,
        Err(error) => {
            eprintln!("error: {error}");
            return ExitCode::from(2);
        }
    };
    panic::set_hook(Box::new(|info| eprintln!("{info}")));
    let mut totals = Totals::default();
    for seed in (seed..).take(usize::try_from(count).unwrap_or(usize::MAX)) {
        try_one(&originals, seed, &mut totals);
    }
    if let Some(peak) = peak_memory() {
        println!("peak memory of the process {peak}");
    }
    println!(
        "{} mutated, {} accepted, {} rejected, {} panics, slowest {:.1} ms",
        totals.mutated,
        totals.accepted,
        totals.rejected,
        totals.panics,
        totals.slowest.as_secs_f64() * 1e3,
    );
    ExitCode::from(u8::from(totals.panics + totals.slow > 0))
}

fn try_one(originals: &[Original], seed: u64, totals: &mut Totals) {
    let mut random = Random::new(seed);
    let bytes = mutations::mutate(originals, &mut random);
    let copy = bytes.clone();
    let start = Instant::now();
    let outcome = panic::catch_unwind(AssertUnwindSafe(|| read_through(bytes)));
    let took = start.elapsed();
    totals.mutated += 1;
    totals.slowest = totals.slowest.max(took);
    match outcome {
        Ok(Ok(())) => totals.accepted += 1,
        Ok(Err(error)) => {
            totals.rejected += 1;
            if std::env::var_os("MUTATE_ERRORS").is_some() {
                println!("{seed}: {error}");
            }
        }
        Err(_) => {
            totals.panics += 1;
            keep(seed, "panic", &copy);
        }
    }
    if took > SLOWEST {
        totals.slow += 1;
        keep(seed, "slow", &copy);
    }
}

/// Keeps the bytes of a finding.
fn keep(seed: u64, what: &str, bytes: &[u8]) {
    let path = std::env::temp_dir().join(format!("mutate-{what}-{seed}.pt2"));
    match std::fs::write(&path, bytes) {
        Ok(()) => eprintln!("seed {seed}: {what}, kept as {}", path.display()),
        Err(error) => eprintln!("seed {seed}: {what}, not kept: {error}"),
    }
}

/// Opens an archive and uses everything that it offers.
fn read_through(bytes: Vec<u8>) -> Result<(), String> {
    let archive = Archive::from_bytes(bytes).map_err(|error| error.to_string())?;
    let _ = archive.verify_checksums();
    for (name, _) in archive.weights() {
        read_tensor(archive.weight(name).map_err(|error| error.to_string())?);
    }
    for (name, _) in archive.constants() {
        read_tensor(archive.constant(name).map_err(|error| error.to_string())?);
    }
    read_graph(archive.program().graph());
    to_mlir(&archive)
}

/// Converts an archive to the fx dialect: refusing it is as good as a module that verifies.
fn to_mlir(archive: &Archive) -> Result<(), String> {
    let context = fx_ir::new_context(false);
    let (module, messages) = fx_ir::collect(&context, || fx_import::mlir::import(archive, &context));
    match module {
        Ok(module) => {
            let (valid, _) = fx_ir::collect(&context, || module.op().verify());
            assert!(valid, "an imported module does not verify");
            Ok(())
        }
        Err(_) => Err(messages.first().map_or_else(String::new, ToString::to_string)),
    }
}

fn read_tensor(tensor: TensorData<'_>) {
    let bytes = tensor.numel().map(|count| count.saturating_mul(tensor.dtype.size() as u64));
    if bytes.is_some_and(|bytes| bytes <= LARGEST_TENSOR) {
        let elements = tensor.to_contiguous();
        assert!(elements.is_ok_and(|elements| Some(elements.len() as u64) == bytes));
    }
}

fn read_graph(graph: &Graph) {
    for meta in graph.tensor_values.values() {
        let numbers = meta.sizes.iter().chain(&meta.strides);
        numbers.filter_map(SymInt::expr).for_each(read_expr);
    }
    graph.sym_int_values.values().filter_map(SymInt::expr).for_each(read_expr);
    graph.sym_float_values.values().filter_map(SymFloat::expr).for_each(read_expr);
    graph.sym_bool_values.values().filter_map(SymBool::expr).for_each(read_expr);
    for node in &graph.nodes {
        assert!(node.callee().is_some());
        let _ = (node.source(), node.module_path());
        for input in &node.inputs {
            if let Argument::Graph(sub) = &input.arg {
                read_graph(&sub.graph);
            }
        }
    }
}

fn read_expr(expr: &SymExpr) {
    assert!(!expr.to_string().is_empty());
    for value in [0, 1, 7, -3, i64::MAX, i64::MIN] {
        let _ = expr.eval(&|_| Some(value));
    }
}

/// The most memory that the process held, where the system says so.
fn peak_memory() -> Option<String> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.trim().to_owned())
}
