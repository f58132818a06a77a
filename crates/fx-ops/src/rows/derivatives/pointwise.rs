//! Of pointwise ops.

use fx_ir::{Result, Value};

use crate::gradient::Back;

/// A cotangent times a number attribute; absent is 1.
fn times<'c>(b: &Back<'c>, g: Value<'c>, name: &str) -> Result<Value<'c>> {
    match b.op.op.float(name) {
        None | Some(1.0) => Ok(g),
        Some(factor) => b.mul(g, b.number(factor)),
    }
}

/// `x + alpha z`
pub fn add(b: &Back<'_>) -> Result {
    b.give("input", b.g()?);
    b.give("other", times(b, b.g()?, "alpha")?);
    Ok(())
}

/// `x - alpha z`
pub fn sub(b: &Back<'_>) -> Result {
    b.give("input", b.g()?);
    b.give("other", b.neg(times(b, b.g()?, "alpha")?)?);
    Ok(())
}

/// `x z`
pub fn mul(b: &Back<'_>) -> Result {
    b.give("input", b.mul(b.g()?, b.conj(b.x("other")?)?)?);
    b.give("other", b.mul(b.g()?, b.conj(b.x("input")?)?)?);
    Ok(())
}
