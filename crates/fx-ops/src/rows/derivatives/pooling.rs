//! Of pooling. A mean and its gradient are transposed to each other; a maximum takes the elements at its indices.

use fx_ir::{Attribute, Result, Value};

use crate::fx_builder::Fx;
use crate::fx_op::FxOp;
use crate::gradient::Back;
use crate::rows::derivatives::{backward_name, forward_name};
use crate::rows::matrix::fold;

/// Attributes of a pooling op or its gradient, which may leave out less.
type Attributes<'c> = Vec<(&'static str, Attribute<'c>)>;

/// Of the windows; `lists` names those of `stride` and the like with what stands for an absent one.
fn windows<'c>(f: &Fx<'c>, op: FxOp<'c>, lists: &[(&'static str, &[i64])]) -> Attributes<'c> {
    let mut attributes = op.attributes(&["kernel_size"]);
    attributes.extend(lists.iter().map(|(name, absent)| {
        let list = op.op.ints(name).unwrap_or_else(|| absent.to_vec());
        (*name, Attribute::i64s(f.context(), &list))
    }));
    attributes.push(("ceil_mode", Attribute::bool(f.context(), op.op.flag("ceil_mode"))));
    attributes
}

fn averaging<'c>(f: &Fx<'c>, op: FxOp<'c>) -> Attributes<'c> {
    let include = op.op.attribute("count_include_pad").and_then(Attribute::as_bool).unwrap_or(true);
    let mut attributes = windows(f, op, &[("stride", &[]), ("padding", &[0])]);
    attributes.push(("count_include_pad", Attribute::bool(f.context(), include)));
    attributes.extend(op.attributes(&["divisor_override"]));
    attributes
}

/// The gradient op of a pool, of its cotangent.
fn give<'c>(b: &Back<'c>, indices: Option<Value<'c>>, attributes: &Attributes<'c>) -> Result {
    let Some(g) = b.raw_cotangent(0) else { return Ok(()) };
    let mut operands = vec![("grad_output", g), ("input", b.op.operand("input")?)];
    operands.extend(indices.map(|indices| ("indices", indices)));
    b.give("input", b.named(&backward_name(b.op), &operands, &[], attributes)?.result(0));
    Ok(())
}

/// Each element gets its share of the windows that hold it.
pub fn avg_pool(b: &Back<'_>) -> Result {
    give(b, None, &averaging(b, b.op))
}

/// The means of the windows.
pub fn avg_pool_backward(b: &Back<'_>) -> Result {
    let Some(arrived) = b.raw_cotangent(0) else { return Ok(()) };
    b.give("grad_output", b.op(forward_name(b.op), &[arrived], &averaging(b, b.op))?);
    Ok(())
}

/// As [`avg_pool`], of windows that divide the input.
pub fn adaptive_avg_pool(b: &Back<'_>) -> Result {
    give(b, None, &Vec::new())
}

/// As [`avg_pool_backward`]: there are as many windows as gradients, over `count` dims.
pub fn adaptive_avg_pool_backward(b: &Back<'_>, count: usize) -> Result {
    let Some(arrived) = b.raw_cotangent(0) else { return Ok(()) };
    let sizes = b.dims(b.op.operand("grad_output")?);
    b.give("grad_output", b.sized(forward_name(b.op), &[arrived], "output_size", &sizes[sizes.len() - count..], &[])?);
    Ok(())
}

/// The elements at `indices` get what their windows have.
pub fn max_pool(b: &Back<'_>) -> Result {
    let attributes = windows(b, b.op, &[("stride", &[]), ("padding", &[0]), ("dilation", &[1])]);
    give(b, Some(b.op.op.result(1)), &attributes)
}

/// As [`max_pool`], of windows that divide the input, or lie at random places.
pub fn placed_max_pool(b: &Back<'_>, attributes: &[&'static str]) -> Result {
    give(b, Some(b.op.op.result(1)), &b.op.attributes(attributes))
}

/// The elements at `indices` of planes of `count` dims.
pub fn max_pool_backward(b: &Back<'_>, count: usize) -> Result {
    let Some(arrived) = b.raw_cotangent(0) else { return Ok(()) };
    b.give("grad_output", elements_at(b, arrived, b.op.operand("indices")?, count)?);
    Ok(())
}

/// The elements at `indices` of planes of `count` dims. Of several values that were put to one place each gets all of its
/// gradient, as in eager mode.
pub fn max_unpool(b: &Back<'_>, count: usize) -> Result {
    let Some(g) = b.raw_cotangent(0) else { return Ok(()) };
    b.give("input", elements_at(b, g, b.op.operand("indices")?, count)?);
    Ok(())
}

/// Elements of planes of `count` dims, at places in the flattened planes.
fn elements_at<'c>(f: &Fx<'c>, x: Value<'c>, indices: Value<'c>, count: usize) -> Result<Value<'c>> {
    let lead = x.ty().rank() - count;
    let planes = |x: Value<'c>| {
        let dims = f.dims(x);
        f.view(x, &[&dims[..lead], &[fold(f, &dims[lead..])]].concat())
    };
    let dim = Attribute::i64(f.context(), lead as i64);
    let found = f.op("fx.gather", &[planes(x)?, planes(indices)?], &[("dim", dim)])?;
    f.view(found, &f.dims(indices))
}
