//! Softmax, normalisations, attention: whole until here, taken apart in f32 (or f64) and rounded once at the end.

use fx_ir::{Attribute, Result, Type, Value};

use crate::fx_builder::Fx;
use crate::fx_op::{Dim, FxOp};
use crate::rows::matrix::matmul;
use crate::scalar::opmath;
use crate::table::{OpRow, composite, missing};

/// The table.
pub static ROWS: &[OpRow] = &[
    composite("fx.softmax", |f, op| {
        let (x, dim, result) = row_operand(f, op)?;
        Ok(vec![f.cast(softmax(f, x, dim)?, result)?])
    }),
    composite("fx.log_softmax", |f, op| {
        let (x, dim, result) = row_operand(f, op)?;
        let shifted = shifted(f, x, dim)?;
        let sum = f.reduce("fx.sum", f.exp(shifted)?, &[dim], true)?;
        Ok(vec![f.cast(f.sub(shifted, f.log(sum)?)?, result)?])
    }),
    composite("fx.layer_norm", |f, op| Ok(vec![layer_norm(f, op)?.remove(0)])),
    composite("fx.native_layer_norm", layer_norm),
    composite("fx.rms_norm", rms_norm),
    composite("fx.batch_norm", |f, op| Ok(vec![batch_norm(f, op)?])),
    composite("fx.native_batch_norm_legit_no_training", |f, op| {
        let results = op.op.results();
        let mut values = vec![batch_norm(f, op)?];
        for saved in &results[1..] {
            values.push(f.sized("fx.full", &[f.number(0.0)], "size", &[Dim::Static(0)], &[("dtype", Attribute::from_type(saved.ty().element()))])?);
        }
        Ok(values)
    }),
    composite("fx.var_mean", |f, op| {
        let (var, mean) = var_mean(f, op)?;
        Ok(vec![var, mean])
    }),
    composite("fx.var", |f, op| Ok(vec![var_mean(f, op)?.0])),
    composite("fx.scaled_dot_product_attention", attention),
    composite("fx.dropout", |f, op| {
        if op.op.flag("train") && op.op.float("p") != Some(0.0) {
            return Err(op.error("in training mode is not compiled yet"));
        }
        Ok(vec![f.cast(op.operand("input")?, op.result_element(0))?])
    }),
    missing("fx.batch_norm_with_update_functional", "not lowered yet"),
    missing("fx.fused_rms_norm", "not lowered yet"),
    missing("fx.group_norm", "not lowered yet"),
    missing("fx.instance_norm", "not lowered yet"),
    missing("fx.native_batch_norm_legit", "not lowered yet"),
    missing("fx.native_batch_norm_legit_functional", "not lowered yet"),
    missing("fx.native_group_norm", "not lowered yet"),
    missing("fx.safe_softmax", "not lowered yet"),
    missing("fx.scaled_dot_product_flash_attention_for_cpu", "is lowered as fx.scaled_dot_product_attention only"),
    missing("fx.std", "not lowered yet"),
    missing("fx.std_mean", "not lowered yet"),
];

/// The operand of a row operation in the type it computes in, its dim, and the result's element type.
fn row_operand<'c>(f: &Fx<'c>, op: FxOp<'c>) -> Result<(Value<'c>, usize, Type<'c>)> {
    let input = op.operand("input")?;
    let result = op.result_element(0);
    let dim = op.dim("dim", input.ty().rank())?;
    Ok((f.cast(input, opmath(f.context(), result))?, dim, result))
}

/// `x - max(x)` along `dim`.
fn shifted<'c>(f: &Fx<'c>, x: Value<'c>, dim: usize) -> Result<Value<'c>> {
    if x.ty().rank() == 0 {
        return f.sub(x, x);
    }
    f.sub(x, f.reduce("fx.amax", x, &[dim], true)?)
}

fn softmax<'c>(f: &Fx<'c>, x: Value<'c>, dim: usize) -> Result<Value<'c>> {
    let e = f.exp(shifted(f, x, dim)?)?;
    if x.ty().rank() == 0 {
        return f.div(e, e);
    }
    f.div(e, f.reduce("fx.sum", e, &[dim], true)?)
}

/// The last dims that a normalisation runs over.
fn normalized_dims(op: FxOp<'_>, rank: usize) -> Vec<usize> {
    let count = op.sizes("normalized_shape").len();
    (rank.saturating_sub(count)..rank).collect()
}

/// Mean and biased variance over `dims`, kept as size 1: two passes, so that nothing cancels.
fn moments<'c>(f: &Fx<'c>, x: Value<'c>, dims: &[usize]) -> Result<(Value<'c>, Value<'c>, Value<'c>)> {
    let count = crate::rows::reduction::count(f, x, dims)?;
    let mean = f.div(f.reduce("fx.sum", x, dims, true)?, count)?;
    let centred = f.sub(x, mean)?;
    let squares = f.reduce("fx.sum", f.mul(centred, centred)?, dims, true)?;
    Ok((mean, f.div(squares, count)?, centred))
}

/// `(x - mean) * rstd * weight + bias`; results are the output, the mean and the reciprocal deviation.
fn layer_norm<'c>(f: &Fx<'c>, op: FxOp<'c>) -> Result<Vec<Value<'c>>> {
    let input = op.operand("input")?;
    let results = op.op.results();
    let compute = opmath(f.context(), op.result_element(0));
    let x = f.cast(input, compute)?;
    let dims = normalized_dims(op, input.ty().rank());
    let (mean, variance, centred) = moments(f, x, &dims)?;
    let rstd = f.rsqrt(f.add(variance, f.number(op.float("eps")?))?)?;
    let mut y = f.mul(centred, rstd)?;
    if let Some(weight) = op.optional("weight") {
        y = f.mul(y, f.cast(weight, compute)?)?;
    }
    if let Some(bias) = op.optional("bias") {
        y = f.add(y, f.cast(bias, compute)?)?;
    }
    let mut values = vec![f.cast(y, op.result_element(0))?];
    for (value, result) in [mean, rstd].into_iter().zip(results.iter().skip(1)) {
        values.push(f.cast(value, result.ty().element())?);
    }
    Ok(values)
}

/// `x * rsqrt(mean(x^2) + eps) * weight`; without `eps`, the type's machine epsilon.
fn rms_norm<'c>(f: &Fx<'c>, op: FxOp<'c>) -> Result<Vec<Value<'c>>> {
    let input = op.operand("input")?;
    let compute = opmath(f.context(), op.result_element(0));
    let x = f.cast(input, compute)?;
    let dims = normalized_dims(op, input.ty().rank());
    let count = crate::rows::reduction::count(f, x, &dims)?;
    let squares = f.reduce("fx.sum", f.mul(x, x)?, &dims, true)?;
    let epsilon = if compute.is_f64() { f64::EPSILON } else { f64::from(f32::EPSILON) };
    let eps = op.op.float("eps").unwrap_or(epsilon);
    let rstd = f.rsqrt(f.add(f.div(squares, count)?, f.number(eps))?)?;
    let mut y = f.mul(x, rstd)?;
    if let Some(weight) = op.optional("weight") {
        y = f.mul(y, f.cast(weight, compute)?)?;
    }
    Ok(vec![f.cast(y, op.result_element(0))?])
}

/// Batch normalisation by running statistics (inference).
fn batch_norm<'c>(f: &Fx<'c>, op: FxOp<'c>) -> Result<Value<'c>> {
    if op.op.flag("training") {
        return Err(op.error("in training mode is not compiled yet"));
    }
    let input = op.operand("input")?;
    let rank = input.ty().rank();
    let compute = opmath(f.context(), op.result_element(0));
    // Statistics and weights lie along dim 1.
    let channel = |x: Value<'c>| {
        let mut dims = vec![Dim::Static(1); rank];
        dims[1] = f.dims(x)[0];
        f.view(f.cast(x, compute)?, &dims)
    };
    let mean = channel(op.operand("running_mean")?)?;
    let variance = channel(op.operand("running_var")?)?;
    let rstd = f.rsqrt(f.add(variance, f.number(op.float("eps")?))?)?;
    let mut y = f.mul(f.sub(f.cast(input, compute)?, mean)?, rstd)?;
    if let Some(weight) = op.optional("weight") {
        y = f.mul(y, channel(weight)?)?;
    }
    if let Some(bias) = op.optional("bias") {
        y = f.add(y, channel(bias)?)?;
    }
    f.cast(y, op.result_element(0))
}

/// Variance with `correction` (1 unless given) and mean.
fn var_mean<'c>(f: &Fx<'c>, op: FxOp<'c>) -> Result<(Value<'c>, Value<'c>)> {
    let input = op.operand("input")?;
    let result = op.result_element(0);
    let dims = op.reduced_dims("dim", input.ty().rank())?;
    let keepdim = op.op.flag("keepdim");
    let x = f.cast(input, opmath(f.context(), result))?;
    let (mean, _, centred) = moments(f, x, &dims)?;
    let squares = f.reduce("fx.sum", f.mul(centred, centred)?, &dims, keepdim)?;
    let correction = op.op.float("correction").unwrap_or(1.0);
    let count = crate::rows::reduction::count(f, x, &dims)?;
    let f64_type = Type::f64(f.context());
    let divisor = f.b.value("arith.subf", &[count, f.number(correction)], f64_type, &[]);
    let divisor = f.b.value("arith.maximumf", &[divisor, f.number(0.0)], f64_type, &[]);
    let mean = if keepdim { mean } else { f.reduce("fx.sum", mean, &dims, false)? };
    Ok((f.cast(f.div(squares, divisor)?, result)?, f.cast(mean, result)?))
}

/// `softmax(query @ key^T * scale + mask) @ value`
fn attention<'c>(f: &Fx<'c>, op: FxOp<'c>) -> Result<Vec<Value<'c>>> {
    if op.op.float("dropout_p").unwrap_or(0.0) != 0.0 {
        return Err(op.error("with dropout is not compiled yet"));
    }
    let element = op.result_element(0);
    let compute = opmath(f.context(), element);
    let query = f.cast(op.operand("query")?, compute)?;
    let rank = query.ty().rank();
    let mut key = f.cast(op.operand("key")?, compute)?;
    let mut value = f.cast(op.operand("value")?, compute)?;
    if op.op.flag("enable_gqa") {
        let heads = f.dims(query)[rank - 3];
        key = repeat_heads(f, op, key, heads)?;
        value = repeat_heads(f, op, value, heads)?;
    }
    let mut order: Vec<_> = (0..rank).collect();
    order.swap(rank - 2, rank - 1);
    let width = query.ty().shape()[rank - 1];
    let scale = op.op.float("scale").unwrap_or(1.0 / (width as f64).sqrt());
    let mut scores = f.mul(matmul(f, query, f.permute(key, &order)?)?, f.number(scale))?;
    if op.op.flag("is_causal") {
        scores = f.select(causal(f, scores)?, scores, f.number(f64::NEG_INFINITY))?;
    }
    if let Some(mask) = op.optional("attn_mask") {
        scores = if mask.ty().element().is_bool() {
            f.select(mask, scores, f.number(f64::NEG_INFINITY))?
        } else {
            f.add(scores, f.cast(mask, compute)?)?
        };
    }
    let weights = softmax(f, scores, rank - 1)?;
    // A row without any allowed key is 0, not NaN (torch's _safe_softmax).
    let weights = if op.optional("attn_mask").is_some() {
        let masked = f.eq(scores, f.number(f64::NEG_INFINITY))?;
        let none = f.reduce("fx.all", masked, &[rank - 1], true)?;
        f.select(none, f.number(0.0), weights)?
    } else {
        weights
    };
    Ok(vec![f.cast(matmul(f, weights, value)?, element)?])
}

/// `j <= i` for the last two dims of `scores`.
fn causal<'c>(f: &Fx<'c>, scores: Value<'c>) -> Result<Value<'c>> {
    let dims = f.dims(scores);
    let (rows, columns) = (dims[dims.len() - 2], dims[dims.len() - 1]);
    let range = |dim: Dim<'c>| {
        let end = match dim {
            Dim::Static(size) => f.integer(size),
            Dim::Dynamic(size) => size,
        };
        let shape = [dim.in_type()];
        let i64_type = Type::int(f.context(), 64);
        let parts = [f.integer(0), end];
        f.b.value("fx.arange", &parts, Type::tensor(&shape, i64_type), &[])
    };
    let i = f.view(range(rows), &[rows, Dim::Static(1)])?;
    f.le(range(columns), i)
}

/// Each head of `[.., heads / n, length, width]` repeated `n` times.
fn repeat_heads<'c>(f: &Fx<'c>, op: FxOp<'c>, x: Value<'c>, heads: Dim<'c>) -> Result<Value<'c>> {
    let dims = f.dims(x);
    let place = dims.len() - 3;
    let (Some(own), Some(all)) = (dims[place].known(), heads.known()) else {
        return Err(op.error("with grouped heads needs the number of heads at compile time"));
    };
    if own == all {
        return Ok(x);
    }
    let mut spread = dims.clone();
    spread.insert(place + 1, Dim::Static(1));
    let x = f.view(x, &spread)?;
    spread[place + 1] = Dim::Static(all / own.max(1));
    let x = f.expand(x, &spread)?;
    let mut joined = dims;
    joined[place] = heads;
    f.view(x, &joined)
}
