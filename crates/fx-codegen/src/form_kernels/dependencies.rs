//! What reads what: ops and groups, seen through data movement and through the host.

use std::collections::HashSet;

use fx_ir::{Op, Value};

use super::kinds::Kind;
use super::{Former, Group};

impl<'c> Former<'c> {
    /// Non-inline producers that `op` reads, through data movement.
    pub(super) fn producers(&self, op: Op<'c>) -> Vec<Value<'c>> {
        let mut seen = HashSet::new();
        let mut found = Vec::new();
        let mut pending = self.used(op).to_vec();
        while let Some(value) = pending.pop() {
            if !seen.insert(value) {
                continue;
            }
            match value.defining_op() {
                Some(op) if self.kind(op) == Kind::Inline || (!value.ty().is_tensor() && self.kind(op) == Kind::Host) => {
                    pending.extend(self.used(op).iter().copied())
                }
                Some(_) => found.push(value),
                None => {}
            }
        }
        found
    }

    /// Groups that `op` depends on directly: also through host ops between.
    pub(super) fn dependencies(&self, op: Op<'c>) -> HashSet<usize> {
        let mut seen = HashSet::new();
        let mut groups = HashSet::new();
        let mut pending = self.used(op).to_vec();
        while let Some(value) = pending.pop() {
            let Some(op) = value.defining_op().filter(|_| seen.insert(value)) else { continue };
            match self.group_of.get(&op) {
                Some(group) => {
                    groups.insert(*group);
                }
                None => pending.extend(self.used(op).iter().copied()),
            }
        }
        groups
    }

    /// Groups that the host reads to compute what `op` needs: these must be done before it. Sizes it knows without reading.
    pub(super) fn host_reads(&self, op: Op<'c>) -> HashSet<usize> {
        let mut seen = HashSet::new();
        let mut groups = HashSet::new();
        let mut pending: Vec<_> = self.used(op).iter().map(|value| (*value, false)).collect();
        while let Some((value, by_host)) = pending.pop() {
            let Some(op) = value.defining_op().filter(|_| seen.insert((value, by_host))) else { continue };
            match self.group_of.get(&op) {
                Some(group) if by_host => {
                    groups.insert(*group);
                }
                Some(_) => {}
                None => {
                    let reads = self.kind(op) == Kind::Host && op.name() != "tensor.dim" && !op.name().starts_with("arith.");
                    pending.extend(self.used(op).iter().map(|value| (*value, by_host || reads)));
                }
            }
        }
        groups
    }

    pub(super) fn reaches(&self, from: usize, to: usize) -> bool {
        let mut seen = HashSet::new();
        let mut pending = vec![from];
        while let Some(group) = pending.pop() {
            if group == to {
                return true;
            }
            if seen.insert(group) {
                pending.extend(self.reads[group].iter().copied());
            }
        }
        false
    }

    pub(super) fn producers_of_value(&self, value: Value<'c>) -> Vec<Op<'c>> {
        match value.defining_op() {
            Some(op) if self.kind(op) == Kind::Inline => self.producers(op).iter().filter_map(|value| value.defining_op()).collect(),
            Some(op) => vec![op],
            None => Vec::new(),
        }
    }

    /// Values of a group that something outside it reads.
    pub(super) fn outputs(&self, group: &Group<'c>) -> Vec<Value<'c>> {
        let members: HashSet<Op<'c>> = group.ops.iter().copied().collect();
        let read_outside = |value: Value<'c>| {
            let mut pending: Vec<_> = value.uses().into_iter().map(|(user, _)| user).collect();
            let mut seen = HashSet::new();
            while let Some(user) = pending.pop() {
                let user = self.top_level(user);
                if !seen.insert(user) || members.contains(&user) {
                    continue;
                }
                if self.kind(user) != Kind::Inline {
                    return true;
                }
                pending.extend(user.results().into_iter().flat_map(|result| result.uses()).map(|(user, _)| user));
            }
            false
        };
        group.ops.iter().flat_map(|op| op.results()).filter(|value| read_outside(*value)).collect()
    }

    /// The op of this block that holds `op`.
    pub(super) fn top_level(&self, op: Op<'c>) -> Op<'c> {
        let mut current = op;
        while !self.kinds.contains_key(&current) {
            match current.parent() {
                Some(parent) => current = parent,
                None => return op,
            }
        }
        current
    }
}
