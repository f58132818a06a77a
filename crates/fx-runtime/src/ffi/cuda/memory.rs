//! Device memory: blocks that go back to a list when dropped and are handed out again.
//!
//! Rules     Sizes are rounded up; which free block serves a request, [`FreeList`] says. A block is reused as soon as it is
//!           dropped: right for work on one stream, which is what an executor does. Whoever finds the device full gives free
//!           blocks back to the driver and tries again ([`Blocks::trim`]).

use super::driver::{Context, check};
use crate::error::{Result, RuntimeError};
use crate::ffi::bytes::Span;
use crate::free_list::FreeList;
use cudarc::driver::{result, sys};
use std::sync::{Arc, Mutex, PoisonError};

/// Small requests are multiples of this.
const SMALL: usize = 512;
/// Requests above this are multiples of it.
const LARGE: usize = 2 << 20;

/// The blocks of one executor.
pub(super) struct Blocks {
    context: Arc<Context>,
    free: Mutex<FreeList>,
}

/// Device memory; goes back to its list when dropped.
pub(crate) struct CudaBlock {
    list: Arc<Blocks>,
    address: sys::CUdeviceptr,
    capacity: usize,
    len: usize,
}

impl CudaBlock {
    /// The requested bytes; valid while the block lives.
    pub(crate) fn span(&self) -> Span {
        Span::new(self.address, self.len)
    }
}

impl Drop for CudaBlock {
    fn drop(&mut self) {
        if self.capacity > 0 {
            self.list.free().put(self.capacity, self.address);
        }
    }
}

impl Blocks {
    /// No blocks yet.
    pub(super) fn new(context: Arc<Context>) -> Self {
        let is_exact = std::env::var_os("FX_EXACT_MEMORY").is_some_and(|value| value == "1");
        Blocks { context, free: Mutex::new(FreeList::new(is_exact)) }
    }

    fn free(&self) -> std::sync::MutexGuard<'_, FreeList> {
        self.free.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A block for `what`. The context must be current. Fails when the device is full.
    pub(super) fn allocate(list: &Arc<Blocks>, len: usize, what: &str) -> Result<CudaBlock> {
        let block = |address, capacity| CudaBlock { list: Arc::clone(list), address, capacity, len };
        if len == 0 {
            return Ok(block(Span::EMPTY.address(), 0));
        }
        let unit = if list.free().is_exact() {
            1
        } else if len > LARGE {
            LARGE
        } else {
            SMALL
        };
        let capacity = len.checked_next_multiple_of(unit);
        let full = || RuntimeError::OutOfMemory { device: list.context.description(), bytes: len, what: what.into() };
        let capacity = capacity.ok_or_else(full)?;
        let reused = list.free().take(capacity);
        if let Some((capacity, address)) = reused {
            return Ok(block(address, capacity));
        }
        // SAFETY: the context is current.
        let address = unsafe { result::malloc_sync(capacity) };
        if is_full(&address) {
            return Err(full());
        }
        Ok(block(check("allocating device memory", address)?, capacity))
    }

    /// Gives free blocks back to the driver, which waits for queued work that uses them.
    pub(super) fn trim(&self) {
        let addresses = self.free().drain();
        for address in addresses {
            // SAFETY: the block came from `malloc_sync` and nobody holds it. An error is of no use here: if it stems from
            // earlier work, the next call of the driver reports it again.
            let _ = unsafe { result::free_sync(address) };
        }
    }
}

impl Drop for Blocks {
    fn drop(&mut self) {
        if self.context.make_current().is_ok() {
            self.trim();
        }
    }
}

fn is_full<T>(result: &Result<T, result::DriverError>) -> bool {
    matches!(result, Err(error) if error.0 == sys::CUresult::CUDA_ERROR_OUT_OF_MEMORY)
}
