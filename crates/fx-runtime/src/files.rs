//! Files that appear whole or not at all.

use crate::error::{Result, RuntimeError};
use std::fs::Permissions;
use std::io::{BufWriter, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

/// Writes a file through a temporary one in the same folder and a rename: readers see the old file or the new one.
///
/// Not flushed to the disk itself: a crash of the machine, not of the process, may lose it. What is there but is no plain
/// file (a pipe, a device) is written in place, not replaced.
///
/// # Errors
/// If the file cannot be written: with its path.
pub fn write_atomically(path: &Path, write: impl FnOnce(&mut dyn Write) -> std::io::Result<()>) -> Result<()> {
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let in_place = std::fs::metadata(path).is_ok_and(|there| !there.is_file());
    let attempt = || -> std::io::Result<()> {
        if in_place {
            let mut file = BufWriter::new(std::fs::OpenOptions::new().write(true).open(path)?);
            write(&mut file)?;
            return file.flush();
        }
        let temporary = tempfile::Builder::new()
            .prefix(".fx-")
            .permissions(Permissions::from_mode(0o666)) // the umask applies, as for any new file
            .tempfile_in(folder)?;
        let mut writer = BufWriter::with_capacity(1 << 20, temporary);
        write(&mut writer)?;
        let temporary = writer.into_inner().map_err(|error| error.into_error())?;
        temporary.persist(path).map_err(|error| error.error)?;
        Ok(())
    };
    attempt().map_err(|source| RuntimeError::io(path, source))
}
