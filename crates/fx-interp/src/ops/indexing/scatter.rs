//! Elements written at positions of one dim, or of the flattened tensor.

use super::combine::{Combine, write};
use super::{places_along, positions, slices, with_dims, wrapped};
use crate::Result;
use crate::array::{Array, Category, Complex, DType};
use crate::call::Call;
use crate::ops::{Entry, one};
use crate::value::{Number, Value};

pub(in crate::ops) static OPS: &[Entry] = &[
    ("fx.index_add", |call| {
        let source = call.array("source")?;
        let alpha = call.attribute("alpha").is_some().then(|| call.number("alpha")).transpose()?;
        let scaled = alpha.map_or_else(|| Ok(source.clone()), |alpha| scaled(source, alpha))?;
        indexed_write(call, &scaled, Combine::Sum, true)
    }),
    ("fx.index_copy", |call| indexed_write(call, call.array("source")?, Combine::Replace, false)),
    ("fx.index_fill", index_fill),
    ("fx.index_reduce", |call| {
        let how = Combine::named(call.str("reduce")?)?;
        indexed_write(call, call.array("source")?, how, call.bool("include_self"))
    }),
    ("fx.put", put),
    ("fx.scatter", |call| {
        let how = call.optional_str("reduce").map(Combine::named).transpose()?;
        scatter(call, how.unwrap_or(Combine::Replace), how.is_some())
    }),
    ("fx.scatter_add", |call| scatter(call, Combine::Sum, true)),
    ("fx.scatter_reduce", |call| scatter(call, Combine::named(call.str("reduce")?)?, call.bool("include_self"))),
];

/// `y[i, index[i, j, k], k]` is combined from `src[i, j, k]`, for dim 1; a number `src` is the same everywhere.
fn scatter(call: &Call<'_>, how: Combine, include_self: bool) -> Result<Vec<Value>> {
    let (input, index) = (call.array("input")?, with_dims(call.array("index")?)?);
    if index.is_empty() {
        return one(input.clone());
    }
    let dim = call.dim("dim", input.rank())?;
    let places = places_along(with_dims(input)?.shape(), dim, &index)?;
    let values = match call.values("src").first() {
        Some(Value::Number(number)) => Array::full(number.exact_dtype(), index.shape(), *number)?,
        _ => with_dims(call.array("src")?)?.pick(index.shape(), <[usize]>::to_vec)?,
    };
    one(write(input, &places, &values, how, include_self)?)
}

/// `y[i, index[j], k]` is combined from `source[i, j, k]`, for dim 1.
fn indexed_write(call: &Call<'_>, source: &Array, how: Combine, include_self: bool) -> Result<Vec<Value>> {
    let (input, index) = (call.array("input")?, call.array("index")?);
    let dim = call.dim("dim", input.rank())?;
    let (shape, places) = slices(with_dims(input)?.shape(), dim, &positions(index, dim, input.size(dim))?)?;
    if with_dims(source)?.shape() != shape {
        return Err(format!("has a source of shape {:?}, expected {shape:?}", source.shape()));
    }
    one(write(input, &places, source, how, include_self)?)
}

/// `alpha * source`, not rounded.
fn scaled(source: &Array, alpha: Number) -> Result<Array> {
    match source.category() {
        Category::Bool => source.map(DType::Bool, |x: bool| x && alpha.truth()),
        Category::Int => source.map(DType::I64, |x: i64| x.wrapping_mul(alpha.int())),
        Category::Float => source.map(DType::F64, |x: f64| x * alpha.float()),
        Category::Complex => source.map(DType::C128, |z: Complex| match alpha.complex() {
            factor if factor.im == 0.0 => z * factor.re,
            factor => z * factor,
        }),
    }
}

/// `y[i, index[j], k] = value` for dim 1; here a negative position counts from the end, as in ATen's `index_fill_kernel`.
fn index_fill(call: &Call<'_>) -> Result<Vec<Value>> {
    let (input, index, value) = (call.array("input")?, call.array("index")?, call.operand("value")?);
    let dim = call.dim("dim", input.rank())?;
    let positions = index.values::<i64>().into_iter().map(|value| wrapped(value, dim, input.size(dim))).collect::<Result<Vec<_>>>()?;
    let (shape, places) = slices(with_dims(input)?.shape(), dim, &positions)?;
    one(write(input, &places, &value.expand(&shape)?, Combine::Replace, false)?)
}

/// `flat(y)[index[k]] = source[k]`, or `+=`.
fn put(call: &Call<'_>) -> Result<Vec<Value>> {
    let (input, index) = (call.array("input")?, call.array("index")?);
    let places = index.values::<i64>().into_iter().map(|value| wrapped(value, 0, input.len())).collect::<Result<Vec<_>>>()?;
    let how = if call.bool("accumulate") { Combine::Sum } else { Combine::Replace };
    one(write(input, &places, call.array("source")?, how, how == Combine::Sum)?)
}
