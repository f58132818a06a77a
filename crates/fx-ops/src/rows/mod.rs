//! Rows by family; each file has one table and the rules that its rows name.

use crate::table::OpRow;

pub mod activation;
pub mod backward;
pub mod control;
pub mod creation;
pub mod indexing;
pub mod linalg;
pub mod loss;
pub mod matrix;
pub mod norm;
pub mod order;
pub mod pad;
pub mod pointwise;
pub mod random;
pub mod reduction;
pub mod resample;
pub mod shape;
pub mod spatial;
pub mod special;

/// Every family's table.
pub static FAMILIES: &[&[OpRow]] = &[
    activation::ROWS,
    backward::ROWS,
    control::ROWS,
    creation::ROWS,
    indexing::ROWS,
    linalg::ROWS,
    loss::ROWS,
    matrix::ROWS,
    norm::ROWS,
    order::ROWS,
    pad::ROWS,
    pointwise::ROWS,
    random::ROWS,
    reduction::ROWS,
    resample::ROWS,
    shape::ROWS,
    spatial::ROWS,
    special::ROWS,
];
