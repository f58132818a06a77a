//! The cheapest choice between saving and computing again, as a minimum cut.
//!
//! On the source's side of the cut is what the forward function gives, on the sink's side what the backward function has to
//! compute. An op is a node, and each of its results; an edge costs its capacity if it leads from the one side to the other:
//!
//! ```text
//! source -> op       computing the op in both functions                     (ops that outputs need)
//! op -> result       saving the result
//! result -> user     not to be cut: who computes again needs the operands
//! result -> sink     not to be cut: the backward function uses the result
//! user -> op         the forward function needs an op that otherwise the backward function alone would compute
//! ```
//!
//! Parameters and inputs exist anyway, so they are not in the network. Tags of checkpoints are prices: what must be saved has no
//! price of computing it again, what must be computed again none of saving it.

use fx_ir::{Result, emit_error};
use fx_ops::recompute::Policy;
use fx_ops::table::Again;

use super::classify::Classes;
use super::graph::{Graph, OpId, ValueId};
use super::max_flow::{Network, UNBOUNDED};
use super::pack::stored_bytes;

/// What saving and computing again cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Prices {
    /// Of a saved byte.
    pub byte: u64,
    /// Of an element computed again; none if nothing but views may be.
    pub element: Option<u64>,
    /// Whether products may be computed again.
    pub products: bool,
}

/// A saved byte of what is rather computed again is worth so many others: it is saved only if there is no other way.
const UNWANTED: u64 = 1 << 20;

/// A reduction is a kernel of its own, which reads memory; what is computed per element goes into the kernel of its user.
const REDUCTION: u64 = 4;

impl Prices {
    /// As few bytes as possible, unless the chain of what is computed again is long: a saved number of four bytes is worth
    /// 256 operations.
    pub const MIN_CUT: Self = Self { byte: 64, element: Some(1), products: false };

    /// Nothing is computed twice, except views.
    pub const DEFAULT: Self = Self { byte: 64, element: None, products: false };

    fn saving(&self, graph: &Graph<'_>, value: ValueId) -> u64 {
        let ty = graph.values[value].value.ty();
        let is_number = ty.is_index() || ty.is_integer() || ty.is_float();
        if !(ty.is_tensor() || is_number) {
            return UNBOUNDED;
        }
        let factor = match graph.values[value].maker.and_then(|op| graph.ops[op].policy) {
            Some(Policy::MustRecompute) => return UNBOUNDED,
            Some(Policy::PreferRecompute) => UNWANTED,
            Some(Policy::MustSave | Policy::PreferSave) | None => 1,
        };
        stored_bytes(&graph.values[value]).max(1).saturating_mul(self.byte).saturating_mul(factor).min(UNBOUNDED / 2)
    }

    fn again(&self, graph: &Graph<'_>, op: OpId) -> u64 {
        let node = &graph.ops[op];
        match node.policy {
            Some(Policy::MustSave) => return UNBOUNDED,
            Some(Policy::PreferSave) if !self.products => return UNBOUNDED,
            Some(Policy::MustRecompute | Policy::PreferRecompute) => return 0,
            Some(Policy::PreferSave) | None => {}
        }
        let factor = match node.again {
            _ if node.is_bound => None,
            Again::View => return 0,
            Again::Pointwise | Again::Gather => self.element,
            Again::Reduction => self.element.map(|element| element * REDUCTION),
            Again::Product(_) => self.element.filter(|_| self.products),
            Again::Never(_) => None,
        };
        factor.map_or(UNBOUNDED, |factor| graph.work(op).max(1).saturating_mul(factor).min(UNBOUNDED / 2))
    }
}

/// A choice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Partition {
    /// What the forward function gives to the backward function, in program order.
    pub saved: Vec<ValueId>,
    /// Per op: the forward function computes it.
    pub forward: Vec<bool>,
    /// Per op: the backward function computes it.
    pub backward: Vec<bool>,
    /// What it costs.
    pub cost: u64,
}

impl Partition {
    /// Ops that both functions compute.
    pub fn again(&self) -> impl Iterator<Item = OpId> {
        (0..self.forward.len()).filter(|op| self.forward[*op] && self.backward[*op])
    }

    /// Bytes of what is saved, as it is saved.
    pub fn saved_bytes(&self, graph: &Graph<'_>) -> u64 {
        self.saved.iter().map(|value| stored_bytes(&graph.values[*value])).sum()
    }

    /// Operations that are done twice.
    pub fn work_again(&self, graph: &Graph<'_>) -> u64 {
        self.again().map(|op| graph.work(op)).fold(0, u64::saturating_add)
    }
}

/// Places in the network.
struct Places {
    ops: Vec<Option<usize>>,
    values: Vec<Option<usize>>,
}

/// The cheapest partition.
///
/// # Errors
/// If the backward function needs what can neither be saved nor computed again: reported.
pub fn cheapest(graph: &Graph<'_>, classes: &Classes, prices: &Prices) -> Result<Partition> {
    let needed = (0..graph.values.len()).filter(|value| classes.needed[*value]);
    let relevant = graph.ancestors(needed);
    let (source, sink) = (0, 1);
    let mut network = Network::new(2);
    let mut places = Places { ops: vec![None; graph.ops.len()], values: vec![None; graph.values.len()] };
    for (op, _) in relevant.iter().enumerate().filter(|(_, relevant)| **relevant) {
        places.ops[op] = Some(network.add_node());
    }
    for (value, info) in graph.values.iter().enumerate() {
        let is_relevant = match info.maker {
            Some(op) => relevant[op],
            None => !classes.is_free[value] && !classes.is_late[value],
        };
        if is_relevant {
            places.values[value] = Some(network.add_node());
        }
    }
    for (value, info) in graph.values.iter().enumerate() {
        let Some(place) = places.values[value] else { continue };
        let maker = info.maker.and_then(|op| places.ops[op]).unwrap_or(source);
        network.add_edge(maker, place, prices.saving(graph, value));
        if classes.needed[value] {
            network.add_edge(place, sink, UNBOUNDED);
        }
        for user in info.users.iter().filter_map(|user| places.ops[*user]) {
            network.add_edge(place, user, UNBOUNDED);
        }
    }
    for (op, place) in places.ops.iter().enumerate() {
        let Some(place) = *place else { continue };
        let price = prices.again(graph, op);
        if classes.forward[op] {
            network.add_edge(source, place, price);
        } else {
            let users = graph.ops[op].results.iter().flat_map(|value| &graph.values[*value].users);
            users.filter_map(|user| places.ops[*user]).for_each(|user| network.add_edge(user, place, price));
        }
    }
    let cut = network.cut(source, sink);
    if cut.value >= UNBOUNDED {
        return Err(stuck(graph, &relevant, prices));
    }
    let recomputed = network.capacity(&cut.after);
    if recomputed != cut.value {
        let message = format!("internal bug: a cut of {recomputed} for a flow of {}", cut.value);
        return Err(emit_error(graph.function.location(), &message, &[]));
    }
    let is_after = |op: OpId| places.ops[op].is_some_and(|place| cut.after[place]);
    Ok(complete(graph, classes, &is_after, cut.value))
}

/// What follows from the side that each op is on.
fn complete(graph: &Graph<'_>, classes: &Classes, is_after: &dyn Fn(OpId) -> bool, cost: u64) -> Partition {
    let mut backward = classes.backward.clone();
    let mut is_saved = vec![false; graph.values.len()];
    let mut stack: Vec<_> = (0..graph.values.len()).filter(|value| classes.needed[*value]).collect();
    while let Some(value) = stack.pop() {
        match graph.values[value].maker {
            None => is_saved[value] = !classes.is_free[value] && !classes.is_late[value],
            Some(op) if !is_after(op) => is_saved[value] = true,
            Some(op) => {
                if !std::mem::replace(&mut backward[op], true) {
                    stack.extend(&graph.ops[op].operands);
                }
            }
        }
    }
    let saved: Vec<_> = (0..graph.values.len()).filter(|value| is_saved[*value]).collect();
    let for_saved = graph.ancestors(saved.iter().copied());
    let forward = classes.forward.iter().zip(for_saved).map(|(own, saved)| *own || saved).collect();
    Partition { saved, forward, backward, cost }
}

/// Reports what can neither be saved nor computed again.
fn stuck(graph: &Graph<'_>, relevant: &[bool], prices: &Prices) -> fx_ir::Reported {
    let cannot = |op: &OpId| {
        let unsaved = |value: &ValueId| prices.saving(graph, *value) >= UNBOUNDED;
        relevant[*op] && prices.again(graph, *op) >= UNBOUNDED && graph.ops[*op].results.iter().any(unsaved)
    };
    let op = (0..graph.ops.len()).find(cannot).or_else(|| relevant.iter().position(|relevant| *relevant)).unwrap_or(0);
    let op = graph.ops[op].op;
    let message = format!("'{}' op gives what gradients need, and can neither be saved nor computed again", op.name());
    emit_error(op.location(), &message, &[])
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use fx_ir::Module;

    use super::super::sizes::Sizes;
    use super::*;
    use crate::interface::Interface;
    use crate::joint::{Cotangents, Request, add_gradients};

    const PROGRAMS: [&str; 4] = [
        // what is cheap stands between products
        "func.func @main(%x: tensor<4x8xf32>, %w: tensor<8x8xf32>) -> tensor<4x8xf32> {
           %0 = fx.mm %x, %w : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
           %1 = fx.sin %0 : (tensor<4x8xf32>) -> tensor<4x8xf32>
           %2 = fx.mm %1, %w : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
           return %2 : tensor<4x8xf32>
         }",
        // two paths from a value that is larger than what is made of it
        "func.func @main(%x: tensor<4x8xf32>, %w: tensor<8x8xf32>) -> tensor<4x1xf32> {
           %0 = fx.mm %x, %w : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
           %1 = fx.sum %0 dim [1] {keepdim = true} : (tensor<4x8xf32>) -> tensor<4x1xf32>
           %2 = fx.exp %1 : (tensor<4x1xf32>) -> tensor<4x1xf32>
           %3 = fx.sin %1 : (tensor<4x1xf32>) -> tensor<4x1xf32>
           %4 = fx.mul %2, %3 : (tensor<4x1xf32>, tensor<4x1xf32>) -> tensor<4x1xf32>
           return %4 : tensor<4x1xf32>
         }",
        // a widened half
        "func.func @main(%x: tensor<4x8xbf16>, %w: tensor<8x8xbf16>) -> tensor<4x8xf32> {
           %0 = fx.mm %x, %w : (tensor<4x8xbf16>, tensor<8x8xbf16>) -> tensor<4x8xbf16>
           %1 = fx.to_copy %0 as f32 : (tensor<4x8xbf16>) -> tensor<4x8xf32>
           %2 = fx.sin %1 : (tensor<4x8xf32>) -> tensor<4x8xf32>
           return %2 : tensor<4x8xf32>
         }",
        // random numbers
        "func.func @main(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
           %0 = fx.rand_like %x : (tensor<8x8xf32>) -> tensor<8x8xf32>
           %1 = fx.exp %x : (tensor<8x8xf32>) -> tensor<8x8xf32>
           %2 = fx.mul %0, %1 : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
           return %2 : tensor<8x8xf32>
         }",
    ];

    /// What it costs if the backward function computes these of the ops that it may; none if it cannot be.
    fn cost(graph: &Graph<'_>, classes: &Classes, prices: &Prices, relevant: &[OpId], late: &dyn Fn(OpId) -> bool) -> Option<u64> {
        let mut wanted = classes.needed.clone();
        let mut total = 0;
        for op in relevant.iter().copied().filter(|op| late(*op)) {
            graph.ops[op].operands.iter().for_each(|value| wanted[*value] = true);
            let early_user = |user: &&OpId| relevant.contains(*user) && !late(**user);
            let users: usize = graph.ops[op].results.iter().map(|value| graph.values[*value].users.iter().filter(early_user).count()).sum();
            let times = if classes.forward[op] { 1 } else { users as u64 };
            if times > 0 && prices.again(graph, op) >= UNBOUNDED {
                return None;
            }
            total += times * prices.again(graph, op);
        }
        for value in (0..graph.values.len()).filter(|value| wanted[*value] && !classes.is_free[*value]) {
            if graph.values[value].maker.is_none_or(|op| !late(op)) {
                total += prices.saving(graph, value);
            }
        }
        Some(total)
    }

    #[test]
    fn no_choice_is_cheaper() {
        let context = fx_ir::new_context(false);
        for text in PROGRAMS {
            let module = Module::parse(&context, text).unwrap();
            let main = module.function("main").unwrap();
            add_gradients(main, &Request { cotangents: Cotangents::Arguments, ..Request::default() }).unwrap();
            let interface = Interface::read(main).unwrap();
            let ops: Vec<_> = interface.body.ops().into_iter().filter(|op| *op != interface.end).collect();
            let mut sizes = Sizes::new(&interface, &HashMap::new());
            let graph = Graph::new(main, &interface.body.arguments(), &ops, &mut sizes);
            let classes = Classes::new(&interface, &graph).unwrap();
            let relevant = graph.ancestors((0..graph.values.len()).filter(|value| classes.needed[*value]));
            let relevant: Vec<_> = (0..graph.ops.len()).filter(|op| relevant[*op]).collect();
            assert!(relevant.len() <= 16, "{} choices are too many", relevant.len());
            let free = Prices { byte: 1, element: Some(3), products: true };
            for prices in [Prices::MIN_CUT, Prices::DEFAULT, free] {
                let choices = (0..1_usize << relevant.len()).filter_map(|chosen| {
                    let late = |op: OpId| relevant.iter().position(|other| *other == op).is_some_and(|place| chosen >> place & 1 == 1);
                    cost(&graph, &classes, &prices, &relevant, &late)
                });
                let partition = cheapest(&graph, &classes, &prices).unwrap();
                assert_eq!(Some(partition.cost), choices.min(), "{prices:?}: {text}");
            }
        }
    }
}
