//! Writing to positions. Where values that meet are not combined, positions differ: the last of several is not defined.

use fx_interp::{Array, DType};

use super::indexing::{Indices, filled_along, gathered, positions, small_number};
use super::number_like;
use super::shape::{signed, slice_bounds, with_bounds};
use crate::case::{Case, Operand};
use crate::draw::{ALL, Draw, NUMBERS, POSITIONS, REAL_NUMBERS, SMALL};
use crate::{EXACT, Row, STABLE, row};

/// The table.
pub const ROWS: &[Row] = &[
    row("fx.as_strided_scatter", EXACT, |d| {
        // strides of a contiguous part: no element twice
        let (dtype, shape) = (d.pick(ALL), d.filled_shape(1, 3));
        let x = d.array(dtype, &shape, SMALL);
        let part: Vec<usize> = shape.iter().map(|size| d.below(size + 1)).collect();
        let mut stride = vec![1; shape.len()];
        for k in (1..shape.len()).rev() {
            stride[k - 1] = stride[k] * shape[k];
        }
        let free: usize = shape.iter().zip(&part).zip(&stride).map(|((size, own), step)| (size - own) * step).sum();
        let offset = d.maybe(|d| d.below(free.min(x.len() - 1) + 1) as i64);
        let src = d.array(dtype, &part, SMALL);
        let case = Case::new(d).with("input", x).with("src", src).sizes("size", &signed(&part)).sizes("stride", &signed(&stride));
        case.sizes("storage_offset", offset.as_slice())
    }),
    row("fx.diagonal_scatter", EXACT, |d| {
        let (dtype, shape) = (d.pick(ALL), d.shape(2, 4));
        let order = d.stream().permutation(shape.len());
        let offset = d.between(-3, 3);
        let (a, b) = (shape[order[0]] as i64, shape[order[1]] as i64);
        let long = (a.min(b - offset)).min(a + offset).min(b).max(0);
        let mut own: Vec<usize> = (0..shape.len()).filter(|dim| !order[..2].contains(dim)).map(|dim| shape[dim]).collect();
        own.push(long as usize);
        let (x, src) = (d.array(dtype, &shape, SMALL), d.array(dtype, &own, SMALL));
        Case::new(d).with("input", x).with("src", src).int("offset", offset).int("dim1", order[0] as i64).int("dim2", order[1] as i64)
    }),
    row("fx.index_add", STABLE, |d| {
        let alpha = d.maybe(small_number);
        indexed_write(d, NUMBERS, false).maybe(alpha, |c, x| c.number("alpha", x))
    }),
    row("fx.index_copy", EXACT, |d| indexed_write(d, ALL, true)),
    row("fx.index_fill", EXACT, |d| {
        let (dtype, kind) = (d.pick(ALL), d.pick(POSITIONS));
        let (shape, dim, named) = filled_along(d, 0);
        let x = d.array(dtype, &shape, SMALL);
        let count = vec![d.size()];
        let (index, fails) = positions(d, kind, &count, shape.get(dim).copied().unwrap_or(1), false, !shape.contains(&0));
        let value = if d.flip() { d.array(dtype, &[], SMALL).into() } else { number_like(d, dtype, SMALL) };
        Case::new(d).with("input", x).int("dim", named).with("index", index).with("value", value).failing(fails)
    }),
    row("fx.index_put", STABLE, |d| {
        let indices = Indices::new(d, true);
        // where places meet, each value has the gradient of the place, whatever its derivative
        let accumulate = d.flip() || d.is_precise();
        let dtype = d.pick(NUMBERS);
        let x = d.array(dtype, &indices.shape, SMALL);
        // one value everywhere, unless the values that meet are added
        let own = if accumulate { d.broadcast_from(&indices.read) } else { Vec::new() };
        let values = d.array(dtype, &own, SMALL);
        indices.into_case(Case::new(d).with("input", x)).with("values", values).bool("accumulate", accumulate)
    }),
    row("fx.index_reduce", STABLE, |d| {
        let (reduce, include) = (d.pick(&["prod", "mean", "amax", "amin"]), d.maybe(|d| d.flip()));
        indexed_write(d, REAL_NUMBERS, false).text("reduce", reduce).maybe(include, |c, x| c.bool("include_self", x))
    }),
    row("fx.put", STABLE, |d| {
        let (dtype, kind) = (d.pick(NUMBERS), d.pick(POSITIONS));
        let shape = d.filled_shape(0, 3);
        let x = d.array(dtype, &shape, SMALL);
        let accumulate = d.flip();
        let (index, fails) = if accumulate {
            let own = d.shape(0, 2);
            positions(d, kind, &own, x.len(), true, true)
        } else {
            let count = d.below(x.len() + 1);
            let order = d.stream().permutation(x.len());
            let values: Vec<i64> = order[..count].iter().map(|place| *place as i64).collect();
            (Array::new(kind, &[count], values).expect("a small tensor"), false)
        };
        let source = d.array(dtype, index.shape(), SMALL);
        Case::new(d).with("input", x).with("index", index).with("source", source).bool("accumulate", accumulate).failing(fails)
    }),
    row("fx.scatter", STABLE, |d| {
        let reduce = d.maybe(|d| d.pick(&["add", "multiply"]));
        let dtype = d.pick(NUMBERS);
        let (case, index) = scattered(d, dtype, reduce.is_none());
        let src: Operand = if d.once_in(4) {
            number_like(d, dtype, SMALL)
        } else {
            let own: Vec<usize> = index.iter().map(|size| size + d.below(2)).collect();
            d.array(dtype, &own, SMALL).into()
        };
        case.with("src", src).maybe(reduce, |c, x| c.text("reduce", x))
    }),
    row("fx.scatter_add", STABLE, |d| {
        let dtype = d.pick(NUMBERS);
        let (case, index) = scattered(d, dtype, false);
        let src = d.array(dtype, &index, SMALL);
        case.with("src", src)
    }),
    row("fx.scatter_reduce", STABLE, |d| {
        let (reduce, include) = (d.pick(&["sum", "prod", "mean", "amax", "amin"]), d.maybe(|d| d.flip()));
        let dtype = d.pick(REAL_NUMBERS);
        let (case, index) = scattered(d, dtype, false);
        let src = d.array(dtype, &index, SMALL);
        case.with("src", src).text("reduce", reduce).maybe(include, |c, x| c.bool("include_self", x))
    }),
    row("fx.select_scatter", EXACT, |d| {
        let dtype = d.pick(ALL);
        let (shape, dim, named) = filled_along(d, 1);
        let mut own = shape.clone();
        let n = own.remove(dim) as i64;
        let (x, src) = (d.array(dtype, &shape, SMALL), d.array(dtype, &own, SMALL));
        let index = d.between(-n, n - 1);
        Case::new(d).with("input", x).with("src", src).int("dim", named).sizes("index", &[index])
    }),
    row("fx.slice_scatter", EXACT, |d| {
        let (dtype, shape) = (d.pick(ALL), d.shape(1, 4));
        let (dim, named) = d.dim(shape.len());
        let bounds = slice_bounds(d);
        let n = shape[dim] as i64;
        let clamp = |x: i64| if x < 0 { (x + n).clamp(0, n) } else { x.min(n) };
        let (start, end, step) = (bounds[0].map_or(0, clamp), bounds[1].map_or(n, clamp), bounds[2].unwrap_or(1));
        let mut own = shape.clone();
        own[dim] = ((end - start).max(0) as usize).div_ceil(step as usize);
        let (x, src) = (d.array(dtype, &shape, SMALL), d.array(dtype, &own, SMALL));
        with_bounds(Case::new(d).with("input", x).with("src", src).int("dim", named), [bounds[0], bounds[1], Some(step)])
    }),
];

/// `input`, `dim`, `index` and `source` of writes of slices.
fn indexed_write(d: &mut Draw<'_>, dtypes: &[DType], different: bool) -> Case {
    let (dtype, kind) = (d.pick(dtypes), d.pick(POSITIONS));
    let (shape, dim, named) = filled_along(d, 1);
    let n = shape[dim];
    let (index, fails) = if different {
        let count = d.below(n + 1);
        let order = d.stream().permutation(n);
        let values: Vec<i64> = order[..count].iter().map(|place| *place as i64).collect();
        (Array::new(kind, &[count], values).expect("a small tensor"), false)
    } else {
        let count = [d.size()];
        positions(d, kind, &count, n, false, !shape.contains(&0))
    };
    let mut own = shape.clone();
    own[dim] = index.len();
    let (x, source) = (d.array(dtype, &shape, SMALL), d.array(dtype, &own, SMALL));
    Case::new(d).with("input", x).int("dim", named).with("index", index).with("source", source).failing(fails)
}

/// `input`, `dim` and `index` of writes of elements, and the index's shape.
fn scattered(d: &mut Draw<'_>, dtype: DType, different: bool) -> (Case, Vec<usize>) {
    let kind = d.pick(POSITIONS);
    let (shape, mut own, dim, named) = gathered(d);
    let n = shape.get(dim).copied().unwrap_or(1);
    let x = d.array(dtype, &shape, SMALL);
    let (index, fails) = if different {
        if let Some(size) = own.get_mut(dim) {
            *size = (*size).min(n);
        }
        // a permutation of the dim's positions along each row
        let mut full = own.clone();
        if let Some(size) = full.get_mut(dim) {
            *size = n;
        }
        let ranks = d.distinct(DType::I64, &full, dim);
        let order = |place: &[usize]| {
            let at = |i: usize| {
                let mut other = place.to_vec();
                if let Some(index) = other.get_mut(dim) {
                    *index = i;
                }
                ranks.at(&other).map_or(0, |number| number.int())
            };
            let own = at(place.get(dim).copied().unwrap_or(0));
            (0..n).filter(|i| at(*i) < own).count() as i64
        };
        (Array::from_fn(kind, &own, order).expect("a small tensor"), false)
    } else {
        positions(d, kind, &own, n, false, true)
    };
    (Case::new(d).with("input", x).int("dim", named).with("index", index).failing(fails), own)
}
