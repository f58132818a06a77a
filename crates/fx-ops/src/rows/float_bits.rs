//! Functions of floats by their bits.

use fx_ir::{Result, Type};

use crate::fx_op::FxOp;
use crate::lower::Lower;
use crate::rows::derivatives::pointwise as vjp;
use crate::rows::pointwise::is_finite;
use crate::scalar::{Compare, Number, Scalars};
use crate::table::{Compute, OpRow, lowered, pointwise};

/// The table.
pub static ROWS: &[OpRow] = &[
    pointwise("fx.nextafter", Compute::Result, |s, a, op| nextafter(s, a[0], a[1], op.result(0).ty().element()))
        .constant("PyTorch has no derivative of it either"),
    lowered("fx.frexp", frexp).vjp(vjp::frexp).kinked(),
];

/// The same bits as a number of another type.
pub(super) fn bitcast<'c>(s: &Scalars<'c>, x: Number<'c>, ty: Type<'c>) -> Number<'c> {
    Number { value: s.b.value("arith.bitcast", &[x.value], ty, &[]), ty }
}

/// The float of type `element` after x towards y: its bits, as an integer, one up or down.
fn nextafter<'c>(s: &Scalars<'c>, x: Number<'c>, y: Number<'c>, element: Type<'c>) -> Number<'c> {
    let bits = Type::int(s.context(), element.bit_width());
    let zero = s.constant(x.ty, 0.0);
    let away = s.xor(s.compare(Compare::Lt, x, y), s.compare(Compare::Lt, x, zero));
    let own = bitcast(s, s.cast(x, element), bits);
    let step = s.select(away, s.int(bits, 1), s.int(bits, -1));
    // From 0 it is the least number with the sign of y.
    let sign = s.and(bitcast(s, s.cast(y, element), bits), s.int(bits, i64::MIN >> (64 - element.bit_width())));
    let next = s.select(s.compare(Compare::Eq, x, zero), s.or(sign, s.int(bits, 1)), s.add(own, step));
    let next = s.cast(bitcast(s, next, element), x.ty);
    let next = s.select(s.compare(Compare::Eq, x, y), y, next);
    s.select(s.or(s.is_nan(x), s.is_nan(y)), s.add(x, y), next)
}

/// `x = mantissa * 2^exponent` with 1/2 <= |mantissa| < 1, from the bits of `x`.
fn frexp<'c>(cx: &mut Lower<'c>, op: FxOp<'c>) -> Result {
    let input = cx.operand(op, "input")?;
    let ty = crate::scalar::opmath(cx.context(), input.element);
    let (width, fraction, bias) = if ty.is_f64() { (64, 52, 1022) } else { (32, 23, 126) };
    let bits = Type::int(cx.context(), width);
    let mask = (1i64 << (width - 1 - fraction)) - 1;
    for index in 0..2 {
        let element = op.result_element(index);
        let result = cx.map(&input.dims, element, &[cx.broadcast(&input, &input.dims)], |body, a| {
            let s = &body.s;
            let x = s.cast(a[0], ty);
            // A subnormal number is made normal first.
            let small = s.compare(Compare::Lt, s.abs(x), s.constant(ty, 2f64.powi(1 - bias)));
            let normal = s.select(small, s.mul(x, s.constant(ty, 2f64.powi(fraction as i32 + 1))), x);
            let plain = s.or(s.compare(Compare::Eq, x, s.constant(ty, 0.0)), s.not(is_finite(s, x)));
            let raw = bitcast(s, normal, bits);
            let shift = s.int(bits, i64::from(fraction));
            if index == 1 {
                let exponent = s.sub(s.and(s.op("arith.shrui", &[raw, shift]), s.int(bits, mask)), s.int(bits, i64::from(bias)));
                let exponent = s.select(small, s.sub(exponent, s.int(bits, i64::from(fraction + 1))), exponent);
                return s.cast(s.select(plain, s.int(bits, 0), exponent), element);
            }
            let kept = s.and(raw, s.int(bits, !(mask << fraction)));
            let mantissa = s.or(kept, s.int(bits, i64::from(bias) << fraction));
            s.cast(s.select(plain, x, bitcast(s, mantissa, ty)), element)
        });
        cx.set(op.op.result(index), result);
    }
    Ok(())
}
