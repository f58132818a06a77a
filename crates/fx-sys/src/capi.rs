//! `extern "C"` declarations of `dialects/fx/capi/FxCAPI.h`; its comments are the documentation.

use std::ffi::{c_char, c_int, c_void};

use mlir_sys::{MlirDialectRegistry, MlirLocation, MlirOperation, MlirPass, MlirStringRef};

/// Runs a Rust pass; false after having emitted an error.
pub type FxRunPass = extern "C" fn(pass: *const c_void, op: MlirOperation, options: MlirStringRef) -> bool;

unsafe extern "C" {
    /// Inserts fx and every upstream dialect. `registry` is borrowed.
    pub fn fxRegisterDialects(registry: MlirDialectRegistry);
    /// Registers upstream passes; once per process, before any context is used by a second thread.
    pub fn fxRegisterUpstreamPasses();
    /// Registers a Rust pass. `pass` must live as long as the process; strings are copied.
    pub fn fxRegisterPass(
        pass: *const c_void,
        argument: MlirStringRef,
        description: MlirStringRef,
        anchor: MlirStringRef,
        option_names: MlirStringRef,
        dependent_dialects: MlirStringRef,
        run: FxRunPass,
    );
    /// A new instance of a registered Rust pass, owned by the caller; null if unknown or the options are wrong.
    pub fn fxCreatePass(argument: MlirStringRef, options: MlirStringRef) -> MlirPass;
    /// Registers a named pipeline by its text; strings are copied.
    pub fn fxRegisterPipeline(name: MlirStringRef, description: MlirStringRef, text: MlirStringRef);
    /// The main function of mlir-opt.
    pub fn fxOptMain(argc: c_int, argv: *mut *mut c_char) -> c_int;
    /// The main function of mlir-lsp-server.
    pub fn fxLspServerMain(argc: c_int, argv: *mut *mut c_char) -> c_int;
    /// The main function of mlir-reduce.
    pub fn fxReduceMain(argc: c_int, argv: *mut *mut c_char) -> c_int;
    /// The main function of mlir-translate.
    pub fn fxTranslateMain(argc: c_int, argv: *mut *mut c_char) -> c_int;
    /// Emits an error with notes; arrays are borrowed.
    pub fn fxEmitError(
        location: MlirLocation,
        message: MlirStringRef,
        num_notes: isize,
        note_locations: *const MlirLocation,
        note_messages: *const MlirStringRef,
    );
    /// Emits a remark with notes; arrays are borrowed.
    pub fn fxEmitRemark(
        location: MlirLocation,
        message: MlirStringRef,
        num_notes: isize,
        note_locations: *const MlirLocation,
        note_messages: *const MlirStringRef,
    );
}
