//! Where assemblers may be.
//!
//! The library    in `LD_LIBRARY_PATH`, in `CUDA_HOME`, in the Python packages of the environment and of the `python3` on the
//!                path, where PyTorch brings it, and in the system's folders.
//! The program    `ptxas`: on the path, in `CUDA_HOME`, and in Triton, among the same Python packages.

use std::path::{Path, PathBuf};

/// File names of the library, newest first.
const LIBRARIES: [&str; 2] = ["libnvJitLink.so.13", "libnvJitLink.so.12"];
/// Folders of Python packages that have it, below `site-packages`.
const PACKAGES: [&str; 3] = ["nvidia/cu13/lib", "nvidia/nvjitlink/lib", "nvidia/cu12/lib"];
/// Where Triton, which comes with PyTorch, has its `ptxas`, below `site-packages`.
const PROGRAM: &str = "triton/backends/nvidia/bin/ptxas";
/// Where CUDA is, if no variable says so.
const CUDA: &str = "/usr/local/cuda";
/// Folders of the system's libraries.
const SYSTEM: [&str; 3] = ["/usr/lib/x86_64-linux-gnu", "/usr/lib64", "/usr/lib"];

/// Files that may be assemblers, the best first.
pub(super) fn candidates() -> Vec<PathBuf> {
    let folders = |name: &str| std::env::var_os(name).map(|list| std::env::split_paths(&list).collect::<Vec<_>>()).unwrap_or_default();
    let cuda = ["CUDA_HOME", "CUDA_PATH"].iter().filter_map(std::env::var_os).map(PathBuf::from).chain([PathBuf::from(CUDA)]);
    let cuda: Vec<_> = cuda.collect();
    let libraries = |folder: PathBuf| LIBRARIES.map(|name| folder.join(name));
    let mut found: Vec<PathBuf> = folders("LD_LIBRARY_PATH").into_iter().flat_map(libraries).collect();
    found.extend(cuda.iter().flat_map(|folder| libraries(folder.join("lib64"))));
    let prefixes = python_prefixes(&folders("PATH"));
    found.extend(prefixes.iter().flat_map(|prefix| python_libraries(prefix)));
    found.extend(SYSTEM.iter().flat_map(|folder| libraries(PathBuf::from(folder))));
    found.extend(folders("PATH").iter().map(|folder| folder.join("ptxas")));
    found.extend(cuda.iter().map(|folder| folder.join("bin/ptxas")));
    found.extend(prefixes.iter().flat_map(|prefix| python_files(prefix, &[PROGRAM])));
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
    let files: Vec<PathBuf> = PACKAGES.iter().flat_map(|package| LIBRARIES.map(|name| Path::new(package).join(name))).collect();
    python_files(prefix, &files)
}

/// Those of some files of packages that a Python environment has, of the newest Python first.
fn python_files(prefix: &Path, files: &[impl AsRef<Path>]) -> Vec<PathBuf> {
    let lib = prefix.join("lib");
    let entries = std::fs::read_dir(&lib).into_iter().flatten().filter_map(|entry| Some(entry.ok()?.path()));
    let mut versions: Vec<_> =
        entries.filter(|path| path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"python3"))).collect();
    versions.sort();
    let packages = versions.iter().rev().flat_map(|version| ["site-packages", "dist-packages"].map(|name| version.join(name)));
    packages
        .flat_map(|packages| files.iter().map(move |file| packages.join(file)).filter(|path| path.is_file()).collect::<Vec<_>>())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn libraries_come_before_programs() {
        let is_library = |path: &PathBuf| !path.ends_with("ptxas");
        let found = candidates();
        assert!(found.is_sorted_by_key(|path| !is_library(path)), "{found:?}");
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
        let ptxas = make("lib/python3.12/site-packages/triton/backends/nvidia/bin/ptxas");
        assert_eq!(python_files(folder.path(), &[PROGRAM]), [ptxas]);
        let prefixes = python_prefixes(&[python.parent().unwrap().to_path_buf(), folder.path().join("absent")]);
        assert!(prefixes.contains(&folder.path().to_path_buf()), "{prefixes:?}");
    }
}
