//! Operators that the dialect does not know, as `fx.call`.

use fx_ir::{Attribute, Context, DYNAMIC, Type, Value};

use super::memory::Memory;
use super::numbers;
use super::problem::{Outcome, Problem};
use super::scope::Scope;
use super::types;
use crate::schema::{Argument, Node, SymBoolArgument, SymFloatArgument, SymIntArgument};

/// Builds the call: tensors and symbolic numbers are operands, of which `fx.operands` has the names of
/// their arguments in the operator's schema; all else is in `args`. In a list of integers of `args`, an
/// entry that is an operand is the dynamic size.
pub(super) fn unknown<'c>(
    scope: &Scope<'_, 'c>,
    memory: &mut Memory<'c>,
    node: &Node,
    (namespace, name, overload): (&str, &str, &str),
) -> Outcome<Vec<Value<'c>>> {
    let context = scope.builder.context();
    let mut operands = Vec::new();
    let mut names = Vec::new();
    let mut constants: Vec<(&str, Attribute<'c>)> = Vec::new();
    let mut present: Vec<(String, Attribute<'c>)> = Vec::new();
    for input in &node.inputs {
        let argument = input.name.as_str();
        let values = input.arg.values();
        if let Argument::OptionalTensors(list) = &input.arg {
            let flags: Vec<bool> = list.iter().map(|entry| entry.tensor().is_some()).collect();
            present.push((format!("present_{argument}"), Attribute::bools(context, &flags)));
        }
        if values.is_empty() || matches!(input.arg, Argument::SymInts(_)) {
            let unsupported = || {
                Problem::new(
                    format!(
                        "argument '{argument}' of the unknown operator '{namespace}.{name}.{overload}' is \
                         '{}', which a call cannot hold",
                        input.arg.key()
                    ),
                    "give the operator an fx op, or decompose it before export",
                )
            };
            if let Some(constant) = constant(context, &input.arg).map_err(|_| unsupported())? {
                constants.push((argument, constant));
            }
        }
        for (_, value) in values {
            operands.push(scope.value(memory, value)?);
            names.push(Attribute::string(context, argument));
        }
    }
    constants.extend(present.iter().map(|(name, value)| (name.as_str(), *value)));
    let target = match overload {
        "default" => format!("{namespace}::{name}"),
        _ => format!("{namespace}::{name}.{overload}"),
    };
    let mut attributes = vec![("target", Attribute::string(context, &target))];
    if !constants.is_empty() {
        attributes.push(("args", Attribute::dictionary(context, &constants)));
    }
    attributes.push(("fx.operands", Attribute::array(context, &names)));
    let results = scope.results(node)?;
    let results: Vec<Type<'c>> = results.iter().map(|r| r.map_or(Type::none(context), |(_, ty)| ty)).collect();
    Ok(scope.builder.op("fx.call", &operands, &results, &attributes).results())
}

/// A constant argument as an attribute; none for one that says nothing.
fn constant<'c>(context: &'c Context, argument: &Argument) -> Outcome<Option<Attribute<'c>>> {
    let strings = |list: &[String]| {
        let list: Vec<_> = list.iter().map(|text| Attribute::string(context, text)).collect();
        Attribute::array(context, &list)
    };
    Ok(Some(match argument {
        Argument::None | Argument::OptionalTensor(_) => return Ok(None),
        Argument::Tensors(_) | Argument::OptionalTensors(_) => return Ok(None),
        Argument::SymInts(list) => {
            let list: Vec<i64> = list
                .iter()
                .map(|entry| match entry {
                    SymIntArgument::Int(value) => *value,
                    SymIntArgument::Name(_) => DYNAMIC,
                })
                .collect();
            Attribute::i64s(context, &list)
        }
        Argument::Ints(list) => Attribute::i64s(context, list),
        Argument::Floats(list) => Attribute::f64s(context, list),
        Argument::Bools(list) => Attribute::bools(context, list),
        Argument::String(text) => Attribute::string(context, text),
        Argument::Strings(list) => strings(list),
        Argument::ScalarType(dtype) => Attribute::from_type(types::element(context, *dtype)?),
        Argument::Layout(layout) => Attribute::string(context, layout.name()),
        Argument::MemoryFormat(format) => Attribute::string(context, format.name()),
        Argument::Device(device) => Attribute::string(context, &device.kind),
        Argument::Complex(value) => Attribute::f64s(context, &[value.real, value.imag]),
        Argument::Int(_)
        | Argument::Float(_)
        | Argument::Bool(_)
        | Argument::SymInt(SymIntArgument::Int(_))
        | Argument::SymFloat(SymFloatArgument::Float(_))
        | Argument::SymBool(SymBoolArgument::Bool(_)) => {
            return Ok(numbers::attribute(context, argument));
        }
        _ => return Err(Problem::new("not a constant", "")),
    }))
}
