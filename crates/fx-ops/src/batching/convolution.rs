//! Vectorised convolutions: the further dim becomes part of the images' dim where inputs alone have it, else each of its indices
//! is a group (or several) of channels of its own.

use fx_ir::{Attribute, Op, Result, Value};

use super::{Batch, in_loop};
use crate::fx_builder::Fx;
use crate::fx_op::Dim;
use crate::sizes::times;

/// A convolution, transposed or not.
pub fn convolution<'c>(b: &Batch<'c>) -> Result<Vec<Value<'c>>> {
    let has = |name: &str| b.op.range(name).any(|place| b.operands[place].1);
    match (has("weight") || has("bias"), b.size) {
        (false, _) => as_images(b),
        (true, Dim::Static(size)) if size > 0 => as_groups(b, size),
        // How many groups there are must be known.
        (true, _) => in_loop(),
    }
}

/// The operand of a group, if there is one: its place, and its rank without the further dim.
fn operand(b: &Batch<'_>, name: &str) -> Option<(usize, usize)> {
    let place = b.op.range(name).next()?;
    Some((place, *b.ranks.get(place)?))
}

/// The same op on other tensors, with some lists of sizes changed.
fn again<'c>(b: &Batch<'c>, tensors: &[(&str, Value<'c>)], changed: &[(&str, Vec<Dim<'c>>)]) -> Result<Op<'c>> {
    let mut lists = changed.to_vec();
    let mut others: Vec<(&str, Attribute<'c>)> = Vec::new();
    for (name, value) in b.op.op.attributes() {
        match name.strip_prefix("static_") {
            Some(list) if changed.iter().any(|(name, _)| *name == list) => {}
            Some(list) => lists.push((list, b.op.sizes(list))),
            None if name == "operandSegmentSizes" => {}
            None => others.push((name, value)),
        }
    }
    let lists: Vec<(&str, &[Dim<'c>])> = lists.iter().map(|(name, sizes)| (*name, sizes.as_slice())).collect();
    b.f.named(b.op.op.name(), tensors, &lists, &others)
}

/// `[b n, c, p..]` of `[b, n, c, p..]`; without a dim of images `b` is that.
fn images<'c>(b: &Batch<'c>, x: Value<'c>, all: usize) -> Result<Value<'c>> {
    if x.ty().rank() == all { Ok(x) } else { joined(&b.f, x, 0) }
}

/// The opposite of [`images`]; `like` has the dims that were joined.
fn images_apart<'c>(b: &Batch<'c>, y: Value<'c>, like: Value<'c>) -> Result<Value<'c>> {
    let (own, made) = (b.f.dims(like), b.f.dims(y));
    if own.len() == made.len() { Ok(y) } else { b.f.view(y, &[&own[..2], &made[1..]].concat()) }
}

/// `[n, b c, p..]` of `[b, n, c, p..]`; `n` is 1 without a dim of images.
fn channels<'c>(b: &Batch<'c>, x: Value<'c>, all: usize) -> Result<Value<'c>> {
    let (f, dims) = (&b.f, b.f.dims(x));
    let x = if dims.len() == all { f.view(x, &[&dims[..1], &[Dim::Static(1)], &dims[1..]].concat())? } else { x };
    joined(f, f.permute(x, &images_second(all))?, 1)
}

/// The opposite of [`channels`].
fn channels_apart<'c>(b: &Batch<'c>, y: Value<'c>, size: i64, has_images: bool) -> Result<Value<'c>> {
    let f = &b.f;
    let all = y.ty().rank();
    let y = f.permute(apart(f, y, 1, size)?, &images_second(all))?;
    let made = f.dims(y);
    if has_images { Ok(y) } else { f.view(y, &[&made[..1], &made[2..]].concat()) }
}

/// The first two dims changed.
fn images_second(all: usize) -> Vec<usize> {
    [1, 0].into_iter().chain(2..=all).collect()
}

/// Dims `at` and the next as one.
fn joined<'c>(f: &Fx<'c>, x: Value<'c>, at: usize) -> Result<Value<'c>> {
    let mut dims = f.dims(x);
    let both = times(f, dims[at], dims[at + 1]);
    dims.splice(at..=at + 1, [both]);
    f.view(x, &dims)
}

/// Dim `at` as two, the first of `size`.
fn apart<'c>(f: &Fx<'c>, x: Value<'c>, at: usize, size: i64) -> Result<Value<'c>> {
    let mut dims = f.dims(x);
    let rest = match dims[at] {
        Dim::Static(both) => Dim::Static(both / size),
        Dim::Dynamic(both) => Dim::Dynamic(f.b.value("arith.divui", &[both, f.b.index(size)], both.ty(), &[])),
    };
    dims.splice(at..=at, [Dim::Static(size), rest]);
    f.view(x, &dims)
}

/// The groups of the op, `size` times; none if only a call knows how many there are.
fn groups<'c>(b: &Batch<'c>, size: i64) -> Option<Vec<Dim<'c>>> {
    match b.op.sizes("groups")[..] {
        [] => Some(vec![Dim::Static(size)]),
        [Dim::Static(groups)] => Some(vec![Dim::Static(groups * size)]),
        _ => None,
    }
}

fn as_images<'c>(b: &Batch<'c>) -> Result<Vec<Value<'c>>> {
    let (Some((input, _)), Some((weight, all))) = (operand(b, "input"), operand(b, "weight")) else { return in_loop() };
    let x = b.batched(input)?;
    let mut tensors = vec![("input", images(b, x, all)?), ("weight", b.operands[weight].0)];
    tensors.extend(operand(b, "bias").map(|(bias, _)| ("bias", b.operands[bias].0)));
    let y = again(b, &tensors, &[])?.result(0);
    Ok(vec![images_apart(b, y, x)?])
}

/// Inputs as [`channels`], and weights as `[b o, c, k..]`, in `size` times as many groups.
fn as_groups<'c>(b: &Batch<'c>, size: i64) -> Result<Vec<Value<'c>>> {
    let (Some((input, rank)), Some((weight, all))) = (operand(b, "input"), operand(b, "weight")) else { return in_loop() };
    let Some(groups) = groups(b, size) else { return in_loop() };
    let mut tensors = vec![("input", channels(b, b.batched(input)?, all)?), ("weight", joined(&b.f, b.batched(weight)?, 0)?)];
    if let Some((bias, _)) = operand(b, "bias") {
        tensors.push(("bias", joined(&b.f, b.batched(bias)?, 0)?));
    }
    let y = again(b, &tensors, &[("groups", groups)])?.result(0);
    Ok(vec![channels_apart(b, y, size, rank == all)?])
}

/// The gradients of a convolution: as images where that of inputs alone is asked for, and weights are the same, else as groups.
pub fn gradients<'c>(b: &Batch<'c>) -> Result<Vec<Value<'c>>> {
    let (Some((grad, rank)), Some((input, _)), Some((weight, all))) =
        (operand(b, "grad_output"), operand(b, "input"), operand(b, "weight"))
    else {
        return in_loop();
    };
    let (g, x) = (b.batched(grad)?, b.batched(input)?);
    let mask = b.op.op.attribute("output_mask").and_then(Attribute::as_bools).unwrap_or_default();
    if mask == [true, false, false] && !b.operands[weight].1 {
        let tensors = [("grad_output", images(b, g, all)?), ("input", images(b, x, all)?), ("weight", b.operands[weight].0)];
        let made = again(b, &tensors, &[])?;
        return Ok(vec![images_apart(b, made.result(0), x)?, made.result(1), made.result(2)]);
    }
    let Dim::Static(size @ 1..) = b.size else { return in_loop() };
    let Some(groups) = groups(b, size) else { return in_loop() };
    let tensors =
        [("grad_output", channels(b, g, all)?), ("input", channels(b, x, all)?), ("weight", joined(&b.f, b.batched(weight)?, 0)?)];
    let bias = b.op.sizes("bias_sizes").into_iter().map(|count| times(&b.f, count, Dim::Static(size))).collect();
    let made = again(b, &tensors, &[("groups", groups), ("bias_sizes", bias)])?;
    let result = |index: usize, has: bool| match (index, has) {
        (_, false) => Ok(made.result(index)),
        (0, true) => channels_apart(b, made.result(0), size, rank == all),
        (_, true) => apart(&b.f, made.result(index), 0, size),
    };
    mask.into_iter().enumerate().map(|(index, has)| result(index, has)).collect()
}
