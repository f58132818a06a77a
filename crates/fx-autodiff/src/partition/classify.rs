//! What belongs to the forward function, what to the backward function, and what either may compute.

use fx_ir::Result;

use super::graph::{Graph, ValueId};
use crate::interface::Interface;

/// Per op and value of a graph.
pub struct Classes {
    /// Numbers of results that are outputs or mutations.
    pub outputs: Vec<usize>,
    /// Numbers of results that are gradients.
    pub gradients: Vec<usize>,
    /// Arguments that the backward function alone has.
    pub cotangents: Vec<ValueId>,
    /// Per value: it depends on a cotangent.
    pub is_late: Vec<bool>,
    /// Per op: outputs need it, or it is bound to its place.
    pub forward: Vec<bool>,
    /// Per op: it depends on a cotangent, and gradients need it.
    pub backward: Vec<bool>,
    /// Per value: the backward function uses it, and it depends on no cotangent.
    pub needed: Vec<bool>,
    /// Per value: it is an argument that both functions have. One that is changed in between is not.
    pub is_free: Vec<bool>,
}

impl Classes {
    /// Sorts what a joint function has.
    ///
    /// # Errors
    /// If it has no cotangents, or no gradients: reported.
    pub fn new<'c>(interface: &Interface<'c>, graph: &Graph<'c>) -> Result<Self> {
        let values: Vec<_> = interface.end.operands().into_iter().filter_map(|value| graph.id(value)).collect();
        let is_gradient = |index: &usize| interface.result_kind(*index).ends_with("_gradient");
        let (gradients, outputs): (Vec<_>, Vec<_>) = (0..values.len()).partition(is_gradient);
        if gradients.is_empty() {
            return Err(interface.error("the function has no gradients: it is not a joint function"));
        }
        let of = |results: &[usize]| results.iter().map(|index| values[*index]).collect::<Vec<_>>();
        let count = interface.body.arguments().len();
        // What outputs depend on is given to the forward function, whatever it is called.
        let before = Self::arguments_of(graph, &of(&outputs), count);
        let is_cotangent = |index: &usize| interface.argument_attribute(*index, "fx.cotangent").is_some() && !before[*index];
        let cotangents: Vec<_> = (0..count).filter(is_cotangent).collect();
        if cotangents.is_empty() {
            return Err(interface.error("the function has no cotangents among its arguments: differentiate it with 'cotangents=arguments'"));
        }
        let (is_late, late_ops) = graph.dependents(cotangents.iter().copied());
        let bound = |late: bool| {
            let ops = graph.ops.iter().enumerate().filter(move |(number, node)| node.is_bound && late_ops[*number] == late);
            ops.map(|(number, _)| number).collect::<Vec<_>>()
        };
        let (early_bound, late_bound) = (bound.clone()(false), bound(true));
        let all_of = |results: &[usize], bound: &[usize]| {
            let used = bound.iter().flat_map(|op| graph.ops[*op].operands.iter().copied());
            let mut ops = graph.ancestors(of(results).into_iter().chain(used));
            bound.iter().for_each(|op| ops[*op] = true);
            ops
        };
        let forward = all_of(&outputs, &early_bound);
        let mut backward = all_of(&gradients, &late_bound);
        for (op, node) in graph.ops.iter().enumerate() {
            backward[op] &= node.operands.iter().any(|value| is_late[*value]);
        }
        let mut needed = vec![false; graph.values.len()];
        let used = graph.ops.iter().zip(&backward).filter(|(_, backward)| **backward).flat_map(|(node, _)| node.operands.iter().copied());
        used.chain(of(&gradients)).for_each(|value| needed[value] = !is_late[value]);
        let changed: Vec<_> = outputs.iter().filter_map(|index| mutated(interface, *index)).collect();
        let is_free = |index: usize| {
            let target = interface.argument_text(index, "fx.target");
            !cotangents.contains(&index) && !target.is_some_and(|target| changed.contains(&target))
        };
        let is_free = (0..graph.values.len()).map(|value| value < count && is_free(value)).collect();
        Ok(Self { outputs, gradients, cotangents, is_late, forward, backward, needed, is_free })
    }

    /// Per argument: whether these values depend on it.
    fn arguments_of(graph: &Graph<'_>, values: &[ValueId], count: usize) -> Vec<bool> {
        let ops = graph.ancestors(values.iter().copied());
        let used = graph.ops.iter().zip(&ops).filter(|(_, used)| **used).flat_map(|(node, _)| node.operands.iter().copied());
        let mut found = vec![false; count];
        used.chain(values.iter().copied()).filter(|value| *value < count).for_each(|value| found[value] = true);
        found
    }
}

/// The argument whose new value a result is.
fn mutated<'c>(interface: &Interface<'c>, index: usize) -> Option<&'c str> {
    interface.result_entries(index).into_iter().find(|(name, _)| *name == "fx.mutates")?.1.as_str()
}
