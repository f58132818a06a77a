//! The dataflow graph of a function: its ops and values by number, with what keeping and what computing them again costs.

use std::collections::{HashMap, HashSet};

use fx_ir::{Op, Value};
use fx_ops::recompute::{Policy, group, policy};
use fx_ops::table::{Again, again, is_random};

use super::sizes::{Sizes, element_bits};

/// Number of an op, in program order.
pub type OpId = usize;

/// Number of a value: arguments first, then results in program order.
pub type ValueId = usize;

/// An op.
pub struct Node<'c> {
    /// The op.
    pub op: Op<'c>,
    /// What it uses, each once, its regions included.
    pub operands: Vec<ValueId>,
    /// What it makes.
    pub results: Vec<ValueId>,
    /// What computing it again costs.
    pub again: Again,
    /// It must run once, in its order: it draws random numbers, or gives nothing but an effect.
    pub is_bound: bool,
    /// What its tag asks for, if that can be.
    pub policy: Option<Policy>,
}

/// A value.
pub struct Info<'c> {
    /// The value.
    pub value: Value<'c>,
    /// The op that makes it; none makes an argument.
    pub maker: Option<OpId>,
    /// Ops that use it, in order; the terminator is none.
    pub users: Vec<OpId>,
    /// Sizes, estimated where they are known at run time only.
    pub shape: Vec<u64>,
    /// Bytes; of a number those of a register.
    pub bytes: u64,
}

impl Info<'_> {
    /// Number of elements.
    pub fn elements(&self) -> u64 {
        self.shape.iter().fold(1, |product: u64, size| product.saturating_mul(*size))
    }
}

/// The graph.
pub struct Graph<'c> {
    /// The function, for messages.
    pub function: Op<'c>,
    /// Ops without the terminator.
    pub ops: Vec<Node<'c>>,
    /// Values.
    pub values: Vec<Info<'c>>,
    ids: HashMap<Value<'c>, ValueId>,
}

impl<'c> Graph<'c> {
    /// Reads the ops of a function's block.
    pub fn new(function: Op<'c>, arguments: &[Value<'c>], ops: &[Op<'c>], sizes: &mut Sizes<'c>) -> Self {
        let mut graph = Graph { function, ops: Vec::new(), values: Vec::new(), ids: HashMap::new() };
        arguments.iter().for_each(|argument| graph.add_value(*argument, None, sizes));
        for op in ops {
            sizes.visit(*op);
            graph.add_op(*op, sizes);
        }
        graph.save_borders();
        graph
    }

    /// What one checkpointed block takes from another is saved, so that computing the one again does not compute the other:
    /// the value itself, or what it is a view of.
    fn save_borders(&mut self) {
        let group_of = |node: &Node<'_>| node.policy.filter(|policy| policy.is_recompute()).and_then(|_| group(node.op));
        let groups: Vec<_> = self.ops.iter().map(group_of).collect();
        for (reader, wanted) in groups.iter().enumerate().filter(|(_, group)| group.is_some()) {
            let mut seen = HashSet::new();
            let mut stack = self.ops[reader].operands.clone();
            while let Some(value) = stack.pop() {
                let Some(op) = self.values[value].maker.filter(|op| groups[*op] != *wanted && seen.insert(*op)) else { continue };
                match self.ops[op].again {
                    Again::View => stack.extend(&self.ops[op].operands),
                    _ if groups[op].is_some() => self.ops[op].policy = Some(Policy::MustSave),
                    _ => {}
                }
            }
        }
    }

    fn add_value(&mut self, value: Value<'c>, maker: Option<OpId>, sizes: &Sizes<'c>) {
        let shape = sizes.shape(value);
        let elements = shape.iter().fold(1, |product: u64, size| product.saturating_mul(*size));
        let bytes = if value.ty().is_tensor() { elements.saturating_mul(element_bits(value.ty().element())).div_ceil(8) } else { 8 };
        self.ids.insert(value, self.values.len());
        self.values.push(Info { value, maker, users: Vec::new(), shape, bytes });
    }

    fn add_op(&mut self, op: Op<'c>, sizes: &Sizes<'c>) {
        let number = self.ops.len();
        let mut used = op.operands();
        op.walk(&mut |inner| used.extend(inner.operands()));
        let mut operands: Vec<_> = used.into_iter().filter_map(|value| self.ids.get(&value).copied()).collect();
        operands.sort_unstable();
        operands.dedup();
        operands.iter().for_each(|operand| self.values[*operand].users.push(number));
        let first = self.values.len();
        op.results().into_iter().for_each(|result| self.add_value(result, Some(number), sizes));
        let results: Vec<_> = (first..self.values.len()).collect();
        let mut is_bound = results.is_empty() || is_random(op.name());
        op.walk(&mut |inner| is_bound |= is_random(inner.name()));
        let again = cost_of(op);
        let is_possible = |policy: &Policy| match again {
            _ if is_bound => false,
            Again::Never(_) => *policy != Policy::PreferRecompute,
            _ => true,
        };
        let policy = policy(op).filter(is_possible);
        self.ops.push(Node { op, operands, results, again, is_bound, policy });
    }

    /// What is made for gradients alone of what is computed again is computed again with it: saved in its place it would take
    /// as much. `forward` are the ops that outputs need.
    pub fn follow_tags(&mut self, forward: &[bool]) {
        for op in (0..self.ops.len()).filter(|op| !forward[*op]) {
            let node = &self.ops[op];
            let makers = node.operands.iter().filter_map(|value| self.values[*value].maker);
            let mut asked = makers.filter_map(|maker| self.ops[maker].policy).filter(|policy| policy.is_recompute());
            if let (None, false, Some(policy)) = (node.policy, node.is_bound || matches!(node.again, Again::Never(_)), asked.next()) {
                self.ops[op].policy = Some(policy);
            }
        }
    }

    /// The number of a value.
    pub fn id(&self, value: Value<'c>) -> Option<ValueId> {
        self.ids.get(&value).copied()
    }

    /// The ops that these values are made from, themselves included.
    pub fn ancestors(&self, values: impl IntoIterator<Item = ValueId>) -> Vec<bool> {
        let mut found = vec![false; self.ops.len()];
        let mut stack: Vec<_> = values.into_iter().filter_map(|value| self.values[value].maker).collect();
        while let Some(op) = stack.pop() {
            if !std::mem::replace(&mut found[op], true) {
                stack.extend(self.ops[op].operands.iter().filter_map(|value| self.values[*value].maker));
            }
        }
        found
    }

    /// The values and ops that depend on these values.
    pub fn dependents(&self, values: impl IntoIterator<Item = ValueId>) -> (Vec<bool>, Vec<bool>) {
        let mut dependent = vec![false; self.values.len()];
        values.into_iter().for_each(|value| dependent[value] = true);
        let mut ops = Vec::with_capacity(self.ops.len());
        for node in &self.ops {
            let depends = node.operands.iter().any(|value| dependent[*value]);
            node.results.iter().for_each(|value| dependent[*value] |= depends);
            ops.push(depends);
        }
        (dependent, ops)
    }

    /// Operations on numbers that computing an op takes: of products two per term, of reductions one per element read.
    pub fn work(&self, op: OpId) -> u64 {
        let node = &self.ops[op];
        let made = node.results.iter().map(|value| self.values[*value].elements()).max().unwrap_or(0);
        let read = node.operands.iter().map(|value| self.values[*value].elements()).max().unwrap_or(0);
        match node.again {
            Again::View => 0,
            Again::Pointwise | Again::Gather => made,
            Again::Reduction | Again::Never(_) => read.max(made),
            Again::Product(terms) => {
                let operands: Vec<_> = node.op.operands().into_iter().filter_map(|value| self.id(value)).collect();
                let shapes: Vec<_> = operands.iter().map(|value| self.values[*value].shape.clone()).collect();
                let result = node.results.first().map(|value| self.values[*value].shape.clone()).unwrap_or_default();
                made.saturating_mul(2).saturating_mul(terms(&shapes, &result))
            }
        }
    }
}

/// What computing an op again costs. Those outside the dialect compute with numbers and sizes.
fn cost_of(op: Op<'_>) -> Again {
    let dialect = op.name().split('.').next().unwrap_or_default();
    match again(op.name()) {
        Some(again) => again,
        None if op.regions().is_empty() && ["arith", "math", "complex", "tensor"].contains(&dialect) => Again::View,
        None => Again::Never("it is no op of the table"),
    }
}
