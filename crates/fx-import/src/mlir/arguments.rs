//! Arguments of an operator as operands and attributes of the fx op that it imports as.
//!
//! Everything follows from the op's definition (`fx_ir::OpDef`) and the operator's schema: which fx
//! argument takes which schema argument (`registry`), and the form by the fx argument's kind and
//! constraint. The conventions are those of `FxBase.td`.

use std::borrow::Cow;

use fx_ir::{ArgDef, ArgKind, Attribute, Context, DYNAMIC, Type, Value};

use super::memory::Memory;
use super::numbers;
use super::problem::{Outcome, Problem};
use super::registry::{Entry, Origin};
use super::schema_text::{self, Schema};
use super::scope::Scope;
use super::types;
use crate::schema::{Argument, Node, SymIntArgument};

/// Arguments that mean nothing for a value: where a tensor lies, how its memory is laid out, which
/// kernel computes it, how its gradient is stored.
const MEANINGLESS: &[&str] = &[
    "copy",
    "cudnn_enabled",
    "device",
    "generator",
    "implicit",
    "layout",
    "memory_format",
    "non_blocking",
    "physical_layout",
    "pin_memory",
    "requires_grad",
    "sparse",
    "sparse_grad",
    "stride",
    "strides",
];

/// A call of an operator that has an fx op.
pub(super) struct Call<'a> {
    pub(super) node: &'a Node,
    /// Such as `aten.add.Tensor`.
    pub(super) overload: String,
    pub(super) entry: Entry,
    pub(super) schema: Option<&'static Schema>,
    /// Arguments that get a new value: the functional operator need not have them (`out`).
    pub(super) written: Vec<&'static str>,
}

/// Operands and attributes of an op.
#[derive(Default)]
pub(super) struct Built<'c> {
    pub(super) operands: Vec<Value<'c>>,
    pub(super) attributes: Vec<(Cow<'static, str>, Attribute<'c>)>,
    /// Number of operands of each group.
    segments: Vec<i32>,
    /// Schema arguments that a group of operands comes from, with its first operand.
    pub(super) sources: Vec<(&'static str, usize)>,
}

impl<'c> Built<'c> {
    fn group(&mut self, source: &'static str, values: Vec<Value<'c>>) {
        self.sources.push((source, self.operands.len()));
        self.segments.push(i32::try_from(values.len()).unwrap_or(i32::MAX));
        self.operands.extend(values);
    }

    fn attribute(&mut self, name: impl Into<Cow<'static, str>>, value: Attribute<'c>) {
        self.attributes.push((name.into(), value));
    }
}

/// Converts all arguments of a call.
pub(super) fn convert<'c>(call: &Call<'_>, scope: &Scope<'_, 'c>, memory: &mut Memory<'c>) -> Outcome<Built<'c>> {
    let mut converter = Converter { call, scope, memory, context: scope.builder.context(), built: Built::default(), used: Vec::new() };
    for argument in call.entry.def.arguments {
        if converter.is_companion(argument) {
            continue;
        }
        let about = |problem: Problem| problem.about(&format!("argument '{}' of '{}'", argument.name, call.overload));
        converter.argument(argument).map_err(about)?;
    }
    converter.check_unused()?;
    let mut built = converter.built;
    if call.entry.def.segmented {
        let segments = Attribute::i32s(scope.builder.context(), &built.segments);
        built.attribute("operandSegmentSizes", segments);
    }
    Ok(built)
}

struct Converter<'b, 'a, 'c> {
    call: &'b Call<'b>,
    scope: &'b Scope<'a, 'c>,
    memory: &'b mut Memory<'c>,
    context: &'c Context,
    built: Built<'c>,
    used: Vec<&'static str>,
}

impl<'b, 'c> Converter<'b, '_, 'c> {
    /// Whether an attribute belongs to an operand group and is set along with it.
    fn is_companion(&self, argument: &ArgDef) -> bool {
        let of = argument.name.strip_prefix("static_").or_else(|| argument.name.strip_prefix("present_"));
        of.is_some_and(|name| {
            let arguments = self.call.entry.def.arguments;
            let group = arguments.iter().find(|argument| argument.name == name);
            group.is_some_and(|group| group.kind == ArgKind::Variadic)
        })
    }

    fn argument(&mut self, argument: &'static ArgDef) -> Outcome<()> {
        let (source, given) = self.given(argument.name)?;
        let given = given.as_deref();
        match argument.kind {
            ArgKind::Variadic if argument.constraint == "Index" => self.sizes(argument.name, source, given),
            ArgKind::Variadic => self.tensors(argument.name, source, given),
            ArgKind::Operand | ArgKind::Optional => {
                let value = match given {
                    Some(given) => Some(self.operand(argument.constraint, given)?),
                    None if argument.kind == ArgKind::Optional => None,
                    None => return Err(missing()),
                };
                self.built.group(source, value.into_iter().collect());
                Ok(())
            }
            ArgKind::Attribute | ArgKind::OptionalAttribute => match given {
                Some(given) => {
                    let list = self.call.schema.and_then(|schema| schema.argument(source));
                    let count = list.and_then(|parameter| parameter.kind.list);
                    let value = attribute(self.context, argument.constraint, given, count)?;
                    self.built.attribute(argument.name, value);
                    Ok(())
                }
                None if argument.kind == ArgKind::OptionalAttribute => Ok(()),
                None => Err(missing()),
            },
        }
    }

    /// What the call gives for an argument of the fx op, and the schema argument that it comes from.
    fn given(&mut self, name: &'static str) -> Outcome<(&'static str, Option<Cow<'b, Argument>>)> {
        let source = match self.call.entry.origin(name) {
            Origin::Literal(text) => {
                let literal = schema_text::literal(text, false)
                    .ok_or_else(|| Problem::new(format!("'{text}' is no constant"), "correct the dialect"))?;
                return Ok((name, Some(Cow::Owned(literal))));
            }
            Origin::Nothing => return Ok((name, None)),
            Origin::Schema("input") if !self.has_argument("input") => "self",
            Origin::Schema(source) => source,
        };
        self.used.push(source);
        let given = self.call.node.input(source).or_else(|| {
            let parameter = self.call.schema?.argument(source)?;
            parameter.default.as_ref()
        });
        let given = given.filter(|given| !is_none(given));
        Ok((source, given.map(Cow::Borrowed)))
    }

    /// Whether the operator has an argument of that name, as far as is known.
    fn has_argument(&self, name: &str) -> bool {
        match self.call.schema {
            Some(schema) => schema.argument(name).is_some(),
            None => self.call.node.input(name).is_some(),
        }
    }

    fn operand(&mut self, constraint: &str, given: &Argument) -> Outcome<Value<'c>> {
        let value = self.scope.single(self.memory, given)?;
        let value = value.ok_or_else(|| unexpected("a tensor or a number", given))?;
        if value.ty().is_tensor() || constraint.contains("Scalar") {
            return Ok(value);
        }
        Err(unexpected("a tensor", given))
    }

    fn tensors(&mut self, name: &'static str, source: &'static str, given: Option<&Argument>) -> Outcome<()> {
        let names: Vec<Option<&str>> = match given {
            None => Vec::new(),
            Some(Argument::Tensors(list)) => list.iter().map(|t| Some(t.name.as_str())).collect(),
            Some(Argument::OptionalTensors(list)) => list.iter().map(|entry| entry.tensor().map(|tensor| tensor.name.as_str())).collect(),
            Some(given) if numbers::is_empty_list(given) => Vec::new(),
            Some(given) => match given.tensor_name() {
                Some(name) => vec![Some(name)],
                None => return Err(unexpected("tensors", given)),
            },
        };
        let present: Vec<bool> = names.iter().map(Option::is_some).collect();
        let companion = format!("present_{name}");
        if self.call.entry.has(&companion) {
            let present = Attribute::bools(self.context, &present);
            self.built.attribute(companion, present);
        } else if present.contains(&false) {
            return Err(Problem::new("a list with absent tensors is not supported", format!("the fx op needs an attribute '{companion}'")));
        }
        let mut values = Vec::new();
        for name in names.into_iter().flatten() {
            values.push(self.scope.value(self.memory, name)?);
        }
        self.built.group(source, values);
        Ok(())
    }

    /// A list of integers of which some may be values.
    fn sizes(&mut self, name: &'static str, source: &'static str, given: Option<&Argument>) -> Outcome<()> {
        let mut values = Vec::new();
        let mut list = Vec::new();
        match given {
            None => {}
            Some(Argument::SymInts(entries)) => {
                for entry in entries {
                    list.push(self.size(entry, &mut values)?);
                }
            }
            Some(Argument::SymInt(entry)) => list.push(self.size(entry, &mut values)?),
            Some(given) => {
                let ints = numbers::ints(given).ok_or_else(|| unexpected("integers", given))?;
                list = repeated(ints, self.list_length(source), given);
            }
        }
        let list = Attribute::i64s(self.context, &list);
        self.built.attribute(format!("static_{name}"), list);
        self.built.group(source, values);
        Ok(())
    }

    fn list_length(&self, source: &str) -> Option<usize> {
        self.call.schema?.argument(source)?.kind.list
    }

    fn size(&mut self, entry: &SymIntArgument, values: &mut Vec<Value<'c>>) -> Outcome<i64> {
        let name = match entry {
            SymIntArgument::Int(value) => return Ok(*value),
            SymIntArgument::Name(name) => name,
        };
        values.push(self.scope.value(self.memory, name)?);
        Ok(DYNAMIC)
    }

    /// Arguments that the fx op does not have must mean nothing, or be what they are by default.
    fn check_unused(&self) -> Outcome<()> {
        for input in &self.call.node.inputs {
            let name = input.name.as_str();
            if self.used.contains(&name) || self.call.written.contains(&name) || MEANINGLESS.contains(&name) || is_none(&input.arg) {
                continue;
            }
            let parameter = self.call.schema.and_then(|schema| schema.argument(name));
            let default = parameter.and_then(|parameter| parameter.default.as_ref());
            if default.is_some_and(|default| same(default, &input.arg)) {
                continue;
            }
            let (overload, op) = (&self.call.overload, self.call.entry.def.name);
            return Err(Problem::new(
                format!("argument '{name}' of '{overload}' is not supported: '{op}' has none such"),
                "leave the argument at its default",
            ));
        }
        Ok(())
    }
}

fn missing() -> Problem {
    Problem::malformed("expected a value, found none")
}

fn unexpected(expected: &str, given: &Argument) -> Problem {
    Problem::new(format!("expected {expected}, found '{}'", given.key()), "pass a value of the kind that the operator's schema states")
}

fn is_none(argument: &Argument) -> bool {
    match argument {
        Argument::None => true,
        Argument::OptionalTensor(tensor) => tensor.tensor().is_none(),
        _ => false,
    }
}

/// Whether two constants are equal, as numbers.
fn same(a: &Argument, b: &Argument) -> bool {
    a == b
        || matches!((numbers::float(a), numbers::float(b)), (Some(a), Some(b)) if a == b)
        || matches!((numbers::ints(a), numbers::ints(b)), (Some(a), Some(b)) if a == b)
}

/// A lone number for a list of known length stands for each entry.
fn repeated<T: Clone>(list: Vec<T>, length: Option<usize>, given: &Argument) -> Vec<T> {
    let lone = numbers::float(given).is_some();
    match (list.as_slice(), length) {
        ([value], Some(length)) if lone && length > 1 => vec![value.clone(); length],
        _ => list,
    }
}

/// An argument as an attribute of a constraint.
fn attribute<'c>(context: &'c Context, constraint: &str, given: &Argument, length: Option<usize>) -> Outcome<Attribute<'c>> {
    let value = match constraint {
        "I64Attr" => numbers::int(given).map(|value| Attribute::i64(context, value)),
        "F64Attr" => numbers::float(given).map(|value| Attribute::float(context, Type::f64(context), value)),
        "BoolAttr" => numbers::bool(given).map(|value| Attribute::bool(context, value)),
        "StrAttr" => match given {
            Argument::String(text) => Some(Attribute::string(context, text)),
            _ => None,
        },
        "DenseI64ArrayAttr" => numbers::ints(given).map(|list| Attribute::i64s(context, &repeated(list, length, given))),
        "DenseF64ArrayAttr" => numbers::floats(given).map(|list| Attribute::f64s(context, &repeated(list, length, given))),
        "DenseBoolArrayAttr" => numbers::bools(given).map(|list| Attribute::bools(context, &repeated(list, length, given))),
        "TypeAttr" => match given {
            Argument::ScalarType(dtype) => Some(Attribute::from_type(types::element(context, *dtype)?)),
            _ => None,
        },
        _ => numbers::attribute(context, given),
    };
    value.ok_or_else(|| unexpected(&format!("a constant for '{constraint}'"), given))
}
