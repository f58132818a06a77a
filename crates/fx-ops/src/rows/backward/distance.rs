//! Gradients of distances between rows (ATen's DistanceOpsKernel.cpp).

use fx_ir::{Result, Type};

use crate::fx_op::{Dim, FxOp};
use crate::lower::{Body, Ix, Lower, Operand, Tensor};
use crate::rows::derivatives;
use crate::rows::reduction::cast;
use crate::rows::spatial::guarded;
use crate::scalar::{Compare, Number, Scalars, opmath};
use crate::table::{OpRow, lowered};

/// The table.
pub static ROWS: &[OpRow] = &[
    lowered("fx.cdist_backward", cdist).vjp(derivatives::distance::cdist_backward).kinked(),
    lowered("fx.pdist_backward", pdist).vjp(derivatives::distance::pdist_backward).kinked(),
];

/// `y[.., i, k] = sum_j grad[.., i, j] * d cdist[.., i, j] / d x1[.., i, k]`
fn cdist<'c>(cx: &mut Lower<'c>, op: FxOp<'c>) -> Result {
    let (g, distance) = (cx.operand(op, "grad")?, cx.operand(op, "cdist")?);
    let (x1, x2) = (cx.operand(op, "x1")?, cx.operand(op, "x2")?);
    let p = op.float("p")?;
    let batch = cx.broadcast_dims(&[&x1.dims[..x1.rank() - 2], &x2.dims[..x2.rank() - 2]]);
    let (rows, columns, width) = (x1.dims[x1.rank() - 2], x2.dims[x2.rank() - 2], x1.dims[x1.rank() - 1]);
    let dims = [&batch[..], &[rows, width]].concat();
    let (row, place, column) = (Ix::Loop(batch.len()), Ix::Loop(batch.len() + 1), Ix::Loop(batch.len() + 2));
    // The batch dims broadcast, right-aligned; the last two are indexed as given.
    let operand = |tensor: &Tensor<'c>, last: [Ix; 2]| {
        let own = &tensor.dims[..tensor.rank() - 2];
        let mut map = cx.broadcast(&Tensor { dims: own.to_vec(), ..tensor.clone() }, &batch).map;
        map.extend(last);
        Operand { tensor: tensor.clone(), map }
    };
    let operands =
        [operand(&g, [row, column]), operand(&distance, [row, column]), operand(&x1, [row, place]), operand(&x2, [column, place])];
    let ty = opmath(cx.context(), op.result_element(0));
    let zero = Scalars::new(cx.b).constant(ty, 0.0);
    let body = |body: &Body<'c>, a: &[Number<'c>], acc: &[Number<'c>]| {
        let s = &body.s;
        let [g, distance, x, y] = [a[0], a[1], a[2], a[3]].map(|number| s.cast(number, ty));
        vec![s.add(acc[0], slope(s, s.sub(x, y), g, distance, p))]
    };
    let sum = cx.reduce(&dims, &[columns], &[zero], &operands, body).remove(0);
    let result = cast(cx, &sum, op.result_element(0));
    cx.set(op.op.result(0), result);
    Ok(())
}

/// `y[i, k] = sum over j != i of grad[i, j] * d pdist[i, j] / d input[i, k]`, where pairs i < j are numbered row by row.
fn pdist<'c>(cx: &mut Lower<'c>, op: FxOp<'c>) -> Result {
    let (g, x, distance) = (cx.operand(op, "grad")?, cx.operand(op, "input")?, cx.operand(op, "pdist")?);
    let p = op.float("p")?;
    let pairs = cx.floor_div(cx.mul(x.dims[0], cx.sub(x.dims[0], Dim::Static(1))), Dim::Static(2));
    cx.check_shape(&[g.dims[0], distance.dims[0]], &[pairs; 2]);
    let rows = cx.dim_value(x.dims[0]);
    let ty = opmath(cx.context(), op.result_element(0));
    let zero = Scalars::new(cx.b).constant(ty, 0.0);
    let body = |body: &Body<'c>, _: &[Number<'c>], acc: &[Number<'c>]| {
        let s = &body.s;
        let (i, k, j) = (body.as_number(body.index(0)), body.index(1), body.as_number(body.index(2)));
        let c = |value: i64| s.int(Type::index(s.context()), value);
        let (low, high) = (s.min(i, j), s.max(i, j));
        let before = s.div(s.mul(low, s.sub(s.sub(s.mul(body.as_number(rows), c(2)), low), c(1))), c(2));
        let pair = s.sub(s.add(before, s.sub(high, low)), c(1)).value;
        let share = guarded(body, s.compare(Compare::Ne, i, j), s.constant(ty, 0.0), |inner| {
            let s = &inner.s;
            let read = |tensor: &Tensor<'c>, at: &[fx_ir::Value<'c>]| s.cast(inner.extract(tensor, at), ty);
            let difference = s.sub(read(&x, &[i.value, k]), read(&x, &[j.value, k]));
            slope(s, difference, read(&g, &[pair]), read(&distance, &[pair]), p)
        });
        vec![s.add(acc[0], share)]
    };
    let dims: [Dim<'c>; 2] = [x.dims[0], x.dims[1]];
    let sum = cx.reduce(&dims, &x.dims[..1], &[zero], &[], body).remove(0);
    let result = cast(cx, &sum, op.result_element(0));
    cx.set(op.op.result(0), result);
    Ok(())
}

/// `g d/dx (sum |x|^p)^(1/p)` for one x, where the whole distance is known; 0 where the distance is.
fn slope<'c>(s: &Scalars<'c>, x: Number<'c>, g: Number<'c>, distance: Number<'c>, p: f64) -> Number<'c> {
    let c = |value: f64| s.constant(x.ty, value);
    let zero = c(0.0);
    let positive = s.compare(Compare::Gt, x, zero);
    let negative = s.compare(Compare::Lt, x, zero);
    // NaN stays NaN.
    let sign = s.select(positive, c(1.0), s.select(negative, c(-1.0), x));
    let power = |base: Number<'c>, exponent: f64| s.op("math.powf", &[base, c(exponent)]);
    let none = s.compare(Compare::Eq, distance, zero);
    if p == 0.0 {
        return zero;
    }
    if p == 1.0 {
        return s.mul(g, sign);
    }
    if p.is_infinite() {
        let largest = s.compare(Compare::Eq, s.abs(x), distance);
        return s.mul(s.mul(g, sign), s.select(largest, c(1.0), zero));
    }
    if p == 2.0 {
        return s.select(none, zero, s.div(s.mul(g, x), distance));
    }
    let scaled = s.div(g, power(distance, p - 1.0));
    if p > 2.0 {
        return s.select(none, zero, s.mul(s.mul(x, power(s.abs(x), p - 2.0)), scaled));
    }
    // Below 1 the slope at 0 is infinite, and counts as 0.
    let none = if p < 1.0 { s.or(none, s.compare(Compare::Eq, x, zero)) } else { none };
    s.select(none, zero, s.mul(s.mul(sign, power(s.abs(x), p - 1.0)), scaled))
}
