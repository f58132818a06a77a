//! Maxima over windows and where they are, their gradients, and the way back.

use super::pool::Pool;
use super::{add_at, check_shape, joined, list, per_dim, places_in_planes, split};
use crate::Result;
use crate::array::{Array, Category, DType, Element, largest};
use crate::call::Call;
use crate::ops::{Entry, one};
use crate::value::{Number, Value};

pub(in crate::ops) static OPS: &[Entry] = &[
    ("fx.adaptive_max_pool1d", |call| adaptive(call, 1)),
    ("fx.adaptive_max_pool2d", |call| adaptive(call, 2)),
    ("fx.adaptive_max_pool2d_backward", |call| backward(call, 2)),
    ("fx.adaptive_max_pool3d", |call| adaptive(call, 3)),
    ("fx.adaptive_max_pool3d_backward", |call| backward(call, 3)),
    ("fx.fractional_max_pool2d", |call| fractional(call, 2)),
    ("fx.fractional_max_pool2d_backward", |call| backward(call, 2)),
    ("fx.fractional_max_pool3d", |call| fractional(call, 3)),
    ("fx.fractional_max_pool3d_backward", |call| backward(call, 3)),
    ("fx.max_pool1d", |call| sliding(call, 1, 1)),
    ("fx.max_pool1d_with_indices", |call| sliding(call, 1, 2)),
    ("fx.max_pool2d", |call| sliding(call, 2, 1)),
    ("fx.max_pool2d_with_indices", |call| sliding(call, 2, 2)),
    ("fx.max_pool2d_with_indices_backward", |call| sliding_backward(call, 2)),
    ("fx.max_pool3d", |call| sliding(call, 3, 1)),
    ("fx.max_pool3d_with_indices", |call| sliding(call, 3, 2)),
    ("fx.max_pool3d_with_indices_backward", |call| sliding_backward(call, 3)),
    ("fx.max_unpool2d", |call| unpool(call, 2)),
    ("fx.max_unpool3d", |call| unpool(call, 3)),
];

/// The greatest element and its place: of equal ones the first, and of NaNs the last, as PyTorch's loops have it.
pub(super) fn greatest<T: PartialOrd + Copy>(elements: impl IntoIterator<Item = (T, usize)>) -> Option<(T, usize)> {
    let is_nan = |value: &T| value.partial_cmp(value).is_none();
    elements.into_iter().reduce(|best, next| if next.0 > best.0 || is_nan(&next.0) { next } else { best })
}

/// Maxima, and their places in the flattened spatial dims.
fn maxima<T: Element + PartialOrd>(dtype: DType, input: &Array, pool: &Pool, least: T) -> Result<[Array; 2]> {
    let values = input.values::<T>();
    let (mut results, mut places) = (Vec::new(), Vec::new());
    for plane in 0..pool.planes() {
        for window in pool.windows(plane) {
            let elements = window.places.iter().map(|place| (values[plane * pool.size + place], *place));
            let (value, place) = greatest(elements).unwrap_or((least, window.origin));
            results.push(value);
            places.push(place as i64);
        }
    }
    Ok([Array::new(dtype, &pool.output(), results)?, Array::new(DType::I64, &pool.output(), places)?])
}

/// The first `results` of the maxima and their places.
fn maximum(call: &Call<'_>, input: &Array, pool: &Pool, results: usize) -> Result<Vec<Value>> {
    let dtype = call.result_dtype(0)?;
    let both = match input.category() {
        Category::Float => maxima(dtype, input, pool, f64::NEG_INFINITY)?,
        Category::Int if dtype == DType::U8 => maxima(dtype, input, pool, 0i64)?,
        Category::Int => maxima(dtype, input, pool, (-largest(dtype) - 1.0) as i64)?,
        _ => return Err(format!("has no maxima of {}", input.dtype())),
    };
    Ok(both.into_iter().take(results).map(Value::from).collect())
}

fn sliding(call: &Call<'_>, spatial: usize, results: usize) -> Result<Vec<Value>> {
    let input = call.array("input")?;
    maximum(call, input, &Pool::sliding(call, input, spatial)?, results)
}

fn adaptive(call: &Call<'_>, spatial: usize) -> Result<Vec<Value>> {
    let input = call.array("input")?;
    let counts = Pool::adaptive_counts(call, spatial)?;
    let (_, sizes) = split(input.shape(), spatial)?;
    if sizes.contains(&0) && !counts.contains(&0) {
        return Err(format!("has no elements to take maxima of, shape {:?}", input.shape()));
    }
    maximum(call, input, &Pool::adaptive(input, &counts)?, 2)
}

fn fractional(call: &Call<'_>, spatial: usize) -> Result<Vec<Value>> {
    let input = call.array("input")?;
    maximum(call, input, &Pool::fractional(call, input, spatial)?, 2)
}

/// Gradients added where the maxima were.
fn backward(call: &Call<'_>, spatial: usize) -> Result<Vec<Value>> {
    let (grad, input, indices) = (call.array("grad_output")?, call.array("input")?, call.array("indices")?);
    let ((lead, sizes), (own, counts)) = (split(input.shape(), spatial)?, split(grad.shape(), spatial)?);
    if own != lead {
        return Err(format!("has gradients of shape {:?} for shape {:?}", grad.shape(), input.shape()));
    }
    check_shape("indices", indices, grad.shape())?;
    let places = places_in_planes(&indices.values::<i64>(), counts.iter().product(), sizes.iter().product())?;
    one(add_at(call.result_dtype(0)?, grad, &places, input.shape())?)
}

fn sliding_backward(call: &Call<'_>, spatial: usize) -> Result<Vec<Value>> {
    let pool = Pool::sliding(call, call.array("input")?, spatial)?;
    check_shape("grad_output", call.array("grad_output")?, &pool.output())?;
    backward(call, spatial)
}

/// Zeros but for `y[n, c, indices[n, c, p]] = input[n, c, p]`; of several for one place the last one stays.
fn unpool(call: &Call<'_>, spatial: usize) -> Result<Vec<Value>> {
    let (input, indices) = (call.array("input")?, call.array("indices")?);
    let (lead, counts) = split(input.shape(), spatial)?;
    check_shape("indices", indices, input.shape())?;
    let sizes = per_dim("output_size", &list(call, "output_size")?, spatial, 0)?;
    let shape = joined(lead, &sizes);
    let count = crate::array::element_count(&shape)?;
    let places = places_in_planes(&indices.values::<i64>(), counts.iter().product(), sizes.iter().product())?;
    let mut sources: Vec<Option<usize>> = vec![None; count];
    for (source, place) in places.into_iter().enumerate() {
        if let Some(slot) = place.and_then(|place| sources.get_mut(place)) {
            *slot = Some(source);
        }
    }
    one(super::read(input, &shape, &sources, Number::Int(0))?)
}
