//! Numbers in arguments: constants as values and as attributes.

use fx_ir::{Attribute, Builder, Context, Type, Value};

use crate::schema::{Argument, SymBoolArgument, SymFloatArgument, SymIntArgument};

/// A constant number as an attribute: `i64`, `f64` or a bool.
pub(super) fn attribute<'c>(context: &'c Context, argument: &Argument) -> Option<Attribute<'c>> {
    Some(match argument {
        Argument::Int(value) | Argument::SymInt(SymIntArgument::Int(value)) => Attribute::i64(context, *value),
        Argument::Float(value) | Argument::SymFloat(SymFloatArgument::Float(value)) => {
            Attribute::float(context, Type::f64(context), *value)
        }
        Argument::Bool(value) | Argument::SymBool(SymBoolArgument::Bool(value)) => Attribute::bool(context, *value),
        _ => return None,
    })
}

/// A constant number as a value: `i64`, `f64`, `i1` or `complex<f64>`.
pub(super) fn constant<'c>(builder: Builder<'c>, argument: &Argument) -> Option<Value<'c>> {
    let context = builder.context();
    if let Argument::Complex(value) = argument {
        let f64 = Type::f64(context);
        let part = |part| Attribute::float(context, f64, part);
        let parts = Attribute::array(context, &[part(value.real), part(value.imag)]);
        let ty = Type::complex(f64);
        return Some(builder.value("complex.constant", &[], ty, &[("value", parts)]));
    }
    let attribute = attribute(context, argument)?;
    Some(builder.constant(attribute, attribute.ty()))
}

/// A constant integer.
pub(super) fn int(argument: &Argument) -> Option<i64> {
    match argument {
        Argument::Int(value) | Argument::SymInt(SymIntArgument::Int(value)) => Some(*value),
        Argument::Bool(value) => Some(i64::from(*value)),
        _ => None,
    }
}

/// A constant float, or an integer as one.
pub(super) fn float(argument: &Argument) -> Option<f64> {
    match argument {
        Argument::Float(value) | Argument::SymFloat(SymFloatArgument::Float(value)) => Some(*value),
        _ => int(argument).map(|value| value as f64),
    }
}

/// A constant truth value.
pub(super) fn bool(argument: &Argument) -> Option<bool> {
    match argument {
        Argument::Bool(value) | Argument::SymBool(SymBoolArgument::Bool(value)) => Some(*value),
        Argument::Int(value) => Some(*value != 0),
        _ => None,
    }
}

/// A list of constant integers; a lone one is a list of one.
pub(super) fn ints(argument: &Argument) -> Option<Vec<i64>> {
    match argument {
        Argument::Ints(values) => Some(values.clone()),
        Argument::SymInts(values) => values
            .iter()
            .map(|value| match value {
                SymIntArgument::Int(value) => Some(*value),
                SymIntArgument::Name(_) => None,
            })
            .collect(),
        _ if is_empty_list(argument) => Some(Vec::new()),
        _ => int(argument).map(|value| vec![value]),
    }
}

/// A list of constant floats; integers count as floats, and a lone one is a list of one.
pub(super) fn floats(argument: &Argument) -> Option<Vec<f64>> {
    match argument {
        Argument::Floats(values) => Some(values.clone()),
        _ => match ints(argument) {
            Some(values) => Some(values.into_iter().map(|value| value as f64).collect()),
            None => float(argument).map(|value| vec![value]),
        },
    }
}

/// A list of constant truth values.
pub(super) fn bools(argument: &Argument) -> Option<Vec<bool>> {
    match argument {
        Argument::Bools(values) => Some(values.clone()),
        _ if is_empty_list(argument) => Some(Vec::new()),
        _ => bool(argument).map(|value| vec![value]),
    }
}

/// An empty list, whatever it is a list of.
pub(super) fn is_empty_list(argument: &Argument) -> bool {
    match argument {
        Argument::Ints(list) => list.is_empty(),
        Argument::Floats(list) => list.is_empty(),
        Argument::Bools(list) => list.is_empty(),
        Argument::Strings(list) => list.is_empty(),
        Argument::Tensors(list) => list.is_empty(),
        Argument::OptionalTensors(list) => list.is_empty(),
        Argument::SymInts(list) => list.is_empty(),
        _ => false,
    }
}
