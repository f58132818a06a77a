//! Raw declarations of the fx C shim (`dialects/fx/capi/`), and the dialect's ops as data.
//!
//! Layer     Below `fx-ir`; no other crate may depend on it (checked by `scripts/check`).
//! Holds     Dialect registration, Rust passes known by name, the tools' main functions, errors with notes,
//!           and [`OP_DEFS`], which `build.rs` reads out of TableGen.
//! Safety    Each declaration says who owns the pointer. A Rust panic never crosses into C++: the trampoline in
//!           `fx-ir` stops it.
//! Built by  The root `build.rs`, which is also where the LLVM version is written, once.
#![deny(clippy::undocumented_unsafe_blocks, unsafe_op_in_unsafe_fn, missing_docs)]

mod capi;
mod op_defs;

pub use capi::*;
pub use op_defs::{ArgDef, ArgKind, OP_DEFS, OpDef};
