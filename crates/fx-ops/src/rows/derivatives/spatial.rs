//! Of rearrangement: windows as columns and columns as windows are transposed to each other.

use fx_ir::Result;

use crate::gradient::Back;

const BLOCKS: [&str; 4] = ["kernel_size", "dilation", "padding", "stride"];

/// Columns added back to their windows.
pub fn im2col(b: &Back<'_>) -> Result {
    let image = b.dims(b.op.operand("input")?);
    let sizes = &image[image.len() - 2..];
    b.give("input", b.sized("fx.col2im", &[b.g()?], "output_size", sizes, &b.op.attributes(&BLOCKS))?);
    Ok(())
}

/// Windows as columns.
pub fn col2im(b: &Back<'_>) -> Result {
    b.give("input", b.op("fx.im2col", &[b.g()?], &b.op.attributes(&BLOCKS))?);
    Ok(())
}
