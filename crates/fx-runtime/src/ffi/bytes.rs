//! Raw memory: aligned host buffers, shared bytes, spans, and the casts between bytes and elements.
//!
//! Invariant A [`HostBuffer`] owns its bytes alone. [`Bytes`] are never written after they are made. A [`Span`] is an
//!           address with a length; it does not keep its memory alive, so its makers say who does.

use crate::error::{Result, RuntimeError};
use crate::plan::DType;
use crate::tensor::HostTensor;
use half::{bf16, f16};
use std::alloc::{Layout, alloc, alloc_zeroed, dealloc};
use std::any::Any;
use std::ptr::NonNull;
use std::sync::Arc;

/// Alignment of every host buffer in bytes: one cache line, one AVX-512 register.
pub const ALIGNMENT: usize = 64;

/// Buffers of this many bytes and more lie in large pages where the system has some for those who ask: products that stream
/// through a matrix would otherwise wait for the translation of addresses.
const LARGE: usize = 4 << 20;
/// Bytes of a large page.
const LARGE_PAGE: usize = 2 << 20;

/// Alignment of a buffer of `len` bytes.
fn alignment(len: usize) -> usize {
    if len < LARGE { ALIGNMENT } else { LARGE_PAGE }
}

/// Asks for large pages. They are a matter of speed: whether they are granted does not matter.
#[cfg(target_os = "linux")]
fn advise_large_pages(start: *mut u8, len: usize) {
    // SAFETY: the range is a block of ours that begins with a page, and the advice changes no contents.
    unsafe { libc::madvise(start.cast(), len, libc::MADV_HUGEPAGE) };
}

#[cfg(not(target_os = "linux"))]
fn advise_large_pages(_: *mut u8, _: usize) {}

/// Owned host memory, aligned to [`ALIGNMENT`] bytes.
pub struct HostBuffer {
    start: NonNull<u8>,
    len: usize,
}

// SAFETY: a buffer is the only owner of plain bytes, like `Box<[u8]>`.
unsafe impl Send for HostBuffer {}
// SAFETY: shared access only reads.
unsafe impl Sync for HostBuffer {}

impl HostBuffer {
    /// `len` bytes of zeros. Fails when there is no memory.
    pub fn zeroed(len: usize) -> Result<Self> {
        Self::allocate(len, true)
    }

    /// `len` bytes that machine code is about to write; what it does not write is unspecified.
    pub(crate) fn for_kernels(len: usize) -> Result<Self> {
        Self::allocate(len, false)
    }

    /// A copy of `bytes`. Fails when there is no memory.
    pub fn copy_of(bytes: &[u8]) -> Result<Self> {
        let mut buffer = Self::for_kernels(bytes.len())?;
        buffer.as_mut_slice().copy_from_slice(bytes);
        Ok(buffer)
    }

    fn allocate(len: usize, zero: bool) -> Result<Self> {
        let failed = || RuntimeError::OutOfMemory { device: "the host".into(), bytes: len, what: "a tensor".into() };
        let layout = Layout::from_size_align(len, alignment(len)).map_err(|_| failed())?;
        if len == 0 {
            let start = NonNull::new(std::ptr::without_provenance_mut(ALIGNMENT));
            return Ok(HostBuffer { start: start.ok_or_else(failed)?, len });
        }
        let start = if zero && len < LARGE {
            // SAFETY: the layout's size is not zero.
            unsafe { alloc_zeroed(layout) }
        } else {
            // SAFETY: the layout's size is not zero.
            unsafe { alloc(layout) }
        };
        if len >= LARGE && !start.is_null() {
            advise_large_pages(start, len);
            if zero {
                // SAFETY: the block has `len` bytes.
                unsafe { start.write_bytes(0, len) };
            }
        }
        Ok(HostBuffer { start: NonNull::new(start).ok_or_else(failed)?, len })
    }

    /// Number of bytes.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are no bytes.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The bytes.
    pub fn as_slice(&self) -> &[u8] {
        // SAFETY: `start` is valid for `len` bytes while `self` lives; bytes have no invalid values, and memory that is
        // handed out uninitialised is written by machine code, which the compiler cannot see through.
        unsafe { std::slice::from_raw_parts(self.start.as_ptr(), self.len) }
    }

    /// The bytes, to be written.
    pub fn as_mut_slice(&mut self) -> &mut [u8] {
        // SAFETY: as in `as_slice`; `self` is borrowed mutably.
        unsafe { std::slice::from_raw_parts_mut(self.start.as_ptr(), self.len) }
    }

    /// The elements, to be written. Fails when the bytes are none of type `T`.
    pub fn as_mut_elements<T: Element>(&mut self) -> Result<&mut [T]> {
        let count = elements_of::<T>(self.as_slice()).map(<[T]>::len);
        let count = count.ok_or_else(|| RuntimeError::Tensor(format!("the bytes are no elements of {}", T::DTYPE)))?;
        // SAFETY: `elements_of` found these bytes to be so many aligned and valid elements; `self` is borrowed mutably, and
        // elements written are valid bytes.
        Ok(unsafe { std::slice::from_raw_parts_mut(self.start.as_ptr().cast(), count) })
    }

    /// The whole buffer. Valid while the buffer lives; writing through it needs the caller to be its only user.
    pub(crate) fn span(&self) -> Span {
        Span { address: self.start.as_ptr().expose_provenance() as u64, bytes: self.len }
    }
}

impl Drop for HostBuffer {
    fn drop(&mut self) {
        if self.len > 0 {
            // SAFETY: `allocate` made it with this very layout, whose validity it checked.
            unsafe { dealloc(self.start.as_ptr(), Layout::from_size_align_unchecked(self.len, alignment(self.len))) }
        }
    }
}

/// Immutable bytes that somebody keeps alive.
#[derive(Clone)]
pub(crate) struct Bytes {
    start: NonNull<u8>,
    len: usize,
    _owner: Arc<dyn Any + Send + Sync>,
}

// SAFETY: the bytes are immutable and the owner may be dropped on any thread.
unsafe impl Send for Bytes {}
// SAFETY: the bytes are immutable.
unsafe impl Sync for Bytes {}

impl Bytes {
    /// Takes a buffer over.
    pub(crate) fn from_buffer(buffer: HostBuffer) -> Self {
        Bytes { start: buffer.start, len: buffer.len, _owner: Arc::new(buffer) }
    }

    /// Part of a mapped file; none when it lies outside.
    pub(crate) fn from_map(map: &Arc<memmap2::Mmap>, offset: usize, len: usize) -> Option<Self> {
        let part = map.get(offset..offset.checked_add(len)?)?;
        Some(Bytes { start: NonNull::from(part).cast(), len, _owner: Arc::clone(map) as Arc<dyn Any + Send + Sync> })
    }

    /// The bytes.
    pub(crate) fn as_slice(&self) -> &[u8] {
        // SAFETY: whoever made `self` gave an owner that keeps `start..start+len` readable and unchanged.
        unsafe { std::slice::from_raw_parts(self.start.as_ptr(), self.len) }
    }

    /// Where the bytes lie. Valid while `self` or a clone lives; not to be written.
    pub(crate) fn span(&self) -> Span {
        Span { address: self.start.as_ptr().expose_provenance() as u64, bytes: self.len }
    }
}

impl HostTensor {
    /// A tensor over memory that someone else owns, without copying.
    ///
    /// Fails when `start` is not aligned to the element's alignment or the size overflows.
    ///
    /// # Safety
    /// `start` must be valid for reads of `product(dims) * dtype.size()` bytes, and these must not change, for as long
    /// as `owner` lives.
    pub unsafe fn from_foreign(dtype: DType, dims: &[usize], start: *const u8, owner: Arc<dyn Any + Send + Sync>) -> Result<HostTensor> {
        let len = crate::tensor::byte_len(dtype, dims)?;
        let misaligned = || RuntimeError::Tensor(format!("foreign memory of {dtype} is not aligned: {start:p}"));
        if len == 0 {
            return HostTensor::zeros(dtype, dims);
        }
        let start = NonNull::new(start.cast_mut()).ok_or_else(misaligned)?;
        if !start.as_ptr().addr().is_multiple_of(dtype.align()) {
            return Err(misaligned());
        }
        HostTensor::from_shared(dtype, dims, Bytes { start, len, _owner: owner })
    }
}

/// Maps a file for reading. The file must not be changed while the map lives (replacing it by a rename is fine).
pub(crate) fn map_file(file: &std::fs::File) -> std::io::Result<Arc<memmap2::Mmap>> {
    // SAFETY: a private read-only map; that nobody writes the file meanwhile is the documented duty of the caller, as
    // with every reader of mapped weights.
    unsafe { memmap2::Mmap::map(file) }.map(Arc::new)
}

/// An address on a device with a length in bytes. Does not own the memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Span {
    address: u64,
    bytes: usize,
}

impl Span {
    /// Nowhere, no bytes; aligned like any buffer.
    pub(crate) const EMPTY: Span = Span { address: 256, bytes: 0 };

    /// Only `ffi` makes addresses.
    pub(in crate::ffi) fn new(address: u64, bytes: usize) -> Span {
        Span { address, bytes }
    }

    /// The address as a kernel gets it.
    pub(crate) fn address(self) -> u64 {
        self.address
    }

    /// Number of bytes.
    pub(crate) fn bytes(self) -> usize {
        self.bytes
    }

    /// `len` bytes from `offset` on; none when they do not lie inside.
    pub(crate) fn slice(self, offset: usize, len: usize) -> Option<Span> {
        let end = offset.checked_add(len)?;
        (end <= self.bytes).then(|| Span { address: self.address + offset as u64, bytes: len })
    }

    fn pointer(self) -> *mut u8 {
        std::ptr::with_exposed_provenance_mut(self.address as usize)
    }
}

/// Copies between host spans of one length; they may overlap.
pub(crate) fn copy_host(dst: Span, src: Span) {
    debug_assert_eq!(dst.bytes, src.bytes);
    // SAFETY: the executor keeps the blocks of its spans alive, `dst` lies in a block that only it uses, and no kernel
    // runs meanwhile.
    unsafe { std::ptr::copy(src.pointer(), dst.pointer(), dst.bytes.min(src.bytes)) }
}

/// Copies a host span out.
pub(crate) fn read_host(dst: &mut [u8], src: Span) {
    debug_assert_eq!(dst.len(), src.bytes);
    // SAFETY: as in `copy_host`; the length is the smaller one.
    unsafe { std::ptr::copy(src.pointer(), dst.as_mut_ptr(), dst.len().min(src.bytes)) }
}

/// Copies into a host span.
pub(crate) fn write_host(dst: Span, src: &[u8]) {
    debug_assert_eq!(dst.bytes, src.len());
    // SAFETY: as in `copy_host`; the length is the smaller one.
    unsafe { std::ptr::copy(src.as_ptr(), dst.pointer(), src.len().min(dst.bytes)) }
}

/// Sets a host span to zero.
pub(crate) fn clear_host(dst: Span) {
    // SAFETY: as in `copy_host`.
    unsafe { std::ptr::write_bytes(dst.pointer(), 0, dst.bytes) }
}

mod sealed {
    pub trait Sealed {}
}

/// Rust types that are elements: plain data without padding.
pub trait Element: sealed::Sealed + Copy + Send + Sync + 'static {
    /// The element type.
    const DTYPE: DType;
}

macro_rules! elements {
    ($($ty:ty => $dtype:ident),* $(,)?) => {
        $(
            impl sealed::Sealed for $ty {}
            impl Element for $ty {
                const DTYPE: DType = DType::$dtype;
            }
        )*
    };
}

elements! {
    f64 => F64, f32 => F32, f16 => F16, bf16 => BF16, i64 => I64, i32 => I32, i16 => I16, i8 => I8, u8 => U8,
    bool => Bool, [f32; 2] => C64, [f64; 2] => C128,
}

/// The elements in `bytes`; none when they are misaligned, do not divide evenly, or hold a bool other than 0 and 1.
pub(crate) fn elements_of<T: Element>(bytes: &[u8]) -> Option<&[T]> {
    let start = bytes.as_ptr().cast::<T>();
    let valid = T::DTYPE != DType::Bool || bytes.iter().all(|byte| *byte <= 1);
    if !start.is_aligned() || !bytes.len().is_multiple_of(size_of::<T>()) || !valid {
        return None;
    }
    // SAFETY: aligned, whole elements, and every bit pattern is a value (bools were checked; `Element` is sealed).
    Some(unsafe { std::slice::from_raw_parts(start, bytes.len() / size_of::<T>()) })
}

/// The bytes of elements.
pub(crate) fn bytes_of<T: Element>(elements: &[T]) -> &[u8] {
    // SAFETY: elements have no padding (`Element` is sealed), so all their bytes are initialised.
    unsafe { std::slice::from_raw_parts(elements.as_ptr().cast(), size_of_val(elements)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn foreign_memory_is_shared_and_checked() -> Result<()> {
        let owner = Arc::new(vec![1i32, 2, 3]);
        let start = owner.as_ptr().cast::<u8>();
        let tensor = |dims: &[usize], start| {
            // SAFETY: the pointers lie in `owner`.
            unsafe { HostTensor::from_foreign(DType::I32, dims, start, owner.clone()) }
        };
        let shared = tensor(&[3], start)?;
        assert_eq!(shared.as_slice::<i32>()?, [1, 2, 3]);
        assert_eq!(shared.bytes().as_ptr(), start);
        assert!(tensor(&[2], start.wrapping_add(1)).is_err());
        Ok(())
    }

    #[test]
    fn buffers_are_written_as_elements() -> Result<()> {
        let mut buffer = HostBuffer::zeroed(8)?;
        buffer.as_mut_elements::<i32>()?[1] = -1;
        assert_eq!(buffer.as_slice(), [0, 0, 0, 0, 255, 255, 255, 255]);
        assert!(buffer.as_mut_elements::<bool>().is_err() && HostBuffer::zeroed(3)?.as_mut_elements::<i16>().is_err());
        Ok(())
    }

    #[test]
    fn spans_are_sliced_inside_only() -> Result<()> {
        let buffer = HostBuffer::zeroed(100)?;
        let span = buffer.span();
        assert_eq!(span.slice(40, 60).map(Span::bytes), Some(60));
        assert_eq!(span.slice(100, 0).map(Span::bytes), Some(0));
        assert!(span.slice(40, 61).is_none() && span.slice(usize::MAX, 2).is_none());
        Ok(())
    }
}
