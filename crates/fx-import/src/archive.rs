//! The container: members of a `.pt2` file by their name below the root folder.
//!
//! Invariants of a [`Container`]: all members lie under one root folder, names are safe and unique,
//! members lie apart from each other inside the file, and all deflated members together unpack to
//! no more than [`MAX_EXPANSION`] times the file. Stored members, which is all that PyTorch writes,
//! are slices of the file; a deflated one is unpacked when it is first read and then kept.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::OnceLock;

use flate2::{Crc, Decompress, FlushDecompress, Status};

use crate::bytes::ArchiveBytes;
use crate::error::{ErrorKind, ImportError, quoted};
use crate::zip::{self, Method};

/// Unpacked bytes of all deflated members, as a multiple of the file's size, at most.
pub const MAX_EXPANSION: u64 = 4;

/// The largest JSON member that is read, in bytes.
pub const MAX_JSON_BYTES: u64 = 256 << 20;

/// The members of an archive.
#[derive(Debug)]
pub(crate) struct Container {
    bytes: ArchiveBytes,
    root: String,
    members: BTreeMap<String, Member>,
}

#[derive(Debug)]
struct Member {
    method: Method,
    crc: u32,
    size: u64,
    data: Range<usize>,
    unpacked: OnceLock<Result<Vec<u8>, (String, String)>>,
}

impl Container {
    /// Reads the directory of an archive.
    pub(crate) fn new(bytes: ArchiveBytes) -> Result<Self, ImportError> {
        let entries = zip::entries(&bytes)?;
        let unpacked =
            entries.iter().filter(|entry| entry.method == Method::Deflate).fold(0u64, |sum, entry| sum.saturating_add(entry.size));
        let limit = MAX_EXPANSION.saturating_mul(bytes.len() as u64);
        check_limit("unpacked bytes of all deflated members", unpacked, limit)?;
        let mut root: Option<String> = None;
        let mut members = BTreeMap::new();
        for entry in entries {
            let Some((folder, name)) = entry.name.split_once('/') else {
                let found = "a member outside of any folder";
                return Err(ImportError::mismatch("a member below a root folder", found).in_member(&entry.name));
            };
            if root.get_or_insert_with(|| folder.to_owned()) != folder {
                let expected = format!("one root folder {}", quoted(&root.unwrap_or_default()));
                return Err(ImportError::mismatch(expected, quoted(folder)));
            }
            let name = name.to_owned();
            let member = Member { method: entry.method, crc: entry.crc, size: entry.size, data: entry.data, unpacked: OnceLock::new() };
            if members.contains_key(&name) {
                return Err(ImportError::new(ErrorKind::DuplicateMember).in_member(&name));
            }
            members.insert(name, member);
        }
        let Some(root) = root else {
            return Err(ImportError::mismatch("members", "an empty archive"));
        };
        Ok(Self { bytes, root, members })
    }

    /// Name of the folder that all members lie in.
    pub(crate) fn root(&self) -> &str {
        &self.root
    }

    /// Names of all members below the root folder, sorted.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.members.keys().map(String::as_str)
    }

    /// Unpacked size of a member, as declared.
    pub(crate) fn size(&self, name: &str) -> Option<u64> {
        self.members.get(name).map(|member| member.size)
    }

    /// Bytes of a member; for a stored one a part of the file itself.
    pub(crate) fn read(&self, name: &str) -> Result<&[u8], ImportError> {
        let missing = || ImportError::new(ErrorKind::MissingMember);
        let read = || {
            let member = self.members.get(name).ok_or_else(missing)?;
            let packed = self.bytes.get(member.data.clone()).ok_or_else(missing)?;
            if member.method == Method::Stored {
                return Ok(packed);
            }
            match member.unpacked.get_or_init(|| member.unpack(packed)) {
                Ok(bytes) => Ok(bytes.as_slice()),
                Err((expected, found)) => Err(ImportError::new(ErrorKind::Zip { expected: expected.clone(), found: found.clone() })),
            }
        };
        read().map_err(|error: ImportError| error.in_member(name))
    }

    /// Bytes of a member of which the checksum agrees.
    pub(crate) fn read_checked(&self, name: &str) -> Result<&[u8], ImportError> {
        let bytes = self.read(name)?;
        let mut crc = Crc::new();
        crc.update(bytes);
        let expected = self.members.get(name).map_or(0, |member| member.crc);
        let found = crc.sum();
        if found != expected {
            let kind = ErrorKind::Checksum { expected, found };
            return Err(ImportError::new(kind).in_member(name));
        }
        Ok(bytes)
    }

    /// Bytes of a JSON member: of bounded size, and with the right checksum.
    pub(crate) fn read_json(&self, name: &str) -> Result<&[u8], ImportError> {
        let size = self.size(name).unwrap_or(0);
        check_limit("bytes of a json member", size, MAX_JSON_BYTES).map_err(|error| error.in_member(name))?;
        self.read_checked(name)
    }
}

impl Member {
    /// Unpacks a deflated member into exactly its declared size.
    fn unpack(&self, packed: &[u8]) -> Result<Vec<u8>, (String, String)> {
        let expected = format!("a deflated member of {} bytes", self.size);
        let wrong = |found: String| (expected.clone(), found);
        let size = usize::try_from(self.size).map_err(|error| wrong(error.to_string()))?;
        let mut bytes = Vec::new();
        if size == 0 {
            return Ok(bytes);
        }
        bytes.try_reserve_exact(size).map_err(|error| wrong(error.to_string()))?;
        // `decompress_vec` writes into the reserved space only, so output cannot outgrow the size.
        let mut stream = Decompress::new(false);
        let status = stream.decompress_vec(packed, &mut bytes, FlushDecompress::Finish).map_err(|error| wrong(error.to_string()))?;
        if bytes.len() != size {
            return Err(wrong(format!("{} bytes", bytes.len())));
        }
        if status != Status::StreamEnd {
            return Err(wrong("more bytes".to_owned()));
        }
        Ok(bytes)
    }
}

pub(crate) fn check_limit(what: &'static str, found: u64, limit: u64) -> Result<(), ImportError> {
    if found > limit {
        return Err(ImportError::new(ErrorKind::Limit { what, found, limit }));
    }
    Ok(())
}
