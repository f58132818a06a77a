//! Kernels as text, for a thread with a context of its own.

use fx_ir::{Context, Module, Result, collect};

/// What `compile` makes of a module that is given as text; what was reported meanwhile is the error.
pub(crate) fn parsed<T>(context: &Context, text: &str, compile: impl FnOnce(&Module<'_>) -> Result<T>) -> std::result::Result<T, String> {
    let (result, messages) = collect(context, || {
        let module = Module::parse(context, text)?;
        compile(&module).ok()
    });
    result.ok_or_else(|| {
        let messages: Vec<_> = messages.iter().map(ToString::to_string).collect();
        format!("internal bug: kernels do not compile: {}", messages.join("; "))
    })
}
