//! Of Fourier transforms: the adjoint one, whose exponents have the other sign; both scale alike.

use fx_ir::{Attribute, Result, Value};

use crate::fx_op::Dim;
use crate::gradient::Back;
use crate::rows::norm::range;

/// Complex to complex: the same in the other direction.
pub fn c2c(b: &Back<'_>) -> Result {
    b.give("input", complex(b, b.g()?, !b.op.op.flag("forward"))?);
    Ok(())
}

/// Real to complex: the real part of the inverse. Where half of the frequencies are kept, that is the inverse to real numbers,
/// which counts each frequency but the first and the middle one twice.
pub fn r2c(b: &Back<'_>) -> Result {
    let g = b.g()?;
    if !b.op.op.flag("onesided") {
        b.give("input", complex(b, g, false)?);
        return Ok(());
    }
    let input = b.op.operand("input")?;
    let last = last_dim(b, input.ty().rank())?;
    let size = b.dims(input)[last];
    let halved = scale_inner(b, g, last, size, 0.5)?;
    b.give("input", b.sized("fx.fft_c2r", &[halved], "last_dim_size", &[size], &common(b))?);
    Ok(())
}

/// Complex to real: the transform of real numbers, each frequency but the first and the middle one twice.
pub fn c2r(b: &Back<'_>) -> Result {
    let g = b.g()?;
    let last = last_dim(b, g.ty().rank())?;
    let attributes = [&common(b)[..], &[("onesided", Attribute::bool(b.context(), true))]].concat();
    let transformed = b.op("fx.fft_r2c", &[g], &attributes)?;
    b.give("input", scale_inner(b, transformed, last, b.dims(g)[last], 2.0)?);
    Ok(())
}

fn complex<'c>(b: &Back<'c>, g: Value<'c>, forward: bool) -> Result<Value<'c>> {
    let attributes = [&common(b)[..], &[("forward", Attribute::bool(b.context(), forward))]].concat();
    b.op("fx.fft_c2c", &[g], &attributes)
}

/// What the adjoint has of the op.
fn common<'c>(b: &Back<'c>) -> [(&'static str, Attribute<'c>); 2] {
    let dims = b.op.op.ints("dim").unwrap_or_default();
    let normalization = b.op.op.int("normalization").unwrap_or(0);
    [("dim", Attribute::i64s(b.context(), &dims)), ("normalization", Attribute::i64(b.context(), normalization))]
}

/// The last dim of the list, which is halved.
fn last_dim(b: &Back<'_>, rank: usize) -> Result<usize> {
    let dims = b.op.op.ints("dim").unwrap_or_default();
    b.op.normalize(dims.last().copied().unwrap_or(-1), rank)
}

/// The frequencies of `size` real numbers in a dim, of which half are kept, times `factor` where the other half has them too.
fn scale_inner<'c>(b: &Back<'c>, x: Value<'c>, dim: usize, size: Dim<'c>, factor: f64) -> Result<Value<'c>> {
    let kept = b.dims(x)[dim];
    let mut sizes = vec![Dim::Static(1); x.ty().rank()];
    sizes[dim] = kept;
    let k = b.view(range(b, kept), &sizes)?;
    // the middle one is there if the size is even
    let size = match size {
        Dim::Static(size) => b.integer(size),
        Dim::Dynamic(size) => size,
    };
    let alone = b.eq(b.add(k, k)?, size)?;
    let alone = b.op("fx.logical_or", &[alone, b.eq(k, b.integer(0))?], &[])?;
    b.select(alone, x, b.mul(x, b.number(factor))?)
}
