//! A tensor as bytes of a storage with sizes, strides and an offset, and its elements in order.
//!
//! Nothing about a [`TensorData`] is trusted: [`TensorData::to_contiguous`] checks rank, arithmetic
//! and bounds each time, so one that was made by hand is an error at worst.

use std::borrow::Cow;

use crate::schema::ScalarType;

/// The most dimensions that a tensor has.
pub const MAX_RANK: usize = 64;

/// The most bytes that a tensor with repeated elements (stride 0) expands to, unless its storage is
/// larger.
pub const MAX_EXPANDED_BYTES: u64 = 256 << 20;

/// A tensor in the archive's bytes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TensorData<'a> {
    /// Type of the elements.
    pub dtype: ScalarType,
    /// Size of each dimension.
    pub sizes: &'a [u64],
    /// Distance between neighbours of each dimension, in elements.
    pub strides: &'a [u64],
    /// Place of the first element in the storage, in elements.
    pub storage_offset: u64,
    /// The whole storage, little endian, of any alignment.
    pub bytes: &'a [u8],
}

/// Why a [`TensorData`] cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TensorError {
    /// The dtype has no elements.
    #[error("expected a dtype with a size, found {0}")]
    Dtype(ScalarType),
    /// The number of dimensions is wrong.
    #[error("expected as many strides as sizes and at most {MAX_RANK}, found {sizes} sizes and {strides} strides")]
    Rank {
        /// Number of sizes.
        sizes: usize,
        /// Number of strides.
        strides: usize,
    },
    /// A number of elements or bytes does not fit 63 bits.
    #[error("expected a number of bytes of 63 bits, found a larger one")]
    Overflow,
    /// An element lies outside of the storage.
    #[error("expected a storage of at least {needed} bytes, found {found}")]
    OutOfBounds {
        /// Bytes up to the end of the last element.
        needed: u64,
        /// Bytes of the storage.
        found: u64,
    },
    /// Repeated elements expand to too much.
    #[error("expected a tensor of at most {limit} bytes, found {found}")]
    TooLarge {
        /// Bytes of the expanded tensor.
        found: u64,
        /// The limit.
        limit: u64,
    },
}

impl<'a> TensorData<'a> {
    /// Number of elements, if that fits 63 bits.
    pub fn numel(&self) -> Option<u64> {
        element_count(self.sizes)
    }

    /// Whether the elements lie one after the other in row-major order.
    pub fn is_contiguous(&self) -> bool {
        let mut expected = 1u64;
        for (&size, &stride) in self.sizes.iter().zip(self.strides).rev() {
            if size == 0 {
                return true;
            }
            if size != 1 && stride != expected {
                return self.sizes.contains(&0);
            }
            expected = expected.saturating_mul(size);
        }
        true
    }

    /// The elements in row-major order: a part of the storage where they lie so already.
    pub fn to_contiguous(&self) -> Result<Cow<'a, [u8]>, TensorError> {
        let total = self.checked_bytes()?;
        if total == 0 {
            return Ok(Cow::Borrowed(&[]));
        }
        let start = usize::try_from(self.storage_offset)
            .ok()
            .and_then(|offset| offset.checked_mul(self.dtype.size()))
            .ok_or(TensorError::Overflow)?;
        if self.is_contiguous() {
            let end = start.saturating_add(total);
            let part = self.bytes.get(start..end);
            return part.map(Cow::Borrowed).ok_or(self.out_of_bounds(end as u64));
        }
        self.gather(start, total).map(Cow::Owned)
    }

    fn out_of_bounds(&self, needed: u64) -> TensorError {
        TensorError::OutOfBounds { needed, found: self.bytes.len() as u64 }
    }

    /// Checks everything, and gives the bytes of the contiguous tensor.
    fn checked_bytes(&self) -> Result<usize, TensorError> {
        let geometry = Geometry { dtype: self.dtype, sizes: self.sizes, strides: self.strides, storage_offset: self.storage_offset };
        let bytes = geometry.check(self.bytes.len() as u64)?;
        usize::try_from(bytes).map_err(|_| TensorError::Overflow)
    }

    /// Copies the elements one run after the other; a run is what lies together at the end.
    fn gather(&self, start: usize, total: usize) -> Result<Vec<u8>, TensorError> {
        let mut run = self.dtype.size();
        let mut outer: Vec<Axis> = Vec::new();
        let mut together = 1u64;
        for (&size, &stride) in self.sizes.iter().zip(self.strides).rev() {
            let count = usize::try_from(size).map_err(|_| TensorError::Overflow)?;
            if count == 1 {
                continue;
            }
            if outer.is_empty() && stride == together {
                together = together.saturating_mul(size);
                run = run.saturating_mul(count);
                continue;
            }
            let step =
                usize::try_from(stride).ok().and_then(|stride| stride.checked_mul(self.dtype.size())).ok_or(TensorError::Overflow)?;
            outer.push(Axis { count, step, at: 0 });
        }
        let mut out = Vec::with_capacity(total);
        let mut place = start;
        loop {
            let end = place.saturating_add(run);
            let part = self.bytes.get(place..end);
            out.extend_from_slice(part.ok_or(self.out_of_bounds(end as u64))?);
            if !advance(&mut outer, &mut place) {
                return Ok(out);
            }
        }
    }
}

/// A dimension that is walked, innermost first: distance in bytes, and the current index.
struct Axis {
    count: usize,
    step: usize,
    at: usize,
}

/// Moves to the next index; false after the last one. Places stay inside the storage, which was
/// checked, so the arithmetic cannot wrap.
fn advance(axes: &mut [Axis], place: &mut usize) -> bool {
    for axis in axes {
        axis.at += 1;
        if axis.at < axis.count {
            *place = place.saturating_add(axis.step);
            return true;
        }
        *place = place.saturating_sub(axis.step.saturating_mul(axis.count - 1));
        axis.at = 0;
    }
    false
}

/// Product of the sizes, if it fits 63 bits; 0 if any is 0.
fn element_count(sizes: &[u64]) -> Option<u64> {
    if sizes.contains(&0) {
        return Some(0);
    }
    sizes.iter().try_fold(1u64, |product, &size| product.checked_mul(size)).filter(|&count| i64::try_from(count).is_ok())
}

/// How a tensor lies in a storage.
pub(crate) struct Geometry<'a> {
    pub(crate) dtype: ScalarType,
    pub(crate) sizes: &'a [u64],
    pub(crate) strides: &'a [u64],
    pub(crate) storage_offset: u64,
}

impl Geometry<'_> {
    /// Checks that all elements lie in a storage of that many bytes, and gives the bytes of the
    /// contiguous tensor.
    pub(crate) fn check(&self, storage: u64) -> Result<u64, TensorError> {
        let element = self.dtype.size() as u64;
        if element == 0 {
            return Err(TensorError::Dtype(self.dtype));
        }
        let (sizes, strides) = (self.sizes.len(), self.strides.len());
        if sizes != strides || sizes > MAX_RANK {
            return Err(TensorError::Rank { sizes, strides });
        }
        let total = element_count(self.sizes).and_then(|count| count.checked_mul(element)).ok_or(TensorError::Overflow)?;
        if total == 0 {
            return Ok(0);
        }
        let last = self
            .sizes
            .iter()
            .zip(self.strides)
            .try_fold(self.storage_offset, |last, (size, stride)| last.checked_add(size.saturating_sub(1).checked_mul(*stride)?));
        let needed = last.and_then(|last| last.checked_add(1)?.checked_mul(element)).ok_or(TensorError::Overflow)?;
        if needed > storage {
            let found = storage;
            return Err(TensorError::OutOfBounds { needed, found });
        }
        let limit = MAX_EXPANDED_BYTES.max(storage);
        if total > limit {
            let found = total;
            return Err(TensorError::TooLarge { found, limit });
        }
        Ok(total)
    }
}
