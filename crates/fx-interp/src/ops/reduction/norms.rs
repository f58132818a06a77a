//! Norms of vectors, and what is made of them.

use super::check_some;
use crate::Result;
use crate::array::{Array, Category, Complex, DType, broadcast_shapes, pointwise, promote_types};
use crate::call::Call;
use crate::ops::{Entry, maximum, minimum, one};
use crate::value::{Number, Value};

pub(in crate::ops) static OPS: &[Entry] = &[
    ("fx.cosine_similarity", cosine_similarity),
    ("fx.dist", dist),
    ("fx.linalg_vector_norm", |call| {
        let input = call.array("input")?;
        let input = call.dtype("dtype").map_or(input.clone(), |dtype| input.cast(dtype));
        let p = if call.has("ord") { call.number("ord")?.float() } else { 2.0 };
        let dims = call.dims("dim", input.rank())?;
        if p < 0.0 || p.is_infinite() {
            check_some(&input, &dims)?;
        }
        let sizes = magnitudes(&input)?;
        one(sizes.reduce(call.result_dtype(0)?, &dims, call.bool("keepdim"), |group: &[f64]| norm(group.iter().copied(), p))?)
    }),
    ("fx.renorm", renorm),
];

/// `(Σ size^p)^(1/p)` of sizes that are not negative; the greatest for p = ∞, the least for p = -∞, the number of those
/// that are not 0 for p = 0.
pub(in crate::ops) fn norm(sizes: impl Iterator<Item = f64>, p: f64) -> f64 {
    match p {
        0.0 => sizes.filter(|x| *x != 0.0).count() as f64,
        1.0 => sizes.sum(),
        2.0 => sizes.map(|x| x * x).sum::<f64>().sqrt(),
        f64::INFINITY => sizes.fold(0.0, maximum),
        f64::NEG_INFINITY => sizes.fold(f64::INFINITY, minimum),
        p => sizes.map(|x| x.powf(p)).sum::<f64>().powf(1.0 / p),
    }
}

/// The absolute values, in f64.
fn magnitudes(input: &Array) -> Result<Array> {
    match input.category() {
        Category::Complex => input.map(DType::F64, Complex::abs),
        _ => input.map(DType::F64, f64::abs),
    }
}

/// The norm of the difference of operands that broadcast.
fn dist(call: &Call<'_>) -> Result<Vec<Value>> {
    let (a, b) = (call.array("input")?, call.array("other")?);
    let p = if call.has("p") { call.number("p")?.float() } else { 2.0 };
    let differences = match promote_types(a.dtype(), b.dtype()).is_complex() {
        true => pointwise(DType::F64, [a, b], |[x, y]: [Complex; 2]| (x - y).abs())?,
        false => pointwise(DType::F64, [a, b], |[x, y]: [f64; 2]| (x - y).abs())?,
    };
    if p < 0.0 || p.is_infinite() {
        check_some(&differences, &(0..differences.rank()).collect::<Vec<_>>())?;
    }
    let result = norm(differences.values::<f64>().into_iter(), p);
    one(Array::scalar(call.result_dtype(0)?, Number::Float(result)))
}

/// `Σ x1 x2 / (max(|x1|, eps) max(|x2|, eps))` along a dim of the broadcast operands.
fn cosine_similarity(call: &Call<'_>) -> Result<Vec<Value>> {
    let (a, b, eps) = (call.array("x1")?, call.array("x2")?, call.float("eps")?);
    let shape = broadcast_shapes(&[a.shape(), b.shape()])?;
    let dims: Vec<usize> = Some(call.dim("dim", shape.len())?).filter(|dim| *dim < shape.len()).into_iter().collect();
    let sum = |a: &Array, b: &Array| -> Result<Array> {
        let products = pointwise(DType::F64, [a, b], |[x, y]: [f64; 2]| x * y)?.expand(&shape)?;
        products.reduce(DType::F64, &dims, false, |group: &[f64]| group.iter().sum::<f64>())
    };
    let (dot, square_a, square_b) = (sum(a, b)?, sum(&a.expand(&shape)?, a)?, sum(&b.expand(&shape)?, b)?);
    let dtype = call.result_dtype(0)?;
    one(pointwise(dtype, [&dot, &square_a, &square_b], |[dot, a, b]: [f64; 3]| dot / (maximum(a.sqrt(), eps) * maximum(b.sqrt(), eps)))?)
}

/// Slices along a dim, those whose norm is above `maxnorm` scaled by maxnorm / (norm + 1e-7) (ATen, Normalization.cpp).
fn renorm(call: &Call<'_>) -> Result<Vec<Value>> {
    let (input, dtype) = (call.array("input")?, call.result_dtype(0)?);
    let (p, most) = (call.number("p")?.float(), call.number("maxnorm")?.float());
    let dim = call.dim("dim", input.rank())?;
    let others: Vec<usize> = (0..input.rank()).filter(|other| *other != dim).collect();
    let factors = magnitudes(input)?.reduce(DType::F64, &others, true, |group: &[f64]| {
        let size = norm(group.iter().copied(), p);
        if size > most { most / (size + 1e-7) } else { 1.0 }
    })?;
    one(match dtype.is_complex() {
        true => pointwise(dtype, [input, &factors], |[z, factor]: [Complex; 2]| z * factor.re)?,
        false => pointwise(dtype, [input, &factors], |[x, factor]: [f64; 2]| x * factor)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn norms() {
        let of = |p| norm([3.0, 0.0, 4.0].into_iter(), p);
        assert_eq!((of(0.0), of(1.0), of(2.0), of(f64::INFINITY), of(f64::NEG_INFINITY)), (2.0, 7.0, 5.0, 4.0, 0.0));
        assert!((of(3.0) - 91f64.cbrt()).abs() < 1e-14);
        assert!(norm([1.0, f64::NAN].into_iter(), f64::INFINITY).is_nan());
    }
}
