//! Random numbers: the same ones in each run, of the right distributions. Their values are no one's contract but their
//! range is, in the result's type too.

mod generator;

use std::f64::consts::{FRAC_1_SQRT_2, PI};

use generator::Generator;

use super::{Entry, one};
use crate::Result;
use crate::array::{
    Array, Category, Complex, DType, broadcast_shapes, category, choose, element_count, largest, next_after, round_float, wrap_int,
};
use crate::call::Call;
use crate::value::{Number, Value};

pub(super) static OPS: &[Entry] = &[
    ("fx.bernoulli", bernoulli),
    ("fx.cauchy", |call| {
        let (median, sigma) = (call.float("median")?, at_least(call, "sigma", 0.0)?);
        like(call, |random| median + sigma * (PI * (random.open() - 0.5)).tan())
    }),
    ("fx.dropout", |call| {
        let input = call.array("input")?;
        if !call.bool("train") {
            return one(input.clone());
        }
        one(dropped(call, input, call.float("p")?)?.0)
    }),
    ("fx.exponential", |call| {
        let lambd = at_least(call, "lambd", 0.0)?;
        like(call, |random| -random.open().ln() / lambd)
    }),
    ("fx.geometric", geometric),
    ("fx.log_normal", |call| {
        let (mean, std) = (call.float("mean")?, at_least(call, "std", 0.0)?);
        like(call, |random| (mean + std * random.normal()).exp())
    }),
    ("fx.multinomial", multinomial),
    ("fx.native_dropout", |call| {
        let input = call.array("input")?;
        if !call.optional_bool("train").unwrap_or(true) {
            return Ok(vec![input.clone().into(), Array::full(DType::Bool, input.shape(), Number::Bool(true))?.into()]);
        }
        let (result, mask) = dropped(call, input, call.float("p")?)?;
        Ok(vec![result.into(), mask.into()])
    }),
    ("fx.normal", normal),
    ("fx.normal_functional", |call| {
        let (mean, std) = (call.float("mean")?, at_least(call, "std", 0.0)?);
        one(normal_array(call, call.array("input")?.shape(), |_| (mean, std))?)
    }),
    ("fx.rand", |call| one(uniform_array(call, &call.shape("size")?, [0.0, 1.0])?)),
    ("fx.rand_like", |call| one(uniform_array(call, call.array("input")?.shape(), [0.0, 1.0])?)),
    ("fx.randint", |call| integers(call, &call.shape("size")?)),
    ("fx.randint_like", |call| integers(call, call.array("input")?.shape())),
    ("fx.randn", |call| one(normal_array(call, &call.shape("size")?, |_| (0.0, 1.0))?)),
    ("fx.randn_like", |call| one(normal_array(call, call.array("input")?.shape(), |_| (0.0, 1.0))?)),
    ("fx.randperm", randperm),
    ("fx.rrelu_with_noise_functional", rrelu),
    ("fx.uniform", |call| {
        let bounds = [call.float("from")?, call.float("to")?];
        one(uniform_array(call, call.array("input")?.shape(), bounds)?)
    }),
];

/// A parameter that must not be less than `least`.
fn at_least(call: &Call<'_>, name: &str, least: f64) -> Result<f64> {
    let value = call.float(name)?;
    if value >= least { Ok(value) } else { Err(format!("has {name} {value}, expected at least {least}")) }
}

fn generator(call: &Call<'_>) -> Result<Generator> {
    Ok(Generator::new(call.draw(), call.result_dtype(0)?))
}

/// Samples in the shape of `input`.
fn like(call: &Call<'_>, mut sample: impl FnMut(&mut Generator) -> f64) -> Result<Vec<Value>> {
    let mut random = generator(call)?;
    one(Array::from_fn(call.result_dtype(0)?, call.array("input")?.shape(), |_| sample(&mut random))?)
}

//--- uniform -----------------------------------------------------------------------

/// A sample below `limit` rounded to a float type, down where rounding would reach the limit.
fn rounded(dtype: DType, sample: f64, limit: f64) -> f64 {
    let nearest = round_float(dtype, sample);
    if nearest >= limit && sample < limit { next_after(dtype, nearest, f64::NEG_INFINITY) } else { nearest }
}

/// A sample of U[from, to) in a float type.
fn uniform(random: &mut Generator, dtype: DType, [from, to]: [f64; 2]) -> f64 {
    let sample = from + (to - from) * random.unit();
    // the sum may be rounded to `to` in double precision too
    let sample = if sample >= to && from < to { to.next_down() } else { sample };
    rounded(dtype, sample, to)
}

/// Samples of U[from, to); the parts of complex numbers are two of them.
fn uniform_array(call: &Call<'_>, shape: &[usize], bounds: [f64; 2]) -> Result<Array> {
    if bounds[0].partial_cmp(&bounds[1]).is_none_or(std::cmp::Ordering::is_gt) {
        return Err(format!("has the range {bounds:?}"));
    }
    let (mut random, dtype) = (generator(call)?, call.result_dtype(0)?);
    let part = crate::array::real_part(dtype);
    if dtype.is_complex() {
        return Array::from_fn(dtype, shape, |_| Complex::new(uniform(&mut random, part, bounds), uniform(&mut random, part, bounds)));
    }
    Array::from_fn(dtype, shape, |_| uniform(&mut random, part, bounds))
}

/// 1 with the probability `p`, or with that which the element is.
fn bernoulli(call: &Call<'_>) -> Result<Vec<Value>> {
    let input = call.array("input")?;
    let probabilities = match call.optional_float("p") {
        Some(p) => vec![p; input.len()],
        None => input.values::<f64>(),
    };
    if let Some(p) = probabilities.iter().find(|p| !(0.0..=1.0).contains(*p)) {
        return Err(format!("has probability {p}"));
    }
    let mut random = generator(call)?;
    let values = probabilities.into_iter().map(|p| random.unit() < p).collect();
    one(Array::new::<bool>(call.result_dtype(0)?, input.shape(), values)?)
}

/// `input / (1 - p)` where `mask` is true, which it is with probability 1 - p; else 0.
pub(super) fn dropped(call: &Call<'_>, input: &Array, p: f64) -> Result<(Array, Array)> {
    if !(0.0..=1.0).contains(&p) {
        return Err(format!("has probability {p}"));
    }
    let mut random = generator(call)?;
    let mask = Array::from_fn(DType::Bool, input.shape(), |_| random.unit() >= p)?;
    let dtype = input.dtype();
    let scaled = if dtype.is_complex() {
        input.map(dtype, |z: Complex| z * (1.0 / (1.0 - p)))?
    } else {
        input.map(dtype, |x: f64| x / (1.0 - p))?
    };
    Ok((choose(dtype, &mask, &scaled, &Array::scalar(dtype, Number::Int(0)))?, mask))
}

/// In training a slope of U[lower, upper) where the input is not positive, and the slopes; else their mean.
fn rrelu(call: &Call<'_>) -> Result<Vec<Value>> {
    let (input, noise, dtype) = (call.array("input")?, call.array("noise")?, call.result_dtype(0)?);
    let bounds = [call.optional_float("lower").unwrap_or(1.0 / 8.0), call.optional_float("upper").unwrap_or(1.0 / 3.0)];
    if bounds[0].partial_cmp(&bounds[1]).is_none_or(std::cmp::Ordering::is_gt) {
        return Err(format!("has slopes of the range {bounds:?}"));
    }
    if !call.bool("training") {
        let slope = (bounds[0] + bounds[1]) / 2.0;
        let result = input.map(dtype, |x: f64| if x > 0.0 { x } else { x * slope })?;
        return Ok(vec![result.into(), noise.cast(call.result_dtype(1)?).into()]);
    }
    let mut random = generator(call)?;
    let values = input.values::<f64>();
    let slopes: Vec<f64> = values.iter().map(|x| if *x <= 0.0 { uniform(&mut random, dtype, bounds) } else { 1.0 }).collect();
    let results = values.iter().zip(&slopes).map(|(x, slope)| x * slope).collect::<Vec<f64>>();
    let result = Array::new(dtype, input.shape(), results)?;
    Ok(vec![result.into(), Array::new(call.result_dtype(1)?, input.shape(), slopes)?.into()])
}

//--- normal ------------------------------------------------------------------------

/// Samples of N(mean, std²) with the parameters of each place; the parts of complex numbers have half the variance.
fn normal_array(call: &Call<'_>, shape: &[usize], parameters: impl Fn(usize) -> (f64, f64)) -> Result<Array> {
    let (mut random, dtype) = (generator(call)?, call.result_dtype(0)?);
    let parameters = (0..element_count(shape)?).map(parameters);
    if dtype.is_complex() {
        let sample = |(mean, std): (f64, f64)| {
            let mut part = || std * FRAC_1_SQRT_2 * random.normal();
            Complex::new(mean + part(), part())
        };
        return Array::new(dtype, shape, parameters.map(sample).collect());
    }
    Array::new(dtype, shape, parameters.map(|(mean, std)| mean + std * random.normal()).collect())
}

/// Mean and deviation are numbers, with a size, or broadcast.
fn normal(call: &Call<'_>) -> Result<Vec<Value>> {
    let (mean, std) = (call.operand("mean")?, call.optional_operand("std").unwrap_or_else(|| Number::Float(1.0).array()));
    let is_tensor = |name| matches!(call.values(name).first(), Some(Value::Array(_)));
    let shape = if is_tensor("mean") || is_tensor("std") { broadcast_shapes(&[mean.shape(), std.shape()])? } else { call.shape("size")? };
    let (means, stds) = (mean.expand(&shape)?.values::<f64>(), std.expand(&shape)?.values::<f64>());
    if let Some(std) = stds.iter().find(|std| **std < 0.0) {
        return Err(format!("has std {std}, expected at least 0"));
    }
    one(normal_array(call, &shape, |k| (means[k], stds[k]))?)
}

/// The number of the first success: ⌈ln u / ln(1 - p)⌉, within the result's type.
fn geometric(call: &Call<'_>) -> Result<Vec<Value>> {
    let (p, dtype) = (call.float("p")?, call.result_dtype(0)?);
    if !(p > 0.0 && p < 1.0) {
        return Err(format!("has probability {p}"));
    }
    let most = largest(dtype);
    like(call, |random| (random.open().ln() / (-p).ln_1p()).ceil().clamp(1.0, most))
}

//--- integers ----------------------------------------------------------------------

/// Integers in [low, high).
fn integers(call: &Call<'_>, shape: &[usize]) -> Result<Vec<Value>> {
    let (low, high) = (call.size("low")?.unwrap_or(0), call.size("high")?.ok_or("has no upper bound")?);
    let dtype = call.result_dtype(0)?;
    if low >= high {
        return Err(format!("has no integers from {low} to below {high}"));
    }
    if category(dtype) <= Category::Int && [low, high - 1].iter().any(|bound| wrap_int(dtype, *bound) != *bound) {
        return Err(format!("has integers from {low} to below {high}, which {dtype} does not hold"));
    }
    let mut random = generator(call)?;
    let mut sample = || low.wrapping_add(random.below(high.wrapping_sub(low) as u64) as i64);
    one(if dtype.is_float() {
        Array::from_fn(dtype, shape, |_| rounded(dtype, sample() as f64, high as f64))?
    } else {
        Array::from_fn(dtype, shape, |_| sample())?
    })
}

/// 0 .. n - 1, shuffled (Durstenfeld, Algorithm 235, Comm. ACM 7 (1964)).
fn randperm(call: &Call<'_>) -> Result<Vec<Value>> {
    let [n] = call.shape("n")?[..] else { return Err("has not one size".into()) };
    let (mut random, count) = (generator(call)?, element_count(&[n])?);
    let mut numbers: Vec<i64> = (0..count as i64).collect();
    for last in (1..count).rev() {
        numbers.swap(last, random.below(last as u64 + 1) as usize);
    }
    one(Array::new(call.result_dtype(0)?, &[n], numbers)?)
}

/// Indices into each row of weights. Without replacement they are those of the greatest `w / e`, e exponential: each next
/// one is drawn in proportion to the weights that are left.
fn multinomial(call: &Call<'_>) -> Result<Vec<Value>> {
    let input = call.array("input")?;
    let [count] = call.shape("num_samples")?[..] else { return Err("has not one number of samples".into()) };
    let (Some(size), 1..=2) = (input.shape().last().copied(), input.rank()) else {
        return Err(format!("has weights of shape {:?}", input.shape()));
    };
    let replacement = call.bool("replacement");
    if count == 0 || (!replacement && count > size) {
        return Err(format!("draws {count} samples from {size} weights"));
    }
    let (mut random, weights) = (generator(call)?, input.values::<f64>());
    let mut samples: Vec<i64> = Vec::new();
    for row in weights.chunks(size.max(1)) {
        let sum: f64 = row.iter().sum();
        if row.iter().any(|w| !w.is_finite() || *w < 0.0) || sum <= 0.0 {
            return Err(format!("has weights {row:?}, which are no distribution"));
        }
        if replacement {
            samples.extend((0..count).map(|_| drawn(row, sum * random.unit()) as i64));
            continue;
        }
        let mut keys: Vec<(f64, usize)> = row.iter().enumerate().map(|(k, w)| (w / -random.open().ln(), k)).collect();
        keys.sort_by(|a, b| b.0.total_cmp(&a.0));
        samples.extend(keys[..count].iter().map(|(_, k)| *k as i64));
    }
    let shape = [&input.shape()[..input.rank() - 1], &[count]].concat();
    one(Array::new(call.result_dtype(0)?, &shape, samples)?)
}

/// The first place where the sum of weights exceeds `at`; never one of weight 0.
fn drawn(weights: &[f64], at: f64) -> usize {
    let mut sum = 0.0;
    let exceeds = |w: &f64| {
        sum += w;
        *w > 0.0 && sum > at
    };
    let last = weights.iter().rposition(|w| *w > 0.0).unwrap_or(0);
    weights.iter().position(exceeds).unwrap_or(last)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::{evaluate, values};

    #[test]
    fn ranges_hold_in_small_types() {
        for dtype in [DType::F8E5M2, DType::BF16, DType::F16, DType::F32, DType::F64] {
            let mut random = Generator::new(3, dtype);
            let samples: Vec<f64> = (0..2000).map(|_| uniform(&mut random, dtype, [-1.0, 1.03])).collect();
            assert!(samples.iter().all(|x| *x >= -1.0 && *x < 1.03), "{dtype}");
            assert!((samples.iter().sum::<f64>() / 2000.0).abs() < 0.2, "{dtype}");
        }
        assert_eq!(uniform(&mut Generator::new(0, DType::F32), DType::F32, [2.0, 2.0]), 2.0);
    }

    #[test]
    fn samples_round_below_the_limit() {
        assert_eq!(rounded(DType::BF16, 299.0, 300.0), 298.0);
        assert_eq!(rounded(DType::BF16, 298.0, 300.0), 298.0);
        assert_eq!(rounded(DType::F32, 2.0, 2.0), 2.0);
    }

    #[test]
    fn weights_of_zero_are_never_drawn() {
        assert_eq!(drawn(&[0.0, 1.0, 2.0, 0.0], 0.0), 1);
        assert_eq!(drawn(&[0.0, 1.0, 2.0, 0.0], 1.0), 2);
        assert_eq!(drawn(&[0.0, 1.0, 2.0, 0.0], 3.0), 2);
    }

    #[test]
    fn programs_draw_from_the_right_sets() {
        let text = r#"func.func @main(%x: tensor<64xf32>) -> (tensor<9xi64>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<3xi64>) {
          %permutation = fx.randperm[9] : tensor<9xi64>
          %dropped = fx.dropout %x p 0.5 train true : (tensor<64xf32>) -> tensor<64xf32>
          %a = fx.rand_like %x : (tensor<64xf32>) -> tensor<64xf32>
          %b = fx.rand_like %x : (tensor<64xf32>) -> tensor<64xf32>
          %weights = arith.constant dense<[0.0, 1.0, 2.0, 3.0]> : tensor<4xf32>
          %drawn = fx.multinomial %weights[3] replacement false : (tensor<4xf32>) -> tensor<3xi64>
          return %permutation, %dropped, %a, %b, %drawn : tensor<9xi64>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<3xi64>
        }"#;
        let ones = fx_runtime::HostTensor::from_slice(&[64], &[1f32; 64]).unwrap();
        let results: Vec<Vec<f64>> = evaluate(text, &[ones.into()]).unwrap().iter().map(values).collect();
        let sorted = |list: &[f64]| {
            let mut list = list.to_vec();
            list.sort_by(f64::total_cmp);
            list
        };
        assert_eq!(sorted(&results[0]), [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]);
        assert!(results[1].iter().all(|x| *x == 0.0 || *x == 2.0) && results[1].contains(&0.0) && results[1].contains(&2.0));
        assert!(results[2].iter().all(|x| (0.0..1.0).contains(x)));
        assert_ne!(results[2], results[3]);
        assert_eq!(sorted(&results[4]), [1.0, 2.0, 3.0]);
    }
}
