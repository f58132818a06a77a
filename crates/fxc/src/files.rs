//! Text files: read with the path in the error, written whole or not at all.

use crate::error::{CliError, Result};
use std::path::Path;

/// Reads a text file. Fails with its path.
pub fn read_text(path: &Path) -> Result<String> {
    std::fs::read_to_string(path).map_err(|error| CliError::io(path, error))
}

/// Writes a text file whole or not at all. Fails with its path.
pub fn write_text(path: &Path, text: &str) -> Result<()> {
    fx_runtime::write_atomically(path, |file| file.write_all(text.as_bytes())).map_err(|error| CliError::Failed(error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_replaced_and_errors_name_them() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.txt");
        write_text(&path, "one").unwrap();
        write_text(&path, "two").unwrap();
        assert_eq!(read_text(&path).unwrap(), "two");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
        let missing = folder.path().join("no/b.txt");
        let error = write_text(&missing, "x").unwrap_err().to_string();
        assert!(error.contains("no/b.txt: "), "{error}");
    }
}
