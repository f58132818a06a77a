//! Rows by family; each file has one table and the rules that its rows name.

use crate::table::OpRow;

pub mod activation;
pub mod backward;
pub mod complex;
pub mod collective;
pub mod control;
pub mod convolution;
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
pub mod recurrent;
pub mod reduction;
pub mod resample;
pub mod shape;
pub mod spatial;
pub mod special;

/// Every family's table.
pub static FAMILIES: &[&[OpRow]] = &[
    activation::ROWS,
    backward::ROWS,
    collective::ROWS,
    control::ROWS,
    convolution::ROWS,
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
    recurrent::ROWS,
    reduction::ROWS,
    resample::ROWS,
    shape::ROWS,
    spatial::ROWS,
    special::airy::ROWS,
    special::bessel::ROWS,
    special::error::ROWS,
    special::gamma::ROWS,
    special::incomplete_gamma::ROWS,
    special::modified_bessel::ROWS,
    special::orthogonal::ROWS,
    special::zeta::ROWS,
];
