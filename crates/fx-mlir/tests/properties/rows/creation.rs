//! Tensors from numbers.

use fx_interp::{DType, Number};

use super::shape::signed;
use super::{number_like, real, unary};
use crate::case::{Case, Operand};
use crate::draw::{ALL, Draw, FLOATS, INTS, REAL_NUMBERS, SMALL};
use crate::{Class, EXACT, Row, STABLE, TERMS, row};

/// A power multiplies the rounding error of its exponent by the exponent and the base's logarithm.
const POWER: &[Class] = &[Class::Ulps(64.0)];

/// The table.
pub const ROWS: &[Row] = &[
    row("fx.arange", STABLE, arange).data_dependent(),
    row("fx.eye", EXACT, |d| {
        let (n, m, dtype) = (d.size() as i64, d.maybe(|d| d.size() as i64), d.maybe(|d| d.pick(ALL)));
        Case::new(d).sizes("n", &[n]).sizes("m", m.as_slice()).maybe(dtype, |c, x| c.dtype("dtype", x))
    }),
    row("fx.full", EXACT, |d| {
        let (size, kind) = (d.shape(0, 4), d.pick(ALL));
        let (value, dtype) = filled(d, kind);
        Case::new(d).sizes("size", &signed(&size)).with("fill_value", value).maybe(dtype, |c, x| c.dtype("dtype", x))
    }),
    row("fx.full_like", EXACT, |d| {
        let kind = d.pick(ALL);
        let (value, dtype) = filled(d, kind);
        unary(d, &[kind], SMALL).with("fill_value", value).maybe(dtype, |c, x| c.dtype("dtype", x))
    }),
    row("fx.iota", EXACT, |d| {
        let (length, start, step, dtype) = (d.size() as i64, d.between(-9, 9), d.between(-3, 3), d.pick(INTS));
        // u8 wraps as the others do
        Case::new(d).sizes("length", &[length]).sizes("start", &[start]).sizes("step", &[step]).dtype("dtype", dtype)
    }),
    row("fx.linspace", TERMS, |d| {
        let steps = d.size() as i64;
        interval(d).int("steps", steps)
    }),
    row("fx.logspace", POWER, |d| {
        let (steps, base) = (d.size() as i64, d.maybe(|d| real(d, 1.0, 3.0)));
        interval(d).int("steps", steps).maybe(base, |c, x| c.float("base", x))
    }),
    row("fx.new_full", EXACT, |d| {
        let (size, kind) = (d.shape(0, 4), d.pick(ALL));
        let (value, dtype) = filled(d, kind);
        unary(d, &[kind], SMALL).sizes("size", &signed(&size)).with("fill_value", value).maybe(dtype, |c, x| c.dtype("dtype", x))
    }),
    row("fx.scalar_tensor", EXACT, |d| {
        let kind = d.pick(ALL);
        let (number, dtype) = (number_like(d, kind, SMALL), d.flip());
        let dtype = if dtype { Some(kind) } else { None };
        // without a type it is f32, which no complex number fits
        let dtype = if kind.is_complex() { Some(kind) } else { dtype };
        Case::new(d).with("s", number).maybe(dtype, |c, x| c.dtype("dtype", x))
    }),
];

/// A number or a tensor without dims, and perhaps the type to fill with: one that holds the number.
fn filled(d: &mut Draw<'_>, kind: DType) -> (Operand, Option<DType>) {
    let value = if d.once_in(4) { d.array(kind, &[], SMALL).into() } else { number_like(d, kind, SMALL) };
    (value, d.maybe(|_| kind))
}

fn arange(d: &mut Draw<'_>) -> Case {
    let integers = d.flip();
    let dtype = d.maybe(|d| if integers { d.pick(REAL_NUMBERS) } else { d.pick(FLOATS) });
    // multiples of 1/4 keep the number of steps clear of rounding, and small ones fit every type
    let step = if integers { d.between(1, 3) as f64 } else { d.between(1, 6) as f64 * 0.25 };
    let (start, count) = (d.between(0, 5) as f64, d.between(0, 9) as f64);
    let (start, end, step) = if d.once_in(3) { (start + count * step, start, -step) } else { (start, start + count * step, step) };
    let number = |d: &mut Draw<'_>, x: f64| {
        let argument = d.once_in(4);
        Operand::Number(if integers { Number::Int(x as i64) } else { Number::Float(x) }, argument)
    };
    let (from, to, by) = (number(d, start), number(d, end), number(d, step));
    let case = Case::new(d).with("start", from).with("end", to);
    let case = if step == 1.0 && d.flip() { case } else { case.with("step", by) };
    case.maybe(dtype, |c, x| c.dtype("dtype", x))
}

fn interval(d: &mut Draw<'_>) -> Case {
    let dtype = d.maybe(|d| d.pick(FLOATS));
    let end = |d: &mut Draw<'_>| if d.once_in(4) { d.array(DType::F32, &[], SMALL).into() } else { number_like(d, DType::F64, SMALL) };
    let (a, b) = (end(d), end(d));
    Case::new(d).with("start", a).with("end", b).maybe(dtype, |c, x| c.dtype("dtype", x))
}
