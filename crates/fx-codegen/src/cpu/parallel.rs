//! Kernels on several threads: each has a context of its own, and gets its kernels as text.

use fx_ir::{Location, Module, Result, emit_error, new_context};
use fx_runtime::parallel::map;

use super::Processor;
use crate::parsed::parsed;

/// Fewer kernels than this are not worth a thread of their own.
const FEWEST: usize = 2;

/// Kernels for one thread.
pub struct Part {
    /// Their names.
    pub kernels: Vec<String>,
    text: String,
}

/// Emitted kernels in at most `workers` parts of about equal length, which is about equal work.
pub fn parts(kernels: &Module<'_>, workers: usize) -> Vec<Part> {
    let functions: Vec<_> = kernels.body().ops();
    let count = workers.min(functions.len() / FEWEST);
    if count < 2 {
        return Vec::new();
    }
    let mut texts: Vec<_> =
        functions.into_iter().map(|op| (op.to_local_string(true), op.text("sym_name").unwrap_or_default().to_string())).collect();
    texts.sort_by_key(|(text, _)| std::cmp::Reverse(text.len()));
    let mut parts: Vec<_> = (0..count).map(|_| Part { kernels: Vec::new(), text: String::new() }).collect();
    for (text, name) in texts {
        if let Some(part) = parts.iter_mut().min_by_key(|part| part.text.len()) {
            part.text.push_str(&text);
            part.text.push('\n');
            part.kernels.push(name);
        }
    }
    parts
}

/// The objects of all parts, in order.
///
/// # Errors
/// If one fails: reported at `location`, with the messages of its thread.
pub fn objects(parts: &[Part], processor: &Processor, location: Location<'_>) -> Result<Vec<Vec<u8>>> {
    let object =
        |context: &mut fx_ir::Context, part: &Part| parsed(context, &part.text, |module| super::object(module, processor, &mut |_| {}));
    let results = map(parts, parts.len(), || new_context(false), object);
    results.into_iter().map(|result| result.flatten().map_err(|message| emit_error(location, &message, &[]))).collect()
}
