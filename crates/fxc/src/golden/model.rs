//! `meta.json`: a model's folder with several programs, each with input sets.
//!
//! A joint program has no sets of its own: it is called with those of the training program, and gives loss and
//! gradients. Where PyTorch could not write a joint program, its entry has no `file`, and there is no case.

use super::case::*;
use crate::error::{CliError, Result};
use crate::files::read_text;
use fx_mlir::gradients::{Arguments, Cotangents, Gradients};
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;

/// The file that makes a folder a model's.
pub const FILE: &str = "meta.json";

#[derive(Deserialize)]
struct Meta {
    tolerance: Tolerance,
    programs: BTreeMap<String, Program>,
}

#[derive(Deserialize)]
struct Program {
    kind: String,
    inputs: Vec<Spec>,
    outputs: Vec<Spec>,
    io: Option<String>,
    #[serde(default)]
    sets: Vec<Set>,
    #[serde(default)]
    random: bool,
    file: Option<String>,
}

/// An input or an output of the graph.
#[derive(Deserialize)]
struct Spec {
    #[serde(default)]
    placeholder: String,
    kind: String,
    target: Option<String>,
}

#[derive(Deserialize)]
struct Set {
    prefix: String,
    inputs: Vec<Leaf>,
    outputs: Vec<Out>,
    mutated_inputs: BTreeMap<String, String>,
    changed_buffers: Vec<String>,
    /// Parameters.
    #[serde(default)]
    gradients: Vec<String>,
    /// User inputs, by their number among the tensors.
    #[serde(default)]
    input_gradients: Vec<usize>,
    #[serde(default)]
    gradient_error64: f64,
}

/// `{"tensor": name}` or `{"value": number, text or null}`.
#[derive(Deserialize)]
struct Leaf {
    tensor: Option<String>,
    #[serde(default)]
    value: Value,
}

#[derive(Deserialize)]
struct Out {
    tensor: Option<String>,
    error64: Option<f64>,
    #[serde(default)]
    dtype: String,
    #[serde(default)]
    shape: Vec<usize>,
}

/// Reads a model's folder: a case for each program, named `FOLDER/PROGRAM`.
pub fn read(folder: &Path) -> Result<Vec<Case>> {
    let path = folder.join(FILE);
    let fail = |message: String| CliError::Failed(format!("{}: {message}", path.display()));
    let absolute = folder.canonicalize().map_err(|error| CliError::io(folder, error))?;
    let name = absolute.file_name().unwrap_or_default().to_string_lossy();
    parse(&read_text(&path)?, folder, &name).map_err(fail)
}

fn parse(text: &str, folder: &Path, name: &str) -> Result<Vec<Case>, String> {
    let meta: Meta = serde_json::from_str(text).map_err(|error| error.to_string())?;
    let train = meta.programs.values().find(|program| program.kind == "train");
    let mut cases = Vec::new();
    for (key, program) in &meta.programs {
        let (file, source) = match (program.kind.as_str(), &program.file, train) {
            ("joint", Some(file), Some(train)) => (file, train),
            ("joint", ..) => continue, // PyTorch could not write it
            _ => (program.file.as_ref().unwrap_or(key), program),
        };
        let fail = |message: String| format!("program '{key}': {message}");
        let Some(io) = &source.io else {
            return Err(fail("no 'io'".into()));
        };
        let sets = source.sets.iter().map(|set| read_set(program, source.random, set));
        let sets = sets.collect::<Result<Vec<_>, _>>().map_err(fail)?;
        cases.push(Case {
            id: format!("{name}/{file}"),
            op: name.to_owned(),
            program: folder.join(file),
            tensors: folder.join(io),
            tolerance: meta.tolerance,
            training: matches!(program.kind.as_str(), "train" | "joint"),
            gradients: source.sets.first().filter(|_| program.kind == "train" && !source.random).and_then(|set| wanted(program, set)),
            sets,
        });
    }
    Ok(cases)
}

fn read_set(program: &Program, random: bool, set: &Set) -> Result<InputSet, String> {
    let specs = program.inputs.iter().filter(|spec| spec.kind == "user_input");
    let placeholders: Vec<&str> = specs.map(|spec| spec.placeholder.as_str()).collect();
    if placeholders.len() != set.inputs.len() {
        return Err(format!("{} user inputs, but set '{}' has {}", placeholders.len(), set.prefix, set.inputs.len()));
    }
    let leaves = placeholders.iter().zip(&set.inputs);
    let inputs: Vec<Input> = leaves
        .map(|(placeholder, leaf)| Ok(Input { placeholder: (*placeholder).to_owned(), value: leaf.value()? }))
        .collect::<Result<_, String>>()?;
    let mut expected = outputs(random, set)?;
    let outputs = Some(expected.len());
    if !random {
        expected.extend(effects(&inputs, set)?);
    }
    if program.kind == "joint" && !random {
        expected.extend(gradients(program, &inputs, set)?);
    }
    if program.kind == "train" && !random {
        expected.extend(trained(&inputs, set)?);
    }
    Ok(InputSet { inputs, expected, outputs, comparable: !random })
}

/// The tensors among the outputs.
fn outputs(random: bool, set: &Set) -> Result<Vec<Expected>, String> {
    let outputs = set.outputs.iter().enumerate();
    outputs
        .map(|(index, output)| {
            let reference = match &output.tensor {
                Some(_) if !random => Reference::Values {
                    float64: output.error64.map(|_| format!("{}output64.{index}", set.prefix)),
                    error64: output.error64.unwrap_or(0.0),
                },
                _ => Reference::Shape { dtype: torch_dtype(&output.dtype)?, dims: output.shape.clone() },
            };
            let name = output.tensor.clone();
            Ok(Expected { slot: Slot::Output(index), name: name.unwrap_or_else(|| format!("{}output.{index}", set.prefix)), reference })
        })
        .collect()
}

/// What the call changes: inputs and buffers.
fn effects(inputs: &[Input], set: &Set) -> Result<Vec<Expected>, String> {
    let mut effects = Vec::new();
    for (input, name) in &set.mutated_inputs {
        let tensor = InputValue::Tensor(input.clone());
        let found = inputs.iter().find(|other| other.value == tensor);
        let found = found.ok_or_else(|| format!("mutated input '{input}' is not among the inputs"))?;
        effects.push(Expected { slot: Slot::MutatedInput(found.placeholder.clone()), name: name.clone(), reference: Reference::exact() });
    }
    for buffer in &set.changed_buffers {
        effects.push(Expected {
            slot: Slot::Buffer(buffer.clone()),
            name: format!("{}buffer.{buffer}", set.prefix),
            reference: Reference::exact(),
        });
    }
    Ok(effects)
}

/// The gradients that our autodiff is asked for: those of a training program's loss.
fn wanted(program: &Program, set: &Set) -> Option<Gradients> {
    let placeholders = program.inputs.iter().filter(|spec| spec.kind == "user_input").zip(&set.inputs);
    let tensors: Vec<_> = placeholders.filter(|(_, leaf)| leaf.tensor.is_some()).map(|(spec, _)| spec.placeholder.clone()).collect();
    let mut targets = set.gradients.clone();
    targets.extend(set.input_gradients.iter().filter_map(|index| tensors.get(*index).cloned()));
    let gradients = Gradients { arguments: Arguments::Targets(targets.clone()), cotangents: Cotangents::Ones, ..Gradients::default() };
    (!targets.is_empty()).then_some(gradients)
}

/// What they must be.
fn trained(inputs: &[Input], set: &Set) -> Result<Vec<Expected>, String> {
    let tensors: Vec<&Input> = inputs.iter().filter(|input| matches!(input.value, InputValue::Tensor(_))).collect();
    let expected = |slot, name: String| {
        let reference = Reference::Values { float64: None, error64: set.gradient_error64 };
        Expected { slot, name: format!("{}{name}", set.prefix), reference }
    };
    let parameter = |name: &String| Ok(expected(Slot::ParameterGradient(name.clone()), format!("grad.{name}")));
    let input = |index: &usize| {
        let input = tensors.get(*index).ok_or_else(|| format!("the gradient of input {index}, of {}", tensors.len()))?;
        Ok(expected(Slot::InputGradient(input.placeholder.clone()), format!("grad_input.{index}")))
    };
    set.gradients.iter().map(parameter).chain(set.input_gradients.iter().map(input)).collect()
}

/// The gradients that a joint program gives.
fn gradients(program: &Program, inputs: &[Input], set: &Set) -> Result<Vec<Expected>, String> {
    let tensors: Vec<&Input> = inputs.iter().filter(|input| matches!(input.value, InputValue::Tensor(_))).collect();
    let mut gradients = Vec::new();
    for spec in &program.outputs {
        let target = || {
            let missing = || format!("an output of kind '{}' without a target", spec.kind);
            spec.target.clone().ok_or_else(missing)
        };
        let (slot, name) = match spec.kind.as_str() {
            "gradient_to_parameter" => {
                let target = target()?;
                (Slot::ParameterGradient(target.clone()), format!("grad.{target}"))
            }
            "gradient_to_user_input" => {
                let target = target()?;
                let index = tensors.iter().position(|input| input.placeholder == target);
                let index = index.ok_or_else(|| format!("the gradient of '{target}', which is no input"))?;
                (Slot::InputGradient(target), format!("grad_input.{index}"))
            }
            _ => continue,
        };
        let reference = Reference::Values { float64: None, error64: set.gradient_error64 };
        gradients.push(Expected { slot, name: format!("{}{name}", set.prefix), reference });
    }
    Ok(gradients)
}

impl Leaf {
    fn value(&self) -> Result<InputValue, String> {
        if let Some(name) = &self.tensor {
            return Ok(InputValue::Tensor(name.clone()));
        }
        match &self.value {
            Value::Bool(value) => Ok(InputValue::Bool(*value)),
            Value::Number(number) => number
                .as_i64()
                .map(InputValue::Int)
                .or_else(|| number.as_f64().map(InputValue::Float))
                .ok_or_else(|| format!("the number {number} is too large")),
            other => Ok(InputValue::Constant(other.to_string())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const META: &str = r#"{"name": "m", "tolerance": {"rtol": 1e-4, "atol": 1e-5}, "programs": {
        "model.pt2": {"kind": "forward",
            "inputs": [{"placeholder": "x", "kind": "user_input", "target": null},
                       {"placeholder": "n", "kind": "user_input", "target": null},
                       {"placeholder": "mode", "kind": "user_input", "target": null}],
            "outputs": [{"value": "add", "kind": "user_output", "target": null}],
            "io": "io.safetensors", "sets": [
                {"prefix": "set1.", "inputs": [{"tensor": "set1.input.0"}, {"value": 3}, {"value": null}],
                 "outputs": [{"tensor": "set1.output.0", "error64": 1e-7, "largest": 2.0}, {"tensor": "set1.output.1"}],
                 "mutated_inputs": {"set1.input.0": "set1.mutated.0"}, "changed_buffers": ["rows"]}]},
        "model_train.pt2": {"kind": "train", "random": RANDOM,
            "inputs": [{"placeholder": "args_0", "kind": "user_input", "target": null}],
            "outputs": [{"value": "loss", "kind": "user_output", "target": null}],
            "io": "io_train.safetensors", "sets": [
                {"prefix": "", "inputs": [{"tensor": "input.0"}], "outputs": [OUTPUT],
                 "mutated_inputs": {}, "changed_buffers": [], "gradient_error64": 2e-8}]},
        "graph_joint.txt": {"kind": "joint", "file": "model_joint.pt2",
            "inputs": [{"placeholder": "args_0", "kind": "user_input", "target": null}],
            "outputs": [{"value": "loss", "kind": "loss_output", "target": null},
                        {"value": "a", "kind": "gradient_to_parameter", "target": "net.w"},
                        {"value": "b", "kind": "gradient_to_user_input", "target": "args_0"}]}}}"#;

    fn cases(random: bool) -> Vec<Case> {
        let output = if random { r#"{"dtype": "torch.float32", "shape": []}"# } else { r#"{"tensor": "output.0", "error64": 1e-8}"# };
        let text = META.replace("RANDOM", &random.to_string()).replace("OUTPUT", output);
        parse(&text, Path::new("models/m"), "m").unwrap()
    }

    fn names(case: &Case) -> Vec<&str> {
        let expected = case.sets[0].expected.iter();
        expected.map(|expected| expected.name.as_str()).collect()
    }

    #[test]
    fn programs_become_cases() {
        let cases = cases(false);
        let ids: Vec<&str> = cases.iter().map(|case| case.id.as_str()).collect();
        assert_eq!(ids, ["m/model_joint.pt2", "m/model.pt2", "m/model_train.pt2"]);
        let forward = &cases[1];
        assert_eq!(forward.tensors, Path::new("models/m/io.safetensors"));
        let inputs: Vec<&InputValue> = forward.sets[0].inputs.iter().map(|input| &input.value).collect();
        assert_eq!(*inputs[0], InputValue::Tensor("set1.input.0".into()));
        assert_eq!(*inputs[1], InputValue::Int(3));
        assert_eq!(*inputs[2], InputValue::Constant("null".into()));
        assert_eq!(names(forward), ["set1.output.0", "set1.output.1", "set1.mutated.0", "set1.buffer.rows"]);
        let expected = &forward.sets[0].expected;
        assert_eq!(expected[0].reference, Reference::Values { float64: Some("set1.output64.0".into()), error64: 1e-7 });
        assert_eq!(expected[1].reference, Reference::exact());
        assert_eq!(expected[2].slot, Slot::MutatedInput("x".into()));
    }

    #[test]
    fn joint_programs_use_the_sets_of_the_training_program() {
        let joint = &cases(false)[0];
        assert_eq!(joint.program, Path::new("models/m/model_joint.pt2"));
        assert_eq!(joint.tensors, Path::new("models/m/io_train.safetensors"));
        assert_eq!(names(joint), ["output.0", "grad.net.w", "grad_input.0"]);
        let input = Slot::InputGradient("args_0".into());
        assert_eq!(joint.sets[0].expected[2].slot, input);
    }

    #[test]
    fn random_programs_have_shapes_only() {
        for case in [&cases(true)[0], &cases(true)[2]] {
            assert_eq!(names(case), ["output.0"]);
            let reference = &case.sets[0].expected[0].reference;
            assert!(matches!(reference, Reference::Shape { dims, .. } if dims.is_empty()));
            assert!(!case.sets[0].comparable);
        }
    }

    #[test]
    fn contradictions_are_errors() {
        let text = META.replace("RANDOM", "false").replace("OUTPUT", "{}");
        let error = parse(&text, Path::new("m"), "m").unwrap_err();
        assert!(error.contains("unknown dtype ''"), "{error}");
        let text = text.replace("[{}]", "[]").replace(r#"{"value": 3}, "#, "");
        let error = parse(&text, Path::new("m"), "m").unwrap_err();
        assert!(error.contains("3 user inputs, but set 'set1.' has 2"), "{error}");
    }
}
