//! Compaction: results whose sizes depend on data.

use crate::Function;

/// The functions by name.
pub(crate) static FUNCTIONS: &[(&str, Function)] = &[];
