//! Normalization: over the last dims here, of groups of channels and of channels in [`groups`] and [`batch`].
//!
//! All of them are `y = (x - m) rstd`, with m the mean and 1 / rstd² the variance (plus eps) of a set of elements, then
//! scaled by a weight and shifted by a bias; statistics are in f64.

pub(in crate::ops) mod batch;
pub(in crate::ops) mod groups;

use super::{Entry, one};
use crate::Result;
use crate::array::{Array, Category, Complex, DType, category, pointwise};
use crate::call::Call;
use crate::value::{Number, Value};

pub(super) static OPS: &[Entry] = &[
    ("fx.fused_rms_norm", |call| {
        let (input, rows) = (call.array("input")?, rows(call)?);
        let rstd = inverse_roots(input, &rows, epsilon(call, input.dtype()))?;
        let output = scaled(call, pointwise(DType::F64, [input, &rstd], |[x, r]: [f64; 2]| x * r)?)?;
        Ok(vec![output.into(), rstd.cast(call.result_dtype(1)?).into()])
    }),
    ("fx.fused_rms_norm_backward", |call| {
        let (input, g, dims) = (call.array("input")?, call.array("grad_out")?, rows(call)?);
        let x = pointwise(DType::F64, [input, call.array("rstd")?], |[x, r]: [f64; 2]| x * r)?;
        let kept: Vec<usize> = (0..input.rank() - dims.len()).collect();
        let weight = weight(call, input.rank())?;
        let input = gradient(g, &x, &weight, &dims, call.array("rstd")?, false)?;
        Ok(masked(call, vec![Some(input), call.has_operand("weight").then(|| sums(g, &x, &kept)).transpose()?])?)
    }),
    ("fx.layer_norm", |call| {
        let [output, _, _] = layer_norm(call)?;
        one(output)
    }),
    ("fx.native_layer_norm", |call| {
        let [output, mean, rstd] = layer_norm(call)?;
        Ok(vec![output.into(), mean.cast(call.result_dtype(1)?).into(), rstd.cast(call.result_dtype(2)?).into()])
    }),
];
