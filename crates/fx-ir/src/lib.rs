//! Safe handles on MLIR for the compiler.
//!
//! Layer     Above `fx-sys` and `mlir-sys`; the only crate of the compiler with `unsafe` blocks.
//! Holds     Types, attributes, ops and a builder as copyable handles; diagnostics; passes written in Rust;
//!           contexts and modules; MLIR's tools.
//! Uses      melior for what it owns well: contexts, registries, diagnostic handlers. Ops and values are handles of
//!           our own, with one lifetime (the context's), because a rewriting compiler keeps many at once.

mod attributes;
mod builder;
mod diagnostics;
mod handles;
pub mod llvm;
mod module;
mod passes;
mod raw;
mod text;
pub mod tools;
mod types;

pub use attributes::{AffineResult, Attribute};
pub use builder::{Builder, Parts};
pub use diagnostics::{Location, Message, Reported, Result, Severity, collect, emit_error, emit_remark};
pub use fx_sys::{ArgDef, ArgKind, OP_DEFS, OpDef};
pub use handles::{Block, Op, Region, Value};
pub use melior::Context;
pub use module::{Module, keep_context, new_context, spare_context};
pub use passes::{Options, Pass, PassOption, register, register_pipeline, run_pipeline};
pub use types::{DYNAMIC, NumberKind, Type};
