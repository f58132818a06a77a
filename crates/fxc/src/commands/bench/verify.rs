//! `--verify-graphs`: calls with CUDA graphs give the bits that calls without them give.

use super::measure::on_device;
use crate::error::{CliError, Result};
use fx_runtime::{Executor, Graphs, HostTensor, OutputItem, Value};

/// Different inputs.
const INPUTS: usize = 4;
/// How often each way goes through them.
const ROUNDS: usize = 3;

/// Calls the program on several inputs, made from `values`, without graphs and with them. Gives how many calls with graphs were
/// compared. Fails at the first result that differs.
pub fn verify(executor: &mut Executor, values: &[Value]) -> Result<usize> {
    let mut inputs = Vec::new();
    for turn in 0..INPUTS {
        let turned: Vec<Value> = values.iter().map(|value| turned(value, turn)).collect::<Result<_>>()?;
        inputs.push(on_device(executor, turned)?);
    }
    executor.set_graphs(Graphs::Never);
    let expected = inputs.iter().map(|values| Ok(executor.call(values)?)).collect::<Result<Vec<_>>>()?;
    let mut compared = 0;
    for graphs in [Graphs::Auto, Graphs::Always] {
        executor.set_graphs(graphs);
        let mut kept: Option<Vec<OutputItem>> = None; // so that the next results lie elsewhere
        for call in 0..ROUNDS * INPUTS {
            let input = call % INPUTS;
            let items = executor.call_on_device(&inputs[input])?;
            let found = on_host(executor, &items)?;
            if let Some(output) = difference(&found, &expected[input]) {
                return Err(CliError::Failed(format!(
                    "graphs {graphs}, call {call} on inputs {input}: result {output} is not that of launches one by one"
                )));
            }
            kept.replace(items);
            compared += 1;
        }
    }
    Ok(compared)
}

/// A value with a tensor's elements in a turned order.
fn turned(value: &Value, turn: usize) -> Result<Value> {
    let Value::Tensor(tensor) = value else {
        return Ok(value.clone());
    };
    let mut bytes = tensor.bytes().to_vec();
    let elements = bytes.len() / tensor.dtype().size();
    if elements > 0 {
        bytes.rotate_left(turn * (elements / INPUTS + 1) % elements * tensor.dtype().size());
    }
    Ok(Value::Tensor(HostTensor::from_bytes(tensor.dtype(), tensor.dims(), &bytes)?))
}

/// Results with their tensors in host memory.
fn on_host(executor: &mut Executor, items: &[OutputItem]) -> Result<Vec<OutputItem>> {
    let items = items.iter().map(|item| {
        let value = match &item.value {
            Some(Value::Device(tensor)) => Some(Value::Tensor(executor.download(tensor)?)),
            other => other.clone(),
        };
        Ok(OutputItem { kind: item.kind.clone(), value })
    });
    items.collect()
}

/// The first result that has other bits.
fn difference(found: &[OutputItem], expected: &[OutputItem]) -> Option<usize> {
    let same = |pair: (&OutputItem, &OutputItem)| match (&pair.0.value, &pair.1.value) {
        (Some(Value::Tensor(a)), Some(Value::Tensor(b))) => a.dims() == b.dims() && a.dtype() == b.dtype() && a.bytes() == b.bytes(),
        (Some(Value::Float(a)), Some(Value::Float(b))) => a.to_bits() == b.to_bits(),
        (Some(Value::Int(a)), Some(Value::Int(b))) => a == b,
        (Some(Value::Bool(a)), Some(Value::Bool(b))) => a == b,
        (a, b) => a.is_none() && b.is_none(),
    };
    if found.len() != expected.len() {
        return Some(found.len().min(expected.len()));
    }
    found.iter().zip(expected).position(|pair| !same(pair))
}

#[cfg(test)]
mod tests {
    use super::*;
    use fx_runtime::plan::OutputKind;

    fn item(value: Option<Value>) -> OutputItem {
        OutputItem { kind: OutputKind::Output, value }
    }

    fn tensor(values: &[f32]) -> Value {
        Value::Tensor(HostTensor::from_slice(&[values.len()], values).unwrap())
    }

    #[test]
    fn inputs_differ_and_keep_their_elements() {
        let value = tensor(&[1.0, 2.0, 3.0, 4.0, 5.0]);
        let elements = |turn| {
            let Value::Tensor(tensor) = turned(&value, turn).unwrap() else { panic!("a tensor") };
            tensor.as_slice::<f32>().unwrap().to_vec()
        };
        assert_eq!(elements(0), [1.0, 2.0, 3.0, 4.0, 5.0]);
        assert_eq!(elements(1), [3.0, 4.0, 5.0, 1.0, 2.0]);
        assert!(matches!(turned(&Value::Int(3), 2).unwrap(), Value::Int(3)));
        assert!(turned(&tensor(&[]), 1).is_ok());
    }

    #[test]
    fn bits_are_compared() {
        let same = |a: Value, b: Value| difference(&[item(None), item(Some(a))], &[item(None), item(Some(b))]).is_none();
        assert!(same(tensor(&[1.0, f32::NAN]), tensor(&[1.0, f32::NAN])));
        assert!(!same(tensor(&[0.0]), tensor(&[-0.0])));
        assert!(same(Value::Float(0.5), Value::Float(0.5)) && !same(Value::Int(1), Value::Int(2)));
        assert_eq!(difference(&[], &[item(None)]), Some(0));
    }
}
