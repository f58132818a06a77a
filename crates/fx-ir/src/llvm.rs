//! Handing a module in the LLVM dialect over to LLVM.

use inkwell::context::Context as LlvmContext;
use inkwell::module::Module as LlvmModule;
use mlir_sys::*;

use crate::{Op, Result, emit_error};

/// Translates a module in the LLVM dialect to LLVM IR.
///
/// # Errors
/// If an op has no translation: reported at the op.
pub fn translate<'l>(module: Op<'_>, context: &'l LlvmContext) -> Result<LlvmModule<'l>> {
    // SAFETY: the op and the context are alive; the module that comes back is owned by the caller, or null. mlir-sys and
    // inkwell name the same C types, linked once.
    unsafe {
        let raw = mlirTranslateModuleToLLVMIR(module.raw(), context.raw().cast());
        if raw.is_null() {
            return Err(emit_error(module.location(), "cannot translate the module to LLVM IR", &[]));
        }
        Ok(LlvmModule::new(raw.cast()))
    }
}
