//! PTX to machine code, by what is fastest for so many modules in a fresh process.
//!
//! | who                      | costs                                                                          |
//! | ------------------------ | ------------------------------------------------------------------------------ |
//! | the driver               | 12 ms at first, then 7 to 60 ms a module; a device must be open in this process. Drivers for CUDA 13 on as many threads as there are (45 modules, 16 threads: 194 ms, 1840 ms on one), older ones one at a time |
//! | nvJitLink, a library     | 120 ms to load, then the same, on as many threads as there are                  |
//! | `ptxas`, a program       | 7 ms more a module, in as many processes                                        |
//!
//! Choice    All modules are the driver's where it works on several threads; else the first [`FEW`] ones of a process are, and what
//!           comes later, or is more at once, is nvJitLink's, else `ptxas`'s. Where no device is open, few ones are `ptxas`'s first.
//!           Who is not there, or refuses, is passed over. Without any, the driver compiles PTX when it loads it. `FX_ASSEMBLER`
//!           is `driver`, or the path of a `libnvJitLink.so` or of a `ptxas`: then it is that one alone.
//! Result    a cubin for one architecture, the same for the same PTX, architecture and assembler; all of them keep the
//!           program's meaning, so it does not matter to a cache which one it was.

mod search;

use self::search::candidates;
use crate::error::{Result, RuntimeError};
use crate::ffi::cuda::{DriverCompiler, JitLink};
use crate::parallel::{Busy, map};
use crate::plan::{BinaryKind, MachineCode, Plan};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Modules of a process for which loading a library is not worth the time: two take the driver longer already.
const FEW: usize = 1;

/// Modules that were assembled in this process.
static ASSEMBLED: AtomicUsize = AtomicUsize::new(0);

/// What makes machine code of PTX.
#[derive(Debug)]
pub struct Assembler {
    name: String,
    way: Way,
}

#[derive(Debug)]
enum Way {
    Driver,
    Library(JitLink),
    Program(PathBuf),
}

/// Kinds of assemblers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Driver,
    Library,
    Program,
}

/// Who should assemble `modules` modules where `before` were assembled already, the fastest first. `is_parallel` says whether the
/// driver works on several threads.
fn preference(modules: usize, before: usize, is_parallel: bool) -> [Kind; 3] {
    let are_few = before.saturating_add(modules) <= FEW;
    match (are_few, is_parallel) {
        (true, _) => [Kind::Driver, Kind::Program, Kind::Library],
        (false, true) => [Kind::Driver, Kind::Library, Kind::Program],
        (false, false) => [Kind::Library, Kind::Program, Kind::Driver],
    }
}

impl Assembler {
    /// Who assembles `modules` modules for an architecture now, the fastest first. None if there is none, or none is wanted.
    pub fn choose(modules: usize, arch: &str) -> impl Iterator<Item = &'static Assembler> + use<'_> {
        let kinds = preference(modules, ASSEMBLED.load(Ordering::Relaxed), DriverCompiler::is_parallel());
        kinds.into_iter().filter_map(move |kind| match kind {
            Kind::Driver => Assembler::driver().filter(|_| DriverCompiler::for_arch(arch).is_some()),
            Kind::Library => Assembler::library(),
            Kind::Program => Assembler::program(),
        })
    }

    /// Loads what [`Assembler::choose`] will give, which takes time that something else can use.
    pub fn prepare(modules: usize, arch: &str) {
        let chosen = if modules == 0 { None } else { Assembler::choose(modules, arch).next() };
        if let (Some(Assembler { way: Way::Driver, .. }), Some(compiler)) = (chosen, DriverCompiler::for_arch(arch)) {
            compiler.prepare(arch);
        }
    }

    /// The driver's compiler, unless another one is wanted.
    fn driver() -> Option<&'static Assembler> {
        static DRIVER: OnceLock<Option<Assembler>> = OnceLock::new();
        let open = || {
            let version = DriverCompiler::version().filter(|_| wanted().is_none_or(|wanted| wanted.as_os_str() == DRIVER_WANTED))?;
            Some(Assembler { name: format!("driver {version}"), way: Way::Driver })
        };
        DRIVER.get_or_init(open).as_ref()
    }

    /// The first library that there is.
    fn library() -> Option<&'static Assembler> {
        static LIBRARY: OnceLock<Option<Assembler>> = OnceLock::new();
        LIBRARY.get_or_init(|| Assembler::first(|path| !is_program(path))).as_ref()
    }

    /// The first program that there is.
    fn program() -> Option<&'static Assembler> {
        static PROGRAM: OnceLock<Option<Assembler>> = OnceLock::new();
        PROGRAM.get_or_init(|| Assembler::first(is_program)).as_ref()
    }

    fn first(fits: impl Fn(&Path) -> bool) -> Option<Assembler> {
        choices(wanted(), candidates).iter().filter(|path| fits(path)).find_map(|path| Assembler::open(path))
    }

    /// What [`Assembler::choose`] depends on, as text, without loading any of it: the driver's version, and files in the order
    /// of choice, each with its size and its time.
    pub fn identity() -> String {
        let files = choices(wanted(), candidates);
        let lines = files.iter().filter_map(|path| {
            let data = path.metadata().ok()?;
            let changed = data.modified().ok()?.duration_since(std::time::UNIX_EPOCH).ok()?;
            Some(format!("{} {} {}", path.display(), data.len(), changed.as_nanos()))
        });
        let driver = DriverCompiler::version().map(|version| format!("driver {version}"));
        lines.chain(driver).collect::<Vec<_>>().join("; ")
    }

    /// An assembler by its file: a program named `ptxas`, else the library. None if it does not work.
    pub fn open(path: &Path) -> Option<Assembler> {
        if is_program(path) {
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
            Way::Driver => DriverCompiler::for_arch(arch).ok_or("no device of this architecture is open")?.assemble(ptx, arch),
            Way::Library(library) => library.assemble(ptx, arch),
            Way::Program(path) => run_ptxas(path, ptx, arch).map_err(|error| error.to_string()).flatten(),
        }
    }

    /// Assembles PTX texts on as many threads as processors are free; results in order.
    pub(crate) fn assemble_all(&self, texts: &[&[u8]], arch: &str) -> Vec<Result<Vec<u8>, String>> {
        ASSEMBLED.fetch_add(texts.len(), Ordering::Relaxed);
        if matches!(self.way, Way::Driver) && !DriverCompiler::is_parallel() {
            return texts.iter().map(|text| self.assemble(text, arch)).collect(); // one at a time in any case
        }
        let mut order: Vec<usize> = (0..texts.len()).collect();
        order.sort_by_key(|index| std::cmp::Reverse(texts[*index].len())); // the longest first
        let done = map(&order, Busy::new().workers(), || (), |(), index| self.assemble(texts[*index], arch));
        let mut done: Vec<_> = order.into_iter().zip(done).collect();
        done.sort_by_key(|(index, _)| *index);
        done.into_iter().map(|(_, result)| result.flatten()).collect()
    }
}

/// Gives the PTX of a plan its machine code for the plan's own target. A plan for a CPU stays as it is. What the assembler that is
/// chosen refuses, the next one gets.
///
/// # Errors
/// If all refuse a kernel: which one, and why, in the words of the first. The other kernels have their code.
pub fn assemble(plan: &mut Plan) -> Result<()> {
    let arch = plan.target.clone();
    let is_ptx = |index: &usize| plan.binaries[*index].kind == BinaryKind::Ptx;
    let mut left: Vec<usize> = (0..plan.binaries.len()).filter(is_ptx).collect();
    let mut refused = BTreeMap::new();
    let mut chosen = Assembler::choose(left.len(), &arch);
    // who is next is asked for only when needed: that loads it
    while let Some(assembler) = if left.is_empty() { None } else { chosen.next() } {
        let texts: Vec<&[u8]> = left.iter().map(|index| plan.binaries[*index].bytes.as_slice()).collect();
        let results = assembler.assemble_all(&texts, &arch);
        let mut again = Vec::new();
        for (index, result) in left.into_iter().zip(results) {
            match result {
                Ok(bytes) => {
                    let code = MachineCode { arch: arch.clone(), assembler: assembler.name.clone(), bytes };
                    plan.binaries[index].machine_code = Some(code);
                }
                Err(message) => {
                    let (kernel, assembler) = (plan.kernels_of(index), assembler.name.clone());
                    refused.entry(index).or_insert(RuntimeError::Assemble { kernel, assembler, message });
                    again.push(index);
                }
            }
        }
        left = again;
    }
    left.first().and_then(|index| refused.remove(index)).map_or(Ok(()), Err)
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

/// The value of `FX_ASSEMBLER` for the driver.
const DRIVER_WANTED: &str = "driver";

/// Whether a file is the program; else it is the library.
fn is_program(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name == "ptxas")
}

/// The user's choice.
fn wanted() -> Option<PathBuf> {
    std::env::var_os("FX_ASSEMBLER").map(PathBuf::from)
}

/// The wanted file alone, or those that there are.
fn choices(wanted: Option<PathBuf>, candidates: impl Fn() -> Vec<PathBuf>) -> Vec<PathBuf> {
    match wanted {
        Some(wanted) if wanted.as_os_str() == DRIVER_WANTED => Vec::new(),
        Some(wanted) => vec![wanted],
        None => candidates(),
    }
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
    }

    #[test]
    fn few_modules_are_the_drivers() {
        for is_parallel in [false, true] {
            assert_eq!(preference(1, 0, is_parallel), [Kind::Driver, Kind::Program, Kind::Library]);
            assert_eq!(preference(FEW, 0, is_parallel)[0], Kind::Driver);
        }
        assert_eq!(preference(FEW + 1, 0, false), [Kind::Library, Kind::Program, Kind::Driver]);
        assert_eq!(preference(1, FEW, false)[0], Kind::Library, "a process that compiles much loads the library");
        assert_eq!(preference(FEW + 1, 0, true), [Kind::Driver, Kind::Library, Kind::Program]);
    }

    #[test]
    fn versions_of_ptxas() {
        let text = "ptxas: NVIDIA (R) Ptx optimizing assembler\nCuda compilation tools, release 12.9, V12.9.86\nBuild cuda_12.9\n";
        assert_eq!(ptxas_version(text).as_deref(), Some("12.9.86"));
        assert_eq!(ptxas_version("another program"), None);
    }
}
