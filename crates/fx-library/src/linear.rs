//! Factorisations and solvers of dense linear algebra.

use crate::Function;

/// The functions by name.
pub(crate) static FUNCTIONS: &[(&str, Function)] = &[];
