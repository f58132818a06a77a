//! Of softmax and normalisations.
//!
//! ```text
//! x = (input - mean) rstd, h = g weight, N elements per statistic
//! input: rstd (h - mean(h) - x mean(h x))    weight: sum g x    bias: sum g
//! ```
//!
//! Statistics are written as the op's decomposition writes them, so that they are computed once.

use fx_ir::{Attribute, Op, Result, Value};

use crate::fx_op::{Dim, FxOp};
use crate::gradient::Back;
use crate::rows::norm::{batch_dims, channels, epsilon, grouped, moments, normalized_dims, root_mean_square};
use crate::rows::reduction::count;
use crate::table::{Vjp, find};

/// `y (g - sum(g y))` along a dim.
pub fn softmax<'c>(b: &Back<'c>) -> Result {
    along(b, "fx.softmax_backward_data", rows_masked(b)?.unwrap_or(b.op.op.result(0)))
}

/// `g - e^y sum(g)` along a dim.
pub fn log_softmax(b: &Back<'_>) -> Result {
    along(b, "fx.log_softmax_backward_data", b.op.op.result(0))
}

fn along<'c>(b: &Back<'c>, backward: &str, y: Value<'c>) -> Result {
    let g = b.g()?;
    let dim = Attribute::i64(b.context(), b.op.int("dim")?);
    let attributes = [("dim", dim), ("input_dtype", Attribute::from_type(g.ty().element()))];
    b.give("input", b.op(backward, &[g, b.widened(y)?], &attributes)?);
    Ok(())
}

/// The result of the only op that uses the elements of this one, if it is a choice between whole rows of this and something
/// else. Rows that were not chosen have no cotangent, so it may stand for this result; and it is not NaN where a row has
/// nothing but -inf (`fx.safe_softmax` written out).
fn rows_masked<'c>(b: &Back<'c>) -> Result<Option<Value<'c>>> {
    let y = b.op.op.result(0);
    let dim = b.op.dim("dim", y.ty().rank())?;
    let uses: Vec<_> = y.uses().into_iter().filter(|(user, place)| depends(*user, *place)).collect();
    let &[(user, 1 | 2)] = uses.as_slice() else { return Ok(None) };
    if user.name() != "fx.where" || user.block() != b.op.op.block() || user.result(0).ty() != y.ty() {
        return Ok(None);
    }
    let condition = user.operand(0).ty().shape();
    let from_last = y.ty().rank().saturating_sub(dim);
    let by_row = condition.len() < from_last || condition[condition.len() - from_last] == 1;
    Ok((by_row && user.operand(0).ty().is_tensor() && y.ty().rank() > 0).then(|| user.result(0)))
}

/// Whether results of `user` depend on the elements of its operand at `place`.
fn depends(user: Op<'_>, place: usize) -> bool {
    let (Some(row), Some(op)) = (find(user.name()), FxOp::new(user)) else { return true };
    let among = |names: &[&str]| names.iter().any(|name| op.range(name).contains(&place));
    !matches!(row.vjp, Vjp::None(_)) && row.by.is_none_or(among)
}

/// What was normalised, and how.
struct Normalised<'c> {
    /// The operand minus its mean, times `rstd`, in the shape of `rstd` but for `dims`.
    x: Value<'c>,
    /// Size 1 in `dims`.
    rstd: Value<'c>,
    /// That the statistics run over; none if they are constants.
    dims: Vec<usize>,
    /// Whether the mean was subtracted.
    centred: bool,
}

impl<'c> Normalised<'c> {
    /// By the operand's own mean and variance.
    fn centred(b: &Back<'c>, x: Value<'c>, dims: Vec<usize>) -> Result<Self> {
        let (_, variance, centred) = moments(b, x, &dims)?;
        let rstd = b.rsqrt(b.add(variance, b.number(epsilon(b.op)))?)?;
        Ok(Self { x: b.mul(centred, rstd)?, rstd, dims, centred: true })
    }

    fn mean(&self, b: &Back<'c>, x: Value<'c>) -> Result<Value<'c>> {
        b.div(b.reduce("fx.sum", x, &self.dims, true)?, count(b, x, &self.dims)?)
    }

    /// The cotangent of the operand from that of `x`.
    fn input(&self, b: &Back<'c>, h: Value<'c>) -> Result<Value<'c>> {
        let (x, rstd) = (b.conj(self.x)?, b.conj(self.rstd)?);
        if self.dims.is_empty() {
            return b.mul(h, rstd);
        }
        let part = b.mul(x, self.mean(b, b.mul(h, x)?)?)?;
        let h = if self.centred { b.sub(h, self.mean(b, h)?)? } else { h };
        b.mul(b.sub(h, part)?, rstd)
    }

    /// The cotangent of the operand from those of the statistics, which have the shape of `rstd`.
    fn statistics(&self, b: &Back<'c>, mean: Option<Value<'c>>, rstd: Option<Value<'c>>) -> Result<Option<Value<'c>>> {
        let (mut sum, elements) = (None, count(b, self.x, &self.dims)?);
        if let Some(g) = mean {
            sum = Some(b.div(g, elements)?);
        }
        if let Some(g) = rstd {
            let slope = b.neg(b.div(b.mul(b.mul(self.rstd, self.rstd)?, self.x)?, elements)?)?;
            let part = b.mul(g, slope)?;
            sum = Some(sum.map_or(Ok(part), |sum| b.add(sum, part))?);
        }
        Ok(sum)
    }
}

/// Over the last dims, with mean and deviation as further results or without.
pub fn layer_norm(b: &Back<'_>) -> Result {
    let x = b.x("input")?;
    over_last_dims(b, &Normalised::centred(b, x, normalized_dims(b.op, x.ty().rank()))?)
}

/// The same without the mean.
pub fn rms_norm(b: &Back<'_>) -> Result {
    let x = b.x("input")?;
    let dims = normalized_dims(b.op, x.ty().rank());
    let rstd = root_mean_square(b, b.op, x, &dims)?;
    over_last_dims(b, &Normalised { x: b.mul(x, rstd)?, rstd, dims, centred: false })
}

fn over_last_dims<'c>(b: &Back<'c>, normalised: &Normalised<'c>) -> Result {
    if let Some(g) = b.cotangent(0)? {
        if b.wants("input") {
            let h = match b.op.optional("weight") {
                Some(weight) => b.mul(g, b.conj(b.widened(weight)?)?)?,
                None => g,
            };
            b.give("input", normalised.input(b, h)?);
        }
        b.give("weight", b.mul(g, b.conj(normalised.x)?)?);
        b.give("bias", g);
    }
    let (mean, rstd) = if normalised.centred { (b.cotangent(1)?, b.cotangent(2)?) } else { (None, b.cotangent(1)?) };
    if let Some(sum) = normalised.statistics(b, mean, rstd)? {
        b.give("input", sum);
    }
    Ok(())
}

/// Over groups of channels of each sample.
pub fn group_norm(b: &Back<'_>) -> Result {
    let input = b.x("input")?;
    let sizes = b.dims(input);
    let groups = b.op.op.int("num_groups").map_or_else(|| b.op.int("group"), Ok)?;
    let spread = grouped(b, input, groups)?;
    let normalised = Normalised::centred(b, spread, (2..spread.ty().rank()).collect())?;
    if let Some(g) = b.cotangent(0)? {
        if b.wants("input") {
            let h = grouped(b, times_weight(b, g)?, groups)?;
            b.give("input", b.view(normalised.input(b, h)?, &sizes)?);
        }
        affine(b, g, b.view(normalised.x, &sizes)?)?;
    }
    let statistics = |index: usize| {
        let mut kept = vec![Dim::Static(1); spread.ty().rank()];
        (kept[0], kept[1]) = (sizes[0], Dim::Static(groups));
        b.cotangent(index)?.map(|g| b.view(g, &kept)).transpose()
    };
    if let Some(sum) = normalised.statistics(b, statistics(1)?, statistics(2)?)? {
        b.give("input", b.view(b.expand(sum, &b.dims(spread))?, &sizes)?);
    }
    Ok(())
}

/// Of channels over the batch, by its own statistics or running ones, which count as constants; so do new running statistics.
pub fn batch_norm(b: &Back<'_>) -> Result {
    over_channels(b, b.op.op.flag("training"), batch_dims(b.op)?)
}

/// The same, always by the batch's own statistics.
pub fn batch_norm_with_update(b: &Back<'_>) -> Result {
    over_channels(b, true, batch_dims(b.op)?)
}

/// The same of each sample alone.
pub fn instance_norm(b: &Back<'_>) -> Result {
    let dims = batch_dims(b.op)?.into_iter().filter(|dim| *dim != 0).collect();
    over_channels(b, b.op.op.flag("use_input_stats"), dims)
}

fn over_channels(b: &Back<'_>, training: bool, dims: Vec<usize>) -> Result {
    let x = b.x("input")?;
    let (rank, compute) = (x.ty().rank(), x.ty().element());
    let normalised = if training {
        Normalised::centred(b, x, dims)?
    } else {
        let running = |name: &str| channels(b, b.op.operand(name)?, rank, compute);
        let rstd = b.rsqrt(b.add(running("running_var")?, b.number(epsilon(b.op)))?)?;
        Normalised { x: b.mul(b.sub(x, running("running_mean")?)?, rstd)?, rstd, dims: Vec::new(), centred: false }
    };
    if let Some(g) = b.cotangent(0)? {
        if b.wants("input") {
            // The weight is the same for all elements of a statistic, so sums are those that weight and bias get.
            b.give("input", times_weight(b, normalised.input(b, g)?)?);
        }
        affine(b, g, normalised.x)?;
    }
    if training {
        let statistics = |index: usize| b.cotangent(index)?.map(|g| channels(b, g, rank, compute)).transpose();
        if let Some(sum) = normalised.statistics(b, statistics(1)?, statistics(2)?)? {
            b.give("input", sum);
        }
    }
    Ok(())
}

/// A cotangent times the weight of its channel.
fn times_weight<'c>(b: &Back<'c>, g: Value<'c>) -> Result<Value<'c>> {
    match b.op.optional("weight") {
        Some(weight) => b.mul(g, channels(b, weight, g.ty().rank(), g.ty().element())?),
        None => Ok(g),
    }
}

/// The cotangents of weights and biases of channels.
fn affine<'c>(b: &Back<'c>, g: Value<'c>, x: Value<'c>) -> Result {
    let dims: Vec<_> = (0..g.ty().rank()).filter(|dim| *dim != 1).collect();
    let channels = b.dims(g)[1];
    let summed = |x: Value<'c>| b.view(if dims.is_empty() { x } else { b.reduce("fx.sum", x, &dims, true)? }, &[channels]);
    if b.wants("weight") {
        b.give("weight", summed(b.mul(g, x)?)?);
    }
    if b.wants("bias") {
        b.give("bias", summed(g)?);
    }
    Ok(())
}
