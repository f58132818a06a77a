//! Norms of layers, groups, batches and their gradients. Differences from the mean are as exact as the elements are large, so a
//! variance may be small only beside an `eps` that is not; an absent one goes with elements that lie apart.

use fx_interp::{Array, DType};

use super::real;
use super::shape::signed;
use crate::case::Case;
use crate::draw::{Draw, FLOATS, POSITIVE, SMALL, WIDE};
use crate::{Row, TERMS, row};

/// The table.
pub const ROWS: &[Row] = &[
    row("fx.batch_norm", TERMS, |d| {
        let training = d.flip();
        let channels = Channels::new(d);
        let momentum = real(d, 0.0, 1.0);
        let eps = real(d, 0.25, 1.0);
        let case = channels.parameters(d, Case::new(d).with("input", channels.input.clone()), &["weight", "bias"]);
        let case = if training && d.flip() { case } else { channels.running(d, case) };
        case.bool("training", training).float("momentum", momentum).float("eps", eps)
    }),
    row("fx.batch_norm_with_update_functional", TERMS, |d| batch_norm(d, true, false)),
    row("fx.fused_rms_norm", TERMS, |d| {
        let eps = d.maybe(|d| real(d, 0.25, 1.0));
        let layer = Layer::apart(d, FLOATS, eps.is_none());
        let case = layer.parameters(d, Case::new(d).with("input", layer.input.clone()), &["weight"]);
        case.ints("normalized_shape", &layer.normalized).maybe(eps, |c, x| c.float("eps", x))
    }),
    row("fx.fused_rms_norm_backward", TERMS, |d| {
        let layer = Layer::new(d, WIDE);
        let (g, rstd) = (layer.like_input(d), d.array(layer.dtype, &layer.statistics, POSITIVE));
        let mask = [d.flip(), d.flip()];
        let case = Case::new(d).with("grad_out", g).with("input", layer.input.clone()).with("rstd", rstd);
        let case = layer.parameters(d, case, &["weight"]);
        case.ints("normalized_shape", &layer.normalized).bools("output_mask", &mask)
    }),
    row("fx.group_norm", TERMS, |d| {
        let (mut channels, groups) = Channels::grouped(d);
        let eps = d.maybe(|d| real(d, 0.25, 1.0));
        if eps.is_none() {
            channels.input = spaced(d, channels.dtype, channels.input.shape(), 1);
        }
        let case = channels.parameters(d, channels.grouped_input(d), &["weight", "bias"]);
        case.int("num_groups", groups as i64).maybe(eps, |c, x| c.float("eps", x))
    }),
    row("fx.instance_norm", TERMS, |d| {
        let own = d.flip();
        let channels = Channels::new(d);
        let case = channels.parameters(d, Case::new(d).with("input", channels.input.clone()), &["weight", "bias"]);
        let case = if own && d.flip() { case } else { channels.running(d, case) };
        case.bool("use_input_stats", own).float("momentum", 0.25).float("eps", real(d, 0.25, 1.0))
    }),
    row("fx.layer_norm", TERMS, |d| {
        let eps = d.maybe(|d| real(d, 0.25, 1.0));
        let layer = Layer::apart(d, FLOATS, eps.is_none());
        let case = layer.parameters(d, Case::new(d).with("input", layer.input.clone()), &["weight", "bias"]);
        case.sizes("normalized_shape", &layer.normalized).maybe(eps, |c, x| c.float("eps", x))
    }),
    row("fx.native_batch_norm_backward", TERMS, |d| {
        let channels = Channels::new(d);
        let train = d.flip();
        let g = d.array(channels.dtype, channels.input.shape(), SMALL);
        let mask = [d.flip(), d.flip(), d.flip()];
        let case = Case::new(d).with("grad_out", g).with("input", channels.input.clone());
        let case = channels.parameters(d, case, &["weight"]);
        let saved = d.array(channels.dtype, &[channels.count], SMALL);
        let invstd = d.array(channels.dtype, &[channels.count], POSITIVE);
        let case = if train { case.with("save_mean", saved).with("save_invstd", invstd) } else { channels.running(d, case) };
        case.bool("train", train).float("eps", real(d, 0.25, 1.0)).bools("output_mask", &mask)
    }),
    row("fx.native_batch_norm_legit", TERMS, |d| {
        let channels = Channels::new(d);
        let case = channels.parameters(d, Case::new(d).with("input", channels.input.clone()), &["weight", "bias"]);
        case.bool("training", true).float("momentum", 0.25).float("eps", real(d, 0.25, 1.0))
    }),
    row("fx.native_batch_norm_legit_functional", TERMS, |d| {
        let training = d.flip();
        batch_norm(d, training, true)
    }),
    row("fx.native_batch_norm_legit_no_training", TERMS, |d| batch_norm(d, false, false)),
    row("fx.native_group_norm", TERMS, |d| {
        let (channels, groups) = Channels::grouped(d);
        let eps = real(d, 0.25, 1.0);
        let case = channels.parameters(d, channels.grouped_input(d), &["weight", "bias"]);
        channels.group_sizes(case).int("group", groups as i64).float("eps", eps)
    }),
    row("fx.native_group_norm_backward", TERMS, |d| {
        let (channels, groups) = Channels::grouped(d);
        let samples = channels.input.size(0);
        let g = d.array(channels.dtype, channels.input.shape(), SMALL);
        let (mean, rstd) = (d.array(channels.dtype, &[samples, groups], SMALL), d.array(channels.dtype, &[samples, groups], POSITIVE));
        let mask = [d.flip(), d.flip(), d.flip()];
        let dims: Vec<usize> = (0..channels.input.rank()).filter(|dim| *dim != 1).collect();
        let case = Case::new(d).partly("grad_out", g, &dims).partly("input", channels.input.clone(), &dims);
        let case = case.partly("mean", mean, &[0]).partly("rstd", rstd, &[0]);
        let case = channels.parameters(d, case, &["weight"]);
        channels.group_sizes(case).int("group", groups as i64).bools("output_mask", &mask)
    }),
    row("fx.native_layer_norm", TERMS, |d| {
        let layer = Layer::new(d, FLOATS);
        let case = layer.parameters(d, Case::new(d).with("input", layer.input.clone()), &["weight", "bias"]);
        case.sizes("normalized_shape", &layer.normalized).float("eps", real(d, 0.25, 1.0))
    }),
    row("fx.native_layer_norm_backward", TERMS, |d| {
        let layer = Layer::new(d, WIDE);
        let g = layer.like_input(d);
        let (mean, rstd) = (d.array(layer.dtype, &layer.statistics, SMALL), d.array(layer.dtype, &layer.statistics, POSITIVE));
        let mask = [d.flip(), d.flip(), d.flip()];
        let case = Case::new(d).with("grad_out", g).with("input", layer.input.clone()).with("mean", mean).with("rstd", rstd);
        let case = layer.parameters(d, case, &["weight", "bias"]);
        case.sizes("normalized_shape", &layer.normalized).bools("output_mask", &mask)
    }),
    row("fx.rms_norm", TERMS, |d| {
        let eps = d.maybe(|d| real(d, 0.25, 1.0));
        let layer = Layer::apart(d, FLOATS, eps.is_none());
        let case = layer.parameters(d, Case::new(d).with("input", layer.input.clone()), &["weight"]);
        case.sizes("normalized_shape", &layer.normalized).maybe(eps, |c, x| c.float("eps", x))
    }),
];

/// A tensor whose elements differ by 3/4 at least within the dims from `first` on.
fn spaced(d: &mut Draw<'_>, dtype: DType, shape: &[usize], first: usize) -> Array {
    let (rows, columns): (usize, usize) = (shape[..first].iter().product(), shape[first..].iter().product());
    let values = d.distinct(DType::F64, &[rows, columns], 1).values::<f64>();
    Array::new(dtype, shape, values.into_iter().map(|x| x / 4.0 - 3.0).collect::<Vec<f64>>()).expect("a small tensor")
}

/// A tensor that is normalized over its last dims.
struct Layer {
    dtype: DType,
    input: Array,
    normalized: Vec<i64>,
    statistics: Vec<usize>,
}

impl Layer {
    fn new(d: &mut Draw<'_>, dtypes: &[DType]) -> Self {
        Self::apart(d, dtypes, false)
    }

    /// Perhaps with elements that lie apart.
    fn apart(d: &mut Draw<'_>, dtypes: &[DType], apart: bool) -> Self {
        let (dtype, shape) = (d.pick(dtypes), d.shape(1, 4));
        let count = d.between(1, shape.len() as i64) as usize;
        let first = shape.len() - count;
        let mut statistics = shape.clone();
        statistics[first..].fill(1);
        let input = if apart { spaced(d, dtype, &shape, first) } else { d.array(dtype, &shape, SMALL) };
        Layer { dtype, input, normalized: signed(&shape[first..]), statistics }
    }

    fn like_input(&self, d: &mut Draw<'_>) -> Array {
        d.array(self.dtype, self.input.shape(), SMALL)
    }

    /// With parameters, each of which may be absent.
    fn parameters(&self, d: &mut Draw<'_>, case: Case, names: &[&'static str]) -> Case {
        let shape: Vec<usize> = self.normalized.iter().map(|size| *size as usize).collect();
        names.iter().fold(case, |case, name| {
            let own = d.maybe(|d| d.array(self.dtype, &shape, SMALL));
            case.maybe(own, |c, x| c.with(name, x))
        })
    }
}

/// A tensor with channels in dim 1, several elements in each.
struct Channels {
    dtype: DType,
    input: Array,
    count: usize,
}

impl Channels {
    fn new(d: &mut Draw<'_>) -> Self {
        let (dtype, mut shape) = (d.pick(FLOATS), d.filled_shape(2, 4));
        if shape.len() == 2 || shape[2..].iter().product::<usize>() == 1 {
            shape.push(2);
        }
        Channels { dtype, count: shape[1], input: d.array(dtype, &shape, SMALL) }
    }

    /// With channels in groups, whose number is known.
    fn grouped(d: &mut Draw<'_>) -> (Self, usize) {
        let (dtype, mut shape, groups) = (d.pick(FLOATS), d.filled_shape(2, 4), d.between(1, 3) as usize);
        shape[1] = groups * d.between(1, 2) as usize;
        (Channels { dtype, count: shape[1], input: d.array(dtype, &shape, SMALL) }, groups)
    }

    fn grouped_input(&self, d: &Draw<'_>) -> Case {
        let dims: Vec<usize> = (0..self.input.rank()).filter(|dim| *dim != 1).collect();
        Case::new(d).partly("input", self.input.clone(), &dims)
    }

    fn group_sizes(&self, case: Case) -> Case {
        let inner: usize = self.input.shape()[2..].iter().product();
        case.sizes("N", &[self.input.size(0) as i64]).fixed_sizes("C", &[self.count as i64]).sizes("HxW", &[inner as i64])
    }

    /// With parameters, each of which may be absent.
    fn parameters(&self, d: &mut Draw<'_>, case: Case, names: &[&'static str]) -> Case {
        names.iter().fold(case, |case, name| {
            let own = d.maybe(|d| d.array(self.dtype, &[self.count], SMALL));
            case.maybe(own, |c, x| c.partly(name, x, &[]))
        })
    }

    /// With running statistics.
    fn running(&self, d: &mut Draw<'_>, case: Case) -> Case {
        let (mean, var) = (d.array(self.dtype, &[self.count], SMALL), d.array(self.dtype, &[self.count], POSITIVE));
        case.partly("running_mean", mean, &[]).partly("running_var", var, &[])
    }
}

fn batch_norm(d: &mut Draw<'_>, training: bool, told: bool) -> Case {
    let channels = Channels::new(d);
    let case = channels.parameters(d, Case::new(d).with("input", channels.input.clone()), &["weight", "bias"]);
    let case = channels.running(d, case).float("momentum", real(d, 0.0, 1.0)).float("eps", real(d, 0.25, 1.0));
    if told { case.bool("training", training) } else { case }
}
