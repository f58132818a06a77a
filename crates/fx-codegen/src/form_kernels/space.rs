//! The iteration space of an op: what it has to share with a group that it joins.

use std::collections::HashSet;

use fx_ir::{AffineResult, Builder, Op};
use fx_ops::fx_op::Dim;

use crate::generic::{Generic, captured, dims_of};
use crate::scan::Scan;
use crate::scatter::Scatter;
use crate::sort::Sort;

/// The iteration space of a compute op.
pub(super) struct Shape<'c> {
    pub(super) space: Vec<Dim<'c>>,
    /// Per dim: whether the op reduces it, or runs along it as a scan.
    pub(super) reduced: Vec<bool>,
    pub(super) scans: bool,
    pub(super) contraction: bool,
}

impl<'c> Shape<'c> {
    pub(super) fn of(op: Op<'c>, b: &Builder<'c>) -> Self {
        let plain = |space: Vec<Dim<'c>>, contraction: bool| Shape { reduced: vec![false; space.len()], space, scans: false, contraction };
        let Some(generic) = Generic::new(op).filter(Generic::is_reduction) else {
            let called = Scatter::of(op).map(Scatter::values).or_else(|| Sort::of(op).map(Sort::keys));
            let whole = called.or_else(|| op.results().first().copied());
            let space = whole.map(|value| dims_of(value, b)).unwrap_or_default();
            return plain(space, false);
        };
        let loops = generic.loop_dims(b);
        if let Some(scan) = Scan::of(&generic) {
            let space = loops[..generic.parallel_count()].to_vec();
            let reduced = (0..space.len()).map(|i| i == scan.along).collect();
            return Shape { space, reduced, scans: true, contraction: false };
        }
        let covers = |map: &[AffineResult]| {
            let dims: Vec<_> = map.iter().filter_map(|result| if let AffineResult::Dim(i) = result { Some(*i) } else { None }).collect();
            (dims.len() == loops.len() && dims.len() == map.len() && dims.iter().collect::<HashSet<_>>().len() == dims.len())
                .then_some(dims)
        };
        // A row reduction reads one tensor of the whole space; its dims in that tensor's order are the space.
        // Rows are counted in the result's order, which must be the tensor's.
        let in_order = |order: &Vec<usize>| order.iter().filter(|i| !generic.reduced[**i]).is_sorted();
        let order = generic.maps[..generic.inputs.len()].iter().filter_map(|map| covers(map)).find(in_order);
        match order {
            Some(order) => Shape {
                space: order.iter().map(|i| loops[*i]).collect(),
                reduced: order.iter().map(|i| generic.reduced[*i]).collect(),
                scans: false,
                contraction: false,
            },
            None => plain(loops[..generic.parallel_count()].to_vec(), true),
        }
    }
}

/// A map whose loops stand in increasing order: the operand is read at the op's own place, broadcast perhaps.
pub(super) fn increasing(map: &[AffineResult]) -> bool {
    let mut last = None;
    map.iter().all(|result| match result {
        AffineResult::Dim(i) => last.replace(*i).is_none_or(|before| before < *i),
        AffineResult::Constant(_) => true,
        AffineResult::Other => false,
    })
}

/// Whether a generic that moves data reads one operand, at its own place: it broadcasts at most.
pub(super) fn is_broadcast(generic: &Generic<'_>) -> bool {
    generic.inputs.len() == 1 && captured(generic.op).is_empty() && increasing(&generic.maps[0])
}
