//! The bytes of an archive: a file mapped into memory, or a vector.
//!
//! This module has the only unsafe code of the crate.

use std::fs::File;
use std::ops::Deref;
use std::path::Path;

use memmap2::Mmap;

use crate::error::{ErrorKind, ImportError};

/// The whole archive, in memory or mapped.
#[derive(Debug)]
pub(crate) enum ArchiveBytes {
    Mapped(Mmap),
    Owned(Vec<u8>),
}

impl ArchiveBytes {
    /// Maps a file. Other things than files (folders, pipes, devices) are refused before they are
    /// opened, since opening a pipe could wait forever.
    pub(crate) fn open(path: &Path) -> Result<Self, ImportError> {
        let io = |error| ImportError::new(ErrorKind::Io(error));
        let metadata = std::fs::metadata(path).map_err(io)?;
        if !metadata.is_file() {
            return Err(ImportError::mismatch("a file", "something else"));
        }
        if metadata.len() == 0 {
            return Ok(Self::Owned(Vec::new()));
        }
        let file = File::open(path).map_err(io)?;
        map(&file).map(Self::Mapped).map_err(io)
    }
}

#[allow(unsafe_code)]
fn map(file: &File) -> std::io::Result<Mmap> {
    // SAFETY: the map is private to this process and read-only. Its bytes are plain `u8`, which are
    // valid whatever they hold. What no program can rule out is another process that changes or
    // truncates the file meanwhile; `Archive::open` tells callers that the file must stay as it is.
    unsafe { Mmap::map(file) }
}

impl Deref for ArchiveBytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            Self::Mapped(map) => map,
            Self::Owned(bytes) => bytes,
        }
    }
}
