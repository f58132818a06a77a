//! The driver's own compiler of PTX as an assembler: it gives the machine code, which can be kept.

use super::driver::{Context, cuda_version, driver_version, error_text};
use cudarc::driver::sys::{self, CUjit_option, CUjitInputType};
use std::ffi::{CString, c_void};
use std::ptr::{null_mut, without_provenance_mut};
use std::sync::{Arc, Once};

/// Bytes for the log.
const LOG: usize = 16 << 10;
/// The first version of CUDA, as drivers say it, whose drivers compile on several threads.
const PARALLEL: i32 = 13_000;
/// PTX of an empty kernel.
const EMPTY: &str = ".version 7.0\n.target sm_80\n.address_size 64\n.visible .entry empty()\n{\n ret;\n}\n";

/// A piece of work; destroyed when dropped.
struct Link(sys::CUlinkState);

impl Drop for Link {
    fn drop(&mut self) {
        // SAFETY: it was created and is not used any more. An error is of no use to anyone.
        let _ = unsafe { sys::cuLinkDestroy(self.0) };
    }
}

/// The compiler of a device that is open in this process.
pub(crate) struct DriverCompiler {
    context: Arc<Context>,
}

impl DriverCompiler {
    /// That of an open device for which code for exactly `arch` is made; none if there is none.
    pub(crate) fn for_arch(arch: &str) -> Option<Self> {
        Context::open_ones().into_iter().find(|context| context.is_exactly(arch)).map(|context| DriverCompiler { context })
    }

    /// The driver's version, as text; none without a driver.
    pub(crate) fn version() -> Option<String> {
        driver_version()
    }

    /// Whether it compiles several texts at the same time, asked from several threads: measured on drivers for CUDA 13.
    pub(crate) fn is_parallel() -> bool {
        cuda_version().is_some_and(|version| version >= PARALLEL)
    }

    /// Lets the driver load what it compiles with, which it does when it compiles for the first time.
    pub(crate) fn prepare(&self, arch: &str) {
        static ONCE: Once = Once::new();
        ONCE.call_once(|| {
            let _ = self.assemble(EMPTY.as_bytes(), arch); // what is wrong shows when it is needed
        });
    }

    /// The cubin of PTX text for an architecture. Fails with the driver's log.
    pub(crate) fn assemble(&self, ptx: &[u8], arch: &str) -> Result<Vec<u8>, String> {
        let target = jit_target(arch).ok_or_else(|| format!("'{arch}' is no architecture"))?;
        self.context.make_current().map_err(|error| error.to_string())?;
        let text = CString::new(ptx).map_err(|error| format!("a zero byte in PTX: {error}"))?;
        let text = text.as_bytes_with_nul();
        let mut log = vec![0u8; LOG];
        let mut options =
            [CUjit_option::CU_JIT_TARGET, CUjit_option::CU_JIT_ERROR_LOG_BUFFER, CUjit_option::CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES];
        // an option's value is passed as, not through, a pointer
        let mut values: [*mut c_void; 3] = [without_provenance_mut(target), log.as_mut_ptr().cast(), without_provenance_mut(LOG)];
        let mut raw = null_mut();
        // SAFETY: the options are valid; they and `log`, which has the promised size, live until the link is destroyed.
        let created = unsafe { sys::cuLinkCreate_v2(options.len() as u32, options.as_mut_ptr(), values.as_mut_ptr(), &mut raw) };
        created.result().map_err(|error| error_text(error, None))?;
        let link = Link(raw);
        let kind = CUjitInputType::CU_JIT_INPUT_PTX;
        let data = text.as_ptr().cast_mut().cast();
        // SAFETY: the link is alive; the driver reads so many bytes of text, which ends in a zero, and writes none.
        let added = unsafe { sys::cuLinkAddData_v2(link.0, kind, data, text.len(), c"kernels.ptx".as_ptr(), 0, null_mut(), null_mut()) };
        let (mut cubin, mut len) = (null_mut(), 0);
        let done = added.result().and_then(|()| {
            // SAFETY: the link is alive, the places are writable.
            unsafe { sys::cuLinkComplete(link.0, &mut cubin, &mut len) }.result()
        });
        let bytes = if done.is_ok() && !cubin.is_null() {
            // SAFETY: the driver says that so many bytes lie there until the link is destroyed.
            unsafe { std::slice::from_raw_parts(cubin.cast::<u8>(), len) }.to_vec()
        } else {
            Vec::new()
        };
        drop(link); // the log is whole now
        let end = log.iter().position(|byte| *byte == 0).unwrap_or(log.len());
        done.map_err(|error| error_text(error, Some(&String::from_utf8_lossy(&log[..end]))))?;
        if bytes.is_empty() { Err("the driver gives no cubin".into()) } else { Ok(bytes) }
    }
}

/// The value of `CUjit_target`: `sm_90` is 90; code for exactly this architecture, or for its family, has a bit more.
fn jit_target(arch: &str) -> Option<usize> {
    let digits = arch.strip_prefix("sm_")?;
    let (number, more) = match digits.strip_suffix('a') {
        Some(number) => (number, 0x1_0000),
        None => digits.strip_suffix('f').map_or((digits, 0), |number| (number, 0x2_0000)),
    };
    Some(number.parse::<usize>().ok()? + more)
}

#[cfg(test)]
mod tests {
    use super::*;
    use cudarc::driver::sys::CUjit_target;

    #[test]
    fn targets_are_the_drivers() {
        assert_eq!(jit_target("sm_80"), Some(CUjit_target::CU_TARGET_COMPUTE_80 as usize));
        assert_eq!(jit_target("sm_90a"), Some(CUjit_target::CU_TARGET_COMPUTE_90A as usize));
        assert_eq!(jit_target("cpu"), None);
        assert_eq!(jit_target("sm_xa"), None);
    }

    #[test]
    fn without_an_open_device_there_is_no_compiler() {
        if !crate::ffi::cuda::is_available() {
            assert!(DriverCompiler::for_arch("sm_90a").is_none() && DriverCompiler::version().is_none());
        }
    }
}
