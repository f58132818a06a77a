//! Views as values: shapes, orders, parts, copies.

use fx_interp::{Array, DType};

use super::{number_like, one, two_dtypes, unary};
use crate::case::{Case, Operand};
use crate::draw::{ALL, COMPLEX, Domain, Draw, SMALL, WIDE};
use crate::{EXACT, Row, SHAPE, row};

/// The table.
pub const ROWS: &[Row] = &[
    row("fx.adjoint", EXACT, |d| {
        let rank = d.pick(&[2, 3, 4]);
        ranked(d, rank, rank)
    }),
    row("fx.as_strided", EXACT, as_strided),
    row("fx.broadcast_in_dim", EXACT, |d| {
        let target = d.shape(0, 4);
        let kept: Vec<usize> = (0..target.len()).filter(|_| d.flip()).collect();
        let own: Vec<usize> = kept.iter().map(|dim| if d.once_in(3) { 1 } else { target[*dim] }).collect();
        let x = input(d, &own);
        Case::new(d).with("input", x).sizes("shape", &signed(&target)).ints("broadcast_dimensions", &signed(&kept))
    }),
    row("fx.cat", EXACT, |d| {
        let dtypes = two_dtypes(d, ALL);
        let shape = d.shape(1, 4);
        let (dim, named) = d.dim(shape.len());
        let count = d.between(1, 4);
        let mut case = Case::new(d);
        for i in 0..count {
            let mut own = shape.clone();
            own[dim] = d.size();
            if i > 0 && d.once_in(8) {
                own = vec![0];
            }
            let x = d.array(dtypes[i as usize % 2], &own, SMALL);
            case = case.with("tensors", x);
        }
        case.int("dim", named)
    }),
    row("fx.chunk", EXACT, |d| {
        let (x, dim, named) = along(d);
        let chunks = d.between(1, 5) as usize;
        let (shape, n) = (x.shape().to_vec(), x.size(dim));
        let part = n.div_ceil(chunks).max(1);
        let parts: Vec<usize> = if n == 0 { vec![0; chunks] } else { (0..n.div_ceil(part)).map(|i| part.min(n - i * part)).collect() };
        let case = pieces(Case::new(d), x.dtype(), &shape, dim, &parts);
        case.partly("input", x, &others(&shape, dim)).int("chunks", chunks as i64).int("dim", named)
    }),
    row("fx.clone", EXACT, |d| unary(d, ALL, Domain::Special)),
    row("fx.complex", EXACT, |d| {
        let dtype = d.pick(WIDE);
        super::tensors(d, ["real", "imag"], &[dtype], [Domain::SpecialFloats, Domain::SpecialFloats])
    }),
    row("fx.conj", EXACT, |d| unary(d, ALL, Domain::Special)),
    row("fx.copy", EXACT, |d| {
        let [a, b] = two_dtypes(d, ALL);
        let shape = d.shape(0, 4);
        let from = d.broadcast_from(&shape);
        let (x, src) = (d.array(a, &shape, SMALL), d.array(b, &from, converted(b, a)));
        Case::new(d).with("input", x).with("src", src)
    }),
    row("fx.diagonal", EXACT, |d| {
        let x = of_rank(d, 2, 4);
        let rank = x.rank();
        let order = d.order(rank);
        let offset = d.maybe(|d| d.between(-4, 4));
        let case = Case::new(d).with("input", x).maybe(offset, |c, x| c.int("offset", x));
        if d.flip() { case.int("dim1", order[0]).int("dim2", order[1]) } else { case }
    }),
    row("fx.expand", EXACT, |d| {
        let target = d.shape(0, 4);
        let own = d.broadcast_from(&target);
        let x = input(d, &own);
        let new = target.len() - own.len();
        let keep = |d: &mut Draw<'_>, i: usize| i >= new && own[i - new] == target[i] && d.once_in(4);
        let size: Vec<i64> = (0..target.len()).map(|i| if keep(d, i) { -1 } else { target[i] as i64 }).collect();
        Case::new(d).with("input", x).sizes("size", &size)
    }),
    row("fx.expand_as", EXACT, |d| {
        let target = d.shape(0, 4);
        let own = d.broadcast_from(&target);
        let (x, other) = (input(d, &own), input(d, &target));
        Case::new(d).with("input", x).with("other", other)
    }),
    row("fx.fill", EXACT, |d| {
        let dtype = d.pick(ALL);
        let shape = d.shape(0, 4);
        let x = d.array(dtype, &shape, SMALL);
        let value = if d.flip() { d.array(dtype, &[], SMALL).into() } else { number_like(d, dtype, SMALL) };
        Case::new(d).with("input", x).with("value", value)
    }),
    row("fx.flatten", EXACT, |d| {
        let x = of_rank(d, 0, 4);
        let rank = x.rank().max(1);
        let (a, b) = (d.below(rank), d.below(rank));
        let end = if d.flip() { a.max(b) as i64 } else { a.max(b) as i64 - rank as i64 };
        Case::new(d).with("input", x).int("start_dim", a.min(b) as i64).int("end_dim", end)
    }),
    row("fx.flip", EXACT, |d| {
        let x = of_rank(d, 0, 4);
        let dims = d.dims(x.rank());
        Case::new(d).with("input", x).ints("dims", &dims)
    }),
    row("fx.imag", EXACT, |d| unary(d, COMPLEX, SMALL)),
    row("fx.is_contiguous", EXACT, |d| unary(d, ALL, SMALL).typed(vec!["i1".into()])),
    row("fx.item", EXACT, |d| {
        let shape: &[usize] = d.pick(&[&[], &[1], &[1, 1]]);
        // the runtime has no complex numbers outside of tensors
        let dtype = d.pick(crate::draw::REALS);
        let x = d.array(dtype, shape, Domain::Special);
        Case::new(d).with("input", x)
    }),
    row("fx.meshgrid", EXACT, |d| {
        let (count, dtype) = (d.between(1, 4), d.pick(ALL));
        let indexing = d.maybe(|d| d.pick(&["ij", "xy"]));
        let mut case = Case::new(d);
        for _ in 0..count {
            let shape = if d.once_in(4) { vec![] } else { vec![d.size()] };
            let x = d.array(dtype, &shape, SMALL);
            case = case.with("tensors", x);
        }
        case.maybe(indexing, |c, x| c.text("indexing", x))
    }),
    row("fx.movedim", EXACT, |d| {
        let x = of_rank(d, 0, 4);
        let (rank, count) = (x.rank(), d.below(x.rank() + 1));
        let (from, to) = (d.order(rank), d.order(rank));
        Case::new(d).with("input", x).ints("source", &from[..count]).ints("destination", &to[..count])
    }),
    row("fx.narrow", EXACT, |d| {
        let (x, dim, named) = along(d);
        let n = x.size(dim);
        let start = d.below(n + 1);
        let length = d.below(n - start + 1);
        let start = if start < n && d.once_in(4) { start as i64 - n as i64 } else { start as i64 };
        Case::new(d).with("input", x).int("dim", named).sizes("start", &[start]).sizes("length", &[length as i64])
    }),
    row("fx.numel", EXACT, |d| unary(d, ALL, SMALL).typed(vec!["index".into()])),
    row("fx.numpy_T", EXACT, |d| unary(d, ALL, SMALL)),
    row("fx.permute", EXACT, |d| {
        let x = of_rank(d, 0, 4);
        let dims = d.order(x.rank());
        Case::new(d).with("input", x).ints("dims", &dims)
    }),
    row("fx.real", EXACT, |d| unary(d, ALL, SMALL)),
    row("fx.repeat", EXACT, |d| {
        let x = of_rank(d, 0, 3);
        let more = d.below(2);
        let repeats: Vec<i64> = (0..x.rank() + more).map(|_| d.pick(&[1, 2, 3, 0])).collect();
        Case::new(d).with("input", x).sizes("repeats", &repeats)
    }),
    row("fx.resize", EXACT, |d| {
        // elements beyond the input's are undefined
        let x = of_rank(d, 0, 4);
        let mut left = x.len();
        let mut size = Vec::new();
        for _ in 0..d.between(1, 3) {
            let own = d.below(left + 1);
            left = left.checked_div(own).unwrap_or(0);
            size.push(own as i64);
        }
        Case::new(d).with("input", x).sizes("size", &size)
    }),
    row("fx.roll", EXACT, |d| {
        let x = of_rank(d, 0, 4);
        if d.once_in(4) {
            let shift = d.between(-9, 9);
            return Case::new(d).with("input", x).sizes("shifts", &[shift]);
        }
        let dims = d.dims(x.rank());
        let shifts: Vec<i64> = dims.iter().map(|_| d.between(-9, 9)).collect();
        if dims.is_empty() {
            return Case::new(d).with("input", x).sizes("shifts", &[2]);
        }
        Case::new(d).with("input", x).sizes("shifts", &shifts).ints("dims", &dims)
    }),
    row("fx.rot90", EXACT, |d| {
        let x = of_rank(d, 2, 4);
        let (k, order) = (d.between(-3, 5), d.order(x.rank()));
        Case::new(d).with("input", x).int("k", k).ints("dims", &order[..2])
    }),
    row("fx.select", EXACT, |d| {
        let mut shape = d.shape(1, 4);
        let (dim, named) = d.dim(shape.len());
        shape[dim] = shape[dim].max(1);
        let x = input(d, &shape);
        let (n, index) = (shape[dim] as i64, d.below(shape[dim]) as i64);
        let index = if d.once_in(4) { index - n } else { index };
        let case = Case::new(d).with("input", x).int("dim", named);
        if d.once_in(10) {
            // a number that only a run knows
            let beyond = n + d.between(0, 3);
            return case.with("index", Operand::Index(beyond)).ints("static_index", &[i64::MIN]).failing(true);
        }
        case.sizes("index", &[index])
    }),
    row("fx.size", EXACT, |d| {
        let (x, _, named) = along(d);
        Case::new(d).with("input", x).int("dim", named).typed(vec!["index".into()])
    }),
    row("fx.slice", EXACT, |d| {
        let (x, _, named) = along(d);
        let bounds = slice_bounds(d);
        with_bounds(Case::new(d).with("input", x).int("dim", named), bounds)
    }),
    row("fx.split", EXACT, |d| {
        let (x, dim, named) = along(d);
        let (shape, n, part) = (x.shape().to_vec(), x.size(dim), d.between(1, 4) as usize);
        let parts: Vec<usize> = if n == 0 { vec![0] } else { (0..n.div_ceil(part)).map(|i| part.min(n - i * part)).collect() };
        let case = pieces(Case::new(d), x.dtype(), &shape, dim, &parts);
        case.partly("input", x, &others(&shape, dim)).fixed_sizes("split_size", &[part as i64]).int("dim", named)
    }),
    row("fx.split_dim", EXACT, |d| {
        let mut shape = d.shape(1, 4);
        let dim = d.below(shape.len());
        let outer = d.positive();
        shape[dim] = outer * d.size();
        let x = input(d, &shape);
        Case::new(d).with("input", x).int("dim", dim as i64).sizes("outer_length", &[outer as i64])
    }),
    row("fx.split_with_sizes", EXACT, |d| {
        let mut shape = d.shape(1, 4);
        let (dim, named) = d.dim(shape.len());
        let parts: Vec<i64> = (0..d.between(1, 4)).map(|_| d.size() as i64).collect();
        shape[dim] = parts.iter().sum::<i64>() as usize;
        let x = input(d, &shape);
        Case::new(d).with("input", x).sizes("split_sizes", &parts).int("dim", named)
    }),
    row("fx.squeeze", EXACT, |d| {
        let x = of_rank(d, 0, 4);
        let dims = d.maybe(|d| d.dims(x.rank()));
        Case::new(d).with("input", x).maybe(dims, |c, dims| c.ints("dim", &dims))
    }),
    row("fx.stack", EXACT, |d| {
        let dtypes = two_dtypes(d, ALL);
        let shape = d.shape(0, 3);
        let (_, named) = d.dim(shape.len() + 1);
        let mut case = Case::new(d).int("dim", named);
        for i in 0..d.between(1, 4) {
            let x = d.array(dtypes[i as usize % 2], &shape, SMALL);
            case = case.with("tensors", x);
        }
        case
    }),
    row("fx.stop_gradient", EXACT, |d| unary(d, ALL, Domain::Special)),
    row("fx.storage_offset", EXACT, |d| unary(d, ALL, SMALL).typed(vec!["index".into()])),
    row("fx.stride", EXACT, |d| {
        let (x, _, named) = along(d);
        Case::new(d).with("input", x).int("dim", named).typed(vec!["index".into()])
    }),
    row("fx.t", EXACT, |d| ranked(d, 0, 2)),
    row("fx.to_copy", EXACT, |d| {
        let from = d.pick(ALL);
        let dtype = d.maybe(|d| d.pick(ALL));
        one(d, "input", &[from], converted(from, dtype.unwrap_or(from))).maybe(dtype, |c, dtype| c.dtype("dtype", dtype))
    }),
    row("fx.transpose", EXACT, |d| {
        let x = of_rank(d, 0, 4);
        let (a, b) = (d.dim(x.rank()).1, d.dim(x.rank()).1);
        Case::new(d).with("input", x).int("dim0", a).int("dim1", b)
    }),
    row("fx.type_as", EXACT, |d| {
        let (a, b) = (d.pick(ALL), d.pick(ALL));
        let (shape, other) = (d.shape(0, 4), d.shape(0, 3));
        let (x, other) = (d.array(a, &shape, converted(a, b)), d.array(b, &other, SMALL));
        Case::new(d).with("input", x).with("other", other)
    }),
    row("fx.unbind", EXACT, |d| {
        let (x, dim, named) = along(d);
        let mut shape = x.shape().to_vec();
        let known = others(&shape, dim);
        let n = shape.remove(dim);
        let case = Case::new(d);
        let types = vec![case.tensor_type(x.dtype(), &shape); n];
        case.typed(types).partly("input", x, &known).int("dim", named)
    }),
    row("fx.unflatten", EXACT, |d| {
        let mut shape = d.shape(1, 3);
        let (dim, named) = d.dim(shape.len());
        let mut sizes: Vec<i64> = (0..d.between(1, 3)).map(|_| d.size() as i64).collect();
        shape[dim] = sizes.iter().product::<i64>() as usize;
        if d.flip() {
            infer_one(d, &mut sizes);
        }
        let x = input(d, &shape);
        Case::new(d).with("input", x).int("dim", named).sizes("sizes", &sizes)
    }),
    row("fx.unfold", EXACT, |d| {
        let (x, dim, named) = along(d);
        let (size, step) = (d.below(x.size(dim) + 1) as i64, d.between(1, 3));
        Case::new(d).with("input", x).int("dimension", named).int("size", size).int("step", step)
    }),
    row("fx.unsqueeze", EXACT, |d| {
        let x = of_rank(d, 0, 4);
        let (_, named) = d.dim(x.rank() + 1);
        Case::new(d).with("input", x).int("dim", named)
    }),
    row("fx.view", EXACT, |d| {
        let (own, other) = regrouped(d);
        let mut size = signed(&other);
        if d.flip() {
            infer_one(d, &mut size);
        }
        let x = input(d, &own);
        Case::new(d).with("input", x).sizes("size", &size)
    }),
    row("fx.view_as", EXACT, |d| {
        let (own, other) = regrouped(d);
        let (x, other) = (input(d, &own), input(d, &other));
        Case::new(d).with("input", x).with("other", other)
    }),
    row("fx.view_as_complex", EXACT, |d| {
        let mut shape = d.shape(0, 3);
        shape.push(2);
        let dtype = d.pick(WIDE);
        let x = d.array(dtype, &shape, Domain::Special);
        let known: Vec<usize> = (0..shape.len() - 1).collect();
        Case::new(d).partly("input", x, &known)
    }),
    row("fx.view_as_real", EXACT, |d| unary(d, COMPLEX, SMALL)),
    row("fx.view_dtype", EXACT, |d| {
        let (from, to) = (d.pick(ALL), d.pick(ALL));
        // any bits are numbers, but bools are 0 or 1
        let (from, to) = if to == DType::Bool { (DType::Bool, from) } else { (from, to) };
        let (a, b) = (from.size(), to.size());
        let mut shape = d.shape(usize::from(a != b), 4);
        if a < b {
            let last = shape.len() - 1;
            shape[last] *= b / a;
        }
        let x = d.array(from, &shape, SMALL);
        let known: Vec<usize> = (0..shape.len().saturating_sub(1)).collect();
        Case::new(d).partly("input", x, &known).dtype("dtype", to)
    }),
    row("fx.assert_tensor_metadata", EXACT, |d| {
        let x = of_rank(d, 0, 4);
        let (dtype, shape) = (x.dtype(), signed(x.shape()));
        let case = Case::new(d).with("input", x).sizes("size", &shape).typed(Vec::new());
        if d.flip() { case.dtype("dtype", dtype) } else { case }
    }),
    row("fx.empty", SHAPE, |d| {
        let (size, dtype) = (d.shape(0, 4), d.maybe(|d| d.pick(ALL)));
        Case::new(d).sizes("size", &signed(&size)).maybe(dtype, |c, x| c.dtype("dtype", x))
    }),
    row("fx.empty_like", SHAPE, |d| {
        let dtype = d.maybe(|d| d.pick(ALL));
        unary(d, ALL, SMALL).maybe(dtype, |c, x| c.dtype("dtype", x))
    }),
    row("fx.new_empty", SHAPE, |d| {
        let (size, dtype) = (d.shape(0, 4), d.maybe(|d| d.pick(ALL)));
        unary(d, ALL, SMALL).sizes("size", &signed(&size)).maybe(dtype, |c, x| c.dtype("dtype", x))
    }),
];

/// Sizes as a list of i64.
pub fn signed(sizes: &[usize]) -> Vec<i64> {
    sizes.iter().map(|size| *size as i64).collect()
}

/// All dims but one.
pub fn others(shape: &[usize], dim: usize) -> Vec<usize> {
    (0..shape.len()).filter(|other| *other != dim).collect()
}

/// A tensor of any type.
fn input(d: &mut Draw<'_>, shape: &[usize]) -> Array {
    let dtype = d.pick(ALL);
    d.array(dtype, shape, SMALL)
}

fn of_rank(d: &mut Draw<'_>, least: usize, most: usize) -> Array {
    let shape = d.shape(least, most);
    input(d, &shape)
}

fn ranked(d: &mut Draw<'_>, least: usize, most: usize) -> Case {
    let x = of_rank(d, least, most);
    Case::new(d).with("input", x)
}

/// A tensor and one of its dims, counted from the start and as the op is told.
fn along(d: &mut Draw<'_>) -> (Array, usize, i64) {
    let x = of_rank(d, 1, 4);
    let (dim, named) = d.dim(x.rank());
    (x, dim, named)
}

/// Values of `from` that every conversion to `to` is defined for: no float is out of an integer's range.
fn converted(from: DType, to: DType) -> Domain {
    let narrow = !from.is_float() && !from.is_complex();
    if narrow || to.is_float() || to == DType::Bool { Domain::Special } else { Domain::Range(0.0, 9.0) }
}

/// With results that are parts along a dim.
fn pieces(case: Case, dtype: DType, shape: &[usize], dim: usize, parts: &[usize]) -> Case {
    let mut types = Vec::new();
    for part in parts {
        // the type of a part, whose size along the dim is known
        let mut own = shape.to_vec();
        own[dim] = *part;
        let rest = Operand::Tensor(Array::full(dtype, &own, fx_interp::Number::Int(0)).expect("a small tensor"), Some(others(shape, dim)));
        types.push(case.operand_type(&rest));
    }
    case.typed(types)
}

/// Optional start, end and step of a slice.
pub fn slice_bounds(d: &mut Draw<'_>) -> [Option<i64>; 3] {
    [d.maybe(|d| d.between(-7, 7)), d.maybe(|d| d.pick(&[2, 5, -1, 9, i64::MAX, -9, 0])), d.maybe(|d| d.between(1, 3))]
}

/// With these bounds.
pub fn with_bounds(case: Case, bounds: [Option<i64>; 3]) -> Case {
    ["start", "end", "step"].into_iter().zip(bounds).fold(case, |case, (name, bound)| case.sizes(name, bound.as_slice()))
}

/// Two shapes of one number of elements.
fn regrouped(d: &mut Draw<'_>) -> (Vec<usize>, Vec<usize>) {
    let factors = d.shape(0, 4);
    let group = |d: &mut Draw<'_>| {
        let mut shape = Vec::new();
        for factor in &factors {
            match shape.last_mut() {
                Some(last) if d.flip() => *last *= factor,
                _ => shape.push(*factor),
            }
            if d.once_in(6) {
                shape.push(1);
            }
        }
        shape
    };
    (group(d), group(d))
}

/// One size as -1, where the others tell it.
fn infer_one(d: &mut Draw<'_>, sizes: &mut [i64]) {
    if sizes.is_empty() || sizes.contains(&0) {
        return;
    }
    let place = d.below(sizes.len());
    sizes[place] = -1;
}

fn as_strided(d: &mut Draw<'_>) -> Case {
    let x = d.filled_shape(1, 3);
    let x = input(d, &x);
    let mut reach = 0;
    let (mut size, mut stride) = (Vec::new(), Vec::new());
    for _ in 0..d.between(0, 3) {
        let (n, step) = (d.size(), d.below(4));
        if n > 0 && reach + (n - 1) * step < x.len() {
            reach += (n - 1) * step;
            size.push(n as i64);
            stride.push(step as i64);
        }
    }
    let offset = d.maybe(|d| d.below(x.len() - reach) as i64);
    Case::new(d).with("input", x).sizes("size", &size).sizes("stride", &stride).sizes("storage_offset", offset.as_slice())
}
