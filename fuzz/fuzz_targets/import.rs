//! Any bytes as an archive, and as the text of a program: no panic, whatever they are.
//!
//! Text is fed past the container, since no fuzzer finds the checksum that an archive needs.

#![no_main]

use fx_import::{Archive, ExportedProgram, SymExpr, TreeSpec};
use libfuzzer_sys::fuzz_target;

/// The largest tensor that is copied.
const LARGEST_TENSOR: u64 = 1 << 20;

fuzz_target!(|data: &[u8]| {
    let _ = ExportedProgram::from_json(data);
    if let Ok(text) = std::str::from_utf8(data) {
        let _ = TreeSpec::parse(text);
        if let Ok(expr) = SymExpr::parse(text) {
            let _ = (expr.to_string(), expr.eval(&|_| Some(7)));
        }
    }
    let Ok(archive) = Archive::from_bytes(data.to_vec()) else {
        return;
    };
    for (name, _) in archive.weights() {
        if let Ok(tensor) = archive.weight(name)
            && tensor.numel().is_some_and(|count| count <= LARGEST_TENSOR)
        {
            let _ = tensor.to_contiguous();
        }
    }
});
