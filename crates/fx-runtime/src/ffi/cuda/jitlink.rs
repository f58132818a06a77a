//! nvJitLink, NVIDIA's assembler as a library, loaded where there is one: PTX to a cubin without a process, on any thread.
//!
//! The library exports each function under its plain name beside those with a version, so 12.x and 13.x are the same here.

use libc::{c_char, c_int, c_uint, c_void, size_t};
use std::ffi::{CStr, CString};
use std::path::Path;

/// `nvJitLinkHandle`
type Handle = *mut c_void;

/// `NVJITLINK_INPUT_PTX`
const INPUT_PTX: c_int = 2;

type Create = unsafe extern "C" fn(*mut Handle, u32, *const *const c_char) -> c_int;
type Destroy = unsafe extern "C" fn(*mut Handle) -> c_int;
type AddData = unsafe extern "C" fn(Handle, c_int, *const c_void, size_t, *const c_char) -> c_int;
type Complete = unsafe extern "C" fn(Handle) -> c_int;
type GetSize = unsafe extern "C" fn(Handle, *mut size_t) -> c_int;
type GetBytes = unsafe extern "C" fn(Handle, *mut c_void) -> c_int;
type Version = unsafe extern "C" fn(*mut c_uint, *mut c_uint) -> c_int;

/// The library's functions. It is never unloaded.
pub(crate) struct JitLink {
    create: Create,
    destroy: Destroy,
    add_data: AddData,
    complete: Complete,
    cubin_size: GetSize,
    cubin: GetBytes,
    log_size: GetSize,
    log: GetBytes,
    version: (u32, u32),
}

/// A function of a library; none if the library lacks it.
///
/// # Safety
/// `library` was opened and is never closed, and the function of that name has the type `F`, a function pointer.
unsafe fn symbol<F: Copy>(library: *mut c_void, name: &CStr) -> Option<F> {
    const { assert!(size_of::<F>() == size_of::<*mut c_void>()) };
    // SAFETY: the library is open, the name is a C string.
    let address = unsafe { libc::dlsym(library, name.as_ptr()) };
    if address.is_null() {
        return None;
    }
    // SAFETY: the caller promises that this is the address of a function of type `F`; both have one size.
    Some(unsafe { std::mem::transmute_copy::<*mut c_void, F>(&address) })
}

/// What the library hands out for one piece of work; destroyed when dropped.
struct Link<'a> {
    library: &'a JitLink,
    raw: Handle,
}

impl Drop for Link<'_> {
    fn drop(&mut self) {
        // SAFETY: the handle was created and is not used any more. An error is of no use to anyone.
        let _ = unsafe { (self.library.destroy)(&mut self.raw) };
    }
}

impl JitLink {
    /// Loads the library by its file, or by its name from where the system looks. None if it is not there, or is another
    /// library.
    pub(crate) fn load(library: &Path) -> Option<Self> {
        let name = CString::new(library.as_os_str().as_encoded_bytes()).ok()?;
        // SAFETY: loading runs the library's initialisers, as in any program that links it.
        let library = unsafe { libc::dlopen(name.as_ptr(), libc::RTLD_NOW | libc::RTLD_LOCAL) };
        if library.is_null() {
            return None;
        }
        // SAFETY: the library is open for good; the types are those of its header.
        let version = unsafe { symbol::<Version>(library, c"nvJitLinkVersion") }?;
        let (mut major, mut minor) = (0, 0);
        // SAFETY: both places are writable.
        if unsafe { version(&mut major, &mut minor) } != 0 {
            return None;
        }
        Some(JitLink {
            // SAFETY: as above.
            create: unsafe { symbol(library, c"nvJitLinkCreate") }?,
            // SAFETY: as above.
            destroy: unsafe { symbol(library, c"nvJitLinkDestroy") }?,
            // SAFETY: as above.
            add_data: unsafe { symbol(library, c"nvJitLinkAddData") }?,
            // SAFETY: as above.
            complete: unsafe { symbol(library, c"nvJitLinkComplete") }?,
            // SAFETY: as above.
            cubin_size: unsafe { symbol(library, c"nvJitLinkGetLinkedCubinSize") }?,
            // SAFETY: as above.
            cubin: unsafe { symbol(library, c"nvJitLinkGetLinkedCubin") }?,
            // SAFETY: as above.
            log_size: unsafe { symbol(library, c"nvJitLinkGetErrorLogSize") }?,
            // SAFETY: as above.
            log: unsafe { symbol(library, c"nvJitLinkGetErrorLog") }?,
            version: (major, minor),
        })
    }

    /// Its version, such as (12, 9).
    pub(crate) fn version(&self) -> (u32, u32) {
        self.version
    }

    /// The cubin of PTX text for an architecture. Fails with the library's log.
    pub(crate) fn assemble(&self, ptx: &[u8], arch: &str) -> Result<Vec<u8>, String> {
        let text = CString::new(ptx).map_err(|error| format!("a zero byte in PTX: {error}"))?;
        let text = text.as_bytes_with_nul(); // it takes for PTX only what ends in a zero
        let option = CString::new(format!("-arch={arch}")).map_err(|error| error.to_string())?;
        let options = [option.as_ptr()];
        let mut raw = std::ptr::null_mut();
        // SAFETY: the handle's place is writable; there is one option, a C string.
        let created = unsafe { (self.create)(&mut raw, 1, options.as_ptr()) };
        if created != 0 {
            return Err(format!("nvJitLinkCreate: error {created} for {arch}"));
        }
        let link = Link { library: self, raw };
        // SAFETY: the handle is alive; the data has the promised length and is read during the call, as is the name.
        let added = unsafe { (self.add_data)(link.raw, INPUT_PTX, text.as_ptr().cast(), text.len(), c"kernels.ptx".as_ptr()) };
        link.check("nvJitLinkAddData", added)?;
        // SAFETY: the handle is alive.
        link.check("nvJitLinkComplete", unsafe { (self.complete)(link.raw) })?;
        let bytes = link.bytes(self.cubin_size, self.cubin);
        bytes.filter(|bytes| !bytes.is_empty()).ok_or_else(|| "nvJitLink gives no cubin".into())
    }
}

impl Link<'_> {
    /// Bytes that the library has for this work: their number by `size`, they themselves by `get`.
    fn bytes(&self, size: GetSize, get: GetBytes) -> Option<Vec<u8>> {
        let mut len = 0;
        // SAFETY: the handle is alive, the place is writable.
        if unsafe { size(self.raw, &mut len) } != 0 {
            return None;
        }
        let mut bytes = vec![0u8; len];
        // SAFETY: the handle is alive; the buffer has as many bytes as the library said.
        let got = unsafe { get(self.raw, bytes.as_mut_ptr().cast()) };
        (got == 0).then_some(bytes)
    }

    fn check(&self, function: &str, result: c_int) -> Result<(), String> {
        if result == 0 {
            return Ok(());
        }
        let log = self.bytes(self.library.log_size, self.library.log).unwrap_or_default();
        let log = String::from_utf8_lossy(&log);
        let log = log.trim_end_matches('\0').trim();
        Err(if log.is_empty() { format!("{function}: error {result}") } else { log.to_string() })
    }
}

impl std::fmt::Debug for JitLink {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "JitLink({}.{})", self.version.0, self.version.1)
    }
}
