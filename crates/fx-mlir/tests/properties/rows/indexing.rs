//! Reading by positions, masks, repetition, search. Once in a while a position is out of range: then both must fail.

use fx_interp::{Array, DType, Number};

use super::number_like;
use super::shape::signed;
use crate::case::{Case, Operand};
use crate::draw::{ALL, Domain, Draw, FLOATS, POSITIONS, REAL_NUMBERS, SMALL};
use crate::{Class, EXACT, Row, STABLE, row};

/// The table.
pub const ROWS: &[Row] = &[
    row("fx.bucketize", EXACT, |d| {
        let dtype = d.pick(REAL_NUMBERS);
        let (boundaries, shape) = (ascending(d, dtype, &[]), d.shape(0, 3));
        let x = if d.once_in(6) { number_like(d, dtype, SMALL) } else { d.array(dtype, &shape, SMALL).into() };
        let (narrow, right) = (d.maybe(|d| d.flip()), d.maybe(|d| d.flip()));
        let case = Case::new(d).with("input", x).with("boundaries", boundaries);
        case.maybe(narrow, |c, x| c.bool("out_int32", x)).maybe(right, |c, x| c.bool("right", x))
    }),
    row("fx.embedding", EXACT, |d| {
        let (dtype, kind) = (d.pick(FLOATS), d.pick(POSITIONS));
        let (rows, width, shape) = (d.positive(), d.size(), d.shape(0, 3));
        let (indices, fails) = positions(d, kind, &shape, rows, false, width > 0);
        let w = d.array(dtype, &[rows, width], SMALL);
        // a row that is padding has no gradient, whatever its derivative
        let padding = if d.is_precise() { -1 } else { d.between(-1, rows as i64 - 1) };
        Case::new(d).with("weight", w).with("indices", indices).fixed_sizes("padding_idx", &[padding]).failing(fails)
    }),
    row("fx.embedding_bag", BAG, embedding_bag).data_dependent(),
    row("fx.embedding_bag_backward", STABLE, |d| embedding_bag_backward(d, true)),
    row("fx.embedding_bag_dense_backward", STABLE, |d| embedding_bag_backward(d, false)),
    row("fx.embedding_bag_per_sample_weights_backward", STABLE, |d| {
        let bags = Bags::new(d);
        let (g, w) = (d.array(bags.dtype, &[bags.lengths.len(), bags.width], SMALL), d.array(bags.dtype, &[bags.rows, bags.width], SMALL));
        let padding = d.maybe(|d| d.between(-1, 2));
        let case = Case::new(d).with("grad", g).with("weight", w).with("indices", bags.indices.clone());
        let case = case.with("offsets", bags.offsets(false)).with("offset2bag", bags.owners()).int("mode", 0);
        case.maybe(padding, |c, x| c.int("padding_idx", x))
    }),
    row("fx.embedding_dense_backward", STABLE, |d| {
        let (dtype, kind) = (d.pick(FLOATS), d.pick(POSITIONS));
        let (rows, width, shape) = (d.positive(), d.size(), d.shape(0, 3));
        let indices = d.positions(kind, &shape, rows);
        let mut own = shape;
        own.push(width);
        let g = d.array(dtype, &own, SMALL);
        let (padding, scale) = (d.between(-1, rows as i64 - 1), d.maybe(|d| d.flip()));
        let case = Case::new(d).with("grad_output", g).with("indices", indices).sizes("num_weights", &[rows as i64]);
        case.fixed_sizes("padding_idx", &[padding]).maybe(scale, |c, x| c.bool("scale_grad_by_freq", x))
    }),
    row("fx.gather", EXACT, |d| {
        let (dtype, kind) = (d.pick(ALL), d.pick(POSITIONS));
        let (shape, index, dim, named) = gathered(d);
        let x = d.array(dtype, &shape, SMALL);
        let (index, fails) = positions(d, kind, &index, shape.get(dim).copied().unwrap_or(1), false, true);
        Case::new(d).with("input", x).int("dim", named).with("index", index).failing(fails)
    }),
    row("fx.index", EXACT, |d| {
        let indices = Indices::new(d, true);
        let x = d.pick(ALL);
        let x = d.array(x, &indices.shape, SMALL);
        indices.into_case(Case::new(d).with("input", x))
    })
    .data_dependent(),
    row("fx.index_select", EXACT, |d| {
        let (dtype, kind) = (d.pick(ALL), d.pick(POSITIONS));
        let (shape, dim, named) = filled_along(d, 0);
        let x = d.array(dtype, &shape, SMALL);
        let count = if d.once_in(4) { vec![] } else { vec![if shape.is_empty() { 1 } else { d.size() }] };
        let (index, fails) = positions(d, kind, &count, shape.get(dim).copied().unwrap_or(1), false, !shape.contains(&0));
        Case::new(d).with("input", x).int("dim", named).with("index", index).failing(fails)
    }),
    row("fx.masked_scatter", EXACT, |d| {
        let dtype = d.pick(ALL);
        let shape = d.shape(0, 4);
        let own = d.broadcast_from(&shape);
        let count: usize = shape.iter().product();
        let (x, mask, source) = (d.array(dtype, &shape, SMALL), d.array(DType::Bool, &own, SMALL), d.array(dtype, &[count], SMALL));
        Case::new(d).with("input", x).with("mask", mask).with("source", source)
    }),
    row("fx.masked_scatter_backward", EXACT, |d| {
        let dtype = d.pick(FLOATS);
        let (shape, sizes) = (d.shape(0, 4), d.shape(0, 2));
        let (g, mask) = (d.array(dtype, &shape, SMALL), d.array(DType::Bool, &shape, SMALL));
        let set = mask.values::<bool>().into_iter().filter(|set| *set).count();
        let sizes = if sizes.iter().product::<usize>() < set { vec![set] } else { sizes };
        Case::new(d).with("grad_output", g).with("mask", mask).sizes("sizes", &signed(&sizes))
    }),
    row("fx.masked_select", EXACT, |d| {
        let dtype = d.pick(ALL);
        let shape = d.shape(0, 4);
        let shapes = [d.broadcast_from(&shape), d.broadcast_from(&shape)];
        let (x, mask) = (d.array(dtype, &shapes[0], SMALL), d.array(DType::Bool, &shapes[1], SMALL));
        Case::new(d).with("input", x).with("mask", mask)
    })
    .data_dependent(),
    row("fx.nonzero", EXACT, |d| super::unary(d, ALL, Domain::Ties)).data_dependent(),
    row("fx.nonzero_static", EXACT, |d| {
        let (size, fill) = (d.size() as i64, d.maybe(|d| d.between(-3, 3)));
        super::unary(d, ALL, Domain::Ties).sizes("size", &[size]).maybe(fill, |c, x| c.int("fill_value", x))
    }),
    row("fx.one_hot", EXACT, |d| {
        let (shape, classes) = (d.filled_shape(0, 3), d.positive());
        let x = d.positions(DType::I64, &shape, classes);
        let named = d.maybe(|_| classes as i64);
        Case::new(d).with("input", x).maybe(named, |c, n| c.int("num_classes", n))
    })
    .data_dependent(),
    row("fx.repeat_interleave", EXACT, |d| {
        let (dtype, kind) = (d.pick(ALL), d.pick(POSITIONS));
        let shape = d.shape(0, 3);
        let dim = d.maybe(|d| d.dim(shape.len()));
        let count = dim.map_or(shape.iter().product(), |(dim, _)| shape.get(dim).copied().unwrap_or(1));
        let form = d.below(3);
        let own: Vec<usize> = if form == 1 { vec![1] } else { vec![count] };
        let repeats = d.array(kind, &own, Domain::Range(0.0, 3.0));
        let total: i64 = repeats.values::<i64>().iter().sum::<i64>() * if form == 1 { count as i64 } else { 1 };
        let x = d.array(dtype, &shape, SMALL);
        let told = d.maybe(|_| if form == 2 { repeats.values::<i64>().iter().sum() } else { total });
        let case = Case::new(d).with("repeats", repeats).sizes("output_size", told.as_slice());
        if form == 2 { case } else { case.with("input", x).maybe(dim, |c, (_, named)| c.int("dim", named)) }
    })
    .data_dependent(),
    row("fx.repeat_interleave_int", EXACT, |d| {
        let (dtype, shape, repeats) = (d.pick(ALL), d.shape(0, 3), d.below(4));
        let dim = d.maybe(|d| d.dim(shape.len()));
        let count = dim.map_or(shape.iter().product(), |(dim, _)| shape.get(dim).copied().unwrap_or(1));
        let x = d.array(dtype, &shape, SMALL);
        let told = d.maybe(|_| (count * repeats) as i64);
        let case = Case::new(d).with("input", x).sizes("repeats", &[repeats as i64]).sizes("output_size", told.as_slice());
        case.maybe(dim, |c, (_, named)| c.int("dim", named))
    }),
    row("fx.searchsorted", EXACT, |d| {
        let dtype = d.pick(REAL_NUMBERS);
        let rows = d.filled_shape(0, 2);
        let shared = d.flip();
        let sequence = ascending(d, dtype, if shared { &[] } else { &rows });
        let mut shape = rows;
        shape.push(d.size());
        let x: Operand = if shared && d.once_in(4) { number_like(d, dtype, SMALL) } else { d.array(dtype, &shape, SMALL).into() };
        let narrow = d.maybe(|d| d.flip());
        let case = Case::new(d).with("sorted_sequence", sequence).with("input", x).maybe(narrow, |c, x| c.bool("out_int32", x));
        match d.below(4) {
            1 => case.bool("right", true),
            2 => case.text("side", "right"),
            3 => case.text("side", "left"),
            _ => case,
        }
    }),
    row("fx.take", EXACT, |d| {
        let (dtype, kind) = (d.pick(ALL), d.pick(POSITIONS));
        let (shape, index) = (d.filled_shape(0, 3), d.shape(0, 3));
        let x = d.array(dtype, &shape, SMALL);
        let (index, fails) = positions(d, kind, &index, x.len(), true, true);
        Case::new(d).with("input", x).with("index", index).failing(fails)
    }),
    row("fx.take_along_dim", EXACT, |d| {
        let (dtype, kind) = (d.pick(ALL), d.pick(POSITIONS));
        let (shape, dim, named) = filled_along(d, 1);
        let x = d.array(dtype, &shape, SMALL);
        if d.once_in(4) {
            let own = d.shape(1, 2);
            let (index, fails) = positions(d, kind, &own, x.len(), false, true);
            return Case::new(d).with("input", x).with("indices", index).failing(fails);
        }
        let mut own: Vec<usize> = shape.iter().map(|size| if d.once_in(4) { 1 } else { *size }).collect();
        own[dim] = d.size();
        let (index, fails) = positions(d, kind, &own, shape[dim], false, !shape.contains(&0));
        Case::new(d).with("input", x).with("indices", index).int("dim", named).failing(fails)
    }),
    row("fx.tril", EXACT, triangle),
    row("fx.tril_indices", EXACT, triangle_indices),
    row("fx.triu", EXACT, triangle),
    row("fx.triu_indices", EXACT, triangle_indices),
];

/// Values, bags and counts, positions of maxima.
const BAG: &[Class] = &[Class::Stable(4.0), Class::Exact];

/// Positions of a dim of this size, perhaps one that is out of range, if they are read at all.
pub fn positions(d: &mut Draw<'_>, dtype: DType, shape: &[usize], bound: usize, negative: bool, read: bool) -> (Array, bool) {
    let low = if negative && d.flip() { -(bound as f64) } else { 0.0 };
    let array = d.array(dtype, shape, Domain::Range(low, bound as f64 - 1.0));
    if bound == 0 && !array.is_empty() {
        return (array, true);
    }
    if array.is_empty() || !read || !d.once_in(10) {
        return (array, false);
    }
    let mut values = array.values::<i64>();
    let place = d.below(values.len());
    values[place] = if d.flip() { -(bound as i64) - 1 } else { bound as i64 };
    (Array::new(dtype, shape, values).expect("a tensor of the same shape"), true)
}

/// A shape whose size in one dim is not 0, and the dim.
pub fn filled_along(d: &mut Draw<'_>, least: usize) -> (Vec<usize>, usize, i64) {
    let mut shape = d.filled_shape(least, 4);
    let (dim, named) = d.dim(shape.len());
    if shape.len() > 1 && d.once_in(6) {
        let other = (dim + 1) % shape.len();
        shape[other] = 0;
    }
    (shape, dim, named)
}

/// The shapes of a tensor and of positions along a dim, which are not more than it in other dims.
pub fn gathered(d: &mut Draw<'_>) -> (Vec<usize>, Vec<usize>, usize, i64) {
    let shape = d.filled_shape(0, 4);
    let (dim, named) = d.dim(shape.len());
    let mut index: Vec<usize> = shape.iter().map(|size| if d.once_in(3) { d.below(size + 1) } else { *size }).collect();
    if let Some(size) = index.get_mut(dim) {
        *size = d.size();
    }
    (shape, index, dim, named)
}

/// Ascending rows.
fn ascending(d: &mut Draw<'_>, dtype: DType, rows: &[usize]) -> Array {
    let count = d.size();
    let mut shape = rows.to_vec();
    shape.push(count);
    let mut values = d.array(DType::F64, &shape, SMALL).values::<f64>();
    for row in values.chunks_mut(count.max(1)) {
        row.iter_mut().for_each(|x| *x = if dtype.is_float() { fx_interp::array::round_float(dtype, *x) } else { x.abs().floor() });
        row.sort_by(f64::total_cmp);
    }
    Array::new(dtype, &shape, values).expect("a small tensor")
}

/// Index tensors or masks for some dims of a tensor.
pub struct Indices {
    /// The tensor's shape.
    pub shape: Vec<usize>,
    /// The shape of what is read.
    pub read: Vec<usize>,
    tensors: Vec<Array>,
    present: Vec<bool>,
    fails: bool,
}

impl Indices {
    /// Over some dims of a tensor; `masks`: perhaps one mask of one or two dims instead.
    pub fn new(d: &mut Draw<'_>, masks: bool) -> Self {
        let shape = d.filled_shape(1, 4);
        if masks && d.once_in(4) {
            return Self::mask(d, shape);
        }
        let kind = d.pick(POSITIONS);
        let common = d.shape(0, 2);
        let count = d.between(1, shape.len() as i64) as usize;
        let mut own = Indices { shape, read: Vec::new(), tensors: Vec::new(), present: Vec::new(), fails: false };
        for k in 0..count {
            let last = k + 1 == count;
            let present = (last && !own.present.contains(&true)) || d.flip();
            own.present.push(present);
            if present {
                let form = if own.tensors.is_empty() { common.clone() } else { d.broadcast_from(&common) };
                let (tensor, fails) = positions(d, kind, &form, own.shape[k], true, !common.contains(&0));
                own.tensors.push(tensor);
                own.fails |= fails;
            }
        }
        own.read = own.result(&common);
        own
    }

    fn mask(d: &mut Draw<'_>, shape: Vec<usize>) -> Self {
        let rank = d.between(1, shape.len().min(2) as i64) as usize;
        let kind = if d.once_in(4) { DType::U8 } else { DType::Bool };
        let mask = d.array(kind, &shape[..rank], Domain::Range(0.0, 1.0));
        let set = mask.values::<bool>().into_iter().filter(|set| *set).count();
        let mut read = vec![set];
        read.extend(&shape[rank..]);
        Indices { shape, read, tensors: vec![mask], present: vec![true], fails: false }
    }

    /// The indices replace their dims where these are adjacent, and stand first elsewhere.
    fn result(&self, common: &[usize]) -> Vec<usize> {
        let indexed = |dim: usize| self.present.get(dim).copied().unwrap_or(false);
        let dims: Vec<usize> = (0..self.shape.len()).filter(|dim| indexed(*dim)).collect();
        let rest: Vec<usize> = (0..self.shape.len()).filter(|dim| !indexed(*dim)).map(|dim| self.shape[dim]).collect();
        let adjacent = dims.windows(2).all(|pair| pair[0] + 1 == pair[1]);
        let place = if adjacent { dims[0] } else { 0 };
        [&rest[..place], common, &rest[place..]].concat()
    }

    /// With the index operands.
    pub fn into_case(self, case: Case) -> Case {
        case.with_all("indices", self.tensors).bools("present_indices", &self.present).failing(self.fails)
    }
}

fn triangle(d: &mut Draw<'_>) -> Case {
    let (dtype, shape, diagonal) = (d.pick(ALL), d.shape(2, 4), d.between(-4, 4));
    let x = d.array(dtype, &shape, Domain::Special);
    Case::new(d).with("input", x).sizes("diagonal", &[diagonal])
}

fn triangle_indices(d: &mut Draw<'_>) -> Case {
    let (row, col) = (d.size() as i64, d.size() as i64);
    let (offset, dtype) = (d.maybe(|d| d.between(-4, 4)), d.maybe(|d| d.pick(POSITIONS)));
    let case = Case::new(d).int("row", row).int("col", col);
    case.maybe(offset, |c, x| c.int("offset", x)).maybe(dtype, |c, x| c.dtype("dtype", x))
}

/// Bags of rows of a table.
struct Bags {
    dtype: DType,
    kind: DType,
    rows: usize,
    width: usize,
    lengths: Vec<usize>,
    indices: Array,
}

impl Bags {
    fn new(d: &mut Draw<'_>) -> Self {
        let (dtype, kind, rows, width) = (d.pick(FLOATS), d.pick(POSITIONS), d.positive(), d.positive());
        let lengths: Vec<usize> = (0..d.positive()).map(|_| d.below(4)).collect();
        let indices = d.positions(kind, &[lengths.iter().sum()], rows);
        Bags { dtype, kind, rows, width, lengths, indices }
    }

    fn list(&self, values: Vec<i64>) -> Array {
        Array::new(self.kind, &[values.len()], values).expect("a small tensor")
    }

    fn offsets(&self, last: bool) -> Array {
        let mut sum = 0;
        let mut values = Vec::new();
        for length in &self.lengths {
            values.push(sum);
            sum += *length as i64;
        }
        if last {
            values.push(sum);
        }
        self.list(values)
    }

    /// The bag of each index.
    fn owners(&self) -> Array {
        self.list(self.lengths.iter().enumerate().flat_map(|(bag, length)| vec![bag as i64; *length]).collect())
    }

    fn sizes(&self) -> Array {
        self.list(signed(&self.lengths))
    }
}

fn embedding_bag(d: &mut Draw<'_>) -> Case {
    let bags = Bags::new(d);
    let (mode, last, weighted) = (d.below(3) as i64, d.flip(), d.flip());
    let padding = d.maybe(|d| d.between(-1, bags.rows as i64 - 1));
    let w = d.array(bags.dtype, &[bags.rows, bags.width], SMALL);
    let weights = if mode == 0 && weighted { Some(d.array(bags.dtype, bags.indices.shape(), SMALL)) } else { None };
    let case = Case::new(d).with("weight", w).with("indices", bags.indices.clone()).with("offsets", bags.offsets(last)).int("mode", mode);
    let case = if last { case.bool("include_last_offset", true) } else { case };
    case.maybe(weights, |c, w| c.with("per_sample_weights", w)).maybe(padding, |c, x| c.int("padding_idx", x))
}

fn embedding_bag_backward(d: &mut Draw<'_>, with_offsets: bool) -> Case {
    let bags = Bags::new(d);
    let (mode, scale) = (d.below(3) as i64, d.flip());
    let count = bags.lengths.len();
    let g = d.array(bags.dtype, &[count, bags.width], SMALL);
    let weights = if mode == 0 && d.flip() { Some(d.array(bags.dtype, bags.indices.shape(), SMALL)) } else { None };
    let padding = d.maybe(|d| d.between(-1, bags.rows as i64 - 1));
    // positions of the maxima: rows of the table; -1 where a bag is empty
    let maxima = d.positions(bags.kind, &[count, bags.width], bags.rows);
    let values = maxima.values::<i64>().into_iter().enumerate().map(|(i, x)| if bags.lengths[i / bags.width] == 0 { -1 } else { x });
    let maxima = Array::new(bags.kind, &[count, bags.width], values.collect::<Vec<i64>>()).expect("a small tensor");
    let case = Case::new(d).with("grad", g).with("indices", bags.indices.clone()).with("offset2bag", bags.owners());
    let case = case.with("bag_size", bags.sizes()).with("maximum_indices", maxima).sizes("num_weights", &[bags.rows as i64]);
    let case = case.bool("scale_grad_by_freq", scale && mode != 2).int("mode", mode).maybe(weights, |c, w| c.with("per_sample_weights", w));
    let case = case.maybe(padding, |c, x| c.int("padding_idx", x));
    if with_offsets { case.with("offsets", bags.offsets(false)).bool("sparse", false) } else { case }
}

/// A number for every element type.
pub fn small_number(d: &mut Draw<'_>) -> Number {
    Number::Int(d.between(0, 4))
}
