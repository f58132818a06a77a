//! Tensors that an archive holds: parameters, buffers and constants.
//!
//! A configuration names for each tensor the member that has its whole storage, and how the tensor
//! lies in it. Tensors may share a storage, overlap in it, or repeat its elements (stride 0).
//! Invariant of every [`Payload`] of an [`Archive`](crate::Archive): dtype, rank and offsets are
//! sound, and all elements lie inside the storage.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::archive::Container;
use crate::error::{ErrorKind, ImportError, quoted};
use crate::json::{self, unique_map};
use crate::schema::{Layout, ScalarType, SymInt, TensorMeta};
use crate::tensor_data::{Geometry, TensorData};

/// Where a tensor of the archive is and how it lies there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Payload {
    /// Name of the storage; tensors with one name share it.
    pub path_name: String,
    /// Whether it is a parameter.
    pub is_param: bool,
    /// Whether autograd tracks it.
    pub requires_grad: bool,
    /// Type of the elements.
    pub dtype: ScalarType,
    /// Size of each dimension.
    pub sizes: Vec<u64>,
    /// Distance between neighbours of each dimension, in elements.
    pub strides: Vec<u64>,
    /// Place of the first element in the storage, in elements.
    pub storage_offset: u64,
}

#[derive(Deserialize)]
struct PayloadConfig {
    #[serde(deserialize_with = "unique_map")]
    config: BTreeMap<String, PayloadMeta>,
}

#[derive(Deserialize)]
struct PayloadMeta {
    path_name: String,
    is_param: bool,
    use_pickle: bool,
    tensor_meta: Option<TensorMeta>,
}

/// Payloads by the name of their tensor, with the folder of their storages.
#[derive(Debug)]
pub(crate) struct Payloads {
    folder: &'static str,
    by_name: BTreeMap<String, Payload>,
}

impl Payloads {
    /// Reads and checks the configuration in a folder.
    pub(crate) fn read(container: &Container, folder: &'static str, config: &str) -> Result<Self, ImportError> {
        let member = format!("{folder}/{config}");
        let read = || {
            let PayloadConfig { config } = json::parse(container.read_json(&member)?)?;
            let mut by_name = BTreeMap::new();
            for (name, meta) in config {
                let place = || format!("config {}", quoted(&name));
                let payload = Payload::new(meta).map_err(|error| error.at(place))?;
                payload.check(container, folder).map_err(|error| error.at(place))?;
                by_name.insert(name, payload);
            }
            Ok(Self { folder, by_name })
        };
        read().map_err(|error: ImportError| error.in_member(&member))
    }

    pub(crate) fn get(&self, name: &str) -> Option<&Payload> {
        self.by_name.get(name)
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (&str, &Payload)> {
        self.by_name.iter().map(|(name, payload)| (name.as_str(), payload))
    }

    /// A tensor with its bytes.
    pub(crate) fn tensor<'a>(&'a self, container: &'a Container, name: &str) -> Result<TensorData<'a>, ImportError> {
        let payload = self.by_name.get(name).ok_or_else(|| {
            let expected = format!("a tensor {} in {}", quoted(name), self.folder);
            ImportError::mismatch(expected, "none")
        })?;
        Ok(TensorData {
            dtype: payload.dtype,
            sizes: &payload.sizes,
            strides: &payload.strides,
            storage_offset: payload.storage_offset,
            bytes: container.read(&payload.member(self.folder))?,
        })
    }
}

impl Payload {
    fn new(meta: PayloadMeta) -> Result<Self, ImportError> {
        if meta.use_pickle {
            return Err(ImportError::new(ErrorKind::Unsupported {
                what: "pickled payload",
                expected: "raw bytes (use_pickle false)".to_owned(),
                found: format!("a pickle in {}", quoted(&meta.path_name)),
            }));
        }
        let tensor = meta.tensor_meta.ok_or_else(|| ImportError::mismatch("tensor_meta of a raw tensor", "null"))?;
        if tensor.layout != Layout::Strided {
            return Err(ImportError::mismatch("a strided tensor", tensor.layout.name()));
        }
        let numbers = |field: &str, numbers: &[SymInt]| {
            let number = |number: &SymInt| plain(field, number);
            numbers.iter().map(number).collect::<Result<Vec<_>, _>>()
        };
        Ok(Self {
            path_name: meta.path_name,
            is_param: meta.is_param,
            requires_grad: tensor.requires_grad,
            dtype: tensor.dtype,
            sizes: numbers("size", &tensor.sizes)?,
            strides: numbers("stride", &tensor.strides)?,
            storage_offset: plain("storage offset", &tensor.storage_offset)?,
        })
    }

    fn member(&self, folder: &str) -> String {
        format!("{folder}/{}", self.path_name)
    }

    fn check(&self, container: &Container, folder: &str) -> Result<(), ImportError> {
        let member = self.member(folder);
        let storage = container
            .size(&member)
            .filter(|_| !self.path_name.contains('/'))
            .ok_or_else(|| ImportError::mismatch(format!("a member {}", quoted(&member)), "none"))?;
        let geometry = Geometry { dtype: self.dtype, sizes: &self.sizes, strides: &self.strides, storage_offset: self.storage_offset };
        let checked = geometry.check(storage);
        checked.map(drop).map_err(|error| ImportError::new(ErrorKind::Tensor(error)))
    }
}

/// A number of a tensor that the archive holds: not symbolic and not negative.
fn plain(field: &str, number: &SymInt) -> Result<u64, ImportError> {
    let value = number.as_int().and_then(|value| u64::try_from(value).ok());
    value.ok_or_else(|| {
        let found = match number {
            SymInt::Int(value) => value.to_string(),
            SymInt::Expr(value) => quoted(&value.expr.to_string()),
        };
        ImportError::mismatch(format!("a plain {field} of at least 0"), found)
    })
}
