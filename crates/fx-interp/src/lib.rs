//! The reference evaluator: what fx ops mean, in plain Rust.
//!
//! Layer     Above `fx-ir` (MLIR, and the definitions of ops); shares nothing with the lowering, whose results it judges.
//! Holds     [`array`] (values), [`ops`] (one function per op, by family), [`graph`] and [`read`] (a module as plain
//!           data), [`run`] (the walk), [`evaluator`] (a program with its state).
//! Invariant Slow and obviously right: ops compute in double precision (or exact integers) and round once, when they
//!           store. No op function sees MLIR, none panics.
#![forbid(unsafe_code)]

pub mod array;
pub mod call;
pub mod evaluator;
pub mod graph;
pub mod ops;
pub mod read;
pub mod run;
mod scalars;
pub mod special;
#[cfg(test)]
mod tests;
pub mod value;

pub use array::{Array, Complex, DType};
pub use call::Call;
pub use evaluator::Evaluator;
pub use value::{Number, Value};

/// The result of everything that computes; the walk adds the op's name and place to the message.
pub type Result<T> = std::result::Result<T, String>;
