//! Of losses.

use fx_ir::{Attribute, Result, Value};

use crate::fx_op::Dim;
use crate::gradient::Back;
use crate::rows::loss::{all, class_weights, limited_log, limited_log1p};
use crate::rows::norm::range;
use crate::rows::reduction::count;

/// Of `loss(input - target)`: the backward op, and its opposite for the target.
pub fn of_difference(b: &Back<'_>) -> Result {
    let grad = backward(b, b.x("input")?, b.x("target")?)?;
    b.give("input", grad);
    if b.wants("target") {
        b.give("target", b.neg(grad)?);
    }
    Ok(())
}

/// Of `loss(input * target)`: the backward op, which the target has with the operands exchanged.
pub fn of_product(b: &Back<'_>) -> Result {
    let (x, t) = (b.x("input")?, b.x("target")?);
    if b.wants("input") {
        b.give("input", backward(b, x, t)?);
    }
    if b.wants("target") {
        b.give("target", backward(b, t, x)?);
    }
    Ok(())
}

/// The backward op of a loss, which has its attributes.
fn backward<'c>(b: &Back<'c>, x: Value<'c>, t: Value<'c>) -> Result<Value<'c>> {
    let number = |name: &'static str| Some((name, Attribute::float(b.context(), fx_ir::Type::f64(b.context()), b.op.op.float(name)?)));
    let reduction = ("reduction", Attribute::i64(b.context(), reduction(b)));
    let attributes: Vec<_> = [Some(reduction), number("delta"), number("beta")].into_iter().flatten().collect();
    b.op(&super::backward_name(b.op), &[b.g()?, x, t], &attributes)
}

/// 0: none, 1: the mean, 2: the sum.
fn reduction(b: &Back<'_>) -> i64 {
    b.op.op.int("reduction").unwrap_or(1)
}

/// The cotangent of each element of the loss; `x` has the shape of these.
fn of_elements<'c>(b: &Back<'c>, x: Value<'c>) -> Result<Value<'c>> {
    let dims: Vec<_> = (0..x.ty().rank()).collect();
    if reduction(b) == 1 { b.div(b.g()?, count(b, x, &dims)?) } else { b.g() }
}

/// Cross entropy of elements: gives all cotangents from `dl/dinput`, `dl/dtarget` and `l`, all without weight.
fn weighted<'c>(
    b: &Back<'c>,
    input: impl FnOnce() -> Result<Value<'c>>,
    target: impl FnOnce() -> Result<Value<'c>>,
    loss: impl FnOnce() -> Result<Value<'c>>,
) -> Result<Value<'c>> {
    let g = of_elements(b, b.x("input")?)?;
    let scaled = match b.op.optional("weight") {
        Some(weight) => b.mul(g, b.widened(weight)?)?,
        None => g,
    };
    if b.wants("input") {
        b.give("input", b.mul(scaled, input()?)?);
    }
    if b.wants("target") {
        b.give("target", b.mul(scaled, target()?)?);
    }
    if b.wants("weight") {
        b.give("weight", b.mul(g, loss()?)?);
    }
    Ok(scaled)
}

/// Of probabilities: `(x - t) / max(x (1 - x), 1e-12)`; for the target `log(1 - x) - log(x)`, without the limit of -100 that
/// the loss has.
pub fn binary_cross_entropy(b: &Back<'_>) -> Result {
    let (x, t) = (b.x("input")?, b.x("target")?);
    let rest = |x| b.sub(b.number(1.0), x);
    let slope = || b.div(b.sub(x, t)?, b.maximum(b.mul(rest(x)?, x)?, b.number(1e-12))?);
    let target = || b.sub(b.log(rest(x)?)?, b.log(x)?);
    let loss = || b.neg(b.add(b.mul(t, limited_log(b, x)?)?, b.mul(rest(t)?, limited_log1p(b, b.neg(x)?)?)?)?);
    weighted(b, slope, target, loss)?;
    Ok(())
}

/// Of logits, with s the sigmoid: `s (p t + 1 - t) - p t` where p is `pos_weight` (absent: 1); for the target
/// `log s(-x) - p log s(x)`.
pub fn binary_cross_entropy_with_logits<'c>(b: &Back<'c>) -> Result {
    let (x, t) = (b.x("input")?, b.x("target")?);
    let log_sigmoid = |x: Value<'c>| b.op("fx.log_sigmoid", &[x], &[]);
    let rest = b.sub(b.number(1.0), t)?;
    let pos = b.op.optional("pos_weight").map(|pos| b.widened(pos)).transpose()?;
    let slope = || match pos {
        Some(pos) => {
            let share = b.mul(pos, t)?;
            b.sub(b.mul(b.add(share, rest)?, b.sigmoid(x)?)?, share)
        }
        None => b.sub(b.sigmoid(x)?, t),
    };
    let target = || match pos {
        Some(pos) => b.sub(log_sigmoid(b.neg(x)?)?, b.mul(pos, log_sigmoid(x)?)?),
        None => b.neg(x),
    };
    let yes = || b.mul(t, log_sigmoid(x)?);
    let loss = || {
        let yes = pos.map_or_else(yes, |pos| b.mul(pos, yes()?))?;
        b.neg(b.add(yes, b.mul(rest, log_sigmoid(b.neg(x)?)?)?)?)
    };
    let g = weighted(b, slope, target, loss)?;
    if b.wants("pos_weight") {
        b.give("pos_weight", b.neg(b.mul(g, yes()?)?)?);
    }
    Ok(())
}

/// Of classes, with l the loss and w the weights of the elements: `-w[t] / sum(w)` at the class t of an element; for the weight
/// of a class the sum of `-x[t] - l`, divided by `sum(w)`. Without the mean there is neither divisor nor l.
pub fn nll_loss<'c>(b: &Back<'c>) -> Result {
    let Some(g) = b.cotangent(0)? else { return Ok(()) };
    let x = b.x("input")?;
    let context = b.context();
    let target = b.op.operand("target")?;
    let weight = b.op.optional("weight").map(|weight| b.widened(weight)).transpose()?;
    let (class, weights) = class_weights(b, b.op, target, x.ty().element())?;
    let total = all(b, "fx.sum", weights)?;
    if b.wants("input") {
        let ignored = b.op.list("ignore_index");
        let operands = [&[g, x, target], weight.as_slice(), &ignored, &[total]].concat();
        let segments = [1, 1, 1, i32::from(weight.is_some()), ignored.len() as i32, 1];
        let fixed = b.op.op.ints("static_ignore_index").unwrap_or_else(|| vec![-100]);
        let attributes = [
            ("reduction", Attribute::i64(context, reduction(b))),
            ("static_ignore_index", Attribute::i64s(context, &fixed)),
            ("operandSegmentSizes", Attribute::i32s(context, &segments)),
        ];
        b.give("input", b.op("fx.nll_loss_backward", &operands, &attributes)?);
    }
    if let Some(weight) = weight.filter(|_| b.wants("weight")) {
        let dim = usize::from(x.ty().rank() > 1);
        let spread = |x: Value<'c>| b.op("fx.unsqueeze", &[x], &[("dim", Attribute::i64(context, dim as i64))]);
        let (picked, mut g) = (b.neg(x)?, g);
        let (share, used) = if reduction(b) == 1 {
            g = b.div(g, total)?;
            (b.sub(picked, b.y(0)?)?, g)
        } else {
            (picked, if reduction(b) == 0 { spread(g)? } else { g })
        };
        let mut sizes = vec![Dim::Static(1); x.ty().rank()];
        let classes = b.dims(weight)[0];
        sizes[dim] = classes;
        let here = b.eq(spread(class)?, b.view(range(b, classes), &sizes)?)?;
        let counted = b.logical_not(spread(crate::rows::loss::ignored(b, b.op, target)?)?)?;
        let here = b.op("fx.logical_and", &[here, counted], &[])?;
        let each = b.mul(b.select(here, share, b.number(0.0))?, used)?;
        let others: Vec<_> = (0..x.ty().rank()).filter(|other| *other != dim).collect();
        b.give("weight", if others.is_empty() { each } else { b.reduce("fx.sum", each, &others, false)? });
    }
    Ok(())
}

/// With n the norms, at least eps: `y / (n(x) n(y)) - cos x / (n(x) |x|)`, 0 where |x| is; the limit has no derivative of its own.
pub fn cosine_similarity<'c>(b: &Back<'c>) -> Result {
    let (x, y) = (b.x("x1")?, b.x("x2")?);
    let product = b.mul(x, y)?;
    let sizes = b.dims(product);
    let eps = b.number(b.op.op.float("eps").unwrap_or(1e-8));
    let dims: Vec<_> = if sizes.is_empty() { Vec::new() } else { vec![b.op.normalize(b.op.op.int("dim").unwrap_or(1), sizes.len())?] };
    let along = |x: Value<'c>| match dims.as_slice() {
        [] => Ok(x),
        dims => b.reduce("fx.sum", x, dims, true),
    };
    let norm = |x: Value<'c>| {
        let x = b.expand(x, &sizes)?;
        match dims.as_slice() {
            [] => b.op("fx.abs", &[x], &[]),
            dims => b.reduce("fx.linalg_vector_norm", x, dims, true),
        }
    };
    let (norm_x, norm_y) = (norm(x)?, norm(y)?);
    let (most_x, most_y) = (b.maximum(norm_x, eps)?, b.maximum(norm_y, eps)?);
    let both = b.mul(most_x, most_y)?;
    let cosine = b.div(along(product)?, both)?;
    let g = b.g()?;
    let g = match dims.first() {
        Some(dim) => b.op("fx.unsqueeze", &[g], &[("dim", Attribute::i64(b.context(), *dim as i64))])?,
        None => g,
    };
    let slope = |x, y, norm, most| {
        // the direction of x
        let none = b.eq(norm, b.number(0.0))?;
        let safe = b.select(none, b.number(1.0), norm)?;
        let direction = b.select(none, b.number(0.0), b.div(x, safe)?)?;
        b.mul(g, b.sub(b.div(y, both)?, b.mul(cosine, b.div(direction, most)?)?)?)
    };
    if b.wants("x1") {
        b.give("x1", slope(x, y, norm_x, most_x)?);
    }
    if b.wants("x2") {
        b.give("x2", slope(y, x, norm_y, most_y)?);
    }
    Ok(())
}
