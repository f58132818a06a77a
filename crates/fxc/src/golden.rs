//! Golden data: what PyTorch computed, and whether we compute the same.
//!
//! Map       `case`: what a case is. `manifest`, `model`: reading cases. `execute`: compiling and running one.
//!           `compare`: the judgement of one tensor. `dump`: writing what was computed. `reproduce`: a failing case as
//!           one file.

pub mod case;
pub mod compare;
pub mod dump;
pub mod execute;
pub mod manifest;
pub mod model;
pub mod reproduce;

use crate::error::{CliError, Result};
use case::Case;
use std::path::{Path, PathBuf};

/// The cases of a manifest, of a model's folder, or of a folder of such folders.
pub fn read(path: &Path) -> Result<Vec<Case>> {
    if !path.is_dir() {
        return manifest::read(path);
    }
    if path.join(model::FILE).is_file() {
        return model::read(path);
    }
    let manifest = path.join("manifest.jsonl");
    if manifest.is_file() {
        return manifest::read(&manifest);
    }
    let mut cases = Vec::new();
    for folder in folders(path)? {
        if folder.join(model::FILE).is_file() {
            cases.extend(model::read(&folder)?);
        }
    }
    if cases.is_empty() {
        return Err(CliError::Failed(format!(
            "{}: expected a {file}, a manifest.jsonl, or folders with a {file}, found none",
            path.display(),
            file = model::FILE
        )));
    }
    Ok(cases)
}

/// What a folder holds, sorted.
fn folders(path: &Path) -> Result<Vec<PathBuf>> {
    let entries = std::fs::read_dir(path)
        .and_then(|entries| entries.map(|entry| entry.map(|entry| entry.path())).collect::<std::io::Result<Vec<_>>>());
    let mut entries = entries.map_err(|error| CliError::io(path, error))?;
    entries.sort();
    Ok(entries)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_without_cases_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("empty")).unwrap();
        let error = read(folder.path()).unwrap_err().to_string();
        assert!(error.ends_with("folders with a meta.json, found none"), "{error}");
        assert!(read(&folder.path().join("absent.jsonl")).is_err());
    }
}
