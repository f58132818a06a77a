//! fx-ops.
