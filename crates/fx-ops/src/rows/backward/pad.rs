//! Gradients of padding with elements of the input: dim by dim, the places that hold an element.

use fx_ir::{Result, Type};

use crate::fx_op::{Dim, FxOp};
use crate::lower::Lower;
use crate::rows::along::{Along, Term};
use crate::rows::derivatives;
use crate::rows::pad::{Edge, Pad, padded, pads};
use crate::rows::reduction::cast;
use crate::rows::spatial::within;
use crate::scalar::{Compare, Number, Scalars, opmath};
use crate::table::{OpRow, lowered};

/// The table.
pub static ROWS: &[OpRow] = &[
    lowered("fx.reflection_pad1d_backward", |cx, op| edge_backward(cx, op, 1, Edge::Reflect))
        .vjp(derivatives::pad::edge_pad_backward)
        .by(&["grad_output"])
        .sizes_of(&["input"]),
    lowered("fx.reflection_pad2d_backward", |cx, op| edge_backward(cx, op, 2, Edge::Reflect))
        .vjp(derivatives::pad::edge_pad_backward)
        .by(&["grad_output"])
        .sizes_of(&["input"]),
    lowered("fx.reflection_pad3d_backward", |cx, op| edge_backward(cx, op, 3, Edge::Reflect))
        .vjp(derivatives::pad::edge_pad_backward)
        .by(&["grad_output"])
        .sizes_of(&["input"]),
    lowered("fx.replication_pad1d_backward", |cx, op| edge_backward(cx, op, 1, Edge::Replicate))
        .vjp(derivatives::pad::edge_pad_backward)
        .by(&["grad_output"])
        .sizes_of(&["input"]),
    lowered("fx.replication_pad2d_backward", |cx, op| edge_backward(cx, op, 2, Edge::Replicate))
        .vjp(derivatives::pad::edge_pad_backward)
        .by(&["grad_output"])
        .sizes_of(&["input"]),
    lowered("fx.replication_pad3d_backward", |cx, op| edge_backward(cx, op, 3, Edge::Replicate))
        .vjp(derivatives::pad::edge_pad_backward)
        .by(&["grad_output"])
        .sizes_of(&["input"]),
];

fn edge_backward<'c>(cx: &mut Lower<'c>, op: FxOp<'c>, count: usize, edge: Edge) -> Result {
    let (mut g, input) = (cx.operand(op, "grad_output")?, cx.operand(op, "input")?);
    let element = op.result_element(0);
    let ty = opmath(cx.context(), element);
    cx.check_shape(&g.dims, &padded(cx, op, "padding", &input.dims, count, Some(edge)).0);
    for Pad { dim, before, after } in pads(cx, op, "padding", input.rank(), count) {
        let (size, padded) = (input.dims[dim], cx.dim_value(g.dims[dim]));
        let index = Type::index(cx.context());
        let value = |dim: Dim<'c>| Number { value: cx.dim_value(dim), ty: index };
        let left = cx.max(before, Dim::Static(0));
        let sides = Sides { before: value(before), left: value(left), size: value(size) };
        let steps = match edge {
            Edge::Replicate => cx.add(Dim::Static(1), cx.add(left, cx.max(after, Dim::Static(0)))),
            _ => Dim::Static(3),
        };
        g = Along { x: &g, dim, size, steps, weights: None, ty }.sum(cx, |body, q, r| {
            let s = &body.s;
            let (place, holds) = match edge {
                Edge::Replicate => sides.replicated(s, q, r),
                _ => sides.reflected(s, q, r),
            };
            Term { inside: s.and(holds, within(s, place, body.as_number(padded))), place, weight: Vec::new() }
        });
    }
    let result = cast(cx, &g, element);
    cx.set(op.op.result(0), result);
    Ok(())
}

/// A padded dim.
struct Sides<'c> {
    /// How much stands before it: negative if it is cropped there.
    before: Number<'c>,
    /// The same, 0 if it is cropped.
    left: Number<'c>,
    size: Number<'c>,
}

impl<'c> Sides<'c> {
    /// Place 0 of element q is its own; 1 and 2 are its images at the first and the last element, which have none.
    fn reflected(&self, s: &Scalars<'c>, q: Number<'c>, r: Number<'c>) -> (Number<'c>, Number<'c>) {
        let c = |value: i64| s.int(q.ty, value);
        let last = s.sub(self.size, c(1));
        let is = |value: i64| s.compare(Compare::Eq, r, c(value));
        let at_first = s.sub(self.before, q);
        let at_last = s.add(self.before, s.sub(s.mul(last, c(2)), q));
        let place = s.select(is(0), s.add(q, self.before), s.select(is(1), at_first, at_last));
        let edge = s.select(is(1), c(0), last);
        (place, s.or(is(0), s.compare(Compare::Ne, q, edge)))
    }

    /// Place 0 of element q is its own; then come those before the first element, and those after the last one.
    fn replicated(&self, s: &Scalars<'c>, q: Number<'c>, r: Number<'c>) -> (Number<'c>, Number<'c>) {
        let c = |value: i64| s.int(q.ty, value);
        let last = s.sub(self.size, c(1));
        let (own, first) = (s.compare(Compare::Eq, r, c(0)), s.compare(Compare::Le, r, self.left));
        let beyond = s.sub(s.add(s.add(self.before, last), r), self.left);
        let place = s.select(own, s.add(q, self.before), s.select(first, s.sub(self.before, r), beyond));
        let edge = s.select(first, c(0), last);
        (place, s.or(own, s.compare(Compare::Eq, q, edge)))
    }
}
