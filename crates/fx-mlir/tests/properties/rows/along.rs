//! One dim at a time: scans, softmax, differences.

use fx_interp::DType;

use crate::case::Case;
use crate::draw::{ALL, Domain, Draw, FLOATS, INTS, REALS, SMALL, WIDE};
use crate::{EXACT, Row, STABLE, TERMS, row};

/// Floats that f32 holds: eager rounds what the type to compute in does not hold.
const NARROW: &[DType] = &[DType::F32, DType::F16, DType::BF16];

/// The table.
pub const ROWS: &[Row] = &[
    row("fx.cummax", EXACT, |d| scan(d, REALS, Domain::Special)),
    row("fx.cummin", EXACT, |d| scan(d, REALS, Domain::Special)),
    row("fx.cumprod", STABLE, |d| with_dtype(d, Domain::Range(-2.0, 2.0))),
    row("fx.cumsum", STABLE, |d| with_dtype(d, SMALL)),
    row("fx.diff", STABLE, |d| {
        let (dtype, shape) = (d.pick(ALL), d.shape(1, 4));
        let (dim, named) = d.dim(shape.len());
        let n = d.maybe(|d| d.between(0, 3));
        let more = |d: &mut Draw<'_>| {
            let mut own = shape.clone();
            own[dim] = d.size();
            d.array(dtype, &own, SMALL)
        };
        let (before, after) = (d.maybe(more), d.maybe(more));
        let x = d.array(dtype, &shape, SMALL);
        let case = Case::new(d).with("input", x).int("dim", named).maybe(n, |c, n| c.int("n", n));
        case.maybe(before, |c, x| c.with("prepend", x)).maybe(after, |c, x| c.with("append", x))
    }),
    row("fx.log_softmax", TERMS, softmax),
    row("fx.log_softmax_backward_data", STABLE, |d| softmax_backward(d, Domain::Range(-4.0, 0.0))),
    row("fx.logcumsumexp", TERMS, |d| scan(d, FLOATS, Domain::Sprinkled)),
    row("fx.safe_softmax", STABLE, |d| {
        let (dtype, shape) = (d.pick(FLOATS), d.shape(0, 4));
        let (dim, named) = d.dim(shape.len());
        let x = d.array(dtype, &shape, SMALL);
        // some rows are masked throughout
        let masked = d.below(3);
        let values: Vec<f64> = x.values::<f64>();
        let values = values.iter().enumerate().map(|(i, value)| {
            let place = fx_interp::array::unravel(i, &shape);
            let row: usize = place.iter().enumerate().filter(|(k, _)| *k != dim).map(|(_, index)| index).sum();
            if masked > 0 && row % 3 == masked - 1 { f64::NEG_INFINITY } else { *value }
        });
        let x = fx_interp::Array::new(dtype, &shape, values.collect()).expect("a tensor of the same shape");
        Case::new(d).with("input", x).int("dim", named)
    }),
    row("fx.softmax", STABLE, softmax),
    row("fx.softmax_backward_data", STABLE, |d| softmax_backward(d, Domain::Range(0.0, 1.0))),
];

fn scan(d: &mut Draw<'_>, dtypes: &[DType], domain: Domain) -> Case {
    let (dtype, shape) = (d.pick(dtypes), d.shape(0, 4));
    let (_, named) = d.dim(shape.len());
    let x = d.array(dtype, &shape, domain);
    Case::new(d).with("input", x).int("dim", named)
}

fn with_dtype(d: &mut Draw<'_>, domain: Domain) -> Case {
    match d.below(4) {
        2 => {
            let dtype = d.pick(WIDE);
            scan(d, if dtype == DType::F64 { FLOATS } else { NARROW }, domain).dtype("dtype", dtype)
        }
        3 => {
            let dtype = d.pick(INTS);
            scan(d, INTS, domain).dtype("dtype", dtype)
        }
        _ => scan(d, ALL, domain),
    }
}

fn softmax(d: &mut Draw<'_>) -> Case {
    match d.below(3) {
        1 => {
            let dtype = d.pick(WIDE);
            scan(d, if dtype == DType::F64 { REALS } else { NARROW }, SMALL).dtype("dtype", dtype)
        }
        2 => scan(d, &[DType::F16, DType::BF16], SMALL).bool("half_to_float", true),
        _ => scan(d, FLOATS, SMALL),
    }
}

fn softmax_backward(d: &mut Draw<'_>, outputs: Domain) -> Case {
    let (dtype, shape) = (d.pick(FLOATS), d.shape(0, 4));
    let (_, named) = d.dim(shape.len());
    let (g, y) = (d.array(dtype, &shape, SMALL), d.array(dtype, &shape, outputs));
    Case::new(d).with("grad_output", g).with("output", y).int("dim", named).dtype("input_dtype", dtype)
}
