//! Padding: each element of the result is one of the input, or a number.

use fx_ir::{Result, Type, Value};

use crate::fx_op::{Dim, FxOp};
use crate::lower::{Body, Lower};
use crate::rows::derivatives;
use crate::rows::pointwise::attribute;
use crate::rows::shape::arrange::modulo;
use crate::rows::shape::read_at;
use crate::rows::spatial::read_inside;
use crate::scalar::Compare;
use crate::table::{OpRow, lowered};

/// The table.
pub static ROWS: &[OpRow] = &[
    lowered("fx.constant_pad_nd", constant).vjp(derivatives::pad::constant_pad_nd),
    lowered("fx.pad", |cx, op| match op.op.text("mode").unwrap_or("constant") {
        "constant" => constant(cx, op),
        "reflect" => edge(cx, op, "pad", Edge::Reflect),
        "replicate" => edge(cx, op, "pad", Edge::Replicate),
        _ => circular(cx, op),
    })
    .vjp(derivatives::pad::pad),
    lowered("fx.reflection_pad1d", |cx, op| edge(cx, op, "padding", Edge::Reflect)).vjp(derivatives::pad::edge_pad),
    lowered("fx.reflection_pad2d", |cx, op| edge(cx, op, "padding", Edge::Reflect)).vjp(derivatives::pad::edge_pad),
    lowered("fx.reflection_pad3d", |cx, op| edge(cx, op, "padding", Edge::Reflect)).vjp(derivatives::pad::edge_pad),
    lowered("fx.replication_pad1d", |cx, op| edge(cx, op, "padding", Edge::Replicate)).vjp(derivatives::pad::edge_pad),
    lowered("fx.replication_pad2d", |cx, op| edge(cx, op, "padding", Edge::Replicate)).vjp(derivatives::pad::edge_pad),
    lowered("fx.replication_pad3d", |cx, op| edge(cx, op, "padding", Edge::Replicate)).vjp(derivatives::pad::edge_pad),
];

/// What lies beyond the first and the last element.
#[derive(Clone, Copy)]
pub(crate) enum Edge {
    /// The elements before it, in reverse.
    Reflect,
    /// The edge again and again.
    Replicate,
}

/// How much is put before and after a dim; negative amounts crop.
pub(crate) struct Pad<'c> {
    pub(crate) dim: usize,
    pub(crate) before: Dim<'c>,
    pub(crate) after: Dim<'c>,
}

/// The dims that are padded. Pads come in pairs, those of the last dim first; one entry stands for `all`.
pub(crate) fn pads<'c>(cx: &Lower<'c>, op: FxOp<'c>, name: &str, rank: usize, all: usize) -> Vec<Pad<'c>> {
    let mut list = cx.sizes(op, name);
    if let [one] = list[..] {
        list = vec![one; 2 * all];
    }
    let pairs = list.chunks_exact(2).enumerate();
    pairs
        .map(|(k, pair)| Pad { dim: rank - 1 - k, before: pair[0], after: pair[1] })
        .filter(|pad| pad.before.known() != Some(0) || pad.after.known() != Some(0))
        .collect()
}

/// Sizes of the result, and for each padded dim the dim, how much is put before it, and its own size.
pub(crate) type Padded<'c> = (Vec<Dim<'c>>, Vec<(usize, Value<'c>, Value<'c>)>);

/// The same, with what is put there: nothing stands for a number.
pub(crate) fn padded<'c>(cx: &Lower<'c>, op: FxOp<'c>, name: &str, sizes: &[Dim<'c>], all: usize, edge: Option<Edge>) -> Padded<'c> {
    let mut dims = sizes.to_vec();
    let mut places = Vec::new();
    for Pad { dim, before, after } in pads(cx, op, name, sizes.len(), all) {
        dims[dim] = cx.add(cx.add(dims[dim], before), after);
        check_room(cx, op, sizes[dim], [before, after], edge);
        check_crop(cx, op, dims[dim]);
        places.push((dim, cx.dim_value(before), cx.dim_value(sizes[dim])));
    }
    (dims, places)
}

/// Checks, at run time, that the elements that are put beside a dim are there.
fn check_room<'c>(cx: &Lower<'c>, op: FxOp<'c>, size: Dim<'c>, pads: [Dim<'c>; 2], edge: Option<Edge>) {
    let one = Dim::Static(1);
    match edge {
        Some(Edge::Reflect) => check_pads(cx, op, cx.sub(size, one), pads),
        Some(Edge::Replicate) => cx.check_at_most(one, size, &too_little(op)),
        None => {}
    }
}

fn check_pads<'c>(cx: &Lower<'c>, op: FxOp<'c>, room: Dim<'c>, pads: [Dim<'c>; 2]) {
    pads.into_iter().for_each(|pad| cx.check_at_most(pad, room, &too_little(op)));
}

fn too_little(op: FxOp<'_>) -> String {
    format!("'{}' op pads by more than there is", op.op.name())
}

fn check_crop<'c>(cx: &Lower<'c>, op: FxOp<'c>, size: Dim<'c>) {
    cx.check_at_most(Dim::Static(0), size, &format!("'{}' op crops more than there is", op.op.name()));
}

fn constant<'c>(cx: &mut Lower<'c>, op: FxOp<'c>) -> Result {
    let input = cx.operand(op, "input")?;
    let (dims, places) = padded(cx, op, "pad", &input.dims, 0, None);
    let element = input.element;
    let result = cx.map(&dims, element, &[], |body, _| {
        let s = &body.s;
        let index = Type::index(s.context());
        let mut at: Vec<_> = (0..dims.len()).map(|i| body.index(i)).collect();
        let mut inside = s.int(Type::int(s.context(), 1), 1);
        for (dim, before, size) in places {
            let place = s.sub(body.as_number(at[dim]), body.as_number(before));
            let low = s.compare(Compare::Ge, place, s.int(index, 0));
            let high = s.compare(Compare::Lt, place, body.as_number(size));
            inside = s.and(inside, s.and(low, high));
            at[dim] = place.value;
        }
        read_inside(body, &input, &at, inside, attribute(s, op.op, "value", 0.0, element))
    });
    cx.set(op.op.result(0), result);
    Ok(())
}

fn edge<'c>(cx: &mut Lower<'c>, op: FxOp<'c>, name: &str, edge: Edge) -> Result {
    let input = cx.operand(op, "input")?;
    let all = match op.op.name().as_bytes() {
        [.., n @ b'1'..=b'3', b'd'] => usize::from(*n - b'0'),
        _ => 0,
    };
    let (dims, places) = padded(cx, op, name, &input.dims, all, Some(edge));
    let result = read_at(cx, &input, &dims, |body, mut at| {
        for (dim, before, size) in places {
            let place = body.s.sub(body.as_number(at[dim]), body.as_number(before)).value;
            at[dim] = beyond(body, edge, place, size);
        }
        at
    });
    cx.set(op.op.result(0), result);
    Ok(())
}

/// The other end lies beyond the first and the last element; what negative pads crop is gone before.
fn circular<'c>(cx: &mut Lower<'c>, op: FxOp<'c>) -> Result {
    let input = cx.operand(op, "input")?;
    let (mut dims, mut places) = (input.dims.clone(), Vec::new());
    let zero = Dim::Static(0);
    for Pad { dim, before, after } in pads(cx, op, "pad", dims.len(), 0) {
        let crop = cx.min(before, zero);
        let size = cx.add(cx.add(dims[dim], crop), cx.min(after, zero));
        check_pads(cx, op, dims[dim], [before, after]);
        dims[dim] = cx.add(cx.add(dims[dim], before), after);
        check_crop(cx, op, dims[dim]);
        places.push((dim, cx.dim_value(cx.max(before, zero)), cx.dim_value(size), cx.dim_value(crop)));
    }
    let result = read_at(cx, &input, &dims, |body, mut at| {
        for (dim, before, size, crop) in places {
            let place = body.s.sub(body.as_number(at[dim]), body.as_number(before)).value;
            let place = modulo(body, place, size);
            at[dim] = body.s.sub(body.as_number(place), body.as_number(crop)).value;
        }
        at
    });
    cx.set(op.op.result(0), result);
    Ok(())
}

/// A place that may lie outside of `[0, size)` as one inside.
fn beyond<'c>(body: &Body<'c>, edge: Edge, place: Value<'c>, size: Value<'c>) -> Value<'c> {
    let s = &body.s;
    let (at, zero) = (body.as_number(place), s.int(Type::index(s.context()), 0));
    let last = s.sub(body.as_number(size), s.int(zero.ty, 1));
    match edge {
        Edge::Replicate => s.min(s.max(at, zero), last).value,
        Edge::Reflect => {
            let size_of = |x| s.max(x, s.sub(zero, x));
            // last - |last - |i||
            s.sub(last, size_of(s.sub(last, size_of(at)))).value
        }
    }
}
