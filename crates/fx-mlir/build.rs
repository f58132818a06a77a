//! Names the compiler by what it is made from, for keys of the compile cache: `FX_COMPILER` is a hash of all sources below this
//! crate, the dialect, the build script that knows LLVM's version, and the versions of dependencies.

use std::collections::hash_map::DefaultHasher;
use std::error::Error;
use std::fs;
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};

/// Crates whose code does not decide what a program becomes.
const OTHERS: [&str; 3] = ["fx-interp", "fx-opt", "fxc"];

fn main() -> Result<(), Box<dyn Error>> {
    let root = Path::new(&std::env::var("CARGO_MANIFEST_DIR")?).join("../..");
    let mut places = vec![root.join("Cargo.lock"), root.join("build.rs"), root.join("dialects")];
    for entry in fs::read_dir(root.join("crates"))? {
        let entry = entry?;
        if !OTHERS.iter().any(|other| entry.file_name() == *other) {
            places.push(entry.path().join("src"));
        }
    }
    let mut files = Vec::new();
    for place in &places {
        println!("cargo::rerun-if-changed={}", place.display());
        collect(place, &mut files)?;
    }
    files.sort();
    let mut hasher = DefaultHasher::new();
    for file in files {
        file.strip_prefix(&root)?.hash(&mut hasher);
        fs::read(&file)?.hash(&mut hasher);
    }
    println!("cargo::rustc-env=FX_COMPILER={:016x}", hasher.finish());
    Ok(())
}

/// A file, or all files below a folder.
fn collect(place: &Path, files: &mut Vec<PathBuf>) -> std::io::Result<()> {
    if !place.is_dir() {
        files.push(place.into());
        return Ok(());
    }
    for entry in fs::read_dir(place)? {
        collect(&entry?.path(), files)?;
    }
    Ok(())
}
