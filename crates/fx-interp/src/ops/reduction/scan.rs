//! Sums, products and extrema so far, differences of neighbours.

use crate::Result;
use crate::array::{Array, Category, Complex, Element, category};
use crate::call::Call;
use crate::ops::matrix::ring::Ring;
use crate::ops::order::{Key, pick_along};
use crate::ops::{Entry, maximum, minimum, one};
use crate::value::Value;

pub(in crate::ops) static OPS: &[Entry] = &[
    ("fx.cummax", |call| extrema(call, |new, old| new >= old)),
    ("fx.cummin", |call| extrema(call, |new, old| new <= old)),
    ("fx.cumprod", |call| {
        let dtype = call.result_dtype(0)?;
        crate::each_kind!(dtype, T => scan(call, T::times))
    }),
    ("fx.cumsum", |call| {
        let dtype = call.result_dtype(0)?;
        crate::each_kind!(dtype, T => scan(call, T::plus))
    }),
    ("fx.diff", diff),
    ("fx.logcumsumexp", |call| match call.result_dtype(0)?.is_complex() {
        true => scan(call, log_sum_complex),
        false => scan(call, log_sum),
    }),
];

/// What `f` makes of all elements up to each one along `dim`, the input converted to the result's type first.
fn scan<T: Element>(call: &Call<'_>, f: impl Fn(T, T) -> T) -> Result<Vec<Value>> {
    let dtype = call.result_dtype(0)?;
    let input = call.array("input")?.cast(dtype);
    let dim = call.dim("dim", input.rank())?;
    one(input.lanes(dtype, dim, input.size(dim), |lane: &[T]| {
        let mut total = None;
        let mut next = |x: T| *total.insert(total.map_or(x, |total| f(total, x)));
        lane.iter().map(|x| next(*x)).collect()
    })?)
}

/// The extremum so far and its last place; NaN is every extremum.
fn extrema(call: &Call<'_>, replaces: impl Fn(Key, Key) -> bool) -> Result<Vec<Value>> {
    let input = call.array("input")?;
    let dim = call.dim("dim", input.rank())?;
    let [values, indices] = pick_along(input, dim, input.size(dim), |keys| {
        let mut best = 0;
        let next = |i: usize| {
            if keys[i] == Key::Nan || (keys[best] != Key::Nan && replaces(keys[i], keys[best])) {
                best = i;
            }
            best
        };
        (0..keys.len()).map(next).collect()
    })?;
    Ok(vec![values.into(), indices.into()])
}

/// `ln(e^x + e^y)`
fn log_sum(x: f64, y: f64) -> f64 {
    let (low, high) = (minimum(x, y), maximum(x, y));
    if low == high && low.is_infinite() { low } else { high + (low - high).exp().ln_1p() }
}

/// Likewise, from the number with the greater real part. e^z is 0 if that is -∞, whatever the imaginary part.
fn log_sum_complex(x: Complex, y: Complex) -> Complex {
    let (high, low) = if x.re >= y.re { (x, y) } else { (y, x) };
    match (high, low) {
        (high, low) if high.is_nan() || low.is_nan() => Complex::new(f64::NAN, f64::NAN),
        (high, low) if low.re == f64::NEG_INFINITY => {
            if high.re == f64::NEG_INFINITY {
                low
            } else {
                high
            }
        }
        (high, low) if high.re.is_infinite() && low.re == high.re => (high.exp() + low.exp()).ln(),
        (high, low) => high + (low - high).exp().ln_1p(),
    }
}

/// `n` times the differences of neighbours along `dim`; of bools whether they differ.
fn diff(call: &Call<'_>) -> Result<Vec<Value>> {
    let (input, dtype) = (call.array("input")?, call.result_dtype(0)?);
    let dim = call.dim("dim", input.rank())?;
    let parts = [call.optional("prepend")?, Some(input), call.optional("append")?];
    let parts: Vec<Array> = parts.into_iter().flatten().map(|part| part.cast(dtype)).collect();
    let mut result = Array::concat(&parts.iter().collect::<Vec<_>>(), dim)?;
    for _ in 0..call.int("n")? {
        let length = result.size(dim).saturating_sub(1);
        result = match category(dtype) {
            Category::Bool => result.lanes(dtype, dim, length, |lane: &[bool]| lane.windows(2).map(|pair| pair[0] != pair[1]).collect()),
            Category::Int => {
                result.lanes(dtype, dim, length, |lane: &[i64]| lane.windows(2).map(|pair| pair[1].wrapping_sub(pair[0])).collect())
            }
            Category::Float => result.lanes(dtype, dim, length, |lane: &[f64]| lane.windows(2).map(|pair| pair[1] - pair[0]).collect()),
            Category::Complex => {
                result.lanes(dtype, dim, length, |lane: &[Complex]| lane.windows(2).map(|pair| pair[1] - pair[0]).collect())
            }
        }?;
        if length == 0 {
            break;
        }
    }
    one(result)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_of_powers() {
        const LOW: f64 = f64::NEG_INFINITY;
        assert_eq!(log_sum(LOW, LOW), LOW);
        assert_eq!(log_sum(0.0, 0.0), 2f64.ln());
        assert!(log_sum(f64::NAN, LOW).is_nan());
        let z = Complex::new(0.3, -2.0);
        assert_eq!(log_sum_complex(Complex::new(LOW, 1.0), z), z);
        assert!((log_sum_complex(z, Complex::ONE) - (z.exp() + Complex::ONE.exp()).ln()).abs() < 1e-15);
    }
}
