//! Programs as text that needs no archive: what reproduces a failure.

use std::collections::BTreeMap;

use fx_autodiff::interface::{Entries, lists, text};
use fx_ir::{Attribute, Builder, Context, Op, Reported, Type, emit_error};
use fx_runtime::{HostTensor, Value};

use crate::compile::state_tensor;
use crate::program::main_of;
use crate::{Error, Program};

/// Attributes of a function that speak of the arguments and results that it had.
const CALLING_CONVENTION: [&str; 5] = ["fx.in_spec", "fx.out_spec", "fx.constant_inputs", "fx.none_outputs", "fx.output_values"];

impl Program {
    /// All arguments in order, by the names that they have in the graph, with their values: parameters, buffers and
    /// constants from the archive, inputs from `inputs`.
    ///
    /// # Errors
    /// If a value is missing, or the archive cannot be read.
    pub fn argument_values(&self, inputs: &BTreeMap<String, Value>) -> Result<Vec<(String, Value)>, Error> {
        let context = fx_ir::new_context(false);
        let arguments = self.with_module(&context, |module| main_of(module).map(arguments))?;
        let value = |argument: Argument| {
            let value = match (&argument.state, self.archive()) {
                (Some(path), Some(archive)) => Value::Tensor(state_tensor(archive, path)?),
                _ => inputs.get(&argument.name).cloned().ok_or_else(|| Error::Usage(format!("no value for '{}'", argument.name)))?,
            };
            Ok((argument.name, value))
        };
        arguments.into_iter().map(value).collect()
    }

    /// The text of phase `fx` without references to an archive. With `values`, those of all arguments in order, they
    /// are constants and the program has no argument; otherwise all arguments are inputs.
    ///
    /// # Errors
    /// If a value does not fit, or an argument with run-time sizes is to be a constant.
    pub fn standalone(&self, values: Option<&[Value]>) -> Result<String, Error> {
        let context = fx_ir::new_context(false);
        self.with_module(&context, |module| {
            let main = main_of(module)?;
            match values {
                Some(values) => make_constants(main, values)?,
                None => make_inputs(main),
            }
            CALLING_CONVENTION.iter().for_each(|name| {
                main.remove_attribute(name);
            });
            Ok(module.op().to_string() + "\n")
        })
    }
}

fn set_lists<'c>(main: Op<'c>, attribute: &str, lists: &[Entries<'c>]) {
    let lists: Vec<Attribute<'c>> = lists.iter().map(|entries| Attribute::dictionary(main.context(), entries)).collect();
    main.set_attribute(attribute, Attribute::array(main.context(), &lists));
}

fn set<'c>(entries: &mut Entries<'c>, key: &'c str, value: Attribute<'c>) {
    entries.retain(|(name, _)| *name != key);
    entries.push((key, value));
}

/// An argument of `@main`.
struct Argument {
    /// In the graph.
    name: String,
    /// In the archive.
    state: Option<String>,
}

fn arguments(main: Op<'_>) -> Vec<Argument> {
    let lists = lists(main, "arg_attrs");
    let count = main.body(0).map_or(0, |body| body.arguments().len());
    let none = Entries::new();
    let argument = |index: usize| {
        let entries = lists.get(index).unwrap_or(&none);
        let target = text(entries, "fx.target");
        let name = text(entries, "fx.name").or(target).map_or_else(|| format!("arg{index}"), str::to_string);
        let is_state = text(entries, "fx.kind").is_some_and(|kind| kind != "input");
        Argument { name, state: target.filter(|_| is_state).map(str::to_string) }
    };
    (0..count).map(argument).collect()
}

/// Every argument becomes an input; new values of what was state become outputs.
fn make_inputs(main: Op<'_>) {
    let context = main.context();
    let names = arguments(main);
    let mut lists_of_arguments = lists(main, "arg_attrs");
    lists_of_arguments.resize_with(names.len(), Entries::new);
    for (entries, argument) in lists_of_arguments.iter_mut().zip(&names) {
        set(entries, "fx.kind", Attribute::string(context, "input"));
        set(entries, "fx.target", Attribute::string(context, &argument.name));
        entries.retain(|(name, _)| !matches!(*name, "fx.persistent" | "fx.requires_grad"));
    }
    set_lists(main, "arg_attrs", &lists_of_arguments);
    make_outputs(main, &["input_mutation", "input_gradient"]);
}

/// Every argument becomes a constant, every result an output.
fn make_constants<'c>(main: Op<'c>, values: &[Value]) -> Result<(), Reported> {
    let context = main.context();
    let fail = |message: &str| emit_error(main.location(), message, &[]);
    let body = main.body(0).ok_or_else(|| fail("'@main' has no body"))?;
    let first = body.ops().first().copied().ok_or_else(|| fail("'@main' has an empty body"))?;
    let parameters = body.arguments();
    if parameters.len() != values.len() {
        return Err(fail(&format!("{} values for {} arguments", values.len(), parameters.len())));
    }
    for (index, (parameter, value)) in parameters.iter().zip(values).enumerate() {
        let attribute = constant(context, parameter.ty(), value).map_err(|message| fail(&format!("argument {index}: {message}")))?;
        parameter.replace_all_uses_with(Builder::before(first).constant(attribute, parameter.ty()));
    }
    for index in (0..parameters.len()).rev() {
        body.erase_argument(index);
    }
    let results = main.type_attribute("function_type").map(|ty| ty.signature().1).unwrap_or_default();
    main.set_attribute("function_type", Attribute::from_type(Type::function(context, &[], &results)));
    main.remove_attribute("arg_attrs");
    main.remove_attribute("fx.symbols");
    make_outputs(main, &[]);
    Ok(())
}

/// Results become plain outputs, except those of the kinds `kept`.
fn make_outputs(main: Op<'_>, kept: &[&str]) {
    let mut lists = lists(main, "res_attrs");
    for entries in &mut lists {
        if text(entries, "fx.kind").is_some_and(|kind| kept.contains(&kind)) {
            continue;
        }
        entries.retain(|(name, _)| !matches!(*name, "fx.mutates" | "fx.target"));
        set(entries, "fx.kind", Attribute::string(main.context(), "output"));
    }
    if !lists.is_empty() {
        set_lists(main, "res_attrs", &lists);
    }
}

fn constant<'c>(context: &'c Context, ty: Type<'c>, value: &Value) -> Result<Attribute<'c>, String> {
    match value {
        Value::Tensor(tensor) if ty.is_tensor() => dense(context, ty, tensor),
        Value::Int(value) if !ty.is_tensor() && !ty.is_float() => Ok(Attribute::int(ty, *value)),
        Value::Bool(value) if ty.is_bool() => Ok(Attribute::int(ty, i64::from(*value))),
        Value::Float(value) if ty.is_float() => Ok(Attribute::number(context, ty, *value)),
        Value::Int(value) if ty.is_float() => Ok(Attribute::number(context, ty, *value as f64)),
        _ => Err(format!("a value that is no {ty}")),
    }
}

fn dense<'c>(context: &'c Context, ty: Type<'c>, tensor: &HostTensor) -> Result<Attribute<'c>, String> {
    let dims = tensor.dims();
    if !ty.shape().iter().copied().eq(dims.iter().map(|dim| i64::try_from(*dim).unwrap_or(i64::MAX))) {
        return Err(format!("a tensor of sizes {dims:?} cannot be a constant of type {ty}"));
    }
    let attribute = if tensor.is_empty() {
        Attribute::parse(context, &format!("dense<> : {ty}"))
    } else if ty.element().is_bool() {
        // MLIR's raw form of bools differs between versions; its text does not
        Attribute::parse(context, &format!("dense<{}> : {ty}", nested(tensor.bytes(), dims)))
    } else {
        Attribute::dense(ty, tensor.bytes())
    };
    attribute.ok_or_else(|| format!("a tensor of {} cannot be a constant of type {ty}", tensor.dtype()))
}

/// `[[true, false], [true, true]]`
fn nested(bytes: &[u8], dims: &[usize]) -> String {
    match dims {
        [] => bytes.first().is_some_and(|byte| *byte != 0).to_string(),
        [size, rest @ ..] => {
            let rows = bytes.chunks(bytes.len() / (*size).max(1)).map(|row| nested(row, rest));
            format!("[{}]", rows.collect::<Vec<_>>().join(", "))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    const TEXT: &str = r#"
        func.func @main(%w: tensor<2xf32> {fx.kind = "parameter", fx.target = "a.w", fx.name = "p_w"},
                        %b: tensor<2xi1> {fx.kind = "buffer", fx.target = "a.b", fx.name = "b_b"},
                        %x: tensor<2xf32> {fx.kind = "input", fx.target = "x", fx.name = "x"}, %n: i64)
            -> (tensor<2xi1> {fx.kind = "buffer_mutation", fx.mutates = "a.b"}, tensor<2xf32> {fx.kind = "output"})
            attributes {fx.in_spec = "*"} {
          %y = fx.mul %x, %w : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
          %z = fx.mul %y, %n : (tensor<2xf32>, i64) -> tensor<2xf32>
          return %b, %z : tensor<2xi1>, tensor<2xf32>
        }"#;

    fn program() -> Program {
        Program::from_mlir(TEXT).unwrap()
    }

    #[test]
    fn everything_becomes_an_input() {
        let text = program().standalone(None).unwrap();
        assert!(text.contains(r#"{fx.kind = "input", fx.name = "p_w", fx.target = "p_w"}"#), "{text}");
        assert!(!text.contains("mutation") && !text.contains("in_spec"), "{text}");
        assert_eq!(Program::from_mlir(&text).unwrap().inputs().len(), 4);
    }

    #[test]
    fn everything_becomes_a_constant() {
        let tensor = Value::Tensor(HostTensor::from_slice(&[2], &[1.5f32, f32::NAN]).unwrap());
        let bools = Value::Tensor(HostTensor::from_slice(&[2], &[true, false]).unwrap());
        let values = [tensor.clone(), bools, tensor.clone(), Value::Int(3)];
        let text = program().standalone(Some(&values)).unwrap();
        assert!(text.contains("func.func @main() -> (tensor<2xi1>") && text.contains("dense<[true, false]>"), "{text}");
        assert!(Program::from_mlir(&text).unwrap().inputs().is_empty());
        let error = program().standalone(Some(&values[..3])).unwrap_err().to_string();
        assert!(error.contains("3 values for 4 arguments"), "{error}");
        let error = program().standalone(Some(&[values[3].clone(), tensor.clone(), tensor.clone(), tensor])).unwrap_err();
        assert!(error.to_string().contains("argument 0: a value that is no tensor<2xf32>"), "{error}");
    }

    #[test]
    fn values_come_from_the_archive_and_from_the_caller() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/mlp/model.pt2");
        let program = Program::open(&path).unwrap();
        let name = program.inputs()[0].name.clone();
        assert!(program.argument_values(&BTreeMap::new()).unwrap_err().to_string().contains(&name));
        let x = Value::Tensor(HostTensor::from_slice(&[1], &[0.0f32]).unwrap());
        let values = program.argument_values(&BTreeMap::from([(name.clone(), x)])).unwrap();
        assert_eq!(values.last().unwrap().0, name);
        assert!(values.len() > 1 && values[0].0.starts_with("p_"), "{}", values[0].0);
    }

    #[test]
    fn bools_are_nested_by_dims() {
        assert_eq!(nested(&[1, 0, 0, 1], &[2, 2]), "[[true, false], [false, true]]");
        assert_eq!(nested(&[1], &[]), "true");
    }
}
