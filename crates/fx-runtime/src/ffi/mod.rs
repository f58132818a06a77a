//! All unsafe code of the crate: raw memory, machine code, shared jobs, the matrix unit, the CUDA driver.
//!
//! Layer     Below everything else here; the rest of the crate is safe Rust over these types.
//! Invariant Each block performs one operation and says why it is sound. `bytes::Span` is the crate's pointer: only
//!           this module makes one from an address, and the executor keeps its block alive while it is used.
#![deny(clippy::undocumented_unsafe_blocks)]

pub(crate) mod bytes;
pub(crate) mod code;
pub(crate) mod cuda;
pub(crate) mod elf;
mod externals;
mod halves;
pub(crate) mod job;
pub(crate) mod matrix_unit;
mod relocate;
mod sections;
