//! Strings and callbacks across the C boundary.

use mlir_sys::MlirStringRef;
use std::ffi::c_void;

/// A borrowed C view of a Rust string.
pub(crate) fn string_ref(text: &str) -> MlirStringRef {
    MlirStringRef { data: text.as_ptr().cast(), length: text.len() }
}

/// The text behind a string that MLIR owns.
///
/// # Safety
/// The bytes must live for `'a` (identifiers and attribute payloads live as long as their context).
pub(crate) unsafe fn to_str<'a>(text: MlirStringRef) -> &'a str {
    if text.length == 0 {
        return "";
    }
    // SAFETY: the caller promises that `data` points at `length` bytes that live for `'a`.
    let bytes = unsafe { std::slice::from_raw_parts(text.data.cast::<u8>(), text.length) };
    std::str::from_utf8(bytes).unwrap_or("<not UTF-8>")
}

/// Collects what an MLIR print function says.
pub(crate) fn print_with(print: impl FnOnce(unsafe extern "C" fn(MlirStringRef, *mut c_void), *mut c_void)) -> String {
    unsafe extern "C" fn append(text: MlirStringRef, into: *mut c_void) {
        // SAFETY: `into` is the `String` below, alive during the print call, and used by this callback alone.
        let buffer = unsafe { &mut *into.cast::<Vec<u8>>() };
        if text.length > 0 {
            // SAFETY: MLIR hands over `length` readable bytes.
            buffer.extend_from_slice(unsafe { std::slice::from_raw_parts(text.data.cast(), text.length) });
        }
    }
    let mut buffer: Vec<u8> = Vec::new();
    print(append, (&raw mut buffer).cast());
    String::from_utf8_lossy(&buffer).into_owned()
}
