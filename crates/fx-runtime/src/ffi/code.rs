//! Machine code: memory that is first written and then run, never both.

use std::ops::Range;
use std::ptr::NonNull;
use std::sync::Arc;

/// Bytes of a page.
pub(crate) const PAGE: usize = 4096;

/// Private anonymous pages; unmapped when dropped.
struct Pages {
    start: NonNull<u8>,
    len: usize,
}

// SAFETY: the pages belong to this value alone; after sealing they change only through the code in them.
unsafe impl Send for Pages {}
// SAFETY: as above.
unsafe impl Sync for Pages {}

impl Drop for Pages {
    fn drop(&mut self) {
        // SAFETY: `start..start+len` is what mmap gave, and nothing refers to it any more.
        unsafe { libc::munmap(self.start.as_ptr().cast(), self.len) };
    }
}

/// Pages that can be written and not run.
pub(crate) struct WritableCode(Pages);

impl WritableCode {
    /// `len` bytes of zeros, rounded up to pages. Fails with the system's error.
    pub(crate) fn new(len: usize) -> std::io::Result<Self> {
        let len = len.max(1).next_multiple_of(PAGE);
        let (access, flags) = (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS);
        // SAFETY: a new anonymous mapping at an address of the system's choice touches nothing that exists.
        let start = unsafe { libc::mmap(std::ptr::null_mut(), len, access, flags, -1, 0) };
        if start == libc::MAP_FAILED {
            return Err(std::io::Error::last_os_error());
        }
        let start = NonNull::new(start.cast()).ok_or_else(std::io::Error::last_os_error)?;
        Ok(WritableCode(Pages { start, len }))
    }

    /// The address at which the code will run.
    pub(crate) fn address(&self) -> u64 {
        self.0.start.as_ptr().expose_provenance() as u64
    }

    /// The bytes.
    pub(crate) fn bytes(&mut self) -> &mut [u8] {
        // SAFETY: the pages are mapped readable and writable, and borrowed mutably.
        unsafe { std::slice::from_raw_parts_mut(self.0.start.as_ptr(), self.0.len) }
    }

    /// Makes `text` runnable and `constants` read-only; both are whole pages inside. Fails with the system's error.
    pub(crate) fn seal(self, text: Range<usize>, constants: Range<usize>) -> std::io::Result<Code> {
        for (range, access) in [(text.clone(), libc::PROT_READ | libc::PROT_EXEC), (constants, libc::PROT_READ)] {
            let whole = range.start % PAGE == 0 && range.end % PAGE == 0;
            if !whole || range.end > self.0.len || range.start > range.end {
                return Err(std::io::Error::other("protection of a range that is not whole pages"));
            }
            if range.is_empty() {
                continue;
            }
            // SAFETY: the range lies in our own mapping, and no reference into it exists (`self` is owned).
            let failed = unsafe {
                let start = self.0.start.as_ptr().add(range.start);
                libc::mprotect(start.cast(), range.len(), access)
            } != 0;
            if failed {
                return Err(std::io::Error::last_os_error());
            }
        }
        Ok(Code { pages: Arc::new(self.0), text })
    }
}

/// Loaded machine code.
pub(crate) struct Code {
    pages: Arc<Pages>,
    text: Range<usize>,
}

impl Code {
    /// The function at `offset`; none outside the text.
    pub(crate) fn entry(&self, offset: usize) -> Option<Entry> {
        self.text.contains(&offset).then(|| Entry { pages: Arc::clone(&self.pages), offset })
    }
}

type KernelFunction = unsafe extern "C" fn(args: *const u64, lo: i64, hi: i64);

/// A CPU kernel; keeps its code loaded.
#[derive(Clone)]
pub(crate) struct Entry {
    pages: Arc<Pages>,
    offset: usize,
}

impl Entry {
    /// Runs iterations `lo..hi` with these arguments.
    #[inline]
    pub(crate) fn call(&self, words: &[u64], lo: i64, hi: i64) {
        // SAFETY: `Code::entry` checked that the offset lies in the pages.
        let start = unsafe { self.pages.start.as_ptr().add(self.offset) };
        // SAFETY: a kernel of a plan has this signature (`BinaryKind::ElfObject`). That its code keeps to the buffers it is
        // given is the compiler's promise, on which running a plan rests; see the crate's documentation.
        unsafe {
            let function = std::mem::transmute::<*mut u8, KernelFunction>(start);
            function(words.as_ptr(), lo, hi);
        }
    }
}
