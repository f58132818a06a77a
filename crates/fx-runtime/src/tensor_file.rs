//! Tensors in safetensors files: mapped when read, written atomically.
//!
//! Needs     Files that nobody changes in place while tensors of them live (replacing by a rename is fine).
//! Limits    The format has no complex128 and no name for our `c128`: writing one is an error that names the tensor.

use crate::error::{Result, RuntimeError};
use crate::ffi::bytes::{Bytes, map_file};
use crate::files::{write_atomically, write_durably};
use crate::plan::DType;
use crate::tensor::HostTensor;
use safetensors::tensor::{Metadata, SafeTensors, TensorInfo};
use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// An open safetensors file. Tensors share its mapping.
pub struct TensorFile {
    path: PathBuf,
    map: Arc<memmap2::Mmap>,
    metadata: Metadata,
    data: usize,
}

impl TensorFile {
    /// Maps a file and checks its header. Fails when it cannot be read or is malformed.
    pub fn open(path: &Path) -> Result<Self> {
        let file = std::fs::File::open(path).map_err(|error| RuntimeError::io(path, error))?;
        let map = map_file(&file).map_err(|error| RuntimeError::io(path, error))?;
        let (header, metadata) =
            SafeTensors::read_metadata(&map).map_err(|error| RuntimeError::format(path, format!("not a safetensors file: {error}")))?;
        let data = header + 8; // after the length and the header itself
        if map.len() - data.min(map.len()) != metadata.data_len() {
            return Err(RuntimeError::format(path, format!("the header promises {} bytes of data", metadata.data_len())));
        }
        Ok(TensorFile { path: path.to_path_buf(), map, metadata, data })
    }

    /// Names of all tensors, sorted.
    pub fn names(&self) -> Vec<String> {
        let mut names = self.metadata.offset_keys();
        names.sort();
        names
    }

    /// The file's own text entries (`__metadata__`).
    pub fn entries(&self) -> BTreeMap<String, String> {
        self.metadata.metadata().iter().flatten().map(|(k, v)| (k.clone(), v.clone())).collect()
    }

    /// One tensor; none when there is no such name. Fails for element types that we lack.
    pub fn get(&self, name: &str) -> Result<Option<HostTensor>> {
        self.metadata.info(name).map(|info| self.tensor(name, info)).transpose()
    }

    /// All tensors by name. Fails when one has an element type that we lack.
    pub fn tensors(&self) -> Result<BTreeMap<String, HostTensor>> {
        let all = self.metadata.tensors();
        all.into_iter().map(|(name, info)| Ok((name.clone(), self.tensor(&name, info)?))).collect()
    }

    fn tensor(&self, name: &str, info: &TensorInfo) -> Result<HostTensor> {
        let bad = |message: String| RuntimeError::format(&self.path, format!("tensor '{name}': {message}"));
        let dtype = from_file_dtype(info.dtype).ok_or_else(|| bad(format!("element type {} is not supported", info.dtype)))?;
        let (start, end) = info.data_offsets;
        let bytes = Bytes::from_map(&self.map, self.data + start, end - start).ok_or_else(|| bad("lies outside the file".into()))?;
        HostTensor::from_shared(dtype, &info.shape, bytes).map_err(|error| bad(error.to_string()))
    }
}

/// Reads all tensors of a file by name, without copying (mapped). Fails as [`TensorFile`] does.
pub fn read_tensors(path: &Path) -> Result<BTreeMap<String, HostTensor>> {
    TensorFile::open(path)?.tensors()
}

/// Writes named tensors, and text entries if there are any, atomically.
///
/// Fails on `c128`, which the format lacks, and on the system's errors.
pub fn write_tensors<'a>(
    path: &Path,
    tensors: impl IntoIterator<Item = (&'a str, &'a HostTensor)>,
    entries: &BTreeMap<String, String>,
) -> Result<()> {
    let file = Encoded::new(path, tensors, entries)?;
    write_atomically(path, |out| file.write(out))
}

/// As [`write_tensors`], and on the disk when it returns: a crash of the machine leaves the old file or the new one.
pub fn write_tensors_durably<'a>(
    path: &Path,
    tensors: impl IntoIterator<Item = (&'a str, &'a HostTensor)>,
    entries: &BTreeMap<String, String>,
) -> Result<()> {
    let file = Encoded::new(path, tensors, entries)?;
    write_durably(path, |out| file.write(out))
}

/// A file's header, and the tensors in the order of their bytes.
struct Encoded<'a> {
    header: Vec<u8>,
    views: Vec<(&'a str, View<'a>)>,
}

impl<'a> Encoded<'a> {
    fn new(path: &Path, tensors: impl IntoIterator<Item = (&'a str, &'a HostTensor)>, entries: &BTreeMap<String, String>) -> Result<Self> {
        let mut views = Vec::new();
        for (name, tensor) in tensors {
            let dtype = to_file_dtype(tensor.dtype())
                .ok_or_else(|| RuntimeError::Unsupported(format!("safetensors has no {} (tensor '{name}')", tensor.dtype())))?;
            views.push((name, View { dtype, tensor }));
        }
        // The largest elements first, so that every tensor is aligned; then by name.
        views.sort_by(|(a, left), (b, right)| right.dtype.cmp(&left.dtype).then(a.cmp(b)));
        let header = header_of(&views, entries).map_err(|message| RuntimeError::format(path, message))?;
        Ok(Encoded { header, views })
    }

    fn write(&self, out: &mut dyn Write) -> std::io::Result<()> {
        out.write_all(&(self.header.len() as u64).to_le_bytes())?;
        out.write_all(&self.header)?;
        self.views.iter().try_for_each(|(_, view)| out.write_all(view.tensor.bytes()))
    }
}

struct View<'a> {
    dtype: safetensors::Dtype,
    tensor: &'a HostTensor,
}

/// The JSON header, padded so that the data starts at a multiple of 64. Sorted maps, so equal contents give equal files.
fn header_of(views: &[(&str, View<'_>)], entries: &BTreeMap<String, String>) -> Result<Vec<u8>, String> {
    let mut header: BTreeMap<&str, serde_json::Value> = BTreeMap::new();
    let mut insert = |name, value: serde_json::Result<serde_json::Value>| {
        let value = value.map_err(|error| error.to_string())?;
        header.insert(name, value).map_or(Ok(()), |_| Err(format!("two tensors are named '{name}'")))
    };
    if !entries.is_empty() {
        insert("__metadata__", serde_json::to_value(entries))?;
    }
    let mut offset = 0;
    for (name, view) in views {
        let end = offset + view.tensor.bytes().len();
        let shape = view.tensor.dims().to_vec();
        let info = TensorInfo { dtype: view.dtype, shape, data_offsets: (offset, end) };
        insert(name, serde_json::to_value(info))?;
        offset = end;
    }
    let mut header = serde_json::to_vec(&header).map_err(|error| error.to_string())?;
    let padded = (header.len() + 8).next_multiple_of(64) - 8;
    header.resize(padded, b' ');
    Ok(header)
}

fn from_file_dtype(dtype: safetensors::Dtype) -> Option<DType> {
    use safetensors::Dtype as D;
    Some(match dtype {
        D::BOOL => DType::Bool,
        D::U8 => DType::U8,
        D::I8 => DType::I8,
        D::F8_E5M2 => DType::F8E5M2,
        D::F8_E4M3 => DType::F8E4M3FN,
        D::I16 => DType::I16,
        D::F16 => DType::F16,
        D::BF16 => DType::BF16,
        D::I32 => DType::I32,
        D::F32 => DType::F32,
        D::C64 => DType::C64,
        D::F64 => DType::F64,
        D::I64 => DType::I64,
        _ => return None,
    })
}

fn to_file_dtype(dtype: DType) -> Option<safetensors::Dtype> {
    use safetensors::Dtype as D;
    Some(match dtype {
        DType::Bool => D::BOOL,
        DType::U8 => D::U8,
        DType::I8 => D::I8,
        DType::F8E5M2 => D::F8_E5M2,
        DType::F8E4M3FN => D::F8_E4M3,
        DType::I16 => D::I16,
        DType::F16 => D::F16,
        DType::BF16 => D::BF16,
        DType::I32 => D::I32,
        DType::F32 => D::F32,
        DType::C64 => D::C64,
        DType::F64 => D::F64,
        DType::I64 => D::I64,
        DType::C128 => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn round_trip_of_all_dtypes() -> Result<()> {
        let folder = tempfile::tempdir().map_err(|e| RuntimeError::io(Path::new("tmp"), e))?;
        let path = folder.path().join("all.safetensors");
        let mut tensors = BTreeMap::new();
        for dtype in DType::ALL.into_iter().filter(|dtype| *dtype != DType::C128) {
            let bytes: Vec<u8> = (0..3 * dtype.size()).map(|i| (i % 2) as u8).collect();
            tensors.insert(dtype.name().to_owned(), HostTensor::from_bytes(dtype, &[3, 1], &bytes)?);
        }
        let entries = BTreeMap::from([("made".to_owned(), "here".to_owned())]);
        write_tensors(&path, tensors.iter().map(|(n, t)| (n.as_str(), t)), &entries)?;
        let file = TensorFile::open(&path)?;
        assert_eq!(file.entries(), entries);
        assert_eq!(file.names().len(), tensors.len());
        for (name, tensor) in &tensors {
            let read = file.get(name)?.ok_or_else(|| RuntimeError::Internal(name.clone()))?;
            assert_eq!((read.dtype(), read.dims(), read.bytes()), (tensor.dtype(), tensor.dims(), tensor.bytes()));
        }
        assert!(file.get("absent")?.is_none());
        Ok(())
    }

    #[test]
    fn misaligned_tensors_are_copied() -> Result<()> {
        let folder = tempfile::tempdir().map_err(|e| RuntimeError::io(Path::new("tmp"), e))?;
        let path = folder.path().join("odd.safetensors");
        let header = br#"{"a":{"dtype":"BOOL","shape":[1],"data_offsets":[0,1]},"b":{"dtype":"F32","shape":[1],"data_offsets":[1,5]}}"#;
        let mut bytes = (header.len() as u64).to_le_bytes().to_vec();
        bytes.extend_from_slice(header);
        bytes.push(1);
        bytes.extend_from_slice(&2.5f32.to_le_bytes());
        std::fs::write(&path, bytes).map_err(|e| RuntimeError::io(&path, e))?;
        let tensors = read_tensors(&path)?;
        assert_eq!(tensors["b"].as_slice::<f32>()?, [2.5]);
        assert_eq!(tensors["a"].as_slice::<bool>()?, [true]);
        Ok(())
    }

    #[test]
    fn bad_files_and_dtypes_are_errors() -> Result<()> {
        let folder = tempfile::tempdir().map_err(|e| RuntimeError::io(Path::new("tmp"), e))?;
        let path = folder.path().join("bad.safetensors");
        for bytes in [&b""[..], b"12345678", b"\xff\xff\xff\xff\xff\xff\xff\xff{}", b"\x02\0\0\0\0\0\0\0{}extra"] {
            std::fs::write(&path, bytes).map_err(|e| RuntimeError::io(&path, e))?;
            assert!(TensorFile::open(&path).is_err(), "{bytes:?}");
        }
        let complex = HostTensor::zeros(DType::C128, &[1])?;
        let error = write_tensors(&path, [("z", &complex)], &BTreeMap::new()).unwrap_err().to_string();
        assert_eq!(error, "not supported: safetensors has no c128 (tensor 'z')");
        Ok(())
    }
}
