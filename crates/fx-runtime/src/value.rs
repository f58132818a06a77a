//! What goes into a call and what comes out.

use crate::error::{Result, RuntimeError};
use crate::ffi::bytes::Span;
use crate::plan::{DType, OutputKind};
use crate::tensor::{HostTensor, shape_text};
use std::any::Any;
use std::sync::Arc;

/// A contiguous row-major tensor in GPU memory. A clone shares the bytes.
#[derive(Clone)]
pub struct DeviceTensor {
    dtype: DType,
    dims: Vec<usize>,
    device: u32,
    span: Span,
    _owner: Arc<dyn Any + Send + Sync>,
}

impl DeviceTensor {
    /// Made by `ffi` and the executor, which know that `span` holds this tensor while `owner` lives.
    pub(crate) fn new(dtype: DType, dims: Vec<usize>, device: u32, span: Span, owner: Arc<dyn Any + Send + Sync>) -> Self {
        DeviceTensor { dtype, dims, device, span, _owner: owner }
    }

    /// Element type.
    pub fn dtype(&self) -> DType {
        self.dtype
    }

    /// Size of each dimension.
    pub fn dims(&self) -> &[usize] {
        &self.dims
    }

    /// Ordinal of the CUDA device.
    pub fn device(&self) -> u32 {
        self.device
    }

    /// Device address of the first element.
    pub fn address(&self) -> u64 {
        self.span.address()
    }

    /// Number of bytes.
    pub fn byte_len(&self) -> usize {
        self.span.bytes()
    }

    pub(crate) fn span(&self) -> Span {
        self.span
    }
}

impl std::fmt::Debug for DeviceTensor {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "DeviceTensor({}{} on cuda:{})", self.dtype, shape_text(&self.dims), self.device)
    }
}

/// A value given to or made by a program.
#[derive(Debug, Clone)]
pub enum Value {
    /// A tensor in host memory.
    Tensor(HostTensor),
    /// A tensor in GPU memory.
    Device(DeviceTensor),
    /// An integer.
    Int(i64),
    /// A floating-point number.
    Float(f64),
    /// A truth value.
    Bool(bool),
}

impl Value {
    /// The host tensor. Fails for everything else.
    pub fn tensor(&self) -> Result<&HostTensor> {
        match self {
            Value::Tensor(tensor) => Ok(tensor),
            other => Err(RuntimeError::Tensor(format!("expected a host tensor, got {}", other.kind()))),
        }
    }

    /// Element type and dims, of a tensor.
    pub(crate) fn shape(&self) -> Option<(DType, &[usize])> {
        match self {
            Value::Tensor(tensor) => Some((tensor.dtype(), tensor.dims())),
            Value::Device(tensor) => Some((tensor.dtype(), tensor.dims())),
            _ => None,
        }
    }

    /// What it is, for messages.
    pub(crate) fn kind(&self) -> String {
        match self {
            Value::Tensor(tensor) => format!("a host tensor of {}", tensor.dtype()),
            Value::Device(tensor) => {
                format!("a tensor of {} on cuda:{}", tensor.dtype(), tensor.device())
            }
            Value::Int(value) => format!("the integer {value}"),
            Value::Float(value) => format!("the number {value:?}"),
            Value::Bool(value) => format!("the bool {value}"),
        }
    }

    /// The 64 bits that a register of `dtype` holds: integers may become floats, nothing else changes its kind.
    #[inline]
    pub(crate) fn to_register(&self, dtype: DType) -> Option<i64> {
        match (self, dtype) {
            (Value::Bool(value), DType::Bool) => Some(i64::from(*value)),
            (Value::Int(value), DType::I64) => Some(*value),
            (Value::Int(value), DType::I32) => i32::try_from(*value).ok().map(i64::from),
            (Value::Int(value), DType::I16) => i16::try_from(*value).ok().map(i64::from),
            (Value::Int(value), DType::I8) => i8::try_from(*value).ok().map(i64::from),
            (Value::Int(value), DType::U8) => u8::try_from(*value).ok().map(i64::from),
            (Value::Int(value), dtype) if dtype.is_float() => Some((*value as f64).to_bits() as i64),
            (Value::Float(value), dtype) if dtype.is_float() => Some(value.to_bits() as i64),
            _ => None,
        }
    }

    /// The number in a register of `dtype`.
    pub(crate) fn from_register(bits: i64, dtype: DType) -> Value {
        match dtype {
            DType::Bool => Value::Bool(bits != 0),
            dtype if dtype.is_float() => Value::Float(f64::from_bits(bits as u64)),
            _ => Value::Int(bits),
        }
    }
}

impl From<HostTensor> for Value {
    fn from(tensor: HostTensor) -> Self {
        Value::Tensor(tensor)
    }
}

impl From<DeviceTensor> for Value {
    fn from(tensor: DeviceTensor) -> Self {
        Value::Device(tensor)
    }
}

impl From<i64> for Value {
    fn from(value: i64) -> Self {
        Value::Int(value)
    }
}

impl From<f64> for Value {
    fn from(value: f64) -> Self {
        Value::Float(value)
    }
}

impl From<bool> for Value {
    fn from(value: bool) -> Self {
        Value::Bool(value)
    }
}

/// One result of a call.
#[derive(Debug, Clone)]
pub struct OutputItem {
    /// What it is: an output, or the new value of something.
    pub kind: OutputKind,
    /// Its value; none where the program returns `None`.
    pub value: Option<Value>,
}

impl OutputItem {
    /// The host tensor. Fails for everything else.
    pub fn tensor(&self) -> Result<&HostTensor> {
        match &self.value {
            Some(value) => value.tensor(),
            None => Err(RuntimeError::Tensor("expected a host tensor, got None".into())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn registers_hold_what_fits() {
        assert_eq!(Value::Int(5).to_register(DType::I8), Some(5));
        assert_eq!(Value::Int(500).to_register(DType::I8), None);
        assert_eq!(Value::Int(2).to_register(DType::F32), Some(2f64.to_bits() as i64));
        assert_eq!(Value::Float(2.0).to_register(DType::I64), None);
        assert_eq!(Value::Bool(true).to_register(DType::I64), None);
        assert!(matches!(Value::from_register(1, DType::Bool), Value::Bool(true)));
        assert!(matches!(Value::from_register(-1, DType::I32), Value::Int(-1)));
    }
}
