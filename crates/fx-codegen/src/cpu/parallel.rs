//! Kernels on several threads: each has a context of its own, and gets its kernels as text.

use std::num::NonZero;
use std::sync::atomic::{AtomicUsize, Ordering};

use fx_ir::{Location, Module, Result, collect, emit_error, new_context};

use super::Processor;

/// Fewer kernels than this are not worth a thread of their own.
const FEWEST: usize = 2;
/// Stack of a thread: MLIR and LLVM recurse.
const STACK: usize = 16 << 20;

/// Compilations that run now, in this process.
static RUNNING: AtomicUsize = AtomicUsize::new(0);

/// Counts one compilation while it lives.
pub struct Busy(usize);

impl Busy {
    /// Counts one more.
    pub fn new() -> Self {
        Self(RUNNING.fetch_add(1, Ordering::Relaxed) + 1)
    }

    /// Threads that this compilation may use: its share of the processors.
    pub fn workers(&self) -> usize {
        (std::thread::available_parallelism().map_or(1, NonZero::get) / self.0).max(1)
    }
}

impl Drop for Busy {
    fn drop(&mut self) {
        RUNNING.fetch_sub(1, Ordering::Relaxed);
    }
}

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
    let results: Vec<_> = std::thread::scope(|scope| {
        let threads: Vec<_> = parts
            .iter()
            .map(|part| std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, || object(&part.text, processor)))
            .collect();
        threads
            .into_iter()
            .map(|thread| match thread.map(|thread| thread.join()) {
                Ok(Ok(result)) => result,
                Ok(Err(_)) => Err("internal bug: a compiling thread panicked".to_string()),
                Err(error) => Err(format!("a thread cannot be started: {error}")),
            })
            .collect()
    });
    results.into_iter().map(|result| result.map_err(|message| emit_error(location, &message, &[]))).collect()
}

fn object(text: &str, processor: &Processor) -> std::result::Result<Vec<u8>, String> {
    let context = new_context(false);
    let (object, messages) = collect(&context, || {
        let module = Module::parse(&context, text)?;
        super::object(&module, processor, &mut |_| {}).ok()
    });
    object.ok_or_else(|| {
        let messages: Vec<_> = messages.iter().map(ToString::to_string).collect();
        format!("internal bug: kernels do not compile: {}", messages.join("; "))
    })
}
