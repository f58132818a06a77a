//! Graphs and their nodes.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::{Argument, ArgumentKind, CustomObjArgument, SymBool, SymFloat, SymInt, TensorMeta};
use crate::json::unique_map;

/// A graph: nodes in order of execution over named values. There are no nodes for inputs, outputs,
/// constant attributes or `getitem`.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct Graph {
    /// One for each placeholder, in calling order; constants stand in place.
    pub inputs: Vec<Argument>,
    /// Results.
    pub outputs: Vec<Argument>,
    /// Nodes in order of execution.
    pub nodes: Vec<Node>,
    /// Every tensor value, inputs too.
    #[serde(deserialize_with = "unique_map")]
    pub tensor_values: BTreeMap<String, TensorMeta>,
    /// Every symbolic integer.
    #[serde(deserialize_with = "unique_map")]
    pub sym_int_values: BTreeMap<String, SymInt>,
    /// Every symbolic bool.
    #[serde(deserialize_with = "unique_map")]
    pub sym_bool_values: BTreeMap<String, SymBool>,
    /// Every symbolic float.
    #[serde(default, deserialize_with = "unique_map")]
    pub sym_float_values: BTreeMap<String, SymFloat>,
    /// Every custom object.
    #[serde(default, deserialize_with = "unique_map")]
    pub custom_obj_values: BTreeMap<String, CustomObjArgument>,
    /// In a subgraph: whether it returns one bare value instead of a tuple.
    #[serde(default)]
    pub is_single_tensor_return: bool,
}

/// One call of an operator.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct Node {
    /// What is called, such as `torch.ops.aten.addmm.default`; see [`Node::callee`].
    pub target: String,
    /// Arguments; those at their defaults are mostly left out.
    pub inputs: Vec<NamedArgument>,
    /// One for each result of the operator.
    pub outputs: Vec<Argument>,
    /// Where the node comes from: `stack_trace`, `nn_module_stack`, `torch_fn` and others.
    #[serde(deserialize_with = "unique_map")]
    pub metadata: BTreeMap<String, String>,
    /// For higher-order operators: whether one bare tensor is returned.
    #[serde(default)]
    pub is_hop_single_tensor_return: Option<bool>,
    /// The node's own name, unique in its graph.
    #[serde(default)]
    pub name: Option<String>,
}

/// An argument of a node.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct NamedArgument {
    /// Name in the operator's schema; empty for higher-order operators.
    pub name: String,
    /// The argument.
    pub arg: Argument,
    /// How it is passed.
    #[serde(default)]
    pub kind: Option<ArgumentKind>,
}

/// A node's target, taken apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Target<'a> {
    /// `torch.ops.<namespace>.<name>.<overload>`
    Op {
        /// Namespace, such as `aten`.
        namespace: &'a str,
        /// Operator, such as `add`.
        name: &'a str,
        /// Overload, such as `Tensor`; `default` if the operator has but one.
        overload: &'a str,
    },
    /// `torch.ops.higher_order.<name>`
    HigherOrder(&'a str),
    /// A Python function, such as `_operator.mul` or `math.ceil`: arithmetic on symbolic numbers.
    Python {
        /// Module, such as `_operator`.
        module: &'a str,
        /// Function, such as `mul`.
        function: &'a str,
    },
}

impl<'a> Target<'a> {
    /// Takes a target apart; `None` if it has none of the known forms.
    pub fn parse(target: &'a str) -> Option<Self> {
        let identifier = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
        if !target.split('.').all(identifier) {
            return None;
        }
        if let Some(name) = target.strip_prefix("torch.ops.higher_order.") {
            return (!name.contains('.')).then_some(Self::HigherOrder(name));
        }
        if let Some(op) = target.strip_prefix("torch.ops.") {
            let (namespace, op) = op.split_once('.')?;
            let (name, overload) = op.rsplit_once('.')?;
            return Some(Self::Op { namespace, name, overload });
        }
        let (module, function) = target.rsplit_once('.')?;
        Some(Self::Python { module, function })
    }
}

impl Graph {
    /// Description of a tensor value.
    pub fn tensor(&self, name: &str) -> Option<&TensorMeta> {
        self.tensor_values.get(name)
    }
}

impl Node {
    /// The target, taken apart. `Some` for every node of a validated program.
    pub fn callee(&self) -> Option<Target<'_>> {
        Target::parse(&self.target)
    }

    /// The argument of that name.
    pub fn input(&self, name: &str) -> Option<&Argument> {
        self.inputs.iter().find(|input| input.name == name).map(|input| &input.arg)
    }
}
