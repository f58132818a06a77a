//! Losses: computed in f32 (or f64) element by element, reduced, and rounded once.

use fx_ir::{Attribute, Result, Type, Value};

use crate::fx_builder::Fx;
use crate::fx_op::{Dim, FxOp};
use crate::rows::derivatives;
use crate::rows::norm::channels;
use crate::rows::reduction::count;
use crate::scalar::opmath;
use crate::table::{OpRow, composite};

/// The table.
pub static ROWS: &[OpRow] = &[
    composite("fx.mse_loss", |f, op| {
        let (x, t) = operands(f, op)?;
        let d = f.sub(x, t)?;
        reduced(f, op, f.mul(d, d)?)
    })
    .vjp(derivatives::loss::of_difference),
    composite("fx.l1_loss", |f, op| {
        // The difference of complex numbers has a real size.
        let d = f.sub(op.operand("input")?, op.operand("target")?)?;
        let wide = f.cast(d, opmath(f.context(), d.ty().element()))?;
        reduced(f, op, f.op("fx.abs", &[wide], &[])?)
    })
    .kinked(),
    composite("fx.huber_loss", |f, op| {
        let (x, t) = operands(f, op)?;
        let delta = op.op.float("delta").unwrap_or(1.0);
        let d = f.op("fx.abs", &[f.sub(x, t)?], &[])?;
        let near = f.mul(f.mul(d, d)?, f.number(0.5))?;
        let far = f.mul(f.sub(d, f.number(0.5 * delta))?, f.number(delta))?;
        reduced(f, op, f.select(f.le(d, f.number(delta))?, near, far)?)
    })
    .vjp(derivatives::loss::of_difference)
    .kinked(),
    composite("fx.smooth_l1_loss", |f, op| {
        let (x, t) = operands(f, op)?;
        let beta = op.op.float("beta").unwrap_or(1.0);
        let d = f.op("fx.abs", &[f.sub(x, t)?], &[])?;
        if beta == 0.0 {
            return reduced(f, op, d);
        }
        let near = f.div(f.mul(f.mul(d, d)?, f.number(0.5))?, f.number(beta))?;
        let far = f.sub(d, f.number(0.5 * beta))?;
        reduced(f, op, f.select(f.op("fx.lt", &[d, f.number(beta)], &[])?, near, far)?)
    })
    .vjp(derivatives::loss::of_difference)
    .kinked(),
    composite("fx.soft_margin_loss", |f, op| {
        let (x, t) = operands(f, op)?;
        let e = f.exp(f.neg(f.mul(t, x)?)?)?;
        reduced(f, op, f.op("fx.log1p", &[e], &[])?)
    })
    .vjp(derivatives::loss::of_product),
    composite("fx.kl_div", |f, op| {
        let (x, t) = operands(f, op)?;
        let l =
            if op.op.flag("log_target") { f.mul(f.exp(t)?, f.sub(t, x)?)? } else { f.sub(f.op("fx.xlogy", &[t, t], &[])?, f.mul(t, x)?)? };
        reduced(f, op, l)
    }),
    composite("fx.binary_cross_entropy", |f, op| {
        let (x, t) = operands(f, op)?;
        let (no, yes) = (limited_log1p(f, f.neg(x)?)?, limited_log(f, x)?);
        let l = f.sub(f.mul(f.sub(t, f.number(1.0))?, no)?, f.mul(t, yes)?)?;
        reduced(f, op, weighted(f, op, l)?)
    })
    .vjp(derivatives::loss::binary_cross_entropy),
    composite("fx.binary_cross_entropy_with_logits", |f, op| {
        let (x, t) = operands(f, op)?;
        let mut log = f.op("fx.log_sigmoid", &[x], &[])?;
        if let Some(pos) = op.optional("pos_weight") {
            let pos = f.cast(pos, x.ty().element())?;
            let factor = f.add(f.mul(f.sub(pos, f.number(1.0))?, t)?, f.number(1.0))?;
            log = f.mul(log, factor)?;
        }
        let l = f.sub(f.mul(f.sub(f.number(1.0), t)?, x)?, log)?;
        reduced(f, op, weighted(f, op, l)?)
    })
    .vjp(derivatives::loss::binary_cross_entropy_with_logits),
    composite("fx.nll_loss", |f, op| {
        let input = op.operand("input")?;
        let x = f.cast(input, opmath(f.context(), input.ty().element()))?;
        let (l, weights) = nll(f, op, x)?;
        let l = reduced_by_weight(f, op, l, weights)?;
        Ok(vec![f.cast(l, op.result_element(0))?])
    })
    .vjp(derivatives::loss::nll_loss),
    composite("fx.nll_loss_forward", |f, op| {
        let input = op.operand("input")?;
        let x = f.cast(input, opmath(f.context(), input.ty().element()))?;
        let (l, weights) = nll(f, op, x)?;
        let mut total = all(f, "fx.sum", weights)?;
        if op.int("reduction")? == 0 && input.ty().rank() > 1 {
            total = f.mul(total, f.number(0.0))?;
        }
        let l = reduced_by_weight(f, op, l, weights)?;
        Ok(vec![f.cast(l, op.result_element(0))?, f.cast(total, op.result_element(1))?])
    })
    .vjp(derivatives::loss::nll_loss),
    composite("fx.cross_entropy_loss", cross_entropy),
    composite("fx.cosine_similarity", cosine_similarity).vjp(derivatives::loss::cosine_similarity),
];

/// Input and target in the type that the loss computes in.
fn operands<'c>(f: &Fx<'c>, op: FxOp<'c>) -> Result<(Value<'c>, Value<'c>)> {
    let compute = opmath(f.context(), op.result_element(0));
    Ok((f.cast(op.operand("input")?, compute)?, f.cast(op.operand("target")?, compute)?))
}

/// The logarithm, at least -100.
pub(crate) fn limited_log<'c>(f: &Fx<'c>, x: Value<'c>) -> Result<Value<'c>> {
    f.maximum(f.log(x)?, f.number(-100.0))
}

/// The logarithm of 1 + x, at least -100.
pub(crate) fn limited_log1p<'c>(f: &Fx<'c>, x: Value<'c>) -> Result<Value<'c>> {
    f.maximum(f.op("fx.log1p", &[x], &[])?, f.number(-100.0))
}

/// A reduction of all elements.
pub(crate) fn all<'c>(f: &Fx<'c>, name: &str, x: Value<'c>) -> Result<Value<'c>> {
    let dims: Vec<_> = (0..x.ty().rank()).collect();
    f.reduce(name, x, &dims, false)
}

fn mean<'c>(f: &Fx<'c>, x: Value<'c>) -> Result<Value<'c>> {
    let dims: Vec<_> = (0..x.ty().rank()).collect();
    f.div(all(f, "fx.sum", x)?, count(f, x, &dims)?)
}

/// `reduction` 0: no reduction, 1: the mean, 2: the sum.
fn reduced<'c>(f: &Fx<'c>, op: FxOp<'c>, l: Value<'c>) -> Result<Vec<Value<'c>>> {
    let l = match op.op.int("reduction").unwrap_or(1) {
        0 => l,
        1 => mean(f, l)?,
        _ => all(f, "fx.sum", l)?,
    };
    Ok(vec![f.cast(l, op.result_element(0))?])
}

fn weighted<'c>(f: &Fx<'c>, op: FxOp<'c>, l: Value<'c>) -> Result<Value<'c>> {
    match op.optional("weight") {
        Some(weight) => f.mul(l, f.cast(weight, l.ty().element())?),
        None => Ok(l),
    }
}

/// Where `target` is the class to ignore.
pub(crate) fn ignored<'c>(f: &Fx<'c>, op: FxOp<'c>, target: Value<'c>) -> Result<Value<'c>> {
    let ignored = match op.sizes("ignore_index").first() {
        Some(Dim::Static(index)) => f.integer(*index),
        Some(Dim::Dynamic(index)) => *index,
        None => f.integer(-100),
    };
    f.eq(target, ignored)
}

/// Checks, at run time, that there is a target for each place of the input, and a weight for each class.
fn check_classes<'c>(f: &Fx<'c>, op: FxOp<'c>, target: Value<'c>) -> Result {
    let mut places = f.dims(op.operand("input")?);
    let classes = places.remove(usize::from(places.len() > 1));
    f.check_shape(op, &f.dims(target), &places);
    if let Some(weight) = op.optional("weight") {
        f.check_shape(op, &f.dims(weight), &[classes]);
    }
    Ok(())
}

/// For each class of `target`: the class, 0 where it is ignored, and its weight, 0 where it is ignored.
pub(crate) fn class_weights<'c>(f: &Fx<'c>, op: FxOp<'c>, target: Value<'c>, compute: Type<'c>) -> Result<(Value<'c>, Value<'c>)> {
    let context = f.context();
    check_classes(f, op, target)?;
    let target = f.cast(target, Type::int(context, 64))?;
    let ignored = ignored(f, op, target)?;
    let class = f.select(ignored, f.integer(0), target)?;
    let weight = match op.optional("weight") {
        Some(weight) => {
            let picked = f.op("fx.index", &[weight, class], &[("present_indices", Attribute::bools(context, &[true]))])?;
            f.cast(picked, compute)?
        }
        None => f.cast(f.logical_not(ignored)?, compute)?,
    };
    Ok((class, f.select(ignored, f.number(0.0), weight)?))
}

/// `-weight[t] x[t]` of each element, 0 where it is ignored, and its weight.
fn nll<'c>(f: &Fx<'c>, op: FxOp<'c>, x: Value<'c>) -> Result<(Value<'c>, Value<'c>)> {
    let dim = usize::from(x.ty().rank() > 1);
    let target = op.operand("target")?;
    let (class, weight) = class_weights(f, op, target, x.ty().element())?;
    let dim_attribute = ("dim", Attribute::i64(f.context(), dim as i64));
    let index = f.op("fx.unsqueeze", &[class], &[dim_attribute])?;
    let picked = f.view(f.op("fx.gather", &[x, index], &[dim_attribute])?, &f.dims(target))?;
    // An ignored element is 0 even if the input there is not finite.
    let l = f.select(ignored(f, op, target)?, f.number(0.0), f.neg(f.mul(picked, weight)?)?)?;
    Ok((l, weight))
}

/// The mean is weighted.
fn reduced_by_weight<'c>(f: &Fx<'c>, op: FxOp<'c>, l: Value<'c>, weights: Value<'c>) -> Result<Value<'c>> {
    match op.op.int("reduction").unwrap_or(1) {
        0 => Ok(l),
        1 => f.div(all(f, "fx.sum", l)?, all(f, "fx.sum", weights)?),
        _ => all(f, "fx.sum", l),
    }
}

fn cross_entropy<'c>(f: &Fx<'c>, op: FxOp<'c>) -> Result<Vec<Value<'c>>> {
    let (input, target) = (op.operand("input")?, op.operand("target")?);
    let compute = opmath(f.context(), op.result_element(0));
    let x = f.cast(input, compute)?;
    let rank = x.ty().rank();
    let dim = usize::from(rank > 1);
    let log = f.op("fx.log_softmax", &[x], &[("dim", Attribute::i64(f.context(), dim as i64))])?;
    let smoothing = op.op.float("label_smoothing").unwrap_or(0.0);
    let classes = count(f, x, &[dim])?;
    // Weights of classes lie along the class dim.
    let by_class = |x: Value<'c>| match op.optional("weight") {
        Some(weight) if rank > 1 => f.mul(x, channels(f, weight, rank, compute)?),
        Some(weight) => f.mul(x, f.cast(weight, compute)?),
        None => Ok(x),
    };
    let reduction = op.op.int("reduction").unwrap_or(1);
    let result = if target.ty().element().is_float() {
        let mut share = f.cast(target, compute)?;
        if smoothing > 0.0 {
            let even = f.div(f.op("fx.full_like", &[share, f.number(smoothing)], &[])?, classes)?;
            share = f.add(f.mul(share, f.number(1.0 - smoothing))?, even)?;
        }
        let l = f.neg(f.reduce("fx.sum", by_class(f.mul(log, share)?)?, &[dim], false)?)?;
        match reduction {
            0 => l,
            1 => mean(f, l)?,
            _ => all(f, "fx.sum", l)?,
        }
    } else {
        let plain = nll_loss(f, op, log)?;
        if smoothing > 0.0 {
            let (_, weights) = class_weights(f, op, target, compute)?;
            let spread = f.neg(f.reduce("fx.sum", by_class(log)?, &[dim], false)?)?;
            let spread = f.select(ignored(f, op, target)?, f.number(0.0), spread)?;
            let spread = reduced_by_weight(f, op, spread, weights)?;
            let part = f.div(f.mul(spread, f.number(smoothing))?, classes)?;
            f.add(f.mul(plain, f.number(1.0 - smoothing))?, part)?
        } else {
            plain
        }
    };
    Ok(vec![f.cast(result, op.result_element(0))?])
}

/// `fx.nll_loss` of `log` with the other operands of the op.
fn nll_loss<'c>(f: &Fx<'c>, op: FxOp<'c>, log: Value<'c>) -> Result<Value<'c>> {
    let (weight, ignored) = (op.list("weight"), op.list("ignore_index"));
    let operands = [&[log, op.operand("target")?], &weight[..], &ignored].concat();
    let segments = [1, 1, weight.len() as i32, ignored.len() as i32];
    let fixed = op.op.ints("static_ignore_index").unwrap_or_else(|| vec![-100]);
    let attributes = [
        ("reduction", Attribute::i64(f.context(), op.op.int("reduction").unwrap_or(1))),
        ("static_ignore_index", Attribute::i64s(f.context(), &fixed)),
        ("operandSegmentSizes", Attribute::i32s(f.context(), &segments)),
    ];
    f.op("fx.nll_loss", &operands, &attributes)
}

/// Sum of products along `dim`, divided by both norms.
fn cosine_similarity<'c>(f: &Fx<'c>, op: FxOp<'c>) -> Result<Vec<Value<'c>>> {
    let compute = opmath(f.context(), op.result_element(0));
    let (x, y) = (f.cast(op.operand("x1")?, compute)?, f.cast(op.operand("x2")?, compute)?);
    let product = f.mul(x, y)?;
    let sizes = f.dims(product);
    let dim = op.normalize(op.op.int("dim").unwrap_or(1), sizes.len())?;
    let eps = op.op.float("eps").unwrap_or(1e-8);
    if sizes.is_empty() {
        let size = |x: Value<'c>| f.maximum(f.op("fx.abs", &[x], &[])?, f.number(eps));
        return Ok(vec![f.cast(f.div(product, f.mul(size(x)?, size(y)?)?)?, op.result_element(0))?]);
    }
    let norm = |x: Value<'c>| {
        let x = f.expand(x, &sizes)?;
        let square = f.reduce("fx.sum", f.mul(x, x)?, &[dim], false)?;
        f.maximum(f.sqrt(square)?, f.number(eps))
    };
    let sum = f.reduce("fx.sum", product, &[dim], false)?;
    Ok(vec![f.cast(f.div(sum, f.mul(norm(x)?, norm(y)?)?)?, op.result_element(0))?])
}
