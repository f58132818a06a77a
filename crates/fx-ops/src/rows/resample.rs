//! Rows of the resample family.

use crate::table::{OpRow, missing};

/// The table.
pub static ROWS: &[OpRow] = &[
    missing("fx.affine_grid_generator", "not lowered yet"),
    missing("fx.grid_sampler", "not lowered yet"),
    missing("fx.upsample_bicubic2d", "not lowered yet"),
    missing("fx.upsample_bicubic2d_aa", "not lowered yet"),
    missing("fx.upsample_bilinear2d", "not lowered yet"),
    missing("fx.upsample_bilinear2d_aa", "not lowered yet"),
    missing("fx.upsample_linear1d", "not lowered yet"),
    missing("fx.upsample_nearest1d", "not lowered yet"),
    missing("fx.upsample_nearest2d", "not lowered yet"),
    missing("fx.upsample_nearest3d", "not lowered yet"),
    missing("fx.upsample_nearest_exact1d", "not lowered yet"),
    missing("fx.upsample_nearest_exact2d", "not lowered yet"),
    missing("fx.upsample_nearest_exact3d", "not lowered yet"),
    missing("fx.upsample_trilinear3d", "not lowered yet"),
];
