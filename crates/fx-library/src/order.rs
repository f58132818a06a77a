//! Sorting and selection.

use crate::Function;

/// The functions by name.
pub(crate) static FUNCTIONS: &[(&str, Function)] = &[];
