//! Compaction: results whose sizes depend on data.

use crate::Function;
use crate::typed::{Arguments, Values, filled, integer_tensor, integers, moved, tensor, text, truths, volume, written};
use fx_runtime::{DType, HostTensor, OpCall};

mod unique;

/// The functions by name.
pub(crate) static FUNCTIONS: &[(&str, Function)] = &[
    ("fx::nonzero", nonzero),
    ("fx::nonzero_columns", nonzero_columns),
    ("fx::nonzero_static", nonzero_static),
    ("fx::masked_select", masked_select),
    ("fx::masked_scatter", masked_scatter),
    ("fx::masked_scatter_backward", masked_scatter_backward),
    ("fx::repeats", repeats),
    ("fx::one_hot", one_hot),
    ("fx::unique", unique::unique),
    ("fx::unique_dim", unique::unique_dim),
];

/// Row-major positions of the elements that are not zero.
fn places(tensor: &HostTensor) -> Result<Vec<usize>, String> {
    Ok(truths(tensor)?.iter().enumerate().filter(|(_, truth)| **truth).map(|(i, _)| i).collect())
}

/// The index in dim `d` of a row-major position.
fn coordinate(dims: &[usize], d: usize, place: usize) -> i64 {
    let inner: usize = dims[d + 1..].iter().product();
    (place / inner % dims[d]) as i64
}

fn rows(dims: &[usize], places: &[usize]) -> Vec<i64> {
    places.iter().flat_map(|place| (0..dims.len()).map(move |d| coordinate(dims, d, *place))).collect()
}

/// `nonzero(x) -> rows`: one row of indices per element that is not zero.
fn nonzero(call: &OpCall<'_>) -> Values {
    let input = call.tensor(0)?;
    let places = places(input)?;
    Ok(vec![tensor(&[places.len(), input.dims().len()], &rows(input.dims(), &places))?])
}

/// `nonzero_columns(x) -> indices..`: the columns of `nonzero`, one per dim.
fn nonzero_columns(call: &OpCall<'_>) -> Values {
    let input = call.tensor(0)?;
    let places = places(input)?;
    let column = |d| places.iter().map(|place| coordinate(input.dims(), d, *place)).collect::<Vec<_>>();
    (0..input.dims().len()).map(|d| tensor(&[places.len()], &column(d))).collect()
}

/// `nonzero_static(x; fill) -> rows`: the first rows of `nonzero`, filled up to the result's size.
fn nonzero_static(call: &OpCall<'_>) -> Values {
    let (input, dims) = (call.tensor(0)?, call.dims(0)?);
    let mut places = places(input)?;
    places.truncate(dims.first().copied().unwrap_or(0));
    let mut values = rows(input.dims(), &places);
    values.resize(dims.iter().product(), call.int(0)?);
    Ok(vec![tensor(&dims, &values)?])
}

/// `masked_select(x, mask) -> elements`; both have one shape.
fn masked_select(call: &OpCall<'_>) -> Values {
    let places = places(call.tensor(1)?)?;
    Ok(vec![moved(call.tensor(0)?, &[places.len()], &places)?])
}

/// `masked_scatter(x, mask, source) -> y`: the places where the mask is true get the source's elements in order.
fn masked_scatter(call: &OpCall<'_>) -> Values {
    let (input, places, source) = (call.tensor(0)?, places(call.tensor(1)?)?, call.tensor(2)?);
    if places.len() > source.len() {
        return Err(format!("the source has {} elements, but the mask is true {} times", source.len(), places.len()));
    }
    Ok(vec![written(input, source, places.into_iter().enumerate().map(|(i, place)| Ok((place, i))))?])
}

/// `masked_scatter_backward(grad, mask) -> y`: the gradient where the mask is true, in order, then zeros.
fn masked_scatter_backward(call: &OpCall<'_>) -> Values {
    let (grad, places, dims) = (call.tensor(0)?, places(call.tensor(1)?)?, call.dims(0)?);
    let zeros = HostTensor::zeros(grad.dtype(), &dims).map_err(text)?;
    let count = places.len().min(zeros.len());
    Ok(vec![written(&zeros, grad, places.into_iter().take(count).enumerate().map(|(i, place)| Ok((i, place))))?])
}

/// `repeats(counts; slices, output_size) -> indices`: j repeated counts[j] times for each of `slices` numbers j; one count
/// holds for all. `output_size` is the sum if it is not negative.
fn repeats(call: &OpCall<'_>) -> Values {
    let counts = call.tensor(0)?;
    let (of, slices, expected) = (integers(counts)?, call.int(0)?, call.int(1)?);
    let slices = usize::try_from(slices).map_err(|_| format!("has {slices} slices"))?;
    if of.len() != slices && of.len() != 1 {
        return Err(format!("expects 1 or {slices} repeats, got {}", of.len()));
    }
    let mut indices = Vec::new();
    for j in 0..slices {
        let count = of[if of.len() == 1 { 0 } else { j }];
        let count = usize::try_from(count).map_err(|_| format!("repeats must not be negative, got {count}"))?;
        indices.try_reserve(count).map_err(|_| format!("there is no memory for {count} repeats"))?;
        indices.resize(indices.len() + count, j as i64);
    }
    if expected >= 0 && indices.len() as i64 != expected {
        return Err(format!("the repeats add up to {}, but 'output_size' is {expected}", indices.len()));
    }
    let dtype = call.result(0)?.dtype;
    Ok(vec![integer_tensor(dtype, &[indices.len()], &indices)?])
}

/// `one_hot(x) -> y`: 1 at the class of each element, 0 at the other classes up to the largest there is.
fn one_hot(call: &OpCall<'_>) -> Values {
    let (input, classes) = (call.tensor(0)?, integers(call.tensor(0)?)?);
    let most = classes.iter().copied().max().ok_or("there is no element to tell the number of classes")?;
    let count = usize::try_from(most).map_or(0, |most| most + 1);
    let mut values = filled(volume(&[classes.len(), count])?, 0i64)?;
    for (i, class) in classes.iter().enumerate() {
        let class = usize::try_from(*class).map_err(|_| format!("class {class} is negative"))?;
        values[i * count + class] = 1;
    }
    Ok(vec![tensor(&[input.dims(), &[count]].concat(), &values)?])
}

/// Counts and the like, i64; absent ones are empty.
fn wanted(is_wanted: bool, dims: &[usize], values: &[i64]) -> Result<HostTensor, String> {
    if is_wanted { tensor(dims, values) } else { HostTensor::zeros(DType::I64, &[0]).map_err(text) }
}

#[cfg(test)]
mod tests;
