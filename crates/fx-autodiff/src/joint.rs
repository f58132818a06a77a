//! A function with its derivatives as further results.

use std::collections::HashMap;

use fx_ir::{Attribute, Builder, Op, Result, Value};
use fx_ops::fx_builder::Fx;
use fx_ops::gradient::{Conventions, is_differentiable, ones_like, zeros_like};
use fx_ops::rows::derivatives::whole::put_together;

use crate::forward::Forward;
use crate::interface::{Entries, Interface};
use crate::reverse::Reverse;
use crate::tape::Tape;

/// Arguments that are differentiated by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Arguments {
    /// All float and complex parameters and inputs.
    All,
    /// Parameters that require gradients.
    Parameters,
    /// These.
    Given(Vec<usize>),
    /// Those with these targets: names of parameters and of inputs in the graph.
    Targets(Vec<String>),
}

/// Cotangents of results.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cotangents {
    /// Further arguments, `cotangent.N` of output N and `cotangent.NAME` of the new value of input NAME, after all others;
    /// `fx.cotangent` says which.
    Arguments,
    /// Ones: the gradient of the sum of all elements, which for a loss is its own.
    Ones,
    /// Ones if all outputs are of rank 0, else arguments.
    Suitable,
}

/// What is wanted.
#[derive(Debug, Clone)]
pub struct Request {
    /// By what.
    pub arguments: Arguments,
    /// Outputs that are differentiated; none means all.
    pub outputs: Option<Vec<usize>>,
    /// Whether new values of inputs are differentiated too: a caller who goes on with a changed input has a cotangent of it.
    pub changed: bool,
    /// Their cotangents.
    pub cotangents: Cotangents,
    /// Whether an argument that has no influence gets zeros; else it has no gradient among the results.
    pub zeros: bool,
    /// Conventions where there is no derivative.
    pub conventions: Conventions,
    /// Targets of arguments that are one and the same tensor, group by group: each gets the gradient of all uses.
    pub tied: Vec<Vec<String>>,
}

impl Default for Request {
    fn default() -> Self {
        Self {
            arguments: Arguments::All,
            outputs: None,
            changed: false,
            cotangents: Cotangents::Ones,
            zeros: true,
            conventions: Conventions::Eager,
            tied: Vec::new(),
        }
    }
}

/// Adds gradients to a function: results of kind `parameter_gradient` or `input_gradient`, with the target of their argument,
/// in the order of arguments. What was there stays, ops are added at the end.
///
/// # Errors
/// If an op on the way has no derivative, or the request names what is not there: reported.
pub fn add_gradients(function: Op<'_>, request: &Request) -> Result {
    let mut interface = Interface::read(function)?;
    let by = arguments(&interface, &request.arguments)?;
    let arguments = tie(&interface, &request.tied);
    let mut tape = Tape::new(by.iter().map(|index| arguments[*index]));
    tape.record(body_ops(&interface)?)?;
    let b = Builder::before(interface.end);
    let outputs = differentiated(&interface, request)?;
    let ones = match request.cotangents {
        Cotangents::Ones => true,
        Cotangents::Arguments => false,
        Cotangents::Suitable => outputs.iter().all(|output| output.value.ty().rank() == 0),
    };
    let mut reverse = Reverse::new(b, request.conventions);
    for Differentiated { name, key, value } in outputs {
        let cotangent = if ones {
            ones_like(&Fx { b }, value)?
        } else {
            let mut entries = named(function, &format!("cotangent.{name}"));
            entries.push(("fx.cotangent", key));
            interface.add_argument(value.ty(), entries)
        };
        if tape.varies(value) {
            reverse.add(value, cotangent)?;
        }
    }
    reverse.run(&tape)?;
    for index in by {
        let gradient = match reverse.cotangent(arguments[index]) {
            Some(gradient) => gradient,
            None if request.zeros => zeros_like(&Fx { b }, arguments[index])?,
            None => continue,
        };
        let kind = if interface.argument_kind(index) == "parameter" { "parameter_gradient" } else { "input_gradient" };
        let target = interface.argument_target(index);
        let text = |text: &str| Attribute::string(function.context(), text);
        interface.add_result(gradient, vec![("fx.kind", text(kind)), ("fx.target", text(&target))]);
    }
    interface.write();
    Ok(())
}

/// The arguments, in place of tied ones the first of them, which all uses get.
fn tie<'c>(interface: &Interface<'c>, tied: &[Vec<String>]) -> Vec<Value<'c>> {
    let mut arguments = interface.body.arguments();
    let target = |index: usize| interface.argument_text(index, "fx.target");
    for group in tied {
        let is_in = |index: &usize| target(*index).is_some_and(|name| group.iter().any(|other| other == name));
        let members: Vec<_> = (0..arguments.len()).filter(is_in).collect();
        let Some((first, others)) = members.split_first() else { continue };
        for other in others.iter().filter(|other| arguments[**other].ty() == arguments[*first].ty()).copied().collect::<Vec<_>>() {
            arguments[other].replace_all_uses_with(arguments[*first]);
            arguments[other] = arguments[*first];
        }
    }
    arguments
}

/// Makes plain outputs of a function's gradients and adds the gradients of these, by what `request` says.
///
/// # Errors
/// As [`add_gradients`].
pub fn add_second_gradients(function: Op<'_>, request: &Request) -> Result {
    let mut interface = Interface::read(function)?;
    let outputs = interface.gradients_to_outputs();
    interface.write();
    add_gradients(function, &Request { outputs: Some(outputs), ..request.clone() })
}

/// Adds tangents to a function: arguments `tangent.NAME`, one for each of the request's arguments, after all others, and
/// results, one for each output, zeros where nothing varies.
///
/// # Errors
/// As [`add_gradients`].
pub fn add_tangents(function: Op<'_>, request: &Request) -> Result {
    let mut interface = Interface::read(function)?;
    let by = arguments(&interface, &request.arguments)?;
    let arguments = interface.body.arguments();
    let mut tape = Tape::new(by.iter().map(|index| arguments[*index]));
    tape.record(body_ops(&interface)?)?;
    let mut tangents = HashMap::new();
    for index in by {
        let target = interface.argument_target(index);
        let mut entries = named(function, &format!("tangent.{target}"));
        entries.extend(interface.argument_attribute(index, "fx.dims").map(|dims| ("fx.dims", dims)));
        let tangent = interface.add_argument(arguments[index].ty(), entries);
        tangents.insert(arguments[index], tangent);
    }
    let mut forward = Forward::new(interface.end, tangents, request.conventions);
    forward.run(&tape)?;
    let f = Fx { b: Builder::before(interface.end) };
    for (_, value) in outputs(&interface, request.outputs.as_deref())? {
        let tangent = forward.tangent(value).map_or_else(|| zeros_like(&f, value), Ok)?;
        interface.add_result(tangent, vec![("fx.kind", Attribute::string(function.context(), "output"))]);
    }
    interface.write();
    Ok(())
}

fn named<'c>(function: Op<'c>, name: &str) -> Entries<'c> {
    let text = |text: &str| Attribute::string(function.context(), text);
    vec![("fx.kind", text("input")), ("fx.target", text(name)), ("fx.name", text(name))]
}

fn body_ops<'c>(interface: &Interface<'c>) -> Result<Vec<Op<'c>>> {
    let ops = || interface.body.ops().into_iter().filter(|op| *op != interface.end).collect::<Vec<_>>();
    put_together(&ops())?;
    Ok(ops())
}

fn arguments(interface: &Interface<'_>, wanted: &Arguments) -> Result<Vec<usize>> {
    let arguments = interface.body.arguments();
    let differentiable = |index: &usize| is_differentiable(arguments[*index].ty());
    let kind_in = |index: usize, kinds: &[&str]| kinds.contains(&interface.argument_kind(index));
    match wanted {
        Arguments::All => {
            Ok((0..arguments.len()).filter(|index| differentiable(index) && kind_in(*index, &["parameter", "input"])).collect())
        }
        Arguments::Parameters => {
            let requires =
                |index: usize| interface.argument_attribute(index, "fx.requires_grad").and_then(Attribute::as_bool) != Some(false);
            let wanted = |index: &usize| differentiable(index) && kind_in(*index, &["parameter"]) && requires(*index);
            Ok((0..arguments.len()).filter(wanted).collect())
        }
        Arguments::Given(indices) => {
            if let Some(index) = indices.iter().find(|index| **index >= arguments.len() || !differentiable(index)) {
                return Err(interface.error(&format!("argument {index} is no tensor of floats that could be differentiated by")));
            }
            Ok(indices.clone())
        }
        Arguments::Targets(targets) => {
            let index = |target: &String| {
                let found = (0..arguments.len())
                    .find(|index| interface.argument_text(*index, "fx.target") == Some(target) && differentiable(index));
                found.ok_or_else(|| interface.error(&format!("there is no tensor of floats '{target}' that could be differentiated by")))
            };
            targets.iter().map(index).collect()
        }
    }
}

/// A result that is differentiated.
struct Differentiated<'c> {
    /// What its cotangent is called.
    name: String,
    /// The same as an attribute: a number for outputs.
    key: Attribute<'c>,
    value: Value<'c>,
}

/// New values of inputs, if wanted, and outputs.
fn differentiated<'c>(interface: &Interface<'c>, request: &Request) -> Result<Vec<Differentiated<'c>>> {
    let (context, values) = (interface.function.context(), interface.end.operands());
    let changed = |index: usize| {
        let name = interface.result_text(index, "fx.mutates").filter(|_| interface.result_kind(index) == "input_mutation")?;
        let value = values[index];
        is_differentiable(value.ty()).then(|| Differentiated { name: name.to_string(), key: Attribute::string(context, name), value })
    };
    let mut all: Vec<_> = (0..interface.result_count()).filter(|_| request.changed).filter_map(changed).collect();
    let output = |(number, value): (usize, Value<'c>)| Differentiated {
        name: number.to_string(),
        key: Attribute::i64(context, number as i64),
        value,
    };
    all.extend(outputs(interface, request.outputs.as_deref())?.into_iter().map(output));
    Ok(all)
}

/// Differentiated outputs with their number among all outputs that are tensors.
fn outputs<'c>(interface: &Interface<'c>, wanted: Option<&[usize]>) -> Result<Vec<(usize, Value<'c>)>> {
    let values = interface.end.operands();
    let outputs: Vec<_> = (0..interface.result_count())
        .filter(|index| interface.result_kind(*index) == "output" && values[*index].ty().is_tensor())
        .collect();
    let all = outputs.iter().enumerate().map(|(number, index)| (number, values[*index]));
    let Some(wanted) = wanted else { return Ok(all.filter(|(_, value)| is_differentiable(value.ty())).collect()) };
    let chosen: Vec<_> = wanted.iter().filter_map(|number| Some((*number, values[*outputs.get(*number)?]))).collect();
    match chosen.iter().find(|(_, value)| !is_differentiable(value.ty())) {
        _ if chosen.len() < wanted.len() => {
            Err(interface.error(&format!("the function has {} outputs, not all of those named", outputs.len())))
        }
        Some((number, _)) => Err(interface.error(&format!("output {number} is no tensor of floats that could be differentiated"))),
        None => Ok(chosen),
    }
}
