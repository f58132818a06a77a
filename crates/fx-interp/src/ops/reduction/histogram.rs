//! Histograms (ATen/native/Histogram.cpp). A bin holds its left edge, the last one its right edge too; what lies outside
//! of all bins, and NaN, does not count.

use crate::Result;
use crate::array::{Array, DType, ravel, round_float};
use crate::call::Call;
use crate::ops::{Entry, maximum, minimum, one};
use crate::value::Value;

pub(in crate::ops) static OPS: &[Entry] = &[
    ("fx.histc", histc),
    ("fx.histogram", histogram),
    ("fx.histogramdd_bin_edges", |call| {
        let points = Points::of(call, call.array("input")?)?;
        let edges = points.equal_bins(call, &call.ints("bins")?)?;
        let dtype = points.dtype;
        edges.into_iter().map(|edges| Ok(Array::new(dtype, &[edges.len()], edges)?.into())).collect()
    }),
    ("fx.histogramdd_from_bin_cts", |call| {
        let points = Points::of(call, call.array("input")?)?;
        let edges = points.equal_bins(call, &call.ints("bins")?)?;
        one(points.histogram(call, &edges)?)
    }),
    ("fx.histogramdd_from_bin_tensors", |call| {
        let edges: Vec<Vec<f64>> = call.arrays("bins")?.into_iter().map(|edges| edges.values()).collect();
        one(Points::of(call, call.array("input")?)?.histogram(call, &edges)?)
    }),
];

/// The least and the greatest number; (0, 1) of none. A range without length grows by `more` on both sides.
fn outer_edges(numbers: &[f64], range: Option<(f64, f64)>, more: f64) -> Result<(f64, f64)> {
    let (low, high) = range.unwrap_or_else(|| match numbers {
        [] => (0.0, 1.0),
        numbers => (numbers.iter().copied().fold(f64::INFINITY, minimum), numbers.iter().copied().fold(f64::NEG_INFINITY, maximum)),
    });
    if !low.is_finite() || !high.is_finite() || low > high {
        return Err(format!("has no bins in the range from {low} to {high}"));
    }
    Ok(if low == high { (low - more, high + more) } else { (low, high) })
}

/// Equal bins of [min, max], or of the elements' range if these are equal. The place of an element is computed in the
/// element type, as the CPU does.
fn histc(call: &Call<'_>) -> Result<Vec<Value>> {
    let (input, dtype, bins) = (call.array("input")?, call.result_dtype(0)?, call.int("bins")?);
    let limit = |name: &str| if call.has(name) { call.number(name).map(|number| number.float()) } else { Ok(0.0) };
    let (min, max) = (limit("min")?, limit("max")?);
    let length = usize::try_from(bins).ok().filter(|bins| *bins > 0).ok_or_else(|| format!("has {bins} bins"))?;
    let numbers = input.values::<f64>();
    let range = Some((min, max)).filter(|(min, max)| min != max || numbers.is_empty());
    let (low, high) = outer_edges(&numbers, range, 1.0)?;
    let (low, high) = (round_float(dtype, low), round_float(dtype, high));
    let round = |x: f64| if dtype.is_float() { round_float(dtype, x) } else { x };
    let mut counts = vec![0i64; length];
    for x in numbers.into_iter().filter(|x| *x >= low && *x <= high) {
        let place = round(round(round(x - low) * bins as f64) / round(high - low)) as usize;
        counts[place.min(length - 1)] += 1;
    }
    one(Array::new(dtype, &[length], counts)?)
}

fn histogram(call: &Call<'_>) -> Result<Vec<Value>> {
    let input = call.array("input")?;
    // points of one coordinate
    let points = Points::of(call, &input.reshape(&[input.len(), 1])?)?;
    let edges = match call.optional("edges")? {
        Some(edges) => edges.values::<f64>(),
        None => points.equal_bins(call, &[call.int("bins")?])?.pop().unwrap_or_default(),
    };
    let hist = points.histogram(call, std::slice::from_ref(&edges))?;
    Ok(vec![hist.into(), Array::new(call.result_dtype(1)?, &[edges.len()], edges)?.into()])
}

/// Points with their weights.
struct Points {
    dtype: DType,
    coordinates: Vec<Vec<f64>>,
    weights: Option<Vec<f64>>,
}

impl Points {
    /// The last dim of `input` holds coordinates.
    fn of(call: &Call<'_>, input: &Array) -> Result<Points> {
        let size = input.shape().last().copied().ok_or("expects points, got an input without dims")?;
        let values = input.values::<f64>();
        let count = values.len().checked_div(size).unwrap_or(0);
        let coordinates = (0..count).map(|i| values[i * size..(i + 1) * size].to_vec()).collect();
        let weights = call.optional("weight")?.map(|weights| weights.values::<f64>());
        if let Some(weights) = weights.as_ref().filter(|weights| weights.len() != count) {
            return Err(format!("has {} weights for {count} elements", weights.len()));
        }
        Ok(Points { dtype: input.dtype(), coordinates, weights })
    }

    /// The edges of equal bins of each coordinate, in the attribute `range` or that of the points.
    fn equal_bins(&self, call: &Call<'_>, bins: &[i64]) -> Result<Vec<Vec<f64>>> {
        let ranges = call.optional_floats("range").filter(|range| !range.is_empty());
        let edges = |(axis, count): (usize, &i64)| {
            let numbers: Vec<f64> = self.coordinates.iter().filter_map(|point| point.get(axis)).copied().collect();
            let range = ranges.as_ref().and_then(|ranges| Some((*ranges.get(2 * axis)?, *ranges.get(2 * axis + 1)?)));
            let (low, high) = outer_edges(&numbers, range, 0.5)?;
            let bins =
                usize::try_from(*count).ok().filter(|count| (1..1 << 31).contains(count)).ok_or_else(|| format!("has {count} bins"))?;
            let part = |k: usize| low + (high - low) * (k as f64 / bins as f64);
            Ok((0..=bins).map(|k| round_float(self.dtype, if k == bins { high } else { part(k) })).collect())
        };
        bins.iter().enumerate().map(edges).collect()
    }

    /// The sum of weights in each box; with the attribute `density` divided by their sum and the boxes' volumes.
    fn histogram(&self, call: &Call<'_>, edges: &[Vec<f64>]) -> Result<Array> {
        let shape: Vec<usize> = edges.iter().map(|edges| edges.len().saturating_sub(1)).collect();
        let mut sums = vec![0.0; crate::array::element_count(&shape)?];
        for (i, point) in self.coordinates.iter().enumerate() {
            let index: Option<Vec<usize>> = point.iter().zip(edges).map(|(x, edges)| bin(*x, edges)).collect();
            if let Some(place) = index.and_then(|index| ravel(&index, &shape)) {
                sums[place] += self.weights.as_ref().map_or(1.0, |weights| weights[i]);
            }
        }
        if call.bool("density") {
            let total = sums.iter().sum::<f64>();
            for (index, sum) in crate::array::indices(&shape).zip(&mut sums) {
                let volume: f64 = index.iter().zip(edges).map(|(k, edges)| edges[k + 1] - edges[*k]).product();
                *sum /= total * volume;
            }
        }
        Array::new(self.dtype, &shape, sums)
    }
}

/// The bin of a number between increasing edges.
fn bin(x: f64, edges: &[f64]) -> Option<usize> {
    let (first, last) = (*edges.first()?, *edges.last()?);
    if !(x >= first && x <= last) {
        return None;
    }
    let below = edges.iter().filter(|edge| **edge <= x).count();
    Some(below.min(edges.len().saturating_sub(1)).saturating_sub(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bins() {
        let edges = [0.0, 1.0, 2.0];
        assert_eq!([-0.1, 0.0, 1.0, 2.0, 2.1, f64::NAN].map(|x| bin(x, &edges)), [None, Some(0), Some(1), Some(1), None, None]);
        assert_eq!(outer_edges(&[], None, 0.5).unwrap(), (0.0, 1.0));
        assert_eq!(outer_edges(&[3.0], None, 0.5).unwrap(), (2.5, 3.5));
        assert!(outer_edges(&[f64::NAN], None, 0.5).is_err());
    }
}
