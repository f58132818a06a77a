//! Bundles: a plan and its tensors in one file (`.fxb`), enough to run the program.
//!
//! ```text
//! 0    8   magic "FXBUNDLE"
//! 8    4   version of the container, 1
//! 12   4   CRC-32 of the index
//! 16   8   length of the index in bytes
//! 24   8   length of the file in bytes
//! 32   4   CRC-32 of the 32 bytes before
//! 36  28   zeros
//! 64       index: JSON { plan, blobs: [{ role, bytes, crc }] }
//!          blobs in the index's order, each from the next multiple of 64 on; gaps are zeros
//! ```
//!
//! Numbers are little-endian. Roles are binaries of the plan (whose JSON has no bytes), the machine code that was made of
//! them, constants of the plan, and tensors by name. Written atomically. Read through a map, so that tensors are not copied;
//! every byte is verified, and the plan too. The map's file must not be changed in place while tensors of it live.

use crate::error::{Result, RuntimeError};
use crate::ffi::bytes::{Bytes, map_file};
use crate::files::write_atomically;
use crate::plan::{DType, Plan};
use crate::tensor::HostTensor;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;
use std::sync::Arc;

const MAGIC: &[u8; 8] = b"FXBUNDLE";
const VERSION: u32 = 1;
const HEADER: usize = 64;
pub(crate) const ALIGN: usize = 64;

/// A compiled program with its parameters, buffers and constants.
#[derive(Debug, Clone)]
pub struct Bundle {
    /// What to do, with the bytes of code and constants.
    pub plan: Plan,
    /// State by name; [`crate::exec::Executor::from_bundle`] sets it.
    pub tensors: BTreeMap<String, HostTensor>,
}

/// What a blob is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Role {
    Binary(usize),
    /// Of the binary with this index.
    MachineCode(usize),
    Constant(usize),
    Tensor {
        name: String,
        dtype: DType,
        dims: Vec<usize>,
    },
}

#[derive(Debug, Clone, Serialize, Deserialize)]
struct Blob {
    role: Role,
    bytes: usize,
    crc: u32,
}

#[derive(Serialize, Deserialize)]
struct Index<'a> {
    plan: Cow<'a, Plan>,
    blobs: Vec<Blob>,
}

impl Bundle {
    /// Writes the bundle atomically. Fails on the system's errors.
    pub fn write(&self, path: &Path) -> Result<()> {
        write_atomically(path, |file| write(&self.plan, &self.tensors, file))
    }

    /// Reads and verifies a bundle. Fails when it cannot be read, is no bundle, is damaged, or holds an invalid plan.
    pub fn read(path: &Path) -> Result<Self> {
        let file = std::fs::File::open(path).map_err(|error| RuntimeError::io(path, error))?;
        let map = map_file(&file).map_err(|error| RuntimeError::io(path, error))?;
        Bundle::in_map(&map, 0).map_err(|message| RuntimeError::format(path, message))
    }

    /// The bundle that a map holds from `origin` on, a multiple of [`ALIGN`] inside it. Fails as [`Bundle::read`] does.
    pub(crate) fn in_map(map: &Arc<memmap2::Mmap>, origin: usize) -> Result<Self, String> {
        read(map, origin).map_err(|error| match error {
            ReadError::Damaged(message) => message,
            ReadError::Runtime(error) => error.to_string(),
        })
    }
}

/// Writes a bundle of these parts.
pub(crate) fn write(plan: &Plan, tensors: &BTreeMap<String, HostTensor>, file: &mut dyn Write) -> std::io::Result<()> {
    let contents = contents(plan, tensors);
    let blobs = contents.iter().map(|(role, bytes)| Blob { role: role.clone(), bytes: bytes.len(), crc: crc32fast::hash(bytes) });
    let index = serde_json::to_vec(&Index { plan: Cow::Borrowed(plan), blobs: blobs.collect() })?;
    let mut len = HEADER + index.len();
    for (_, bytes) in &contents {
        len = len.next_multiple_of(ALIGN) + bytes.len();
    }
    file.write_all(&header(&index, len))?;
    file.write_all(&index)?;
    let mut written = HEADER + index.len();
    for (_, bytes) in &contents {
        file.write_all(&[0; ALIGN][..written.next_multiple_of(ALIGN) - written])?;
        file.write_all(bytes)?;
        written = written.next_multiple_of(ALIGN) + bytes.len();
    }
    Ok(())
}

/// Roles and bytes of all blobs, in the order of the file.
fn contents<'a>(plan: &'a Plan, tensors: &'a BTreeMap<String, HostTensor>) -> Vec<(Role, &'a [u8])> {
    let mut contents = Vec::new();
    for (index, binary) in plan.binaries.iter().enumerate() {
        contents.push((Role::Binary(index), binary.bytes.as_slice()));
        if let Some(code) = &binary.machine_code {
            contents.push((Role::MachineCode(index), code.bytes.as_slice()));
        }
    }
    for (index, constant) in plan.constants.iter().enumerate() {
        contents.push((Role::Constant(index), constant.bytes.as_slice()));
    }
    for (name, tensor) in tensors {
        let role = Role::Tensor { name: name.clone(), dtype: tensor.dtype(), dims: tensor.dims().to_vec() };
        contents.push((role, tensor.bytes()));
    }
    contents
}

enum ReadError {
    Damaged(String),
    Runtime(RuntimeError),
}

impl From<RuntimeError> for ReadError {
    fn from(error: RuntimeError) -> Self {
        ReadError::Runtime(error)
    }
}

fn damaged<T>(message: impl Into<String>) -> Result<T, ReadError> {
    Err(ReadError::Damaged(message.into()))
}

fn header(index: &[u8], len: usize) -> [u8; HEADER] {
    let mut header = [0; HEADER];
    header[..8].copy_from_slice(MAGIC);
    header[8..12].copy_from_slice(&VERSION.to_le_bytes());
    header[12..16].copy_from_slice(&crc32fast::hash(index).to_le_bytes());
    header[16..24].copy_from_slice(&(index.len() as u64).to_le_bytes());
    header[24..32].copy_from_slice(&(len as u64).to_le_bytes());
    let crc = crc32fast::hash(&header[..32]);
    header[32..36].copy_from_slice(&crc.to_le_bytes());
    header
}

/// The index, after the checks of the header.
fn read_index(file: &[u8]) -> Result<&[u8], ReadError> {
    if file.first_chunk::<8>() != Some(MAGIC) {
        return damaged("not a bundle (it does not begin with FXBUNDLE)");
    }
    let version = file.get(8..12).and_then(|bytes| bytes.try_into().ok()).map(u32::from_le_bytes);
    if version != Some(VERSION) {
        return damaged(format!("a bundle of version {}, expected {VERSION}", version.unwrap_or(0)));
    }
    let number = |at: usize| -> Option<usize> { usize::try_from(u64::from_le_bytes(file.get(at..at + 8)?.try_into().ok()?)).ok() };
    let index = number(16).and_then(|len| file.get(HEADER..HEADER.checked_add(len)?));
    let Some(index) = index else {
        return damaged(format!("damaged or cut short: {} bytes", file.len()));
    };
    // the header has no freedom: it must be the one that we would write
    if file[..HEADER] != header(index, file.len()) {
        return damaged(format!("damaged: the header does not fit the {} bytes of the file", file.len()));
    }
    Ok(index)
}

/// Whether the bytes of a binary's machine code are still to come: an assembler's output is never empty.
fn lacks_code(plan: &Plan, index: usize) -> bool {
    plan.binaries[index].machine_code.as_ref().is_some_and(|code| code.bytes.is_empty())
}

fn read(map: &Arc<memmap2::Mmap>, origin: usize) -> Result<Bundle, ReadError> {
    let file = map.get(origin..).unwrap_or_default();
    let index = read_index(file)?;
    let mut end = HEADER + index.len();
    let index: Index<'_> = serde_json::from_slice(index).map_err(|error| ReadError::Damaged(format!("the index is malformed: {error}")))?;
    let mut plan = index.plan.into_owned();
    let mut tensors = BTreeMap::new();
    let (mut binaries, mut constants) = (0, 0);
    for blob in index.blobs {
        let start = end.next_multiple_of(ALIGN);
        let gap = file.get(end..start);
        let Some(bytes) = Bytes::from_map(map, origin + start, blob.bytes) else {
            return damaged(format!("{:?} lies outside the file", blob.role));
        };
        end = start + blob.bytes; // inside the map
        let sound = gap.is_some_and(|gap| gap.iter().all(|byte| *byte == 0)) && crc32fast::hash(bytes.as_slice()) == blob.crc;
        if !sound {
            return damaged(format!("{:?} is damaged: its checksum differs", blob.role));
        }
        match blob.role {
            Role::Binary(index) if index == binaries && index < plan.binaries.len() => {
                plan.binaries[index].bytes = bytes.as_slice().to_vec();
                binaries += 1;
            }
            // right after its binary, or it is not there
            Role::MachineCode(index) if index + 1 == binaries && lacks_code(&plan, index) => {
                if let Some(code) = &mut plan.binaries[index].machine_code {
                    code.bytes = bytes.as_slice().to_vec();
                }
            }
            Role::Constant(index) if index == constants && index < plan.constants.len() => {
                plan.constants[index].bytes = bytes.as_slice().to_vec();
                constants += 1;
            }
            Role::Tensor { name, dtype, dims } => {
                let tensor = HostTensor::from_shared(dtype, &dims, bytes)?;
                if let Some(_twice) = tensors.insert(name.clone(), tensor) {
                    return damaged(format!("two tensors are named '{name}'"));
                }
            }
            role => return damaged(format!("{role:?} is not part of the plan")),
        }
    }
    let whole = (binaries, constants) == (plan.binaries.len(), plan.constants.len()) && end == file.len();
    if !whole || (0..binaries).any(|index| lacks_code(&plan, index)) {
        return damaged("code, constants or bytes are missing or left over");
    }
    plan.verify()?;
    Ok(Bundle { plan, tensors })
}
