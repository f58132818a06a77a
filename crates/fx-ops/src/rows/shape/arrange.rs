//! Elements in another order, repeated, or in overlapping parts.

use fx_ir::{Attribute, Result, Value};

use super::{affine, read_at, swap};
use crate::fx_builder::Fx;
use crate::fx_op::{Dim, FxOp};
use crate::lower::{Body, Ix, Lower, Operand};
use crate::rows::derivatives;
use crate::scalar::Compare;
use crate::table::{OpRow, composite, lowered};

/// The table.
pub static ROWS: &[OpRow] = &[
    composite("fx.movedim", movedim),
    lowered("fx.roll", roll).vjp(derivatives::shape::roll),
    composite("fx.rot90", rot90),
    lowered("fx.broadcast_in_dim", broadcast_in_dim).vjp(derivatives::shape::broadcast_in_dim),
    lowered("fx.repeat", repeat).vjp(derivatives::shape::repeat),
    lowered("fx.meshgrid", meshgrid).vjp(derivatives::shape::meshgrid),
    lowered("fx.diagonal", diagonal).vjp(derivatives::shape::diagonal),
    lowered("fx.unfold", unfold).vjp(derivatives::shape::moved),
];

/// Dim `source[k]` goes to `destination[k]`; the others keep their order.
fn movedim<'c>(f: &Fx<'c>, op: FxOp<'c>) -> Result<Vec<Value<'c>>> {
    let x = op.operand("input")?;
    let rank = x.ty().rank();
    let list = |name: &str| op.op.ints(name).unwrap_or_default().into_iter().map(|dim| op.normalize(dim, rank)).collect::<Result<Vec<_>>>();
    let (source, destination) = (list("source")?, list("destination")?);
    let mut rest = (0..rank).filter(|dim| !source.contains(dim));
    let order: Vec<_> = (0..rank)
        .filter_map(|place| match destination.iter().position(|dim| *dim == place) {
            Some(k) => source.get(k).copied(),
            None => rest.next(),
        })
        .collect();
    Ok(vec![if rank == 0 { x } else { f.permute(x, &order)? }])
}

/// `k` quarter turns from the first of `dims` towards the second.
fn rot90<'c>(f: &Fx<'c>, op: FxOp<'c>) -> Result<Vec<Value<'c>>> {
    let x = op.operand("input")?;
    let rank = x.ty().rank();
    let dims = op.op.ints("dims").unwrap_or_else(|| vec![0, 1]);
    let (a, b) = (op.normalize(dims[0], rank)?, op.normalize(dims[1], rank)?);
    let flip = |dims: &[usize]| {
        let dims: Vec<_> = dims.iter().map(|dim| *dim as i64).collect();
        f.op("fx.flip", &[x], &[("dims", Attribute::i64s(f.context(), &dims))])
    };
    Ok(match op.op.int("k").unwrap_or(1).rem_euclid(4) {
        1 => swap(f, flip(&[b])?, a, b)?,
        2 => vec![flip(&[a, b])?],
        3 => swap(f, flip(&[a])?, a, b)?,
        _ => vec![x],
    })
}

/// `a mod size` in `[0, size)`.
pub(crate) fn modulo<'c>(body: &Body<'c>, a: Value<'c>, size: Value<'c>) -> Value<'c> {
    let s = &body.s;
    let (a, size) = (body.as_number(a), body.as_number(size));
    let rest = s.rem(a, size);
    let negative = s.compare(Compare::Lt, rest, body.as_number(s.b.index(0)));
    s.select(negative, s.add(rest, size), rest).value
}

fn roll<'c>(cx: &mut Lower<'c>, op: FxOp<'c>) -> Result {
    let input = cx.operand(op, "input")?;
    let shape = input.dims.clone();
    let shifts = cx.sizes(op, "shifts");
    let dims = match op.op.ints("dims") {
        Some(dims) if !dims.is_empty() => dims.into_iter().map(|dim| op.normalize(dim, input.rank())).collect::<Result<Vec<_>>>()?,
        _ => vec![0],
    };
    let flat = op.op.ints("dims").is_none_or(|dims| dims.is_empty());
    let source = if flat { cx.reshape(&input, &[cx.product(&shape)]) } else { input };
    let rank = source.rank();
    let steps: Vec<_> = dims
        .iter()
        .zip(&shifts)
        .filter(|(dim, _)| **dim < rank)
        .map(|(dim, shift)| (*dim, cx.dim_value(*shift), cx.dim_value(source.dims[*dim])))
        .collect();
    let result = read_at(cx, &source, &source.dims, |body, mut at| {
        for (dim, shift, size) in steps {
            let place = body.s.b.value("arith.subi", &[at[dim], shift], shift.ty(), &[]);
            at[dim] = modulo(body, place, size);
        }
        at
    });
    let result = cx.reshape(&result, &shape);
    cx.set(op.op.result(0), result);
    Ok(())
}

fn broadcast_in_dim<'c>(cx: &mut Lower<'c>, op: FxOp<'c>) -> Result {
    let input = cx.operand(op, "input")?;
    let dims = cx.sizes(op, "shape");
    let places = op.op.ints("broadcast_dimensions").unwrap_or_default();
    let map = places
        .iter()
        .zip(&input.dims)
        .map(|(place, own)| {
            let place = *place as usize;
            if own.known() == Some(1) && dims[place].known() != Some(1) { Ix::Zero } else { Ix::Loop(place) }
        })
        .collect();
    let element = input.element;
    let result = cx.map(&dims, element, &[Operand { tensor: input, map }], |_, a| a[0]);
    cx.set(op.op.result(0), result);
    Ok(())
}

fn repeat<'c>(cx: &mut Lower<'c>, op: FxOp<'c>) -> Result {
    let input = cx.operand(op, "input")?;
    let mut repeats = cx.sizes(op, "repeats");
    let rank = repeats.len().max(input.rank());
    repeats.splice(0..0, std::iter::repeat_n(Dim::Static(1), rank - repeats.len()));
    let lead = rank - input.rank();
    let mut dims = repeats.clone();
    for (i, size) in input.dims.iter().enumerate() {
        dims[lead + i] = cx.mul(repeats[lead + i], *size);
    }
    let sizes: Vec<_> = input.dims.iter().map(|dim| cx.dim_value(*dim)).collect();
    let result =
        read_at(cx, &input, &dims, |body, at| {
            at[lead..]
                .iter()
                .enumerate()
                .map(|(i, at)| {
                    if repeats[lead + i].known() == Some(1) { *at } else { body.s.rem(body.as_number(*at), body.as_number(sizes[i])).value }
                })
                .collect()
        });
    cx.set(op.op.result(0), result);
    Ok(())
}

/// Each tensor along its own dim of a common grid.
fn meshgrid<'c>(cx: &mut Lower<'c>, op: FxOp<'c>) -> Result {
    let tensors = op.list("tensors").into_iter().map(|value| cx.tensor(value)).collect::<Result<Vec<_>>>()?;
    let mut dims: Vec<_> = tensors.iter().map(|tensor| tensor.dims.first().copied().unwrap_or(Dim::Static(1))).collect();
    let swapped = op.op.text("indexing") == Some("xy") && dims.len() > 1;
    if swapped {
        dims.swap(0, 1);
    }
    for (k, (tensor, value)) in tensors.into_iter().zip(op.op.results()).enumerate() {
        let place = if swapped && k < 2 { 1 - k } else { k };
        let map = tensor.dims.iter().map(|_| Ix::Loop(place)).collect();
        let result = cx.map(&dims, tensor.element, &[Operand { tensor, map }], |_, a| a[0]);
        cx.set(value, result);
    }
    Ok(())
}

/// The sizes of a diagonal of two dims: those of the other dims, and its length.
pub(crate) fn diagonal_dims<'c>(cx: &Lower<'c>, sizes: &[Dim<'c>], dim1: usize, dim2: usize, offset: i64) -> Vec<Dim<'c>> {
    let mut dims: Vec<_> = (0..sizes.len()).filter(|dim| *dim != dim1 && *dim != dim2).map(|dim| sizes[dim]).collect();
    let room = |dim: usize, before: i64| cx.sub(sizes[dim], Dim::Static(before.max(0)));
    dims.push(cx.max(cx.min(room(dim1, -offset), room(dim2, offset)), Dim::Static(0)));
    dims
}

fn diagonal<'c>(cx: &mut Lower<'c>, op: FxOp<'c>) -> Result {
    let input = cx.operand(op, "input")?;
    let rank = input.rank();
    let number = |name: &str, absent: i64| op.op.int(name).unwrap_or(absent);
    let (dim1, dim2) = (op.normalize(number("dim1", 0), rank)?, op.normalize(number("dim2", 1), rank)?);
    let offset = number("offset", 0);
    let (row, column) = ((-offset).max(0), offset.max(0));
    let dims = diagonal_dims(cx, &input.dims, dim1, dim2, offset);
    let (row, column, one) = (cx.b.index(row), cx.b.index(column), cx.b.index(1));
    let result = read_at(cx, &input, &dims, |body, loops| {
        let k = loops[rank - 2];
        let mut rest = loops.into_iter();
        (0..rank)
            .filter_map(|dim| match dim {
                _ if dim == dim1 => Some(affine(body, k, row, one)),
                _ if dim == dim2 => Some(affine(body, k, column, one)),
                _ => rest.next(),
            })
            .collect()
    });
    cx.set(op.op.result(0), result);
    Ok(())
}

/// Windows along one dim, the elements of each in a new last dim.
fn unfold<'c>(cx: &mut Lower<'c>, op: FxOp<'c>) -> Result {
    let input = cx.operand(op, "input")?;
    let rank = input.rank();
    let dim = op.dim("dimension", rank)?;
    let (size, step) = (Dim::Static(op.int("size")?), Dim::Static(op.int("step")?));
    let mut dims = input.dims.clone();
    if rank > 0 {
        dims[dim] = cx.add(cx.floor_div(cx.sub(dims[dim], size), step), Dim::Static(1));
    }
    dims.push(size);
    let step = cx.dim_value(step);
    let result = read_at(cx, &input, &dims, |body, mut at| {
        let inner = at.pop();
        if let (Some(inner), true) = (inner, rank > 0) {
            at[dim] = affine(body, at[dim], inner, step);
        }
        at
    });
    cx.set(op.op.result(0), result);
    Ok(())
}
