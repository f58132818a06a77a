//! Groups become calls of kernels, in an order in which everything is defined before it is used.

use std::collections::{HashMap, HashSet};

use fx_ir::{Block, Op, Value};
use fx_ops::fx_op::Dim;

use super::Former;
use super::kinds::Kind;
use super::outline::Outliner;
use crate::generic::used_values;

#[derive(PartialEq, Eq, Hash)]
enum Unit<'c> {
    Group(usize),
    Host(Op<'c>),
}

pub(super) struct Emission<'c> {
    done: HashSet<Unit<'c>>,
    pub(super) replaced: HashMap<Value<'c>, Value<'c>>,
    /// Kernels by group.
    names: HashMap<usize, String>,
}

impl<'c> Former<'c> {
    /// Calls and host ops in an order in which everything is defined before it is used. Gives the names of groups' kernels.
    pub(super) fn emit(&mut self, ops: &[Op<'c>], outliner: &mut Outliner<'c>) -> HashMap<usize, String> {
        let mut state = Emission { done: HashSet::new(), replaced: HashMap::new(), names: HashMap::new() };
        // Checks of sizes before what reads tensors of these sizes.
        for op in ops.iter().filter(|op| op.name() == "cf.assert" && self.is_of_sizes(**op)) {
            self.emit_op(*op, &mut state, outliner);
        }
        for op in ops {
            if self.kind(*op) != Kind::Inline {
                self.emit_op(*op, &mut state, outliner);
            }
        }
        for (old, new) in &state.replaced {
            // Uses inside kernels that are gone do not matter; the host and later calls read the call's result.
            old.replace_all_uses_with(*new);
        }
        for op in ops.iter().rev() {
            if self.kind(*op) != Kind::Host && op.is_unused() {
                self.kinds.remove(op);
                op.erase();
            }
        }
        let mut placed = HashSet::new();
        for op in self.builder.block().map(Block::ops).unwrap_or_default() {
            if self.kind(op) != Kind::Inline {
                self.place_views(op, &mut placed);
            }
        }
        state.names
    }

    /// Whether a check reads numbers that are computed from sizes of what is there when the block begins.
    fn is_of_sizes(&self, op: Op<'c>) -> bool {
        let of_block = |value: &Value<'c>| value.defining_op().filter(|op| op.block() == self.builder.block());
        let mut pending = self.used(op).to_vec();
        while let Some(value) = pending.pop() {
            match of_block(&value) {
                Some(op) if op.name() == "tensor.dim" && of_block(&op.operand(0)).is_none() => {}
                Some(op) if op.name().starts_with("arith.") => pending.extend(self.used(op).iter().copied()),
                Some(_) => return false,
                None => {}
            }
        }
        true
    }

    /// Moves the views that a host op reads before it, each after its own source.
    fn place_views(&self, op: Op<'c>, placed: &mut HashSet<Op<'c>>) {
        for value in used_values(op) {
            let view = value.defining_op().filter(|view| self.kind(*view) == Kind::Inline && view.block() == op.block());
            if let Some(view) = view.filter(|view| placed.insert(*view)) {
                view.move_before(op);
                self.place_views(view, placed);
            }
        }
    }

    fn emit_op(&self, op: Op<'c>, state: &mut Emission<'c>, outliner: &mut Outliner<'c>) {
        let group = self.group_of.get(&op).copied();
        let key = group.map_or(Unit::Host(op), Unit::Group);
        if !state.done.insert(key) {
            return;
        }
        let members = group.map_or_else(|| vec![op], |group| self.groups[group].ops.clone());
        for member in &members {
            self.emit_values(&self.used(*member), state, outliner);
        }
        if let Some(group) = group {
            let sizes = self.groups[group].space.iter().filter_map(|dim| if let Dim::Dynamic(size) = dim { Some(*size) } else { None });
            self.emit_values(&sizes.collect::<Vec<_>>(), state, outliner);
        }
        match group {
            Some(group) => {
                let name = outliner.outline(self, &self.groups[group], state);
                state.names.extend(name.map(|name| (group, name)));
            }
            None => {
                if let Some(terminator) = op.block().and_then(Block::terminator).filter(|terminator| *terminator != op) {
                    op.move_before(terminator);
                }
            }
        }
    }

    /// Emits what makes `values` first, seen through data movement.
    pub(super) fn emit_values(&self, values: &[Value<'c>], state: &mut Emission<'c>, outliner: &mut Outliner<'c>) {
        for value in values.iter().copied() {
            // What other blocks define is there already.
            let Some(needed) = value.defining_op().filter(|needed| needed.block() == self.builder.block()) else { continue };
            if self.kind(needed) != Kind::Inline {
                self.emit_op(needed, state, outliner);
            } else if state.done.insert(Unit::Host(needed)) {
                self.emit_values(&self.used(needed), state, outliner);
            }
        }
    }
}
