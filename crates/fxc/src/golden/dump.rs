//! `--dump DIR`: what was computed, under the golden files' own names, for other programs to judge.

use crate::error::{CliError, Result};
use fx_runtime::HostTensor;
use fx_runtime::tensor_file::write_tensors;
use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};

/// The file of a case: `DIR/ID.safetensors`. Fails when the id would leave the folder.
pub fn path(folder: &Path, id: &str) -> Result<PathBuf> {
    path_of_kind(folder, id, "safetensors")
}

/// `DIR/ID.KIND`. Fails as [`path`] does.
pub fn path_of_kind(folder: &Path, id: &str, kind: &str) -> Result<PathBuf> {
    let inside = Path::new(id).components().all(|component| matches!(component, Component::Normal(_)));
    if id.is_empty() || !inside {
        return Err(CliError::Failed(format!("'{id}' is no name for a file")));
    }
    Ok(folder.join(format!("{id}.{kind}")))
}

/// Removes what an earlier run left, so that nobody takes it for this run's.
pub fn remove(path: &Path) -> Result<()> {
    match std::fs::remove_file(path) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(CliError::io(path, error)),
        _ => Ok(()),
    }
}

/// Writes the tensors of a case, and the folders above the file.
pub fn write(path: &Path, tensors: &BTreeMap<String, HostTensor>) -> Result<()> {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).map_err(|error| CliError::io(folder, error))?;
    }
    let tensors = tensors.iter().map(|(name, tensor)| (name.as_str(), tensor));
    Ok(write_tensors(path, tensors, &BTreeMap::new())?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use fx_runtime::tensor_file::read_tensors;

    #[test]
    fn files_are_named_after_cases() {
        let dir = Path::new("out");
        assert_eq!(path(dir, "add/float32_00").unwrap(), Path::new("out/add/float32_00.safetensors"));
        assert_eq!(path(dir, "mlp/model.pt2").unwrap(), Path::new("out/mlp/model.pt2.safetensors"));
        for bad in ["", "../x", "/x", "a/../../x"] {
            assert!(path(dir, bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn dumps_replace_older_ones() {
        let folder = tempfile::tempdir().unwrap();
        let path = path(folder.path(), "a/b").unwrap();
        remove(&path).unwrap();
        let tensor = HostTensor::scalar(2i64).unwrap();
        write(&path, &BTreeMap::from([("output.0".to_owned(), tensor)])).unwrap();
        let read = read_tensors(&path).unwrap();
        assert_eq!(read["output.0"].as_slice::<i64>().unwrap(), [2]);
        remove(&path).unwrap();
        assert!(!path.exists());
    }
}
