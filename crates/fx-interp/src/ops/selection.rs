//! Choosing between operands, and limits.

use super::{Entry, binary_by_kind, one};
use crate::Result;
use crate::array::{Array, Category, DType, category, choose, pointwise};
use crate::call::Call;
use crate::value::Value;

pub(super) static OPS: &[Entry] = &[
    ("fx.clamp", clamp),
    ("fx.fmax", |call| binary_by_kind(call, i64::max, f64::max)),
    ("fx.fmin", |call| binary_by_kind(call, i64::min, f64::min)),
    ("fx.heaviside", heaviside),
    ("fx.masked_fill", masked_fill),
    ("fx.maximum", |call| binary_by_kind(call, i64::max, maximum)),
    ("fx.minimum", |call| binary_by_kind(call, i64::min, minimum)),
    ("fx.where", |call| {
        let [a, b] = call.pair("input", "other")?;
        one(choose(call.result_dtype(0)?, call.array("condition")?, &a, &b)?)
    }),
];

/// The greater of two; NaN if one is.
pub(crate) fn maximum(x: f64, y: f64) -> f64 {
    if x.is_nan() || y.is_nan() { f64::NAN } else { x.max(y) }
}

/// The less of two; NaN if one is.
pub(crate) fn minimum(x: f64, y: f64) -> f64 {
    if x.is_nan() || y.is_nan() { f64::NAN } else { x.min(y) }
}

/// `minimum(maximum(x, min), max)`
fn clamp(call: &Call<'_>) -> Result<Vec<Value>> {
    let dtype = call.result_dtype(0)?;
    let limited = |x: Array, bound: Option<Array>, int: fn(i64, i64) -> i64, real: fn(f64, f64) -> f64| match bound {
        None => Ok(x),
        Some(bound) if category(dtype) == Category::Float => pointwise(dtype, [&x, &bound], |[x, y]| real(x, y)),
        Some(bound) => pointwise(dtype, [&x, &bound.cast(dtype)], |[x, y]| int(x, y)),
    };
    let x = call.array("input")?.cast(dtype);
    let x = limited(x, call.optional_operand("min"), i64::max, maximum)?;
    one(limited(x, call.optional_operand("max"), i64::min, minimum)?)
}

/// 0, `values` or 1 as x is less than, equal to or greater than 0; of NaN 0.
fn heaviside(call: &Call<'_>) -> Result<Vec<Value>> {
    let (input, values, dtype) = (call.array("input")?, call.array("values")?, call.result_dtype(0)?);
    let above = input.map(dtype, |x: f64| x > 0.0)?;
    let zero = input.map(DType::Bool, |x: f64| x == 0.0)?;
    one(choose(dtype, &zero, values, &above)?)
}

fn masked_fill(call: &Call<'_>) -> Result<Vec<Value>> {
    let value = call.operand("value")?;
    one(choose(call.result_dtype(0)?, call.array("mask")?, &value, call.array("input")?)?)
}
