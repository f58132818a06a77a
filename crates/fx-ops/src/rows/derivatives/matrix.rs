//! Of matrix products and linear algebra.

use fx_ir::{Result, Value};

use crate::fx_builder::Fx;
use crate::gradient::{Back, conj};

/// The last two dims swapped, conjugated.
fn adjoint<'c>(f: &Fx<'c>, x: Value<'c>) -> Result<Value<'c>> {
    let rank = x.ty().rank();
    let mut order: Vec<_> = (0..rank).collect();
    order.swap(rank - 2, rank - 1);
    conj(f, f.permute(x, &order)?)
}

/// `A B`, of matrices or of batches of them.
pub fn product(b: &Back<'_>) -> Result {
    let multiply = if b.op.op.result(0).ty().rank() == 2 { "fx.mm" } else { "fx.bmm" };
    let (left, right) = (b.op.op.operand(0), b.op.op.operand(1));
    let g = b.g()?;
    if b.wants_place(0) {
        b.give_place(0, b.op(multiply, &[g, adjoint(b, b.widened(right)?)?], &[])?);
    }
    if b.wants_place(1) {
        b.give_place(1, b.op(multiply, &[adjoint(b, b.widened(left)?)?, g], &[])?);
    }
    Ok(())
}
