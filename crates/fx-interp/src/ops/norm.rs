//! Normalization: over the last dims here, of groups of channels and of channels in [`groups`] and [`batch`].
//!
//! All of them are `y = x w + b` with `x = (input - m) rstd`, m the mean and rstd = 1 / √(v + eps), v the (biased) variance,
//! over some dims. With g the gradient of x and means over the same dims, the gradient of the input is
//! `rstd (g - mean(g) - x mean(g x))`. What is between operands and results is f64.

pub(in crate::ops) mod batch;
pub(in crate::ops) mod groups;

use super::{Entry, one};
use crate::Result;
use crate::array::{Array, Complex, DType, pointwise};
use crate::call::Call;
use crate::ops::reduction::variance::{mean, variance};
use crate::value::Value;

pub(super) static OPS: &[Entry] = &[
    ("fx.fused_rms_norm", |call| {
        let (input, dims) = last_dims(call)?;
        let rstd = inverse_root(input, &dims, epsilon(call, input.dtype()))?;
        let x = pointwise(DType::F64, [input, &rstd], |[x, r]: [f64; 2]| x * r)?;
        let output = affine(call.result_dtype(0)?, &x, call.optional("weight")?, None)?;
        Ok(vec![output.into(), rstd.cast(call.result_dtype(1)?).into()])
    }),
    ("fx.fused_rms_norm_backward", |call| {
        let ((input, dims), g, rstd) = (last_dims(call)?, call.array("grad_out")?, call.array("rstd")?);
        let x = pointwise(DType::F64, [input, rstd], |[x, r]: [f64; 2]| x * r)?;
        let weighted = affine(DType::F64, g, call.optional("weight")?, None)?;
        let others: Vec<usize> = (0..input.rank() - dims.len()).collect();
        let weight = call.optional("weight")?.map(|_| sum_of_products(g, &x, &others)).transpose()?;
        masked(call, [Some(gradient(&weighted, &x, rstd, &dims, false)?), weight])
    }),
    ("fx.layer_norm", |call| Ok(vec![layer_norm(call)?.swap_remove(0)])),
    ("fx.native_layer_norm", layer_norm),
    ("fx.native_layer_norm_backward", |call| {
        let ((input, dims), g, rstd) = (last_dims(call)?, call.array("grad_out")?, call.array("rstd")?);
        let x = normalized(input, call.array("mean")?, rstd)?;
        let weighted = affine(DType::F64, g, call.optional("weight")?, None)?;
        let others: Vec<usize> = (0..input.rank() - dims.len()).collect();
        let weight = call.optional("weight")?.map(|_| sum_of_products(g, &x, &others)).transpose()?;
        let bias = call.optional("bias")?.map(|_| sum(g, &others)).transpose()?;
        masked(call, [Some(gradient(&weighted, &x, rstd, &dims, true)?), weight, bias])
    }),
    ("fx.rms_norm", rms_norm),
];

//--- what norms have in common -------------------------------------------------------

/// Mean and rstd over dims, of size 1 there.
fn statistics(input: &Array, dims: &[usize], eps: f64) -> Result<[Array; 2]> {
    let rstd = |group: &[Complex]| 1.0 / (variance(group, 0.0) + eps).sqrt();
    Ok([input.reduce(DType::F64, dims, true, mean)?, input.reduce(DType::F64, dims, true, rstd)?])
}

/// `(input - mean) rstd`
fn normalized(input: &Array, mean: &Array, rstd: &Array) -> Result<Array> {
    pointwise(DType::F64, [input, mean, rstd], |[x, m, r]: [f64; 3]| (x - m) * r)
}

/// `x weight + bias`; what is absent is 1 and 0.
fn affine(dtype: DType, x: &Array, weight: Option<&Array>, bias: Option<&Array>) -> Result<Array> {
    match (weight, bias) {
        (None, None) => Ok(x.cast(dtype)),
        (Some(weight), None) => pointwise(dtype, [x, weight], |[x, w]: [f64; 2]| x * w),
        (None, Some(bias)) => pointwise(dtype, [x, bias], |[x, b]: [f64; 2]| x + b),
        (Some(weight), Some(bias)) => pointwise(dtype, [x, weight, bias], |[x, w, b]: [f64; 3]| x * w + b),
    }
}

/// `rstd (g - mean(g) - x mean(g x))`, without the mean of g if x was not centered.
fn gradient(g: &Array, x: &Array, rstd: &Array, dims: &[usize], is_centered: bool) -> Result<Array> {
    let mean = |array: &Array| array.reduce(DType::F64, dims, true, |group: &[f64]| group.iter().sum::<f64>() / group.len() as f64);
    let products = mean(&pointwise(DType::F64, [g, x], |[g, x]: [f64; 2]| g * x)?)?;
    let means = mean(g)?.map(DType::F64, |m: f64| if is_centered { m } else { 0.0 })?;
    let operands = [g, x, &means, &products, rstd];
    pointwise(DType::F64, operands, |[g, x, mean, product, rstd]: [f64; 5]| rstd * (g - mean - x * product))
}

/// The sum over dims.
fn sum(g: &Array, dims: &[usize]) -> Result<Array> {
    g.reduce(DType::F64, dims, false, |group: &[f64]| group.iter().sum::<f64>())
}

fn sum_of_products(g: &Array, x: &Array, dims: &[usize]) -> Result<Array> {
    sum(&pointwise(DType::F64, [g, x], |[g, x]: [f64; 2]| g * x)?, dims)
}

fn nothing(dtype: DType) -> Result<Value> {
    Ok(Array::new(dtype, &[0], Vec::<f64>::new())?.into())
}

/// Gradients in their results' types; one that `output_mask` excludes, or that is absent, is empty.
fn masked<const N: usize>(call: &Call<'_>, gradients: [Option<Array>; N]) -> Result<Vec<Value>> {
    let mask = call.bools("output_mask")?;
    let parts = gradients.into_iter().enumerate().map(|(i, gradient)| {
        let dtype = call.result_dtype(i)?;
        let gradient = gradient.filter(|_| mask.get(i).copied().unwrap_or(false));
        gradient.map_or_else(|| nothing(dtype), |gradient| Ok(gradient.cast(dtype).into()))
    });
    parts.collect()
}

//--- over the last dims --------------------------------------------------------------

/// The input, and its dims that `normalized_shape` names.
fn last_dims<'a>(call: &'a Call<'_>) -> Result<(&'a Array, Vec<usize>)> {
    let input = call.array("input")?;
    let sizes = match call.optional_ints("normalized_shape") {
        Some(sizes) => sizes,
        None => call.sizes("normalized_shape")?,
    };
    let kept = input.rank().checked_sub(sizes.len());
    let fits = |kept: &usize| input.shape()[*kept..].iter().zip(&sizes).all(|(own, size)| *own as i64 == *size);
    let kept = kept.filter(fits).ok_or_else(|| format!("normalizes {sizes:?} of shape {:?}", input.shape()))?;
    Ok((input, (kept..input.rank()).collect()))
}

/// (y, mean, rstd), of which `layer_norm` has the first.
fn layer_norm(call: &Call<'_>) -> Result<Vec<Value>> {
    let (input, dims) = last_dims(call)?;
    let [mean, rstd] = statistics(input, &dims, call.float("eps")?)?;
    let x = normalized(input, &mean, &rstd)?;
    let mut results = vec![affine(call.result_dtype(0)?, &x, call.optional("weight")?, call.optional("bias")?)?.into()];
    if call.result_count() == 3 {
        results.extend([mean.cast(call.result_dtype(1)?).into(), rstd.cast(call.result_dtype(2)?).into()]);
    }
    Ok(results)
}

/// The attribute `eps`, or the epsilon of the type that the CPU computes in.
fn epsilon(call: &Call<'_>, dtype: DType) -> f64 {
    let own = if matches!(dtype, DType::F64 | DType::C128) { f64::EPSILON } else { f64::from(f32::EPSILON) };
    call.optional_float("eps").unwrap_or(own)
}

/// `1 / √(mean(input²) + eps)`
fn inverse_root(input: &Array, dims: &[usize], eps: f64) -> Result<Array> {
    let square = |group: &[f64]| group.iter().map(|x| x * x).sum::<f64>() / group.len() as f64;
    input.reduce(DType::F64, dims, true, |group: &[f64]| 1.0 / (square(group) + eps).sqrt())
}

/// `input weight / √(mean(input²) + eps)`, of complex numbers too: the square is not that of the modulus.
fn rms_norm(call: &Call<'_>) -> Result<Vec<Value>> {
    let ((input, dims), dtype) = (last_dims(call)?, call.result_dtype(0)?);
    let (eps, weight) = (epsilon(call, input.dtype()), call.optional("weight")?);
    if !dtype.is_complex() {
        let rstd = inverse_root(input, &dims, eps)?;
        let x = pointwise(DType::F64, [input, &rstd], |[x, r]: [f64; 2]| x * r)?;
        return one(affine(dtype, &x, weight, None)?);
    }
    let rstd = input.reduce(DType::C128, &dims, true, |group: &[Complex]| {
        let squares: Vec<Complex> = group.iter().map(|z| *z * *z).collect();
        (mean(&squares) + Complex::from(eps)).sqrt().recip()
    })?;
    let x = pointwise(DType::C128, [input, &rstd], |[z, r]: [Complex; 2]| z * r)?;
    one(match weight {
        Some(weight) => pointwise(dtype, [&x, weight], |[z, w]: [Complex; 2]| z * w)?,
        None => x.cast(dtype),
    })
}
