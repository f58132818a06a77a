//! An opened archive: its program, and its tensors on demand.
//!
//! Opening reads and validates everything but the tensors' bytes. What holds for an [`Archive`]:
//! the program is consistent (see `validate`), and every parameter, buffer and constant among its
//! inputs has a tensor in the archive, of the dtype and sizes that the graph states.

use std::path::Path;

use crate::archive::Container;
use crate::bytes::ArchiveBytes;
use crate::error::{ErrorKind, ImportError, quoted};
use crate::schema::{ExportedProgram, InputSpec, SymInt};
use crate::tensor_data::TensorData;
use crate::weights::{Payload, Payloads};

const WEIGHTS: &str = "data/weights";
const CONSTANTS: &str = "data/constants";

/// The program that is read where an archive has several.
const DEFAULT_MODEL: &str = "model";

/// An opened `.pt2` archive.
#[derive(Debug)]
pub struct Archive {
    path: String,
    container: Container,
    model: String,
    program: ExportedProgram,
    weights: Payloads,
    constants: Payloads,
}

impl Archive {
    /// Opens a file, which is mapped into memory: nobody may change it while it is open.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, ImportError> {
        let path = path.as_ref();
        let name = path.display().to_string();
        ArchiveBytes::open(path).and_then(|bytes| Self::read(bytes, &name)).map_err(|error| error.in_archive(&name))
    }

    /// Opens an archive in memory.
    pub fn from_bytes(bytes: Vec<u8>) -> Result<Self, ImportError> {
        Self::read(ArchiveBytes::Owned(bytes), "")
    }

    fn read(bytes: ArchiveBytes, path: &str) -> Result<Self, ImportError> {
        let container = Container::new(bytes)?;
        check_format(&container)?;
        let model = find_model(&container)?;
        let member = format!("models/{model}.json");
        let program = container.read_json(&member).and_then(ExportedProgram::from_json).map_err(|error| error.in_member(&member))?;
        let weights_config = format!("{model}_weights_config.json");
        let weights = Payloads::read(&container, WEIGHTS, &weights_config)?;
        let constants_config = format!("{model}_constants_config.json");
        let constants = Payloads::read(&container, CONSTANTS, &constants_config)?;
        let archive = Self { path: path.to_owned(), container, model, program, weights, constants };
        archive.check_tensors().map_err(|error| error.in_member(&member))?;
        Ok(archive)
    }

    /// The validated program.
    pub fn program(&self) -> &ExportedProgram {
        &self.program
    }

    /// Name of the program in the archive, `model` as a rule.
    pub fn model_name(&self) -> &str {
        &self.model
    }

    /// Path of the archive, empty if it is in memory.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// A parameter or persistent buffer by its path in the model, such as `layer.weight`.
    pub fn weight(&self, fqn: &str) -> Result<TensorData<'_>, ImportError> {
        self.tensor(&self.weights, fqn)
    }

    /// A tensor constant or a buffer that is not persistent.
    pub fn constant(&self, name: &str) -> Result<TensorData<'_>, ImportError> {
        self.tensor(&self.constants, name)
    }

    /// The tensor of a parameter, buffer or tensor constant; `None` for other inputs.
    pub fn input_tensor(&self, spec: &InputSpec) -> Option<Result<TensorData<'_>, ImportError>> {
        let (payloads, name) = self.payloads_of(spec)?;
        Some(self.tensor(payloads, name))
    }

    /// Parameters and persistent buffers, sorted by name. Those with equal `path_name`, sizes, strides
    /// and offset are one tensor under several names (tied parameters).
    pub fn weights(&self) -> impl Iterator<Item = (&str, &Payload)> {
        self.weights.iter()
    }

    /// Tensor constants and buffers that are not persistent, sorted by name.
    pub fn constants(&self) -> impl Iterator<Item = (&str, &Payload)> {
        self.constants.iter()
    }

    /// Names of all members below the root folder, sorted.
    pub fn member_names(&self) -> impl Iterator<Item = &str> {
        self.container.names()
    }

    /// Name of the root folder.
    pub fn root(&self) -> &str {
        self.container.root()
    }

    /// Bytes of a member by its name below the root folder, such as `extra/notes.txt`.
    pub fn member(&self, name: &str) -> Result<&[u8], ImportError> {
        let bytes = self.container.read(name);
        bytes.map_err(|error| error.in_archive(&self.path))
    }

    /// Reads all members and compares their checksums. Opening does so for JSON members only.
    pub fn verify_checksums(&self) -> Result<(), ImportError> {
        self.container.names().try_for_each(|name| {
            let bytes = self.container.read_checked(name);
            bytes.map(drop).map_err(|error| error.in_archive(&self.path))
        })
    }

    fn tensor<'a>(&'a self, payloads: &'a Payloads, name: &str) -> Result<TensorData<'a>, ImportError> {
        let tensor = payloads.tensor(&self.container, name);
        tensor.map_err(|error| error.in_archive(&self.path))
    }

    fn payloads_of<'s>(&self, spec: &'s InputSpec) -> Option<(&Payloads, &'s str)> {
        match spec {
            InputSpec::Parameter(spec) => Some((&self.weights, &spec.parameter_name)),
            InputSpec::Buffer(spec) if spec.persistent => Some((&self.weights, &spec.buffer_name)),
            InputSpec::Buffer(spec) => Some((&self.constants, &spec.buffer_name)),
            InputSpec::TensorConstant(spec) => Some((&self.constants, &spec.tensor_constant_name)),
            _ => None,
        }
    }

    /// Every tensor that the graph takes from the archive is there and is what the graph says.
    fn check_tensors(&self) -> Result<(), ImportError> {
        let graph = self.program.graph();
        let inputs = self.program.signature().input_specs.iter().zip(&graph.inputs);
        for (index, (spec, argument)) in inputs.enumerate() {
            let Some((payloads, name)) = self.payloads_of(spec) else {
                continue;
            };
            let at = || format!("graph_module.signature.input_specs[{index}] {}", spec.key());
            let payload = payloads.get(name).ok_or_else(|| {
                let expected = format!("a tensor {} in the archive", quoted(name));
                ImportError::mismatch(expected, "none").at(at)
            })?;
            let meta = argument.tensor_name().and_then(|name| graph.tensor(name));
            let meta = meta.ok_or_else(|| ImportError::mismatch("a tensor", argument.key()).at(at))?;
            let as_number = |size: &SymInt| size.as_int().and_then(|size| u64::try_from(size).ok());
            let sizes: Option<Vec<u64>> = meta.sizes.iter().map(as_number).collect();
            if meta.dtype != payload.dtype || sizes.as_ref() != Some(&payload.sizes) {
                let sizes = sizes.map_or("symbolic sizes".to_owned(), |sizes| format!("{sizes:?}"));
                let expected = format!("{} {} of {sizes}", meta.dtype, quoted(name));
                let found = format!("{} of {:?} in the archive", payload.dtype, payload.sizes);
                return Err(ImportError::mismatch(expected, found).at(at));
            }
        }
        Ok(())
    }
}

/// Checks the small members that say what the archive is.
fn check_format(container: &Container) -> Result<(), ImportError> {
    for (member, what, expected) in
        [("archive_format", "archive format", "pt2"), ("archive_version", "archive version", "0"), ("byteorder", "byte order", "little")]
    {
        let text = String::from_utf8_lossy(container.read_json(member)?);
        if text.trim() != expected {
            let kind = ErrorKind::Unsupported { what, expected: expected.to_owned(), found: quoted(&text) };
            return Err(ImportError::new(kind).in_member(member));
        }
    }
    Ok(())
}

/// The program to read: the only one, or the one called `model`.
fn find_model(container: &Container) -> Result<String, ImportError> {
    let models: Vec<&str> = container
        .names()
        .filter_map(|name| name.strip_prefix("models/")?.strip_suffix(".json"))
        .filter(|name| !name.contains('/'))
        .collect();
    match models.as_slice() {
        [only] => Ok((*only).to_owned()),
        [] => Err(ImportError::new(ErrorKind::MissingMember).in_member("models/model.json")),
        several if several.contains(&DEFAULT_MODEL) => Ok(DEFAULT_MODEL.to_owned()),
        several => {
            let expected = "one program, or one called 'model'";
            Err(ImportError::mismatch(expected, quoted(&several.join(", "))))
        }
    }
}
