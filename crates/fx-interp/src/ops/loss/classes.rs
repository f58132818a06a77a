//! Losses of classes: negative log likelihood and cross entropy. Classes are in dim 1, in dim 0 of an input of rank 1.

use crate::Result;
use crate::array::{Array, DType, pointwise};
use crate::call::Call;
use crate::ops::reduction::softmax::log_weights;
use crate::ops::{Entry, one};
use crate::value::{Number, Value};

pub(in crate::ops) static OPS: &[Entry] = &[
    ("fx.cross_entropy_loss", cross_entropy),
    ("fx.nll_loss", |call| {
        let likelihood = call.array("input")?;
        one(Samples::of(call, likelihood)?.nll(call.int("reduction")?)?.cast(call.result_dtype(0)?))
    }),
    ("fx.nll_loss_backward", nll_backward),
    ("fx.nll_loss_forward", |call| {
        let (input, reduction) = (call.array("input")?, call.int("reduction")?);
        let samples = Samples::of(call, input)?;
        // ATen leaves it 0 where it is not needed, but for a single sample
        let total = if reduction == 0 && input.rank() > 1 { 0.0 } else { samples.total_weight() };
        let total = Array::scalar(call.result_dtype(1)?, Number::Float(total));
        Ok(vec![samples.nll(reduction)?.cast(call.result_dtype(0)?).into(), total.into()])
    }),
];

fn class_dim(input: &Array) -> usize {
    usize::from(input.rank() > 1)
}

/// The weights of classes.
fn class_weights(call: &Call<'_>, classes: usize) -> Result<Vec<f64>> {
    let weights = call.optional("weight")?.map_or_else(|| vec![1.0; classes], |weight| weight.values());
    if weights.len() == classes { Ok(weights) } else { Err(format!("has {} weights for {classes} classes", weights.len())) }
}

/// For each place of the target: what the input holds there for its class, and the class's weight; none if it is ignored.
struct Samples {
    shape: Vec<usize>,
    values: Vec<Option<(f64, f64)>>,
}

/// The class of each place, none if it is `ignore_index`.
fn classes_of(call: &Call<'_>, input: &Array) -> Result<Vec<Option<usize>>> {
    let (target, ignored) = (call.array("target")?, call.size("ignore_index")?);
    let mut shape = input.shape().to_vec();
    let count = match shape.is_empty() {
        true => return Err("expects an input with dims".into()),
        false => shape.remove(class_dim(input)),
    };
    if target.shape() != shape {
        return Err(format!("has a target of shape {:?} for an input of shape {:?}", target.shape(), input.shape()));
    }
    let class = |t: i64| {
        if Some(t) == ignored {
            return Ok(None);
        }
        let class = usize::try_from(t).ok().filter(|class| *class < count);
        class.map(Some).ok_or_else(|| format!("has target {t}, which is out of bounds of {count} classes"))
    };
    target.values::<i64>().into_iter().map(class).collect()
}

impl Samples {
    fn of(call: &Call<'_>, likelihood: &Array) -> Result<Samples> {
        let (classes, dim) = (classes_of(call, likelihood)?, class_dim(likelihood));
        let weights = class_weights(call, likelihood.size(dim))?;
        let shape = call.array("target")?.shape().to_vec();
        let mut next = crate::array::indices(&shape);
        let mut values = Vec::new();
        for class in classes {
            let mut index = next.next().unwrap_or_default();
            values.push(match class {
                None => None,
                Some(class) => {
                    index.insert(dim, class);
                    Some((likelihood.at(&index)?.float(), weights[class]))
                }
            });
        }
        Ok(Samples { shape, values })
    }

    fn total_weight(&self) -> f64 {
        self.values.iter().flatten().map(|(_, weight)| weight).sum()
    }

    /// `-weight[t] input[t]`, 0 where it is ignored; the mean is weighted. In f64.
    fn nll(&self, reduction: i64) -> Result<Array> {
        let losses: Vec<f64> = self.values.iter().map(|sample| sample.map_or(0.0, |(value, weight)| -weight * value)).collect();
        let total = losses.iter().sum::<f64>();
        let scalar = |x: f64| Ok(Array::scalar(DType::F64, Number::Float(x)));
        match reduction {
            0 => Array::new(DType::F64, &self.shape, losses),
            1 => scalar(total / self.total_weight()),
            2 => scalar(total),
            other => Err(format!("has reduction {other}")),
        }
    }
}

fn nll_backward(call: &Call<'_>) -> Result<Vec<Value>> {
    let (input, g, reduction) = (call.array("input")?, call.array("grad_output")?, call.int("reduction")?);
    let (classes, dim) = (classes_of(call, input)?, class_dim(input));
    let weights = class_weights(call, input.size(dim))?;
    let shape = call.array("target")?.shape();
    let g = g.expand(shape)?.values::<f64>();
    let total = if reduction == 1 { call.array("total_weight")?.item()?.float() } else { 1.0 };
    one(Array::from_fn(call.result_dtype(0)?, input.shape(), |index| {
        let mut place = index.to_vec();
        let own = place.remove(dim);
        let offset = crate::array::ravel(&place, shape).unwrap_or(usize::MAX);
        let is_target = classes.get(offset).copied().flatten() == Some(own);
        if is_target { -weights[own] * g[offset] / total } else { 0.0 }
    })?)
}

/// `nll_loss(log_softmax(input))`, or `-Σ weight target log_softmax(input)`. Label smoothing takes, in place of the target,
/// target (1 - s) + s / C.
fn cross_entropy(call: &Call<'_>) -> Result<Vec<Value>> {
    let (input, target, reduction) = (call.array("input")?, call.array("target")?, call.int("reduction")?);
    let (smoothing, dtype) = (call.float("label_smoothing")?, call.result_dtype(0)?);
    if input.rank() == 0 {
        return Err("expects an input with dims".into());
    }
    let dim = class_dim(input);
    let logs = input.lanes(DType::F64, dim, input.size(dim), log_weights)?;
    let count = input.size(dim) as f64;
    let weights = class_weights(call, input.size(dim))?;
    // the sum over classes of weights times what `f` makes of an element
    let over_classes = |products: &Array| {
        let sum = |row: &[f64]| -row.iter().zip(&weights).map(|(x, w)| x * w).sum::<f64>();
        products.reduce(DType::F64, &[dim], false, sum)
    };
    let scalar = |x: f64| Array::scalar(DType::F64, Number::Float(x));
    if target.dtype().is_float() {
        let products = pointwise(DType::F64, [&logs, target], |[log, t]: [f64; 2]| log * (t * (1.0 - smoothing) + smoothing / count))?;
        let losses = over_classes(&products)?;
        let total = losses.values::<f64>().iter().sum::<f64>();
        return one(match reduction {
            0 => losses.cast(dtype),
            1 => scalar(total / losses.len() as f64).cast(dtype),
            2 => scalar(total).cast(dtype),
            other => return Err(format!("has reduction {other}")),
        });
    }
    let samples = Samples::of(call, &logs)?;
    let nll = samples.nll(reduction)?;
    if smoothing == 0.0 {
        return one(nll.cast(dtype));
    }
    let smooth = over_classes(&logs)?.values::<f64>();
    let kept = |(loss, sample): (f64, &Option<(f64, f64)>)| if sample.is_some() { loss } else { 0.0 };
    let smooth: Vec<f64> = smooth.into_iter().zip(&samples.values).map(kept).collect();
    let total = smooth.iter().sum::<f64>();
    let smooth = match reduction {
        0 => Array::new(DType::F64, &samples.shape, smooth)?,
        1 => scalar(total / samples.total_weight()),
        _ => scalar(total),
    };
    one(pointwise(dtype, [&nll, &smooth], |[nll, smooth]: [f64; 2]| (1.0 - smoothing) * nll + smoothing / count * smooth)?)
}
