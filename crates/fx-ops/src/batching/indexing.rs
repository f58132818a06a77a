//! Vectorised lookups, and writes at positions that tensors hold.
//!
//! Where positions are the same for each index of the further dim, that dim is one that the op leaves alone; else the op becomes one
//! with a position for each element, or gets the further dim's own indices as a first tensor of positions.

use fx_ir::{Attribute, NumberKind, Result, Type, Value};

use super::{Batch, in_loop, moved, with_ones};
use crate::fx_builder::Fx;
use crate::fx_op::Dim;
use crate::sizes::times;

/// A position per element: all tensors have one rank, and `dim` is the one that positions are in.
pub fn per_element<'c>(b: &Batch<'c>) -> Result<Vec<Value<'c>>> {
    let tensors: Vec<_> = (0..b.operands.len()).filter(|place| b.operands[*place].0.ty().is_tensor()).collect();
    let Some(dim) = b.op.op.int("dim").filter(|_| b.ranks[0] > 0) else { return in_loop() };
    if tensors.iter().any(|place| b.ranks[*place] != b.ranks[0]) {
        return in_loop();
    }
    let operand = |place: usize| if tensors.contains(&place) { b.batched(place) } else { Ok(b.operands[place].0) };
    let operands = (0..b.operands.len()).map(operand).collect::<Result<Vec<_>>>()?;
    b.rebuild(&operands, &[("dim", Attribute::i64(b.f.context(), moved(dim, b.ranks[0])))])
}

/// Slices at positions in `dim`.
pub fn index_select<'c>(b: &Batch<'c>) -> Result<Vec<Value<'c>>> {
    along_list(b, |f, [input, index, _], dim| f.op("fx.gather", &[input, index], &[dim]))
}

/// Slices written to positions.
pub fn index_copy<'c>(b: &Batch<'c>) -> Result<Vec<Value<'c>>> {
    along_list(b, |f, [input, index, source], dim| f.op("fx.scatter", &[input, index, source], &[dim]))
}

/// Slices added at positions; times a number where each index has positions of its own, it is a loop.
pub fn index_add<'c>(b: &Batch<'c>) -> Result<Vec<Value<'c>>> {
    if b.operands[1].1 && b.op.op.attribute("alpha").is_some() {
        return in_loop();
    }
    along_list(b, |f, [input, index, source], dim| f.op("fx.scatter_add", &[input, index, source], &[dim]))
}

/// Slices reduced into positions.
pub fn index_reduce<'c>(b: &Batch<'c>) -> Result<Vec<Value<'c>>> {
    let kept = b.op.attributes(&["reduce", "include_self"]);
    along_list(b, |f, [input, index, source], dim| f.op("fx.scatter_reduce", &[input, index, source], &[&[dim], &kept[..]].concat()))
}

/// An op along `dim` of operand 0 at the positions that operand 1, a list, holds, with slices as operand 2 if there is one. `twin`
/// builds the same from positions for each element.
fn along_list<'c>(
    b: &Batch<'c>,
    twin: impl FnOnce(&Fx<'c>, [Value<'c>; 3], (&str, Attribute<'c>)) -> Result<Value<'c>>,
) -> Result<Vec<Value<'c>>> {
    let rank = b.ranks[0];
    let Some(dim) = b.op.op.int("dim").filter(|_| rank > 0) else { return in_loop() };
    let dim = moved(dim, rank);
    let attribute = ("dim", Attribute::i64(b.f.context(), dim));
    let input = b.batched(0)?;
    let source = (b.operands.len() > 2).then(|| b.batched(2)).transpose()?;
    let (index, is_batched) = b.operands[1];
    if !is_batched {
        let operands: Vec<_> = [input, index].into_iter().chain(source).collect();
        return b.rebuild(&operands, &[attribute]);
    }
    if source.is_some_and(|source| source.ty().rank() != rank + 1) {
        return in_loop();
    }
    let mut sizes = b.f.dims(input);
    let own = b.f.dims(index);
    let count = own.get(1).copied().unwrap_or(Dim::Static(1));
    let mut ones = vec![Dim::Static(1); rank + 1];
    (ones[0], ones[dim as usize], sizes[dim as usize]) = (own[0], count, count);
    let index = b.f.expand(b.f.view(index, &ones)?, &sizes)?;
    Ok(vec![twin(&b.f, [input, index, source.unwrap_or(input)], attribute)?])
}

/// Rows of a table by their numbers: a table for each index is a lookup per element.
pub fn embedding<'c>(b: &Batch<'c>) -> Result<Vec<Value<'c>>> {
    if b.is_only(1) {
        return b.rebuild(&b.operands.iter().map(|(value, _)| *value).collect::<Vec<_>>(), &[]);
    }
    let f = &b.f;
    let (table, index) = (b.batched(0)?, b.batched(1)?);
    let (rows, own) = (f.dims(table), f.dims(index));
    let count = own[1..].iter().fold(Dim::Static(1), |count, size| times(f, count, *size));
    let index = f.expand(f.view(index, &[own[0], count, Dim::Static(1)])?, &[own[0], count, rows[2]])?;
    let found = f.op("fx.gather", &[table, index], &[("dim", Attribute::i64(f.context(), 1))])?;
    Ok(vec![f.view(found, &[&own[..], &rows[2..]].concat())?])
}

/// The gradient of a table: where positions are the same, the further dim becomes one of columns, else rows are summed per element.
pub fn embedding_backward<'c>(b: &Batch<'c>) -> Result<Vec<Value<'c>>> {
    let (f, rank) = (&b.f, b.ranks[0]);
    let (g, (index, is_batched)) = (b.batched(0)?, b.operands[1]);
    let dims = f.dims(g);
    let attributes: Vec<_> = b.op.op.attributes().into_iter().filter(|(name, _)| !name.starts_with("static_")).collect();
    let (rows, padding) = (b.op.sizes("num_weights"), b.op.sizes("padding_idx"));
    if !is_batched {
        let order: Vec<_> = (1..rank).chain([0, rank]).collect();
        let columns = times(f, dims[0], dims[rank]);
        let g = f.view(f.permute(g, &order)?, &[&dims[1..rank], &[columns]].concat())?;
        let tensors = [("grad_output", g), ("indices", index)];
        let lists: [(&str, &[Dim<'c>]); 2] = [("num_weights", &rows), ("padding_idx", &padding)];
        let attributes: Vec<_> = attributes.into_iter().filter(|(name, _)| *name != "operandSegmentSizes").collect();
        let table = f.named(b.op.op.name(), &tensors, &lists, &attributes)?.result(0);
        return Ok(vec![f.permute(f.view(table, &[rows[0], dims[0], dims[rank]])?, &[1, 0, 2])?]);
    }
    let padding = match padding[..] {
        [] => -1,
        [Dim::Static(padding)] => padding,
        _ => return in_loop(),
    };
    if b.op.op.flag("scale_grad_by_freq") {
        return in_loop();
    }
    let count = dims[1..rank].iter().fold(Dim::Static(1), |count, size| times(f, count, *size));
    let each = [dims[0], count, dims[rank]];
    let index = f.view(index, &[dims[0], count, Dim::Static(1)])?;
    let mut g = f.view(g, &each)?;
    if padding >= 0 {
        g = f.select(f.op("fx.eq", &[index, f.integer(padding)], &[])?, f.number(0.0), g)?;
    }
    let dtype = ("dtype", Attribute::from_type(g.ty().element()));
    let lists: [(&str, &[Dim<'c>]); 1] = [("size", &[dims[0], rows[0], dims[rank]])];
    let zeros = f.named("fx.full", &[("fill_value", f.number(0.0))], &lists, &[dtype])?.result(0);
    Ok(vec![f.op("fx.scatter_add", &[zeros, f.expand(index, &each)?, g], &[("dim", Attribute::i64(f.context(), 1))])?])
}

/// Elements of the flattened operand.
pub fn take<'c>(b: &Batch<'c>) -> Result<Vec<Value<'c>>> {
    if b.is_only(1) {
        return b.rebuild(&b.operands.iter().map(|(value, _)| *value).collect::<Vec<_>>(), &[]);
    }
    let flat = rows(&b.f, b.batched(0)?)?;
    let (index, is_batched) = b.operands[1];
    let present = bools(&b.f, &[is_batched, true]);
    let own = if is_batched { Some(numbers(b, b.ranks[1])?) } else { None };
    let operands: Vec<_> = std::iter::once(flat).chain(own).chain([index]).collect();
    Ok(vec![b.f.op("fx.index", &operands, &[present])?])
}

/// Values put at positions of the flattened operand.
pub fn put<'c>(b: &Batch<'c>) -> Result<Vec<Value<'c>>> {
    let f = &b.f;
    let input = b.batched(0)?;
    let operands = [rows(f, input)?, numbers(b, 1)?, rows(f, b.batched(1)?)?, rows(f, b.batched(2)?)?];
    let attributes = [&[bools(f, &[true, true])], &b.op.attributes(&["accumulate"])[..]].concat();
    let found = f.op("fx.index_put", &operands, &attributes)?;
    Ok(vec![f.view(found, &f.dims(input))?])
}

/// One value at positions in `dim`, which may count from the end.
pub fn index_fill<'c>(b: &Batch<'c>) -> Result<Vec<Value<'c>>> {
    let rank = b.ranks[0];
    let Some(dim) = b.op.op.int("dim").filter(|_| rank > 0) else { return in_loop() };
    let (dim, f) = (moved(dim, rank), &b.f);
    let (input, (value, differs)) = (b.batched(0)?, b.operands[2]);
    if !(b.operands[1].1 || differs) {
        return b.rebuild(&[input, b.operands[1].0, value], &[("dim", Attribute::i64(f.context(), dim))]);
    }
    let index = b.batched(1)?;
    let dims = f.dims(index);
    let index = f.view(index, &[dims[0], dims.get(1).copied().unwrap_or(Dim::Static(1))])?;
    let present: Vec<_> = (0..=dim).map(|place| place == 0 || place == dim).collect();
    let value = if value.ty().is_tensor() { f.cast(value, input.ty().element())? } else { number(f, value, input.ty().element())? };
    let value = if differs { with_ones(f, value, rank)? } else { value };
    Ok(vec![f.op("fx.index_put", &[input, numbers(b, 1)?, index, value], &[bools(f, &present)])?])
}

/// A slice or a range of `dim` overwritten: both tensors have the further dim, ranks aligned where the second one is broadcast.
pub fn overwritten<'c>(b: &Batch<'c>) -> Result<Vec<Value<'c>>> {
    let rank = b.ranks[0];
    let Some(dim) = b.op.op.int("dim").filter(|_| rank > 0) else { return in_loop() };
    let own = b.ranks[1];
    let is_range = b.op.op.attribute("static_index").is_none();
    let source = with_ones(&b.f, b.batched(1)?, if is_range { rank - own } else { 0 })?;
    let mut operands: Vec<_> = b.operands.iter().map(|(value, _)| *value).collect();
    (operands[0], operands[1]) = (b.batched(0)?, source);
    b.rebuild(&operands, &[("dim", Attribute::i64(b.f.context(), moved(dim, rank)))])
}

//===----------------------------------------------------------------------===//
// Advanced indexing
//===----------------------------------------------------------------------===//

/// What the positions of `fx.index` and `fx.index_put` are.
struct Positions {
    /// Of operands: where tensors of positions stand.
    places: std::ops::Range<usize>,
    /// For each dim from the first, whether it is indexed.
    present: Vec<bool>,
    /// Number of dims that are indexed.
    count: usize,
    /// The first of them.
    first: usize,
    /// Whether indexed dims stand next to each other.
    adjacent: bool,
    /// Rank of the positions, broadcast.
    rank: usize,
    /// Whether they differ for indices of the further dim.
    differ: bool,
}

/// None where masks differ: each has positions of its own number.
fn positions(b: &Batch<'_>) -> Option<Positions> {
    let present = b.op.op.attribute("present_indices").and_then(Attribute::as_bools)?;
    let places = b.op.range("indices");
    let mut indexed = Vec::new();
    let (mut dim, mut rank, mut has_mask) = (0, 0, false);
    let mut given = places.clone();
    for is_present in &present {
        let Some(place) = (if *is_present { given.next() } else { None }) else {
            dim += 1;
            continue;
        };
        let kind = b.operands[place].0.ty().element().number_kind();
        let is_mask = matches!(kind, NumberKind::Bool | NumberKind::Unsigned);
        has_mask |= is_mask;
        let count = if is_mask { b.ranks[place] } else { 1 };
        rank = rank.max(if is_mask { 1 } else { b.ranks[place] });
        indexed.extend(dim..dim + count);
        dim += count;
    }
    let differ = places.clone().any(|place| b.operands[place].1);
    let adjacent = indexed.windows(2).all(|pair| pair[1] == pair[0] + 1);
    let first = *indexed.first()?;
    (!(differ && has_mask)).then_some(Positions { places, present, count: indexed.len(), first, adjacent, rank, differ })
}

impl Positions {
    /// Tensors of positions: aligned, after those of the further dim, if they differ.
    fn tensors<'c>(&self, b: &Batch<'c>) -> Result<Vec<Value<'c>>> {
        let own = self.differ.then(|| numbers(b, self.rank)).transpose()?;
        let aligned = |place: usize| match b.operands[place] {
            (value, true) => with_ones(&b.f, value, self.rank - b.ranks[place]),
            (value, false) => Ok(value),
        };
        own.into_iter().map(Ok).chain(self.places.clone().map(aligned)).collect()
    }

    /// For each dim with the further one, whether it is indexed.
    fn present<'c>(&self, b: &Batch<'c>) -> (&'static str, Attribute<'c>) {
        bools(&b.f, &[&[self.differ], &self.present[..]].concat())
    }

    /// Where the dims of a lookup in a tensor with the further dim are put, of those it should have: the further one, `first` dims,
    /// positions, others.
    fn order(&self, rank: usize) -> Option<Vec<usize>> {
        let positions = |start: usize| start..start + self.rank;
        match (self.differ, self.adjacent) {
            // [b, positions, before, after] where dims before them come between
            (true, true) if self.first > 0 => {
                let before = 1 + self.rank..1 + self.rank + self.first;
                Some(std::iter::once(0).chain(before).chain(positions(1)).chain(1 + self.rank + self.first..rank).collect())
            }
            // [positions, b, others]
            (false, false) => Some(std::iter::once(self.rank).chain(positions(0)).chain(self.rank + 1..rank).collect()),
            _ => None,
        }
    }
}

/// Elements at the positions that tensors hold.
pub fn index<'c>(b: &Batch<'c>) -> Result<Vec<Value<'c>>> {
    let Some(positions) = positions(b) else { return in_loop() };
    let operands = [vec![b.batched(0)?], positions.tensors(b)?].concat();
    let found = b.f.op("fx.index", &operands, &[positions.present(b)])?;
    match positions.order(found.ty().rank()) {
        Some(order) => Ok(vec![b.f.permute(found, &order)?]),
        None => Ok(vec![found]),
    }
}

/// Values put at the positions that tensors hold.
pub fn index_put<'c>(b: &Batch<'c>) -> Result<Vec<Value<'c>>> {
    let (Some(positions), Some(place)) = (positions(b), b.op.range("values").next()) else { return in_loop() };
    let rank = b.ranks[0] + positions.rank - positions.count;
    if b.ranks[place] > rank {
        return in_loop();
    }
    let (value, is_batched) = b.operands[place];
    let value = match positions.order(rank + 1) {
        None if is_batched => with_ones(&b.f, value, rank - b.ranks[place])?,
        None => value,
        Some(_) if !is_batched && b.ranks[place] == 0 => value,
        Some(order) => {
            let mut inverse = vec![0; order.len()];
            order.iter().enumerate().for_each(|(at, from)| inverse[*from] = at);
            let aligned = if is_batched {
                with_ones(&b.f, value, rank - b.ranks[place])?
            } else {
                let ones = vec![Dim::Static(1); 1 + rank - b.ranks[place]];
                b.f.view(value, &[ones, b.f.dims(value)].concat())?
            };
            b.f.permute(aligned, &inverse)?
        }
    };
    let operands = [vec![b.batched(0)?], positions.tensors(b)?, vec![value]].concat();
    let attributes = [&[positions.present(b)], &b.op.attributes(&["accumulate"])[..]].concat();
    Ok(vec![b.f.op("fx.index_put", &operands, &attributes)?])
}

//===----------------------------------------------------------------------===//
// Parts
//===----------------------------------------------------------------------===//

/// The indices of the further dim, with `rank` dims of size 1 after it.
fn numbers<'c>(b: &Batch<'c>, rank: usize) -> Result<Value<'c>> {
    let f = &b.f;
    let dtype = ("dtype", Attribute::from_type(Type::int(f.context(), 64)));
    let lists: [(&str, &[Dim<'c>]); 3] = [("length", &[b.size]), ("start", &[Dim::Static(0)]), ("step", &[Dim::Static(1)])];
    let own = f.named("fx.iota", &[], &lists, &[dtype])?.result(0);
    f.view(own, &[&[b.size], &vec![Dim::Static(1); rank][..]].concat())
}

/// A tensor as one row for each index of its first dim.
fn rows<'c>(f: &Fx<'c>, x: Value<'c>) -> Result<Value<'c>> {
    let dims = f.dims(x);
    let length = dims[1..].iter().fold(Dim::Static(1), |length, size| times(f, length, *size));
    f.view(x, &[dims[0], length])
}

/// A number as a tensor of rank 0.
fn number<'c>(f: &Fx<'c>, value: Value<'c>, element: Type<'c>) -> Result<Value<'c>> {
    f.op("fx.full", &[value], &[("static_size", Attribute::i64s(f.context(), &[])), ("dtype", Attribute::from_type(element))])
}

fn bools<'c>(f: &Fx<'c>, values: &[bool]) -> (&'static str, Attribute<'c>) {
    ("present_indices", Attribute::bools(f.context(), values))
}
