//! `--grad`: which gradients a command wants.

use fx_mlir::gradients::{Cotangents, Gradients};
use fx_runtime::tensor_file::TensorFile;

/// What the names of cotangents begin with, as inputs and in files.
pub const COTANGENT: &str = "cotangent.";

/// The gradients by all parameters and float inputs, of all outputs: with cotangents out of the file if it has any, else 1
/// for numbers, and inputs for tensors.
pub fn wanted(grad: bool, file: Option<&TensorFile>, prefix: &str) -> Option<Gradients> {
    let given = file.is_some_and(|file| file.names().iter().any(|name| name.starts_with(&format!("{prefix}{COTANGENT}"))));
    let cotangents = if given { Cotangents::Arguments } else { Cotangents::Suitable };
    grad.then(|| Gradients { cotangents, ..Gradients::default() })
}
