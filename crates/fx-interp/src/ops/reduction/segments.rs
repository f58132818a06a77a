//! Reductions of segments, and counts of integers.

use crate::Result;
use crate::array::{Array, DType, indices};
use crate::call::Call;
use crate::ops::{Entry, maximum, minimum, one};
use crate::value::Value;

pub(in crate::ops) static OPS: &[Entry] = &[("fx.bincount", bincount), ("fx.segment_reduce", segment_reduce)];

/// How often each integer occurs, or the sum of its weights.
fn bincount(call: &Call<'_>) -> Result<Vec<Value>> {
    let (input, dtype) = (call.array("input")?.values::<i64>(), call.result_dtype(0)?);
    if let Some(negative) = input.iter().find(|x| **x < 0) {
        return Err(format!("counts the negative number {negative}"));
    }
    let least = call.size("minlength")?.unwrap_or(0);
    let length = input.iter().map(|x| x.saturating_add(1)).fold(least, i64::max);
    let length = usize::try_from(length).ok().filter(|length| *length <= 1 << 31).ok_or_else(|| format!("has {length} counts"))?;
    one(match call.optional("weights")? {
        None => {
            let mut counts = vec![0i64; length];
            input.iter().for_each(|x| counts[*x as usize] += 1);
            Array::new(dtype, &[length], counts)?
        }
        Some(weights) => {
            let mut sums = vec![0f64; length];
            input.iter().zip(weights.values::<f64>()).for_each(|(x, weight)| sums[*x as usize] += weight);
            Array::new(dtype, &[length], sums)?
        }
    })
}

/// What a segment is reduced to, from `initial` on if it is there (ATen/native/SegmentReduce.cpp): a mean is the sum from
/// `initial` on, divided by the number of elements if there are any.
fn reduced(how: &str, segment: &[f64], initial: Option<f64>) -> Result<f64> {
    let (neutral, f): (f64, fn(f64, f64) -> f64) = match how {
        "sum" | "mean" => (0.0, |x, y| x + y),
        "max" => (f64::NEG_INFINITY, maximum),
        "min" => (f64::INFINITY, minimum),
        "prod" => (1.0, |x, y| x * y),
        other => return Err(format!("has an unknown reduction '{other}'")),
    };
    let total = segment.iter().copied().fold(initial.unwrap_or(neutral), f);
    Ok(match (how, segment.len()) {
        ("mean", 0) if initial.is_none() => f64::NAN,
        ("mean", count) if count > 0 => total / count as f64,
        _ => total,
    })
}

/// Where each segment of a row begins and ends.
fn bounds(lengths: bool, row: &[i64], size: usize) -> Result<Vec<(usize, usize)>> {
    let mut ends = row.to_vec();
    if lengths {
        ends.insert(0, 0);
        for i in 1..ends.len() {
            ends[i] = ends[i].checked_add(ends[i - 1]).filter(|end| *end >= ends[i - 1]).ok_or_else(|| format!("has lengths {row:?}"))?;
        }
    }
    let place =
        |end: i64| usize::try_from(end).ok().filter(|end| *end <= size).ok_or_else(|| format!("has segments {row:?} of size {size}"));
    let pairs = ends.windows(2).map(|pair| match (place(pair[0])?, place(pair[1])?) {
        (start, end) if start <= end => Ok((start, end)),
        _ => Err(format!("has offsets {row:?}, which decrease")),
    });
    pairs.collect::<Result<Vec<_>>>()
}

fn segment_reduce(call: &Call<'_>) -> Result<Vec<Value>> {
    let (data, how) = (call.array("data")?, call.str("reduce")?);
    let axis = call.dim("axis", data.rank())?;
    let initial = call.has("initial").then(|| call.number("initial")).transpose()?.map(|number| number.float());
    let lengths = call.optional("offsets")?.is_none();
    let given = if lengths { call.array("lengths")? } else { call.array("offsets")? };
    if data.rank() == 0 || given.rank() != axis + 1 || given.shape()[..axis] != data.shape()[..axis] {
        return Err(format!("has segments of shape {:?} for data of shape {:?}", given.shape(), data.shape()));
    }
    let (size, count) = (data.size(axis), given.size(axis) - usize::from(!lengths).min(given.size(axis)));
    let mut shape = data.shape().to_vec();
    shape[axis] = count;
    let mut segments = Vec::new();
    let rows = given.values::<i64>();
    for row in rows.chunks(given.size(axis).max(1)) {
        let bounds = bounds(lengths, row, size)?;
        if lengths && !call.bool("unsafe") && bounds.last().map_or(0, |(_, end)| *end) != size {
            return Err(format!("has lengths {row:?}, which do not add up to {size}"));
        }
        segments.push(bounds);
    }
    let (values, inner) = (data.values::<f64>(), data.shape()[axis + 1..].iter().product::<usize>());
    let mut results = Vec::new();
    for index in indices(&shape) {
        let outer = index[..axis].iter().zip(&shape).fold(0, |place, (i, size)| place * size + i);
        let within = index[axis + 1..].iter().zip(&shape[axis + 1..]).fold(0, |place, (i, size)| place * size + i);
        let (start, end) = segments.get(outer).and_then(|row| row.get(index[axis])).copied().unwrap_or((0, 0));
        let segment: Vec<f64> = (start..end).map(|k| values[(outer * size + k) * inner + within]).collect();
        results.push(reduced(how, &segment, initial)?);
    }
    let dtype: DType = call.result_dtype(0)?;
    one(Array::new(dtype, &shape, results)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn segments() {
        assert_eq!(bounds(true, &[2, 0, 3], 5).unwrap(), [(0, 2), (2, 2), (2, 5)]);
        assert_eq!(bounds(false, &[0, 2, 5], 5).unwrap(), [(0, 2), (2, 5)]);
        assert!(bounds(true, &[2, -1], 5).is_err() && bounds(true, &[4, 2], 5).is_err() && bounds(false, &[3, 2], 5).is_err());
        assert!(reduced("mean", &[], None).unwrap().is_nan());
        assert_eq!(reduced("mean", &[], Some(3.0)).unwrap(), 3.0);
        assert_eq!(reduced("mean", &[1.0, 2.0], Some(3.0)).unwrap(), 3.0);
        assert_eq!(reduced("max", &[], None).unwrap(), f64::NEG_INFINITY);
        assert!(reduced("max", &[f64::NAN, 1.0], None).unwrap().is_nan());
    }
}
