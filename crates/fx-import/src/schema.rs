//! The program as `models/model.json` holds it (schema 8 of `torch.export`, minor versions 17 and
//! the like).
//!
//! Types and fields have the schema's names; alternatives of a union lose their `as_` prefix. Unions
//! are enums, numbers of enumerations are checked, expressions and tree specs are parsed already
//! (`SymExpr`, `TreeSpec`), all maps have unique keys in sorted order. Unknown fields are skipped,
//! since a new minor version may add some. What spans several records (names that resolve, counts
//! that agree) is checked by `validate`.

mod argument;
mod graph;
mod metadata;
mod numbers;
mod signature;
mod tensor;

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::error::{ErrorKind, ImportError};
use crate::json::{self, unique_map};
use crate::treespec::TreeSpec;
use crate::validate;

pub use argument::{
    Argument, ComplexValue, CustomObjArgument, GraphArgument, OptionalTensorArgument, SymBoolArgument, SymFloatArgument, SymIntArgument,
    TensorArgument, TokenArgument, ValueKind,
};
pub use graph::{Graph, NamedArgument, Node, Target};
pub use metadata::{Frame, SourceLocation};
pub use numbers::{ArgumentKind, Layout, MemoryFormat, ScalarType};
pub use signature::{
    BufferInputSpec, BufferMutationSpec, ConstantInputSpec, ConstantValue, CustomObjInputSpec, GradientToParameterSpec,
    GradientToUserInputSpec, GraphSignature, InputSpec, LossOutputSpec, OutputSpec, ParameterInputSpec, ParameterMutationSpec,
    TensorConstantInputSpec, TokenSpec, UserInputMutationSpec, UserInputSpec, UserOutputSpec,
};
pub use tensor::{Device, RangeConstraint, SymBool, SymExprHint, SymExprValue, SymFloat, SymInt, TensorMeta};

/// The major version of the schema that this reader knows.
pub const SCHEMA_MAJOR: u64 = 8;

/// A whole exported program.
#[derive(Clone, Debug, Deserialize)]
pub struct ExportedProgram {
    /// The graph with its signature and calling convention.
    pub graph_module: GraphModule,
    /// Version of each operator namespace's set of operators.
    #[serde(deserialize_with = "unique_map")]
    pub opset_version: BTreeMap<String, i64>,
    /// The range of each symbol.
    #[serde(deserialize_with = "unique_map")]
    pub range_constraints: BTreeMap<String, RangeConstraint>,
    /// Version of the schema itself.
    pub schema_version: SchemaVersion,
    /// Dialects that the program was verified for: `TRAINING` (raw) or `ATEN` (decomposed).
    #[serde(default)]
    pub verifiers: Vec<String>,
    /// Version of PyTorch that wrote the program.
    #[serde(default)]
    pub torch_version: String,
    /// Python expressions that hold for inputs of the program.
    #[serde(default)]
    pub guards_code: Vec<String>,
}

/// Version of the schema; a new major version breaks readers, a new minor one adds fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub struct SchemaVersion {
    /// Breaking changes.
    pub major: u64,
    /// Compatible changes.
    pub minor: u64,
}

/// The graph with its signature and calling convention.
#[derive(Clone, Debug, Deserialize)]
pub struct GraphModule {
    /// The graph.
    pub graph: Graph,
    /// What each input and output of the graph is.
    pub signature: GraphSignature,
    /// Calling conventions: that of the program under the name `""`, then submodules.
    pub module_call_graph: Vec<ModuleCallEntry>,
    /// Free metadata.
    #[serde(default, deserialize_with = "unique_map")]
    pub metadata: BTreeMap<String, String>,
    /// Fields of the named tuples in tree specs, by type name.
    #[serde(default, deserialize_with = "unique_map")]
    pub treespec_namedtuple_fields: BTreeMap<String, NamedTupleDef>,
}

/// Fields of a named tuple.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct NamedTupleDef {
    /// Names in order.
    pub field_names: Vec<String>,
}

/// A module and its calling convention, if that was kept.
#[derive(Clone, Debug, Deserialize)]
pub struct ModuleCallEntry {
    /// The module's path, `""` for the program itself.
    pub fqn: String,
    /// Its calling convention.
    #[serde(default)]
    pub signature: Option<ModuleCallSignature>,
}

/// A calling convention.
#[derive(Clone, Debug, Deserialize)]
pub struct ModuleCallSignature {
    /// Empty for the program itself.
    pub inputs: Vec<Argument>,
    /// Empty for the program itself.
    pub outputs: Vec<Argument>,
    /// The pair of positional arguments and keyword arguments; leaves are the user inputs in order.
    pub in_spec: TreeSpec,
    /// The result; leaves are the loss and user outputs in order.
    pub out_spec: TreeSpec,
    /// Parameters of `forward`.
    #[serde(default)]
    pub forward_arg_names: Option<Vec<String>>,
}

impl ExportedProgram {
    /// Reads and validates a program from the text of `models/<name>.json`.
    pub fn from_json(text: &[u8]) -> Result<Self, ImportError> {
        let mut program: Self = match json::parse(text) {
            Ok(program) => program,
            // A program of another version fails somewhere: say which version it is instead.
            Err(error) => {
                #[derive(Deserialize)]
                struct OnlyVersion {
                    schema_version: SchemaVersion,
                }
                if let Ok(only) = json::parse::<OnlyVersion>(text) {
                    only.schema_version.check()?;
                }
                return Err(error);
            }
        };
        program.schema_version.check()?;
        program.graph_module.name_tuple_fields()?;
        validate::program(&program)?;
        Ok(program)
    }

    /// The main graph.
    pub fn graph(&self) -> &Graph {
        &self.graph_module.graph
    }

    /// What each input and output of the main graph is.
    pub fn signature(&self) -> &GraphSignature {
        &self.graph_module.signature
    }

    /// Whether the program was decomposed, and so is functional; raw programs may write in place.
    pub fn is_decomposed(&self) -> bool {
        self.verifiers.iter().any(|verifier| verifier == "ATEN")
    }
}

impl SchemaVersion {
    fn check(self) -> Result<(), ImportError> {
        if self.major == SCHEMA_MAJOR {
            return Ok(());
        }
        let kind = ErrorKind::Unsupported {
            what: "schema version",
            expected: format!("{SCHEMA_MAJOR}.x"),
            found: format!("{}.{}", self.major, self.minor),
        };
        Err(ImportError::new(kind).at(|| "schema_version".to_owned()))
    }
}

impl GraphModule {
    /// The calling convention of the program itself.
    pub fn call_signature(&self) -> Option<&ModuleCallSignature> {
        let root = self.module_call_graph.iter().find(|e| e.fqn.is_empty())?;
        root.signature.as_ref()
    }

    /// Gives the named tuples of all tree specs their fields.
    fn name_tuple_fields(&mut self) -> Result<(), ImportError> {
        let fields = self.treespec_namedtuple_fields.iter().map(|(name, def)| (name.as_str(), def.field_names.as_slice().into())).collect();
        for (index, entry) in self.module_call_graph.iter_mut().enumerate() {
            let Some(signature) = &mut entry.signature else {
                continue;
            };
            for spec in [&mut signature.in_spec, &mut signature.out_spec] {
                spec.name_tuple_fields(&fields).map_err(|error| error.at(|| format!("graph_module.module_call_graph[{index}]")))?;
            }
        }
        Ok(())
    }
}
