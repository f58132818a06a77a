//! Parameters of a program that comes without any.

use fx_library::philox;
use fx_runtime::plan::ArgumentKind;
use fx_runtime::{DType, HostTensor};
use half::{bf16, f16};

use crate::compile::fixed_type;
use crate::{Compiled, Error};

/// Values of parameters and buffers that no archive gave: of at least two dims uniform numbers up to `sqrt(6 / (fan in + fan
/// out))` (Glorot, Bengio: Understanding the difficulty of training deep feedforward neural networks. AISTATS 2010), the rest 0.
pub(super) fn state(compiled: &Compiled, seed: u64) -> Result<Vec<(String, HostTensor)>, Error> {
    let mut state: Vec<(String, HostTensor)> = Vec::new();
    for argument in &compiled.plan.arguments {
        let (name, is_parameter) = match &argument.kind {
            ArgumentKind::Parameter(name) => (name, true),
            ArgumentKind::Buffer(name) => (name, false),
            ArgumentKind::Constant(_) | ArgumentKind::Input(_) => continue,
        };
        if compiled.tensors.contains_key(name) || state.iter().any(|(other, _)| other == name) {
            continue;
        }
        let Some((dtype, dims)) = fixed_type(&compiled.plan, &argument.value) else {
            return Err(Error::Usage(format!("'{name}' has a size that is not known before a call")));
        };
        let tensor = match dims[..] {
            [outer, inner, ..] if is_parameter => {
                let field: usize = dims[2..].iter().product();
                let bound = (6.0 / ((outer + inner) * field).max(1) as f64).sqrt();
                uniform(dtype, &dims, bound, seed, state.len() as u32)?
            }
            _ => HostTensor::zeros(dtype, &dims)?,
        };
        state.push((name.clone(), tensor));
    }
    Ok(state)
}

/// Uniform numbers between `-bound` and `bound`; `place` tells tensors apart.
fn uniform(dtype: DType, dims: &[usize], bound: f64, seed: u64, place: u32) -> Result<HostTensor, Error> {
    let zeros = HostTensor::zeros(dtype, dims)?; // checks the size
    let number = |index: usize| {
        let words = philox([seed as u32, (seed >> 32) as u32], [index as u32, (index >> 32) as u32, place, u32::MAX]);
        (f64::from(words[0]) / f64::from(u32::MAX) * 2.0 - 1.0) * bound
    };
    let numbers = (0..zeros.len()).map(number);
    Ok(match dtype {
        DType::F64 => HostTensor::from_slice(dims, &numbers.collect::<Vec<_>>())?,
        DType::F32 => HostTensor::from_slice(dims, &numbers.map(|number| number as f32).collect::<Vec<_>>())?,
        DType::F16 => HostTensor::from_slice(dims, &numbers.map(f16::from_f64).collect::<Vec<_>>())?,
        DType::BF16 => HostTensor::from_slice(dims, &numbers.map(bf16::from_f64).collect::<Vec<_>>())?,
        _ => zeros,
    })
}
