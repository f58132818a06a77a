//! Normalization of channels (dim 1), over the batch or by running statistics.

use super::{affine, gradient, masked, normalized, nothing, statistics, sum, sum_of_products};
use crate::Result;
use crate::array::{Array, Complex, DType, pointwise};
use crate::call::Call;
use crate::ops::reduction::variance::variance;
use crate::ops::{Entry, one};
use crate::value::Value;

pub(in crate::ops) static OPS: &[Entry] = &[
    ("fx.batch_norm", |call| one(Norm::of(call, call.bool("training"), &BATCH)?.output(call)?)),
    ("fx.batch_norm_with_update_functional", |call| {
        let norm = Norm::of(call, true, &BATCH)?;
        let mut results = norm.with_statistics(call)?;
        results.push(nothing(call.result_dtype(3)?)?);
        results.extend(norm.running(call, 4)?);
        Ok(results)
    }),
    // each sample alone
    ("fx.instance_norm", |call| one(Norm::of(call, call.bool("use_input_stats"), &BATCH[1..])?.output(call)?)),
    ("fx.native_batch_norm_backward", backward),
    ("fx.native_batch_norm_legit", |call| Norm::of(call, call.bool("training"), &BATCH)?.with_statistics(call)),
    ("fx.native_batch_norm_legit_functional", |call| {
        let norm = Norm::of(call, call.bool("training"), &BATCH)?;
        let mut results = norm.with_statistics(call)?;
        results.extend(norm.running(call, 3)?);
        Ok(results)
    }),
    ("fx.native_batch_norm_legit_no_training", |call| Norm::of(call, false, &BATCH)?.with_statistics(call)),
];

/// Dims of a channel, of inputs of the shape [samples, channels, elements].
const BATCH: [usize; 2] = [0, 2];

/// The input's shape [samples, channels, elements].
fn flat(input: &Array) -> Result<[usize; 3]> {
    match input.shape() {
        [samples, channels, inner @ ..] => Ok([*samples, *channels, inner.iter().product()]),
        shape => Err(format!("expects samples and channels, got shape {shape:?}")),
    }
}

/// One number for each channel, such that it broadcasts to `flat`.
fn column(array: &Array) -> Result<Array> {
    array.reshape(&[array.len(), 1])
}

fn parameter(call: &Call<'_>, name: &str) -> Result<Option<Array>> {
    call.optional(name)?.map(column).transpose()
}

/// `1 / √(v + eps)`
fn inverse_root(variance: &Array, eps: f64) -> Result<Array> {
    variance.map(DType::F64, |v: f64| 1.0 / (v + eps).sqrt())
}

/// The input as [samples, channels, elements], and the statistics that normalize it.
struct Norm {
    input: Array,
    training: bool,
    mean: Array,
    rstd: Array,
}

impl Norm {
    /// With statistics over `dims` in training, else with running ones.
    fn of(call: &Call<'_>, training: bool, dims: &[usize]) -> Result<Norm> {
        let (input, eps) = (call.array("input")?, call.float("eps")?);
        let input = input.reshape(&flat(input)?)?;
        let [mean, rstd] = match training {
            true => statistics(&input, dims, eps)?,
            false => [column(call.array("running_mean")?)?, inverse_root(&column(call.array("running_var")?)?, eps)?],
        };
        Ok(Norm { input, training, mean, rstd })
    }

    fn output(&self, call: &Call<'_>) -> Result<Array> {
        let x = normalized(&self.input, &self.mean, &self.rstd)?;
        let (weight, bias) = (parameter(call, "weight")?, parameter(call, "bias")?);
        affine(call.result_dtype(0)?, &x, weight.as_ref(), bias.as_ref())?.reshape(call.array("input")?.shape())
    }

    /// (y, mean, rstd); statistics that are not of the batch are empty.
    fn with_statistics(&self, call: &Call<'_>) -> Result<Vec<Value>> {
        let mut results = vec![self.output(call)?.into()];
        for (i, statistic) in [&self.mean, &self.rstd].into_iter().enumerate() {
            let dtype = call.result_dtype(i + 1)?;
            results.push(match self.training {
                true => statistic.reshape(&[statistic.len()])?.cast(dtype).into(),
                false => nothing(dtype)?,
            });
        }
        Ok(results)
    }

    /// The running statistics, in training moved towards the batch's mean and unbiased variance; results from `first` on.
    fn running(&self, call: &Call<'_>, first: usize) -> Result<Vec<Value>> {
        let unbiased = |group: &[Complex]| variance(group, 1.0);
        let variance = self.input.reduce(DType::F64, &BATCH, false, unbiased)?;
        let news = [self.mean.reshape(&[self.mean.len()])?, variance];
        let momentum = call.float("momentum")?;
        let mut results = Vec::new();
        for (i, (name, new)) in ["running_mean", "running_var"].into_iter().zip(news).enumerate() {
            let (old, dtype) = (call.array(name)?, call.result_dtype(first + i)?);
            results.push(match self.training {
                true => pointwise(dtype, [old, &new], |[old, new]: [f64; 2]| (1.0 - momentum) * old + momentum * new)?.into(),
                false => old.cast(dtype).into(),
            });
        }
        Ok(results)
    }
}

fn backward(call: &Call<'_>) -> Result<Vec<Value>> {
    let (input, training) = (call.array("input")?, call.bool("train"));
    let shape = flat(input)?;
    let [mean, rstd] = match training {
        true => [column(call.array("save_mean")?)?, column(call.array("save_invstd")?)?],
        false => {
            let variance = column(call.array("running_var")?)?;
            [column(call.array("running_mean")?)?, inverse_root(&variance, call.float("eps")?)?]
        }
    };
    let g = call.array("grad_out")?.reshape(&shape)?;
    let x = normalized(&input.reshape(&shape)?, &mean, &rstd)?;
    let weighted = affine(DType::F64, &g, parameter(call, "weight")?.as_ref(), None)?;
    let of_input = match training {
        true => gradient(&weighted, &x, &rstd, &BATCH, true)?,
        false => pointwise(DType::F64, [&weighted, &rstd], |[g, rstd]: [f64; 2]| g * rstd)?,
    };
    let (of_weight, of_bias) = (sum_of_products(&g, &x, &BATCH)?, sum(&g, &BATCH)?);
    masked(call, [Some(of_input.reshape(input.shape())?), Some(of_weight), Some(of_bias)])
}
