//! Rows of the random family.

use crate::table::OpRow;

/// The table.
pub static ROWS: &[OpRow] = &[];
