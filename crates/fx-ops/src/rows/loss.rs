//! Rows of the loss family.

use crate::table::{OpRow, missing};

/// The table.
pub static ROWS: &[OpRow] = &[
    missing("fx.binary_cross_entropy", "not lowered yet"),
    missing("fx.binary_cross_entropy_with_logits", "not lowered yet"),
    missing("fx.cosine_similarity", "not lowered yet"),
    missing("fx.cross_entropy_loss", "not lowered yet"),
    missing("fx.huber_loss", "not lowered yet"),
    missing("fx.kl_div", "not lowered yet"),
    missing("fx.l1_loss", "not lowered yet"),
    missing("fx.mse_loss", "not lowered yet"),
    missing("fx.nll_loss", "not lowered yet"),
    missing("fx.nll_loss_forward", "not lowered yet"),
    missing("fx.smooth_l1_loss", "not lowered yet"),
    missing("fx.soft_margin_loss", "not lowered yet"),
];
