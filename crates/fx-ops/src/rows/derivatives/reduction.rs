//! Of reductions.

use fx_ir::{Result, Value};

use crate::gradient::{Back, kept};

/// The cotangent of a reduction over `dims`, with size 1 in them: broadcast over the operand by whoever gets it.
pub(super) fn spread<'c>(b: &Back<'c>, g: Value<'c>, dims: &[usize]) -> Result<Value<'c>> {
    let input = b.op.operand("input")?;
    if g.ty().rank() == input.ty().rank() { Ok(g) } else { b.view(g, &kept(b, input, dims)) }
}

/// The sum over dims.
pub fn sum(b: &Back<'_>) -> Result {
    let dims = b.op.reduced_dims("dim", b.op.operand("input")?.ty().rank())?;
    b.give("input", spread(b, b.g()?, &dims)?);
    Ok(())
}
