//! Rows of the order family.

use crate::table::{OpRow, missing};

/// The table.
pub static ROWS: &[OpRow] = &[
    missing("fx.argsort", "needs a sorting kernel"),
    missing("fx.bincount", "needs a scatter kernel"),
    missing("fx.histc", "needs a histogram kernel"),
    missing("fx.histogram", "needs a histogram kernel"),
    missing("fx.histogramdd_bin_edges", "needs a histogram kernel"),
    missing("fx.histogramdd_from_bin_cts", "needs a histogram kernel"),
    missing("fx.histogramdd_from_bin_tensors", "needs a histogram kernel"),
    missing("fx.kthvalue", "needs a sorting kernel"),
    missing("fx.median", "needs a sorting kernel"),
    missing("fx.median_dim", "needs a sorting kernel"),
    missing("fx.mode", "needs a sorting kernel"),
    missing("fx.nanmedian", "needs a sorting kernel"),
    missing("fx.nanmedian_dim", "needs a sorting kernel"),
    missing("fx.segment_reduce", "needs a histogram kernel"),
    missing("fx.sort", "needs a sorting kernel"),
    missing("fx.topk", "needs a sorting kernel"),
    missing("fx.unique2", "needs a compaction kernel: its result has a data-dependent size"),
    missing("fx.unique_consecutive", "needs a compaction kernel: its result has a data-dependent size"),
    missing("fx.unique_dim", "needs a compaction kernel: its result has a data-dependent size"),
];
