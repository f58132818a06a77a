//! Attention: `y = softmax(scale query keyᵀ + bias) value`.

use crate::Result;
use crate::array::{Array, DType, choose, pointwise};
use crate::call::Call;
use crate::ops::matrix::dense::{product, split_shape};
use crate::ops::reduction::logsumexp;
use crate::ops::reduction::softmax::safe_weights;
use crate::ops::{Entry, one, random};
use crate::value::{Number, Value};

pub(in crate::ops) static OPS: &[Entry] = &[
    ("fx.scaled_dot_product_attention", |call| {
        let (query, key, value) = (call.array("query")?, call.array("key")?, call.array("value")?);
        let heads = |array: &Array| if call.bool("enable_gqa") { repeat_heads(array, query) } else { Ok(array.clone()) };
        let (key, value) = (heads(key)?, heads(value)?);
        let weights = dropped(call, weights(&scores(call, query, &key)?)?)?;
        one(product(&weights, &value.cast(DType::F64), DType::F64)?.cast(call.result_dtype(0)?))
    }),
    ("fx.scaled_dot_product_flash_attention_for_cpu", |call| {
        let scores = scores(call, call.array("query")?, call.array("key")?)?;
        let weights = dropped(call, weights(&scores)?)?;
        let output = product(&weights, &call.array("value")?.cast(DType::F64), DType::F64)?;
        // the CPU's kernel takes the normalizer of a row that is masked throughout as 1
        let last = scores.rank() - 1;
        let normalizers = scores.reduce(call.result_dtype(1)?, &[last], false, |row: &[f64]| {
            let log = logsumexp(row);
            if log == f64::NEG_INFINITY { 0.0 } else { log }
        })?;
        Ok(vec![output.cast(call.result_dtype(0)?).into(), normalizers.into()])
    }),
    ("fx.scaled_dot_product_flash_attention_for_cpu_backward", backward),
];

/// Each head (dim -3) as often as the query has more of them.
fn repeat_heads(array: &Array, query: &Array) -> Result<Array> {
    let at = |array: &Array| array.rank().checked_sub(3).ok_or_else(|| format!("expects heads, got shape {:?}", array.shape()));
    let dim = at(array)?;
    let (own, heads) = (array.size(dim), query.size(at(query)?));
    if own == 0 || heads % own != 0 {
        return Err(format!("has {own} heads for the query's {heads}"));
    }
    let mut shape = array.shape().to_vec();
    shape[dim] = heads;
    array.pick(&shape, |index| {
        let mut index = index.to_vec();
        index[dim] /= heads / own;
        index
    })
}

/// The attribute `scale`, or 1 / √E.
fn scale(call: &Call<'_>, query: &Array) -> f64 {
    let size = query.shape().last().copied().unwrap_or(1) as f64;
    call.optional_float("scale").unwrap_or(1.0 / size.sqrt())
}

/// `scale query keyᵀ + bias`, in f64; -∞ where a mask of truth values is false, and for j > i when `is_causal`.
fn scores(call: &Call<'_>, query: &Array, key: &Array) -> Result<Array> {
    if query.rank() < 2 || key.rank() < 2 {
        return Err(format!("expects matrices, got shapes {:?} and {:?}", query.shape(), key.shape()));
    }
    let factor = scale(call, query);
    let products = product(query, &key.transpose(key.rank() - 2, key.rank() - 1)?, DType::F64)?;
    let mut scores = products.map(DType::F64, |x: f64| x * factor)?;
    let masked = Array::scalar(DType::F64, Number::Float(f64::NEG_INFINITY));
    if let Some(mask) = call.optional("attn_mask")? {
        scores = match mask.dtype() {
            DType::Bool => choose(DType::F64, mask, &scores, &masked)?,
            _ => pointwise(DType::F64, [&scores, mask], |[x, bias]: [f64; 2]| x + bias)?,
        };
    }
    if call.bool("is_causal") {
        let (_, sizes) = split_shape(scores.shape())?;
        let seen = Array::from_fn(DType::Bool, &sizes, |index| index[1] <= index[0])?;
        scores = choose(DType::F64, &seen, &scores, &masked)?;
    }
    Ok(scores)
}

fn weights(scores: &Array) -> Result<Array> {
    let last = scores.rank() - 1;
    scores.lanes(DType::F64, last, scores.size(last), safe_weights)
}

/// Weights of which `dropout_p` drops some.
fn dropped(call: &Call<'_>, weights: Array) -> Result<Array> {
    let p = call.optional_float("dropout_p").unwrap_or(0.0);
    if p == 0.0 { Ok(weights) } else { Ok(random::dropped(call, &weights, p)?.0) }
}

/// Gradients of the flash kernel, with weights `p = e^(scores - logsumexp)`:
/// dv = pᵀ g, ds = p (g valueᵀ - Σ g out), dq = scale ds key, dk = scale dsᵀ query.
fn backward(call: &Call<'_>) -> Result<Vec<Value>> {
    let [g, query, key, value, out, logsumexp] =
        ["grad_out", "query", "key", "value", "out", "logsumexp"].map(|name| call.array(name).map(|array| array.cast(DType::F64)));
    let (g, query, key, value, out, logsumexp) = (g?, query?, key?, value?, out?, logsumexp?);
    let scores = scores(call, &query, &key)?;
    let swapped = |array: &Array| array.transpose(array.rank() - 2, array.rank() - 1);
    let times = |a: &Array, b: &Array| product(a, b, DType::F64);
    let column = |array: &Array| array.unsqueeze(array.rank());
    let p = pointwise(DType::F64, [&scores, &column(&logsumexp)?], |[s, log]: [f64; 2]| (s - log).exp())?;
    let shares = pointwise(DType::F64, [&g, &out], |[g, y]: [f64; 2]| g * y)?;
    let shares = shares.reduce(DType::F64, &[shares.rank() - 1], true, |row: &[f64]| row.iter().sum::<f64>())?;
    let slopes = times(&g, &swapped(&value)?)?;
    let ds = pointwise(DType::F64, [&p, &slopes, &shares], |[p, slope, share]: [f64; 3]| p * (slope - share))?;
    let factor = scale(call, &query);
    let scaled = |array: Array, index: usize| array.map(call.result_dtype(index)?, |x: f64| x * factor);
    let dq = scaled(times(&ds, &key)?, 0)?;
    let dk = scaled(times(&swapped(&ds)?, &query)?, 1)?;
    let dv = times(&swapped(&p)?, &g)?.cast(call.result_dtype(2)?);
    // broadcast batches add up
    let like = |gradient: Array, operand: &Array| -> Result<Value> {
        let dims: Vec<usize> = (0..gradient.rank()).filter(|dim| operand.size(*dim) == 1 && gradient.size(*dim) != 1).collect();
        let dtype = gradient.dtype();
        Ok(gradient.reduce(dtype, &dims, true, |group: &[f64]| group.iter().sum::<f64>())?.into())
    };
    Ok(vec![like(dq, &query)?, like(dk, &key)?, like(dv, &value)?])
}
