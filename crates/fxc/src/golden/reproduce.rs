//! `--reproducers DIR`: a failing case as one `.mlir` file that needs no archive, with the command that repeats it.
//!
//! Small values (parameters and inputs together below [`INLINE`] elements) become constants in the text, if the program
//! then still does the same: constants fold, and may hide what is wrong. Otherwise they are inputs, in a file beside it.

use super::case::{Case, Input, InputValue};
use super::dump;
use super::execute::{Outcome, guarded, input_value};
use crate::error::Result;
use crate::files::write_text;
use crate::load::runner;
use crate::target::TargetArg;
use fx_mlir::Program;
use fx_runtime::tensor_file::TensorFile;
use fx_runtime::{HostTensor, OutputItem, Value};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Elements of all values together from which on they go into a file.
const INLINE: usize = 4096;

/// Writes the reproducer of a case that failed, into `DIR/ID.mlir`. Gives a line that says where it is, or why there is
/// none.
pub fn reproduce(case: &Case, target: &TargetArg, outcome: &Outcome, folder: &Path) -> String {
    match guarded(|| write(case, target, outcome, folder)) {
        Ok(path) => format!("reproducer: {}", path.display()),
        Err(message) => format!("no reproducer: {}", message.lines().next().unwrap_or_default()),
    }
}

fn write(case: &Case, target: &TargetArg, outcome: &Outcome, folder: &Path) -> Result<PathBuf> {
    let path = dump::path_of_kind(folder, &case.id, "mlir")?;
    let tensors_path = dump::path(folder, &case.id)?;
    dump::remove(&path)?;
    dump::remove(&tensors_path)?;
    let program = case.open()?;
    let command = format!("fxc run {} --target={target}", path.display());
    let (text, command) = if outcome.compile.is_none() {
        let command = match target {
            TargetArg::Compiled(_) => format!("fxc compile {} --target={target}", path.display()),
            TargetArg::Interpreter => command,
        };
        (program.standalone(None)?, command)
    } else {
        let arguments = arguments(case, outcome, &program)?;
        match inline(&program, target, &arguments)? {
            Some(text) => (text, command),
            None => {
                let values = write_values(&tensors_path, &arguments)?;
                (program.standalone(None)?, format!("{command}{values}"))
            }
        }
    };
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).map_err(|error| crate::error::CliError::io(folder, error))?;
    }
    write_text(&path, &(header(case, outcome, &command) + &text))?;
    Ok(path)
}

/// What failed, and the command that repeats it.
fn header(case: &Case, outcome: &Outcome, command: &str) -> String {
    let set = if case.sets.len() > 1 { format!(", input set {}", outcome.set) } else { String::new() };
    let mut text = format!("// {}{set}\n", case.id);
    for line in outcome.failure.as_deref().unwrap_or_default().trim_end().lines() {
        text.push_str(format!("//   {line}").trim_end());
        text.push('\n');
    }
    format!("{text}// {command}\n")
}

/// All arguments of the program with their values in the failing call.
fn arguments(case: &Case, outcome: &Outcome, program: &Program) -> Result<Vec<(String, Value)>> {
    let file = TensorFile::open(&case.tensors)?;
    let mut inputs = BTreeMap::new();
    let given: &[Input] = case.sets.get(outcome.set).map_or(&[], |set| &set.inputs);
    for input in given.iter().filter(|input| !matches!(input.value, InputValue::Constant(_))) {
        inputs.insert(input.placeholder.clone(), input_value(input, &file)?);
    }
    Ok(program.argument_values(&inputs)?)
}

/// The text with constants, if they are few, allowed, and change nothing.
fn inline(program: &Program, target: &TargetArg, arguments: &[(String, Value)]) -> Result<Option<String>> {
    let values: Vec<Value> = arguments.iter().map(|(_, value)| value.clone()).collect();
    if values.iter().map(elements).sum::<usize>() >= INLINE {
        return Ok(None);
    }
    let Ok(text) = program.standalone(Some(&values)) else {
        return Ok(None);
    };
    // the same call, without the archive, so that an error of the call has the same text
    let inputs = Program::from_mlir(&program.standalone(None)?)?;
    let expected = guarded(|| runner(&inputs, target)?.call(&values));
    let found = guarded(|| runner(&Program::from_mlir(&text)?, target)?.call(&[]));
    Ok(same(&expected, &found).then_some(text))
}

fn elements(value: &Value) -> usize {
    match value {
        Value::Tensor(tensor) => tensor.len(),
        _ => 1,
    }
}

/// Whether two calls gave the same bytes, or failed with the same message.
fn same(a: &Result<Vec<OutputItem>, String>, b: &Result<Vec<OutputItem>, String>) -> bool {
    match (a, b) {
        (Ok(a), Ok(b)) => {
            let tensor = |tensor: &HostTensor| (tensor.dtype(), tensor.dims().to_vec(), tensor.bytes().to_vec());
            let equal = |a: &Option<Value>, b: &Option<Value>| match (a, b) {
                (Some(Value::Tensor(a)), Some(Value::Tensor(b))) => tensor(a) == tensor(b),
                _ => format!("{a:?}") == format!("{b:?}"),
            };
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| equal(&a.value, &b.value))
        }
        (Err(a), Err(b)) => message(a) == message(b),
        _ => false,
    }
}

/// The first line, without its place.
fn message(text: &str) -> &str {
    let line = text.lines().next().unwrap_or_default();
    line.split_once("error: ").map_or(line, |(_, rest)| rest)
}

/// Writes the tensors as `fxc run` reads them. Gives the options that name the file and the numbers.
fn write_values(path: &Path, arguments: &[(String, Value)]) -> Result<String> {
    let mut tensors = BTreeMap::new();
    let mut numbers = String::new();
    for (name, value) in arguments {
        let number = match value {
            Value::Tensor(tensor) => {
                tensors.insert(format!("input.{}", tensors.len()), tensor.clone());
                continue;
            }
            Value::Int(value) => value.to_string(),
            Value::Float(value) => format!("{value:?}"),
            Value::Bool(value) => value.to_string(),
            Value::Device(_) => continue, // golden data has none
        };
        numbers.push_str(&format!(" --arg {name}={number}"));
    }
    if tensors.is_empty() {
        return Ok(numbers);
    }
    dump::write(path, &tensors)?;
    Ok(format!(" --inputs {}{numbers}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::golden::case::{InputSet, Tolerance};
    use crate::golden::execute::{Running, execute};
    use fx_runtime::Graphs;

    const PROGRAM: &str = "func.func @main(%x: tensor<SIZExf32>, %n: i64) -> tensor<SIZExf32> {
        %y = fx.mul %x, %n : (tensor<SIZExf32>, i64) -> tensor<SIZExf32>
        return %y : tensor<SIZExf32>
    }";

    /// A case in `folder` whose program is text.
    fn case(folder: &Path, text: &str, size: usize) -> Case {
        let program = folder.join("program.mlir");
        std::fs::write(&program, text).unwrap();
        let tensors = folder.join("golden.safetensors");
        let x = HostTensor::from_slice(&[size], &vec![1.5f32; size]).unwrap();
        dump::write(&tensors, &BTreeMap::from([("input.0".to_owned(), x)])).unwrap();
        let input = |name: &str, value| Input { placeholder: name.into(), value };
        let inputs = vec![input("arg0", InputValue::Tensor("input.0".into())), input("arg1", InputValue::Int(2))];
        let set = InputSet { inputs, expected: Vec::new(), outputs: None, comparable: true };
        let tolerance = Tolerance { rtol: 0.0, atol: 0.0 };
        Case { id: "mul/0".into(), op: "mul".into(), program, tensors, tolerance, training: false, gradients: None, sets: vec![set] }
    }

    /// The reproducer of a case that computed something wrong.
    fn reproducer(size: usize) -> (String, tempfile::TempDir) {
        let folder = tempfile::tempdir().unwrap();
        let case = case(folder.path(), &PROGRAM.replace("SIZE", &size.to_string()), size);
        let target: TargetArg = "cpu".parse().unwrap();
        let mut outcome = execute(&case, Running { target: &target, seed: 0, graphs: Graphs::Auto, dump: None });
        assert_eq!(outcome.failure, None);
        outcome.failure = Some("values differ\noutput.0[1] is 3.0, expected 4.0\n".into());
        let line = reproduce(&case, &target, &outcome, &folder.path().join("out"));
        assert!(line.starts_with("reproducer: ") && line.ends_with("out/mul/0.mlir"), "{line}");
        (std::fs::read_to_string(folder.path().join("out/mul/0.mlir")).unwrap(), folder)
    }

    #[test]
    fn small_values_are_in_the_text() {
        let (text, folder) = reproducer(2);
        let head = "// mul/0\n//   values differ\n//   output.0[1] is 3.0, expected 4.0\n// fxc run ";
        assert!(text.starts_with(head), "{text}");
        assert!(text.contains("out/mul/0.mlir --target=cpu\n") && text.contains("func.func @main() ->"), "{text}");
        assert!(!folder.path().join("out/mul/0.safetensors").exists());
        let items = runner(&Program::from_mlir(&text).unwrap(), &"cpu".parse().unwrap()).unwrap().call(&[]).unwrap();
        assert_eq!(items[0].tensor().unwrap().as_slice::<f32>().unwrap(), [3.0, 3.0]);
    }

    #[test]
    fn large_values_are_beside_it() {
        let (text, folder) = reproducer(5000);
        let path = folder.path().join("out/mul/0.safetensors");
        assert!(text.contains(&format!(" --inputs {} --arg arg1=2\n", path.display())), "{text}");
        assert_eq!(TensorFile::open(&path).unwrap().names(), ["input.0"]);
    }

    #[test]
    fn what_does_not_compile_needs_no_values() {
        let folder = tempfile::tempdir().unwrap();
        let text = PROGRAM.replace("SIZE", "2");
        let case = case(folder.path(), &text, 2);
        let outcome = Outcome { failure: Some("model.mlir:1:1: error: no".into()), ..Outcome::default() };
        reproduce(&case, &"cpu".parse().unwrap(), &outcome, folder.path());
        let text = std::fs::read_to_string(folder.path().join("mul/0.mlir")).unwrap();
        assert!(text.contains("// fxc compile ") && text.contains("%arg1: i64"), "{text}");
        let absent = Case { program: "absent.mlir".into(), ..case };
        let line = reproduce(&absent, &"cpu".parse().unwrap(), &outcome, folder.path());
        assert!(line.starts_with("no reproducer: absent.mlir"), "{line}");
    }

    #[test]
    fn messages_are_compared_without_places() {
        let error = |text: &str| Err::<Vec<OutputItem>, _>(text.to_owned());
        assert!(same(&error("a.mlir:1:2: error: bad\nnote"), &error("-:3:4: error: bad")));
        assert!(!same(&error("bad"), &Ok(Vec::new())));
    }
}
