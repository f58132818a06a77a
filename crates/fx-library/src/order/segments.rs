//! Reductions of consecutive segments.

use crate::typed::{Arguments, Float, Lanes, Values, elements, integers, tensor, with_float};
use fx_runtime::OpCall;

/// `segment_reduce(data, lengths or offsets; axis, offsets, unsafe, has_initial, initial) {reduce}`: the result's
/// segment s along `axis` reduces those of the data, from `initial` on (aten/src/ATen/native/SegmentReduce.cpp). The
/// segments of each leading place are its own.
pub(crate) fn segment_reduce(call: &OpCall<'_>) -> Values {
    let (data, segments) = (call.tensor(0)?, call.tensor(1)?);
    let axis = call.int(0)?;
    let lanes = Lanes::new(data.dims(), axis)?;
    if segments.dims().split_last().is_none_or(|(_, lead)| !data.dims().starts_with(lead) || lead.len() as i64 != axis) {
        return Err(format!("has segments of shape {:?} for data of shape {:?} along dim {axis}", segments.dims(), data.dims()));
    }
    let per_lane = segments.dims().last().copied().unwrap_or(0);
    let rows = integers(segments)?;
    let mut ranges = Vec::new();
    for row in 0..lanes.outer {
        let row = rows.get(row * per_lane..(row + 1) * per_lane).ok_or("has fewer segments than data")?;
        ranges.push(if call.flag(1)? { between(row, lanes.len)? } else { of_lengths(row, lanes.len, call.flag(2)?)? });
    }
    with_float!(data.dtype(), T => reduce::<T>(call, lanes, &ranges))
}

fn between(offsets: &[i64], len: usize) -> Result<Vec<(usize, usize)>, String> {
    let bound = |at: i64| usize::try_from(at).ok().filter(|at| *at <= len);
    let range = |pair: &[i64]| Some((bound(pair[0])?, bound(pair[1])?)).filter(|(from, to)| from <= to);
    let failed = |pair: &[i64]| format!("offsets {} and {} bound no segment of {len} elements", pair[0], pair[1]);
    offsets.windows(2).map(|pair| range(pair).ok_or_else(|| failed(pair))).collect()
}

fn of_lengths(lengths: &[i64], len: usize, partial: bool) -> Result<Vec<(usize, usize)>, String> {
    let mut start = 0usize;
    let mut ranges = Vec::with_capacity(lengths.len());
    for length in lengths {
        let size = usize::try_from(*length).map_err(|_| format!("has a segment of length {length}"))?;
        let end = start.checked_add(size).filter(|end| *end <= len);
        let end = end.ok_or_else(|| format!("the lengths add up to more than the {len} elements"))?;
        ranges.push((start, end));
        start = end;
    }
    if !partial && start != len {
        return Err(format!("the lengths add up to {start}, expected {len}"));
    }
    Ok(ranges)
}

fn reduce<T: Float>(call: &OpCall<'_>, lanes: Lanes, ranges: &[Vec<(usize, usize)>]) -> Values {
    let data = elements::<T>(call.tensor(0)?)?;
    let initial = if call.flag(3)? { Some(T::from_scalar(call.int(4)?)) } else { None };
    let kind = call.word("reduce");
    let (start, join): (T, fn(T, T) -> T) = match kind {
        "sum" | "mean" => (T::ZERO, T::plus),
        "prod" => (T::ONE, T::times),
        "max" => (T::LOWEST, T::larger),
        "min" => (T::HIGHEST, T::smaller),
        other => return Err(format!("does not know the reduction '{other}'")),
    };
    let mut values = Vec::new();
    for (o, ranges) in ranges.iter().enumerate() {
        for (from, to) in ranges {
            for r in 0..lanes.inner {
                let at = |i: usize| data[(o * lanes.len + i) * lanes.inner + r];
                let joined = (*from..*to).map(at).fold(initial.unwrap_or(start), join);
                values.push(match (kind, to - from) {
                    ("mean", 0) if initial.is_none() => T::NAN,
                    ("mean", count) if count > 0 && !joined.is_nan() => joined.over(T::from_count(count)),
                    _ => joined,
                });
            }
        }
    }
    Ok(vec![tensor(&call.dims(0)?, &values)?])
}
