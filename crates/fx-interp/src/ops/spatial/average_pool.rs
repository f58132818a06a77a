//! Means over windows, and their gradients.

use super::pool::{Pool, Window};
use super::{check_shape, split};
use crate::Result;
use crate::array::{Array, Category, DType};
use crate::call::Call;
use crate::ops::matrix::ring::Ring;
use crate::ops::{Entry, one};
use crate::value::Value;

pub(in crate::ops) static OPS: &[Entry] = &[
    ("fx.adaptive_avg_pool1d", |call| adaptive(call, 1)),
    ("fx.adaptive_avg_pool2d", |call| adaptive(call, 2)),
    ("fx.adaptive_avg_pool2d_backward", |call| adaptive_backward(call, 2)),
    ("fx.adaptive_avg_pool3d", |call| adaptive(call, 3)),
    ("fx.adaptive_avg_pool3d_backward", |call| adaptive_backward(call, 3)),
    ("fx.avg_pool1d", |call| average(call, 1)),
    ("fx.avg_pool2d", |call| average(call, 2)),
    ("fx.avg_pool2d_backward", |call| average_backward(call, 2)),
    ("fx.avg_pool3d", |call| average(call, 3)),
    ("fx.avg_pool3d_backward", |call| average_backward(call, 3)),
];

/// What the sum over a window is divided by.
#[derive(Clone, Copy)]
enum Divisor {
    Given(i64),
    /// All elements.
    Padded,
    /// Those that exist.
    Inside,
}

impl Divisor {
    fn of(call: &Call<'_>) -> Result<Self> {
        match call.optional_int("divisor_override") {
            Some(0) => Err("has a divisor of 0".into()),
            Some(divisor) => Ok(Divisor::Given(divisor)),
            None if call.optional_bool("count_include_pad").unwrap_or(true) => Ok(Divisor::Padded),
            None => Ok(Divisor::Inside),
        }
    }

    fn value(self, window: &Window) -> i64 {
        match self {
            Divisor::Given(divisor) => divisor,
            Divisor::Padded => window.padded,
            Divisor::Inside => window.places.len() as i64,
        }
    }
}

/// Sums over windows, divided; a window without elements gives 0.
fn means<T: Ring>(dtype: DType, input: &Array, pool: &Pool, divide: impl Fn(T, &Window) -> T) -> Result<Array> {
    let values = input.values::<T>();
    let mut results = Vec::new();
    for plane in 0..pool.planes() {
        for window in pool.windows(plane) {
            let elements = window.places.iter().map(|place| values[plane * pool.size + place]);
            let sum = elements.fold(T::ZERO, T::plus);
            results.push(if window.places.is_empty() { T::ZERO } else { divide(sum, window) });
        }
    }
    Array::new(dtype, &pool.output(), results)
}

fn mean(call: &Call<'_>, input: &Array, pool: &Pool, divisor: Divisor) -> Result<Vec<Value>> {
    let dtype = call.result_dtype(0)?;
    one(match input.category() {
        Category::Float => means(dtype, input, pool, |sum: f64, window| sum / divisor.value(window) as f64)?,
        Category::Int => means(dtype, input, pool, |sum: i64, window| sum.wrapping_div(divisor.value(window)))?,
        _ => return Err(format!("has no means of {}", input.dtype())),
    })
}

/// The gradient of each mean, divided and added to each element of its window.
fn mean_backward(call: &Call<'_>, input: &Array, pool: &Pool, divisor: Divisor) -> Result<Vec<Value>> {
    let grad = call.array("grad_output")?;
    check_shape("grad_output", grad, &pool.output())?;
    let (mut grads, mut sums) = (grad.values::<f64>().into_iter(), vec![0.0; input.len()]);
    for plane in 0..pool.planes() {
        for window in pool.windows(plane) {
            let share = grads.next().unwrap_or(0.0) / divisor.value(window) as f64;
            window.places.iter().for_each(|place| sums[plane * pool.size + place] += share);
        }
    }
    one(Array::new(call.result_dtype(0)?, input.shape(), sums)?)
}

fn average(call: &Call<'_>, spatial: usize) -> Result<Vec<Value>> {
    let input = call.array("input")?;
    mean(call, input, &Pool::sliding(call, input, spatial)?, Divisor::of(call)?)
}

fn average_backward(call: &Call<'_>, spatial: usize) -> Result<Vec<Value>> {
    let input = call.array("input")?;
    mean_backward(call, input, &Pool::sliding(call, input, spatial)?, Divisor::of(call)?)
}

fn adaptive(call: &Call<'_>, spatial: usize) -> Result<Vec<Value>> {
    let input = call.array("input")?;
    mean(call, input, &Pool::adaptive(input, &Pool::adaptive_counts(call, spatial)?)?, Divisor::Inside)
}

fn adaptive_backward(call: &Call<'_>, spatial: usize) -> Result<Vec<Value>> {
    let (input, grad) = (call.array("input")?, call.array("grad_output")?);
    let (_, counts) = split(grad.shape(), spatial)?;
    mean_backward(call, input, &Pool::adaptive(input, counts)?, Divisor::Inside)
}
