//! A program with its state, called like the executor of a compiled one.

use std::collections::BTreeMap;

use fx_ir::Message;
use fx_runtime::plan::ArgumentKind;
use fx_runtime::{DType, HostTensor, OutputItem, Value as HostValue};

use crate::Result;
use crate::array::Array;
use crate::graph::{Argument, Graph, NumberKind, ValueType};
use crate::read::error_at;
use crate::run::{Outcome, run};
use crate::value::{Number, Value};

/// A program ready to be evaluated.
pub struct Evaluator {
    graph: Graph,
    state: BTreeMap<String, Array>,
}

impl Evaluator {
    /// A program; parameters, buffers and constants are given by [`Evaluator::set_state`].
    pub fn new(graph: Graph) -> Self {
        Evaluator { graph, state: BTreeMap::new() }
    }

    /// Reads a module of phase `fx`.
    ///
    /// # Errors
    /// As [`crate::read::read`].
    pub fn read(module: &fx_ir::Module<'_>) -> std::result::Result<Self, Message> {
        crate::read::read(module).map(Evaluator::new)
    }

    /// The names of parameters, buffers and constants.
    pub fn state_names(&self) -> impl Iterator<Item = &str> {
        self.graph.arguments.iter().filter_map(|argument| match &argument.kind {
            ArgumentKind::Parameter(name) | ArgumentKind::Buffer(name) | ArgumentKind::Constant(name) => Some(name.as_str()),
            ArgumentKind::Input(_) => None,
        })
    }

    /// User inputs in calling order: their names, and of numbers their type.
    pub fn inputs(&self) -> impl Iterator<Item = (&str, Option<DType>)> {
        self.graph.arguments.iter().filter_map(|argument| match &argument.kind {
            ArgumentKind::Input(name) => Some((name.as_str(), number_dtype(&argument.ty))),
            _ => None,
        })
    }

    /// Element type and sizes of a parameter, buffer or constant; none if there is none of this name, or it has run-time sizes.
    pub fn state_type(&self, name: &str) -> Option<(DType, Vec<usize>)> {
        let argument = self.graph.arguments.iter().find(|argument| match &argument.kind {
            ArgumentKind::Parameter(own) | ArgumentKind::Buffer(own) | ArgumentKind::Constant(own) => own == name,
            ArgumentKind::Input(_) => false,
        })?;
        let ValueType::Array { dtype, shape } = &argument.ty else { return None };
        Some((*dtype, shape.iter().copied().collect::<Option<_>>()?))
    }

    /// Sets a parameter, buffer or constant.
    ///
    /// # Errors
    /// If the tensor is absurdly large.
    pub fn set_state(&mut self, name: &str, tensor: &HostTensor) -> Result<()> {
        self.state.insert(name.to_string(), Array::from_tensor(tensor)?);
        Ok(())
    }

    /// Evaluates the program on the user inputs, in order.
    ///
    /// # Errors
    /// If an input or state is absent or does not fit, or an op fails.
    pub fn call(&self, inputs: &[HostValue]) -> Outcome<Vec<OutputItem>> {
        let fail = |text: String| error_at("call", text);
        let arguments = self.arguments(inputs).map_err(fail)?;
        self.bind_symbols(&arguments).map_err(fail)?;
        let results = run(&self.graph, arguments)?;
        let item =
            |(kind, value): (&fx_runtime::plan::OutputKind, Value)| Ok(OutputItem { kind: kind.clone(), value: Some(host_value(value)?) });
        self.graph.outputs.iter().zip(results).map(item).collect::<Result<_>>().map_err(fail)
    }

    fn arguments(&self, inputs: &[HostValue]) -> Result<Vec<Value>> {
        let expected = self.inputs().count();
        if inputs.len() != expected {
            return Err(format!("the program takes {expected} inputs, got {}", inputs.len()));
        }
        let mut inputs = inputs.iter();
        let mut values = Vec::new();
        for argument in &self.graph.arguments {
            let value = match &argument.kind {
                ArgumentKind::Input(name) => {
                    input(argument, inputs.next().ok_or("an input is missing")?).map_err(|e| format!("{name}: {e}"))?
                }
                ArgumentKind::Parameter(name) | ArgumentKind::Buffer(name) | ArgumentKind::Constant(name) => {
                    self.state.get(name).cloned().ok_or_else(|| format!("'{name}' was not set"))?.into()
                }
            };
            fits(argument, &value)?;
            values.push(value);
        }
        Ok(values)
    }

    /// Sizes with one name must be equal and in their range.
    fn bind_symbols(&self, values: &[Value]) -> Result<()> {
        let mut bound: BTreeMap<&str, i64> = BTreeMap::new();
        for (argument, value) in self.graph.arguments.iter().zip(values) {
            let sizes = match value {
                Value::Array(array) => array.shape().iter().map(|size| *size as i64).collect(),
                Value::Number(number) => vec![number.int()],
            };
            for (name, size) in argument.symbols.iter().zip(sizes) {
                let Some(name) = name.as_deref() else { continue };
                if *bound.entry(name).or_insert(size) != size {
                    return Err(format!("size '{name}' is {} and {size}", bound[name]));
                }
            }
        }
        for symbol in &self.graph.symbols {
            if let Some(size) =
                bound.get(symbol.name.as_str()).filter(|size| **size < symbol.min || symbol.max.is_some_and(|max| **size > max))
            {
                return Err(format!("size '{}' is {size}, out of its range from {} to {:?}", symbol.name, symbol.min, symbol.max));
            }
        }
        Ok(())
    }
}

fn number_dtype(ty: &ValueType) -> Option<DType> {
    match ty {
        ValueType::Number(NumberKind::Int) => Some(DType::I64),
        ValueType::Number(NumberKind::Float) => Some(DType::F64),
        ValueType::Number(NumberKind::Bool) => Some(DType::Bool),
        ValueType::Number(NumberKind::Complex) => Some(DType::C128),
        ValueType::Array { .. } | ValueType::None => None,
    }
}

fn input(argument: &Argument, value: &HostValue) -> Result<Value> {
    Ok(match (value, number_dtype(&argument.ty)) {
        (HostValue::Tensor(tensor), None) => Array::from_tensor(tensor)?.into(),
        (HostValue::Int(value), Some(DType::I64)) => Number::Int(*value).into(),
        (HostValue::Int(value), Some(DType::F64)) => Number::Float(*value as f64).into(),
        (HostValue::Float(value), Some(DType::F64)) => Number::Float(*value).into(),
        (HostValue::Bool(value), Some(DType::Bool)) => Number::Bool(*value).into(),
        (other, _) => return Err(format!("got {other:?}, expected {:?}", argument.ty)),
    })
}

fn fits(argument: &Argument, value: &Value) -> Result<()> {
    let (Value::Array(array), ValueType::Array { dtype, shape }) = (value, &argument.ty) else { return Ok(()) };
    let same = |(size, known): (&usize, &Option<usize>)| known.is_none_or(|known| known == *size);
    if array.dtype() == *dtype && array.rank() == shape.len() && array.shape().iter().zip(shape).all(same) {
        return Ok(());
    }
    Err(format!("{:?} is {} of shape {:?}, expected {dtype} of shape {shape:?}", argument.kind, array.dtype(), array.shape()))
}

fn host_value(value: Value) -> Result<HostValue> {
    Ok(match value {
        Value::Array(array) => HostValue::Tensor(array.to_tensor()?),
        Value::Number(Number::Int(value)) => HostValue::Int(value),
        Value::Number(Number::Float(value)) => HostValue::Float(value),
        Value::Number(Number::Bool(value)) => HostValue::Bool(value),
        Value::Number(Number::Complex(_)) => return Err("a complex number cannot be a result".into()),
    })
}
