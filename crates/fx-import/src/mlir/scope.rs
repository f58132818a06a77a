//! Names of a graph and what they stand for.

use std::collections::HashMap;

use fx_ir::{Builder, Location, Type, Value};

use super::memory::{Memory, TensorId};
use super::numbers;
use super::problem::{Outcome, Problem};
use super::types;
use crate::schema::{Argument, Graph, Node, SymBoolArgument, SymFloatArgument, SymIntArgument};

/// What a name stands for.
#[derive(Clone, Copy)]
pub(super) enum Bound<'c> {
    /// A tensor, which may be written to.
    Tensor(TensorId),
    /// A symbolic number: `index`, `f64` or `i1`.
    Number(Value<'c>),
    /// What a node that could not be imported would have made. Its users are passed over.
    Poison,
}

/// A graph that is being imported, with the place where its ops go.
pub(super) struct Scope<'a, 'c> {
    pub(super) graph: &'a Graph,
    pub(super) builder: Builder<'c>,
    names: HashMap<&'a str, Bound<'c>>,
}

impl<'a, 'c> Scope<'a, 'c> {
    pub(super) fn new(graph: &'a Graph, builder: Builder<'c>) -> Self {
        Self { graph, builder, names: HashMap::new() }
    }

    pub(super) fn bind(&mut self, name: &'a str, bound: Bound<'c>) {
        self.names.insert(name, bound);
    }

    pub(super) fn bound(&self, name: &str) -> Outcome<Bound<'c>> {
        self.names.get(name).copied().ok_or_else(|| Problem::malformed(format!("value '{name}' is used before it is made")))
    }

    pub(super) fn is_poison(&self, name: &str) -> bool {
        matches!(self.names.get(name), Some(Bound::Poison))
    }

    /// Whether an argument of a node could not be imported.
    pub(super) fn uses_poison(&self, node: &Node) -> bool {
        let values = node.inputs.iter().flat_map(|input| input.arg.values());
        values.into_iter().any(|(_, name)| self.is_poison(name))
    }

    /// Binds all results of a node that could not be imported.
    pub(super) fn poison(&mut self, node: &'a Node) {
        for (_, name) in node.outputs.iter().flat_map(Argument::values) {
            self.bind(name, Bound::Poison);
        }
    }

    /// The tensor of that name.
    pub(super) fn tensor_id(&self, name: &str) -> Outcome<TensorId> {
        match self.bound(name)? {
            Bound::Tensor(id) => Ok(id),
            _ => Err(Problem::malformed(format!("value '{name}' is no tensor"))),
        }
    }

    /// The value of that name now.
    pub(super) fn value(&self, memory: &mut Memory<'c>, name: &str) -> Outcome<Value<'c>> {
        match self.bound(name)? {
            Bound::Tensor(id) => memory.read(id, self.builder),
            Bound::Number(value) => Ok(value),
            Bound::Poison => Err(Problem::malformed(format!("value '{name}' was not imported"))),
        }
    }

    /// The value of an argument that is one value: by name, or a constant number.
    pub(super) fn single(&self, memory: &mut Memory<'c>, argument: &Argument) -> Outcome<Option<Value<'c>>> {
        let name = match argument {
            Argument::SymInt(SymIntArgument::Name(name))
            | Argument::SymFloat(SymFloatArgument::Name(name))
            | Argument::SymBool(SymBoolArgument::Name(name)) => Some(name.as_str()),
            _ => argument.tensor_name(),
        };
        match name {
            Some(name) => self.value(memory, name).map(Some),
            None => Ok(numbers::constant(self.builder, argument)),
        }
    }

    /// The type that the graph states for one result of a node; none for `None`.
    pub(super) fn result_type(&self, name: &str, argument: &Argument) -> Outcome<Type<'c>> {
        let context = self.builder.context();
        Ok(match argument {
            Argument::SymInt(_) => Type::index(context),
            Argument::SymFloat(_) => Type::f64(context),
            Argument::SymBool(_) => Type::int(context, 1),
            _ => {
                let undescribed = || Problem::malformed(format!("value '{name}' has no description"));
                let meta = self.graph.tensor(name).ok_or_else(undescribed)?;
                types::tensor(context, meta).map_err(|p| p.about(&format!("result '{name}'")))?
            }
        })
    }

    /// Results of a node in order, one entry for each: its name and the type that the graph states. An
    /// absent result (`None`) has neither.
    pub(super) fn results(&self, node: &'a Node) -> Outcome<Vec<Option<(&'a str, Type<'c>)>>> {
        let mut results = Vec::new();
        for output in &node.outputs {
            let values = output.values();
            if values.is_empty() && !matches!(output, Argument::Tensors(_)) {
                results.push(None);
            }
            for (_, name) in values {
                results.push(Some((name, self.result_type(name, output)?)));
            }
        }
        Ok(results)
    }

    /// Where new ops come from, from now on.
    pub(super) fn locate(&mut self, location: Location<'c>) {
        self.builder = self.builder.located(location);
    }
}
