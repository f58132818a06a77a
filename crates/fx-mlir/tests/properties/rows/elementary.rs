//! Exponential and trigonometric functions.

use fx_interp::DType;

use super::{binary, unary};
use crate::case::Case;
use crate::draw::{ALL, COMPLEX, Domain, Draw, FLOAT_OR_COMPLEX, REALS, SMALL};
use crate::{CLOSE, Row, STABLE, TERMS, row};

/// The table. Real functions take the whole type, complex ones ordinary numbers; integers are small.
pub const ROWS: &[Row] = &[
    row("fx.acos", STABLE, unit),
    row("fx.acosh", STABLE, |d| function(d, Domain::Range(1.0, 9.0))),
    row("fx.angle", CLOSE, |d| unary(d, ALL, Domain::SpecialFloats)),
    row("fx.asin", STABLE, unit),
    row("fx.asinh", STABLE, |d| function(d, SMALL)),
    row("fx.atan", STABLE, |d| function(d, SMALL)),
    row("fx.atan2", CLOSE, |d| binary(d, REALS, Domain::SpecialFloats)),
    row("fx.atanh", STABLE, unit),
    row("fx.cos", STABLE, |d| function(d, SMALL)),
    row("fx.cosh", STABLE, |d| function(d, SMALL)),
    row("fx.deg2rad", CLOSE, |d| unary(d, REALS, Domain::SpecialFloats)),
    row("fx.exp", STABLE, |d| function(d, SMALL)),
    row("fx.exp2", STABLE, |d| function(d, SMALL)),
    row("fx.expm1", STABLE, |d| function(d, SMALL)),
    row("fx.log", STABLE, |d| function(d, Domain::Range(0.125, 9.0))),
    row("fx.log10", STABLE, |d| function(d, Domain::Range(0.125, 9.0))),
    row("fx.log1p", STABLE, |d| function(d, Domain::Range(-0.75, 4.0))),
    row("fx.log2", STABLE, |d| function(d, Domain::Range(0.125, 9.0))),
    row("fx.logaddexp", TERMS, |d| binary(d, FLOAT_OR_COMPLEX, SMALL)),
    row("fx.logaddexp2", TERMS, |d| binary(d, REALS, Domain::SpecialFloats)),
    row("fx.rad2deg", CLOSE, |d| unary(d, REALS, Domain::SpecialFloats)),
    row("fx.reciprocal", STABLE, |d| function(d, Domain::NonZero(-4.0, 4.0))),
    row("fx.rsqrt", STABLE, |d| function(d, Domain::Range(0.125, 9.0))),
    row("fx.sigmoid", STABLE, |d| function(d, SMALL)),
    row("fx.sin", STABLE, |d| function(d, SMALL)),
    // the rounding of πx counts, also of an integer x
    row("fx.sinc", STABLE, |d| unary(d, FLOAT_OR_COMPLEX, SMALL)),
    row("fx.sinh", STABLE, |d| function(d, SMALL)),
    row("fx.sqrt", STABLE, |d| function(d, Domain::Range(0.125, 9.0))),
    row("fx.tan", STABLE, |d| function(d, Domain::Range(-1.5, 1.5))),
    row("fx.tanh", STABLE, |d| function(d, SMALL)),
];

/// Numbers where the function is well conditioned, of every type, or special floats.
fn function(d: &mut Draw<'_>, domain: Domain) -> Case {
    match d.below(4) {
        3 => unary(d, REALS, Domain::SpecialFloats),
        2 => unary(d, COMPLEX, domain),
        _ => unary(d, REALS, domain),
    }
}

fn unit(d: &mut Draw<'_>) -> Case {
    let floats = &[DType::F32, DType::F64, DType::F16, DType::BF16, DType::Bool, DType::C64, DType::C128];
    if d.once_in(4) { unary(d, REALS, Domain::SpecialFloats) } else { unary(d, floats, Domain::Range(-0.9, 0.9)) }
}
