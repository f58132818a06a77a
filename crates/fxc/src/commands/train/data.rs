//! The batches of a run: tensors of a file, cut along their first dim.

use crate::error::{CliError, Result};
use crate::load::{call_inputs, user_inputs};
use crate::values::{Given, NamedValue, given_values};
use fx_runtime::plan::{ArgumentValue, Buffer, Scalar};
use fx_runtime::tensor_file::TensorFile;
use fx_runtime::{HostTensor, Plan, Value};
use std::path::Path;

/// Inputs that a training step has besides the program's: the learning rate and the step's number, the last two.
const OWN: usize = 2;

/// Values for each step.
pub struct Batches {
    inputs: Vec<Input>,
    count: usize,
}

enum Input {
    /// The same in all steps.
    Number(Value),
    /// Rows of a tensor: so many, of these dims, for each batch.
    Tensor { all: HostTensor, dims: Vec<usize> },
}

impl Batches {
    /// The data for a training step's plan. `names` are the program's inputs, which positions of `--arg` count.
    pub fn new(plan: &Plan, names: &[String], file: &TensorFile, path: &Path, args: &[NamedValue]) -> Result<Self> {
        let mut called = call_inputs(plan);
        called.truncate(called.len().saturating_sub(OWN));
        let values = given_values(&called, names, &Given { file: Some((file, path)), prefix: "", args })?;
        let mut batches = Batches { inputs: Vec::new(), count: 0 };
        let mut counted: Option<String> = None;
        let mut tensors = 0;
        for ((name, argument), value) in user_inputs(plan).zip(values) {
            let (ArgumentValue::Tensor(buffer), Value::Tensor(all)) = (argument, &value) else {
                batches.inputs.push(Input::Number(value));
                continue;
            };
            let key = format!("input.{tensors}");
            tensors += 1;
            let buffer =
                plan.buffers.get(*buffer as usize).ok_or_else(|| CliError::Failed(format!("the plan has no buffer for '{name}'")))?;
            let (count, dims) = cut(plan, buffer, all).map_err(|expected| {
                let found = format!("{} {:?}", all.dtype(), all.dims());
                CliError::Failed(format!("{}: tensor '{key}' is {found}, expected {expected} for input '{name}'", path.display()))
            })?;
            match &counted {
                None if count == 0 => return Err(CliError::Failed(format!("{}: tensor '{key}' has no batch", path.display()))),
                None => (batches.count, counted) = (count, Some(key)),
                Some(first) if batches.count != count => {
                    let text = format!("'{first}' has {} batches, '{key}' has {count}", batches.count);
                    return Err(CliError::Failed(format!("{}: {text}", path.display())));
                }
                Some(_) => {}
            }
            batches.inputs.push(Input::Tensor { all: all.clone(), dims });
        }
        Ok(batches)
    }

    /// The values of a step; the first is 0.
    pub fn values(&self, step: usize) -> Result<Vec<Value>> {
        let value = |input: &Input| match input {
            Input::Number(value) => Ok(value.clone()),
            Input::Tensor { all, dims } => {
                let bytes = dims.iter().product::<usize>() * all.dtype().size();
                let start = step % self.count * bytes; // a tensor was counted
                Ok(HostTensor::from_bytes(all.dtype(), dims, &all.bytes()[start..start + bytes])?.into())
            }
        };
        self.inputs.iter().map(value).collect()
    }
}

/// How many batches a tensor has for an input, and their dims; else what it should be.
fn cut(plan: &Plan, buffer: &Buffer, all: &HostTensor) -> Result<(usize, Vec<usize>), String> {
    let (dims, rank) = (all.dims(), buffer.dims.len());
    let fits = |(own, size): (&Scalar, &usize)| match own {
        Scalar::Const(own) => usize::try_from(*own) == Ok(*size),
        Scalar::Reg(_) => true, // the call binds it
    };
    let right_type = all.dtype() == buffer.dtype;
    if let ([count, batch @ ..], true) = (dims, right_type && dims.len() == rank + 1)
        && buffer.dims.iter().zip(batch).all(fits)
    {
        return Ok((*count, batch.to_vec()));
    }
    if let ([samples, rest @ ..], [Scalar::Const(rows), ..], true) = (dims, &buffer.dims[..], right_type && dims.len() == rank)
        && buffer.dims[1..].iter().zip(rest).all(fits)
        && let Some(rows) = usize::try_from(*rows).ok().filter(|rows| *rows > 0)
    {
        return Ok((samples / rows, [&[rows], rest].concat()));
    }
    let name = |dim: &Scalar| match dim {
        Scalar::Const(size) => size.to_string(),
        Scalar::Reg(reg) => plan.symbols.iter().find(|symbol| symbol.reg == *reg).map_or("?".into(), |symbol| symbol.name.clone()),
    };
    let names: Vec<String> = std::iter::once("batches".into()).chain(buffer.dims.iter().map(name)).collect();
    Err(format!("{} [{}]", buffer.dtype, names.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use fx_runtime::tensor_file::write_tensors;

    /// `f(x: f32[2, 3], y: i64[s0], learning_rate: f64, step: i64)`
    fn plan() -> Plan {
        let text = r#"{"version": 1, "target": "cpu", "registers": 3, "setup": [],
            "symbols": [{"name": "s0", "reg": 0, "min": 2, "max": 8}],
            "arguments": [
                {"kind": {"input": "x"}, "value": {"tensor": 0}},
                {"kind": {"input": "y"}, "value": {"tensor": 1}},
                {"kind": {"input": "learning_rate"}, "value": {"scalar": {"reg": 1, "dtype": "f64"}}},
                {"kind": {"input": "step"}, "value": {"scalar": {"reg": 2, "dtype": "i64"}}}],
            "outputs": [], "constants": [], "kernels": [], "binaries": [], "steps": [],
            "buffers": [
                {"dtype": "f32", "dims": [{"const": 2}, {"const": 3}], "storage": "argument"},
                {"dtype": "i64", "dims": [{"reg": 0}], "storage": "argument"}]}"#;
        serde_json::from_str(text).unwrap()
    }

    fn batches(x: &[usize], y: &[usize]) -> Result<Batches> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("data.safetensors");
        let numbers = |dims: &[usize]| (0..dims.iter().product::<usize>()).collect::<Vec<_>>();
        let x = HostTensor::from_slice(x, &numbers(x).into_iter().map(|n| n as f32).collect::<Vec<_>>()).unwrap();
        let y = HostTensor::from_slice(y, &numbers(y).into_iter().map(|n| n as i64).collect::<Vec<_>>()).unwrap();
        write_tensors(&path, [("input.0", &x), ("input.1", &y)], &Default::default()).unwrap();
        Batches::new(&plan(), &["x".into(), "y".into()], &TensorFile::open(&path).unwrap(), &path, &[])
    }

    #[test]
    fn batches_go_round() {
        for x in [&[3, 2, 3][..], &[7, 3]] {
            let batches = batches(x, &[3, 4]).unwrap();
            let values = batches.values(4).unwrap();
            let (x, y) = (values[0].tensor().unwrap(), values[1].tensor().unwrap());
            assert_eq!((x.dims(), x.as_slice::<f32>().unwrap()), (&[2, 3][..], &[6.0, 7.0, 8.0, 9.0, 10.0, 11.0][..]));
            assert_eq!((y.dims(), y.as_slice::<i64>().unwrap()), (&[4][..], &[4, 5, 6, 7][..]));
        }
    }

    #[test]
    fn data_that_does_not_fit_is_named() {
        let error = |x: &[usize], y: &[usize]| batches(x, y).err().unwrap().to_string();
        assert!(error(&[3, 2, 4], &[3, 4]).ends_with("'input.0' is f32 [3, 2, 4], expected f32 [batches, 2, 3] for input 'x'"));
        assert!(error(&[3, 2, 3], &[12]).ends_with("'input.1' is i64 [12], expected i64 [batches, s0] for input 'y'"));
        assert!(error(&[3, 2, 3], &[4, 4]).ends_with("'input.0' has 3 batches, 'input.1' has 4"));
        assert!(error(&[1, 3], &[3, 4]).ends_with("tensor 'input.0' has no batch"));
    }
}
