//! Safe handles on MLIR for the compiler.
pub mod tools;
