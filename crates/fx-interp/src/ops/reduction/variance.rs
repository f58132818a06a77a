//! Variances and standard deviations.

use crate::Result;
use crate::array::{Array, Complex};
use crate::call::Call;
use crate::ops::matrix::ring::sum;
use crate::ops::{Entry, one};

pub(in crate::ops) static OPS: &[Entry] = &[
    ("fx.std", |call| one(deviation(call, f64::sqrt)?)),
    ("fx.std_mean", |call| Ok(vec![deviation(call, f64::sqrt)?.into(), means(call)?.into()])),
    ("fx.var", |call| one(deviation(call, |v| v)?)),
    ("fx.var_mean", |call| Ok(vec![deviation(call, |v| v)?.into(), means(call)?.into()])),
];

/// The mean; NaN of nothing.
pub(in crate::ops) fn mean(group: &[Complex]) -> Complex {
    let (total, count) = (sum(group.iter().copied()), group.len() as f64);
    Complex::new(total.re / count, total.im / count)
}

/// `Σ |x - m|² / max(0, n - correction)`, m the mean of the n elements.
pub(in crate::ops) fn variance(group: &[Complex], correction: f64) -> f64 {
    let m = mean(group);
    let square = |z: Complex| z.re * z.re + z.im * z.im;
    group.iter().map(|z| square(*z - m)).sum::<f64>() / (group.len() as f64 - correction).max(0.0)
}

/// A function of the variances along the attribute `dim`.
fn deviation(call: &Call<'_>, f: impl Fn(f64) -> f64) -> Result<Array> {
    let input = call.array("input")?;
    let correction = match call.has("correction") {
        true => call.number("correction")?.float(),
        false => f64::from(u8::from(call.optional_bool("unbiased").unwrap_or(true))),
    };
    let dims = call.dims("dim", input.rank())?;
    input.reduce(call.result_dtype(0)?, &dims, call.bool("keepdim"), |group: &[Complex]| f(variance(group, correction)))
}

/// The means, the second result.
fn means(call: &Call<'_>) -> Result<Array> {
    let input = call.array("input")?;
    input.reduce(call.result_dtype(1)?, &call.dims("dim", input.rank())?, call.bool("keepdim"), mean)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn corrections() {
        let group = [1.0, 2.0, 3.0, 4.0].map(Complex::from);
        assert_eq!((variance(&group, 0.0), variance(&group, 1.0)), (1.25, 5.0 / 3.0));
        assert_eq!(variance(&group, 4.0), f64::INFINITY);
        assert_eq!(variance(&group, 9.0), f64::INFINITY);
        assert!(variance(&group[..1], 1.0).is_nan() && variance(&[], 0.0).is_nan());
        assert_eq!(variance(&[Complex::new(0.0, 1.0), Complex::new(0.0, -1.0)], 0.0), 1.0);
    }
}
