//! Rounding, signs and the parts of a float.

use super::{Entry, one, unary};
use crate::Result;
use crate::array::{Category, Complex, DType, largest, real_part};
use crate::call::Call;
use crate::value::Value;

pub(super) static OPS: &[Entry] = &[
    ("fx.ceil", |call| to_integer(call, f64::ceil)),
    ("fx.floor", |call| to_integer(call, f64::floor)),
    ("fx.frac", |call| unary(call, |x| x - x.trunc())),
    ("fx.frexp", frexp),
    ("fx.nan_to_num", nan_to_num),
    ("fx.round", round),
    ("fx.sgn", sign),
    ("fx.sign", sign),
    ("fx.signbit", signbit),
    ("fx.trunc", |call| to_integer(call, f64::trunc)),
];

/// A function that leaves integers as they are.
fn to_integer(call: &Call<'_>, f: impl Fn(f64) -> f64) -> Result<Vec<Value>> {
    let input = call.array("input")?;
    if input.category() == Category::Float { unary(call, f) } else { one(input.clone()) }
}

/// To a multiple of 10^-decimals (ATen/native/cpu/UnaryOpsKernel.cpp, `round_decimals`).
fn round(call: &Call<'_>) -> Result<Vec<Value>> {
    let decimals = call.optional_int("decimals").unwrap_or(0);
    let scale = 10f64.powf(decimals.unsigned_abs() as f64);
    to_integer(call, |x| match decimals {
        0 => x.round_ties_even(),
        1.. => (x * scale).round_ties_even() / scale,
        _ => (x / scale).round_ties_even() * scale,
    })
}

/// `x = m 2^e` with 1/2 <= |m| < 1.
fn mantissa_and_exponent(x: f64) -> (f64, i64) {
    if x == 0.0 || !x.is_finite() {
        return (x, 0);
    }
    let (mut m, mut e) = (x, 0);
    while m.abs() >= 1.0 {
        (m, e) = (m / 2.0, e + 1);
    }
    while m.abs() < 0.5 {
        (m, e) = (m * 2.0, e - 1);
    }
    (m, e)
}

fn frexp(call: &Call<'_>) -> Result<Vec<Value>> {
    let input = call.array("input")?;
    let mantissa = input.map(call.result_dtype(0)?, |x| mantissa_and_exponent(x).0)?;
    let exponent = input.map(call.result_dtype(1)?, |x| mantissa_and_exponent(x).1)?;
    Ok(vec![mantissa.into(), exponent.into()])
}

fn nan_to_num(call: &Call<'_>) -> Result<Vec<Value>> {
    let (input, dtype) = (call.array("input")?, call.result_dtype(0)?);
    let bound = largest(real_part(dtype));
    let nan = call.optional_float("nan").unwrap_or(0.0);
    let above = call.optional_float("posinf").unwrap_or(bound);
    let below = call.optional_float("neginf").unwrap_or(-bound);
    let replaced = |x: f64| match x {
        x if x.is_nan() => nan,
        f64::INFINITY => above,
        f64::NEG_INFINITY => below,
        x => x,
    };
    one(match input.category() {
        Category::Float => input.map(dtype, replaced)?,
        Category::Complex => input.map(dtype, |z: Complex| Complex::new(replaced(z.re), replaced(z.im)))?,
        Category::Int | Category::Bool => input.clone(),
    })
}

/// -1, 0 or 1 (of NaN 0); of a complex number `z / |z|`.
fn sign(call: &Call<'_>) -> Result<Vec<Value>> {
    let (input, dtype) = (call.array("input")?, call.result_dtype(0)?);
    one(match input.category() {
        Category::Bool => input.clone(),
        Category::Int => input.map(dtype, i64::signum)?,
        Category::Float => input.map(dtype, |x: f64| f64::from(i8::from(x > 0.0) - i8::from(x < 0.0)))?,
        Category::Complex => {
            input.map(dtype, |z: Complex| if z == Complex::default() { z } else { Complex::new(z.re / z.abs(), z.im / z.abs()) })?
        }
    })
}

fn signbit(call: &Call<'_>) -> Result<Vec<Value>> {
    let input = call.array("input")?;
    one(match input.category() {
        Category::Float => input.map(DType::Bool, f64::is_sign_negative)?,
        _ => input.map(DType::Bool, |x: i64| x < 0)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_floats() {
        assert_eq!(mantissa_and_exponent(-6.0), (-0.75, 3));
        assert_eq!(mantissa_and_exponent(f64::from_bits(1)), (0.5, -1073));
        assert_eq!(mantissa_and_exponent(0.0), (0.0, 0));
    }
}
