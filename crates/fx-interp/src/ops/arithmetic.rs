//! Sums, products, quotients, powers.

use super::{Entry, binary, binary_by_kind, one, unary_complex};
use crate::Result;
use crate::array::{Array, Category, Complex, DType, category, next_after, pointwise};
use crate::call::Call;
use crate::scalars::integer_power;
use crate::value::Value;

pub(super) static OPS: &[Entry] = &[
    ("fx.abs", abs),
    ("fx.add", |call| scaled_sum(call, 1.0)),
    ("fx.addcdiv", addcdiv),
    ("fx.addcmul", addcmul),
    ("fx.copysign", |call| binary(call, f64::copysign)),
    ("fx.div", div),
    ("fx.float_power", |call| power(call, "input", "exponent")),
    ("fx.fmod", |call| by_nonzero(call, |x, y| x.wrapping_rem(y), |x, y| x % y)),
    ("fx.gcd", |call| binary_by_kind(call, gcd, |x, _| x)),
    ("fx.hypot", |call| binary(call, f64::hypot)),
    ("fx.lcm", |call| binary_by_kind(call, lcm, |x, _| x)),
    ("fx.ldexp", ldexp),
    ("fx.lerp", lerp),
    ("fx.mul", mul),
    ("fx.neg", neg),
    ("fx.nextafter", |call| {
        let dtype = call.result_dtype(0)?;
        binary(call, |x, y| next_after(dtype, x, y))
    }),
    ("fx.pow", |call| power(call, "input", "exponent")),
    ("fx.reciprocal", |call| unary_complex(call, f64::recip, Complex::recip)),
    ("fx.remainder", |call| by_nonzero(call, remainder_ints, remainder)),
    ("fx.sub", |call| scaled_sum(call, -1.0)),
];

fn abs(call: &Call<'_>) -> Result<Vec<Value>> {
    let (input, dtype) = (call.array("input")?, call.result_dtype(0)?);
    one(match input.category() {
        Category::Bool => input.clone(),
        Category::Int => input.map(dtype, i64::wrapping_abs)?,
        Category::Float => input.map(dtype, f64::abs)?,
        Category::Complex => input.map(dtype, Complex::abs)?,
    })
}

fn neg(call: &Call<'_>) -> Result<Vec<Value>> {
    let (input, dtype) = (call.array("input")?, call.result_dtype(0)?);
    one(match input.category() {
        Category::Int | Category::Bool => input.map(dtype, i64::wrapping_neg)?,
        Category::Float => input.map(dtype, |x: f64| -x)?,
        Category::Complex => input.map(dtype, |z: Complex| -z)?,
    })
}

/// `input + sign * alpha * other`; of bools `input ∨ (alpha ∧ other)`.
fn scaled_sum(call: &Call<'_>, sign: f64) -> Result<Vec<Value>> {
    let [a, b] = call.pair("input", "other")?;
    let (dtype, alpha) = (call.result_dtype(0)?, call.number("alpha")?);
    one(match category(dtype) {
        Category::Bool => pointwise(dtype, [&a, &b], |[x, y]: [bool; 2]| x || (alpha.truth() && y))?,
        Category::Int => {
            let factor = alpha.int().wrapping_mul(sign as i64);
            pointwise(dtype, [&a, &b], |[x, y]: [i64; 2]| x.wrapping_add(y.wrapping_mul(factor)))?
        }
        Category::Float => pointwise(dtype, [&a, &b], |[x, y]: [f64; 2]| x + sign * alpha.float() * y)?,
        Category::Complex => {
            let factor = alpha.complex() * sign;
            // a real factor must not make NaN of an infinite part
            let scaled = |z: Complex| if factor.im == 0.0 { z * factor.re } else { z * factor };
            pointwise(dtype, [&a, &b], |[x, y]: [Complex; 2]| x + scaled(y))?
        }
    })
}

fn mul(call: &Call<'_>) -> Result<Vec<Value>> {
    let [a, b] = call.pair("input", "other")?;
    let dtype = call.result_dtype(0)?;
    one(match category(dtype) {
        Category::Bool => pointwise(dtype, [&a, &b], |[x, y]: [bool; 2]| x && y)?,
        Category::Int => pointwise(dtype, [&a, &b], |[x, y]: [i64; 2]| x.wrapping_mul(y))?,
        Category::Float => pointwise(dtype, [&a, &b], |[x, y]: [f64; 2]| x * y)?,
        Category::Complex => pointwise(dtype, [&a, &b], |[x, y]: [Complex; 2]| x * y)?,
    })
}

/// `input + value * tensor1 * tensor2`
fn addcmul(call: &Call<'_>) -> Result<Vec<Value>> {
    let operands = [call.array("input")?, call.array("tensor1")?, call.array("tensor2")?];
    let (dtype, value) = (call.result_dtype(0)?, call.number("value")?);
    one(match category(dtype) {
        Category::Bool => pointwise(dtype, operands, |[x, a, b]: [bool; 3]| x || (value.truth() && a && b))?,
        Category::Int => pointwise(dtype, operands, |[x, a, b]: [i64; 3]| x.wrapping_add(value.int().wrapping_mul(a).wrapping_mul(b)))?,
        Category::Float => pointwise(dtype, operands, |[x, a, b]: [f64; 3]| x + value.float() * a * b)?,
        Category::Complex => pointwise(dtype, operands, |[x, a, b]: [Complex; 3]| x + value.complex() * a * b)?,
    })
}

/// `input + value * tensor1 / tensor2`
fn addcdiv(call: &Call<'_>) -> Result<Vec<Value>> {
    let operands = [call.array("input")?, call.array("tensor1")?, call.array("tensor2")?];
    let (dtype, value) = (call.result_dtype(0)?, call.number("value")?);
    one(if dtype.is_complex() {
        pointwise(dtype, operands, |[x, a, b]: [Complex; 3]| x + value.complex() * a / b)?
    } else {
        pointwise(dtype, operands, |[x, a, b]: [f64; 3]| x + value.float() * a / b)?
    })
}

fn div(call: &Call<'_>) -> Result<Vec<Value>> {
    match call.optional_str("rounding_mode") {
        None => {
            let dtype = call.result_dtype(0)?;
            if !dtype.is_complex() {
                return binary(call, |x, y| x / y);
            }
            let [a, b] = call.pair("input", "other")?;
            one(pointwise(dtype, [&a, &b], |[x, y]: [Complex; 2]| x / y)?)
        }
        Some("trunc") => by_nonzero(call, i64::wrapping_div, |x, y| (x / y).trunc()),
        Some("floor") => by_nonzero(call, floor_div_ints, floor_div),
        Some(mode) => Err(format!("rounding mode '{mode}' is not known")),
    }
}

/// An op on `input` and `other` in which an integer must not be 0.
fn by_nonzero(call: &Call<'_>, int: impl Fn(i64, i64) -> i64, real: impl Fn(f64, f64) -> f64) -> Result<Vec<Value>> {
    let dtype = call.result_dtype(0)?;
    let [a, b] = call.pair("input", "other")?;
    let divisor = b.cast(dtype);
    if category(dtype) <= Category::Int && !a.is_empty() && divisor.values::<i64>().contains(&0) {
        return Err("divides an integer by 0".into());
    }
    binary_by_kind(call, int, real)
}

fn floor_div_ints(x: i64, y: i64) -> i64 {
    let quotient = x.wrapping_div(y);
    if x.wrapping_rem(y) != 0 && (x < 0) != (y < 0) { quotient.wrapping_sub(1) } else { quotient }
}

/// Python's `//` on floats (c10/util/generic_math.h, `div_floor_floating`): from the exact remainder.
fn floor_div(x: f64, y: f64) -> f64 {
    if y == 0.0 {
        return x / y;
    }
    let modulo = x % y;
    let mut quotient = (x - modulo) / y;
    if modulo != 0.0 && (y < 0.0) != (modulo < 0.0) {
        quotient -= 1.0;
    }
    if quotient == 0.0 {
        return 0f64.copysign(x / y);
    }
    let floor = quotient.floor();
    if quotient - floor > 0.5 { floor + 1.0 } else { floor }
}

fn remainder_ints(x: i64, y: i64) -> i64 {
    let modulo = x.wrapping_rem(y);
    if modulo != 0 && (modulo < 0) != (y < 0) { modulo + y } else { modulo }
}

/// The remainder with the divisor's sign (ATen/native/cpu/BinaryOpsKernel.cpp).
fn remainder(x: f64, y: f64) -> f64 {
    let modulo = x % y;
    if modulo != 0.0 && (y < 0.0) != (modulo < 0.0) { modulo + y } else { modulo }
}

/// Euclid's algorithm.
fn gcd(x: i64, y: i64) -> i64 {
    let (mut x, mut y) = (x.wrapping_abs(), y.wrapping_abs());
    while y != 0 {
        (x, y) = (y, x.wrapping_rem(y));
    }
    x
}

fn lcm(x: i64, y: i64) -> i64 {
    match gcd(x, y) {
        0 => 0,
        common => x.wrapping_div(common).wrapping_mul(y).wrapping_abs(),
    }
}

/// `input * 2^other`, the power in its own type: f32 if `other` is integer.
fn ldexp(call: &Call<'_>) -> Result<Vec<Value>> {
    let (input, other, dtype) = (call.array("input")?, call.array("other")?, call.result_dtype(0)?);
    if dtype.is_complex() {
        return one(pointwise(dtype, [input, other], |[x, n]: [Complex; 2]| x * n.exp2())?);
    }
    let powers = other.map(if other.dtype().is_float() { other.dtype() } else { DType::F32 }, f64::exp2)?;
    one(pointwise(dtype, [input, &powers], |[x, power]: [f64; 2]| x * power)?)
}

/// `input + weight * (end - input)`, from `end` where |weight| >= 1/2 (ATen/native/Lerp.h).
fn lerp(call: &Call<'_>) -> Result<Vec<Value>> {
    let (a, b, weight) = (call.array("input")?, call.array("end")?, call.operand("weight")?);
    let dtype = call.result_dtype(0)?;
    one(if dtype.is_complex() {
        pointwise(
            dtype,
            [a, b, &weight],
            |[a, b, w]: [Complex; 3]| {
                if w.abs() < 0.5 { a + w * (b - a) } else { b - (b - a) * (Complex::ONE - w) }
            },
        )?
    } else {
        let f = |[a, b, w]: [f64; 3]| if w.abs() < 0.5 { a + w * (b - a) } else { b - (b - a) * (1.0 - w) };
        pointwise(dtype, [a, b, &weight], f)?
    })
}

fn power(call: &Call<'_>, base: &str, exponent: &str) -> Result<Vec<Value>> {
    let [x, n] = call.pair(base, exponent)?;
    let dtype = call.result_dtype(0)?;
    let cast = |array: &Array| array.cast(dtype);
    one(match category(dtype) {
        // x^0 = 1
        Category::Bool => pointwise(dtype, [&x, &n], |[x, n]: [bool; 2]| x || !n)?,
        Category::Int => pointwise(dtype, [&cast(&x), &cast(&n)], |[x, n]: [i64; 2]| integer_power(x, n))?,
        Category::Float => pointwise(dtype, [&x, &n], |[x, n]: [f64; 2]| x.powf(n))?,
        Category::Complex => pointwise(dtype, [&x, &n], |[x, n]: [Complex; 2]| x.pow(n))?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotients_and_remainders() {
        assert_eq!(floor_div(-7.0, 2.0), -4.0);
        assert_eq!(floor_div(1.0, 0.1), 9.0);
        assert_eq!(floor_div_ints(-7, 2), -4);
        assert_eq!(remainder(-7.0, 2.0), 1.0);
        assert_eq!(remainder_ints(7, -2), -1);
        assert_eq!((gcd(-12, 18), lcm(4, -6), lcm(0, 0)), (6, 12, 0));
        assert_eq!((integer_power(3, 4), integer_power(-1, -3), integer_power(2, -1)), (81, -1, 0));
    }
}
