//! Comparisons, properties of elements, logic.

use super::{binary, real, tensors, unary};
use crate::case::Case;
use crate::draw::{ALL, Domain, Draw, REALS};
use crate::{EXACT, Row, row};

/// The table.
pub const ROWS: &[Row] = &[
    row("fx.eq", EXACT, |d| compared(d, ALL)),
    row("fx.ge", EXACT, |d| compared(d, REALS)),
    row("fx.gt", EXACT, |d| compared(d, REALS)),
    row("fx.isclose", EXACT, |d| {
        let dtype = d.pick(REALS);
        let domain = d.pick(&[Domain::Ties, Domain::SpecialFloats]);
        let (rtol, atol, equal_nan) = (d.maybe(|d| real(d, 0.0, 0.5)), d.maybe(|d| real(d, 0.0, 1.0)), d.maybe(|d| d.flip()));
        let case = tensors(d, ["input", "other"], &[dtype], [domain, domain]);
        case.maybe(rtol, |c, x| c.float("rtol", x)).maybe(atol, |c, x| c.float("atol", x)).maybe(equal_nan, |c, x| c.bool("equal_nan", x))
    }),
    row("fx.isfinite", EXACT, |d| unary(d, ALL, Domain::Special)),
    row("fx.isinf", EXACT, |d| unary(d, ALL, Domain::Special)),
    row("fx.isnan", EXACT, |d| unary(d, ALL, Domain::Special)),
    row("fx.isneginf", EXACT, |d| unary(d, REALS, Domain::Special)),
    row("fx.isposinf", EXACT, |d| unary(d, REALS, Domain::Special)),
    row("fx.isreal", EXACT, |d| unary(d, ALL, Domain::Ties)),
    row("fx.le", EXACT, |d| compared(d, REALS)),
    row("fx.logical_and", EXACT, |d| binary(d, ALL, Domain::Ties)),
    row("fx.logical_not", EXACT, |d| unary(d, ALL, Domain::Special)),
    row("fx.logical_or", EXACT, |d| binary(d, ALL, Domain::Ties)),
    row("fx.logical_xor", EXACT, |d| binary(d, ALL, Domain::Ties)),
    row("fx.lt", EXACT, |d| compared(d, REALS)),
    row("fx.ne", EXACT, |d| compared(d, ALL)),
];

fn compared(d: &mut Draw<'_>, dtypes: &[fx_interp::DType]) -> Case {
    let domain = d.pick(&[Domain::Ties, Domain::Special]);
    binary(d, dtypes, domain)
}
