//! Rows of the pad family.

use crate::table::{OpRow, missing};

/// The table.
pub static ROWS: &[OpRow] = &[
    missing("fx.constant_pad_nd", "not lowered yet"),
    missing("fx.pad", "not lowered yet"),
    missing("fx.reflection_pad1d", "not lowered yet"),
    missing("fx.reflection_pad2d", "not lowered yet"),
    missing("fx.reflection_pad3d", "not lowered yet"),
    missing("fx.replication_pad1d", "not lowered yet"),
    missing("fx.replication_pad2d", "not lowered yet"),
    missing("fx.replication_pad3d", "not lowered yet"),
];
