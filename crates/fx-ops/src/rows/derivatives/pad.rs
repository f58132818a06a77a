//! Of padding.

use fx_ir::{Result, Value};

use super::forward_name;
use crate::fx_op::Dim;
use crate::gradient::Back;
use crate::sizes::{minus, negated, plus};

/// A pad with zeros, or where it is negative a crop, of the last dims.
fn padded<'c>(b: &Back<'c>, x: Value<'c>, pads: &[Dim<'c>]) -> Result<Value<'c>> {
    b.sized("fx.constant_pad_nd", &[x], "pad", pads, &[])
}

/// What was put before and after is cropped, what was cropped is zero.
pub fn constant_pad_nd(b: &Back<'_>) -> Result {
    let pads: Vec<_> = b.op.sizes("pad").into_iter().map(|size| negated(b, size)).collect();
    b.give("input", padded(b, b.g()?, &pads)?);
    Ok(())
}

/// In one of four modes.
pub fn pad(b: &Back<'_>) -> Result {
    let pads = b.op.sizes("pad");
    match b.op.op.text("mode").unwrap_or("constant") {
        "constant" => constant_pad_nd(b),
        "reflect" => edge(b, &format!("fx.reflection_pad{}d_backward", pads.len() / 2), &pads),
        "replicate" => edge(b, &format!("fx.replication_pad{}d_backward", pads.len() / 2), &pads),
        _ => circular(b, &pads),
    }
}

/// Elements repeated at the edges: the sum over where each went.
pub fn edge_pad(b: &Back<'_>) -> Result {
    edge(b, &super::backward_name(b.op), &b.op.sizes("padding"))
}

fn edge<'c>(b: &Back<'c>, name: &str, pads: &[Dim<'c>]) -> Result {
    b.give("input", b.sized(name, &[b.g()?, b.op.operand("input")?], "padding", pads, &[])?);
    Ok(())
}

/// The sum over where each element went: the pad itself.
pub fn edge_pad_backward(b: &Back<'_>) -> Result {
    b.give("grad_output", b.sized(forward_name(b.op), &[b.g()?], "padding", &b.op.sizes("padding"), &[])?);
    Ok(())
}

/// The other end put before and after what a crop leaves: dim by dim, the middle, and what lies outside moved to the other
/// end; then zeros for what was cropped. A pad that is known at run time only counts as none that crops.
fn circular<'c>(b: &Back<'c>, pads: &[Dim<'c>]) -> Result {
    let mut g = b.g()?;
    let sizes = b.dims(b.op.operand("input")?);
    let zero = Dim::Static(0);
    for (k, pair) in pads.chunks_exact(2).enumerate().filter(|(_, pair)| pair.iter().any(|pad| pad.known() != Some(0))) {
        let cropped = |pad: Dim<'c>| pad.known().map_or(zero, |pad| Dim::Static((-pad).max(0)));
        let [first_lost, last_lost] = [cropped(pair[0]), cropped(pair[1])];
        let (before, after) = (plus(b, pair[0], first_lost), plus(b, pair[1], last_lost));
        let size = minus(b, minus(b, sizes[sizes.len() - 1 - k], first_lost), last_lost);
        let of_dim = |x: Value<'c>, before: Dim<'c>, after: Dim<'c>| {
            let mut pads = vec![zero; 2 * k];
            pads.extend([before, after]);
            padded(b, x, &pads)
        };
        let middle = of_dim(g, negated(b, before), negated(b, after))?;
        let first = of_dim(g, minus(b, size, before), negated(b, plus(b, size, after)))?;
        let last = of_dim(g, negated(b, plus(b, size, before)), minus(b, size, after))?;
        g = of_dim(b.add(b.add(middle, first)?, last)?, first_lost, last_lost)?;
    }
    b.give("input", g);
    Ok(())
}
