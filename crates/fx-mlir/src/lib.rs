//! fx-mlir.
