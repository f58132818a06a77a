//! `manifest.jsonl`: operator cases, one JSON object a line.

use super::case::*;
use crate::error::{CliError, Result};
use crate::files::read_text;
use crate::gradients::COTANGENT;
use fx_mlir::gradients::{Arguments, Cotangents, Gradients};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::Path;

/// One line; other fields are not needed here.
#[derive(Deserialize)]
struct Entry {
    id: String,
    op: String,
    pt2: String,
    tensors: String,
    inputs: Vec<InputEntry>,
    outputs: Vec<OutputEntry>,
    #[serde(default)]
    grads: Vec<GradEntry>,
    #[serde(default)]
    mutated: BTreeMap<String, String>,
    comparable: bool,
    random: bool,
    #[serde(flatten)]
    tolerance: Tolerance,
}

#[derive(Deserialize)]
struct InputEntry {
    name: String,
    placeholder: String,
}

#[derive(Deserialize)]
struct OutputEntry {
    /// None for an output that is no tensor.
    name: Option<String>,
    #[serde(default)]
    dtype: String,
    #[serde(default)]
    shape: Vec<usize>,
    float64: Option<String>,
    #[serde(default)]
    error64: f64,
    cotangent: Option<String>,
}

/// The gradient by an input.
#[derive(Deserialize)]
struct GradEntry {
    input: String,
    name: String,
    float64: Option<String>,
    #[serde(default)]
    error64: f64,
}

/// Reads a manifest; paths in it are relative to its folder. Fails on the first malformed line, with its number.
pub fn read(path: &Path) -> Result<Vec<Case>> {
    let text = read_text(path)?;
    let folder = path.parent().unwrap_or(Path::new(""));
    let lines = text.lines().enumerate();
    lines
        .filter(|(_, line)| !line.trim().is_empty())
        .map(|(index, line)| {
            parse(line, folder).map_err(|message| CliError::Failed(format!("{}:{}: {message}", path.display(), index + 1)))
        })
        .collect()
}

fn parse(line: &str, folder: &Path) -> Result<Case, String> {
    let entry: Entry = serde_json::from_str(line).map_err(|error| error.to_string())?;
    let comparable = entry.comparable && !entry.random;
    let mut expected = Vec::new();
    for output in &entry.outputs {
        let Some(name) = &output.name else { continue };
        let reference = if comparable {
            Reference::Values { float64: output.float64.clone(), error64: output.error64 }
        } else {
            Reference::Shape { dtype: torch_dtype(&output.dtype)?, dims: output.shape.clone() }
        };
        expected.push(Expected { slot: Slot::Output(expected.len()), name: name.clone(), reference });
    }
    let outputs = Some(expected.len());
    let placeholder = |input: &str, what: &str| {
        let found = entry.inputs.iter().find(|entry| entry.name == *input);
        found.map(|entry| entry.placeholder.clone()).ok_or_else(|| format!("{what} input '{input}' is not among the inputs"))
    };
    for (input, name) in &entry.mutated {
        let slot = Slot::MutatedInput(placeholder(input, "mutated")?);
        expected.push(Expected { slot, name: name.clone(), reference: Reference::exact() });
    }
    let tensor = |placeholder: String, name: &str| Input { placeholder, value: InputValue::Tensor(name.into()) };
    let mut inputs: Vec<_> = entry.inputs.iter().map(|input| tensor(input.placeholder.clone(), &input.name)).collect();
    let gradients = if entry.grads.is_empty() || !comparable { None } else { Some(gradients(&entry, placeholder, &mut expected)?) };
    if gradients.is_some() {
        let tensors = entry.outputs.iter().filter(|output| output.name.is_some()).enumerate();
        inputs.extend(tensors.filter_map(|(number, output)| Some(tensor(format!("{COTANGENT}{number}"), output.cotangent.as_ref()?))));
    }
    let set = InputSet { inputs, expected, outputs, comparable };
    Ok(Case {
        id: entry.id,
        op: entry.op,
        program: folder.join(entry.pt2),
        tensors: folder.join(entry.tensors),
        tolerance: entry.tolerance,
        training: false,
        gradients,
        sets: vec![set],
    })
}

/// The gradients of an entry: what our autodiff is asked for, and what must come out.
fn gradients(
    entry: &Entry,
    placeholder: impl Fn(&str, &str) -> Result<String, String>,
    expected: &mut Vec<Expected>,
) -> Result<Gradients, String> {
    let mut targets = Vec::new();
    for gradient in &entry.grads {
        let target = placeholder(&gradient.input, "differentiated")?;
        expected.push(Expected {
            slot: Slot::InputGradient(target.clone()),
            name: gradient.name.clone(),
            reference: Reference::Values { float64: gradient.float64.clone(), error64: gradient.error64 },
        });
        targets.push(target);
    }
    let tensors = entry.outputs.iter().filter(|output| output.name.is_some()).enumerate();
    let outputs = tensors.filter(|(_, output)| output.cotangent.is_some()).map(|(number, _)| number).collect();
    Ok(Gradients {
        arguments: Arguments::Targets(targets),
        outputs: Some(outputs),
        cotangents: Cotangents::Arguments,
        ..Gradients::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use fx_runtime::DType;

    const LINE: &str = r#"{"id": "add/float32_00", "pt2": "add/float32_00.pt2", "tensors": "add/float32_00.safetensors",
        "op": "add", "inputs": [{"name": "input.0", "placeholder": "x_0", "dtype": "float32", "shape": [2], "strides": [1]},
        {"name": "input.1", "placeholder": "x_1", "dtype": "float32", "shape": [], "strides": []}],
        "outputs": [{"name": null, "value": "None"}, {"name": "output.0", "dtype": "float32", "shape": [2, 3],
        "float64": "output64.0", "error64": 1e-07}], "grads": [], "mutated": {"input.1": "mutated.1"},
        "comparable": COMPARABLE, "random": false, "rtol": 1.3e-06, "atol": 1e-05}"#;

    fn case(comparable: &str) -> Case {
        parse(&LINE.replace("COMPARABLE", comparable), Path::new("golden")).unwrap()
    }

    #[test]
    fn an_entry_becomes_a_case() {
        let case = case("true");
        assert_eq!((case.id.as_str(), case.op.as_str()), ("add/float32_00", "add"));
        assert_eq!(case.program, Path::new("golden/add/float32_00.pt2"));
        assert_eq!(case.tolerance, Tolerance { rtol: 1.3e-6, atol: 1e-5 });
        let [set] = &case.sets[..] else { panic!("{case:?}") };
        assert_eq!(set.inputs[1].placeholder, "x_1");
        assert_eq!((set.outputs, set.comparable), (Some(1), true));
        let output = Expected {
            slot: Slot::Output(0),
            name: "output.0".into(),
            reference: Reference::Values { float64: Some("output64.0".into()), error64: 1e-7 },
        };
        let mutated = Expected { slot: Slot::MutatedInput("x_1".into()), name: "mutated.1".into(), reference: Reference::exact() };
        assert_eq!(set.expected, [output, mutated]);
    }

    #[test]
    fn values_that_mean_nothing_are_not_compared() {
        let set = &case("false").sets[0];
        assert!(!set.comparable);
        let shape = Reference::Shape { dtype: DType::F32, dims: vec![2, 3] };
        assert_eq!(set.expected[0].reference, shape);
    }

    #[test]
    fn a_malformed_line_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("m.jsonl");
        let line = LINE.replace("COMPARABLE", "true").replace('\n', " ");
        std::fs::write(&path, format!("{line}\n\n{{\"id\": 3}}\n")).unwrap();
        let error = read(&path).unwrap_err().to_string();
        assert!(error.contains("m.jsonl:3: invalid type"), "{error}");
        std::fs::write(&path, format!("{line}\n\n{line}\n")).unwrap();
        assert_eq!(read(&path).unwrap().len(), 2);
    }
}
