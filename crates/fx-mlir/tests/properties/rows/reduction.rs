//! Reductions over any dims, variances, norms, histograms, segments.

use fx_interp::{DType, Number};

use super::{real, unary};
use crate::case::Case;
use crate::draw::{ALL, Domain, Draw, FLOAT_OR_COMPLEX, FLOATS, INT_OR_BOOL, INTS, POSITIONS, REALS, SMALL, WIDE};
use crate::{Class, EQUAL, EXACT, Row, STABLE, TERMS, row};

/// The table.
pub const ROWS: &[Row] = &[
    row("fx.all", EXACT, |d| reduction(d, ALL, Domain::Ties, false)),
    row("fx.amax", EQUAL, |d| reduction(d, REALS, Domain::Special, true)),
    row("fx.amin", EQUAL, |d| reduction(d, REALS, Domain::Special, true)),
    row("fx.aminmax", EQUAL, |d| selected(d, Domain::Special)),
    row("fx.any", EXACT, |d| reduction(d, ALL, Domain::Ties, false)),
    row("fx.argmax", EXACT, |d| selected(d, Domain::Ties)),
    row("fx.argmin", EXACT, |d| selected(d, Domain::Ties)),
    row("fx.bincount", STABLE, |d| {
        let (dtype, n) = (d.pick(INTS), d.size());
        let x = d.array(dtype, &[n], Domain::Range(0.0, 6.0));
        let kind = d.maybe(|d| d.pick(&[DType::F32, DType::F64, DType::I64]));
        let weights = kind.map(|kind| d.array(kind, &[n], SMALL));
        let least = d.maybe(|d| d.between(0, 9));
        let case = Case::new(d).with("input", x).maybe(weights, |c, w| c.with("weights", w));
        case.maybe(least, |c, n| c.sizes("minlength", &[n]))
    })
    .data_dependent(),
    row("fx.count_nonzero", EXACT, |d| reduction(d, ALL, Domain::Ties, false)),
    row("fx.histc", EXACT, |d| {
        let (bins, bounds) = (d.between(1, 6), d.flip());
        let case = unary(d, FLOATS, SMALL).int("bins", bins);
        if bounds { case.number("min", Number::Int(-3)).number("max", Number::Int(2)) } else { case }
    }),
    row("fx.histogram", STABLE, |d| {
        // a single element would lie on an edge of two bins, up to rounding
        let (dtype, mut shape) = (d.pick(WIDE), d.filled_shape(0, 2));
        shape.push(2 + d.size());
        let x = d.array(dtype, &shape, SMALL);
        let weight = d.maybe(|d| d.array(dtype, &shape, SMALL));
        let density = d.maybe(|d| d.flip());
        let mut case = Case::new(d).with("input", x).maybe(weight, |c, w| c.with("weight", w)).maybe(density, |c, x| c.bool("density", x));
        if d.flip() {
            case = case.with("edges", edges(d, dtype));
        } else {
            case = case.int("bins", d.between(1, 5));
            if d.flip() {
                case = case.floats("range", &[-3.0, 2.5]);
            }
        }
        case
    }),
    row("fx.histogramdd_bin_edges", STABLE, histogramdd),
    row("fx.histogramdd_from_bin_cts", STABLE, histogramdd),
    row("fx.histogramdd_from_bin_tensors", STABLE, |d| {
        let (dtype, points, dims) = (d.pick(WIDE), d.positive().max(2), d.between(1, 3) as usize);
        let x = d.array(dtype, &[points, dims], SMALL);
        let weight = d.maybe(|d| d.array(dtype, &[points], SMALL));
        let density = d.maybe(|d| d.flip());
        let mut case = Case::new(d).partly("input", x, &[0]).maybe(weight, |c, w| c.with("weight", w));
        for _ in 0..dims {
            case = case.with("bins", edges(d, dtype));
        }
        case.maybe(density, |c, x| c.bool("density", x))
    }),
    row("fx.linalg_vector_norm", STABLE, |d| {
        const ORDERS: &[f64] = &[2.0, 1.0, 0.0, 3.0, 0.5, -1.0, -2.0, f64::INFINITY, f64::NEG_INFINITY];
        let order = d.maybe(|d| d.pick(ORDERS));
        // the norm of nothing is an error for some orders
        let filled = order.is_some_and(|order| order < 0.0 || order.is_infinite());
        let case = reduction(d, FLOAT_OR_COMPLEX, Domain::NonZero(-4.0, 4.0), filled);
        case.maybe(order, |c, x| c.number("ord", Number::Float(x)))
    }),
    row("fx.logsumexp", TERMS, |d| reduction(d, REALS, Domain::Sprinkled, false)),
    row("fx.mean", STABLE, |d| {
        if d.flip() {
            return reduction(d, FLOAT_OR_COMPLEX, Domain::Sprinkled, false);
        }
        let dtype = d.pick(WIDE);
        reduction(d, narrower(dtype), Domain::Sprinkled, false).dtype("dtype", dtype)
    }),
    row("fx.nanmean", STABLE, |d| reduction(d, FLOATS, Domain::Sprinkled, false)),
    row("fx.nansum", STABLE, |d| with_dtype(d, REALS, Domain::Sprinkled)),
    row("fx.prod", STABLE, |d| with_dtype(d, ALL, Domain::Range(-2.0, 2.0))),
    row("fx.segment_reduce", STABLE, segment_reduce),
    row("fx.std", STABLE, variance),
    row("fx.std_mean", STABLE, variance),
    row("fx.sum", STABLE, |d| with_dtype(d, ALL, Domain::Sprinkled)),
    row("fx.sum_to_size", STABLE, |d| {
        let (dtype, shape) = (d.pick(ALL), d.shape(0, 4));
        let size = d.broadcast_from(&shape);
        let x = d.array(dtype, &shape, SMALL);
        Case::new(d).with("input", x).sizes("size", &super::shape::signed(&size))
    }),
    row("fx.var", STABLE, variance),
    row("fx.var_mean", STABLE, variance),
    row("fx.xor_sum", EXACT, |d| {
        let (dtype, shape) = (d.pick(INT_OR_BOOL), d.shape(0, 4));
        let x = d.array(dtype, &shape, Domain::Special);
        let dims = d.maybe(|d| d.dims(shape.len()));
        Case::new(d).with("input", x).maybe(dims, |c, dims| c.ints("dims", &dims))
    }),
    row("fx.cosine_similarity", STABLE, |d| {
        let (dtype, shape) = (d.pick(FLOATS), d.filled_shape(1, 4));
        let (dim, named) = d.dim(shape.len());
        let mut shapes = [shape.clone(), shape.clone()];
        for other in shapes.iter_mut().flat_map(|shape| shape.iter_mut().enumerate()) {
            if other.0 != dim && d.once_in(4) {
                *other.1 = 1;
            }
        }
        let (x, y) = (d.array(dtype, &shapes[0], SMALL), d.array(dtype, &shapes[1], SMALL));
        // norms below it have the gradient of norms above it, whatever their derivative
        let eps = d.maybe(|d| real(d, 0.0, if d.is_precise() { 1e-6 } else { 0.5 }));
        Case::new(d).with("x1", x).with("x2", y).int("dim", named).maybe(eps, |c, x| c.float("eps", x))
    }),
    row("fx.dist", STABLE, |d| {
        let (dtype, shape) = (d.pick(FLOATS), d.filled_shape(0, 4));
        let shapes = [d.broadcast_from(&shape), d.broadcast_from(&shape)];
        let (x, y) = (d.array(dtype, &shapes[0], SMALL), d.array(dtype, &shapes[1], SMALL));
        let p = d.maybe(|d| d.pick(&[2.0, 1.0, 0.0, 3.0, 0.5, f64::INFINITY, f64::NEG_INFINITY]));
        Case::new(d).with("input", x).with("other", y).maybe(p, |c, x| c.number("p", Number::Float(x)))
    }),
    row("fx.renorm", &[Class::Stable(8.0)], |d| {
        let (dtype, shape) = (d.pick(FLOATS), d.filled_shape(2, 4));
        let (_, named) = d.dim(shape.len());
        let x = d.array(dtype, &shape, SMALL);
        let (p, most) = (d.pick(&[2.0, 1.0, 3.0, f64::INFINITY]), real(d, 0.5, 6.0));
        Case::new(d).with("input", x).number("p", Number::Float(p)).int("dim", named).number("maxnorm", Number::Float(most))
    }),
];

/// With dims, absent or some, and keepdim, absent or given. `filled`: no size of 0.
fn reduction(d: &mut Draw<'_>, dtypes: &[DType], domain: Domain, filled: bool) -> Case {
    let (dtype, shape) = (d.pick(dtypes), if filled { d.filled_shape(0, 4) } else { d.shape(0, 4) });
    let x = d.array(dtype, &shape, domain);
    let (dims, keepdim) = (d.maybe(|d| d.dims(shape.len())), d.maybe(|d| d.flip()));
    Case::new(d).with("input", x).maybe(dims, |c, dims| c.ints("dim", &dims)).maybe(keepdim, |c, x| c.bool("keepdim", x))
}

/// Types that fit in a float type: eager rounds what does not.
fn narrower(dtype: DType) -> &'static [DType] {
    if dtype == DType::F64 { FLOATS } else { &[DType::F32, DType::F16, DType::BF16, DType::I16, DType::I8, DType::U8, DType::Bool] }
}

/// The same with a dtype to compute in, of the input's kind.
fn with_dtype(d: &mut Draw<'_>, dtypes: &[DType], domain: Domain) -> Case {
    match d.below(4) {
        2 => {
            let dtype = d.pick(WIDE);
            reduction(d, narrower(dtype), domain, false).dtype("dtype", dtype)
        }
        3 => {
            let dtype = d.pick(INTS);
            reduction(d, INT_OR_BOOL, domain, false).dtype("dtype", dtype)
        }
        _ => reduction(d, dtypes, domain, false),
    }
}

/// Over one dim or all.
fn selected(d: &mut Draw<'_>, domain: Domain) -> Case {
    let (dtype, shape) = (d.pick(REALS), d.filled_shape(0, 4));
    let x = d.array(dtype, &shape, domain);
    let (dim, keepdim) = (d.maybe(|d| d.dim(shape.len()).1), d.maybe(|d| d.flip()));
    Case::new(d).with("input", x).maybe(dim, |c, dim| c.int("dim", dim)).maybe(keepdim, |c, x| c.bool("keepdim", x))
}

fn variance(d: &mut Draw<'_>) -> Case {
    let case = reduction(d, FLOAT_OR_COMPLEX, SMALL, false);
    match d.below(3) {
        0 => case,
        1 => case.bool("unbiased", d.flip()),
        _ => case.number("correction", super::factor(d, 0.0, 2.0)),
    }
}

/// Ascending edges of bins, from -4 or so.
fn edges(d: &mut Draw<'_>, dtype: DType) -> fx_interp::Array {
    let count = d.between(2, 5) as usize;
    let mut edge = -4.5;
    let mut values = Vec::new();
    for _ in 0..count {
        values.push(edge);
        edge += real(d, 0.5, 3.0);
    }
    fx_interp::Array::new(dtype, &[count], values).expect("a small tensor")
}

fn histogramdd(d: &mut Draw<'_>) -> Case {
    let (dtype, points, dims) = (d.pick(WIDE), d.positive().max(2), d.between(1, 3) as usize);
    let x = d.array(dtype, &[points, dims], SMALL);
    let bins: Vec<i64> = (0..dims).map(|_| d.between(1, 4)).collect();
    let range = d.maybe(|_| [-3.0, 2.5].repeat(dims));
    let weight = d.maybe(|d| d.array(dtype, &[points], SMALL));
    let density = d.maybe(|d| d.flip());
    let case = Case::new(d).partly("input", x, &[0]).ints("bins", &bins).maybe(range, |c, range| c.floats("range", &range));
    case.maybe(weight, |c, w| c.with("weight", w)).maybe(density, |c, x| c.bool("density", x))
}

fn segment_reduce(d: &mut Draw<'_>) -> Case {
    let (dtype, kind) = (d.pick(FLOATS), d.pick(POSITIONS));
    let axis = d.below(2);
    let before = if axis == 1 { vec![d.positive()] } else { Vec::new() };
    let lengths: Vec<i64> = (0..d.positive()).map(|_| d.between(1, 3)).collect();
    let rows: usize = before.iter().product();
    let total: i64 = lengths.iter().sum();
    let mut shape = before.clone();
    shape.push(total as usize);
    if d.flip() {
        shape.push(d.positive());
    }
    let data = d.array(dtype, &shape, SMALL);
    let mut own = before;
    let by_offsets = d.flip();
    let list: Vec<i64> = if by_offsets {
        std::iter::once(0)
            .chain(lengths.iter().scan(0, |sum, n| {
                *sum += n;
                Some(*sum)
            }))
            .collect()
    } else {
        lengths
    };
    own.push(list.len());
    let segments = fx_interp::Array::new(kind, &own, list.repeat(rows)).expect("a small tensor");
    let reduce = d.pick(&["sum", "mean", "max", "min", "prod"]);
    let initial = d.maybe(|d| real(d, -2.0, 2.0));
    let case = Case::new(d).with("data", data).text("reduce", reduce).int("axis", axis as i64);
    let case = case.with(if by_offsets { "offsets" } else { "lengths" }, segments);
    case.maybe(initial, |c, x| c.number("initial", Number::Float(x)))
}
