//! Weights in the order that products want.
//!
//! A product of few rows streams its second factor once, by rows. A parameter that it reads by columns (`x @ W.T`) is worth
//! a copy in the other order, which the plan makes once, when the parameter is set.

use std::collections::HashSet;

use fx_ir::{Attribute, Block, DYNAMIC, Op, Value};

use super::Former;
use super::kinds::Kind;
use crate::contract_cpu::is_sum_of_products;
use crate::eval::is_cast;
use crate::generic::Generic;

/// With this many rows or more, what a product packs serves enough of them.
const MANY_ROWS: i64 = 128;

/// Arguments of a function that hold parameters, buffers or constants which the function does not change.
fn state<'c>(block: Block<'c>) -> HashSet<Value<'c>> {
    let Some(function) = block.parent().filter(|op| op.name() == "func.func") else { return HashSet::new() };
    let list = |name: &str| function.attribute(name).and_then(Attribute::as_array).unwrap_or_default();
    let text = |entry: Attribute<'c>, key: &str| entry.as_dictionary()?.into_iter().find(|(name, _)| *name == key)?.1.as_str();
    let changed: HashSet<&str> = list("res_attrs").into_iter().filter_map(|entry| text(entry, "fx.mutates")).collect();
    let is_state = |entry: Attribute<'c>| {
        let kind = text(entry, "fx.kind");
        matches!(kind, Some("parameter" | "buffer" | "constant"))
            && !text(entry, "fx.target").into_iter().chain(text(entry, "fx.name")).any(|name| changed.contains(name))
    };
    block.arguments().into_iter().zip(list("arg_attrs")).filter(|(_, entry)| is_state(*entry)).map(|(value, _)| value).collect()
}

/// Rows of a product: the size of its last loop but one.
fn has_few_rows(op: Op<'_>) -> bool {
    let shape = op.result(0).ty().shape();
    let rows = shape.len().checked_sub(2).map_or(1, |i| shape[i]);
    rows == DYNAMIC || rows < MANY_ROWS
}

/// What a tensor was before conversions of its elements: a copy keeps the narrow type.
fn before_conversions(value: Value<'_>) -> Value<'_> {
    let Some(generic) = value.defining_op().and_then(Generic::new).filter(|generic| generic.inputs.len() == 1) else { return value };
    let yielded = generic.body().and_then(Block::terminator).map(|op| op.operand(0));
    let cast = yielded.and_then(Value::defining_op).filter(|op| is_cast(*op));
    let converts = cast.and_then(|op| op.operand(0).block_argument()).is_some_and(|(_, index)| index == 0);
    if converts && generic.maps.first() == generic.maps.last() { before_conversions(generic.inputs[0]) } else { value }
}

impl<'c> Former<'c> {
    /// Makes kernels of the reordered copies that products of few rows read.
    pub(super) fn reorder_weights(&mut self, block: Block<'c>, ops: &[Op<'c>]) {
        let state = state(block);
        if state.is_empty() {
            return;
        }
        for op in ops.iter().copied().filter(|op| is_sum_of_products(*op) && has_few_rows(*op)) {
            let inputs = Generic::new(op).map(|generic| generic.inputs).unwrap_or_default();
            for input in inputs {
                let narrow = before_conversions(input);
                if self.is_reordered(narrow, &state) == Some(true) {
                    let copy = self.force(narrow);
                    self.reordered.extend(copy);
                }
            }
        }
    }

    /// Whether a view of state is in another order than its memory; none if it is no view of state.
    fn is_reordered(&self, value: Value<'c>, state: &HashSet<Value<'c>>) -> Option<bool> {
        let Some(op) = value.defining_op() else { return state.contains(&value).then_some(false) };
        if self.kind(op) != Kind::Inline {
            return None;
        }
        match op.name() {
            "tensor.collapse_shape" | "tensor.expand_shape" | "tensor.cast" => self.is_reordered(op.operand(0), state),
            _ => {
                let generic = Generic::new(op).filter(|generic| generic.inputs.len() == 1 && crate::generic::captured(op).is_empty())?;
                self.is_reordered(generic.inputs[0], state)?;
                Some(true)
            }
        }
    }
}
