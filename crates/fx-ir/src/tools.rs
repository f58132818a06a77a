//! MLIR's own tools with the fx dialect: `fx-opt`, `fx-lsp-server`, `fx-reduce`, `fx-translate`.
//!
//! They know all of MLIR. A binary that names none of the constants here is linked without that.

use std::ffi::{CString, c_char, c_int};

type Main = unsafe extern "C" fn(c_int, *mut *mut c_char) -> c_int;

/// Which tool to be.
#[derive(Debug, Clone, Copy)]
pub struct Tool(Main);

/// `mlir-opt`: parse, run passes, verify, print.
pub const OPT: Tool = Tool(fx_sys::fxOptMain);
/// `mlir-lsp-server`: a language server for editors.
pub const LSP_SERVER: Tool = Tool(fx_sys::fxLspServerMain);
/// `mlir-reduce`: shrink a module while a test stays interesting.
pub const REDUCE: Tool = Tool(fx_sys::fxReduceMain);
/// `mlir-translate`: to and from other formats, such as LLVM IR.
pub const TRANSLATE: Tool = Tool(fx_sys::fxTranslateMain);

/// Runs a tool on this process's arguments and returns its exit code. Our passes must be registered before.
pub fn run(Tool(main): Tool) -> i32 {
    let arguments: Vec<CString> = std::env::args_os()
        .map(|argument| CString::new(argument.into_encoded_bytes()).unwrap_or_default()) // arguments cannot hold a NUL
        .collect();
    let mut pointers: Vec<*mut c_char> = arguments.iter().map(|argument| argument.as_ptr().cast_mut()).collect();
    let count = c_int::try_from(pointers.len()).unwrap_or(c_int::MAX);
    pointers.push(std::ptr::null_mut());
    // SAFETY: `pointers` is a null-terminated array of `count` C strings that outlive the call; the tools only read them.
    unsafe { main(count, pointers.as_mut_ptr()) }
}
