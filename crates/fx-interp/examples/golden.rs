//! Golden cases of operators in the reference evaluator, without the compiler:
//! `cargo run --release -p fx-interp --example golden -- MANIFEST.jsonl [PART OF AN ID]..` (`fxc check --target=interp` does the same).

#[path = "../../fxc/src/golden/compare.rs"]
mod compare;

/// What `compare` needs of a case.
mod case {
    /// PyTorch's tolerances.
    #[derive(Clone, Copy)]
    pub struct Tolerance {
        /// Times the size of the reference.
        pub rtol: f64,
        /// Absolute.
        pub atol: f64,
    }
}

use std::collections::BTreeMap;
use std::path::Path;

use compare::{Golden, compare, shape_failure};
use fx_import::{Archive, ScalarType};
use fx_interp::Evaluator;
use fx_runtime::plan::OutputKind;
use fx_runtime::tensor_file::TensorFile;
use fx_runtime::{DType, HostTensor, Value};
use serde_json::Value as Json;

type Outcome<T> = Result<T, Box<dyn std::error::Error>>;

fn dtype_of(ty: ScalarType) -> Option<DType> {
    Some(match ty {
        ScalarType::Float64 => DType::F64,
        ScalarType::Float32 => DType::F32,
        ScalarType::Float16 => DType::F16,
        ScalarType::BFloat16 => DType::BF16,
        ScalarType::Int64 => DType::I64,
        ScalarType::Int32 => DType::I32,
        ScalarType::Int16 => DType::I16,
        ScalarType::Int8 => DType::I8,
        ScalarType::UInt8 => DType::U8,
        ScalarType::Bool => DType::Bool,
        ScalarType::Complex64 => DType::C64,
        ScalarType::Complex128 => DType::C128,
        _ => return None,
    })
}

fn state(archive: &Archive, name: &str) -> Outcome<HostTensor> {
    let data = archive.weight(name).or_else(|_| archive.constant(name))?;
    let dims: Vec<usize> = data.sizes.iter().map(|size| *size as usize).collect();
    Ok(HostTensor::from_bytes(dtype_of(data.dtype).ok_or("dtype")?, &dims, &data.to_contiguous()?)?)
}

fn evaluator(path: &Path) -> Outcome<Evaluator> {
    let archive = Archive::open(path)?;
    let context = fx_ir::new_context(false);
    let (read, messages) =
        fx_ir::collect(&context, || fx_import::mlir::import(&archive, &context).ok().map(|module| Evaluator::read(&module)));
    let text = messages.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n");
    let mut evaluator = read.ok_or(text)?.map_err(|message| message.to_string())?;
    let names: Vec<String> = evaluator.state_names().map(str::to_string).collect();
    for name in names {
        evaluator.set_state(&name, &state(&archive, &name)?)?;
    }
    Ok(evaluator)
}

/// What is wrong with a case.
fn failure(folder: &Path, entry: &Json) -> Outcome<Option<String>> {
    let path = |key: &str| entry[key].as_str().map(|name| folder.join(name)).ok_or("no path");
    let file = TensorFile::open(&path("tensors")?)?;
    let get = |name: &Json| -> Outcome<HostTensor> { Ok(file.get(name.as_str().ok_or("no name")?)?.ok_or("no tensor")?) };
    let evaluator = evaluator(&path("pt2")?)?;
    let list = |key: &str| entry[key].as_array().cloned().unwrap_or_default();
    let mut values = Vec::new();
    for (name, _) in evaluator.inputs() {
        let input = list("inputs").into_iter().find(|input| input["placeholder"] == name).ok_or("no input")?;
        values.push(Value::Tensor(get(&input["name"])?));
    }
    let items = evaluator.call(&values).map_err(|message| message.to_string())?;
    let tolerance = case::Tolerance { rtol: entry["rtol"].as_f64().unwrap_or(0.0), atol: entry["atol"].as_f64().unwrap_or(0.0) };
    let comparable = entry["comparable"] == true && entry["random"] != true;
    let mut ours = items.iter().filter(|item| item.kind == OutputKind::Output).filter_map(|item| item.tensor().ok());
    for output in list("outputs").iter().filter(|output| output["name"].is_string()) {
        let (Some(ours), result) = (ours.next(), get(&output["name"])?) else { return Ok(Some("an output is missing".into())) };
        let float64 = if output["float64"].is_string() { Some(get(&output["float64"])?) } else { None };
        let golden = Golden { result: &result, float64: float64.as_ref(), error64: output["error64"].as_f64().unwrap_or(0.0) };
        let name = output["name"].as_str().unwrap_or_default();
        let failure = match comparable {
            true => compare(name, ours, &golden, tolerance).failure,
            false => shape_failure(name, ours, result.dtype(), result.dims()),
        };
        if failure.is_some() {
            return Ok(failure);
        }
    }
    for (input, name) in entry["mutated"].as_object().into_iter().flatten() {
        let result = get(name)?;
        let placeholder = list("inputs").into_iter().find(|entry| entry["name"] == *input).map(|entry| entry["placeholder"].clone());
        let kind = OutputKind::InputMutation(placeholder.as_ref().and_then(Json::as_str).unwrap_or_default().to_string());
        let item = items.iter().find(|item| item.kind == kind).ok_or("a mutation is missing")?;
        let golden = Golden { result: &result, float64: None, error64: 0.0 };
        if let Some(failure) = compare(input, item.tensor()?, &golden, tolerance).failure.filter(|_| comparable) {
            return Ok(Some(failure));
        }
    }
    Ok(None)
}

fn main() -> Outcome<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let manifest = Path::new(arguments.first().ok_or("usage: golden MANIFEST.jsonl [PART OF AN ID]..")?);
    let folder = manifest.parent().unwrap_or(Path::new("."));
    let (mut passed, mut failures) = (0, BTreeMap::<String, usize>::new());
    for line in std::fs::read_to_string(manifest)?.lines() {
        let entry: Json = serde_json::from_str(line)?;
        let id = entry["id"].as_str().unwrap_or_default();
        if arguments.len() > 1 && !arguments[1..].iter().any(|part| id.contains(part.as_str())) {
            continue;
        }
        let text = match failure(folder, &entry) {
            Ok(None) => {
                passed += 1;
                continue;
            }
            Ok(Some(text)) => text,
            Err(error) => error.to_string(),
        };
        println!("FAIL {id}: {}", text.replace('\n', "\n    "));
        let first = text.lines().next().unwrap_or_default();
        *failures.entry(first.split_once("error: ").map_or(first, |(_, rest)| rest).to_string()).or_default() += 1;
    }
    let mut groups: Vec<_> = failures.into_iter().collect();
    groups.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    println!("\nfailures by message:");
    groups.iter().for_each(|(message, count)| println!("{count:6}  {message}"));
    println!("{passed} passed, {} failed", groups.iter().map(|(_, count)| count).sum::<usize>());
    Ok(())
}
