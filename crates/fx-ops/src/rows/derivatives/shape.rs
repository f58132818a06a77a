//! Of views and of ops that move elements.

use fx_ir::Result;

use crate::gradient::Back;

/// The same elements in another shape.
pub fn view(b: &Back<'_>) -> Result {
    let input = b.op.operand("input")?;
    b.give("input", b.view(b.g()?, &b.dims(input))?);
    Ok(())
}

/// Elements repeated: summed by whoever gets them.
pub fn expand(b: &Back<'_>) -> Result {
    b.give("input", b.g()?);
    Ok(())
}

/// Dims in another order.
pub fn permute(b: &Back<'_>) -> Result {
    let input = b.op.operand("input")?;
    let dims = b.op.op.ints("dims").unwrap_or_default();
    let mut inverse = vec![0; dims.len()];
    for (to, from) in dims.into_iter().enumerate() {
        inverse[b.op.normalize(from, input.ty().rank())?] = to;
    }
    b.give("input", b.permute(b.g()?, &inverse)?);
    Ok(())
}
