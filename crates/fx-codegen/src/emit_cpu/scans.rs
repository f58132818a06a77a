//! Rows that scans run along: each is walked once, columns some at a time, as they share cache lines.

use fx_ir::{Result, Value};

use super::{Count, Extent, counts, element_work, elements, estimate, full_indices, grain};
use crate::eval::{Eval, Memory};
use crate::kernel::{Kernel, Size};
use crate::scan::Scan;

/// Neighbouring columns that are walked together: one of these numbers that divides theirs.
const COLUMNS: [i64; 3] = [8, 4, 2];

/// Rows, or groups of columns, `lo..hi` of a kernel with `scans`, which carry their accumulators along.
pub(super) fn rows<'c>(
    eval: &mut Eval<'c>,
    kernel: &Kernel<'c>,
    scans: &[Scan<'c>],
    outputs: &[Memory<'c>],
    [lo, hi]: [Value<'c>; 2],
) -> Result<Extent> {
    (eval.reorder, eval.contract) = (false, false);
    let (rows, inner) = (kernel.rows(), kernel.inner());
    let columns = columns(kernel);
    let mut groups = counts(&rows);
    let mut group_dims = eval.sizes(&rows);
    if let (Some(last), Some(dim), Some(Size::Known(size))) = (groups.last_mut(), group_dims.last_mut(), rows.last()) {
        *last = Count { per: columns, ..*last };
        *dim = eval.index(size / columns);
    }
    let (inner_dims, dims) = (eval.sizes(&inner), eval.sizes(&kernel.space));
    let mut starts = Vec::new();
    for scan in scans {
        starts.extend(eval.scan_starts(scan)?);
    }
    let all_starts = starts.repeat(columns as usize);
    let (one, by) = (eval.index(1), eval.index(columns));
    eval.for_loop(lo, hi, one, &[], |eval, group, _| {
        let first = eval.delinearize(group, &group_dims);
        let mut places = vec![first; columns as usize];
        for (ahead, place) in places.iter_mut().enumerate().filter(|_| columns > 1) {
            if let Some(last) = place.last_mut() {
                let (start, ahead) = (eval.mul(*last, by), eval.index(ahead as i64));
                *last = eval.add(start, ahead);
            }
        }
        eval.loop_nest(&inner_dims, &all_starts, &mut Vec::new(), &mut |eval, along, carried| {
            let mut next = Vec::new();
            let indices: Vec<_> = places.iter().map(|place| full_indices(kernel, place, along)).collect();
            for (indices, carried) in indices.iter().zip(carried.chunks(starts.len())) {
                next.extend(eval.scan_place(scans, indices, carried)?);
            }
            for indices in &indices {
                let position = eval.linearize(indices, &dims);
                elements(eval, kernel, outputs, indices, &dims, position)?;
            }
            Ok(next)
        })?;
        Ok(Vec::new())
    })?;
    let length = inner.into_iter().map(estimate).fold(columns, i64::saturating_mul);
    Ok(Extent::new(groups, grain(length.saturating_mul(element_work(kernel)))))
}

/// Neighbouring rows that are walked together, where these are columns.
fn columns(kernel: &Kernel<'_>) -> i64 {
    match kernel.rows().last() {
        Some(Size::Known(last)) if kernel.reduced.last() == Some(&false) => {
            COLUMNS.into_iter().find(|columns| last % columns == 0).unwrap_or(1)
        }
        _ => 1,
    }
}
