//! Random numbers. Their values are no contract, so only types and sizes agree, but for probabilities of 0 and 1; their
//! distributions are tested in `tests/random.rs`.

use fx_interp::{DType, Number};

use super::shape::signed;
use super::{number_like, real, unary};
use crate::case::Case;
use crate::draw::{ALL, Domain, Draw, FLOAT_OR_COMPLEX, FLOATS, POSITIVE, REAL_NUMBERS, REALS, SIGNED, SMALL};
use crate::{EXACT, ROUNDED, Row, SHAPE, STABLE, row};

/// The table.
pub const ROWS: &[Row] = &[
    row("fx.bernoulli", EXACT, |d| {
        if d.flip() {
            let p = d.pick(&[0.0, 1.0]);
            return unary(d, REALS, SMALL).float("p", p);
        }
        // float types: 0 and 1 in any order
        let (dtype, shape) = (d.pick(FLOATS), d.shape(0, 4));
        let bits = d.array(DType::Bool, &shape, SMALL).cast(dtype);
        Case::new(d).with("input", bits)
    }),
    row("fx.cauchy", SHAPE, |d| like(d, FLOATS)),
    row("fx.dropout", ROUNDED, |d| {
        let (p, train) = (d.pick(&[0.0, 1.0]), d.flip());
        unary(d, FLOAT_OR_COMPLEX, SMALL).float("p", if train { p } else { 0.5 }).bool("train", train)
    }),
    row("fx.exponential", SHAPE, |d| like(d, FLOATS)),
    row("fx.geometric", SHAPE, |d| like(d, REAL_NUMBERS).float("p", 0.5)),
    row("fx.log_normal", SHAPE, |d| like(d, FLOATS)),
    row("fx.multinomial", SHAPE, |d| {
        let (dtype, shape) = (d.pick(FLOATS), d.filled_shape(1, 2));
        let x = d.array(dtype, &shape, POSITIVE);
        let replacement = d.flip();
        let n = if replacement { d.positive() as i64 } else { d.between(1, shape[shape.len() - 1] as i64) };
        Case::new(d).with("input", x).sizes("num_samples", &[n]).bool("replacement", replacement)
    }),
    row("fx.native_dropout", ROUNDED, |d| {
        let (p, train) = (d.pick(&[0.0, 1.0]), d.maybe(|d| d.flip()));
        unary(d, FLOATS, SMALL).float("p", p).maybe(train, |c, x| c.bool("train", x))
    }),
    row("fx.normal", SHAPE, |d| {
        if d.flip() {
            let (size, dtype) = (d.shape(0, 4), d.maybe(|d| d.pick(FLOATS)));
            let (mean, std) = (number_like(d, DType::F64, SMALL), number_like(d, DType::F64, POSITIVE));
            return Case::new(d).with("mean", mean).with("std", std).sizes("size", &signed(&size)).maybe(dtype, |c, x| c.dtype("dtype", x));
        }
        let (dtype, shape) = (d.pick(FLOATS), d.shape(0, 4));
        let shapes = [d.broadcast_from(&shape), d.broadcast_from(&shape)];
        let (mean, std) = (d.array(dtype, &shapes[0], SMALL), d.array(dtype, &shapes[1], POSITIVE));
        let std = if d.flip() { number_like(d, DType::F64, POSITIVE) } else { std.into() };
        Case::new(d).with("mean", mean).with("std", std)
    }),
    row("fx.normal_functional", SHAPE, |d| like(d, FLOAT_OR_COMPLEX)),
    row("fx.rand", SHAPE, |d| sized(d, FLOAT_OR_COMPLEX)),
    row("fx.rand_like", SHAPE, |d| typed(d, FLOAT_OR_COMPLEX)),
    row("fx.randint", SHAPE, |d| {
        let (low, high) = (d.maybe(|d| d.between(-3, 0)), d.between(1, 5));
        let dtypes = if low.is_some_and(|low| low < 0) { SIGNED } else { REALS };
        let high = if dtypes == REALS { 1 + high % 2 } else { high };
        sized(d, dtypes).sizes("low", low.as_slice()).sizes("high", &[high])
    }),
    row("fx.randint_like", SHAPE, |d| {
        let (low, high) = (d.maybe(|d| d.between(-3, 0)), d.between(1, 5));
        // negative numbers for types that have them
        let dtypes = if low.is_some_and(|low| low < 0) { SIGNED } else { REAL_NUMBERS };
        typed(d, dtypes).sizes("low", low.as_slice()).sizes("high", &[high])
    }),
    row("fx.randn", SHAPE, |d| sized(d, FLOAT_OR_COMPLEX)),
    row("fx.randn_like", SHAPE, |d| typed(d, FLOAT_OR_COMPLEX)),
    row("fx.randperm", SHAPE, |d| {
        let (n, dtype) = (d.size() as i64, d.maybe(|d| d.pick(REAL_NUMBERS)));
        Case::new(d).sizes("n", &[n]).maybe(dtype, |c, x| c.dtype("dtype", x))
    }),
    row("fx.rrelu_with_noise_functional", STABLE, |d| {
        // one slope alone, or none at random
        let (dtype, shape, training) = (d.pick(FLOATS), d.shape(0, 4), d.flip());
        let (x, noise) = (d.array(dtype, &shape, SMALL), d.array(dtype, &shape, SMALL));
        let (lower, upper) = if training { (0.25, 0.25) } else { (real(d, 0.0, 0.25), real(d, 0.25, 0.5)) };
        let case = Case::new(d).with("input", x).with("noise", noise).bool("training", training);
        case.number("lower", Number::Float(lower)).number("upper", Number::Float(upper))
    }),
    row("fx.uniform", SHAPE, |d| like(d, FLOATS)),
];

fn like(d: &mut Draw<'_>, dtypes: &[DType]) -> Case {
    unary(d, dtypes, Domain::Range(0.0, 1.0))
}

/// In a shape, of a type or f32.
fn sized(d: &mut Draw<'_>, dtypes: &[DType]) -> Case {
    let (size, dtype) = (d.shape(0, 4), d.maybe(|d| d.pick(dtypes)));
    Case::new(d).sizes("size", &signed(&size)).maybe(dtype, |c, x| c.dtype("dtype", x))
}

/// In the shape of a tensor, of its type or another.
fn typed(d: &mut Draw<'_>, dtypes: &[DType]) -> Case {
    let dtype = d.maybe(|d| d.pick(dtypes));
    let own = if dtype.is_some() { ALL } else { dtypes };
    unary(d, own, SMALL).maybe(dtype, |c, x| c.dtype("dtype", x))
}
