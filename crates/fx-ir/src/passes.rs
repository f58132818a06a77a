//! Passes written in Rust, known to MLIR by name, and pass pipelines.

use std::ffi::c_void;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Once;

use melior::Context;
use mlir_sys::*;

use crate::raw::{print_with, string_ref, to_str};
use crate::{Module, Op, Reported, Result, emit_error};

/// A pass: its name, its text, its options and its function. Tables of these are `static`.
pub struct Pass {
    /// The name in pipelines, such as `fx-decompose`; also the file's name.
    pub name: &'static str,
    /// One line.
    pub summary: &'static str,
    /// The op it runs on: `builtin.module` or `func.func`.
    pub anchor: &'static str,
    /// Its options.
    pub options: &'static [PassOption],
    /// Dialects whose ops it creates.
    pub dialects: &'static [&'static str],
    /// What it does.
    pub run: fn(Op<'_>, &Options) -> Result,
}

/// One option of a pass.
pub struct PassOption {
    /// Name.
    pub name: &'static str,
    /// Value when not given.
    pub default: &'static str,
    /// One line.
    pub help: &'static str,
}

/// The values of a pass's options.
#[derive(Debug, Default, Clone)]
pub struct Options(Vec<(String, String)>);

impl Options {
    fn parse(text: &str) -> Self {
        Self(text.lines().filter_map(|line| line.split_once('=')).map(|(name, value)| (name.to_string(), value.to_string())).collect())
    }

    /// An option's text; empty if it is unknown.
    pub fn get(&self, name: &str) -> &str {
        self.0.iter().find(|(key, _)| key == name).map_or("", |(_, value)| value)
    }

    /// An option as a number or bool.
    ///
    /// # Errors
    /// If the text does not parse: reported at `op`.
    pub fn parsed<T: std::str::FromStr>(&self, op: Op<'_>, name: &str) -> Result<T> {
        self.get(name).parse().map_err(|_| self.illegal(op, name))
    }

    /// Reports at `op` that an option's text is no legal value.
    pub fn illegal(&self, op: Op<'_>, name: &str) -> Reported {
        emit_error(op.location(), &format!("pass option '{name}' has no legal value: '{}'", self.get(name)), &[])
    }
}

/// Runs a Rust pass for MLIR: no panic leaves it.
extern "C" fn trampoline(pass: *const c_void, op: MlirOperation, options: MlirStringRef) -> bool {
    // SAFETY: `pass` is the `&'static Pass` given at registration; `op` is alive during the call, the text too.
    let (pass, op, options) = unsafe { (&*pass.cast::<Pass>(), Op::from_raw(op), Options::parse(to_str(options))) };
    match catch_unwind(AssertUnwindSafe(|| (pass.run)(op, &options))) {
        Ok(result) => result.is_ok(),
        Err(panic) => {
            let text = panic.downcast_ref::<String>().map(String::as_str).or_else(|| panic.downcast_ref::<&str>().copied());
            let message = format!("internal bug: pass '{}' panicked: {}", pass.name, text.unwrap_or("no message"));
            emit_error(
                op.location(),
                &message,
                &[(op.location(), format!("reproduce it with: fx-opt --pass-pipeline='builtin.module({})'", pass.name))],
            );
            false
        }
    }
}

/// Makes upstream's passes that phases go through and `passes` known by name. Later calls with the same names do nothing.
pub fn register(passes: &[&'static Pass]) {
    static UPSTREAM: Once = Once::new();
    // SAFETY: called once per process.
    UPSTREAM.call_once(|| unsafe { fx_sys::fxRegisterUpstreamPasses() });
    for pass in passes {
        let options: String = pass.options.iter().map(|option| format!("{}={}:{}\n", option.name, option.default, option.help)).collect();
        // SAFETY: the pass is `'static`; strings are copied.
        unsafe {
            fx_sys::fxRegisterPass(
                std::ptr::from_ref::<Pass>(pass).cast(),
                string_ref(pass.name),
                string_ref(pass.summary),
                string_ref(pass.anchor),
                string_ref(&options),
                string_ref(&pass.dialects.join("\n")),
                trampoline,
            );
        }
    }
}

/// Makes a pipeline known by name.
pub fn register_pipeline(name: &str, summary: &str, text: &str) {
    // SAFETY: strings are copied.
    unsafe { fx_sys::fxRegisterPipeline(string_ref(name), string_ref(summary), string_ref(text)) };
}

/// Runs a textual pipeline, such as `builtin.module(fx-decompose,canonicalize)`, on a module.
///
/// # Errors
/// If the text does not parse or a pass fails; the reason was reported.
pub fn run_pipeline(context: &Context, module: &Module<'_>, pipeline: &str) -> Result {
    // SAFETY: the manager is created and destroyed here; the module is alive and of the same context.
    unsafe {
        let manager = mlirPassManagerCreateOnOperation(context.to_raw(), string_ref("builtin.module"));
        // Release builds verify at phase ends (`verify-<phase>`), not after each pass.
        mlirPassManagerEnableVerifier(manager, cfg!(debug_assertions));
        let mut failed = false;
        let text = print_with(|callback, data| {
            failed =
                mlirParsePassPipeline(mlirPassManagerGetAsOpPassManager(manager), string_ref(pipeline), Some(callback), data).value == 0;
        });
        let result = if failed {
            Err(emit_error(module.op().location(), &format!("the pass pipeline '{pipeline}' does not parse: {}", text.trim()), &[]))
        } else if mlirPassManagerRunOnOp(manager, module.op().raw()).value == 0 {
            Err(crate::diagnostics::reported_by_mlir())
        } else {
            Ok(())
        };
        mlirPassManagerDestroy(manager);
        result
    }
}
