//! What the tests of functions share.

use crate::Function;
use crate::typed::Values;
use fx_runtime::{DType, HostTensor, OpCall, ResultType};

/// Calls a function: scalars as integers (floats as bits), results by type and known sizes.
pub(crate) fn call(function: Function, tensors: &[HostTensor], scalars: &[i64], results: &[(DType, &[usize])]) -> Values {
    named(function, tensors, scalars, "", results)
}

/// As [`call`], with the attribute `reduce`.
pub(crate) fn named(function: Function, tensors: &[HostTensor], scalars: &[i64], reduce: &str, results: &[(DType, &[usize])]) -> Values {
    with(function, tensors, scalars, ("reduce", reduce.into()), results)
}

/// As [`call`], with an attribute.
pub(crate) fn with(
    function: Function,
    tensors: &[HostTensor],
    scalars: &[i64],
    (name, value): (&str, serde_json::Value),
    results: &[(DType, &[usize])],
) -> Values {
    let attributes = [(name.to_owned(), value)].into_iter().collect();
    let known = |dims: &[usize]| dims.iter().map(|dim| (*dim != usize::MAX).then_some(*dim)).collect();
    let results: Vec<_> = results.iter().map(|(dtype, dims)| ResultType { dtype: *dtype, dims: known(dims) }).collect();
    function(&OpCall { tensors, scalars, attributes: &attributes, results: &results })
}

/// The elements as doubles.
pub(crate) fn numbers(tensor: &HostTensor) -> Vec<f64> {
    tensor.to_f64_vec().unwrap_or_default()
}
