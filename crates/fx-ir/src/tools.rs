//! MLIR's own tools with the fx dialect: `fx-opt`, `fx-lsp-server`, `fx-reduce`, `fx-translate`.

use std::ffi::{CString, c_char, c_int};

/// Which tool to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tool {
    /// `mlir-opt`: parse, run passes, verify, print.
    Opt,
    /// `mlir-lsp-server`: a language server for editors.
    LspServer,
    /// `mlir-reduce`: shrink a module while a test stays interesting.
    Reduce,
    /// `mlir-translate`: to and from other formats, such as LLVM IR.
    Translate,
}

/// Runs a tool on this process's arguments and returns its exit code. Passes must be registered before.
pub fn run(tool: Tool) -> i32 {
    let arguments: Vec<CString> = std::env::args_os()
        .map(|argument| CString::new(argument.into_encoded_bytes()).unwrap_or_default()) // arguments cannot hold a NUL
        .collect();
    let mut pointers: Vec<*mut c_char> = arguments.iter().map(|argument| argument.as_ptr().cast_mut()).collect();
    let count = c_int::try_from(pointers.len()).unwrap_or(c_int::MAX);
    pointers.push(std::ptr::null_mut());
    let main = match tool {
        Tool::Opt => fx_sys::fxOptMain,
        Tool::LspServer => fx_sys::fxLspServerMain,
        Tool::Reduce => fx_sys::fxReduceMain,
        Tool::Translate => fx_sys::fxTranslateMain,
    };
    // SAFETY: `pointers` is a null-terminated array of `count` C strings that outlive the call; the tools only read them.
    unsafe { main(count, pointers.as_mut_ptr()) }
}
