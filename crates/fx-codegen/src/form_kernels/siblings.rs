//! Groups that reduce the same rows of the same tensors become one: what they read is read once.
//!
//! The gradients of a layer norm's weight and bias are sums over the rows of the cotangent, of products in one case: neither reads
//! what the other one makes, so no producer brings them together.

use std::collections::{HashMap, HashSet};

use fx_ir::{DYNAMIC, Op, Value};
use fx_ops::fx_op::Dim;

use super::kinds::Kind;
use super::space::increasing;
use super::work::{LARGEST, MOST};
use super::{Former, Group};
use crate::generic::{Generic, captured};
use crate::team::combiners;

impl<'c> Former<'c> {
    /// Joins groups whose reductions have the same space and dims where one reads no tensor of that size but what the other one
    /// reads. `ops` are the block's, in order.
    pub(super) fn join_siblings(&mut self, ops: &[Op<'c>]) {
        for group in 0..self.groups.len() {
            let members = self.groups[group].ops.clone();
            self.reads[group] = members.iter().flat_map(|op| self.dependencies(*op)).filter(|other| *other != group).collect();
        }
        let order: HashMap<Op<'c>, usize> = ops.iter().enumerate().map(|(i, op)| (*op, i)).collect();
        let mut readers: HashMap<Value<'c>, Vec<usize>> = HashMap::new();
        for group in (0..self.groups.len()).filter(|group| self.only_reduces(*group)).collect::<Vec<_>>() {
            let sources = self.sources(group);
            let known = sources.iter().filter_map(|source| readers.get(source)).flatten().copied().collect::<HashSet<_>>();
            let mut known: Vec<_> = known.into_iter().collect();
            known.sort_unstable();
            match known.into_iter().find(|other| self.is_sibling(*other, group, &sources)) {
                Some(other) => self.merge(other, group, &order),
                None => sources.into_iter().for_each(|source| readers.entry(source).or_default().push(group)),
            }
        }
    }

    /// Whether a group has reductions over rows that a team of threads does together, and nothing that is made in another way.
    fn only_reduces(&self, group: usize) -> bool {
        let Group { ops, reduced, scans, contraction, .. } = &self.groups[group];
        let is_for_teams = |op: &Op<'c>| Generic::new(*op).is_some_and(|generic| !generic.is_reduction() || combiners(&generic).is_some());
        reduced.is_some() && !scans && !contraction && ops.iter().all(is_for_teams)
    }

    /// Tensors with an element per place of a group's space that its ops read in the order of memory.
    fn sources(&self, group: usize) -> Vec<Value<'c>> {
        let Group { ops, space, .. } = &self.groups[group];
        let mut pending: Vec<_> = ops.iter().flat_map(|op| self.used(*op).to_vec()).collect();
        let (mut seen, mut found) = (HashSet::new(), Vec::new());
        while let Some(value) = pending.pop() {
            if !value.ty().is_tensor() || !seen.insert(value) {
                continue;
            }
            match value.defining_op() {
                Some(op) if self.group_of.get(&op) == Some(&group) => {} // its operands are among the others
                Some(op) if self.kind(op) == Kind::Inline => pending.extend(moved_in_order(op)),
                _ if is_full(value, space) => found.push(value),
                _ => {}
            }
        }
        found
    }

    /// Whether two groups that read a tensor in common can be one, and read no more than one of them.
    fn is_sibling(&self, other: usize, group: usize, sources: &[Value<'c>]) -> bool {
        let (a, b) = (&self.groups[other], &self.groups[group]);
        if a.space != b.space || a.reduced != b.reduced || a.work + b.work > LARGEST || a.repeated + b.repeated > MOST {
            return false;
        }
        let others = self.sources(other);
        let has_all = |all: &[Value<'c>], some: &[Value<'c>]| some.iter().all(|value| all.contains(value));
        (has_all(&others, sources) || has_all(sources, &others)) && !self.reaches(other, group) && !self.reaches(group, other)
    }

    /// Moves the ops of `group` to `other`.
    fn merge(&mut self, other: usize, group: usize, order: &HashMap<Op<'c>, usize>) {
        let moved = std::mem::take(&mut self.groups[group].ops);
        self.group_of.extend(moved.iter().map(|op| (*op, other)));
        let (work, repeated) = (self.groups[group].work, self.groups[group].repeated);
        let home = &mut self.groups[other];
        home.ops.extend(moved);
        home.ops.sort_by_key(|op| order.get(op).copied());
        (home.work, home.repeated) = (home.work + work, home.repeated + repeated);
        let read = std::mem::take(&mut self.reads[group]);
        self.reads[other].extend(read);
        for reads in &mut self.reads {
            if reads.remove(&group) {
                reads.insert(other);
            }
        }
    }
}

/// What data movement that keeps the order of elements reads.
fn moved_in_order(op: Op<'_>) -> Option<Value<'_>> {
    match op.name() {
        "tensor.cast" | "tensor.expand_shape" | "tensor.collapse_shape" => Some(op.operand(0)),
        "linalg.generic" => {
            let generic = Generic::new(op).filter(|generic| generic.inputs.len() == 1 && increasing(&generic.maps[0]))?;
            captured(op).is_empty().then(|| generic.inputs[0])
        }
        _ => None,
    }
}

/// Whether a tensor has as many elements as a space has places.
fn is_full(value: Value<'_>, space: &[Dim<'_>]) -> bool {
    let count = |sizes: &mut dyn Iterator<Item = Option<i64>>| {
        sizes.fold((1i64, 0), |(product, unknown), size| match size {
            Some(size) => (product.saturating_mul(size), unknown),
            None => (product, unknown + 1),
        })
    };
    let shape = value.ty().shape();
    count(&mut shape.iter().map(|size| (*size != DYNAMIC).then_some(*size))) == count(&mut space.iter().map(|dim| dim.known()))
}
