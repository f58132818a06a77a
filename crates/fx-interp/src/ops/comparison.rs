//! Comparison, and properties of one element.

use super::{Entry, one};
use crate::Result;
use crate::array::{Array, Category, Complex, DType, category, pointwise, real_part, round_float};
use crate::call::Call;
use crate::value::Value;

pub(super) static OPS: &[Entry] = &[
    ("fx.eq", |call| equal(call, true)),
    ("fx.ge", |call| ordered(call, |x, y| x >= y, |x, y| x >= y)),
    ("fx.gt", |call| ordered(call, |x, y| x > y, |x, y| x > y)),
    ("fx.isclose", isclose),
    ("fx.isfinite", |call| property(call, f64::is_finite, |re, im| re && im)),
    ("fx.isinf", |call| property(call, f64::is_infinite, |re, im| re || im)),
    ("fx.isnan", |call| property(call, f64::is_nan, |re, im| re || im)),
    ("fx.isneginf", |call| property(call, |x| x == f64::NEG_INFINITY, |re, im| re && im)),
    ("fx.isposinf", |call| property(call, |x| x == f64::INFINITY, |re, im| re && im)),
    ("fx.isreal", |call| one(call.array("input")?.map(DType::Bool, |z: Complex| z.im == 0.0)?)),
    ("fx.le", |call| ordered(call, |x, y| x <= y, |x, y| x <= y)),
    ("fx.lt", |call| ordered(call, |x, y| x < y, |x, y| x < y)),
    ("fx.ne", |call| equal(call, false)),
];

/// Both operands, in the type that they are promoted to.
fn promoted(call: &Call<'_>) -> Result<[Array; 2]> {
    let dtype = call.promoted(&["input", "other"])?;
    Ok(call.pair("input", "other")?.map(|operand| operand.cast(dtype)))
}

fn ordered(call: &Call<'_>, int: impl Fn(i64, i64) -> bool, real: impl Fn(f64, f64) -> bool) -> Result<Vec<Value>> {
    let [a, b] = promoted(call)?;
    one(match a.category() {
        Category::Float => pointwise(DType::Bool, [&a, &b], |[x, y]| real(x, y))?,
        Category::Int | Category::Bool => pointwise(DType::Bool, [&a, &b], |[x, y]| int(x, y))?,
        Category::Complex => return Err("complex numbers have no order".into()),
    })
}

fn equal(call: &Call<'_>, wanted: bool) -> Result<Vec<Value>> {
    let [a, b] = promoted(call)?;
    one(crate::each_kind!(a.dtype(), T => pointwise(DType::Bool, [&a, &b], |[x, y]: [T; 2]| (x == y) == wanted)?))
}

/// A property that integers have as finite numbers; of complex numbers that of their parts, joined.
fn property(call: &Call<'_>, holds: impl Fn(f64) -> bool, joined: impl Fn(bool, bool) -> bool) -> Result<Vec<Value>> {
    let input = call.array("input")?;
    one(match input.category() {
        Category::Complex => input.map(DType::Bool, |z: Complex| joined(holds(z.re), holds(z.im)))?,
        _ => input.map(DType::Bool, holds)?,
    })
}

/// `|x - y| <= atol + rtol |y|` or x = y (ATen/native/TensorCompare.cpp), rounded to the type in each step as eager does;
/// integers compute in f32.
fn isclose(call: &Call<'_>) -> Result<Vec<Value>> {
    let (a, b) = (call.array("input")?, call.array("other")?);
    let (rtol, atol, equal_nan) = (call.float("rtol")?, call.float("atol")?, call.bool("equal_nan"));
    let exact = rtol == 0.0 && atol == 0.0;
    let part = match category(a.dtype()) {
        Category::Float | Category::Complex => real_part(a.dtype()),
        Category::Int | Category::Bool => DType::F32,
    };
    let round = |x| round_float(part, x);
    let within = |error: f64, size: f64| error.is_finite() && error <= round(atol + round(rtol * size));
    one(match a.category() {
        Category::Complex => pointwise(DType::Bool, [a, b], |[x, y]: [Complex; 2]| {
            x == y || (equal_nan && x.is_nan() && y.is_nan()) || (!exact && within(round((x - y).abs()), round(y.abs())))
        })?,
        Category::Float => pointwise(DType::Bool, [a, b], |[x, y]: [f64; 2]| {
            x == y || (equal_nan && x.is_nan() && y.is_nan()) || (!exact && within(round((x - y).abs()), y.abs()))
        })?,
        _ => pointwise(DType::Bool, [a, b], |[x, y]: [i64; 2]| {
            let (u, v) = (round(x as f64), round(y as f64));
            x == y || (!exact && within(round((u - v).abs()), v.abs()))
        })?,
    })
}
