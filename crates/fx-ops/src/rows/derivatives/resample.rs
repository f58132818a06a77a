//! Of resampling. The maps are linear in the input; each and its gradient are transposed to each other.

use fx_ir::{Attribute, Result, Type};

use crate::gradient::Back;
use crate::rows::derivatives::{backward_name, forward_name};
use crate::rows::resample::axis::factor_names;

/// The sizes after batch and channels.
const SPATIAL: usize = 2;

/// Each element gets from where it was taken.
pub fn upsample(b: &Back<'_>) -> Result {
    let Some(g) = b.raw_cotangent(0) else { return Ok(()) };
    let (from, to) = (b.dims(b.op.operand("input")?), b.dims(b.op.op.result(0)));
    let names = factor_names(from.len() - SPATIAL);
    let mut attributes = b.op.attributes(&["align_corners"]);
    let factors = b.op.op.attribute("scale_factors").and_then(Attribute::as_f64s).unwrap_or_default();
    for (i, name) in names.iter().enumerate() {
        let factor = factors.get(i).or(factors.first()).map(|factor| Attribute::float(b.context(), Type::f64(b.context()), *factor));
        attributes.extend(b.op.op.attribute(name).or(factor).map(|factor| (*name, factor)));
    }
    let lists = [("output_size", &to[SPATIAL..]), ("input_size", &from[..])];
    b.give("input", b.named(&backward_name(b.op), &[("grad_output", g)], &lists, &attributes)?.result(0));
    Ok(())
}

/// The input resampled.
pub fn upsample_backward(b: &Back<'_>) -> Result {
    let Some(arrived) = b.raw_cotangent(0) else { return Ok(()) };
    let to = b.dims(b.op.operand("grad_output")?);
    let mut attributes = b.op.attributes(&["align_corners"]);
    attributes.extend(b.op.attributes(factor_names(to.len() - SPATIAL)));
    b.give("grad_output", b.sized(forward_name(b.op), &[arrived], "output_size", &to[SPATIAL..], &attributes)?);
    Ok(())
}

/// The grid's cotangent times the points of a regular grid.
pub fn affine_grid_generator(b: &Back<'_>) -> Result {
    affine_grid(b, "theta", &backward_name(b.op))
}

/// The grid of an affine map.
pub fn affine_grid_generator_backward(b: &Back<'_>) -> Result {
    affine_grid(b, "grad", forward_name(b.op))
}

fn affine_grid(b: &Back<'_>, operand: &str, name: &str) -> Result {
    let Some(g) = b.raw_cotangent(0) else { return Ok(()) };
    b.give(operand, b.sized(name, &[g], "size", &b.op.sizes("size"), &b.op.attributes(&["align_corners"]))?);
    Ok(())
}

/// Elements get from the points that take from them; coordinates, by the slopes of weights.
pub fn grid_sampler(b: &Back<'_>) -> Result {
    let Some(g) = b.raw_cotangent(0) else { return Ok(()) };
    let mask = ["input", "grid"].map(|name| b.wants(name));
    let mut attributes = b.op.attributes(&["interpolation_mode", "padding_mode", "align_corners"]);
    attributes.push(("output_mask", Attribute::bools(b.context(), &mask)));
    let operands = [g, b.op.operand("input")?, b.op.operand("grid")?];
    let gradients = b.b.infer(&backward_name(b.op), &operands, &attributes)?;
    b.give("input", gradients.result(0));
    b.give("grid", gradients.result(1));
    Ok(())
}
