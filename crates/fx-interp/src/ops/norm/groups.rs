//! Normalization of groups of channels (dim 1) of each sample (dim 0).

use super::{affine, gradient, masked, normalized, statistics, sum, sum_of_products};
use crate::Result;
use crate::array::{Array, DType};
use crate::call::Call;
use crate::ops::Entry;
use crate::value::Value;

pub(in crate::ops) static OPS: &[Entry] = &[
    ("fx.group_norm", |call| {
        let input = call.array("input")?;
        let [samples, channels, inner @ ..] = input.shape() else { return Err("expects samples and channels".into()) };
        Ok(vec![group_norm(call, [*samples, *channels, inner.iter().product()], call.int("num_groups")?)?.swap_remove(0)])
    }),
    ("fx.native_group_norm", |call| group_norm(call, sizes(call)?, call.int("group")?)),
    ("fx.native_group_norm_backward", backward),
];

/// The operands N, C and HxW.
fn sizes(call: &Call<'_>) -> Result<[usize; 3]> {
    let mut sizes = [0; 3];
    for (size, name) in sizes.iter_mut().zip(["N", "C", "HxW"]) {
        *size = call.shape(name)?.first().copied().ok_or_else(|| format!("has no size {name}"))?;
    }
    Ok(sizes)
}

/// Dims of a group: the channels in it, and what is in a channel.
const WITHIN: [usize; 2] = [2, 3];

/// The shape [samples, groups, channels of a group, elements of a channel].
fn grouped([samples, channels, inner]: [usize; 3], groups: i64) -> Result<[usize; 4]> {
    let count = usize::try_from(groups).ok().filter(|groups| *groups > 0 && channels.is_multiple_of(*groups));
    let count = count.ok_or_else(|| format!("has {groups} groups of {channels} channels"))?;
    Ok([samples, count, channels / count, inner])
}

/// A parameter of each channel, such that it broadcasts to `grouped`.
fn parameter(call: &Call<'_>, name: &str, shape: [usize; 4]) -> Result<Option<Array>> {
    call.optional(name)?.map(|array| array.reshape(&[shape[1], shape[2], 1])).transpose()
}

/// (y, mean, rstd), of which `group_norm` has the first.
fn group_norm(call: &Call<'_>, sizes: [usize; 3], groups: i64) -> Result<Vec<Value>> {
    let input = call.array("input")?;
    let shape = grouped(sizes, groups)?;
    let own = input.reshape(&shape)?;
    let [mean, rstd] = statistics(&own, &WITHIN, call.float("eps")?)?;
    let (weight, bias) = (parameter(call, "weight", shape)?, parameter(call, "bias", shape)?);
    let output = affine(call.result_dtype(0)?, &normalized(&own, &mean, &rstd)?, weight.as_ref(), bias.as_ref())?;
    let mut results = vec![output.reshape(input.shape())?.into()];
    if call.result_count() == 3 {
        for (i, statistic) in [mean, rstd].into_iter().enumerate() {
            results.push(statistic.reshape(&shape[..2])?.cast(call.result_dtype(i + 1)?).into());
        }
    }
    Ok(results)
}

fn backward(call: &Call<'_>) -> Result<Vec<Value>> {
    let input = call.array("input")?;
    let shape = grouped(sizes(call)?, call.int("group")?)?;
    let statistic = |name: &str| call.array(name)?.reshape(&[shape[0], shape[1], 1, 1]);
    let (g, rstd) = (call.array("grad_out")?.reshape(&shape)?, statistic("rstd")?);
    let x = normalized(&input.reshape(&shape)?, &statistic("mean")?, &rstd)?;
    let weighted = affine(DType::F64, &g, parameter(call, "weight", shape)?.as_ref(), None)?;
    let of_input = gradient(&weighted, &x, &rstd, &WITHIN, true)?.reshape(input.shape())?;
    let channels = [shape[1] * shape[2]];
    let of_weight = sum_of_products(&g, &x, &[0, 3])?.reshape(&channels)?;
    masked(call, [Some(of_input), Some(of_weight), Some(sum(&g, &[0, 3])?.reshape(&channels)?)])
}
