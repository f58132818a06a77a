//! Unpooling: values back at the places that pooling took them from.

use fx_ir::{Result, Type};

use crate::fx_op::{Dim, FxOp};
use crate::lower::{Body, Ix, Lower, Operand, Tensor};
use crate::rows::derivatives;
use crate::rows::spatial::{flat, size_values};
use crate::scalar::{Compare, Number, Scalars};
use crate::table::{OpRow, lowered};

/// The table.
pub static ROWS: &[OpRow] = &[
    lowered("fx.max_unpool2d", |cx, op| max_unpool(cx, op, 2)).vjp(|b| derivatives::pooling::max_unpool(b, 2)),
    lowered("fx.max_unpool3d", |cx, op| max_unpool(cx, op, 3)).vjp(|b| derivatives::pooling::max_unpool(b, 3)),
];

/// Each place of the result looks for itself among all of the plane's indices; of several the last one counts, as in
/// ATen's loop.
fn max_unpool<'c>(cx: &mut Lower<'c>, op: FxOp<'c>, count: usize) -> Result {
    let (input, indices) = (cx.operand(op, "input")?, cx.operand(op, "indices")?);
    let lead = input.rank() - count;
    let outputs = cx.sizes(op, "output_size");
    let dims = [&input.dims[..lead], &outputs[..]].concat();
    let sizes = size_values(cx, &outputs);
    check_places(cx, op, &indices, &outputs);
    let rank = dims.len();
    let map: Vec<_> = (0..lead).chain(rank..rank + count).map(Ix::Loop).collect();
    let zero = Scalars::new(cx.b).int(input.element, 0);
    let operands = [input.clone(), indices].map(|tensor| Operand { tensor, map: map.clone() });
    let body = |body: &Body<'c>, a: &[Number<'c>], acc: &[Number<'c>]| {
        let s = &body.s;
        let places: Vec<_> = (0..count).map(|i| body.as_number(body.index(lead + i))).collect();
        let own = s.cast(flat(body, &places, &sizes), Type::int(s.context(), 64));
        vec![s.select(s.compare(Compare::Eq, a[1], own), a[0], acc[0])]
    };
    let result = cx.reduce(&dims, &input.dims[lead..], &[zero], &operands, body).remove(0);
    cx.set(op.op.result(0), result);
    Ok(())
}

/// Stops the program unless every index is one of a plane of these sizes.
fn check_places<'c>(cx: &Lower<'c>, op: FxOp<'c>, indices: &Tensor<'c>, sizes: &[Dim<'c>]) {
    let s = Scalars::new(cx.b);
    let ty = indices.element;
    let operand = Operand { tensor: indices.clone(), map: (0..indices.rank()).map(Ix::Loop).collect() };
    let ends = |body: &Body<'c>, a: &[Number<'c>], acc: &[Number<'c>]| vec![body.s.min(acc[0], a[0]), body.s.max(acc[1], a[0])];
    let ends = cx.reduce(&[], &indices.dims, &[s.int(ty, i64::MAX), s.int(ty, i64::MIN)], &[operand], ends);
    let [low, high] = [&ends[0], &ends[1]].map(|end| Number { value: cx.b.value("tensor.extract", &[end.value], ty, &[]), ty });
    let plane = cx.product(sizes);
    let places = s.cast(Number { value: cx.dim_value(plane), ty: Type::index(cx.context()) }, ty);
    let inside = s.and(s.compare(Compare::Ge, low, s.int(ty, 0)), s.compare(Compare::Lt, high, places));
    let range = plane.known().map_or("inside of the result".to_string(), |places| format!("in [0, {places})"));
    cx.check(inside.value, &format!("'{}' op expects 'indices' {range}", op.op.name()));
}
