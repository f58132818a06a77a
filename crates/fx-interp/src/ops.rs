//! What each op computes: one table per family, all of them in [`find`].
//!
//! To add a family: a file `ops/<family>.rs` with `pub(super) static OPS: &[Entry]`, and its line in [`FAMILIES`]. A
//! function gets a [`Call`] and gives the op's results; the walk checks them against the op's types.

mod activation;
mod activation_backward;
mod arithmetic;
mod bits;
mod collective;
mod comparison;
mod control;
mod copying;
mod creation;
mod elementary;
mod fft;
mod indexing;
mod linalg;
mod loss;
mod matrix;
mod norm;
mod order;
mod random;
mod reduction;
mod rnn;
mod rounding;
mod selection;
mod shape;
mod spatial;
mod special;

use std::collections::HashMap;
use std::sync::OnceLock;

use crate::Result;
use crate::array::{Array, Complex, pointwise};
use crate::call::Call;
use crate::value::Value;

pub(crate) use selection::{maximum, minimum};

/// Computes the results of an op; the message of an error follows the op's name.
pub type OpFunction = fn(&Call<'_>) -> Result<Vec<Value>>;

/// An op's full name and its function.
pub type Entry = (&'static str, OpFunction);

/// The tables of all families.
static FAMILIES: &[&[Entry]] = &[
    activation::OPS,
    activation_backward::OPS,
    arithmetic::OPS,
    bits::OPS,
    collective::OPS,
    comparison::OPS,
    control::OPS,
    copying::OPS,
    creation::OPS,
    elementary::OPS,
    fft::OPS,
    indexing::advanced::OPS,
    indexing::bags::OPS,
    indexing::embedding::OPS,
    indexing::gather::OPS,
    indexing::masks::OPS,
    indexing::repetition::OPS,
    indexing::scatter::OPS,
    indexing::search::OPS,
    indexing::triangles::OPS,
    indexing::view_writes::OPS,
    linalg::cholesky::OPS,
    linalg::eigen::OPS,
    linalg::lu::OPS,
    linalg::qr::OPS,
    linalg::svd::OPS,
    linalg::triangular::OPS,
    loss::OPS,
    loss::classes::OPS,
    matrix::OPS,
    matrix::distance::OPS,
    matrix::einsum::OPS,
    norm::OPS,
    norm::batch::OPS,
    norm::groups::OPS,
    order::OPS,
    order::unique::OPS,
    random::OPS,
    reduction::OPS,
    reduction::attention::OPS,
    reduction::histogram::OPS,
    reduction::norms::OPS,
    reduction::scan::OPS,
    reduction::segments::OPS,
    reduction::softmax::OPS,
    reduction::variance::OPS,
    rnn::OPS,
    rounding::OPS,
    selection::OPS,
    shape::joined::OPS,
    shape::order::OPS,
    shape::parts::OPS,
    shape::repetition::OPS,
    shape::views::OPS,
    spatial::affine_grid::OPS,
    spatial::average_pool::OPS,
    spatial::blocks::OPS,
    spatial::convolution::OPS,
    spatial::grid_sampler::OPS,
    spatial::max_pool::OPS,
    spatial::pads::OPS,
    spatial::upsample::OPS,
    special::OPS,
    special::polynomials::OPS,
];

/// Ops that the walk runs itself, since they have regions.
pub const STRUCTURAL: [&str; 5] = ["fx.cond", "fx.map", "fx.scan", "fx.while_loop", "fx.yield"];

/// The function of an op, by full name.
pub fn find(name: &str) -> Option<OpFunction> {
    static TABLE: OnceLock<HashMap<&str, OpFunction>> = OnceLock::new();
    TABLE.get_or_init(|| FAMILIES.iter().flat_map(|family| family.iter().copied()).collect()).get(name).copied()
}

/// An op's only result.
fn one(array: Array) -> Result<Vec<Value>> {
    Ok(vec![array.into()])
}

/// A function of `input` on reals, in the result's type.
fn unary(call: &Call<'_>, f: impl Fn(f64) -> f64) -> Result<Vec<Value>> {
    one(call.array("input")?.map(call.result_dtype(0)?, f)?)
}

/// A function of `input` on reals and on complex numbers, in the result's type.
fn unary_complex(call: &Call<'_>, real: impl Fn(f64) -> f64, complex: impl Fn(Complex) -> Complex) -> Result<Vec<Value>> {
    let dtype = call.result_dtype(0)?;
    if dtype.is_complex() { one(call.array("input")?.map(dtype, complex)?) } else { unary(call, real) }
}

/// A function of `input` and `other` on reals, in the result's type.
fn binary(call: &Call<'_>, f: impl Fn(f64, f64) -> f64) -> Result<Vec<Value>> {
    let [a, b] = call.pair("input", "other")?;
    one(pointwise(call.result_dtype(0)?, [&a, &b], |[x, y]| f(x, y))?)
}

/// A function of `input` and `other` on reals or on integers, by the result's type.
fn binary_by_kind(call: &Call<'_>, int: impl Fn(i64, i64) -> i64, real: impl Fn(f64, f64) -> f64) -> Result<Vec<Value>> {
    let dtype = call.result_dtype(0)?;
    if dtype.is_float() {
        return binary(call, real);
    }
    let [a, b] = call.pair("input", "other")?;
    one(pointwise(dtype, [&a.cast(dtype), &b.cast(dtype)], |[x, y]| int(x, y))?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_ops_and_unique() {
        let mut seen = std::collections::HashSet::new();
        for (name, _) in FAMILIES.iter().flat_map(|family| family.iter()) {
            assert!(fx_ir::OP_DEFS.iter().any(|def| def.name == *name), "{name} is no op");
            assert!(seen.insert(name), "{name} occurs twice");
        }
    }
}
