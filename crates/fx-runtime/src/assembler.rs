//! PTX to machine code outside of the driver, whose own compiler works on one thread at a time.
//!
//! Choice    nvJitLink if its library is found, else `ptxas`; without either the driver compiles PTX when it loads it.
//!           `FX_ASSEMBLER` is `driver` for none, or the path of a `libnvJitLink.so` or of a `ptxas`.
//! Looks     for the library: in `LD_LIBRARY_PATH`, in `CUDA_HOME`, in the Python packages of the environment and of the
//!           `python3` on the path, where PyTorch brings it, and in the system's folders; for `ptxas`: on the path and in
//!           `CUDA_HOME`.
//! Result    a cubin for one architecture, the same for the same PTX, architecture and assembler.

use crate::error::{Result, RuntimeError};
use crate::ffi::cuda::JitLink;
use crate::parallel::{Busy, map};
use crate::plan::{BinaryKind, MachineCode, Plan};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// File names of the library, newest first.
const LIBRARIES: [&str; 2] = ["libnvJitLink.so.13", "libnvJitLink.so.12"];
/// Folders of Python packages that have it, below `site-packages`.
const PACKAGES: [&str; 3] = ["nvidia/cu13/lib", "nvidia/nvjitlink/lib", "nvidia/cu12/lib"];
/// Where CUDA is, if no variable says so.
const CUDA: &str = "/usr/local/cuda";
/// Folders of the system's libraries.
const SYSTEM: [&str; 3] = ["/usr/lib/x86_64-linux-gnu", "/usr/lib64", "/usr/lib"];

/// What makes machine code of PTX.
#[derive(Debug)]
pub struct Assembler {
    name: String,
    way: Way,
}

#[derive(Debug)]
enum Way {
    Library(JitLink),
    Program(PathBuf),
}

impl Assembler {
    /// The assembler of this process, looked for once. None if there is none, or none is wanted.
    pub fn find() -> Option<&'static Assembler> {
        static FOUND: OnceLock<Option<Assembler>> = OnceLock::new();
        FOUND.get_or_init(|| choices(wanted(), candidates).iter().find_map(|path| Assembler::open(path))).as_ref()
    }

    /// What [`Assembler::find`] depends on, as text, without loading anything: files in the order of choice, each with its
    /// size and its time.
    pub fn identity() -> String {
        let files = choices(wanted(), candidates);
        let lines = files.iter().filter_map(|path| {
            let data = path.metadata().ok()?;
            let changed = data.modified().ok()?.duration_since(std::time::UNIX_EPOCH).ok()?;
            Some(format!("{} {} {}", path.display(), data.len(), changed.as_nanos()))
        });
        lines.collect::<Vec<_>>().join("; ")
    }

    /// An assembler by its file: a program named `ptxas`, else the library. None if it does not work.
    pub fn open(path: &Path) -> Option<Assembler> {
        if path.file_name().is_some_and(|name| name == "ptxas") {
            let output = Command::new(path).arg("--version").output().ok()?;
            let version = ptxas_version(&String::from_utf8_lossy(&output.stdout))?;
            return Some(Assembler { name: format!("ptxas {version}"), way: Way::Program(path.into()) });
        }
        let library = JitLink::load(path)?;
        let (major, minor) = library.version();
        Some(Assembler { name: format!("nvJitLink {major}.{minor}"), way: Way::Library(library) })
    }

    /// Name and version: what its output depends on besides its input.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The cubin of PTX text for an architecture such as `sm_90a`.
    ///
    /// # Errors
    /// The assembler's own words, if it refuses the text or knows no such architecture.
    pub fn assemble(&self, ptx: &[u8], arch: &str) -> Result<Vec<u8>, String> {
        match &self.way {
            Way::Library(library) => library.assemble(ptx, arch),
            Way::Program(path) => run_ptxas(path, ptx, arch).map_err(|error| error.to_string()).flatten(),
        }
    }

    /// Assembles PTX texts on as many threads as processors are free; results in order.
    pub(crate) fn assemble_all(&self, texts: &[&[u8]], arch: &str) -> Vec<Result<Vec<u8>, String>> {
        let mut order: Vec<usize> = (0..texts.len()).collect();
        order.sort_by_key(|index| std::cmp::Reverse(texts[*index].len())); // the longest first
        let done = map(&order, Busy::new().workers(), || (), |(), index| self.assemble(texts[*index], arch));
        let mut done: Vec<_> = order.into_iter().zip(done).collect();
        done.sort_by_key(|(index, _)| *index);
        done.into_iter().map(|(_, result)| result.flatten()).collect()
    }
}

/// Gives the PTX of a plan its machine code for the plan's own target. A plan for a CPU stays as it is.
///
/// # Errors
/// If the assembler refuses a kernel: which one, and why.
pub fn assemble(plan: &mut Plan, assembler: &Assembler) -> Result<()> {
    let arch = plan.target.clone();
    let is_ptx = |kind: &BinaryKind| *kind == BinaryKind::Ptx;
    let texts: Vec<&[u8]> = plan.binaries.iter().filter(|binary| is_ptx(&binary.kind)).map(|binary| binary.bytes.as_slice()).collect();
    if texts.is_empty() {
        return Ok(());
    }
    let mut results = assembler.assemble_all(&texts, &arch).into_iter();
    for index in 0..plan.binaries.len() {
        if !is_ptx(&plan.binaries[index].kind) {
            continue;
        }
        let result = results.next().unwrap_or_else(|| Err("internal bug: no result".into()));
        let bytes = result.map_err(|message| RuntimeError::Assemble {
            kernel: plan.kernels_of(index),
            assembler: assembler.name.clone(),
            message,
        })?;
        plan.binaries[index].machine_code = Some(MachineCode { arch: arch.clone(), assembler: assembler.name.clone(), bytes });
    }
    Ok(())
}

/// Runs `ptxas` on text: the outer error is the system's, the inner one the program's.
fn run_ptxas(path: &Path, ptx: &[u8], arch: &str) -> std::io::Result<Result<Vec<u8>, String>> {
    let folder = tempfile::Builder::new().prefix("fx-ptx-").tempdir()?;
    let (input, output) = (folder.path().join("kernels.ptx"), folder.path().join("kernels.cubin"));
    std::fs::write(&input, ptx)?;
    // in the folder, so that no path of it is in the output
    let ran = Command::new(path).current_dir(&folder).arg(format!("-arch={arch}")).args(["-o", "kernels.cubin", "kernels.ptx"]).output()?;
    if !ran.status.success() {
        return Ok(Err(String::from_utf8_lossy(&ran.stderr).trim().to_string()));
    }
    std::fs::read(output).map(Ok)
}

/// `12.9.86` of what `ptxas --version` prints.
fn ptxas_version(text: &str) -> Option<String> {
    let version = text.split(", V").nth(1)?.split_whitespace().next()?;
    Some(version.to_string())
}

/// The user's choice.
fn wanted() -> Option<PathBuf> {
    std::env::var_os("FX_ASSEMBLER").map(PathBuf::from)
}

/// The wanted file alone, or those that there are.
fn choices(wanted: Option<PathBuf>, candidates: impl Fn() -> Vec<PathBuf>) -> Vec<PathBuf> {
    match wanted {
        Some(wanted) if wanted.as_os_str() == "driver" => Vec::new(),
        Some(wanted) => vec![wanted],
        None => candidates(),
    }
}

/// Files that may be assemblers, the best first.
fn candidates() -> Vec<PathBuf> {
    let folders = |name: &str| std::env::var_os(name).map(|list| std::env::split_paths(&list).collect::<Vec<_>>()).unwrap_or_default();
    let cuda = ["CUDA_HOME", "CUDA_PATH"].iter().filter_map(std::env::var_os).map(PathBuf::from).chain([PathBuf::from(CUDA)]);
    let cuda: Vec<_> = cuda.collect();
    let libraries = |folder: PathBuf| LIBRARIES.map(|name| folder.join(name));
    let mut found: Vec<PathBuf> = folders("LD_LIBRARY_PATH").into_iter().flat_map(libraries).collect();
    found.extend(cuda.iter().flat_map(|folder| libraries(folder.join("lib64"))));
    found.extend(python_prefixes(&folders("PATH")).iter().flat_map(|prefix| python_libraries(prefix)));
    found.extend(SYSTEM.iter().flat_map(|folder| libraries(PathBuf::from(folder))));
    found.extend(folders("PATH").iter().map(|folder| folder.join("ptxas")));
    found.extend(cuda.iter().map(|folder| folder.join("bin/ptxas")));
    found.retain(|path| path.is_file());
    found
}

/// Where Python environments are: the active one, and those that `python3` on the path belongs to.
fn python_prefixes(path: &[PathBuf]) -> Vec<PathBuf> {
    let mut prefixes: Vec<PathBuf> = ["VIRTUAL_ENV", "CONDA_PREFIX"].iter().filter_map(std::env::var_os).map(PathBuf::from).collect();
    let above = |program: &Path| program.parent().and_then(Path::parent).map(Path::to_path_buf);
    for program in path.iter().map(|folder| folder.join("python3")).filter(|program| program.is_file()) {
        prefixes.extend(above(&program)); // a virtual environment has a link here
        prefixes.extend(program.canonicalize().ok().as_deref().and_then(above));
    }
    prefixes.push("/usr/local".into()); // packages of a system's Python
    let mut seen = std::collections::HashSet::new();
    prefixes.retain(|prefix| seen.insert(prefix.clone()));
    prefixes
}

/// The library in the packages of a Python environment, newest first.
fn python_libraries(prefix: &Path) -> Vec<PathBuf> {
    let lib = prefix.join("lib");
    let entries = std::fs::read_dir(&lib).into_iter().flatten().filter_map(|entry| Some(entry.ok()?.path()));
    let mut versions: Vec<_> =
        entries.filter(|path| path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"python3"))).collect();
    versions.sort();
    let mut libraries = Vec::new();
    for packages in versions.iter().rev().flat_map(|version| ["site-packages", "dist-packages"].map(|name| version.join(name))) {
        let names = PACKAGES.iter().flat_map(|package| LIBRARIES.map(|name| packages.join(package).join(name)));
        libraries.extend(names.filter(|path| path.is_file()));
    }
    libraries
}

#[cfg(test)]
mod tests {
    use super::*;

    const PTX: &str = ".version 7.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 x)\n{\n ret;\n}\n";

    /// The repository's own `ptxas`, or one on the path.
    fn ptxas() -> Option<Assembler> {
        let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../.tools/ptxas");
        let path = std::env::var_os("PATH").unwrap_or_default();
        let all = [own].into_iter().chain(std::env::split_paths(&path).map(|folder| folder.join("ptxas")));
        let found = all.filter(|path| path.is_file()).find_map(|path| Assembler::open(&path));
        if found.is_none() {
            println!("no ptxas: nothing was tested");
        }
        found
    }

    /// What each assembler must do.
    fn check(assembler: &Assembler) {
        let first = assembler.assemble(PTX.as_bytes(), "sm_90a").unwrap();
        assert!(first.starts_with(b"\x7fELF"), "a cubin is an ELF file");
        assert_eq!(assembler.assemble(PTX.as_bytes(), "sm_90a").unwrap(), first, "{}", assembler.name());
        assert_ne!(assembler.assemble(PTX.as_bytes(), "sm_80").unwrap(), first);
        let error = assembler.assemble(PTX.replace("ret", "rat").as_bytes(), "sm_90a").unwrap_err();
        assert!(error.contains("rat"), "{error}");
        assert!(assembler.assemble(PTX.as_bytes(), "sm_1").is_err());
        let many: Vec<String> = (0..8).map(|i| PTX.replace("entry k", &format!("entry {}", "k".repeat(i + 1)))).collect();
        let many: Vec<&[u8]> = many.iter().map(String::as_bytes).collect();
        for (text, cubin) in many.iter().zip(assembler.assemble_all(&many, "sm_80")) {
            assert_eq!(cubin, assembler.assemble(text, "sm_80"));
        }
    }

    #[test]
    fn ptxas_assembles() {
        if let Some(assembler) = ptxas() {
            assert!(assembler.name().starts_with("ptxas 1"), "{}", assembler.name());
            check(&assembler);
        }
    }

    #[test]
    fn nvjitlink_assembles() {
        let libraries = candidates().into_iter().filter(|path| !path.ends_with("ptxas"));
        match libraries.into_iter().find_map(|path| Assembler::open(&path)) {
            Some(assembler) => check(&assembler),
            None => println!("no nvJitLink: nothing was tested"),
        }
    }

    #[test]
    fn the_choice() {
        let none = || -> Vec<PathBuf> { panic!("nothing is looked for where one is named") };
        assert!(choices(Some("driver".into()), none).is_empty());
        assert_eq!(choices(Some("/a/ptxas".into()), none), [PathBuf::from("/a/ptxas")]);
        let two = || vec![PathBuf::from("/absent/libnvJitLink.so.12"), PathBuf::from("/absent/ptxas")];
        assert_eq!(choices(None, two), two());
        assert!(two().iter().all(|path| Assembler::open(path).is_none()), "absent files are no assemblers");
        let is_library = |path: &PathBuf| !path.ends_with("ptxas");
        let found = candidates();
        assert!(found.is_sorted_by_key(|path| !is_library(path)), "libraries come before programs: {found:?}");
    }

    #[test]
    fn python_brings_the_library() {
        let folder = tempfile::tempdir().unwrap();
        let make = |path: &str| {
            let path = folder.path().join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(&path, "").unwrap();
            path
        };
        let old = make("lib/python3.11/site-packages/nvidia/nvjitlink/lib/libnvJitLink.so.12");
        let new = make("lib/python3.11/site-packages/nvidia/cu13/lib/libnvJitLink.so.13");
        let python = make("bin/python3");
        assert_eq!(python_libraries(folder.path()), [new, old]);
        let prefixes = python_prefixes(&[python.parent().unwrap().to_path_buf(), folder.path().join("absent")]);
        assert!(prefixes.contains(&folder.path().to_path_buf()), "{prefixes:?}");
    }

    #[test]
    fn versions_of_ptxas() {
        let text = "ptxas: NVIDIA (R) Ptx optimizing assembler\nCuda compilation tools, release 12.9, V12.9.86\nBuild cuda_12.9\n";
        assert_eq!(ptxas_version(text).as_deref(), Some("12.9.86"));
        assert_eq!(ptxas_version("another program"), None);
    }
}
