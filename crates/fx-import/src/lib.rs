//! Reader of PyTorch programs: `.pt2` archives of `torch.export.save`, without PyTorch; and their
//! conversion to MLIR.
//!
//! ```no_run
//! let archive = fx_import::Archive::open("model.pt2")?;
//! for node in &archive.program().graph().nodes {
//!     println!("{} ({:?})", node.target, node.source());
//! }
//! for (name, _) in archive.weights() {
//!     let tensor = archive.weight(name)?;
//!     println!("{name}: {} {:?}", tensor.dtype, tensor.sizes);
//! }
//! # Ok::<(), fx_import::ImportError>(())
//! ```
//!
//! Map       `archive`, `zip`, `bytes`: the container. `schema`, `json`: the program's records.
//!           `expr`: symbolic sizes. `treespec`: calling conventions. `validate`: consistency.
//!           `weights`, `tensor_data`: tensors. `program`: [`Archive`], which puts them together.
//!           [`mlir`]: the program as a module of the fx dialect.
//! Invariant An [`Archive`] is valid as a whole: names resolve, counts agree, tensors lie in their
//!           storages. Code that takes one need not check again.
//! Invariant Any bytes are safe to open: the outcome is an archive or an [`ImportError`], never a
//!           panic, in time and memory proportional to the file. `examples/mutate.rs` tests that.
//! Absent    Writing of archives; weights inside modules.

#![deny(unsafe_code)]
#![deny(clippy::indexing_slicing, clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::unreachable, clippy::todo)]

mod archive;
mod bytes;
mod error;
mod expr;
mod json;
pub mod mlir;
mod program;
pub mod schema;
mod tensor_data;
mod treespec;
mod validate;
mod weights;
mod zip;

pub use archive::{MAX_EXPANSION, MAX_JSON_BYTES};
pub use error::{ErrorKind, ImportError};
pub use expr::{EvalError, ExprError, Function, MAX_DEPTH, MAX_LENGTH, SymExpr, SymValue};
pub use program::Archive;
pub use schema::{
    Argument, ExportedProgram, Graph, GraphModule, Layout, MemoryFormat, Node, ScalarType, SourceLocation, SymInt, Target, TensorMeta,
};
pub use tensor_data::{MAX_EXPANDED_BYTES, MAX_RANK, TensorData, TensorError};
pub use treespec::{DictKey, TreeKind, TreeSpec};
pub use weights::Payload;
