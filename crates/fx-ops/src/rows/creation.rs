//! Rows of the creation family.

use crate::table::{OpRow, missing};

/// The table.
pub static ROWS: &[OpRow] = &[
    missing("fx.empty", "not lowered yet"),
    missing("fx.empty_like", "not lowered yet"),
    missing("fx.eye", "not lowered yet"),
    missing("fx.fill", "not lowered yet"),
    missing("fx.iota", "not lowered yet"),
    missing("fx.linspace", "not lowered yet"),
    missing("fx.logspace", "not lowered yet"),
    missing("fx.new_empty", "not lowered yet"),
];
