//! Distinct elements and slices (aten/src/ATen/native/Unique.cpp).

use super::wanted;
use crate::order::{Keys, keys, run_starts, sorted_positions};
use crate::typed::{Arguments, Lanes, Values, moved};
use fx_runtime::OpCall;
use std::cmp::Ordering;

/// Runs of equals in an order: which position each run shows, the run of each position, and the lengths.
struct Runs {
    first: Vec<usize>,
    inverse: Vec<i64>,
    counts: Vec<i64>,
}

impl Runs {
    fn new(order: &[usize], starts: &[bool]) -> Self {
        let mut runs = Runs { first: Vec::new(), inverse: vec![0; order.len()], counts: Vec::new() };
        for (at, starts) in order.iter().zip(starts) {
            if *starts {
                runs.first.push(*at);
                runs.counts.push(0);
            }
            if let Some(count) = runs.counts.last_mut() {
                *count += 1;
                runs.inverse[*at] = runs.first.len() as i64 - 1;
            }
        }
        runs
    }
}

/// `unique(x; consecutive, inverse, counts) -> elements, inverse, counts`: the distinct elements in order, or the first of
/// each run of equal neighbours. NaN equals nothing.
pub(crate) fn unique(call: &OpCall<'_>) -> Values {
    let input = call.tensor(0)?;
    let (keys, order) = if call.flag(0)? { (keys(input)?, (0..input.len()).collect()) } else { sorted_positions(input)? };
    let runs = Runs::new(&order, &run_starts(&keys, &order));
    let output = moved(input, &[runs.first.len()], &runs.first)?;
    let inverse = wanted(call.flag(1)?, input.dims(), &runs.inverse)?;
    let counts = wanted(call.flag(2)?, &[runs.counts.len()], &runs.counts)?;
    Ok(vec![output, inverse, counts])
}

/// `unique_dim(x; dim, consecutive) -> slices, inverse, counts`: the distinct slices along `dim`, by their elements in
/// row-major order, or the first of each run of equal neighbours.
pub(crate) fn unique_dim(call: &OpCall<'_>) -> Values {
    let input = call.tensor(0)?;
    let lanes = Lanes::new(input.dims(), call.int(0)?)?;
    let keys = keys(input)?;
    if lanes.len > 0 && lanes.outer * lanes.inner == 0 {
        return Err("there are slices, but no elements in them".into());
    }
    let starts: Vec<_> = lanes.starts().collect();
    let key = |slice: usize, start: &usize| keys.values[start + slice * lanes.inner];
    let compare = |a: usize, b: usize| {
        let different = starts.iter().map(|start| key(a, start).cmp(&key(b, start))).find(|order| order.is_ne());
        different.unwrap_or(Ordering::Equal)
    };
    let mut order: Vec<usize> = (0..lanes.len).collect();
    if !call.flag(1)? {
        order.sort_by(|a, b| compare(*a, *b));
    }
    let has_nan = |keys: &Keys, slice: usize| starts.iter().any(|start| keys.is_nan(key(slice, start)));
    let first: Vec<_> = (0..order.len()).map(|i| i == 0 || compare(order[i - 1], order[i]).is_ne() || has_nan(&keys, order[i])).collect();
    let runs = Runs::new(&order, &first);
    let mut dims = input.dims().to_vec();
    match dims.get_mut(call.int(0)? as usize) {
        Some(size) => *size = runs.first.len(),
        None => dims = vec![runs.first.len()],
    }
    let mut positions = Vec::with_capacity(dims.iter().product());
    for o in 0..lanes.outer {
        for slice in &runs.first {
            let start = (o * lanes.len + slice) * lanes.inner;
            positions.extend(start..start + lanes.inner);
        }
    }
    let output = moved(input, &dims, &positions)?;
    let inverse = wanted(true, &[lanes.len], &runs.inverse)?;
    let counts = wanted(true, &[runs.counts.len()], &runs.counts)?;
    Ok(vec![output, inverse, counts])
}
