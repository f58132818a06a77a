//! Files that appear whole or not at all.

use crate::error::{Result, RuntimeError};
use std::ffi::OsString;
use std::fs::{File, Permissions};
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
    let folder = folder_of(path);
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

/// As [`write_atomically`], and on the disk when it returns: after a crash of the machine too, the old file or the new one is
/// there. A process that is killed meanwhile leaves a file `.NAME.partial`, which the next writer of the file replaces; there
/// must be one writer at a time.
///
/// # Errors
/// If the file cannot be written: with its path.
pub fn write_durably(path: &Path, write: impl FnOnce(&mut dyn Write) -> std::io::Result<()>) -> Result<()> {
    let folder = folder_of(path);
    let mut name = OsString::from(".");
    name.push(path.file_name().unwrap_or_default());
    name.push(".partial");
    let partial = folder.join(name);
    let attempt = || -> std::io::Result<()> {
        let mut writer = BufWriter::with_capacity(1 << 20, File::create(&partial)?);
        write(&mut writer)?;
        writer.into_inner().map_err(|error| error.into_error())?.sync_all()?;
        std::fs::rename(&partial, path)?;
        File::open(folder)?.sync_all() // the new name
    };
    attempt().map_err(|source| {
        let _ = std::fs::remove_file(&partial); // the first error is the one that tells
        RuntimeError::io(path, source)
    })
}

fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_writer_that_fails_leaves_the_old_file_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("kept");
        std::fs::write(folder.path().join(".kept.partial"), "of one that was killed").unwrap();
        write_durably(&path, |file| file.write_all(b"old")).unwrap();
        let fails = |file: &mut dyn Write| {
            file.write_all(b"ne")?;
            file.flush()?;
            assert_eq!(std::fs::read(&path)?, b"old");
            Err(std::io::Error::other("no space"))
        };
        let error = write_durably(&path, fails).unwrap_err().to_string();
        assert!(error.contains("kept") && error.contains("no space"), "{error}");
        write_atomically(&path, fails).unwrap_err();
        assert_eq!(std::fs::read(&path).unwrap(), b"old");
        write_durably(&path, |file| file.write_all(b"new")).unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"new");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
