//! Real and complex tensors as doubles, which transforms and factorisations compute in; results are rounded once.

use crate::typed::{Arguments, tensor, text};
use fx_runtime::tensor::Element;
use fx_runtime::{DType, HostTensor, OpCall};
use rustfft::num_complex::Complex;

/// A double or a complex number of two.
pub(crate) trait Scalar: Copy {
    /// How many doubles it is.
    const PARTS: usize;
    /// From its parts.
    fn from_parts(parts: &[f64]) -> Self;
    /// Its real and its imaginary part.
    fn parts(self) -> (f64, f64);
}

impl Scalar for f64 {
    const PARTS: usize = 1;

    fn from_parts(parts: &[f64]) -> Self {
        parts[0]
    }

    fn parts(self) -> (f64, f64) {
        (self, 0.0)
    }
}

impl Scalar for Complex<f64> {
    const PARTS: usize = 2;

    fn from_parts(parts: &[f64]) -> Self {
        Complex::new(parts[0], parts[1])
    }

    fn parts(self) -> (f64, f64) {
        (self.re, self.im)
    }
}

/// The elements of a tensor of real or complex floats; real ones may be read as complex.
pub(crate) fn read<T: Scalar>(tensor: &HostTensor) -> Result<Vec<T>, String> {
    let (real, parts) = match tensor.dtype() {
        DType::C64 => (DType::F32, 2),
        DType::C128 => (DType::F64, 2),
        other => (other, 1),
    };
    let doubles = HostTensor::from_bytes(real, &[tensor.len() * parts], tensor.bytes()).and_then(|flat| flat.to_f64_vec()).map_err(text)?;
    match (parts, T::PARTS) {
        (1, 2) => Ok(doubles.into_iter().map(|re| T::from_parts(&[re, 0.0])).collect()),
        (2, 1) => Err(format!("expects real numbers, got {}", tensor.dtype())),
        _ => Ok(doubles.chunks_exact(parts).map(T::from_parts).collect()),
    }
}

/// Result `index` of a call, each element rounded to its type.
pub(crate) fn rounded<T: Scalar>(call: &OpCall<'_>, index: usize, elements: &[T]) -> Result<HostTensor, String> {
    let (dtype, dims) = (call.result(index)?.dtype, call.dims(index)?);
    let parts = || elements.iter().map(|element| element.parts());
    let bytes: Vec<u8> = match dtype {
        DType::F64 => parts().flat_map(|(re, _)| re.to_le_bytes()).collect(),
        DType::F32 => parts().flat_map(|(re, _)| (re as f32).to_le_bytes()).collect(),
        DType::C128 => parts().flat_map(|(re, im)| [re.to_le_bytes(), im.to_le_bytes()]).flatten().collect(),
        DType::C64 => parts().flat_map(|(re, im)| [(re as f32).to_le_bytes(), (im as f32).to_le_bytes()]).flatten().collect(),
        other => return Err(format!("gives floats of 32 or 64 bits, not {other}")),
    };
    HostTensor::from_bytes(dtype, &dims, &bytes).map_err(text)
}

/// Result `index` of a call.
pub(crate) fn exact<T: Element>(call: &OpCall<'_>, index: usize, elements: &[T]) -> Result<HostTensor, String> {
    tensor(&call.dims(index)?, elements)
}

/// A flag among the attributes.
pub(crate) fn option(call: &OpCall<'_>, name: &str) -> Result<bool, String> {
    call.attributes.get(name).and_then(|value| value.as_bool()).ok_or_else(|| format!("lacks the flag '{name}'"))
}

#[cfg(test)]
pub(crate) mod testing {
    //! What the tests of functions with attributes share.

    use crate::Function;
    use crate::typed::Values;
    use fx_runtime::{DType, HostTensor, OpCall, ResultType};
    use serde_json::Value;

    /// Calls a function with attributes; results by type and size.
    pub(crate) fn call(function: Function, tensors: &[HostTensor], attributes: Value, results: &[(DType, &[usize])]) -> Values {
        let expected = |(dtype, dims): &(DType, &[usize])| ResultType { dtype: *dtype, dims: dims.iter().copied().map(Some).collect() };
        let results: Vec<_> = results.iter().map(expected).collect();
        let attributes = attributes.as_object().cloned().unwrap_or_default();
        function(&OpCall { tensors, scalars: &[], attributes: &attributes, results: &results })
    }

    /// A tensor of complex numbers of two doubles.
    pub(crate) fn complex(dims: &[usize], values: &[[f64; 2]]) -> HostTensor {
        HostTensor::from_slice(dims, values).unwrap()
    }

    /// The elements as complex numbers.
    pub(crate) fn numbers(tensor: &HostTensor) -> Vec<[f64; 2]> {
        let values = super::read::<rustfft::num_complex::Complex<f64>>(tensor).unwrap();
        values.into_iter().map(|value| [value.re, value.im]).collect()
    }
}
