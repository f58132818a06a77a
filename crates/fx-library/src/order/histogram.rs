//! Counting: how often, or with which weight, elements lie where (aten/src/ATen/native/cpu/HistogramKernel.cpp).

use crate::typed::{Arguments, Float, Number, Values, elements, filled, integers, tensor, volume, with_float};
use fx_runtime::{DType, HostTensor, OpCall};

/// `bincount(x, [weights]; minlength) -> counts`: the result has `max(x) + 1` places, or `minlength` if that is more.
pub(crate) fn bincount(call: &OpCall<'_>) -> Values {
    let values = integers(call.tensor(0)?)?;
    if let Some(least) = values.iter().copied().min().filter(|least| *least < 0) {
        return Err(format!("expects integers of at least 0, got {least}"));
    }
    let most = values.iter().copied().max().map_or(0, |most| (most as usize).saturating_add(1));
    let minlength = call.int(0)?;
    let size = usize::try_from(minlength).map_err(|_| format!("minlength is {minlength}"))?.max(most);
    fn total<T: Number>(values: &[i64], size: usize, weight: impl Fn(usize) -> T) -> Result<HostTensor, String> {
        let mut bins = filled(size, T::ZERO)?;
        for (i, value) in values.iter().enumerate() {
            let bin = &mut bins[*value as usize];
            *bin = bin.plus(weight(i));
        }
        tensor(&[size], &bins)
    }
    let Ok(weights) = call.tensor(1) else { return Ok(vec![total(&values, size, |_| 1i64)?]) };
    if weights.len() != values.len() {
        return Err(format!("has {} weights for {} integers", weights.len(), values.len()));
    }
    let result = match weights.dtype() {
        DType::F32 => {
            let weights = elements::<f32>(weights)?;
            total(&values, size, |i| weights[i])?
        }
        _ => {
            let weights = weights.to_f64_vec().map_err(crate::typed::text)?;
            total(&values, size, |i| weights[i])?
        }
    };
    Ok(vec![result])
}

/// How elements find their bin.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Search {
    /// By division.
    Division,
    /// By division, put right by the edges beside.
    Nearby,
    /// Among all edges.
    Binary,
}

/// `bins + 1` equidistant edges, computed from both ends as `linspace` does.
fn equidistant<T: Float>(left: f64, right: f64, bins: usize) -> Result<Vec<T>, String> {
    let (left, right) = (T::from_f64(left), T::from_f64(right));
    let step = right.minus(left).over(T::from_count(bins));
    let edge = |i: usize| {
        if i < bins.div_ceil(2) { left.plus(step.times(T::from_count(i))) } else { right.minus(step.times(T::from_count(bins - i))) }
    };
    let mut edges = filled(bins + 1, T::ZERO)?;
    edges.iter_mut().enumerate().for_each(|(i, to)| *to = edge(i));
    Ok(edges)
}

/// Smallest and largest element of coordinate `d` of `count`; 0 and 1 without elements.
fn ends<T: Float>(points: &[T], d: usize, count: usize) -> (f64, f64) {
    let mut own = points.iter().skip(d).step_by(count.max(1)).copied();
    let Some(first) = own.next() else { return (0.0, 1.0) };
    let (low, high) = own.fold((first, first), |(low, high), x| (low.smaller(x), high.larger(x)));
    (low.to_f64(), high.to_f64())
}

/// The range of the bins, which must not be empty: `margin` is added on both sides of a range of one number.
fn bounds((left, right): (f64, f64), margin: f64) -> Result<(f64, f64), String> {
    if !left.is_finite() || !right.is_finite() {
        return Err(format!("the range [{left}, {right}] is not finite"));
    }
    if left > right {
        return Err(format!("the range [{left}, {right}] is empty"));
    }
    Ok(if left == right { (left - margin, right + margin) } else { (left, right) })
}

/// Adds up weights (1 without) per box of bins; a point outside, or not a number, is in none.
fn count<T: Float>(points: &[T], weights: Option<&[T]>, edges: &[Vec<T>], search: Search) -> Result<Vec<T>, String> {
    let bins: Vec<_> = edges.iter().map(|edges| edges.len() - 1).collect();
    let mut boxes = filled(volume(&bins)?, T::ZERO)?;
    if edges.is_empty() || boxes.is_empty() {
        return Ok(boxes);
    }
    for (i, point) in points.chunks_exact(edges.len()).enumerate() {
        let place = point.iter().zip(edges).try_fold(0, |place, (x, edges)| Some(place * (edges.len() - 1) + bin(*x, edges, search)?));
        if let Some(place) = place {
            let weight = match weights {
                Some(weights) => *weights.get(i).ok_or("has fewer weights than points")?,
                None => T::ONE,
            };
            boxes[place] = boxes[place].plus(weight);
        }
    }
    Ok(boxes)
}

/// The bin of `x`: its left edge belongs to it, and the last one's right edge too.
fn bin<T: Float>(x: T, edges: &[T], search: Search) -> Option<usize> {
    let (first, last, bins) = (edges[0], edges[edges.len() - 1], edges.len() - 1);
    if !(x >= first && x <= last) {
        return None;
    }
    let quotient = || x.minus(first).times(T::from_count(bins)).over(last.minus(first)).to_f64() as usize;
    let up_to = |from: usize, to: usize| from + edges[from..to].partition_point(|edge| *edge <= x);
    let place = match search {
        Search::Division => quotient(),
        Search::Nearby => {
            let near = quotient().min(bins);
            up_to(near.saturating_sub(1), (near + 2).min(edges.len())).saturating_sub(1)
        }
        Search::Binary => up_to(0, edges.len()) - 1,
    };
    Some(place.min(bins - 1))
}

/// `histc(x; bins, min, max) -> counts`: an empty range is that of the elements.
pub(crate) fn histc(call: &OpCall<'_>) -> Values {
    fn typed<T: Float>(call: &OpCall<'_>) -> Values {
        let points = elements::<T>(call.tensor(0)?)?;
        let (bins, given) = (positive(call.int(0)?)?, (call.float(1)?, call.float(2)?));
        let range = if given.0 == given.1 && !points.is_empty() { ends(points, 0, 1) } else { given };
        let (left, right) = bounds(range, 1.0)?;
        let boxes = count(points, None, &[equidistant(left, right, bins)?], Search::Division)?;
        Ok(vec![tensor(&call.dims(0)?, &boxes)?])
    }
    with_float!(call.tensor(0)?.dtype(), T => typed::<T>(call))
}

fn positive(bins: i64) -> Result<usize, String> {
    usize::try_from(bins)
        .ok()
        .filter(|bins| (1..usize::MAX >> 8).contains(bins))
        .ok_or_else(|| format!("expects a positive number of bins, got {bins}"))
}

fn list(call: &OpCall<'_>, name: &str) -> Result<Option<Vec<f64>>, String> {
    let Some(value) = call.attributes.get(name) else { return Ok(None) };
    let list = value.as_array().and_then(|list| list.iter().map(|number| number.as_f64()).collect());
    list.map(Some).ok_or_else(|| format!("the argument '{name}' is no list of numbers: {value}"))
}

/// The edges of each coordinate, from the attributes `bins` and `range` (a pair per coordinate; absent: the points').
fn edges_of<T: Float>(call: &OpCall<'_>) -> Result<Vec<Vec<T>>, String> {
    let points = elements::<T>(call.tensor(0)?)?;
    let bins = list(call, "bins")?.unwrap_or_default();
    let range = list(call, "range")?;
    bins.iter()
        .enumerate()
        .map(|(d, count)| {
            let own = match &range {
                Some(range) => range.get(2 * d..2 * d + 2).map(|pair| (pair[0], pair[1])).ok_or("lacks a range")?,
                None => ends(points, d, bins.len()),
            };
            let (left, right) = bounds(own, 0.5)?;
            equidistant(left, right, positive(*count as i64)?)
        })
        .collect()
}

/// `bin_edges(points) {bins, range} -> edges..`, one list per coordinate.
pub(crate) fn bin_edges(call: &OpCall<'_>) -> Values {
    fn typed<T: Float>(call: &OpCall<'_>) -> Values {
        edges_of::<T>(call)?.into_iter().map(|edges| tensor(&[edges.len()], &edges)).collect()
    }
    with_float!(call.tensor(0)?.dtype(), T => typed::<T>(call))
}

/// `histogram(points, [edges..], [weights]; weighted, density) {bins, range} -> boxes, [edges..]`: points are the rows of
/// the last dim (the elements, for rank 1). Given edges are not results.
pub(crate) fn histogram(call: &OpCall<'_>) -> Values {
    fn typed<T: Float>(call: &OpCall<'_>) -> Values {
        let points = elements::<T>(call.tensor(0)?)?;
        let mut given = call.tensors[1..].to_vec();
        let weights = if call.flag(0)? { given.pop() } else { None };
        let weights = weights.as_ref().map(elements::<T>).transpose()?;
        let is_given = !given.is_empty();
        let edges = if is_given {
            given.iter().map(|edges| Ok(elements::<T>(edges)?.to_vec())).collect::<Result<Vec<_>, String>>()?
        } else {
            edges_of(call)?
        };
        if let Some(empty) = edges.iter().position(Vec::is_empty) {
            return Err(format!("coordinate {empty} has no edge"));
        }
        let mut boxes = count(points, weights, &edges, if is_given { Search::Binary } else { Search::Nearby })?;
        if call.flag(1)? {
            normalize(&mut boxes, &edges);
        }
        let mut results = vec![tensor(&call.dims(0)?, &boxes)?];
        if !is_given {
            for edges in &edges {
                results.push(tensor(&[edges.len()], edges)?);
            }
        }
        results.truncate(call.results.len());
        Ok(results)
    }
    with_float!(call.tensor(0)?.dtype(), T => typed::<T>(call))
}

/// Divides by the total and by the size of each box.
fn normalize<T: Float>(boxes: &mut [T], edges: &[Vec<T>]) {
    let total = T::narrow(boxes.iter().fold(T::Wide::ZERO, |sum, value| sum.plus(value.widen())));
    boxes.iter_mut().for_each(|value| *value = value.over(total));
    let mut inner = 1;
    for edges in edges.iter().rev() {
        let bins = edges.len() - 1;
        for (i, value) in boxes.iter_mut().enumerate() {
            let at = i / inner % bins;
            *value = value.over(edges[at + 1].minus(edges[at]));
        }
        inner *= bins;
    }
}
