//! Rows by family; each file has one table and the rules that its rows name.

use crate::table::OpRow;

pub mod control;
pub mod indexing;
pub mod matrix;
pub mod norm;
pub mod pointwise;
pub mod random;
pub mod reduction;
pub mod shape;
pub mod spatial;

/// Every family's table.
pub static FAMILIES: &[&[OpRow]] = &[
    control::ROWS,
    indexing::ROWS,
    matrix::ROWS,
    norm::ROWS,
    pointwise::ROWS,
    random::ROWS,
    reduction::ROWS,
    shape::ROWS,
    spatial::ROWS,
];
