//! Makes the two functions of a partition.
//!
//! | | forward | backward |
//! | --- | --- | --- |
//! | arguments | those of the joint function without cotangents | saved numbers, saved tensors, used parameters, buffers and inputs, cotangents |
//! | results | outputs and mutations, saved tensors, saved numbers | gradients |
//!
//! Each group is in the order of the joint function. `fx.saved = N` joins a result of the forward function to the argument
//! of the backward function; parameters and inputs are joined by `fx.target`. Saved bools may be packed (`fx.packed`).
//! What is computed again stands before its first use.

use std::collections::HashMap;

use fx_ir::{Attribute, Builder, Op, Result, Type, Value};
use fx_ops::fx_builder::Fx;

use super::classify::Classes;
use super::graph::{Graph, OpId, ValueId};
use super::min_cut::Partition;
use super::pack::{is_packed, pack, unpack};
use crate::interface::{Entries, Interface};

/// Names of the functions.
pub struct Names<'a> {
    /// Of the one that computes outputs.
    pub forward: &'a str,
    /// Of the one that computes gradients.
    pub backward: &'a str,
}

/// The order in which the backward function computes: that of the joint function, what is computed again as late as it can.
pub fn backward_order(graph: &Graph<'_>, classes: &Classes, partition: &Partition, gradients: &[ValueId]) -> Vec<OpId> {
    let mut order = Order { graph, partition, done: vec![false; graph.ops.len()], order: Vec::new() };
    (0..graph.ops.len()).filter(|op| classes.backward[*op]).for_each(|op| order.add(op));
    gradients.iter().filter_map(|value| graph.values[*value].maker).for_each(|op| order.add(op));
    order.order
}

struct Order<'a, 'c> {
    graph: &'a Graph<'c>,
    partition: &'a Partition,
    done: Vec<bool>,
    order: Vec<OpId>,
}

impl Order<'_, '_> {
    /// Adds an op after those that it needs: a stack, since chains may be long.
    fn add(&mut self, op: OpId) {
        let mut stack = vec![(op, false)];
        while let Some((op, is_ready)) = stack.pop() {
            if is_ready {
                self.order.push(op);
            } else if self.partition.backward[op] && !std::mem::replace(&mut self.done[op], true) {
                stack.push((op, true));
                let makers = self.graph.ops[op].operands.iter().rev().filter(|value| self.partition.saved.binary_search(value).is_err());
                stack.extend(makers.filter_map(|value| self.graph.values[*value].maker).map(|maker| (maker, false)));
            }
        }
    }
}

/// The name that the backward function has for what is saved.
pub fn saved_name(number: usize) -> String {
    format!("saved.{number}")
}

/// A function in the making.
struct Half<'c> {
    inputs: Vec<Type<'c>>,
    arguments: Vec<Entries<'c>>,
    /// The value of the joint function that each argument stands for.
    sources: Vec<Value<'c>>,
    results: Vec<Entries<'c>>,
}

impl<'c> Half<'c> {
    fn new() -> Self {
        Self { inputs: Vec::new(), arguments: Vec::new(), sources: Vec::new(), results: Vec::new() }
    }

    fn argument(&mut self, source: Value<'c>, ty: Type<'c>, entries: Entries<'c>) {
        self.inputs.push(ty);
        self.arguments.push(entries);
        self.sources.push(source);
    }
}

/// Builds both functions before the joint one.
pub struct Splitter<'a, 'c> {
    /// The joint function.
    pub interface: &'a Interface<'c>,
    /// Its graph.
    pub graph: &'a Graph<'c>,
    /// What belongs where.
    pub classes: &'a Classes,
    /// The choice.
    pub partition: &'a Partition,
}

impl<'c> Splitter<'_, 'c> {
    /// Builds both, the forward function first.
    ///
    /// # Errors
    /// None that a caller can cause.
    pub fn run(&self, names: &Names<'_>) -> Result<[Op<'c>; 2]> {
        let (forward, stored) = self.forward(names.forward)?;
        Ok([forward, self.backward(names.backward, &stored)?])
    }

    fn context(&self) -> &'c fx_ir::Context {
        self.interface.function.context()
    }

    fn text(&self, text: &str) -> Attribute<'c> {
        Attribute::string(self.context(), text)
    }

    fn value(&self, id: ValueId) -> Value<'c> {
        self.graph.values[id].value
    }

    /// Saved tensors, then saved numbers.
    fn saved(&self) -> Vec<ValueId> {
        let (mut tensors, numbers): (Vec<_>, Vec<_>) = self.partition.saved.iter().partition(|value| self.value(**value).ty().is_tensor());
        tensors.extend(numbers);
        tensors
    }

    /// The forward function; gives the types of what it saves, as it is saved.
    fn forward(&self, name: &str) -> Result<(Op<'c>, Vec<Type<'c>>)> {
        let mut half = Half::new();
        for (index, argument) in self.interface.body.arguments().into_iter().enumerate() {
            if !self.classes.cotangents.contains(&index) {
                half.argument(argument, argument.ty(), self.interface.argument_entries(index));
            }
        }
        let (function, mut map) = self.open(name, &half);
        let b = self.inside(function);
        for (op, node) in self.graph.ops.iter().enumerate().filter(|(op, _)| self.partition.forward[*op]) {
            debug_assert!(!self.partition.backward[op] || !node.is_bound);
            b.clone_op(node.op, &mut map);
        }
        let of = |value: Value<'c>| map.get(&value).copied().unwrap_or(value);
        let end = self.interface.end.operands();
        let mut values: Vec<_> = self.classes.outputs.iter().map(|index| of(end[*index])).collect();
        half.results.extend(self.classes.outputs.iter().map(|index| self.interface.result_entries(*index)));
        let mut types = Vec::new();
        for (number, id) in self.saved().into_iter().enumerate() {
            let info = &self.graph.values[id];
            let f = Fx { b: b.located(info.maker.map_or(self.interface.function.location(), |op| self.graph.ops[op].op.location())) };
            let value = if is_packed(info) { pack(&f, info, of(info.value))? } else { of(info.value) };
            types.push(value.ty());
            values.push(value);
            let kind = if value.ty().is_tensor() { "saved" } else { "saved_size" };
            let mut entries = vec![("fx.kind", self.text(kind)), ("fx.saved", Attribute::i64(self.context(), number as i64))];
            if is_packed(info) {
                entries.push(("fx.packed", Attribute::unit(self.context())));
            }
            half.results.push(entries);
        }
        self.close(function, &half, &values);
        Ok((function, types))
    }

    fn backward(&self, name: &str, stored: &[Type<'c>]) -> Result<Op<'c>> {
        let saved = self.saved();
        let mut half = Half::new();
        let (numbers, tensors): (Vec<_>, Vec<_>) =
            saved.iter().copied().enumerate().partition(|(_, value)| !self.value(*value).ty().is_tensor());
        for (number, id) in numbers.into_iter().chain(tensors) {
            let name = saved_name(number);
            let mut entries = vec![
                ("fx.kind", self.text("input")),
                ("fx.target", self.text(&name)),
                ("fx.name", self.text(&name)),
                ("fx.saved", Attribute::i64(self.context(), number as i64)),
            ];
            if is_packed(&self.graph.values[id]) {
                entries.push(("fx.packed", Attribute::unit(self.context())));
            }
            half.argument(self.value(id), stored[number], entries);
        }
        for index in (0..self.interface.body.arguments().len()).filter(|index| self.is_used(*index)) {
            half.argument(self.value(index), self.value(index).ty(), self.interface.argument_entries(index));
        }
        for index in &self.classes.cotangents {
            half.argument(self.value(*index), self.value(*index).ty(), self.interface.argument_entries(*index));
        }
        let (function, mut map) = self.open(name, &half);
        let b = self.inside(function);
        for id in saved.iter().filter(|id| is_packed(&self.graph.values[**id])) {
            let info = &self.graph.values[*id];
            let f = Fx { b: b.located(info.maker.map_or(self.interface.function.location(), |op| self.graph.ops[op].op.location())) };
            let bits = map.get(&info.value).copied().unwrap_or(info.value);
            map.insert(info.value, unpack(&f, info, bits)?);
        }
        let end = self.interface.end.operands();
        let gradients: Vec<_> = self.classes.gradients.iter().filter_map(|index| self.graph.id(end[*index])).collect();
        for op in backward_order(self.graph, self.classes, self.partition, &gradients) {
            let kept: Vec<_> = self.graph.ops[op].op.results().into_iter().filter_map(|value| Some((value, *map.get(&value)?))).collect();
            b.clone_op(self.graph.ops[op].op, &mut map);
            map.extend(kept);
        }
        let values: Vec<_> = self.classes.gradients.iter().map(|index| map.get(&end[*index]).copied().unwrap_or(end[*index])).collect();
        half.results.extend(self.classes.gradients.iter().map(|index| self.interface.result_entries(*index)));
        self.close(function, &half, &values);
        Ok(function)
    }

    /// Whether the backward function uses an argument that both functions have.
    fn is_used(&self, index: usize) -> bool {
        let info = &self.graph.values[index];
        self.classes.is_free[index] && (self.classes.needed[index] || info.users.iter().any(|op| self.partition.backward[*op]))
    }

    fn open(&self, name: &str, half: &Half<'c>) -> (Op<'c>, HashMap<Value<'c>, Value<'c>>) {
        let joint = self.interface.function;
        let function = Builder::before(joint).function(name, &half.inputs, &[], &[]);
        if let Some(symbols) = joint.attribute("fx.symbols") {
            function.set_attribute("fx.symbols", symbols);
        }
        let arguments = function.body(0).map(|body| body.arguments()).unwrap_or_default();
        (function, half.sources.iter().copied().zip(arguments).collect())
    }

    fn inside(&self, function: Op<'c>) -> Builder<'c> {
        let b = Builder::before(self.interface.function);
        function.body(0).map_or(b, |body| b.inside(body))
    }

    fn close(&self, function: Op<'c>, half: &Half<'c>, values: &[Value<'c>]) {
        let context = self.context();
        self.inside(function).op("func.return", values, &[], &[]);
        let types: Vec<_> = values.iter().map(|value| value.ty()).collect();
        function.set_attribute("function_type", Attribute::from_type(Type::function(context, &half.inputs, &types)));
        for (name, lists) in [("arg_attrs", &half.arguments), ("res_attrs", &half.results)] {
            let lists: Vec<_> = lists.iter().map(|entries| Attribute::dictionary(context, entries)).collect();
            function.set_attribute(name, Attribute::array(context, &lists));
        }
    }
}
