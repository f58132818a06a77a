//! Vectorised functions by numbers: with a further first dim of some operands, each op gives for each index what it gives for the
//! operands of that index. In the reference evaluator, on the cases that [`crate::rows`] make, in 64 bits.

use std::panic::{AssertUnwindSafe, catch_unwind};

use fx_autodiff::vmap::vectorise;
use fx_ir::Context;
use fx_ops::table::is_random;
use fx_runtime::{HostTensor, Value};

use crate::Row;
use crate::case::{Case, Instance, program};
use crate::derivatives::{Function, cases, like, reals};
use crate::draw::Stream;
use crate::search::Settings;

/// Size of the further dim.
const SIZE: usize = 3;

/// How far results may be from each other, relative to the largest.
const DIFFERENCE: f64 = 1e-9;

/// The vectorised ops of a family.
pub fn check(rows: &[Row], family: &str) {
    let settings = Settings::read();
    let mut failures = Vec::new();
    for row in rows.iter().filter(|row| settings.wants(row.op) && !is_random(row.op) && !row.data_dependent) {
        let context = fx_ir::new_context(false);
        for (number, case) in cases(row, &settings).enumerate() {
            let found = catch_unwind(AssertUnwindSafe(|| judge(&context, row, &case, number as u64)));
            if let Err(text) = found.unwrap_or_else(|_| Err("panics".into())) {
                failures.push(format!("'{}': {text}\n{}", row.op, crate::judge::text(row.op, &case)));
                break;
            }
        }
    }
    assert!(failures.is_empty(), "{family}: {} faults\n\n{}", failures.len(), failures.join("\n"));
}

/// Compares a case with itself, vectorised. Cases that do not run, or give numbers, say nothing.
fn judge(context: &Context, row: &Row, case: &Case, seed: u64) -> Result<(), String> {
    let Some(types) = case.infer(context, row.op).ok().filter(|types| !case.fails && types.iter().all(|ty| ty.starts_with("tensor")))
    else {
        return Ok(());
    };
    let text = program(&[Instance { op: row.op, case, types: &types }]);
    let inputs = case.inputs(row.op);
    let mut stream = Stream::new(seed ^ 0xba7c);
    let batched: Vec<usize> = (0..inputs.len()).filter(|place| matches!(inputs[*place], Value::Tensor(_)) && stream.below(3) > 0).collect();
    let Ok(plain) = Function::new(context, &text, |_| Ok(())) else { return Ok(()) };
    if batched.is_empty() {
        return Ok(());
    }
    let mut draw = |turned: bool| {
        let slices: Vec<Vec<Value>> = (0..SIZE).map(|index| moved(&inputs, &batched, index, turned, &mut stream)).collect();
        let expected = slices.iter().map(|slice| values(&plain, slice)).collect::<Result<Vec<_>, _>>().ok()?;
        Some((slices, expected))
    };
    // Positions and masks in another order may be none: of offsets, say.
    let Some((slices, expected)) = draw(true).or_else(|| draw(false)) else { return Ok(()) };
    let all = Function::new(context, &text, |main| vectorise(main, Some(&batched), SIZE as i64))?;
    let joined = |place: usize| -> Result<Value, String> {
        if batched.contains(&place) { stacked(&slices, place) } else { Ok(inputs[place].clone()) }
    };
    let found = values(&all, &(0..inputs.len()).map(joined).collect::<Result<Vec<_>, _>>()?)?;
    for (number, found) in found.iter().enumerate() {
        let expected = stacked(&expected, number)?;
        compare(number, found, &expected)?;
    }
    Ok(())
}

fn values(function: &Function, inputs: &[Value]) -> Result<Vec<Value>, String> {
    Ok(function.call(inputs)?.into_iter().filter_map(|item| item.value).collect())
}

/// The operands of an index: floats are moved a little, elements of other tensors are in another order, if `turned`.
fn moved(inputs: &[Value], batched: &[usize], index: usize, turned: bool, stream: &mut Stream) -> Vec<Value> {
    let mut inputs = inputs.to_vec();
    for place in batched.iter().filter(|_| index > 0) {
        let Some(numbers) = reals(&inputs[*place]) else {
            if turned && let Value::Tensor(tensor) = &inputs[*place] {
                let mut bytes = tensor.bytes().to_vec();
                let count = bytes.len().max(1);
                bytes.rotate_left(index * tensor.dtype().size() % count);
                inputs[*place] =
                    HostTensor::from_bytes(tensor.dtype(), tensor.dims(), &bytes).map_or_else(|_| inputs[*place].clone(), Value::Tensor);
            }
            continue;
        };
        let numbers: Vec<f64> = numbers.iter().map(|x| x * (1.0 + 0.1 * stream.unit())).collect();
        inputs[*place] = like(&inputs[*place], &numbers).unwrap_or_else(|| inputs[*place].clone());
    }
    inputs
}

/// Tensors of one type and shape, one after the other, with a further first dim.
fn stacked(slices: &[Vec<Value>], place: usize) -> Result<Value, String> {
    let tensor = |slice: &Vec<Value>| match slice.get(place) {
        Some(Value::Tensor(tensor)) => Ok(tensor.clone()),
        _ => Err(format!("result {place} is no tensor")),
    };
    let tensors: Vec<HostTensor> = slices.iter().map(tensor).collect::<Result<_, _>>()?;
    let dims: Vec<usize> = std::iter::once(slices.len()).chain(tensors[0].dims().iter().copied()).collect();
    let bytes: Vec<u8> = tensors.iter().flat_map(|tensor| tensor.bytes().to_vec()).collect();
    HostTensor::from_bytes(tensors[0].dtype(), &dims, &bytes).map(Value::Tensor).map_err(|error| error.to_string())
}

fn compare(number: usize, found: &Value, expected: &Value) -> Result<(), String> {
    let (Value::Tensor(a), Value::Tensor(b)) = (found, expected) else { return Err(format!("result {number} is no tensor")) };
    if (a.dtype(), a.dims()) != (b.dtype(), b.dims()) {
        return Err(format!("result {number} is {} {:?}, expected {} {:?}", a.dtype(), a.dims(), b.dtype(), b.dims()));
    }
    let (Some(a_numbers), Some(b_numbers)) = (reals(found), reals(expected)) else {
        return if a.bytes() == b.bytes() { Ok(()) } else { Err(format!("result {number} differs")) };
    };
    let largest = b_numbers.iter().filter(|x| x.is_finite()).fold(0.0f64, |most, x| most.max(x.abs()));
    let narrow = if a.dtype().size() < 8 { 1e6 } else { 1.0 };
    let same = |a: f64, b: f64| a == b || (a.is_nan() && b.is_nan()) || (a - b).abs() <= narrow * DIFFERENCE * largest.max(1e-6);
    match a_numbers.iter().zip(&b_numbers).position(|(a, b)| !same(*a, *b)) {
        Some(at) => Err(format!("result {number} is {:?} at {at}, expected {:?}", a_numbers[at], b_numbers[at])),
        None => Ok(()),
    }
}
