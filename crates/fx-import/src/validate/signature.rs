//! Signature against graph: `input_specs[i]` describes `graph.inputs[i]`, and likewise for outputs.

use std::collections::HashSet;

use crate::error::{ImportError, quoted};
use crate::schema::{Argument, ConstantValue, Graph, GraphSignature, InputSpec, OutputSpec};

/// Names that outputs may refer to.
#[derive(Default)]
struct Inputs<'a> {
    parameters: HashSet<&'a str>,
    buffers: HashSet<&'a str>,
    constants: HashSet<&'a str>,
    objects: HashSet<&'a str>,
    user_inputs: HashSet<&'a str>,
}

/// Checks a program's signature.
pub(super) fn check(graph: &Graph, signature: &GraphSignature) -> Result<(), ImportError> {
    let counts =
        [("input", signature.input_specs.len(), graph.inputs.len()), ("output", signature.output_specs.len(), graph.outputs.len())];
    for (what, specs, arguments) in counts {
        if specs != arguments {
            let expected = format!("{arguments} {what}_specs, as many as the graph's {what}s");
            return Err(ImportError::mismatch(expected, specs.to_string()).at(|| format!("graph_module.signature.{what}_specs")));
        }
    }
    let mut inputs = Inputs::default();
    for (index, (spec, argument)) in signature.input_specs.iter().zip(&graph.inputs).enumerate() {
        let at = || format!("graph_module.signature.input_specs[{index}] {}", spec.key());
        inputs.add(spec, argument).map_err(|error| error.at(at))?;
    }
    for (index, (spec, argument)) in signature.output_specs.iter().zip(&graph.outputs).enumerate() {
        let at = || format!("graph_module.signature.output_specs[{index}] {}", spec.key());
        inputs.check_output(spec, argument).map_err(|error| error.at(at))?;
    }
    Ok(())
}

impl<'a> Inputs<'a> {
    fn add(&mut self, spec: &'a InputSpec, argument: &Argument) -> Result<(), ImportError> {
        match spec {
            InputSpec::UserInput(spec) => {
                check_same(&spec.arg, argument)?;
                self.user_inputs.extend(spec.arg.values().into_iter().map(|(_, name)| name));
                Ok(())
            }
            InputSpec::Parameter(spec) => {
                check_name(&spec.arg.name, argument)?;
                add_once(&mut self.parameters, &spec.parameter_name)
            }
            InputSpec::Buffer(spec) => {
                check_name(&spec.arg.name, argument)?;
                add_once(&mut self.buffers, &spec.buffer_name)
            }
            InputSpec::TensorConstant(spec) => {
                check_name(&spec.arg.name, argument)?;
                add_once(&mut self.constants, &spec.tensor_constant_name)
            }
            InputSpec::CustomObj(spec) => {
                check_name(&spec.arg.name, argument)?;
                add_once(&mut self.objects, &spec.custom_obj_name)
            }
            InputSpec::Token(spec) => check_name(&spec.arg.name, argument),
            InputSpec::ConstantInput(spec) => {
                check_constant(&spec.value, argument)?;
                add_once(&mut self.user_inputs, &spec.name)
            }
        }
    }

    fn check_output(&self, spec: &OutputSpec, argument: &Argument) -> Result<(), ImportError> {
        let (value, referred) = match spec {
            OutputSpec::UserOutput(spec) => return check_same(&spec.arg, argument),
            OutputSpec::LossOutput(spec) => (&spec.arg.name, None),
            OutputSpec::Token(spec) => (&spec.arg.name, None),
            OutputSpec::BufferMutation(spec) => (&spec.arg.name, Some(("buffer", &self.buffers, &spec.buffer_name))),
            OutputSpec::ParameterMutation(spec) => (&spec.arg.name, Some(("parameter", &self.parameters, &spec.parameter_name))),
            OutputSpec::GradientToParameter(spec) => (&spec.arg.name, Some(("parameter", &self.parameters, &spec.parameter_name))),
            OutputSpec::GradientToUserInput(spec) => (&spec.arg.name, Some(("user input", &self.user_inputs, &spec.user_input_name))),
            OutputSpec::UserInputMutation(spec) => (&spec.arg.name, Some(("user input", &self.user_inputs, &spec.user_input_name))),
        };
        check_name(value, argument)?;
        match referred {
            Some((what, names, name)) if !names.contains(name.as_str()) => {
                let expected = format!("a {what} {} among the inputs", quoted(name));
                Err(ImportError::mismatch(expected, "none"))
            }
            _ => Ok(()),
        }
    }
}

fn add_once<'a>(names: &mut HashSet<&'a str>, name: &'a str) -> Result<(), ImportError> {
    match names.insert(name) {
        true => Ok(()),
        false => Err(ImportError::mismatch("one input of this name", format!("{} twice", quoted(name)))),
    }
}

/// Whether a graph's argument is the one value of that name.
fn check_name(name: &str, argument: &Argument) -> Result<(), ImportError> {
    let single = matches!(argument, Argument::Tensor(_) | Argument::CustomObj(_));
    if single && argument.values().iter().any(|(_, value)| *value == name) {
        return Ok(());
    }
    let expected = format!("the graph's {}", describe(argument));
    Err(ImportError::mismatch(expected, quoted(name)))
}

/// Whether two arguments are of one kind and name the same values. Constants are not compared: they
/// may be NaN.
fn check_same(spec: &Argument, argument: &Argument) -> Result<(), ImportError> {
    if spec.key() == argument.key() && spec.values() == argument.values() {
        return Ok(());
    }
    let expected = format!("the graph's {}", describe(argument));
    Err(ImportError::mismatch(expected, describe(spec)))
}

fn check_constant(value: &ConstantValue, argument: &Argument) -> Result<(), ImportError> {
    if value.key() == argument.key() {
        return Ok(());
    }
    let expected = format!("the graph's {}", describe(argument));
    Err(ImportError::mismatch(expected, value.key()))
}

fn describe(argument: &Argument) -> String {
    match argument.values().as_slice() {
        [(_, name)] => format!("{} {}", argument.key(), quoted(name)),
        _ => argument.key().to_owned(),
    }
}
