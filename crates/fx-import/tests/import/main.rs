//! Tests of the reader: fixtures, its parts, and hostile archives.

mod common;
mod expr;
mod fixtures;
mod golden;
mod hostile_json;
mod hostile_program;
mod hostile_zip;
mod mlir;
mod tensors;
mod treespec;
mod zip_writer;
