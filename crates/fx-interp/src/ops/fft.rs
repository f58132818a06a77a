//! Discrete Fourier transforms, by their sums.

use std::f64::consts::TAU;

use super::{Entry, one};
use crate::Result;
use crate::array::{Array, Complex, DType};
use crate::call::{Call, normalize};

pub(super) static OPS: &[Entry] = &[
    ("fx.fft_c2c", |call| {
        let input = call.array("input")?;
        let dims = dims(call, input)?;
        let sign = if call.bool("forward") { -1.0 } else { 1.0 };
        one(finished(call, transformed(input, &dims, sign)?, count(input.shape(), &dims))?)
    }),
    ("fx.fft_c2r", |call| {
        let input = call.array("input")?;
        let dims = dims(call, input)?;
        let Some((last, others)) = dims.split_last() else { return Err("names no dim".into()) };
        let length = call.shape("last_dim_size")?.first().copied().unwrap_or(0);
        if input.size(*last) <= length / 2 {
            return Err(format!("has {} frequencies for {length} numbers", input.size(*last)));
        }
        let result = transformed(input, others, 1.0)?.lanes(DType::F64, *last, length, |lane: &[Complex]| real_inverse(lane, length))?;
        let elements = count(result.shape(), &dims);
        one(finished(call, result, elements)?)
    }),
    ("fx.fft_r2c", |call| {
        let input = call.array("input")?;
        let dims = dims(call, input)?;
        let Some(last) = dims.last() else { return Err("names no dim".into()) };
        let result = transformed(input, &dims, -1.0)?;
        let half = input.size(*last) / 2 + 1;
        let result = if call.bool("onesided") { result.slice(*last, 0, half, 1)? } else { result };
        one(finished(call, result, count(input.shape(), &dims))?)
    }),
];

/// The attribute `dim`, in its order.
fn dims(call: &Call<'_>, input: &Array) -> Result<Vec<usize>> {
    let mut dims = call.ints("dim")?.into_iter().map(|dim| normalize(dim, input.rank())).collect::<Result<Vec<_>>>()?;
    dims.retain(|dim| *dim < input.rank());
    Ok(dims)
}

/// How many elements a transform has.
fn count(shape: &[usize], dims: &[usize]) -> f64 {
    dims.iter().map(|dim| shape[*dim] as f64).product()
}

/// Scaled as the attribute `normalization` says, in the result's type.
fn finished(call: &Call<'_>, result: Array, count: f64) -> Result<Array> {
    let factor = match call.int("normalization")? {
        0 => 1.0,
        1 => 1.0 / count.sqrt(),
        2 => 1.0 / count,
        other => return Err(format!("has normalization {other}")),
    };
    let dtype = call.result_dtype(0)?;
    if dtype.is_complex() { result.map(dtype, |z: Complex| z * factor) } else { result.map(dtype, |x: f64| x * factor) }
}

/// `e^(2πi k / n)`
fn root(k: usize, n: usize) -> Complex {
    Complex::polar(1.0, TAU * ((k % n) as f64 / n as f64))
}

/// `y[f] = Σ x[k] e^(±2πi f k / n)` along one dim after the other.
fn transformed(input: &Array, dims: &[usize], sign: f64) -> Result<Array> {
    let mut result = input.cast(DType::C128);
    for dim in dims {
        let n = result.size(*dim);
        let roots: Vec<Complex> = (0..n).map(|k| root(k, n)).map(|z| if sign > 0.0 { z } else { z.conj() }).collect();
        result = result.lanes(DType::C128, *dim, n, |lane: &[Complex]| {
            let element = |f: usize| (0..n).fold(Complex::default(), |sum, k| sum + lane[k] * roots[f * k % n]);
            (0..n).map(element).collect()
        })?;
    }
    Ok(result)
}

/// The real numbers that have these first frequencies: `y[k] = Re Σ_f c_f x[f] e^(2πi f k / n)`, where c is 2 for those that
/// have a conjugate. The imaginary parts of the others do not count.
fn real_inverse(lane: &[Complex], n: usize) -> Vec<f64> {
    let term = |f: usize, k: usize| {
        let alone = f == 0 || 2 * f == n;
        if alone { lane[f].re * root(f * k, n).re } else { 2.0 * (lane[f] * root(f * k, n)).re }
    };
    (0..n).map(|k| (0..=n / 2).map(|f| term(f, k)).sum()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn transforms_invert_one_another() {
        for n in [1, 2, 5, 8] {
            let values: Vec<f64> = (0..n).map(|k| f64::from(k * k) - 3.0).collect();
            let x = Array::new(DType::F64, &[n as usize], values.clone()).unwrap();
            let y = transformed(&x, &[0], -1.0).unwrap();
            let back = real_inverse(&y.values::<Complex>(), n as usize);
            assert!(back.iter().zip(&values).all(|(a, b)| (a / f64::from(n) - b).abs() < 1e-12));
            let again = transformed(&y, &[0], 1.0).unwrap().values::<Complex>();
            assert!(again.iter().zip(&values).all(|(a, b)| (*a * (1.0 / f64::from(n)) - Complex::from(*b)).abs() < 1e-12));
        }
    }
}
