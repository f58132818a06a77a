//! The same program gives the same GPU code, byte by byte: whatever the process, and however many processors it may use.
//!
//! Maps with random hashing, addresses as keys, and kernels that are compiled on several threads would show here. CPU code
//! is not compared: kernels are shared out to objects by the number of processors.

use fx_runtime::bundle::Bundle;
use fx_runtime::plan::BinaryKind;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};

/// A program, and options that it is compiled with.
struct Program {
    path: PathBuf,
    options: &'static [&'static str],
}

const GRAD: &[&str] = &["--grad"];

/// All programs of `benches/gpu`, with gradients where those are timed, and exported ones.
fn programs() -> Vec<Program> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let files = std::fs::read_dir(root.join("benches/gpu")).unwrap().map(|entry| entry.unwrap().path());
    let mut programs: Vec<_> = files
        .filter(|path| path.extension() == Some("mlir".as_ref()))
        .map(|path| {
            let text = std::fs::read_to_string(&path).unwrap();
            let is_timed = text.lines().any(|line| line.strip_prefix("// bench:").is_some_and(|options| options.contains("--grad")));
            Program { path, options: if is_timed { GRAD } else { &[] } }
        })
        .collect();
    programs.sort_by(|a, b| a.path.cmp(&b.path));
    let exported = [("mlp/model.pt2", &[][..]), ("micro_layernorm/model_train.pt2", GRAD), ("micro_sdpa_causal/model_train.pt2", GRAD)];
    programs.extend(exported.map(|(name, options)| Program { path: root.join("fixtures").join(name), options }));
    programs
}

/// The first processor that this process may use.
fn a_processor() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let list = status.lines().find_map(|line| line.strip_prefix("Cpus_allowed_list:")).unwrap().trim();
    list.split([',', '-']).next().unwrap().to_owned()
}

/// `fxc compile`, with one processor and one thread, or with all and seven.
fn compile(program: &Program, output: &Path, alone: Option<&str>) -> Command {
    let fxc = env!("CARGO_BIN_EXE_fxc");
    let mut command = Command::new(if alone.is_some() { "taskset" } else { fxc });
    if let Some(processor) = alone {
        command.args(["--cpu-list", processor, fxc]);
    }
    command.arg("compile").arg(&program.path).args(program.options).args(["--target=sm_90a", "--no-cache", "-o"]).arg(output);
    command.env("FX_NUM_THREADS", if alone.is_some() { "1" } else { "7" }).env("FX_ASSEMBLER", "driver"); // PTX alone
    command.stderr(Stdio::piped());
    command
}

/// The PTX of a bundle, and its plan as text.
fn parts(bundle: &Path) -> (String, String) {
    let plan = Bundle::read(bundle).unwrap().plan;
    let ptx = plan.binaries.iter().filter(|binary| binary.kind == BinaryKind::Ptx);
    (ptx.map(|binary| String::from_utf8_lossy(&binary.bytes)).collect(), plan.to_json().unwrap())
}

/// The first lines that differ.
fn difference(a: &str, b: &str) -> Option<String> {
    let mut lines = a.lines().zip(b.lines()).enumerate();
    let first = lines.find(|(_, (a, b))| a != b).map(|(i, (a, b))| format!("line {}:\n  {a}\n  {b}", i + 1));
    first.or_else(|| (a != b).then(|| format!("{} and {} bytes", a.len(), b.len())))
}

/// What differs between two compilations that run at the same time; none if their bundles are the same bytes.
fn check(program: &Program, folder: &Path, processor: &str) -> Option<String> {
    let name = program.path.display();
    let started = [Some(processor), None].map(|alone| {
        let output = folder.join(if alone.is_some() { "alone.fxb" } else { "shared.fxb" });
        (compile(program, &output, alone).spawn().unwrap(), output)
    });
    let [one, other] = started.map(|(child, output)| {
        let done = child.wait_with_output().unwrap();
        assert!(done.status.success(), "{name}: {}", String::from_utf8_lossy(&done.stderr));
        output
    });
    if std::fs::read(&one).unwrap() == std::fs::read(&other).unwrap() {
        return None;
    }
    let ((ptx, plan), (other_ptx, other_plan)) = (parts(&one), parts(&other));
    let differences = [("PTX", difference(&ptx, &other_ptx)), ("plan", difference(&plan, &other_plan))];
    let found: Vec<_> = differences.into_iter().filter_map(|(what, found)| Some(format!("{what}, {}", found?))).collect();
    Some(format!("{name}: {}", if found.is_empty() { "tensors".to_owned() } else { found.join("\n") }))
}

#[test]
fn gpu_code_is_the_same_in_each_process() {
    let (programs, processor, next) = (programs(), a_processor(), AtomicUsize::new(0));
    let work = || {
        let folder = tempfile::tempdir().unwrap();
        let mut found = Vec::new();
        while let Some(program) = programs.get(next.fetch_add(1, Ordering::Relaxed)) {
            found.extend(check(program, folder.path(), &processor));
        }
        found
    };
    let found: Vec<String> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..2).map(|_| scope.spawn(work)).collect();
        threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
    });
    assert!(found.is_empty(), "{}", found.join("\n"));
}
