//! Of convolutions: all three gradients of the bilinear map, and its own, are convolutions.

use fx_ir::{Attribute, DYNAMIC, Op, Result, Value};

use crate::fx_builder::Fx;
use crate::fx_op::{Dim, FxOp};
use crate::gradient::Back;

/// What `fx.convolution` needs beside its operands.
struct Steps<'c> {
    stride: Vec<Dim<'c>>,
    padding: Vec<Dim<'c>>,
    dilation: Vec<Dim<'c>>,
    output_padding: Vec<Dim<'c>>,
    groups: Vec<Dim<'c>>,
    transposed: bool,
}

impl<'c> Steps<'c> {
    /// Those of `op`; a list that it does not have is 0 for padding and 1 else.
    fn of(op: FxOp<'c>, transposed: bool) -> Self {
        let list = |name: &str, absent: i64| {
            let sizes = op.sizes(name);
            if sizes.is_empty() { vec![Dim::Static(absent)] } else { sizes }
        };
        Self {
            stride: list("stride", 1),
            padding: list("padding", 0),
            dilation: list("dilation", 1),
            output_padding: list("output_padding", 0),
            groups: list("groups", 1),
            transposed,
        }
    }

    fn lists(&self) -> [(&'static str, &[Dim<'c>]); 5] {
        [
            ("stride", &self.stride),
            ("padding", &self.padding),
            ("dilation", &self.dilation),
            ("output_padding", &self.output_padding),
            ("groups", &self.groups),
        ]
    }

    fn convolved(&self, f: &Fx<'c>, input: Value<'c>, weight: Value<'c>) -> Result<Value<'c>> {
        let transposed = ("transposed", Attribute::bool(f.context(), self.transposed));
        Ok(f.named("fx.convolution", &[("input", input), ("weight", weight)], &self.lists(), &[transposed])?.result(0))
    }

    /// Gradients with respect to input and weight, as the mask says.
    fn gradients(&self, f: &Fx<'c>, g: Value<'c>, input: Value<'c>, weight: Value<'c>, mask: [bool; 2]) -> Result<Op<'c>> {
        let lists = [&self.lists()[..], &[("bias_sizes", &[][..])]].concat();
        let mask = Attribute::bools(f.context(), &[mask[0], mask[1], false]);
        let attributes = [("transposed", Attribute::bool(f.context(), self.transposed)), ("output_mask", mask)];
        f.named("fx.convolution_backward", &[("grad_output", g), ("input", input), ("weight", weight)], &lists, &attributes)
    }
}

/// `x * w + bias` with any number of spatial dims: with the transposed map `*'`, `x: g *' conj w`, `w:` the products of g
/// with conj x, `bias:` g summed over images and places.
pub fn convolution(b: &Back<'_>) -> Result {
    give(b, &Steps::of(b.op, b.op.op.flag("transposed")), &[])
}

/// As [`convolution`], of the transposed map.
pub fn transposed(b: &Back<'_>) -> Result {
    give(b, &Steps::of(b.op, true), &[])
}

/// As [`convolution`]. With padding "same" both sides are padded alike, as far as that goes; the further zero of an odd
/// total is put after the input first.
pub fn padded_by_name(b: &Back<'_>) -> Result {
    let mut steps = Steps::of(b.op, false);
    if b.op.op.text("padding") != Some("same") {
        return give(b, &steps, &[]);
    }
    let kernel = b.op.operand("weight")?.ty().shape().split_off(2);
    let mut after = Vec::new();
    steps.padding.clear();
    for (i, size) in kernel.into_iter().enumerate() {
        let dilation = steps.dilation.get(i).or(steps.dilation.first()).and_then(|dilation| dilation.known());
        let (Some(dilation), false) = (dilation, size == DYNAMIC) else {
            return Err(b.op.error("with padding \"same\" needs its kernel's size at compile time"));
        };
        let total = dilation * (size - 1);
        steps.padding.push(Dim::Static(total / 2));
        after.push(total % 2);
    }
    give(b, &steps, if after.iter().any(|zeros| *zeros > 0) { &after } else { &[] })
}

/// Gradients of a convolution of the input with zeros put after it, as many as `after` says per spatial dim (empty: none).
fn give<'c>(b: &Back<'c>, steps: &Steps<'c>, after: &[i64]) -> Result {
    let Some(g) = b.raw_cotangent(0) else { return Ok(()) };
    let (input, weight) = (b.conj(b.op.operand("input")?)?, b.conj(b.op.operand("weight")?)?);
    let mask = [b.wants("input"), b.wants("weight")];
    if mask.contains(&true) {
        let gradients = steps.gradients(b, g, pad_after(b, input, after, 1)?, weight, mask)?;
        if mask[0] {
            b.give("input", pad_after(b, gradients.result(0), after, -1)?);
        }
        b.give("weight", gradients.result(1));
    }
    if b.wants("bias") {
        let channel = g.ty().rank() + 1 - weight.ty().rank();
        let others: Vec<_> = (0..g.ty().rank()).filter(|dim| *dim != channel).collect();
        b.give("bias", b.reduce("fx.sum", b.widened(g)?, &others, false)?);
    }
    Ok(())
}

/// Zeros put after the trailing dims (sign 1), or cut off again (-1).
fn pad_after<'c>(f: &Fx<'c>, x: Value<'c>, after: &[i64], sign: i64) -> Result<Value<'c>> {
    if after.is_empty() {
        return Ok(x);
    }
    // The last dim comes first.
    let pad: Vec<_> = after.iter().rev().flat_map(|zeros| [Dim::Static(0), Dim::Static(sign * zeros)]).collect();
    f.sized("fx.constant_pad_nd", &[x], "pad", &pad, &[])
}

/// All three gradients are linear in g: they are convolutions of what arrives at them. Those of the input and the weight
/// are linear in weight and input too.
///
/// `grad_output: gx * conj w + conj x * gw + gb`, `input: conj g *' gw`, `weight:` the products of conj g with gx.
pub fn convolution_backward(b: &Back<'_>) -> Result {
    let steps = Steps::of(b.op, b.op.op.flag("transposed"));
    let operand = |name: &str| b.conj(b.op.operand(name)?);
    let (g, input, weight) = (operand("grad_output")?, operand("input")?, operand("weight")?);
    let [to_input, to_weight] = [0, 1].map(|index| b.raw_cotangent(index));
    if b.wants("grad_output") {
        if let Some(arrived) = to_input {
            b.give("grad_output", steps.convolved(b, arrived, weight)?);
        }
        if let Some(arrived) = to_weight {
            b.give("grad_output", steps.convolved(b, input, arrived)?);
        }
        if let Some(arrived) = b.cotangent(2)? {
            let mut sizes = vec![Dim::Static(1); weight.ty().rank() - 1];
            sizes[0] = b.dims(arrived)[0];
            b.give("grad_output", b.view(arrived, &sizes)?);
        }
    }
    if let Some(arrived) = to_weight.filter(|_| b.wants("input")) {
        b.give("input", steps.gradients(b, g, input, arrived, [true, false])?.result(0));
    }
    if let Some(arrived) = to_input.filter(|_| b.wants("weight")) {
        b.give("weight", steps.gradients(b, g, arrived, weight, [false, true])?.result(1));
    }
    Ok(())
}
