//! Arguments and results of nodes, inputs and outputs of graphs.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::{Device, Graph, Layout, MemoryFormat, ScalarType};
use crate::json::{Float, Floats, Unique, float, union};

union! {
    /// An argument. Values are referred to by name; all else is in place.
    Argument {
        /// `None`.
        "as_none" => None,
        /// A tensor value.
        "as_tensor" => Tensor(TensorArgument),
        /// A list of tensor values.
        "as_tensors" => Tensors(Vec<TensorArgument>),
        /// A tensor value or `None`.
        "as_optional_tensor" => OptionalTensor(OptionalTensorArgument),
        /// A list of tensor values and `None`s.
        "as_optional_tensors" => OptionalTensors(Vec<OptionalTensorArgument>),
        /// A list of lists of tensor values.
        "as_nested_tensors" => NestedTensors(Vec<Vec<TensorArgument>>),
        /// A plain integer.
        "as_int" => Int(i64),
        /// A list of plain integers.
        "as_ints" => Ints(Vec<i64>),
        /// A list of lists of plain integers.
        "as_int_lists" => IntLists(Vec<Vec<i64>>),
        /// A plain float.
        "as_float" => Float(f64, via Float),
        /// A list of plain floats.
        "as_floats" => Floats(Vec<f64>, via Floats),
        /// A plain bool.
        "as_bool" => Bool(bool),
        /// A list of plain bools.
        "as_bools" => Bools(Vec<bool>),
        /// A string.
        "as_string" => String(String),
        /// A list of strings.
        "as_strings" => Strings(Vec<String>),
        /// A complex number.
        "as_complex" => Complex(ComplexValue),
        /// An integer value by name, or a plain one.
        "as_sym_int" => SymInt(SymIntArgument),
        /// A list of integers with at least one value among them.
        "as_sym_ints" => SymInts(Vec<SymIntArgument>),
        /// A float value by name, or a plain one.
        "as_sym_float" => SymFloat(SymFloatArgument),
        /// A list of floats with at least one value among them.
        "as_sym_floats" => SymFloats(Vec<SymFloatArgument>),
        /// A bool value by name, or a plain one.
        "as_sym_bool" => SymBool(SymBoolArgument),
        /// A list of bools with at least one value among them.
        "as_sym_bools" => SymBools(Vec<SymBoolArgument>),
        /// A dtype.
        "as_scalar_type" => ScalarType(ScalarType),
        /// A memory format.
        "as_memory_format" => MemoryFormat(MemoryFormat),
        /// A layout.
        "as_layout" => Layout(Layout),
        /// A device.
        "as_device" => Device(Device),
        /// A subgraph of a higher-order operator.
        "as_graph" => Graph(Box<GraphArgument>),
        /// A custom object.
        "as_custom_obj" => CustomObj(Box<CustomObjArgument>),
        /// The name of an operator.
        "as_operator" => Operator(String),
        /// A dict.
        "as_string_to_argument" => StringToArgument(
            BTreeMap<String, Argument>, via Unique<Argument>
        ),
    }
}

union! {
    /// A tensor value or `None`.
    OptionalTensorArgument {
        /// A tensor value.
        "as_tensor" => Tensor(TensorArgument),
        /// `None`.
        "as_none" => None,
    }
}

union! {
    /// An integer in a place where a symbolic one may stand.
    SymIntArgument {
        /// A value of the graph.
        "as_name" => Name(String),
        /// A plain number.
        "as_int" => Int(i64),
    }
}

union! {
    /// A float in a place where a symbolic one may stand.
    SymFloatArgument {
        /// A value of the graph.
        "as_name" => Name(String),
        /// A plain number.
        "as_float" => Float(f64, via Float),
    }
}

union! {
    /// A bool in a place where a symbolic one may stand.
    SymBoolArgument {
        /// A value of the graph.
        "as_name" => Name(String),
        /// A plain bool.
        "as_bool" => Bool(bool),
    }
}

/// A tensor value by name.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct TensorArgument {
    /// The value's name.
    pub name: String,
}

/// A token (which orders effects) by name.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct TokenArgument {
    /// The value's name.
    pub name: String,
}

/// A custom object by name.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct CustomObjArgument {
    /// The value's name.
    pub name: String,
    /// Name of its class.
    pub class_fqn: String,
}

/// A subgraph with its name.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct GraphArgument {
    /// Name of the subgraph, such as `true_graph_0`.
    pub name: String,
    /// The subgraph, which sees no value of the graph around it.
    pub graph: Graph,
}

/// A complex number.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
pub struct ComplexValue {
    /// Real part.
    #[serde(deserialize_with = "float")]
    pub real: f64,
    /// Imaginary part.
    #[serde(deserialize_with = "float")]
    pub imag: f64,
}

/// In which of a graph's tables a value is described.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ValueKind {
    /// `tensor_values`
    Tensor,
    /// `sym_int_values`
    SymInt,
    /// `sym_float_values`
    SymFloat,
    /// `sym_bool_values`
    SymBool,
    /// `custom_obj_values`
    CustomObj,
}

impl ValueKind {
    /// What such a value is called in messages.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Tensor => "tensor",
            Self::SymInt => "symbolic int",
            Self::SymFloat => "symbolic float",
            Self::SymBool => "symbolic bool",
            Self::CustomObj => "custom object",
        }
    }
}

impl Argument {
    /// The values that the argument names, with their kinds, in order. A subgraph names none.
    pub fn values(&self) -> Vec<(ValueKind, &str)> {
        let mut values = Vec::new();
        self.collect_values(&mut values);
        values
    }

    fn collect_values<'a>(&'a self, out: &mut Vec<(ValueKind, &'a str)>) {
        let tensor = |t: &'a TensorArgument| (ValueKind::Tensor, t.name.as_str());
        match self {
            Self::Tensor(value) => out.push(tensor(value)),
            Self::Tensors(values) => out.extend(values.iter().map(tensor)),
            Self::OptionalTensor(value) => out.extend(value.tensor().map(tensor)),
            Self::OptionalTensors(values) => {
                out.extend(values.iter().filter_map(|value| value.tensor()).map(tensor));
            }
            Self::NestedTensors(lists) => out.extend(lists.iter().flatten().map(tensor)),
            Self::SymInt(value) => out.extend(value.value()),
            Self::SymInts(values) => out.extend(values.iter().filter_map(|v| v.value())),
            Self::SymFloat(value) => out.extend(value.value()),
            Self::SymFloats(values) => out.extend(values.iter().filter_map(|v| v.value())),
            Self::SymBool(value) => out.extend(value.value()),
            Self::SymBools(values) => out.extend(values.iter().filter_map(|v| v.value())),
            Self::CustomObj(object) => out.push((ValueKind::CustomObj, &object.name)),
            Self::StringToArgument(map) => {
                map.values().for_each(|argument| argument.collect_values(out));
            }
            Self::None
            | Self::Int(_)
            | Self::Ints(_)
            | Self::IntLists(_)
            | Self::Float(_)
            | Self::Floats(_)
            | Self::Bool(_)
            | Self::Bools(_)
            | Self::String(_)
            | Self::Strings(_)
            | Self::Complex(_)
            | Self::ScalarType(_)
            | Self::MemoryFormat(_)
            | Self::Layout(_)
            | Self::Device(_)
            | Self::Graph(_)
            | Self::Operator(_) => {}
        }
    }

    /// Name of the tensor value, if the argument is one tensor.
    pub fn tensor_name(&self) -> Option<&str> {
        match self {
            Self::Tensor(value) => Some(&value.name),
            Self::OptionalTensor(value) => value.tensor().map(|tensor| tensor.name.as_str()),
            _ => None,
        }
    }
}

impl OptionalTensorArgument {
    /// The tensor, if there is one.
    pub fn tensor(&self) -> Option<&TensorArgument> {
        match self {
            Self::Tensor(tensor) => Some(tensor),
            Self::None => None,
        }
    }
}

/// Gives the named alternative of a number's union as a value.
macro_rules! named_value {
    ($($ty:ident => $kind:ident),+) => {$(
        impl $ty {
            /// Name of the value, if it is one.
            pub fn name(&self) -> Option<&str> {
                match self {
                    Self::Name(name) => Some(name),
                    _ => None,
                }
            }

            fn value(&self) -> Option<(ValueKind, &str)> {
                self.name().map(|name| (ValueKind::$kind, name))
            }
        }
    )+};
}
named_value!(SymIntArgument => SymInt, SymFloatArgument => SymFloat, SymBoolArgument => SymBool);
