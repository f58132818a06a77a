//! `fxc run`: call a program once on the tensors of a file.

use crate::error::{Result, print};
use crate::gradients::wanted;
use crate::load::{CacheArg, CallInput, load_runner};
use crate::target::TargetArg;
use crate::values::{Given, NamedValue, given_values};
use clap::Args;
use fx_runtime::plan::OutputKind;
use fx_runtime::tensor_file::{TensorFile, write_tensors};
use fx_runtime::{DType, HostTensor, OutputItem, Value};
use std::collections::BTreeMap;
use std::path::PathBuf;

const EXAMPLES: &str = "\
Results are named output.N (tensors in order), scalar.N (numbers in order), buffer.NAME and parameter.NAME (new
values of the model's state), mutated.N (new value of the tensor input.N); with --grad, grad.N (by the tensor input.N)
and grad.PARAMETER.

Examples:
  fxc run model.pt2 --inputs io.safetensors                       tensors input.0, input.1, .. of the file
  fxc run model.fxb --inputs io.safetensors --output out.safetensors
  fxc run model.pt2 --inputs io.safetensors --prefix set1.        tensors set1.input.0, ..
  fxc run model.pt2 --inputs io.safetensors --arg 1=3 --arg scale=0.5
  fxc run model.pt2 --inputs io.safetensors --target=cuda         compile for a GPU and run there";

/// Run a program once: print a summary of the results, and write them to a file
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct RunArgs {
    /// The program: a .pt2 archive, .mlir text, or a bundle made by `fxc compile`
    #[arg(value_name = "MODEL|BUNDLE")]
    model: PathBuf,
    /// Its tensor inputs, named input.0, input.1, .. in calling order; other names are ignored
    #[arg(long, value_name = "IN.safetensors")]
    inputs: Option<PathBuf>,
    /// What stands before input.N in the file
    #[arg(long, value_name = "P", default_value = "")]
    prefix: String,
    /// A number input, by its position among the inputs (from 0) or its name
    #[arg(long, value_name = "N=VALUE")]
    arg: Vec<NamedValue>,
    /// Where to write the results
    #[arg(short, long, value_name = "OUT.safetensors")]
    output: Option<PathBuf>,
    /// Where the random numbers start
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// Compute gradients too, by all parameters and float inputs; cotangents are tensors cotangent.N of the file, or 1 for a
    /// number
    #[arg(long)]
    grad: bool,
    /// Where to run: cpu or cuda (or sm_90a, sm_80: a GPU with code for that architecture), by default the CPU or what
    /// the bundle was made for; interp: a model in the reference evaluator
    #[arg(long)]
    target: Option<TargetArg>,
    #[command(flatten)]
    cache: CacheArg,
}

/// Runs the command.
pub fn run(args: &RunArgs) -> Result<()> {
    // the file first: compiling may take long
    let file = args.inputs.as_deref().map(TensorFile::open).transpose()?;
    let gradients = wanted(args.grad, file.as_ref(), &args.prefix);
    let (mut runner, names) = load_runner(&args.model, args.target.as_ref(), gradients.as_ref(), args.cache.cache().as_ref())?;
    let inputs = runner.inputs();
    let given = Given { file: file.as_ref().zip(args.inputs.as_deref()), prefix: &args.prefix, args: &args.arg };
    let values = given_values(&inputs, &names, &given)?;
    runner.set_seed(args.seed);
    let items = runner.call(&values)?;
    let named = named_results(&inputs, &items)?;
    for (name, tensor) in &named {
        print(&summary(name, tensor))?;
    }
    if let Some(path) = &args.output {
        let tensors = named.iter().map(|(name, tensor)| (name.as_str(), tensor));
        write_tensors(path, tensors, &BTreeMap::new())?;
    }
    Ok(())
}

/// Results with the names that files use, in the program's order; numbers become tensors without dims.
fn named_results(inputs: &[CallInput], items: &[OutputItem]) -> Result<Vec<(String, HostTensor)>> {
    // `input.N` of files is the N-th tensor
    let tensors: Vec<&str> = inputs.iter().filter(|input| input.number.is_none()).map(|input| input.name.as_str()).collect();
    let input = |name: &str| tensors.iter().position(|other| *other == name).map_or(name.to_owned(), |index| index.to_string());
    let (mut outputs, mut scalars) = (0, 0);
    let mut named = Vec::new();
    for item in items {
        let tensor = match &item.value {
            Some(Value::Tensor(tensor)) => Some(tensor.clone()),
            Some(Value::Int(value)) => Some(HostTensor::scalar(*value)?),
            Some(Value::Float(value)) => Some(HostTensor::scalar(*value)?),
            Some(Value::Bool(value)) => Some(HostTensor::scalar(*value)?),
            Some(Value::Device(_)) | None => None,
        };
        let Some(tensor) = tensor else { continue };
        let count = match &item.value {
            Some(Value::Tensor(_)) => &mut outputs,
            _ => &mut scalars,
        };
        let name = match &item.kind {
            OutputKind::Output => {
                *count += 1;
                let stem = if matches!(item.value, Some(Value::Tensor(_))) { "output" } else { "scalar" };
                format!("{stem}.{}", *count - 1)
            }
            OutputKind::BufferMutation(name) => format!("buffer.{name}"),
            OutputKind::ParameterMutation(name) => format!("parameter.{name}"),
            OutputKind::InputMutation(name) => format!("mutated.{}", input(name)),
            OutputKind::ParameterGradient(name) => format!("grad.{name}"),
            OutputKind::InputGradient(name) => format!("grad.{}", input(name)),
        };
        named.push((name, tensor));
    }
    Ok(named)
}

/// Numbers that the summary shows.
const SHOWN: usize = 6;

/// One line: `output.0  f32 [2, 3]  min -1 max 2 mean 0.5  [0.1, 0.2, ..]`.
fn summary(name: &str, tensor: &HostTensor) -> String {
    let mut line = format!("{name:<12} {} {:?}", tensor.dtype(), tensor.dims());
    let Ok(values) = tensor.to_f64_vec() else {
        return line; // complex numbers have no order
    };
    let numbers = values.iter().filter(|value| !value.is_nan());
    let (mut min, mut max, mut sum, mut count) = (f64::INFINITY, f64::NEG_INFINITY, 0.0, 0usize);
    for value in numbers {
        (min, max, sum, count) = (min.min(*value), max.max(*value), sum + value, count + 1);
    }
    if count > 1 && tensor.dtype() != DType::Bool {
        let mean = sum / count as f64;
        line.push_str(&format!("  min {} max {} mean {}", short(min), short(max), short(mean)));
    }
    if count < values.len() {
        line.push_str(&format!("  {} NaN", values.len() - count));
    }
    let mut shown: Vec<String> = values.iter().take(SHOWN).map(|value| short(*value)).collect();
    if values.len() > SHOWN {
        shown.push("..".into());
    }
    line.push_str(&format!("  [{}]", shown.join(", ")));
    line
}

/// About six digits.
fn short(value: f64) -> String {
    let size = value.abs();
    if value == value.trunc() && size < 1e15 {
        format!("{value}")
    } else if (1e-4..1e7).contains(&size) {
        let digits = 5 - size.log10().floor() as i32;
        format!("{value:.*}", digits.clamp(0, 9) as usize)
    } else {
        format!("{value:.5e}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn summaries() {
        let tensor = HostTensor::from_slice(&[2, 2], &[1.0f32, -0.5, f32::NAN, 1234.5678]).unwrap();
        assert_eq!(
            summary("output.0", &tensor),
            "output.0     f32 [2, 2]  min -0.500000 max 1234.57 mean 411.689  1 NaN  [1, -0.500000, NaN, 1234.57]"
        );
        let tensor = HostTensor::from_slice(&[8], &[7i64; 8]).unwrap();
        assert_eq!(summary("buffer.count", &tensor), "buffer.count i64 [8]  min 7 max 7 mean 7  [7, 7, 7, 7, 7, 7, ..]");
        assert_eq!(short(1.5e-9), "1.50000e-9");
        assert_eq!(short(f64::INFINITY), "inf");
    }

    #[test]
    fn tensors_and_numbers_are_counted_apart() {
        let inputs = crate::load::call_inputs(&crate::values::tests::plan());
        let item = |kind, value| OutputItem { kind, value };
        let tensor = Value::Tensor(HostTensor::scalar(1.0f32).unwrap());
        let items = [
            item(OutputKind::Output, Some(tensor.clone())),
            item(OutputKind::Output, None),
            item(OutputKind::Output, Some(Value::Int(3))),
            item(OutputKind::Output, Some(tensor.clone())),
            item(OutputKind::BufferMutation("a.b".into()), Some(tensor.clone())),
            item(OutputKind::InputMutation("y".into()), Some(tensor)),
        ];
        let named = named_results(&inputs, &items).unwrap();
        let names: Vec<&str> = named.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["output.0", "scalar.0", "output.1", "buffer.a.b", "mutated.1"]);
    }
}
