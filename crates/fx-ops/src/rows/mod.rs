//! Rows by family; each file has one table and the rules that its rows name.

use crate::table::Again::{Gather, Never, Pointwise, Product, Reduction, View};
use crate::table::{Family, family};

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

/// Every family's table, with what computing its ops again costs; ops that are lowered one element at a time are cheap in each.
pub static FAMILIES: &[Family] = &[
    family(activation::ROWS, Pointwise),
    family(backward::ROWS, Reduction),
    family(backward::attention::ROWS, Product(matrix::terms)),
    family(backward::distance::ROWS, Reduction),
    family(backward::pad::ROWS, Reduction),
    family(backward::pooling::ROWS, Reduction),
    family(collective::ROWS, Never("it talks to other processes")),
    family(control::ROWS, Never("it runs on the host")),
    family(convolution::ROWS, Product(convolution::terms)),
    family(creation::ROWS, View),
    family(float_bits::ROWS, Pointwise),
    family(indexing::ROWS, Gather),
    family(indexing::advanced::ROWS, Gather),
    family(indexing::bag::ROWS, Reduction),
    family(indexing::mask::ROWS, Never("its size is known at run time only")),
    family(indexing::scatter::ROWS, Never("it may write an element twice")),
    family(linalg::ROWS, Never("it runs on the host")),
    family(loss::ROWS, Reduction),
    family(matrix::ROWS, Product(matrix::terms)),
    family(norm::ROWS, Reduction),
    family(order::ROWS, Never("it sorts")),
    family(pad::ROWS, Gather),
    family(pointwise::ROWS, Pointwise),
    family(random::ROWS, Never("it draws random numbers")),
    family(recurrent::ROWS, Product(matrix::terms)),
    family(reduction::ROWS, Reduction),
    family(resample::ROWS, Reduction),
    family(resample::backward::ROWS, Reduction),
    family(resample::grid::ROWS, Reduction),
    family(shape::ROWS, View),
    family(shape::arrange::ROWS, View),
    family(shape::join::ROWS, Gather),
    family(shape::memory::ROWS, View),
    family(spatial::pooling::ROWS, Reduction),
    family(spatial::rearrange::ROWS, Gather),
    family(spatial::unpooling::ROWS, Never("it may write an element twice")),
    family(special::airy::ROWS, Pointwise),
    family(special::bessel::ROWS, Pointwise),
    family(special::error::ROWS, Pointwise),
    family(special::gamma::ROWS, Pointwise),
    family(special::incomplete_gamma::ROWS, Pointwise),
    family(special::modified_bessel::ROWS, Pointwise),
    family(special::orthogonal::ROWS, Pointwise),
    family(special::zeta::ROWS, Pointwise),
];
