//! Sorting and selection along a dim.
//!
//! Everything works on [`keys`]: NaN is the greatest, equal elements keep their order. Where PyTorch's result among
//! equal elements follows from its algorithm (`topk`, `kthvalue`, `mode`), the same algorithm runs here ([`selection`]).

use crate::Function;
use crate::typed::{Arguments, Float, Lanes, Values, moved, tensor, with_float};
use fx_runtime::{HostTensor, OpCall};

mod histogram;
mod keys;
mod rows;
mod segments;
mod selection;

pub(crate) use keys::{Keys, keys};
use selection::{Item, nth_element, partial_sort, quick_select, sort_items};

/// The functions by name.
pub(crate) static FUNCTIONS: &[(&str, Function)] = &[
    ("fx::sort", sort),
    ("fx::sort_rows", rows::sort_rows),
    ("fx::topk", topk),
    ("fx::kthvalue", kthvalue),
    ("fx::median", median),
    ("fx::mode", mode),
    ("fx::bincount", histogram::bincount),
    ("fx::histc", histogram::histc),
    ("fx::histogram", histogram::histogram),
    ("fx::bin_edges", histogram::bin_edges),
    ("fx::segment_reduce", segments::segment_reduce),
];

/// Picks elements of each lane: `pick` gets the lane's keys with their indices, and leaves those wanted in order at
/// the front. The results are (values, indices), `kept` per lane.
fn pick(
    call: &OpCall<'_>,
    lanes: Lanes,
    kept: usize,
    descending: bool,
    mut pick: impl FnMut(&mut Vec<Item>, &Keys) -> Result<(), String>,
) -> Values {
    let input = call.tensor(0)?;
    let keys = keys(input)?;
    let total = lanes.outer * kept * lanes.inner;
    let (mut positions, mut indices) = (vec![0; total], vec![0i64; total]);
    let mut items = Vec::with_capacity(lanes.len);
    let flip = if descending { u64::MAX } else { 0 };
    for (lane, start) in lanes.starts().enumerate() {
        items.clear();
        items.extend((0..lanes.len).map(|i| (keys.values[start + i * lanes.inner] ^ flip, i)));
        pick(&mut items, &keys)?;
        let (o, r) = (lane / lanes.inner, lane % lanes.inner);
        for (j, (_, i)) in items.iter().take(kept).enumerate() {
            let to = (o * kept + j) * lanes.inner + r;
            positions[to] = start + i * lanes.inner;
            indices[to] = *i as i64;
        }
    }
    let values = moved(input, &call.dims(0)?, &positions)?;
    Ok(vec![values, tensor(&call.dims(1)?, &indices)?])
}

fn lanes(call: &OpCall<'_>) -> Result<Lanes, String> {
    Lanes::new(call.tensor(0)?.dims(), call.int(0)?)
}

/// `sort(x; dim, descending) -> values, indices`, stable.
fn sort(call: &OpCall<'_>) -> Values {
    let lanes = lanes(call)?;
    pick(call, lanes, lanes.len, call.flag(1)?, |items, _| {
        // Indices decide between equal keys.
        items.sort_unstable();
        Ok(())
    })
}

/// `topk(x; dim, k, largest, sorted) -> values, indices` (aten/src/ATen/native/TopKImpl.h: a heap for small k, else a
/// partition whose front is sorted).
fn topk(call: &OpCall<'_>) -> Values {
    let lanes = lanes(call)?;
    let (k, sorted) = (call.int(1)?, call.flag(3)?);
    let k = usize::try_from(k).ok().filter(|k| *k <= lanes.len).ok_or_else(|| format!("k is {k}, but there are {}", lanes.len))?;
    pick(call, lanes, k, call.flag(2)?, |items, _| {
        if k == 0 {
            return Ok(());
        }
        if k * 64 <= items.len() {
            partial_sort(items, k);
        } else {
            nth_element(items, k - 1);
            if sorted {
                sort_items(&mut items[..k - 1]);
            }
        }
        Ok(())
    })
}

/// `kthvalue(x; dim, k) -> values, indices`: the k-th smallest, from 1.
fn kthvalue(call: &OpCall<'_>) -> Values {
    let (lanes, k) = (lanes(call)?, call.int(1)?);
    let outside = || format!("k is {k}, but there are {}", lanes.len);
    let at = usize::try_from(k).ok().and_then(|k| k.checked_sub(1)).filter(|at| *at < lanes.len).ok_or_else(outside)?;
    pick(call, lanes, 1, false, |items, _| {
        quick_select(items, at);
        items.swap(0, at);
        Ok(())
    })
}

/// `median(x; dim, skip_nan, or_nan) -> values, indices`: the element in the middle, the lower of two; the first NaN if
/// there is one, unless NaN are skipped. The first of equal elements. Of no floats it is NaN if `or_nan`.
fn median(call: &OpCall<'_>) -> Values {
    let (lanes, skip) = (lanes(call)?, call.flag(1)?);
    if lanes.len == 0 && lanes.outer * lanes.inner > 0 {
        if !call.flag(2)? {
            return Err("has no median of no elements".into());
        }
        return with_float!(call.tensor(0)?.dtype(), T => {
            Ok(vec![tensor(&call.dims(0)?, &[<T as Float>::NAN])?, tensor(&call.dims(1)?, &[0i64])?])
        });
    }
    pick(call, lanes, 1, false, |items, keys| {
        let nan = items.iter().filter(|(key, _)| keys.is_nan(*key)).count();
        let at = if nan > 0 && !skip { items.len() - nan } else { (items.len() - nan).saturating_sub(1) / 2 };
        items.select_nth_unstable(at);
        items.swap(0, at);
        Ok(())
    })
}

/// `mode(x; dim) -> values, indices`: the first of the longest runs of equal elements in order, and the last index of
/// that run.
fn mode(call: &OpCall<'_>) -> Values {
    let lanes = lanes(call)?;
    if lanes.len == 0 && lanes.outer * lanes.inner > 0 {
        return Err("has no mode of no elements".into());
    }
    pick(call, lanes, 1, false, |items, keys| {
        sort_items(items);
        let (mut best, mut longest, mut run) = (0, 0, 0);
        for i in 0..items.len() {
            run += 1;
            let ends = items.get(i + 1).is_none_or(|next| next.0 != items[i].0 || keys.is_nan(next.0));
            if ends {
                if run > longest {
                    (best, longest) = (i, run);
                }
                run = 0;
            }
        }
        items.swap(0, best);
        Ok(())
    })
}

/// Which of the sorted positions `order` starts a run of elements that are equal. NaN equals nothing.
pub(crate) fn run_starts(keys: &Keys, order: &[usize]) -> Vec<bool> {
    (0..order.len())
        .map(|i| {
            let key = keys.values[order[i]];
            i == 0 || keys.values[order[i - 1]] != key || keys.is_nan(key)
        })
        .collect()
}

/// Positions of all elements in order.
pub(crate) fn sorted_positions(input: &HostTensor) -> Result<(Keys, Vec<usize>), String> {
    let keys = keys(input)?;
    let mut items: Vec<Item> = keys.values.iter().copied().zip(0..).collect();
    items.sort_unstable();
    let order = items.into_iter().map(|(_, at)| at).collect();
    Ok((keys, order))
}

#[cfg(test)]
mod tests;
