//! Tensors in host memory.
//!
//! Invariant Contiguous, row-major, immutable; a clone shares the bytes. Bytes that this crate allocates are aligned to
//!           64; mapped and foreign ones at least to the element (what is not is copied).

use crate::dtype::decode_f64;
use crate::error::{Result, RuntimeError};
use crate::ffi::bytes::{Bytes, Span, bytes_of, elements_of};
use crate::plan::DType;

pub use crate::ffi::bytes::{ALIGNMENT, Element, HostBuffer};

/// A contiguous row-major tensor in host memory.
#[derive(Clone)]
pub struct HostTensor {
    dtype: DType,
    dims: Vec<usize>,
    data: Bytes,
}

/// Bytes of a tensor; an error when they overflow.
pub(crate) fn byte_len(dtype: DType, dims: &[usize]) -> Result<usize> {
    let overflow = || RuntimeError::SizeOverflow { what: format!("tensor of {dtype}"), detail: format!("shape {}", shape_text(dims)) };
    if dims.contains(&0) {
        return Ok(0);
    }
    dims.iter()
        .try_fold(dtype.size(), |bytes, dim| bytes.checked_mul(*dim))
        .filter(|bytes| isize::try_from(*bytes).is_ok())
        .ok_or_else(overflow)
}

/// A shape as text, such as `[2, 3]`.
pub(crate) fn shape_text(dims: &[usize]) -> String {
    let dims: Vec<String> = dims.iter().map(usize::to_string).collect();
    format!("[{}]", dims.join(", "))
}

impl HostTensor {
    /// A tensor with a copy of `values`. Fails when their number is not the product of `dims`.
    pub fn from_slice<T: Element>(dims: &[usize], values: &[T]) -> Result<Self> {
        Self::from_bytes(T::DTYPE, dims, bytes_of(values))
    }

    /// A tensor without dims.
    pub fn scalar<T: Element>(value: T) -> Result<Self> {
        Self::from_slice(&[], &[value])
    }

    /// A tensor of zeros.
    pub fn zeros(dtype: DType, dims: &[usize]) -> Result<Self> {
        Self::from_buffer(dtype, dims, HostBuffer::zeroed(byte_len(dtype, dims)?)?)
    }

    /// A tensor with a copy of little-endian `bytes`. Fails when their number does not fit.
    pub fn from_bytes(dtype: DType, dims: &[usize], bytes: &[u8]) -> Result<Self> {
        check_len(dtype, dims, bytes.len())?;
        Self::from_buffer(dtype, dims, HostBuffer::copy_of(bytes)?)
    }

    /// A tensor that takes `buffer` over. Fails when its length does not fit.
    pub fn from_buffer(dtype: DType, dims: &[usize], buffer: HostBuffer) -> Result<Self> {
        Self::from_shared(dtype, dims, Bytes::from_buffer(buffer))
    }

    /// A tensor over shared bytes, which are copied if they are not aligned to the element.
    pub(crate) fn from_shared(dtype: DType, dims: &[usize], data: Bytes) -> Result<Self> {
        check_len(dtype, dims, data.as_slice().len())?;
        let data = if data.span().address().is_multiple_of(dtype.align() as u64) {
            data
        } else {
            Bytes::from_buffer(HostBuffer::copy_of(data.as_slice())?)
        };
        Ok(HostTensor { dtype, dims: dims.to_vec(), data })
    }

    /// The executor's fast path: dims and length are known to agree.
    pub(crate) fn from_parts(dtype: DType, dims: Vec<usize>, buffer: HostBuffer) -> Self {
        HostTensor { dtype, dims, data: Bytes::from_buffer(buffer) }
    }

    /// Element type.
    pub fn dtype(&self) -> DType {
        self.dtype
    }

    /// Size of each dimension.
    pub fn dims(&self) -> &[usize] {
        &self.dims
    }

    /// Number of elements.
    pub fn len(&self) -> usize {
        self.data.as_slice().len() / self.dtype.size()
    }

    /// Whether there are no elements.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The little-endian bytes.
    pub fn bytes(&self) -> &[u8] {
        self.data.as_slice()
    }

    /// The elements. Fails when `T` is not the element type, or a bool is neither 0 nor 1.
    pub fn as_slice<T: Element>(&self) -> Result<&[T]> {
        if T::DTYPE != self.dtype {
            return Err(RuntimeError::Tensor(format!("read as {}, but it is {}", T::DTYPE, self.dtype)));
        }
        elements_of(self.bytes()).ok_or_else(|| RuntimeError::Tensor(format!("the bytes are no elements of {}", self.dtype)))
    }

    /// All elements as doubles (bool: 0 and 1; `i64` rounds). Fails for complex types.
    pub fn to_f64_vec(&self) -> Result<Vec<f64>> {
        let decode = |element: &[u8]| {
            decode_f64(self.dtype, element).ok_or_else(|| RuntimeError::Tensor(format!("{} has no real value", self.dtype)))
        };
        self.bytes().chunks_exact(self.dtype.size()).map(decode).collect()
    }

    /// The same bytes with other dims. Fails when the number of elements differs.
    pub fn reshape(&self, dims: &[usize]) -> Result<Self> {
        Self::from_shared(self.dtype, dims, self.data.clone())
    }

    /// Where the bytes lie, while `self` lives.
    pub(crate) fn span(&self) -> Span {
        self.data.span()
    }
}

fn check_len(dtype: DType, dims: &[usize], actual: usize) -> Result<()> {
    let expected = byte_len(dtype, dims)?;
    if expected != actual {
        return Err(RuntimeError::Tensor(format!("{dtype} of shape {} needs {expected} bytes, got {actual}", shape_text(dims))));
    }
    Ok(())
}

impl std::fmt::Debug for HostTensor {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "HostTensor({}{})", self.dtype, shape_text(&self.dims))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn views_are_typed_and_aligned() -> Result<()> {
        let tensor = HostTensor::from_slice(&[2, 2], &[1.0f32, 2.0, 3.0, 4.0])?;
        assert_eq!(tensor.as_slice::<f32>()?, [1.0, 2.0, 3.0, 4.0]);
        assert_eq!(tensor.span().address() % ALIGNMENT as u64, 0);
        let error = tensor.as_slice::<i32>().unwrap_err().to_string();
        assert_eq!(error, "tensor: read as i32, but it is f32");
        assert_eq!(tensor.reshape(&[4])?.dims(), [4]);
        assert!(tensor.reshape(&[3]).is_err());
        Ok(())
    }

    #[test]
    fn lengths_are_checked() {
        let error = HostTensor::from_slice(&[3], &[1i64, 2]).unwrap_err().to_string();
        assert_eq!(error, "tensor: i64 of shape [3] needs 24 bytes, got 16");
        assert!(HostTensor::zeros(DType::F64, &[usize::MAX, 2]).is_err());
        assert!(HostTensor::zeros(DType::F64, &[usize::MAX, 2, 0]).is_ok_and(|t| t.is_empty()));
    }

    #[test]
    fn bools_other_than_0_and_1_are_refused() -> Result<()> {
        let tensor = HostTensor::from_bytes(DType::Bool, &[2], &[1, 2])?;
        assert!(tensor.as_slice::<bool>().is_err());
        assert_eq!(tensor.to_f64_vec()?, [1.0, 1.0]);
        Ok(())
    }
}
