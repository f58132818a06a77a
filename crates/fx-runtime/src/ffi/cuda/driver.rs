//! The driver's library, its errors, and primary contexts.

use crate::error::{Result, RuntimeError};
use cudarc::driver::result::{self, DriverError};
use cudarc::driver::sys::{self, CUdevice_attribute};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, Weak};

/// Libraries that are tried, for the error (cudarc tries further spellings of these).
const LIBRARIES: &str = "libcuda.so, libcuda.so.1";

/// Whether the CUDA driver's library can be loaded. Looks once.
pub(crate) fn is_available() -> bool {
    static AVAILABLE: OnceLock<bool> = OnceLock::new();
    *AVAILABLE.get_or_init(|| {
        // SAFETY: loading the driver runs its initialisers, as any program that uses CUDA does.
        unsafe { sys::is_culib_present() }
    })
}

/// Turns a driver's result into ours, with what was being done.
#[inline]
pub(super) fn check<T>(operation: &str, result: Result<T, DriverError>) -> Result<T> {
    result.map_err(|error| driver_error(operation, error, None))
}

/// The error with the driver's name and text of it, and a log if there is one.
#[cold]
pub(super) fn driver_error(operation: &str, error: DriverError, log: Option<&str>) -> RuntimeError {
    RuntimeError::Driver { operation: operation.into(), name: word(error, error.error_name()), text: error_text(error, log) }
}

/// The driver's text of an error, and a log if there is one.
#[cold]
pub(super) fn error_text(error: DriverError, log: Option<&str>) -> String {
    let mut message = word(error, error.error_string());
    if let Some(log) = log.map(str::trim).filter(|log| !log.is_empty()) {
        message.push('\n');
        message.push_str(log);
    }
    message
}

fn word(error: DriverError, text: Result<&std::ffi::CStr, DriverError>) -> String {
    text.map_or_else(|_| format!("error {:?}", error.0), |text| text.to_string_lossy().into_owned())
}

/// The version of CUDA that the driver is for, and its own where the system tells; none without a driver.
pub(super) fn driver_version() -> Option<String> {
    let version = cuda_version()?;
    let own = std::fs::read_to_string("/sys/module/nvidia/version").unwrap_or_default();
    let text = format!("{}.{} {}", version / 1000, version % 1000 / 10, own.trim());
    Some(text.trim_end().to_owned())
}

/// The version of CUDA that the driver is for: 13020 is 13.2. None without a driver.
pub(super) fn cuda_version() -> Option<i32> {
    if !is_available() {
        return None;
    }
    let mut version = 0;
    // SAFETY: the place is writable; the function needs no initialised driver.
    unsafe { sys::cuDriverGetVersion(&mut version) }.result().ok()?;
    Some(version)
}

/// Contexts that are open in this process.
static OPEN: Mutex<Vec<Weak<Context>>> = Mutex::new(Vec::new());

/// The primary context of a device; released when dropped.
pub(super) struct Context {
    raw: sys::CUcontext,
    device: sys::CUdevice,
    ordinal: u32,
    name: String,
    capability: (i32, i32),
}

// SAFETY: driver handles may be used from any thread.
unsafe impl Send for Context {}
// SAFETY: as above.
unsafe impl Sync for Context {}

impl Context {
    /// Opens a device. Fails without a driver, and when there is no such device.
    pub(super) fn open(ordinal: u32) -> Result<Arc<Context>> {
        if !is_available() {
            return Err(RuntimeError::NoDriver { looked_for: LIBRARIES.into() });
        }
        check("initialising the driver", result::init())?;
        let count = check("counting devices", result::device::get_count())?;
        let index = i32::try_from(ordinal)
            .ok()
            .filter(|index| *index < count)
            .ok_or_else(|| RuntimeError::Unsupported(format!("cuda:{ordinal}, since this machine has {count} CUDA devices")))?;
        let device = check("opening the device", result::device::get(index))?;
        let name = check("asking for the device's name", result::device::get_name(device))?;
        let capability = (
            attribute(device, CUdevice_attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR)?,
            attribute(device, CUdevice_attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR)?,
        );
        // SAFETY: `device` was given by the driver.
        let raw = check("opening the primary context", unsafe { result::primary_ctx::retain(device) })?;
        let context = Context { raw, device, ordinal, name, capability };
        context.make_current()?;
        let context = Arc::new(context);
        let mut open = OPEN.lock().unwrap_or_else(PoisonError::into_inner);
        open.retain(|context| context.strong_count() > 0);
        open.push(Arc::downgrade(&context));
        Ok(context)
    }

    /// The contexts that are open in this process.
    pub(super) fn open_ones() -> Vec<Arc<Context>> {
        OPEN.lock().unwrap_or_else(PoisonError::into_inner).iter().filter_map(Weak::upgrade).collect()
    }

    /// Whether the device is of exactly this architecture.
    pub(super) fn is_exactly(&self, arch: &str) -> bool {
        parse_target(arch).is_some_and(|(capability, _)| capability == self.capability)
    }

    /// Makes the context the calling thread's, unless it is: asking is cheaper, and only the driver knows, as others such as
    /// PyTorch set it too.
    #[inline]
    pub(super) fn make_current(&self) -> Result<()> {
        let mut current = std::ptr::null_mut();
        // SAFETY: the place is writable.
        let known = unsafe { sys::cuCtxGetCurrent(&mut current) }.result().is_ok();
        if known && current == self.raw {
            return Ok(());
        }
        // SAFETY: the context is retained while `self` lives.
        check("entering the context", unsafe { result::ctx::set_current(self.raw) })
    }

    /// The driver's handle; valid while `self` lives.
    pub(super) fn raw(&self) -> sys::CUcontext {
        self.raw
    }

    /// Ordinal of the device.
    pub(super) fn ordinal(&self) -> u32 {
        self.ordinal
    }

    /// Ordinal and name of the device, for messages.
    pub(super) fn description(&self) -> String {
        let (major, minor) = self.capability;
        format!("cuda:{} ({}, sm_{major}{minor})", self.ordinal, self.name)
    }

    /// The architecture to assemble PTX for that was made for `target`, which can run here.
    pub(super) fn architecture(&self, target: &str) -> String {
        match parse_target(target) {
            Some((_, false)) => format!("sm_{}{}", self.capability.0, self.capability.1),
            _ => target.to_owned(),
        }
    }

    /// Whether machine code for an architecture runs here: that of an older device of the same generation does.
    pub(super) fn runs(&self, arch: &str) -> bool {
        match parse_target(arch) {
            Some((capability, true)) => capability == self.capability,
            Some(((major, minor), false)) => major == self.capability.0 && minor <= self.capability.1,
            None => false,
        }
    }

    /// Bytes of shared memory that a block can have.
    pub(super) fn most_shared(&self) -> Result<i32> {
        attribute(self.device, CUdevice_attribute::CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN)
    }

    /// Fails when code for `target` cannot run here. `sm_90a` needs exactly 9.0; `sm_80` needs 8.0 or later.
    pub(super) fn check_target(&self, target: &str) -> Result<()> {
        let reason = match parse_target(target) {
            None => "the target is not an architecture such as sm_90a".to_owned(),
            Some((capability, true)) if capability != self.capability => {
                "architecture-specific code runs on that architecture only".to_owned()
            }
            Some((capability, _)) if capability > self.capability => "the device is older".to_owned(),
            Some(_) => return Ok(()),
        };
        Err(RuntimeError::WrongTarget { target: target.into(), device: self.description(), reason })
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        // SAFETY: it was retained in `open`; all that uses it holds an `Arc` of it. An error is of no use to anyone.
        let _ = unsafe { result::primary_ctx::release(self.device) };
    }
}

fn attribute(device: sys::CUdevice, attribute: CUdevice_attribute) -> Result<i32> {
    // SAFETY: `device` was given by the driver.
    check("asking for an attribute", unsafe { result::device::get_attribute(device, attribute) })
}

/// `sm_90a` is ((9, 0), true), `sm_80` is ((8, 0), false). Family-specific code (`f`) is taken as specific.
fn parse_target(target: &str) -> Option<((i32, i32), bool)> {
    let digits = target.strip_prefix("sm_")?;
    let number = digits.trim_end_matches(['a', 'f']);
    let value: i32 = number.parse().ok()?;
    Some(((value / 10, value % 10), number.len() != digits.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets() {
        assert_eq!(parse_target("sm_90a"), Some(((9, 0), true)));
        assert_eq!(parse_target("sm_89"), Some(((8, 9), false)));
        assert_eq!(parse_target("sm_100"), Some(((10, 0), false)));
        assert_eq!(parse_target("cpu"), None);
        assert_eq!(parse_target("sm_x"), None);
    }

    #[test]
    fn a_missing_driver_is_an_error_that_names_it() {
        if is_available() {
            return; // a machine with a driver; the tests that use it are elsewhere
        }
        let error = Context::open(0).err().map(|error| error.to_string()).unwrap_or_default();
        assert!(error.contains("no CUDA driver") && error.contains("libcuda.so.1"), "{error}");
    }
}
