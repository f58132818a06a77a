//! Of lookups and writes at positions that tensors hold. Where positions repeat, each of several values that were written to
//! one place gets its gradient, as in eager mode.

use fx_ir::{Attribute, Result, Value};

use super::reduction::{all_but_one, factors};
use super::shape::{blank, flat, full, iota};
use crate::fx_op::Dim;
use crate::gradient::Back;
use crate::rows::matrix::fold;
use crate::rows::shape::slice_value;
use crate::sizes::minus;

type Entries<'c> = Vec<(&'static str, Attribute<'c>)>;

/// The attribute `dim` of an op on a tensor of any rank.
pub(super) fn at_dim<'c>(b: &Back<'c>, dim: usize) -> Entries<'c> {
    vec![("dim", Attribute::i64(b.context(), dim as i64))]
}

fn accumulate<'c>(b: &Back<'c>) -> (&'static str, Attribute<'c>) {
    ("accumulate", Attribute::bool(b.context(), true))
}

/// Zeros like an operand with `g` added at positions along `dim`.
pub(super) fn scattered<'c>(b: &Back<'c>, name: &str, dim: usize, index: Value<'c>, g: Value<'c>) -> Result<Value<'c>> {
    b.op("fx.scatter_add", &[blank(b, name, g)?, index, g], &at_dim(b, dim))
}

/// The dim of an op along one.
fn along(b: &Back<'_>) -> Result<usize> {
    b.op.dim("dim", b.op.operand("input")?.ty().rank())
}

//===----------------------------------------------------------------------===//
// Advanced indexing
//===----------------------------------------------------------------------===//

/// `index` and `index_put` at the op's own positions.
fn at_indices<'c>(b: &Back<'c>, name: &str, tensors: &[(&'static str, Value<'c>)], sum: bool) -> Result<Value<'c>> {
    let mut operands: Vec<_> = tensors.to_vec();
    operands.extend(b.op.list("indices").into_iter().map(|index| ("indices", index)));
    let mut attributes = b.op.attributes(&["present_indices"]);
    attributes.extend(sum.then(|| accumulate(b)));
    Ok(b.named(name, &operands, &[], &attributes)?.result(0))
}

/// `x[i]`: added up at the positions.
pub fn index(b: &Back<'_>) -> Result {
    let g = b.g()?;
    b.give("input", at_indices(b, "fx.index_put", &[("input", blank(b, "input", g)?), ("values", g)], true)?);
    Ok(())
}

/// `x[i] = v` or `x[i] += v`: `v` gets `g[i]`, and what was overwritten nothing.
pub fn index_put(b: &Back<'_>) -> Result {
    let g = b.g()?;
    if b.wants("input") {
        let whole = b.op.op.flag("accumulate");
        let zero = full(b, &[], 0.0, g)?;
        b.give("input", if whole { g } else { at_indices(b, "fx.index_put", &[("input", g), ("values", zero)], false)? });
    }
    if b.wants("values") {
        let mut found = at_indices(b, "fx.index", &[("input", g)], false)?;
        if !b.op.op.flag("accumulate") && is_one_number(b.op.operand("values")?) {
            let ones = [("input", blank(b, "input", g)?), ("values", full(b, &[], 1.0, g)?)];
            let writes = at_indices(b, "fx.index_put", &ones, true)?;
            found = b.div(found, at_indices(b, "fx.index", &[("input", writes)], false)?)?;
        }
        b.give("values", found);
    }
    Ok(())
}

/// Whether values are one number expanded, which is what `index_fill` becomes in an exported program: then writes to one
/// place share its gradient.
fn is_one_number(values: Value<'_>) -> bool {
    let expanded = values.defining_op().filter(|op| op.name() == "fx.expand");
    expanded.is_some_and(|op| op.operand(0).ty().shape().iter().all(|size| *size == 1))
}

//===----------------------------------------------------------------------===//
// Along one dim, a position per element
//===----------------------------------------------------------------------===//

/// `x[index]` along a dim: added up at the positions.
pub fn gather(b: &Back<'_>) -> Result {
    let (input, index) = (b.op.operand("input")?, b.op.operand("index")?);
    // Only an index without elements may have another rank.
    if input.ty().rank().max(1) == index.ty().rank().max(1) {
        let g = b.g()?;
        let g = if g.ty().rank() == index.ty().rank() { g } else { b.view(g, &b.dims(index))? };
        b.give("input", scattered(b, "input", along(b)?, index, g)?);
    }
    Ok(())
}

/// As [`gather`], of an input and an index that broadcast in the other dims.
pub fn take_along_dim(b: &Back<'_>) -> Result {
    let (g, input, index) = (b.g()?, b.op.operand("input")?, b.op.operand("indices")?);
    let own = b.dims(input);
    let Some(dim) = b.op.op.int("dim").filter(|_| !own.is_empty()) else {
        let target = full(b, &[fold(b, &own)], 0.0, g)?;
        let sum = b.op("fx.scatter_add", &[target, flat(b, index)?, flat(b, g)?], &at_dim(b, 0))?;
        b.give("input", b.view(sum, &own)?);
        return Ok(());
    };
    let dim = b.op.normalize(dim, own.len())?;
    let shape = if g.ty().rank() == own.len() { b.dims(g) } else { vec![Dim::Static(1); own.len()] };
    let (g, index) = (b.view(g, &shape)?, b.expand(if index.ty().rank() == 0 { flat(b, index)? } else { index }, &shape)?);
    let mut sizes = shape;
    sizes[dim] = own[dim];
    b.give("input", b.op("fx.scatter_add", &[full(b, &sizes, 0.0, g)?, index, g], &at_dim(b, dim))?);
    Ok(())
}

/// What a source that is larger than the index gets: zeros where it was not read.
fn in_corner<'c>(b: &Back<'c>, value: Value<'c>, source: Value<'c>) -> Result<Value<'c>> {
    let (own, sizes) = (b.dims(value), b.dims(source));
    if own.len() != sizes.len() {
        return b.view(value, &sizes);
    }
    if own == sizes {
        return Ok(value);
    }
    let pads: Vec<_> = own.iter().zip(&sizes).rev().flat_map(|(own, size)| [Dim::Static(0), minus(b, *size, *own)]).collect();
    b.sized("fx.constant_pad_nd", &[value], "pad", &pads, &[])
}

/// A gradient at the positions of a write, as the source's.
fn read<'c>(b: &Back<'c>, g: Value<'c>) -> Result {
    if b.wants("src") {
        let found = b.op("fx.gather", &[g, b.op.operand("index")?], &at_dim(b, along(b)?))?;
        b.give("src", in_corner(b, found, b.op.operand("src")?)?);
    }
    Ok(())
}

/// Values written, added or multiplied at positions.
pub fn scatter(b: &Back<'_>) -> Result {
    match b.op.op.text("reduce") {
        Some("add") => scatter_add(b),
        Some(_) if !b.op.operand("src")?.ty().is_tensor() => {
            let (input, index) = (b.op.operand("input")?, b.op.operand("index")?);
            let ones = b.op("fx.full_like", &[input, b.number(1.0)], &[])?;
            let factor = b.op("fx.scatter", &[ones, index, b.op.operand("src")?], &b.op.attributes(&["dim", "reduce"]))?;
            b.give("input", b.mul(b.g()?, b.conj(factor)?)?);
            Ok(())
        }
        Some(_) => Writes::new(b, "src", b.op.operand("index")?, true)?.reduce(b, "prod"),
        None => {
            let g = b.g()?;
            let operands = [g, b.op.operand("index")?, b.number(0.0)];
            b.give("input", b.op("fx.scatter", &operands, &at_dim(b, along(b)?))?);
            read(b, g)
        }
    }
}

/// Values added at positions.
pub fn scatter_add(b: &Back<'_>) -> Result {
    b.give("input", b.g()?);
    read(b, b.g()?)
}

//===----------------------------------------------------------------------===//
// Reductions into positions
//===----------------------------------------------------------------------===//

fn include_self(b: &Back<'_>) -> bool {
    b.op.op.attribute("include_self").and_then(Attribute::as_bool).unwrap_or(true)
}

/// Values reduced into positions, one per element of the source.
pub fn scatter_reduce(b: &Back<'_>) -> Result {
    let reduce = b.op.op.text("reduce").unwrap_or_default();
    Writes::new(b, "src", b.op.operand("index")?, include_self(b))?.reduce(b, reduce)
}

/// Slices reduced into positions: as [`scatter_reduce`] with a position for each element of a slice.
pub fn index_reduce(b: &Back<'_>) -> Result {
    let source = b.op.operand("source")?;
    let mut index = flat(b, b.op.operand("index")?)?;
    let sizes = b.dims(source);
    if sizes.is_empty() {
        index = b.view(index, &[])?;
    } else {
        let mut column = vec![Dim::Static(1); sizes.len()];
        column[along(b)?] = sizes[along(b)?];
        index = b.expand(b.view(index, &column)?, &sizes)?;
    }
    let reduce = b.op.op.text("reduce").unwrap_or_default();
    Writes::new(b, "source", index, include_self(b))?.reduce(b, reduce)
}

/// Groups of elements that are reduced together: those of `source` with one position, and the element of `input` there.
struct Writes<'c> {
    source: &'static str,
    index: Value<'c>,
    dim: usize,
    include_self: bool,
    x: Value<'c>,
    s: Value<'c>,
}

impl<'c> Writes<'c> {
    fn new(b: &Back<'c>, source: &'static str, index: Value<'c>, include_self: bool) -> Result<Self> {
        let (dim, x, mut s) = (along(b)?, b.x("input")?, b.x(source)?);
        // What lies beyond the index is not read.
        let (own, read) = (b.dims(s), b.dims(index));
        if own.len() == read.len() && own != read {
            let pads: Vec<_> = own.iter().zip(&read).rev().flat_map(|(own, read)| [Dim::Static(0), minus(b, *read, *own)]).collect();
            s = b.sized("fx.constant_pad_nd", &[s], "pad", &pads, &[])?;
        }
        Ok(Self { source, index, dim, include_self, x, s })
    }

    fn reduce(&self, b: &Back<'c>, reduce: &str) -> Result {
        match reduce {
            "sum" => self.sum(b, b.g()?),
            "mean" => self.mean(b),
            "prod" => self.prod(b),
            _ => self.extremum(b),
        }
    }

    /// Sums over the source's part of each group, from `start` on.
    fn add(&self, b: &Back<'c>, start: Value<'c>, s: Value<'c>) -> Result<Value<'c>> {
        b.op("fx.scatter_add", &[start, self.index, s], &at_dim(b, self.dim))
    }

    /// What belongs to groups, for each element of the source.
    fn spread(&self, b: &Back<'c>, value: Value<'c>) -> Result<Value<'c>> {
        b.op("fx.gather", &[value, self.index], &at_dim(b, self.dim))
    }

    /// A gradient of `input`: none where it was replaced.
    fn own(&self, b: &Back<'c>, g: Value<'c>) -> Result<Value<'c>> {
        if self.include_self {
            return Ok(g);
        }
        b.op("fx.scatter", &[g, self.index, b.number(0.0)], &at_dim(b, self.dim))
    }

    fn give_source(&self, b: &Back<'c>, g: Value<'c>) -> Result {
        if b.wants(self.source) {
            b.give(self.source, in_corner(b, g, b.op.operand(self.source)?)?);
        }
        Ok(())
    }

    /// `g` to each.
    fn sum(&self, b: &Back<'c>, g: Value<'c>) -> Result {
        b.give("input", self.own(b, g)?);
        self.give_source(b, self.spread(b, g)?)
    }

    /// `g / n` to each.
    fn mean(&self, b: &Back<'c>) -> Result {
        let (g, one) = (b.g()?, b.number(1.0));
        let dtype = ("dtype", Attribute::from_type(g.ty().element()));
        let start = b.op("fx.full_like", &[self.x, b.number(f64::from(u8::from(self.include_self)))], &[dtype])?;
        let ones = b.op("fx.full_like", &[self.s, one], &[dtype])?;
        let count = self.add(b, start, ones)?;
        let count = b.select(b.eq(count, b.number(0.0))?, one, count)?;
        self.sum(b, b.div(g, count)?)
    }

    /// `g` to those that equal the result, in equal parts.
    fn extremum(&self, b: &Back<'c>) -> Result {
        let (g, y) = (b.g()?, b.y(0)?);
        let own_wins = b.eq(self.x, y)?;
        let wins = b.eq(self.s, self.spread(b, y)?)?;
        let count = self.add(b, b.cast(own_wins, g.ty().element())?, b.cast(wins, g.ty().element())?)?;
        let share = b.div(g, count)?;
        b.give("input", self.own(b, b.select(own_wins, share, b.number(0.0))?)?);
        self.give_source(b, b.select(wins, self.spread(b, share)?, b.number(0.0))?)
    }

    /// `g` times the product of the others: see [`all_but_one`].
    fn prod(&self, b: &Back<'c>) -> Result {
        let (own, source) = (factors(b, self.x)?, factors(b, self.s)?);
        let (zero, one) = (b.number(0.0), b.number(1.0));
        let start = |x: Value<'c>, absent: Value<'c>| {
            if self.include_self { Ok(x) } else { b.op("fx.full_like", &[x, absent], &[]) }
        };
        let mut product = start(own.rest, one)?;
        let attributes = [at_dim(b, self.dim), vec![("reduce", Attribute::string(b.context(), "multiply"))]].concat();
        product = b.op("fx.scatter", &[product, self.index, source.rest], &attributes)?;
        let zeros = self.add(b, start(own.is_zero, zero)?, source.is_zero)?;
        let missing = self.add(b, start(own.zero, zero)?, source.zero)?;
        let g = b.g()?;
        if b.wants("input") {
            let factor = if self.include_self { b.conj(all_but_one(b, &own, product, zeros, missing)?)? } else { one };
            b.give("input", self.own(b, b.mul(g, factor)?)?);
        }
        if b.wants(self.source) {
            let [g, product, zeros, missing] = [g, product, zeros, missing].map(|value| self.spread(b, value));
            let others = all_but_one(b, &source, product?, zeros?, missing?)?;
            self.give_source(b, b.mul(g?, b.conj(others)?)?)?;
        }
        Ok(())
    }
}

//===----------------------------------------------------------------------===//
// Slices along one dim
//===----------------------------------------------------------------------===//

/// Slices at positions: added up there.
pub fn index_select(b: &Back<'_>) -> Result {
    let (g, input) = (b.g()?, b.op.operand("input")?);
    let sum = match input.ty().rank() {
        0 => b.view(g, &[])?,
        _ => b.op("fx.index_add", &[blank(b, "input", g)?, b.op.operand("index")?, g], &at_dim(b, along(b)?))?,
    };
    b.give("input", sum);
    Ok(())
}

/// The gradient's slices at the positions of a write.
fn read_slices(b: &Back<'_>) -> Result<()> {
    if b.wants("source") {
        let (g, index) = (b.g()?, b.op.operand("index")?);
        let mut found = b.op("fx.index_select", &[g, index], &at_dim(b, along(b)?))?;
        if let Some(alpha) = b.op.op.float("alpha").filter(|alpha| *alpha != 1.0) {
            found = b.mul(found, b.number(alpha))?;
        }
        b.give("source", b.view(found, &b.dims(b.op.operand("source")?))?);
    }
    Ok(())
}

/// Slices added at positions.
pub fn index_add(b: &Back<'_>) -> Result {
    b.give("input", b.g()?);
    read_slices(b)
}

/// Slices at positions set to a number.
fn filled<'c>(b: &Back<'c>, x: Value<'c>, number: f64) -> Result<Value<'c>> {
    b.op("fx.index_fill", &[x, b.op.operand("index")?, b.number(number)], &at_dim(b, along(b)?))
}

/// Slices written to positions.
pub fn index_copy(b: &Back<'_>) -> Result {
    b.give("input", filled(b, b.g()?, 0.0)?);
    read_slices(b)
}

/// Slices set to one value, which gets the sum over each position once.
pub fn index_fill(b: &Back<'_>) -> Result {
    let g = b.g()?;
    b.give("input", filled(b, g, 0.0)?);
    if b.wants("value") {
        let here = b.ne(filled(b, blank(b, "input", g)?, 1.0)?, b.number(0.0))?;
        b.give("value", b.select(here, g, b.number(0.0))?);
    }
    Ok(())
}

//===----------------------------------------------------------------------===//
// Positions in the flattened tensor
//===----------------------------------------------------------------------===//

/// Elements at positions: added up there.
pub fn take(b: &Back<'_>) -> Result {
    let g = b.g()?;
    b.give("input", b.op("fx.put", &[blank(b, "input", g)?, b.op.operand("index")?, g], &[accumulate(b)])?);
    Ok(())
}

/// Values written to, or added at, positions.
pub fn put(b: &Back<'_>) -> Result {
    let (g, index) = (b.g()?, b.op.operand("index")?);
    if b.wants("input") {
        let whole = b.op.op.flag("accumulate");
        b.give("input", if whole { g } else { b.op("fx.put", &[g, index, blank(b, "source", g)?], &[])? });
    }
    if b.wants("source") {
        b.give("source", b.view(b.op("fx.take", &[g, index], &[])?, &b.dims(b.op.operand("source")?))?);
    }
    Ok(())
}

//===----------------------------------------------------------------------===//
// Masks and repetition
//===----------------------------------------------------------------------===//

/// The elements where a mask is true: back to their places.
pub fn masked_select(b: &Back<'_>) -> Result {
    let g = b.g()?;
    b.give("input", b.op("fx.masked_scatter", &[blank(b, "input", g)?, b.op.operand("mask")?, g], &[])?);
    Ok(())
}

/// Elements where a mask is true replaced in order.
pub fn masked_scatter(b: &Back<'_>) -> Result {
    let (g, mask) = (b.g()?, b.op.operand("mask")?);
    b.give("input", b.select(mask, b.number(0.0), g)?);
    if b.wants("source") {
        let sizes = b.dims(b.op.operand("source")?);
        b.give("source", b.sized("fx.masked_scatter_backward", &[g, mask], "sizes", &sizes, &[])?);
    }
    Ok(())
}

/// The elements where a mask is true, and zeros: back to their places.
pub fn masked_scatter_backward(b: &Back<'_>) -> Result {
    let g = b.g()?;
    b.give("grad_output", b.op("fx.masked_scatter", &[blank(b, "grad_output", g)?, b.op.operand("mask")?, g], &[])?);
    Ok(())
}

/// Slices repeated as a tensor says: the sum of the copies.
pub fn repeat_interleave(b: &Back<'_>) -> Result {
    let (g, input) = (b.g()?, b.op.operand("input")?);
    let sizes = b.dims(input);
    let given = b.op.op.int("dim").filter(|_| !sizes.is_empty());
    let dim = given.map_or(Ok(0), |dim| b.op.normalize(dim, sizes.len()))?;
    let target = if given.is_some() { sizes.clone() } else { vec![fold(b, &sizes)] };
    // One number holds for all slices.
    let repeats = b.expand(flat(b, b.op.operand("repeats")?)?, &[target[dim]])?;
    let slices = b.named("fx.repeat_interleave", &[("repeats", repeats)], &[("output_size", &b.op.sizes("output_size"))], &[])?;
    let sum = b.op("fx.index_add", &[full(b, &target, 0.0, g)?, slices.result(0), g], &at_dim(b, dim))?;
    b.give("input", b.view(sum, &sizes)?);
    Ok(())
}

//===----------------------------------------------------------------------===//
// Tables
//===----------------------------------------------------------------------===//

fn padding_of<'c>(b: &Back<'c>) -> Dim<'c> {
    b.op.sizes("padding_idx").first().copied().unwrap_or(Dim::Static(-1))
}

/// Rows of gradients added up in a table.
fn table_gradient<'c>(b: &Back<'c>, rows: Value<'c>, padding: Dim<'c>) -> Result {
    let count = b.dims(b.op.operand("weight")?)[0];
    let operands = [("grad_output", rows), ("indices", b.op.operand("indices")?)];
    let lists: [(&str, &[Dim<'c>]); 2] = [("num_weights", &[count]), ("padding_idx", &[padding])];
    let table = b.named("fx.embedding_dense_backward", &operands, &lists, &b.op.attributes(&["scale_grad_by_freq"]))?;
    b.give("weight", table.result(0));
    Ok(())
}

/// Rows of a table: added up there, but for the padding's.
pub fn embedding(b: &Back<'_>) -> Result {
    table_gradient(b, b.g()?, padding_of(b))
}

/// Rows added up in a table: each gets what its row got, none the padding's; divided by how often a row occurs if the op
/// does so.
pub fn embedding_dense_backward<'c>(b: &Back<'c>) -> Result {
    let (g, indices) = (b.g()?, b.op.operand("indices")?);
    let nowhere: [(&str, &[Dim<'c>]); 1] = [("padding_idx", &[Dim::Static(-1)])];
    let rows = |table: Value<'c>| Ok(b.named("fx.embedding", &[("weight", table), ("indices", indices)], &nowhere, &[])?.result(0));
    let mut found = rows(g)?;
    let mut column = b.dims(indices);
    column.push(Dim::Static(1));
    if b.op.op.flag("scale_grad_by_freq") {
        let operands = [("grad_output", full(b, &column, 1.0, g)?), ("indices", indices)];
        let lists: [(&str, &[Dim<'c>]); 2] = [("num_weights", &b.op.sizes("num_weights")), ("padding_idx", &[Dim::Static(-1)])];
        let counts = b.named("fx.embedding_dense_backward", &operands, &lists, &[])?.result(0);
        found = b.div(found, rows(counts)?)?;
    }
    if padding_of(b).known().is_none_or(|padding| padding >= 0) {
        let padding = crate::sizes::value(b, padding_of(b));
        let is_padding = b.view(b.eq(indices, padding)?, &column)?;
        found = b.select(is_padding, b.number(0.0), found)?;
    }
    b.give("grad_output", found);
    Ok(())
}

/// Bags of rows. Each row gets its bag's gradient (times its weight, or divided by the bag's size); of maxima, the row that
/// is the largest. Weights of samples get the product of row and gradient.
pub fn embedding_bag<'c>(b: &Back<'c>) -> Result {
    let g = b.g()?;
    let indices = b.op.operand("indices")?;
    let mode = b.op.op.int("mode").unwrap_or(0);
    let padding = Dim::Static(b.op.op.int("padding_idx").unwrap_or(-1));
    let (bags, zero) = (b.dims(g)[0], b.number(0.0));
    // There may be a size for the last offset too.
    let sizes = slice_value(b, b.op.op.result(2), 0, Dim::Static(0), Some(bags))?;
    if mode == 2 {
        let is_empty = b.view(b.eq(sizes, b.integer(0))?, &[bags, Dim::Static(1)])?;
        let places = b.select(is_empty, b.integer(0), b.op.op.result(3))?;
        b.give("weight", scattered(b, "weight", 0, places, b.select(is_empty, zero, g)?)?);
        return Ok(());
    }
    let count = b.dims(indices)[0];
    let column = [count, Dim::Static(1)];
    // The bag of an index is the last that starts at it or before.
    let mut starts = b.op.operand("offsets")?;
    if b.op.op.flag("include_last_offset") {
        starts = slice_value(b, starts, 0, Dim::Static(0), Some(bags))?;
    }
    let right = ("right", Attribute::bool(b.context(), true));
    let bag = b.sub(b.op("fx.searchsorted", &[starts, iota(b, count)?], &[right])?, b.integer(1))?;
    let pick = |x: Value<'c>, index: Value<'c>| b.op("fx.index_select", &[x, index], &at_dim(b, 0));
    let mut rows = pick(g, bag)?;
    if mode == 1 {
        let sizes = b.view(pick(sizes, bag)?, &column)?;
        rows = b.div(rows, b.op("fx.maximum", &[sizes, b.integer(1)], &[])?)?;
    }
    if b.wants("per_sample_weights") {
        let mut sums = b.reduce("fx.sum", b.mul(rows, pick(b.x("weight")?, indices)?)?, &[1], false)?;
        if padding != Dim::Static(-1) {
            sums = b.select(b.eq(indices, crate::sizes::value(b, padding))?, zero, sums)?;
        }
        b.give("per_sample_weights", sums);
    }
    if b.wants("weight") {
        if let Some(weights) = b.op.optional("per_sample_weights") {
            rows = b.mul(rows, b.view(b.widened(weights)?, &column)?)?;
        }
        table_gradient(b, rows, padding)?;
    }
    Ok(())
}
