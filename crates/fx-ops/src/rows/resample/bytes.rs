//! Resampling of bytes in fixed point, one dim after the other (note "Weights computation for uint8_t and multiplication
//! trick" in ATen's UpSampleKernel.cpp).

use fx_ir::Type;

use crate::fx_op::Dim;
use crate::lower::{Body, Ix, Lower, Operand, Tensor};
use crate::rows::resample::table::Table;
use crate::scalar::{Compare, Number, Scalars};

/// Bits of a weight are at most this many.
const MOST_BITS: i32 = 22;

/// Dim `dim` of a tensor of bytes resampled, rounded to bytes.
pub(super) fn apply<'c>(cx: &Lower<'c>, table: &Table<'c>, x: &Tensor<'c>, dim: usize) -> Tensor<'c> {
    let Some(weights) = &table.weights else { return table.apply(cx, x, dim, x.element, None) };
    let wide = Type::int(cx.context(), 32);
    let bits = precision(cx, weights);
    let identity = vec![Ix::Loop(0), Ix::Loop(1)];
    let operands = [Operand { tensor: weights.clone(), map: identity }, Operand { tensor: bits.clone(), map: Vec::new() }];
    let whole = cx.map(&weights.dims, wide, &operands, |body, a| {
        let s = &body.s;
        let half = s.constant(a[0].ty, 0.5);
        let scaled = s.mul(a[0], s.cast(s.op("arith.shli", &[s.int(wide, 1), a[1]]), a[0].ty));
        let negative = s.compare(Compare::Lt, scaled, s.constant(a[0].ty, 0.0));
        s.cast(s.select(negative, s.sub(scaled, half), s.add(scaled, half)), wide)
    });
    let sum = table.apply(cx, x, dim, wide, Some(&whole));
    let bits = Operand { tensor: bits, map: Vec::new() };
    cx.map(&sum.dims, x.element, &[cx.broadcast(&sum, &sum.dims), bits], |body, a| {
        let s = &body.s;
        let one = s.int(wide, 1);
        let half = s.op("arith.shli", &[one, s.sub(a[1], one)]);
        let rounded = s.op("arith.shrsi", &[s.add(a[0], half), a[1]]);
        s.cast(s.min(s.max(rounded, s.int(wide, 0)), s.int(wide, 255)), x.element)
    })
}

/// The number of bits after the point with which every weight fits 16 bits, as a 0-d tensor.
fn precision<'c>(cx: &Lower<'c>, weights: &Tensor<'c>) -> Tensor<'c> {
    let ty = weights.element;
    let wide = Type::int(cx.context(), 32);
    let zero = Scalars::new(cx.b).constant(ty, 0.0);
    let read = Operand { tensor: weights.clone(), map: vec![Ix::Loop(0), Ix::Loop(1)] };
    let largest = |body: &Body<'c>, a: &[Number<'c>], acc: &[Number<'c>]| vec![body.s.max(acc[0], a[0])];
    let largest = cx.reduce(&[], &weights.dims, &[zero], &[read], largest).remove(0);
    let no_dims: [Dim<'c>; 0] = [];
    cx.map(&no_dims, wide, &[Operand { tensor: largest, map: Vec::new() }], |body, a| {
        let s = &body.s;
        let fits = (0..MOST_BITS).map(|bits| {
            let scaled = s.mul(a[0], s.constant(ty, 2f64.powi(bits + 1)));
            let next = s.add(scaled, s.constant(ty, 0.5));
            s.cast(s.compare(Compare::Lt, next, s.constant(ty, f64::from(1 << 15))), wide)
        });
        fits.reduce(|sum, fit| s.add(sum, fit)).unwrap_or_else(|| s.int(wide, 0))
    })
}
