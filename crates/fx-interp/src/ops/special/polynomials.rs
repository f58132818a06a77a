//! Orthogonal polynomials, by the recurrences that define them. The degree is truncated to an integer; below 0 the
//! polynomial is 0, as in PyTorch.

use crate::Result;
use crate::array::{DType, pointwise};
use crate::call::Call;
use crate::ops::{Entry, one};
use crate::value::Value;

pub(in crate::ops) static OPS: &[Entry] = &[
    ("fx.special_chebyshev_polynomial_t", |call| polynomial(call, |x, n| chebyshev(x, n, x))),
    ("fx.special_chebyshev_polynomial_u", |call| polynomial(call, |x, n| chebyshev(x, n, 2.0 * x))),
    ("fx.special_chebyshev_polynomial_v", |call| polynomial(call, |x, n| chebyshev(x, n, 2.0 * x - 1.0))),
    ("fx.special_chebyshev_polynomial_w", |call| polynomial(call, |x, n| chebyshev(x, n, 2.0 * x + 1.0))),
    ("fx.special_hermite_polynomial_h", |call| {
        polynomial(call, |x, n| recurrence(n, 2.0 * x, |k, last, before| 2.0 * x * last - 2.0 * (k - 1.0) * before))
    }),
    ("fx.special_hermite_polynomial_he", |call| polynomial(call, |x, n| recurrence(n, x, |k, last, before| x * last - (k - 1.0) * before))),
    ("fx.special_laguerre_polynomial_l", |call| {
        polynomial(call, |x, n| recurrence(n, 1.0 - x, |k, last, before| ((2.0 * k - 1.0 - x) * last - (k - 1.0) * before) / k))
    }),
    ("fx.special_legendre_polynomial_p", |call| {
        polynomial(call, |x, n| recurrence(n, x, |k, last, before| ((2.0 * k - 1.0) * x * last - (k - 1.0) * before) / k))
    }),
    ("fx.special_shifted_chebyshev_polynomial_t", |call| shifted(call, |x, n| chebyshev(x, n, x))),
    ("fx.special_shifted_chebyshev_polynomial_u", |call| shifted(call, |x, n| chebyshev(x, n, 2.0 * x))),
    ("fx.special_shifted_chebyshev_polynomial_v", |call| shifted(call, |x, n| chebyshev(x, n, 2.0 * x - 1.0))),
    ("fx.special_shifted_chebyshev_polynomial_w", |call| shifted(call, |x, n| chebyshev(x, n, 2.0 * x + 1.0))),
];

/// Beyond this degree there is no end to be waited for.
const MOST: i64 = 1 << 20;

/// A polynomial of the operand `x`, its degree the operand `n`.
fn polynomial(call: &Call<'_>, f: impl Fn(f64, i64) -> f64) -> Result<Vec<Value>> {
    let [x, n] = call.pair("x", "n")?;
    let n = n.cast(DType::I64);
    if let Some(degree) = n.values::<i64>().into_iter().find(|n| *n > MOST) {
        return Err(format!("has degree {degree}, which is more than {MOST}"));
    }
    one(pointwise(call.result_dtype(0)?, [&x, &n], |[x, n]: [f64; 2]| f(x, n as i64))?)
}

/// A polynomial of 2x - 1.
fn shifted(call: &Call<'_>, f: impl Fn(f64, i64) -> f64) -> Result<Vec<Value>> {
    polynomial(call, |x, n| f(2.0 * x - 1.0, n))
}

/// `p_n`, from p_0 = 1, p_1 and p_k as a function of k, p_{k-1} and p_{k-2}.
fn recurrence(n: i64, first: f64, next: impl Fn(f64, f64, f64) -> f64) -> f64 {
    match n {
        n if n < 0 => 0.0,
        0 => 1.0,
        n => {
            let (mut before, mut last) = (1.0, first);
            for k in 2..=n {
                (before, last) = (last, next(k as f64, last, before));
            }
            last
        }
    }
}

/// The kinds differ in p_1: p_k = 2x p_{k-1} - p_{k-2} (DLMF 18.9.1).
fn chebyshev(x: f64, n: i64, first: f64) -> f64 {
    recurrence(n, first, |_, last, before| 2.0 * x * last - before)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trigonometric_forms() {
        let a = 0.7f64;
        let x = a.cos();
        let close = |first: f64, expected: f64| (chebyshev(x, 5, first) - expected).abs() < 1e-14;
        assert!(close(x, (5.0 * a).cos()));
        assert!(close(2.0 * x, (6.0 * a).sin() / a.sin()));
        assert!(close(2.0 * x - 1.0, (5.5 * a).cos() / (a / 2.0).cos()));
        assert!(close(2.0 * x + 1.0, (5.5 * a).sin() / (a / 2.0).sin()));
        assert_eq!((chebyshev(x, -1, x), chebyshev(f64::NAN, 0, x)), (0.0, 1.0));
    }
}
