//! Rows in the order of keys.

use super::selection::Item;
use crate::typed::{Arguments, Lanes, Values, integers, moved, tensor};
use fx_runtime::OpCall;

/// `sort_rows(keys, x) {from} -> values, indices`: elements of the last dim of `x` in the order of their keys, which are compared
/// without a sign; equal keys keep their order. The results have those from number `from` on, as many as they hold.
pub(super) fn sort_rows(call: &OpCall<'_>) -> Values {
    let (keys, x) = (call.tensor(0)?, call.tensor(1)?);
    if keys.dims() != x.dims() || x.dims().is_empty() {
        return Err(format!("has keys of shape {:?} for elements of shape {:?}", keys.dims(), x.dims()));
    }
    let lanes = Lanes::new(x.dims(), x.dims().len() as i64 - 1)?;
    let dims = call.dims(0)?;
    let count = dims.last().copied().unwrap_or(0);
    let from = call.attributes.get("from").and_then(|from| from.as_u64()).ok_or("lacks 'from'")?;
    let part = usize::try_from(from).ok().and_then(|from| Some(from..from.checked_add(count)?)).filter(|part| part.end <= lanes.len);
    let part = part.ok_or_else(|| format!("wants {count} elements from {from} on of rows of {}", lanes.len))?;
    let keys = integers(keys)?;
    let (mut positions, mut indices) = (Vec::new(), Vec::new());
    for start in lanes.starts() {
        let mut row: Vec<Item> = keys[start..start + lanes.len].iter().map(|key| *key as u64).zip(0..).collect();
        row.sort_unstable();
        for (_, at) in &row[part.clone()] {
            positions.push(start + at);
            indices.push(*at as i64);
        }
    }
    Ok(vec![moved(x, &dims, &positions)?, tensor(&call.dims(1)?, &indices)?])
}
