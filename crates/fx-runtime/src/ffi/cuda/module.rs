//! Code on a GPU: modules from PTX or cubins, and their functions.

use super::driver::{Context, check, driver_error};
use crate::assembler::Assembler;
use crate::error::{Result, RuntimeError};
use crate::plan::{Binary, BinaryKind, Launch, Plan, Scalar, Step};
use cudarc::driver::sys::{self, CUfunction_attribute, CUjit_option};
use cudarc::driver::{result, result::DriverError};
use std::borrow::Cow;
use std::ffi::{CString, c_void};
use std::sync::Arc;

/// Bytes for each of the JIT's logs.
const LOG: usize = 16 << 10;
/// Dynamic shared memory that needs no permission, in bytes.
const FREE_SHARED: u32 = 40 << 10;

/// A loaded module; unloaded when dropped.
struct Module {
    raw: sys::CUmodule,
    context: Arc<Context>,
}

// SAFETY: driver handles may be used from any thread.
unsafe impl Send for Module {}
// SAFETY: as above.
unsafe impl Sync for Module {}

impl Drop for Module {
    fn drop(&mut self) {
        if self.context.make_current().is_ok() {
            // SAFETY: it is loaded, and functions that hold it are gone. An error is of no use to anyone.
            let _ = unsafe { result::module::unload(self.raw) };
        }
    }
}

/// A kernel; keeps its module loaded.
pub(super) struct Function {
    raw: sys::CUfunction,
    _module: Arc<Module>,
}

// SAFETY: driver handles may be used from any thread.
unsafe impl Send for Function {}

impl Function {
    /// The driver's handle; valid while `self` lives.
    pub(super) fn raw(&self) -> sys::CUfunction {
        self.raw
    }
}

/// Loads all kernels of a plan, in its order.
///
/// Fails with the JIT's log, and when a kernel is missing or wants more shared memory than the device has.
pub(super) fn load(context: &Arc<Context>, plan: &Plan) -> Result<Vec<Function>> {
    let codes = machine_code(context, plan);
    let mut modules = Vec::with_capacity(plan.binaries.len());
    for (index, (binary, code)) in plan.binaries.iter().zip(&codes).enumerate() {
        let raw = load_module(binary, code.as_deref(), &plan.kernels_of(index))?;
        modules.push(Arc::new(Module { raw, context: Arc::clone(context) }));
    }
    let mut shared = vec![Some(0); plan.kernels.len()];
    most_shared(&plan.steps, &mut shared);
    let mut functions = Vec::with_capacity(plan.kernels.len());
    for (kernel, shared) in plan.kernels.iter().zip(shared) {
        let module = &modules[kernel.binary as usize];
        let missing =
            || RuntimeError::MissingKernel { kernel: kernel.symbol.clone(), location: kernel.location.clone(), binary: kernel.binary };
        let name = CString::new(kernel.symbol.as_str()).map_err(|_| missing())?;
        // SAFETY: the module is loaded.
        let raw = match unsafe { result::module::get_function(module.raw, name) } {
            Err(DriverError(sys::CUresult::CUDA_ERROR_NOT_FOUND)) => return Err(missing()),
            other => check("looking for a kernel", other)?,
        };
        allow_shared(context, raw, &kernel.symbol, shared)?;
        allow_large_clusters(raw, &kernel.symbol)?;
        functions.push(Function { raw, _module: Arc::clone(module) });
    }
    Ok(functions)
}

/// Lets a kernel run with so much dynamic shared memory, or, where only calls know how much, with all that there is.
fn allow_shared(context: &Context, raw: sys::CUfunction, symbol: &str, shared: Option<u32>) -> Result<()> {
    let bytes = match shared {
        Some(..=FREE_SHARED) => return Ok(()),
        Some(bytes) => i32::try_from(bytes).unwrap_or(i32::MAX),
        None => {
            let mut own = 0;
            let asked = CUfunction_attribute::CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES;
            // SAFETY: the function is loaded, and `own` lives.
            let known = unsafe { sys::cuFuncGetAttribute(&mut own, asked, raw) }.result();
            check("asking for a kernel's shared memory", known)?;
            context.most_shared()? - own
        }
    };
    let attribute = CUfunction_attribute::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES;
    // SAFETY: the function is loaded.
    let set = unsafe { result::function::set_function_attribute(raw, attribute, bytes) };
    check(&format!("giving kernel '{symbol}' {bytes} bytes of shared memory"), set)
}

/// Blocks of a cluster that every GPU with clusters can run.
const PORTABLE_CLUSTER: i32 = 8;

/// Lets a kernel run that says it needs clusters of more blocks than every GPU has that knows clusters.
fn allow_large_clusters(raw: sys::CUfunction, symbol: &str) -> Result<()> {
    let mut width = 0;
    let asked = CUfunction_attribute::CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH;
    // SAFETY: the function is loaded, and `width` lives.
    let known = unsafe { sys::cuFuncGetAttribute(&mut width, asked, raw) }.result().is_ok(); // older drivers know no clusters
    if !known || width <= PORTABLE_CLUSTER {
        return Ok(());
    }
    let attribute = CUfunction_attribute::CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED;
    // SAFETY: the function is loaded.
    let set = unsafe { result::function::set_function_attribute(raw, attribute, 1) };
    check(&format!("allowing kernel '{symbol}' clusters of {width} blocks"), set)
}

/// The largest dynamic shared memory of each kernel's launches; none where only calls know it.
fn most_shared(steps: &[Step], most: &mut [Option<u32>]) {
    for step in steps {
        match step {
            Step::Launch { kernel, launch: Launch::Grid { shared_bytes, .. }, .. } => {
                let most = &mut most[*kernel as usize];
                let known = if let Scalar::Const(bytes) = shared_bytes { u32::try_from(*bytes).ok() } else { None };
                *most = most.zip(known).map(|(a, b)| a.max(b));
            }
            Step::If { then: a, otherwise: b, .. } | Step::While { before: a, body: b, .. } => {
                most_shared(a, most);
                most_shared(b, most);
            }
            _ => {}
        }
    }
}

/// Machine code for the device, for each binary that is PTX: what the plan brings if it fits, else what an assembler makes of
/// it now. None where the driver must compile: without an assembler, or where that refuses the text, so that the driver says
/// what is wrong.
fn machine_code<'a>(context: &Context, plan: &'a Plan) -> Vec<Option<Cow<'a, [u8]>>> {
    let fitting = |binary: &'a Binary| {
        let code = binary.machine_code.as_ref().filter(|code| context.runs(&code.arch));
        code.map(|code| Cow::Borrowed(code.bytes.as_slice()))
    };
    let mut codes: Vec<_> = plan.binaries.iter().map(fitting).collect();
    let lacking = |index: &usize| codes[*index].is_none() && plan.binaries[*index].kind == BinaryKind::Ptx;
    let lacking: Vec<usize> = (0..codes.len()).filter(lacking).collect();
    if lacking.is_empty() {
        return codes; // without loading an assembler
    }
    let arch = context.architecture(&plan.target);
    if let Some(assembler) = Assembler::choose(lacking.len(), &arch).next() {
        let texts: Vec<_> = lacking.iter().map(|index| plan.binaries[*index].bytes.as_slice()).collect();
        let made = assembler.assemble_all(&texts, &arch);
        for (index, code) in lacking.into_iter().zip(made) {
            codes[index] = code.ok().map(Cow::Owned);
        }
    }
    codes
}

/// Loads a binary, by its machine code if there is some that the driver takes; an older driver may not.
fn load_module(binary: &Binary, code: Option<&[u8]>, kernels: &str) -> Result<sys::CUmodule> {
    let loaded = code.and_then(|code| load_cubin(code, kernels).ok());
    if let Some(module) = loaded {
        return Ok(module);
    }
    match binary.kind {
        BinaryKind::Ptx => {
            let text = CString::new(binary.bytes.as_slice())
                .map_err(|error| RuntimeError::BadObject(format!("{kernels}: the PTX has a zero byte: {error}")))?;
            load_with_log(text.as_ptr().cast(), &format!("compiling the PTX of {kernels}"))
        }
        BinaryKind::Cubin => load_cubin(&binary.bytes, kernels),
        BinaryKind::ElfObject => Err(RuntimeError::BadObject(format!("{kernels}: code for a CPU"))),
    }
}

fn load_cubin(bytes: &[u8], kernels: &str) -> Result<sys::CUmodule> {
    // the driver reads the length from the image itself, so at least its header must be whole
    if bytes.len() < 64 || !bytes.starts_with(b"\x7fELF") {
        return Err(RuntimeError::BadObject(format!("{kernels}: not a cubin")));
    }
    load_with_log(bytes.as_ptr().cast(), &format!("loading the cubin of {kernels}"))
}

/// Loads a module, with the driver's log in the error.
fn load_with_log(image: *const c_void, operation: &str) -> Result<sys::CUmodule> {
    let mut log = vec![0u8; LOG];
    let mut options = [CUjit_option::CU_JIT_ERROR_LOG_BUFFER, CUjit_option::CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES];
    // an option's value is passed as, not through, a pointer
    let mut values: [*mut c_void; 2] = [log.as_mut_ptr().cast(), std::ptr::without_provenance_mut(LOG)];
    let mut module = std::ptr::null_mut();
    // SAFETY: the image is a C string of PTX, or a cubin; the options are valid and `log` has the promised size.
    let loaded = unsafe { sys::cuModuleLoadDataEx(&mut module, image, options.len() as u32, options.as_mut_ptr(), values.as_mut_ptr()) };
    match loaded.result() {
        Ok(()) => Ok(module),
        Err(error) => {
            let end = log.iter().position(|byte| *byte == 0).unwrap_or(log.len());
            Err(driver_error(operation, error, Some(&String::from_utf8_lossy(&log[..end]))))
        }
    }
}
