//! fx-passes.
