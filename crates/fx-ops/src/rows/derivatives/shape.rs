//! Of views and of ops that move elements: linear maps, each with its transpose.

use fx_ir::{Attribute, Result, Type, Value};

use crate::fx_builder::Fx;
use crate::fx_op::Dim;
use crate::gradient::{Back, Conventions};
use crate::rows::matrix::fold;
use crate::rows::shape::slice_value;
use crate::sizes::{from_start, negated, plus};

/// Zeros of the sizes of an operand, in the element type of its cotangent.
pub(super) fn blank<'c>(b: &Back<'c>, name: &str, g: Value<'c>) -> Result<Value<'c>> {
    blank_like(b, b.op.operand(name)?, g)
}

/// Zeros of the sizes of a tensor, in the element type of a cotangent.
pub(super) fn blank_like<'c>(b: &Back<'c>, x: Value<'c>, g: Value<'c>) -> Result<Value<'c>> {
    b.op("fx.full_like", &[x, b.number(0.0)], &[("dtype", Attribute::from_type(g.ty().element()))])
}

/// One number in these sizes, in the element type of a cotangent.
pub(super) fn full<'c>(b: &Back<'c>, sizes: &[Dim<'c>], number: f64, g: Value<'c>) -> Result<Value<'c>> {
    let dtype = ("dtype", Attribute::from_type(g.ty().element()));
    Ok(b.named("fx.full", &[("fill_value", b.number(number))], &[("size", sizes)], &[dtype])?.result(0))
}

/// `fx.flip` along one dim.
pub(super) fn flipped<'c>(f: &Fx<'c>, x: Value<'c>, dim: usize) -> Result<Value<'c>> {
    f.op("fx.flip", &[x], &[("dims", Attribute::i64s(f.context(), &[dim as i64]))])
}

/// A tensor as a vector.
pub(super) fn flat<'c>(f: &Fx<'c>, x: Value<'c>) -> Result<Value<'c>> {
    f.view(x, &[fold(f, &f.dims(x))])
}

/// 0, 1, .. as i64.
pub(super) fn iota<'c>(f: &Fx<'c>, length: Dim<'c>) -> Result<Value<'c>> {
    let dtype = ("dtype", Attribute::from_type(Type::int(f.context(), 64)));
    let lists: [(&str, &[Dim<'c>]); 3] = [("length", &[length]), ("start", &[Dim::Static(0)]), ("step", &[Dim::Static(1)])];
    Ok(f.named("fx.iota", &[], &lists, &[dtype])?.result(0))
}

//===----------------------------------------------------------------------===//
// The same elements in another shape
//===----------------------------------------------------------------------===//

/// The same elements in another shape.
pub fn view(b: &Back<'_>) -> Result {
    let input = b.op.operand("input")?;
    b.give("input", b.view(b.g()?, &b.dims(input))?);
    Ok(())
}

/// Dims in another order: back.
pub fn permute(b: &Back<'_>) -> Result {
    let input = b.op.operand("input")?;
    let dims = b.op.op.ints("dims").unwrap_or_default();
    let mut inverse = vec![0; dims.len()];
    for (to, from) in dims.into_iter().enumerate() {
        inverse[b.op.normalize(from, input.ty().rank())?] = to;
    }
    b.give("input", b.permute(b.g()?, &inverse)?);
    Ok(())
}

/// Elements in reverse order: reversed again.
pub fn flip(b: &Back<'_>) -> Result {
    b.give("input", b.op("fx.flip", &[b.g()?], &b.op.attributes(&["dims"]))?);
    Ok(())
}

/// Elements moved round: moved back.
pub fn roll(b: &Back<'_>) -> Result {
    let shifts: Vec<_> = b.op.sizes("shifts").into_iter().map(|shift| negated(b, shift)).collect();
    b.give("input", b.sized("fx.roll", &[b.g()?], "shifts", &shifts, &b.op.attributes(&["dims"]))?);
    Ok(())
}

//===----------------------------------------------------------------------===//
// Repeated
//===----------------------------------------------------------------------===//

/// Elements repeated, by a broadcast: summed by whoever gets them.
pub fn expand(b: &Back<'_>) -> Result {
    b.give("input", b.g()?);
    Ok(())
}

/// Dims of the operand at places of the result: summed over all others.
pub fn broadcast_in_dim(b: &Back<'_>) -> Result {
    let g = b.g()?;
    let places = b.op.op.ints("broadcast_dimensions").unwrap_or_default();
    let others: Vec<_> = (0..g.ty().rank()).filter(|dim| !places.contains(&(*dim as i64))).collect();
    b.give("input", if others.is_empty() { g } else { b.reduce("fx.sum", g, &others, false)? });
    Ok(())
}

/// The whole several times: the sum of the copies.
pub fn repeat(b: &Back<'_>) -> Result {
    let (g, input) = (b.g()?, b.op.operand("input")?);
    let (mut repeats, sizes) = (b.op.sizes("repeats"), b.dims(input));
    let rank = repeats.len().max(sizes.len());
    repeats.splice(0..0, std::iter::repeat_n(Dim::Static(1), rank - repeats.len()));
    let (mut split, mut copies) = (Vec::new(), Vec::new());
    for (place, times) in repeats.into_iter().enumerate() {
        if times.known() != Some(1) {
            copies.push(split.len());
            split.push(times);
        }
        split.extend(place.checked_sub(rank - sizes.len()).map(|dim| sizes[dim]));
    }
    let split = b.view(g, &split)?;
    let sum = if copies.is_empty() { split } else { b.reduce("fx.sum", split, &copies, false)? };
    b.give("input", b.view(sum, &sizes)?);
    Ok(())
}

/// Each slice several times in a row: the sum of the copies.
pub fn repeat_interleave_int(b: &Back<'_>) -> Result {
    let (g, input) = (b.g()?, b.op.operand("input")?);
    let mut sizes = b.dims(input);
    let dim = match b.op.op.int("dim") {
        Some(dim) if !sizes.is_empty() => b.op.normalize(dim, sizes.len())?,
        _ => {
            sizes = vec![fold(b, &sizes)];
            0
        }
    };
    sizes.insert(dim + 1, b.op.sizes("repeats").first().copied().unwrap_or(Dim::Static(1)));
    let sum = b.reduce("fx.sum", b.view(g, &sizes)?, &[dim + 1], false)?;
    b.give("input", b.view(sum, &b.dims(input))?);
    Ok(())
}

/// Vectors along dims of a grid: the sums over its other dims.
pub fn meshgrid(b: &Back<'_>) -> Result {
    let tensors = b.op.list("tensors");
    let swapped = b.op.op.text("indexing") == Some("xy") && tensors.len() > 1;
    for (k, tensor) in tensors.iter().enumerate() {
        let Some(mut sum) = b.cotangent(k)? else { continue };
        let place = if swapped && k < 2 { 1 - k } else { k };
        let others: Vec<_> = (0..tensors.len()).filter(|dim| *dim != place).collect();
        if !others.is_empty() {
            sum = b.reduce("fx.sum", sum, &others, false)?;
        }
        b.give_nth("tensors", k, b.view(sum, &b.dims(*tensor))?);
    }
    Ok(())
}

/// One value everywhere: the sum of all gradients, by whoever gets it.
pub fn fill(b: &Back<'_>) -> Result {
    b.give("value", b.g()?);
    b.give("fill_value", b.g()?);
    Ok(())
}

/// Points from `start` to `end`: `t` of the way. With a base `y = base^point`: times `y ln base`.
pub fn linspace(b: &Back<'_>) -> Result {
    let mut g = b.g()?;
    if let Some(base) = b.op.op.float("base") {
        g = b.mul(g, b.conj(b.mul(b.y(0)?, b.number(base.ln()))?)?)?;
    }
    let mut attributes = b.op.attributes(&["steps"]);
    attributes.push(("dtype", Attribute::from_type(g.ty().element())));
    let part = |from: f64, to: f64| b.op("fx.linspace", &[b.number(from), b.number(to)], &attributes);
    b.give("start", b.mul(g, part(1.0, 0.0)?)?);
    b.give("end", b.mul(g, part(0.0, 1.0)?)?);
    Ok(())
}

//===----------------------------------------------------------------------===//
// Parts
//===----------------------------------------------------------------------===//

/// One index of a dim: zeros elsewhere.
pub fn select(b: &Back<'_>) -> Result {
    let g = b.g()?;
    let operands = [("input", blank(b, "input", g)?), ("src", g)];
    let whole = b.named("fx.select_scatter", &operands, &[("index", &b.op.sizes("index"))], &b.op.attributes(&["dim"]))?;
    b.give("input", whole.result(0));
    Ok(())
}

/// A range of a dim: zeros elsewhere.
pub fn slice(b: &Back<'_>) -> Result {
    let (start, end, mut step) = (b.op.sizes("start"), b.op.sizes("end"), b.op.sizes("step"));
    if step.is_empty() {
        step.push(Dim::Static(1));
    }
    range(b, &start, &end, &step)
}

/// A range of a dim by its length: zeros elsewhere.
pub fn narrow(b: &Back<'_>) -> Result {
    let input = b.op.operand("input")?;
    let size = b.dims(input)[b.op.dim("dim", input.ty().rank())?];
    let first = |name: &str| b.op.sizes(name).first().copied().unwrap_or(Dim::Static(0));
    let start = from_start(b, first("start"), size);
    range(b, &[start], &[plus(b, start, first("length"))], &[Dim::Static(1)])
}

fn range<'c>(b: &Back<'c>, start: &[Dim<'c>], end: &[Dim<'c>], step: &[Dim<'c>]) -> Result {
    let g = b.g()?;
    let lists = [("start", start), ("end", end), ("step", step)];
    let operands = [("input", blank(b, "input", g)?), ("src", g)];
    b.give("input", b.named("fx.slice_scatter", &operands, &lists, &b.op.attributes(&["dim"]))?.result(0));
    Ok(())
}

/// Parts along a dim: joined, zeros for those that nobody used.
pub fn split(b: &Back<'_>) -> Result {
    joined(b, "fx.cat")
}

/// Every index of a dim: stacked, zeros for those that nobody used.
pub fn unbind(b: &Back<'_>) -> Result {
    joined(b, "fx.stack")
}

fn joined(b: &Back<'_>, name: &str) -> Result {
    let parts = (0..b.op.op.results().len()).map(|k| b.cotangent_or_zeros(k)).collect::<Result<Vec<_>>>()?;
    b.give("input", b.op(name, &parts, &b.op.attributes(&["dim"]))?);
    Ok(())
}

/// The diagonal: zeros elsewhere.
pub fn diagonal(b: &Back<'_>) -> Result {
    let g = b.g()?;
    b.give("input", b.op("fx.diagonal_scatter", &[blank(b, "input", g)?, g], &b.op.attributes(&["offset", "dim1", "dim2"]))?);
    Ok(())
}

/// Elements that the op picks from `input`: the sum over the places where each went. The op itself, applied to the places
/// of the input, says where those come from.
pub fn moved(b: &Back<'_>) -> Result {
    let (g, input) = (b.g()?, b.op.operand("input")?);
    let sizes = b.dims(input);
    let mut operands = b.op.op.operands();
    for place in b.op.range("input") {
        operands[place] = b.view(iota(b, fold(b, &sizes))?, &sizes)?;
    }
    let places = b.op(b.op.op.name(), &operands, &b.op.op.attributes())?;
    let accumulate = ("accumulate", Attribute::bool(b.context(), true));
    b.give("input", b.op("fx.put", &[blank(b, "input", g)?, places, g], &[accumulate])?);
    Ok(())
}

/// The first elements in another shape, what lies beyond them undefined: back, with zeros for those that were dropped.
pub fn resize(b: &Back<'_>) -> Result {
    let (g, input) = (b.g()?, b.op.operand("input")?);
    let sizes = b.dims(input);
    let count = fold(b, &sizes);
    let longer = b.op("fx.cat", &[flat(b, g)?, full(b, &[count], 0.0, g)?], &[("dim", Attribute::i64(b.context(), 0))])?;
    let own = slice_value(b, longer, 0, Dim::Static(0), Some(count))?;
    b.give("input", b.view(own, &sizes)?);
    Ok(())
}

//===----------------------------------------------------------------------===//
// Joined
//===----------------------------------------------------------------------===//

/// Tensors one after another: each gets its part.
pub fn cat(b: &Back<'_>) -> Result {
    let g = b.g()?;
    let rank = g.ty().rank();
    let dim = b.op.normalize(b.op.op.int("dim").unwrap_or(0), rank)?;
    let mut start = Dim::Static(0);
    for (k, tensor) in b.op.list("tensors").into_iter().enumerate() {
        // An empty tensor of rank 1 joins anything.
        if tensor.ty().rank() == rank {
            let end = plus(b, start, b.dims(tensor)[dim]);
            if b.wants_nth("tensors", k) {
                b.give_nth("tensors", k, slice_value(b, g, dim, start, Some(end))?);
            }
            start = end;
        }
    }
    Ok(())
}

/// Tensors along a new dim: each gets its index.
pub fn stack(b: &Back<'_>) -> Result {
    let g = b.g()?;
    for k in 0..b.op.list("tensors").len() {
        if b.wants_nth("tensors", k) {
            let index = Dim::Static(k as i64);
            b.give_nth("tensors", k, b.sized("fx.select", &[g], "index", &[index], &b.op.attributes(&["dim"]))?);
        }
    }
    Ok(())
}

//===----------------------------------------------------------------------===//
// Parts overwritten
//===----------------------------------------------------------------------===//

/// A tensor with a part overwritten by `src`: zero there; `src` gets the part, which the op `part` reads.
fn overwritten<'c>(b: &Back<'c>, part: &str, lists: &[&str], attributes: &[&'static str]) -> Result {
    let g = b.g()?;
    let sizes: Vec<_> = lists.iter().map(|name| (*name, b.op.sizes(name))).collect();
    let lists: Vec<_> = sizes.iter().map(|(name, sizes)| (*name, sizes.as_slice())).collect();
    let attributes = b.op.attributes(attributes);
    if b.wants("input") {
        let operands = [("input", g), ("src", blank(b, "src", g)?)];
        b.give("input", b.named(b.op.op.name(), &operands, &lists, &attributes)?.result(0));
    }
    if b.wants("src") {
        b.give("src", b.named(part, &[("input", g)], &lists, &attributes)?.result(0));
    }
    Ok(())
}

/// One index of a dim overwritten.
pub fn select_scatter(b: &Back<'_>) -> Result {
    overwritten(b, "fx.select", &["index"], &["dim"])
}

/// A range of a dim overwritten.
pub fn slice_scatter(b: &Back<'_>) -> Result {
    overwritten(b, "fx.slice", &["start", "end", "step"], &["dim"])
}

/// A diagonal overwritten.
pub fn diagonal_scatter(b: &Back<'_>) -> Result {
    overwritten(b, "fx.diagonal", &[], &["offset", "dim1", "dim2"])
}

/// A strided view overwritten. In eager mode the operand gets the gradient of what was overwritten, and of nothing else.
pub fn as_strided_scatter(b: &Back<'_>) -> Result {
    const LISTS: [&str; 3] = ["size", "stride", "storage_offset"];
    if b.conventions == Conventions::Sane || !b.wants("input") {
        return overwritten(b, "fx.as_strided", &LISTS, &[]);
    }
    let g = b.g()?;
    let sizes = LISTS.map(|name| (name, b.op.sizes(name)));
    let lists = sizes.each_ref().map(|(name, sizes)| (*name, sizes.as_slice()));
    let part = b.named("fx.as_strided", &[("input", g)], &lists, &[])?.result(0);
    b.give("src", part);
    b.give("input", b.named(b.op.op.name(), &[("input", blank(b, "input", g)?), ("src", part)], &lists, &[])?.result(0));
    Ok(())
}

/// A triangle of each matrix: the same of the gradient.
pub fn triangle(b: &Back<'_>) -> Result {
    b.give("input", b.sized(b.op.op.name(), &[b.g()?], "diagonal", &b.op.sizes("diagonal"), &[])?);
    Ok(())
}

//===----------------------------------------------------------------------===//
// Complex numbers
//===----------------------------------------------------------------------===//

/// `i` times the gradient of an imaginary part.
pub fn imag(b: &Back<'_>) -> Result {
    let g = b.g()?;
    b.give("input", b.op("fx.complex", &[blank(b, "input", g)?, g], &[])?);
    Ok(())
}

/// Parts joined: each gets its own.
pub fn complex(b: &Back<'_>) -> Result {
    b.give("real", b.op("fx.real", &[b.g()?], &[])?);
    b.give("imag", b.op("fx.imag", &[b.g()?], &[])?);
    Ok(())
}
