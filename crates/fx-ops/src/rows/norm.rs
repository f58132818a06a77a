//! Softmax, normalisations, attention: whole until here, taken apart in f32 (or f64) and rounded once at the end.

use fx_ir::{Attribute, Result, Type, Value};

use crate::fx_builder::Fx;
use crate::fx_op::{Dim, FxOp};
use crate::rows::derivatives;
use crate::rows::matrix::{self, matmul};
use crate::rows::reduction::{count, drop_reduced};
use crate::scalar::opmath;
use crate::table::{Again, OpRow, composite};

/// The table.
pub static ROWS: &[OpRow] = &[
    composite("fx.safe_softmax", |f, op| {
        let (x, dim, result) = row_operand(f, op)?;
        let y = softmax(f, x, dim)?;
        let masked = f.eq(x, f.number(f64::NEG_INFINITY))?;
        let none = if x.ty().rank() == 0 { masked } else { f.reduce("fx.all", masked, &[dim], true)? };
        Ok(vec![f.cast(f.select(none, f.number(0.0), y)?, result)?])
    })
    .vjp(derivatives::norm::softmax),
    composite("fx.softmax", |f, op| {
        let (x, dim, result) = row_operand(f, op)?;
        Ok(vec![f.cast(softmax(f, x, dim)?, result)?])
    })
    .vjp(derivatives::norm::softmax),
    composite("fx.log_softmax", |f, op| {
        let (x, dim, result) = row_operand(f, op)?;
        let shifted = shifted(f, x, dim)?;
        let e = f.exp(shifted)?;
        let sum = if x.ty().rank() == 0 { e } else { f.reduce("fx.sum", e, &[dim], true)? };
        Ok(vec![f.cast(f.sub(shifted, f.log(sum)?)?, result)?])
    })
    .vjp(derivatives::norm::log_softmax),
    composite("fx.layer_norm", |f, op| Ok(vec![layer_norm(f, op)?.remove(0)])).vjp(derivatives::norm::layer_norm),
    composite("fx.native_layer_norm", layer_norm).vjp(derivatives::norm::layer_norm),
    composite("fx.rms_norm", |f, op| Ok(vec![rms_norm(f, op)?.0])).vjp(derivatives::norm::rms_norm),
    composite("fx.fused_rms_norm", |f, op| {
        let (y, rstd) = rms_norm(f, op)?;
        Ok(vec![y, f.cast(rstd, op.result_element(1))?])
    })
    .vjp(derivatives::norm::rms_norm),
    composite("fx.group_norm", |f, op| Ok(vec![group_norm(f, op, op.int("num_groups")?)?.remove(0)])).vjp(derivatives::norm::group_norm),
    composite("fx.native_group_norm", |f, op| group_norm(f, op, op.int("group")?)).vjp(derivatives::norm::group_norm),
    composite("fx.batch_norm", |f, op| Ok(vec![batch_norm(f, op, op.op.flag("training"), &batch_dims(op)?)?.output]))
        .vjp(derivatives::norm::batch_norm)
        .by(AFFINE),
    composite("fx.instance_norm", |f, op| {
        // Running statistics, if they are used, are those of channels.
        let dims: Vec<_> = batch_dims(op)?.into_iter().filter(|dim| *dim != 0).collect();
        Ok(vec![batch_norm(f, op, op.op.flag("use_input_stats"), &dims)?.output])
    })
    .vjp(derivatives::norm::instance_norm)
    .by(AFFINE),
    composite("fx.native_batch_norm_legit", native_batch_norm).vjp(derivatives::norm::batch_norm).by(AFFINE),
    composite("fx.native_batch_norm_legit_no_training", native_batch_norm).vjp(derivatives::norm::batch_norm).by(AFFINE),
    composite("fx.native_batch_norm_legit_functional", native_batch_norm).vjp(derivatives::norm::batch_norm).by(AFFINE).tested_by(RUNNING),
    composite("fx.batch_norm_with_update_functional", native_batch_norm)
        .vjp(derivatives::norm::batch_norm_with_update)
        .by(AFFINE)
        .tested_by(RUNNING),
    composite("fx.var_mean", |f, op| {
        let (var, mean) = var_mean(f, op)?;
        Ok(vec![f.cast(var, op.result_element(0))?, f.cast(mean, op.result_element(1))?])
    })
    .vjp(derivatives::reduction::var_mean),
    composite("fx.var", |f, op| Ok(vec![f.cast(var_mean(f, op)?.0, op.result_element(0))?])).vjp(derivatives::reduction::var),
    composite("fx.std_mean", |f, op| {
        let (var, mean) = var_mean(f, op)?;
        Ok(vec![f.cast(f.sqrt(var)?, op.result_element(0))?, f.cast(mean, op.result_element(1))?])
    })
    .vjp(derivatives::reduction::std_mean),
    composite("fx.std", |f, op| Ok(vec![f.cast(f.sqrt(var_mean(f, op)?.0)?, op.result_element(0))?])).vjp(derivatives::reduction::std),
    composite("fx.scaled_dot_product_attention", attention).again(Again::Product(matrix::terms)),
    composite("fx.scaled_dot_product_flash_attention_for_cpu", attention_with_normalizers)
        .tested_by("whole models: its second result is of 32 bits")
        .again(Again::Product(matrix::terms)),
];

/// Why finite differences do not test the derivatives of an op that also gives new running statistics.
const RUNNING: &str = "opinfo: new running statistics count as constants; the op without them is tested";

/// What a batch normalisation depends on; running statistics count as constants.
const AFFINE: &[&str] = &["input", "weight", "bias"];

/// The operand of a row operation in the type it computes in, its dim, and the result's element type.
fn row_operand<'c>(f: &Fx<'c>, op: FxOp<'c>) -> Result<(Value<'c>, usize, Type<'c>)> {
    let input = op.operand("input")?;
    let result = op.result_element(0);
    let dim = op.dim("dim", input.ty().rank())?;
    // `dtype` converts the operand, `half_to_float` only the result.
    let input = if op.op.attribute("dtype").is_some() { f.cast(input, result)? } else { input };
    Ok((f.cast(input, opmath(f.context(), result))?, dim, result))
}

/// `x - max(x)` along `dim`.
pub(crate) fn shifted<'c>(f: &Fx<'c>, x: Value<'c>, dim: usize) -> Result<Value<'c>> {
    if x.ty().rank() == 0 {
        return f.sub(x, x);
    }
    // No element, no largest one: there is nothing to shift either.
    if x.ty().shape()[dim] == 0 {
        return Ok(x);
    }
    f.sub(x, f.reduce("fx.amax", x, &[dim], true)?)
}

fn softmax<'c>(f: &Fx<'c>, x: Value<'c>, dim: usize) -> Result<Value<'c>> {
    let e = f.exp(shifted(f, x, dim)?)?;
    if x.ty().rank() == 0 {
        return f.div(e, e);
    }
    // The sum is at least 1: its reciprocal is exact enough, and one for a row.
    let share = f.div(f.number(1.0), f.reduce("fx.sum", e, &[dim], true)?)?;
    f.mul(e, share)
}

/// The last dims that a normalisation runs over.
pub(crate) fn normalized_dims(op: FxOp<'_>, rank: usize) -> Vec<usize> {
    let count = op.op.ints("normalized_shape").map_or_else(|| op.sizes("normalized_shape").len(), |list| list.len());
    (rank.saturating_sub(count)..rank).collect()
}

/// Checks, at run time, that these dims have the sizes that the op names.
pub(crate) fn check_normalized<'c>(f: &Fx<'c>, op: FxOp<'c>, dims: &[usize]) -> Result {
    let sizes = f.dims(op.operand("input")?);
    let named = match op.op.ints("normalized_shape") {
        Some(list) => list.into_iter().map(Dim::Static).collect(),
        None => op.sizes("normalized_shape"),
    };
    f.check_shape(op, &sizes[sizes.len() - dims.len()..], &named);
    Ok(())
}

/// Mean and biased variance over `dims`, kept as size 1: two passes, so that nothing cancels.
pub(crate) fn moments<'c>(f: &Fx<'c>, x: Value<'c>, dims: &[usize]) -> Result<(Value<'c>, Value<'c>, Value<'c>)> {
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
    check_normalized(f, op, &dims)?;
    let (mean, variance, centred) = moments(f, x, &dims)?;
    let rstd = f.rsqrt(f.add(variance, f.number(epsilon(op)))?)?;
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

/// The `eps` of a normalisation; PyTorch's default is 1e-5.
pub(crate) fn epsilon(op: FxOp<'_>) -> f64 {
    op.op.float("eps").unwrap_or(1e-5)
}

/// `x * rstd * weight` over the last dims, and `rstd`.
fn rms_norm<'c>(f: &Fx<'c>, op: FxOp<'c>) -> Result<(Value<'c>, Value<'c>)> {
    let input = op.operand("input")?;
    let compute = opmath(f.context(), op.result_element(0));
    let dims = normalized_dims(op, input.ty().rank());
    check_normalized(f, op, &dims)?;
    let x = f.cast(input, compute)?;
    let rstd = root_mean_square(f, op, x, &dims)?;
    let mut y = f.mul(x, rstd)?;
    if let Some(weight) = op.optional("weight") {
        y = f.mul(y, f.cast(weight, compute)?)?;
    }
    Ok((f.cast(y, op.result_element(0))?, rstd))
}

/// `1 / sqrt(mean(x^2) + eps)` over `dims`, kept as size 1; without `eps`, the machine epsilon of the type of `x`.
pub(crate) fn root_mean_square<'c>(f: &Fx<'c>, op: FxOp<'c>, x: Value<'c>, dims: &[usize]) -> Result<Value<'c>> {
    let squares = f.reduce("fx.sum", f.mul(x, x)?, dims, true)?;
    // complex numbers have that of their parts
    let epsilon = if x.ty().element().element().is_f64() { f64::EPSILON } else { f64::from(f32::EPSILON) };
    let eps = op.op.float("eps").unwrap_or(epsilon);
    f.rsqrt(f.add(f.div(squares, count(f, x, dims)?)?, f.number(eps))?)
}

/// A vector of channels as a tensor of `rank` that lies along dim 1, in type `compute`.
pub(crate) fn channels<'c>(f: &Fx<'c>, x: Value<'c>, rank: usize, compute: Type<'c>) -> Result<Value<'c>> {
    let mut dims = vec![Dim::Static(1); rank];
    dims[1] = f.dims(x)[0];
    f.view(f.cast(x, compute)?, &dims)
}

/// `y * weight[c] + bias[c]`
fn affine<'c>(f: &Fx<'c>, op: FxOp<'c>, mut y: Value<'c>) -> Result<Value<'c>> {
    let (rank, compute) = (y.ty().rank(), y.ty().element());
    if let Some(weight) = op.optional("weight") {
        y = f.mul(y, channels(f, weight, rank, compute)?)?;
    }
    if let Some(bias) = op.optional("bias") {
        y = f.add(y, channels(f, bias, rank, compute)?)?;
    }
    f.cast(y, op.result_element(0))
}

/// Sizes of an operand with dim 1 in `groups` parts, the rest after it as one.
pub(crate) fn grouped<'c>(f: &Fx<'c>, x: Value<'c>, groups: i64) -> Result<Value<'c>> {
    let dims = f.dims(x);
    let per_group = match dims[1] {
        Dim::Static(channels) => Dim::Static(channels / groups.max(1)),
        Dim::Dynamic(channels) => Dim::Dynamic(f.b.value("arith.floordivsi", &[channels, f.b.index(groups)], channels.ty(), &[])),
    };
    f.view(x, &[&[dims[0], Dim::Static(groups), per_group], &dims[2..]].concat())
}

/// Checks, at run time, the sizes that the op names: samples, channels, and elements of a channel.
pub(crate) fn check_groups<'c>(f: &Fx<'c>, op: FxOp<'c>, sizes: &[Dim<'c>]) {
    let named = ["N", "C", "HxW"].map(|name| op.sizes(name)).concat();
    if !named.is_empty() {
        f.check_shape(op, &[sizes[0], sizes[1], crate::rows::matrix::fold(f, &sizes[2..])], &named);
    }
}

/// Normalisation of groups of channels of each sample; mean and reciprocal deviation are [N, groups].
fn group_norm<'c>(f: &Fx<'c>, op: FxOp<'c>, groups: i64) -> Result<Vec<Value<'c>>> {
    let compute = opmath(f.context(), op.result_element(0));
    let x = f.cast(op.operand("input")?, compute)?;
    let sizes = f.dims(x);
    check_groups(f, op, &sizes);
    let spread = grouped(f, x, groups)?;
    let dims: Vec<_> = (2..spread.ty().rank()).collect();
    let (mean, variance, centred) = moments(f, spread, &dims)?;
    let rstd = f.rsqrt(f.add(variance, f.number(epsilon(op)))?)?;
    let y = f.view(f.mul(centred, rstd)?, &sizes)?;
    let mut values = vec![affine(f, op, y)?];
    for (i, value) in [mean, rstd].into_iter().enumerate().take(op.op.results().len() - 1) {
        let flat = f.view(value, &[sizes[0], Dim::Static(groups)])?;
        values.push(f.cast(flat, op.result_element(i + 1))?);
    }
    Ok(values)
}

/// All dims but that of channels.
pub(crate) fn batch_dims(op: FxOp<'_>) -> Result<Vec<usize>> {
    let rank = op.operand("input")?.ty().rank();
    Ok((0..rank).filter(|dim| *dim != 1).collect())
}

/// What a batch normalisation gives, statistics as size 1 in reduced dims.
struct BatchNorm<'c> {
    output: Value<'c>,
    mean: Value<'c>,
    variance: Value<'c>,
    rstd: Value<'c>,
}

/// Normalisation by the statistics over `dims`, or by running statistics unless `training`.
fn batch_norm<'c>(f: &Fx<'c>, op: FxOp<'c>, training: bool, dims: &[usize]) -> Result<BatchNorm<'c>> {
    let compute = opmath(f.context(), op.result_element(0));
    let x = f.cast(op.operand("input")?, compute)?;
    let rank = x.ty().rank();
    let (mean, variance, centred) = if training {
        moments(f, x, dims)?
    } else {
        let mean = channels(f, op.operand("running_mean")?, rank, compute)?;
        (mean, channels(f, op.operand("running_var")?, rank, compute)?, f.sub(x, mean)?)
    };
    let rstd = f.rsqrt(f.add(variance, f.number(epsilon(op)))?)?;
    let output = affine(f, op, f.mul(centred, rstd)?)?;
    Ok(BatchNorm { output, mean, variance, rstd })
}

/// Output, saved statistics (empty unless training), and for the functional forms new running statistics.
fn native_batch_norm<'c>(f: &Fx<'c>, op: FxOp<'c>) -> Result<Vec<Value<'c>>> {
    let with_update = op.op.name() == "fx.batch_norm_with_update_functional";
    let training = with_update || op.op.flag("training");
    let dims = batch_dims(op)?;
    let norm = batch_norm(f, op, training, &dims)?;
    let x = op.operand("input")?;
    let channel = f.dims(x)[1];
    let empty =
        |index: usize| f.sized("fx.empty", &[], "size", &[Dim::Static(0)], &[("dtype", Attribute::from_type(op.result_element(index)))]);
    let mut values = vec![norm.output];
    for (index, saved) in [(1, norm.mean), (2, norm.rstd)] {
        values.push(if training { f.cast(f.view(saved, &[channel])?, op.result_element(index))? } else { empty(index)? });
    }
    if with_update {
        values.push(empty(3)?);
    }
    let first = values.len();
    if op.op.results().len() == first {
        return Ok(values);
    }
    for (index, name, new) in [(first, "running_mean", norm.mean), (first + 1, "running_var", norm.variance)] {
        let old = op.operand(name)?;
        let element = op.result_element(index);
        if !training {
            values.push(f.cast(old, element)?);
            continue;
        }
        let mut new = f.view(new, &[channel])?;
        if name == "running_var" {
            // The running variance is unbiased: n / (n - 1).
            let count = crate::rows::reduction::count(f, x, &dims)?;
            let f64_type = Type::f64(f.context());
            let less = f.b.value("arith.subf", &[count, f.number(1.0)], f64_type, &[]);
            new = f.mul(new, f.b.value("arith.divf", &[count, less], f64_type, &[]))?;
        }
        let momentum = op.op.float("momentum").unwrap_or(0.1);
        let old = f.cast(old, new.ty().element())?;
        let moved = f.add(f.mul(new, f.number(momentum))?, f.mul(old, f.number(1.0 - momentum))?)?;
        values.push(f.cast(moved, element)?);
    }
    Ok(values)
}

/// Variance and mean in the type that the op computes in. The correction is 1 unless given, or 0 if not `unbiased`. The variance
/// of complex numbers is that of both parts together.
fn var_mean<'c>(f: &Fx<'c>, op: FxOp<'c>) -> Result<(Value<'c>, Value<'c>)> {
    let input = op.operand("input")?;
    let element = input.ty().element();
    let dims = op.reduced_dims("dim", input.ty().rank())?;
    let x = if element.is_complex() { input } else { f.cast(input, opmath(f.context(), op.result_element(0)))? };
    let (mean, _, centred) = moments(f, x, &dims)?;
    let square = if element.is_complex() {
        let [re, im] = ["fx.real", "fx.imag"].map(|part| f.op(part, &[centred], &[]));
        let (re, im) = (re?, im?);
        f.add(f.mul(re, re)?, f.mul(im, im)?)?
    } else {
        f.mul(centred, centred)?
    };
    let squares = f.reduce("fx.sum", square, &dims, true)?;
    let unbiased = op.op.attribute("unbiased").and_then(Attribute::as_bool).unwrap_or(true);
    let correction = op.op.float("correction").unwrap_or(if unbiased { 1.0 } else { 0.0 });
    let count = crate::rows::reduction::count(f, x, &dims)?;
    let f64_type = Type::f64(f.context());
    let divisor = f.b.value("arith.subf", &[count, f.number(correction)], f64_type, &[]);
    let divisor = f.b.value("arith.maximumf", &[divisor, f.number(0.0)], f64_type, &[]);
    let variance = f.div(squares, divisor)?;
    Ok((drop_reduced(f, op, variance, &dims)?, drop_reduced(f, op, mean, &dims)?))
}

/// `softmax(query @ key^T * scale + mask) @ value`
fn attention<'c>(f: &Fx<'c>, op: FxOp<'c>) -> Result<Vec<Value<'c>>> {
    let (scores, value) = attention_scores(f, op)?;
    Ok(vec![attend(f, op, scores, value)?])
}

/// Attention, and the logarithm of the sum of the exponentials of each row of scores.
fn attention_with_normalizers<'c>(f: &Fx<'c>, op: FxOp<'c>) -> Result<Vec<Value<'c>>> {
    let (scores, value) = attention_scores(f, op)?;
    let last = scores.ty().rank() - 1;
    let sum = f.op("fx.logsumexp", &[scores], &[("dim", Attribute::i64s(f.context(), &[last as i64]))])?;
    Ok(vec![attend(f, op, scores, value)?, f.cast(sum, op.result_element(1))?])
}

/// `query @ key^T * scale + mask`, and the value, both in the type that attention computes in.
pub(crate) fn attention_scores<'c>(f: &Fx<'c>, op: FxOp<'c>) -> Result<(Value<'c>, Value<'c>)> {
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
    // The leading dims of key and value broadcast: there may be fewer.
    let key_rank = key.ty().rank();
    let mut order: Vec<_> = (0..key_rank).collect();
    order.swap(key_rank - 2, key_rank - 1);
    let mut scores = f.mul(matmul(f, query, f.permute(key, &order)?)?, attention_scale(f, op, query)?)?;
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
    Ok((scores, value))
}

/// What products of queries and keys are scaled by: absent, `1 / sqrt` of the queries' last size.
pub(crate) fn attention_scale<'c>(f: &Fx<'c>, op: FxOp<'c>, query: Value<'c>) -> Result<Value<'c>> {
    if let Some(scale) = op.op.float("scale") {
        return Ok(f.number(scale));
    }
    let last = query.ty().rank() - 1;
    match query.ty().shape()[last] {
        fx_ir::DYNAMIC => {
            let element = Attribute::from_type(query.ty().element());
            f.rsqrt(f.op("fx.scalar_tensor", &[count(f, query, &[last])?], &[("dtype", element)])?)
        }
        width => Ok(f.number(1.0 / (width as f64).sqrt())),
    }
}

/// `softmax(scores) @ value`; with a mask, a row without any allowed key is 0, not NaN.
fn attend<'c>(f: &Fx<'c>, op: FxOp<'c>, scores: Value<'c>, value: Value<'c>) -> Result<Value<'c>> {
    let name = if op.optional("attn_mask").is_some() { "fx.safe_softmax" } else { "fx.softmax" };
    let weights = f.op(name, &[scores], &[("dim", Attribute::i64(f.context(), -1))])?;
    let weights = crate::rows::random::dropout(f, weights, op.op.float("dropout_p").unwrap_or(0.0))?;
    f.cast(matmul(f, weights, value)?, op.result_element(0))
}

/// `j <= i` for the last two dims of `scores`.
fn causal<'c>(f: &Fx<'c>, scores: Value<'c>) -> Result<Value<'c>> {
    let dims = f.dims(scores);
    let (rows, columns) = (dims[dims.len() - 2], dims[dims.len() - 1]);
    let i = f.view(range(f, rows), &[rows, Dim::Static(1)])?;
    f.le(range(f, columns), i)
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

/// The numbers 0, 1, .. of which there are `size`.
pub(crate) fn range<'c>(f: &Fx<'c>, size: Dim<'c>) -> Value<'c> {
    let end = match size {
        Dim::Static(size) => f.integer(size),
        Dim::Dynamic(size) => size,
    };
    let i64_type = Type::int(f.context(), 64);
    f.b.value("fx.arange", &[f.integer(0), end], Type::tensor(&[size.in_type()], i64_type), &[])
}
