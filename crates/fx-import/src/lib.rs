//! fx-import.
