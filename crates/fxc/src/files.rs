//! Text files: read with the path in the error, written whole or not at all.

use crate::error::{CliError, Result};
use std::fs::Permissions;
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

/// Reads a text file. Fails with its path.
pub fn read_text(path: &Path) -> Result<String> {
    std::fs::read_to_string(path).map_err(|error| CliError::io(path, error))
}

/// Writes through a temporary file and a rename: readers see the old file or the new one.
pub fn write_text(path: &Path, text: &str) -> Result<()> {
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let attempt = || -> std::io::Result<()> {
        let mut file = tempfile::Builder::new()
            .prefix(".fxc-")
            .permissions(Permissions::from_mode(0o666)) // the umask applies, as for any new file
            .tempfile_in(folder)?;
        file.write_all(text.as_bytes())?;
        file.persist(path)?;
        Ok(())
    };
    attempt().map_err(|error| CliError::io(path, error))
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
