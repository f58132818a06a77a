//! Whether an op can join a group, and if not, why.

use fx_ir::{AffineResult, Op, Value};
use fx_ops::fx_op::Dim;

use super::kinds::Kind;
use super::remarks::Reason;
use super::space::{Shape, increasing, is_broadcast};
use super::{Former, Group};
use crate::generic::Generic;
use crate::scan::Scan;
use crate::scatter::Scatter;
use crate::sort::Sort;

impl<'c> Former<'c> {
    /// Why `op` cannot join a group; none if it works on the group's space, and reads the group's values at its own place.
    pub(super) fn obstacle(&self, op: Op<'c>, shape: &Shape<'c>, index: usize) -> Option<Reason> {
        let group = &self.groups[index];
        if shape.contraction {
            return Some(Reason::Product);
        }
        if let Some(reason) = self.read_elsewhere(op, index) {
            return Some(reason);
        }
        if self.is_too_much(op, shape, index) {
            return Some(Reason::TooMuch);
        }
        if !self.can_sort(op, group) {
            return Some(Reason::Sorted);
        }
        let reduces = shape.reduced.contains(&true);
        // A thread that scatters has elements, not rows.
        let scatters = |op: &Op<'c>| Scatter::of(*op).is_some();
        if scatters(&op) && group.reduced.is_some() || reduces && group.ops.iter().any(scatters) {
            return Some(Reason::Space);
        }
        let is_full = shape.space == group.space;
        if group.scans || shape.scans {
            return match () {
                () if !is_full => Some(Reason::Space),
                () if group.contraction => Some(Reason::ReducedProduct),
                () => (!self.walks_along(op, shape, group)).then_some(Reason::Walk),
            };
        }
        match &group.reduced {
            _ if is_full && !reduces => None,
            Some(reduced) if !reduces && same_rows(&shape.space, &kept(&group.space, reduced)) => None,
            _ if !is_full => Some(Reason::Space),
            None if group.contraction => Some(Reason::ReducedProduct),
            None => None,
            Some(reduced) => (shape.reduced != *reduced).then_some(Reason::ReducedDims),
        }
    }

    /// Whether an op can be in a group, if one of them sorts: beside that only elements are computed, each from the kernel's inputs
    /// alone and without checks, as they are computed again in another order. Keys are where sorting will be.
    fn can_sort(&self, op: Op<'c>, group: &Group<'c>) -> bool {
        let sorts = |op: Op<'c>| Sort::of(op).is_some();
        let is_sorted = |(user, operand): (Op<'c>, usize)| operand == 0 && sorts(user) && self.kind(user) == Kind::Compute;
        let is_plain = |op: Op<'c>| Generic::new(op).is_some_and(|generic| !generic.is_reduction() && !generic.has_checks());
        if sorts(op) || op.results().into_iter().flat_map(Value::uses).any(is_sorted) {
            return group.reduced.is_none() && !group.contraction && group.ops.iter().copied().all(is_plain);
        }
        is_plain(op) || !group.ops.iter().copied().any(sorts)
    }

    /// Whether `op` and a group that are both of whole spaces can share walks along a dim: beside scans nothing is reduced, as
    /// that needs the whole row, and nothing is scattered.
    fn walks_along(&self, op: Op<'c>, shape: &Shape<'c>, group: &Group<'c>) -> bool {
        let is_plain = !shape.reduced.contains(&true);
        let same = match &group.reduced {
            None => true,
            Some(reduced) => group.scans && (is_plain || shape.reduced == *reduced),
        };
        same && (is_plain || shape.scans) && group.ops.iter().chain([&op]).all(|op| Scatter::of(*op).is_none())
    }

    /// Why a value of the group is not read at the op's own loops, in order; none if all are.
    fn read_elsewhere(&self, op: Op<'c>, group: usize) -> Option<Reason> {
        let in_group = |value: Value<'c>| self.producers_of_value(value).iter().any(|op| self.group_of.get(op) == Some(&group));
        if let Some(scatter) = Scatter::of(op) {
            let place = |value: Value<'c>| if in_group(value) { self.moved(value, group) } else { None };
            return match scatter.input() {
                input if in_group(input) => Some(Reason::WrittenOver),
                _ if in_group(scatter.positions()) && scatter.has_runs() => Some(Reason::Space),
                _ => place(scatter.positions()).or_else(|| place(scatter.values())),
            };
        }
        if let Some(sort) = Sort::of(op) {
            // Elements that it puts in order are computed anew.
            return if in_group(sort.keys()) { self.moved(sort.keys(), group) } else { None };
        }
        let Some(generic) = Generic::new(op) else { return Some(Reason::ComputedPlaces) };
        if crate::generic::captured(op).into_iter().any(in_group) {
            return Some(Reason::ComputedPlaces);
        }
        let scan = Scan::of(&generic);
        let at_place = |map: &[AffineResult]| scan.as_ref().map_or_else(|| increasing(map), |scan| increasing(&scan.at_place(map)));
        generic
            .inputs
            .iter()
            .zip(&generic.maps)
            .filter(|(input, _)| in_group(**input))
            .find_map(|(input, map)| self.moved(*input, group).or_else(|| (!at_place(map)).then_some(Reason::Order)))
    }

    /// Why an element of a value of the group is not there when the element at the same place is computed; none if it is.
    fn moved(&self, value: Value<'c>, group: usize) -> Option<Reason> {
        if self.is_transparent(value, group) {
            return None;
        }
        let makers = self.producers_of_value(value);
        let mut makers = makers.iter().filter(|op| self.group_of.get(op) == Some(&group));
        Some(match makers.find(|op| Scatter::of(**op).is_some() || Sort::of(**op).is_some()) {
            Some(op) if Sort::of(*op).is_some() => Reason::Sorted,
            Some(_) => Reason::Scattered,
            None => Reason::Moved,
        })
    }

    /// Whether a value is one of the group, seen through reshapes by 1 and broadcasts alone.
    fn is_transparent(&self, value: Value<'c>, group: usize) -> bool {
        let Some(op) = value.defining_op() else { return false };
        if self.group_of.get(&op) == Some(&group) {
            return Scatter::of(op).is_none() && Sort::of(op).is_none();
        }
        match op.name() {
            "tensor.cast" => self.is_transparent(op.operand(0), group),
            "tensor.expand_shape" | "tensor.collapse_shape" => unit_reshape(op) && self.is_transparent(op.operand(0), group),
            "linalg.generic" => Generic::new(op).is_some_and(|generic| {
                is_broadcast(&generic) && self.kind(op) == Kind::Inline && self.is_transparent(generic.inputs[0], group)
            }),
            _ => false,
        }
    }
}

fn kept<'c>(space: &[Dim<'c>], reduced: &[bool]) -> Vec<Dim<'c>> {
    space.iter().zip(reduced).filter(|(_, reduced)| !**reduced).map(|(dim, _)| *dim).collect()
}

/// Equal shapes up to sizes of 1.
fn same_rows<'c>(a: &[Dim<'c>], b: &[Dim<'c>]) -> bool {
    let rows = |dims: &[Dim<'c>]| dims.iter().filter(|dim| dim.known() != Some(1)).copied().collect::<Vec<_>>();
    rows(a) == rows(b)
}

/// A reshape that adds or removes sizes of 1 alone.
pub(super) fn unit_reshape(op: Op<'_>) -> bool {
    let larger = if op.name() == "tensor.expand_shape" { op.result(0) } else { op.operand(0) };
    let shape = larger.ty().shape();
    crate::generic::reassociation(op).iter().all(|group| group.iter().filter(|i| shape[**i] != 1).count() <= 1)
}
