//! Rows by family; each file has one table and the rules that its rows name.

use crate::table::OpRow;

pub mod activation;
pub mod along;
pub mod backward;
pub mod collective;
pub mod complex;
pub mod control;
pub mod convolution;
pub mod creation;
pub mod derivatives;
pub mod float_bits;
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
    backward::attention::ROWS,
    backward::distance::ROWS,
    backward::pad::ROWS,
    backward::pooling::ROWS,
    collective::ROWS,
    control::ROWS,
    convolution::ROWS,
    creation::ROWS,
    float_bits::ROWS,
    indexing::ROWS,
    indexing::advanced::ROWS,
    indexing::bag::ROWS,
    indexing::mask::ROWS,
    indexing::scatter::ROWS,
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
    resample::backward::ROWS,
    resample::grid::ROWS,
    shape::ROWS,
    shape::arrange::ROWS,
    shape::join::ROWS,
    shape::memory::ROWS,
    spatial::pooling::ROWS,
    spatial::rearrange::ROWS,
    spatial::unpooling::ROWS,
    special::airy::ROWS,
    special::bessel::ROWS,
    special::error::ROWS,
    special::gamma::ROWS,
    special::incomplete_gamma::ROWS,
    special::modified_bessel::ROWS,
    special::orthogonal::ROWS,
    special::zeta::ROWS,
];
