//! Sizes and other numbers of tensors, checks at run time. Ops with regions are the walk's ([`crate::run`]).

use super::Entry;
use crate::call::Call;
use crate::graph::{NumberKind, ValueType};
use crate::value::Value;
use crate::{Number, Result};

pub(super) static OPS: &[Entry] = &[
    ("fx.assert", |call| {
        if call.scalar("input")?.truth() {
            return Ok(Vec::new());
        }
        Err(format!("failed: {}", call.optional_str("assert_msg").unwrap_or_default()))
    }),
    ("fx.assert_tensor_metadata", assert_tensor_metadata),
    ("fx.call", |call| Err(format!("cannot be computed: operator '{}' is not in the reference evaluator", call.str("target")?))),
    ("fx.is_contiguous", |_| Ok(vec![Number::Bool(true).into()])),
    ("fx.item", item),
    ("fx.numel", |call| int(call.array("input")?.len())),
    ("fx.size", |call| {
        let input = call.array("input")?;
        int(input.size(call.dim("dim", input.rank())?))
    }),
    ("fx.storage_offset", |_| int(0)),
    ("fx.stride", |call| {
        let input = call.array("input")?;
        let dim = call.dim("dim", input.rank())?;
        int(input.shape().iter().skip(dim + 1).map(|size| (*size).max(1)).product())
    }),
];

fn int(value: usize) -> Result<Vec<Value>> {
    Ok(vec![Number::Int(value as i64).into()])
}

/// The only element, in the kind of the result.
fn item(call: &Call<'_>) -> Result<Vec<Value>> {
    let number = call.array("input")?.item()?;
    Ok(vec![match call.result_type(0) {
        Some(ValueType::Number(NumberKind::Int)) => Number::Int(number.int()).into(),
        _ => number.into(),
    }])
}

fn assert_tensor_metadata(call: &Call<'_>) -> Result<Vec<Value>> {
    let input = call.array("input")?;
    if let Some(dtype) = call.dtype("dtype").filter(|dtype| *dtype != input.dtype()) {
        return Err(format!("failed: the element type is {}, expected {dtype}", input.dtype()));
    }
    let shape = call.shape("size")?;
    if !shape.is_empty() && shape != input.shape() {
        return Err(format!("failed: the shape is {:?}, expected {shape:?}", input.shape()));
    }
    Ok(Vec::new())
}
