//! Reductions over any dims.

pub(in crate::ops) mod attention;
pub(in crate::ops) mod histogram;
pub(in crate::ops) mod norms;
pub(in crate::ops) mod scan;
pub(in crate::ops) mod segments;
pub(in crate::ops) mod softmax;
pub(in crate::ops) mod variance;

use super::matrix::ring::{Ring, sum};
use super::{Entry, maximum, minimum, one};
use crate::Result;
use crate::array::{Array, Category, Complex, DType, Element, category};
use crate::call::{Call, normalize};
use crate::value::Value;

pub(super) static OPS: &[Entry] = &[
    ("fx.all", |call| listed(call, "dim", |group: &[bool]| group.iter().all(|x| *x))),
    ("fx.amax", |call| extremum(call, maximum, i64::max)),
    ("fx.amin", |call| extremum(call, minimum, i64::min)),
    ("fx.any", |call| listed(call, "dim", |group: &[bool]| group.iter().any(|x| *x))),
    ("fx.count_nonzero", |call| {
        let count = |group: &[bool]| group.iter().filter(|x| **x).count() as i64;
        reduce(call, call.array("input")?, call.result_dtype(0)?, count)
    }),
    ("fx.logsumexp", |call| {
        let (input, dtype) = (call.array("input")?, call.result_dtype(0)?);
        if dtype.is_complex() { reduce(call, input, dtype, logsumexp_complex) } else { reduce(call, input, dtype, logsumexp) }
    }),
    ("fx.mean", |call| mean(call, |_| true)),
    ("fx.nanmean", |call| mean(call, |z| !z.is_nan())),
    ("fx.nansum", |call| {
        let dtype = call.result_dtype(0)?;
        let input = call.array("input")?.cast(dtype);
        crate::each_kind!(dtype, T => {
            let number = |x: &T| !T::is_nan(*x);
            reduce(call, &input, dtype, |group: &[T]| sum(group.iter().copied().filter(number)))
        })
    }),
    ("fx.prod", |call| {
        let dtype = call.result_dtype(0)?;
        let input = call.array("input")?.cast(dtype);
        crate::each_kind!(dtype, T => reduce(call, &input, dtype, |group: &[T]| group.iter().fold(T::ONE, |x, y| x.times(*y))))
    }),
    ("fx.sum", |call| {
        let dtype = call.result_dtype(0)?;
        let input = call.array("input")?.cast(dtype);
        crate::each_kind!(dtype, T => reduce(call, &input, dtype, |group: &[T]| sum(group.iter().copied())))
    }),
    ("fx.sum_to_size", sum_to_size),
    ("fx.xor_sum", |call| listed(call, "dims", |group: &[i64]| group.iter().fold(0, |x, y| x ^ y))),
];

/// Reduces over the attribute `dim`, absent or empty all dims.
fn reduce<T: Element, R: Element>(call: &Call<'_>, input: &Array, dtype: DType, f: impl FnMut(&[T]) -> R) -> Result<Vec<Value>> {
    one(input.reduce(dtype, &call.dims("dim", input.rank())?, call.bool("keepdim"), f)?)
}

/// Reduces over listed dims: absent all of them, an empty list none.
fn listed<T: Element, R: Element>(call: &Call<'_>, list: &str, f: impl FnMut(&[T]) -> R) -> Result<Vec<Value>> {
    let input = call.array("input")?;
    let dims = match call.optional_ints(list) {
        None => (0..input.rank()).collect(),
        Some(dims) => along(&dims, input.rank())?,
    };
    one(input.reduce(call.result_dtype(0)?, &dims, call.bool("keepdim"), f)?)
}

/// Dims of an array; none of rank 0.
fn along(dims: &[i64], rank: usize) -> Result<Vec<usize>> {
    let mut normal = dims.iter().map(|dim| normalize(*dim, rank)).collect::<Result<Vec<_>>>()?;
    normal.retain(|dim| *dim < rank);
    Ok(normal)
}

/// That each reduced dim has an element.
pub(in crate::ops) fn check_some(input: &Array, dims: &[usize]) -> Result<()> {
    match dims.iter().find(|dim| input.size(**dim) == 0) {
        Some(dim) => Err(format!("reduces dim {dim} of size 0, of shape {:?}", input.shape())),
        None => Ok(()),
    }
}

fn extremum(call: &Call<'_>, real: impl Fn(f64, f64) -> f64, int: impl Fn(i64, i64) -> i64) -> Result<Vec<Value>> {
    let dtype = call.result_dtype(0)?;
    let input = call.array("input")?.cast(dtype);
    check_some(&input, &call.dims("dim", input.rank())?)?;
    match category(dtype) {
        Category::Float => reduce(call, &input, dtype, |group: &[f64]| group.iter().copied().reduce(&real).unwrap_or(f64::NAN)),
        _ => reduce(call, &input, dtype, |group: &[i64]| group.iter().copied().reduce(&int).unwrap_or(0)),
    }
}

/// The mean of the elements that count.
fn mean(call: &Call<'_>, counts: impl Fn(Complex) -> bool) -> Result<Vec<Value>> {
    let dtype = call.result_dtype(0)?;
    let input = call.array("input")?.cast(dtype);
    reduce(call, &input, dtype, |group: &[Complex]| {
        let (mut total, mut count) = (Complex::ZERO, 0.0);
        for z in group.iter().filter(|z| counts(**z)) {
            total = total + *z;
            count += 1.0;
        }
        Complex::new(total.re / count, total.im / count)
    })
}

/// `m + ln Σ e^(x - m)`, m the greatest element; what is infinite is not subtracted.
pub(in crate::ops) fn logsumexp(group: &[f64]) -> f64 {
    let greatest = group.iter().copied().fold(f64::NEG_INFINITY, maximum);
    let m = if greatest.is_infinite() { 0.0 } else { greatest };
    m + group.iter().map(|x| (x - m).exp()).sum::<f64>().ln()
}

/// Likewise, from the greatest real part.
fn logsumexp_complex(group: &[Complex]) -> Complex {
    let greatest = group.iter().map(|z| z.re).fold(f64::NEG_INFINITY, maximum);
    let m = Complex::from(if greatest.is_infinite() { 0.0 } else { greatest });
    m + sum(group.iter().map(|z| (*z - m).exp())).ln()
}

/// Sums over the leading dims that `size` lacks, and those where it is 1.
fn sum_to_size(call: &Call<'_>) -> Result<Vec<Value>> {
    let (input, size, dtype) = (call.array("input")?, call.shape("size")?, call.result_dtype(0)?);
    let shape = input.shape();
    let front = shape.len().checked_sub(size.len());
    let front = front.filter(|front| size.iter().zip(&shape[*front..]).all(|(to, from)| to == from || *to == 1));
    let front = front.ok_or_else(|| format!("shape {shape:?} cannot be summed to {size:?}"))?;
    let dims: Vec<usize> = (0..shape.len()).filter(|dim| *dim < front || size[*dim - front] == 1).collect();
    one(crate::each_kind!(dtype, T => {
        input.reduce(dtype, &dims, false, |group: &[T]| sum(group.iter().copied()))?.reshape(&size)?
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logarithms_of_sums() {
        assert_eq!(logsumexp(&[1000.0, 1000.0]), 1000.0 + 2f64.ln());
        assert_eq!(logsumexp(&[]), f64::NEG_INFINITY);
        assert_eq!(logsumexp(&[f64::NEG_INFINITY; 2]), f64::NEG_INFINITY);
        assert_eq!(logsumexp(&[f64::INFINITY, 0.0]), f64::INFINITY);
        assert!(logsumexp(&[f64::NAN, f64::INFINITY]).is_nan());
        assert!((logsumexp_complex(&[Complex::I, Complex::I]) - Complex::new(2f64.ln(), 1.0)).abs() < 1e-15);
    }
}
