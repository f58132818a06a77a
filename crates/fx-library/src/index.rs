//! Scattering: writes at computed places.

use crate::Function;

/// The functions by name.
pub(crate) static FUNCTIONS: &[(&str, Function)] = &[];
