//! Sorting, order statistics, distinct elements. Where the order of equal elements is free, there are none.

use fx_interp::DType;

use crate::case::Case;
use crate::draw::{Domain, Draw, REAL_NUMBERS, REALS};
use crate::{EXACT, Row, row};

/// The table.
pub const ROWS: &[Row] = &[
    row("fx.argsort", EXACT, sorted),
    row("fx.kthvalue", EXACT, |d| {
        let (case, size) = selection(d);
        let k = d.between(1, size as i64);
        case.sizes("k", &[k])
    }),
    row("fx.max_dim", EXACT, extremum),
    row("fx.median", EXACT, |d| {
        let (dtype, shape) = (d.pick(REAL_NUMBERS), d.filled_shape(0, 3));
        let x = d.array(dtype, &shape, Domain::Sprinkled);
        Case::new(d).with("input", x)
    }),
    row("fx.median_dim", EXACT, |d| selection(d).0),
    row("fx.min_dim", EXACT, extremum),
    row("fx.mode", EXACT, |d| {
        let (dtype, shape) = (d.pick(REAL_NUMBERS), d.filled_shape(0, 4));
        let (_, named) = d.dim(shape.len());
        let x = d.array(dtype, &shape, Domain::Ties);
        let keepdim = d.maybe(|d| d.flip());
        Case::new(d).with("input", x).int("dim", named).maybe(keepdim, |c, x| c.bool("keepdim", x))
    }),
    row("fx.nanmedian", EXACT, |d| {
        let (dtype, shape) = (d.pick(REAL_NUMBERS), d.filled_shape(0, 3));
        let x = d.array(dtype, &shape, Domain::Sprinkled);
        Case::new(d).with("input", x)
    }),
    row("fx.nanmedian_dim", EXACT, |d| selection(d).0),
    row("fx.sort", EXACT, sorted),
    row("fx.topk", EXACT, |d| {
        let (dtype, shape) = (d.pick(REAL_NUMBERS), d.shape(0, 4));
        let (dim, named) = d.dim(shape.len());
        let x = d.distinct(dtype, &shape, dim);
        let k = shape.get(dim).map_or(1, |size| d.below(size + 1) as i64);
        let largest = d.maybe(|d| d.flip());
        // unless sorted, their order is free
        Case::new(d).with("input", x).sizes("k", &[k]).int("dim", named).maybe(largest, |c, x| c.bool("largest", x))
    }),
    row("fx.unique2", EXACT, |d| unique(d, false)).data_dependent(),
    row("fx.unique_consecutive", EXACT, |d| {
        let (dtype, shape) = (d.pick(REALS), d.filled_shape(1, 3));
        let x = d.array(dtype, &shape, Domain::Ties);
        let dim = d.maybe(|d| d.dim(shape.len()).1);
        let (inverse, counts) = (d.maybe(|d| d.flip()), d.maybe(|d| d.flip()));
        asked(Case::new(d).with("input", x).maybe(dim, |c, dim| c.int("dim", dim)), inverse, counts)
    })
    .data_dependent(),
    row("fx.unique_dim", EXACT, |d| unique(d, true)).data_dependent(),
];

fn sorted(d: &mut Draw<'_>) -> Case {
    let (stable, descending) = (d.flip(), d.maybe(|d| d.flip()));
    let dtype = d.pick(if stable { REALS } else { REAL_NUMBERS });
    let shape = d.shape(0, 4);
    let (dim, named) = d.dim(shape.len());
    let domain = d.pick(&[Domain::Ties, Domain::Sprinkled, Domain::Special]);
    let x = if stable { d.array(dtype, &shape, domain) } else { d.distinct(dtype, &shape, dim) };
    let case = Case::new(d).with("input", x).int("dim", named).maybe(descending, |c, x| c.bool("descending", x));
    if stable { case.bool("stable", true) } else { case }
}

/// Different elements along a dim; the size of the dim.
fn selection(d: &mut Draw<'_>) -> (Case, usize) {
    let (dtype, shape) = (d.pick(REAL_NUMBERS), d.filled_shape(0, 4));
    let (dim, named) = d.dim(shape.len());
    let x = d.distinct(dtype, &shape, dim);
    let keepdim = d.maybe(|d| d.flip());
    let case = Case::new(d).with("input", x).int("dim", named).maybe(keepdim, |c, x| c.bool("keepdim", x));
    (case, shape.get(dim).copied().unwrap_or(1))
}

/// Of equal elements the first counts.
fn extremum(d: &mut Draw<'_>) -> Case {
    let (dtype, shape) = (d.pick(REALS), d.filled_shape(0, 4));
    let (_, named) = d.dim(shape.len());
    let domain = d.pick(&[Domain::Ties, Domain::Sprinkled, Domain::Special]);
    let x = d.array(dtype, &shape, domain);
    let keepdim = d.maybe(|d| d.flip());
    Case::new(d).with("input", x).int("dim", named).maybe(keepdim, |c, x| c.bool("keepdim", x))
}

fn asked(case: Case, inverse: Option<bool>, counts: Option<bool>) -> Case {
    case.maybe(inverse, |c, x| c.bool("return_inverse", x)).maybe(counts, |c, x| c.bool("return_counts", x))
}

fn unique(d: &mut Draw<'_>, along: bool) -> Case {
    let (dtype, shape): (DType, Vec<usize>) = (d.pick(REALS), d.filled_shape(usize::from(along), 3));
    let x = d.array(dtype, &shape, Domain::Ties);
    let (inverse, counts) = (d.maybe(|d| d.flip()), d.maybe(|d| d.flip()));
    let dim = d.dim(shape.len()).1;
    let case = asked(Case::new(d).with("input", x), inverse, counts);
    if along { case.int("dim", dim) } else { case }
}
