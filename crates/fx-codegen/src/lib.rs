//! fx-codegen.
