//! Errors as MLIR diagnostics at a location, and their collection.

use std::cell::RefCell;
use std::fmt;
use std::marker::PhantomData;
use std::rc::Rc;

use melior::Context;
use melior::diagnostic::{Diagnostic, DiagnosticSeverity};
use mlir_sys::*;

use crate::raw::{print_with, string_ref, to_str};

/// A place in a source: the user's Python, an `.mlir` file, or a chain of both.
#[derive(Clone, Copy)]
pub struct Location<'c> {
    raw: MlirLocation,
    context: PhantomData<&'c Context>,
}

impl fmt::Display for Location<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // SAFETY: the location is alive, the callback is used during the call only.
        f.write_str(&print_with(|callback, data| unsafe { mlirLocationPrint(self.raw, Some(callback), data) }))
    }
}
impl fmt::Debug for Location<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl<'c> Location<'c> {
    /// # Safety
    /// `raw` must be a live location of a context that outlives `'c`.
    pub(crate) unsafe fn from_raw(raw: MlirLocation) -> Self {
        Self { raw, context: PhantomData }
    }
    pub(crate) fn raw(self) -> MlirLocation {
        self.raw
    }

    /// A line of a file; lines and columns count from 1, 0 is unknown.
    pub fn file(context: &'c Context, file: &str, line: u32, column: u32) -> Self {
        // SAFETY: the context is alive, the text is copied.
        unsafe { Self::from_raw(mlirLocationFileLineColGet(context.to_raw(), string_ref(file), line, column)) }
    }

    /// A named place around another: a module path around the line that it was called from.
    pub fn named(context: &'c Context, name: &str, child: Location<'c>) -> Self {
        // SAFETY: the context and the child are alive, the text is copied.
        unsafe { Self::from_raw(mlirLocationNameGet(context.to_raw(), string_ref(name), child.raw)) }
    }

    /// No place: for modules and other containers that no source line made.
    pub fn unknown(context: &'c Context) -> Self {
        // SAFETY: the context is alive.
        unsafe { Self::from_raw(mlirLocationUnknownGet(context.to_raw())) }
    }
}

/// Proof that an error was reported as a diagnostic. Only reporting makes one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reported(());

impl fmt::Display for Reported {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an error was reported")
    }
}
impl std::error::Error for Reported {}

/// The result of everything that reports its errors as diagnostics.
pub type Result<T = ()> = std::result::Result<T, Reported>;

/// Reports an error with notes. Text: lower case, no full stop, expected and actual values.
pub fn emit_error<'c>(location: Location<'c>, message: &str, notes: &[(Location<'c>, String)]) -> Reported {
    let (locations, texts) = split_notes(notes);
    // SAFETY: locations are alive, texts are borrowed during the call, both arrays have the stated length.
    unsafe { fx_sys::fxEmitError(location.raw, string_ref(message), notes.len() as isize, locations.as_ptr(), texts.as_ptr()) };
    Reported(())
}

/// Reports a remark with notes: an optimisation that was or was not done, and why.
pub fn emit_remark<'c>(location: Location<'c>, message: &str, notes: &[(Location<'c>, String)]) {
    let (locations, texts) = split_notes(notes);
    // SAFETY: locations are alive, texts are borrowed during the call, both arrays have the stated length.
    unsafe { fx_sys::fxEmitRemark(location.raw, string_ref(message), notes.len() as isize, locations.as_ptr(), texts.as_ptr()) };
}

/// Notes as two arrays, which borrow the texts.
fn split_notes(notes: &[(Location<'_>, String)]) -> (Vec<MlirLocation>, Vec<MlirStringRef>) {
    notes.iter().map(|(location, text)| (location.raw, string_ref(text))).unzip()
}

/// Severity of a [`Message`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Severity {
    /// The program cannot be compiled.
    Error,
    /// Something looks wrong.
    Warning,
    /// What an optimisation did.
    Remark,
    /// More about the message before.
    Note,
}

/// A diagnostic, kept.
#[derive(Debug, Clone)]
pub struct Message {
    /// How bad it is.
    pub severity: Severity,
    /// Where, as `file:line:column` or MLIR's text form.
    pub location: String,
    /// What.
    pub text: String,
    /// More about it.
    pub notes: Vec<Message>,
}

impl fmt::Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = match self.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Remark => "remark",
            Severity::Note => "note",
        };
        write!(f, "{}: {kind}: {}", self.location, self.text)?;
        self.notes.iter().try_for_each(|note| write!(f, "\n{note}"))
    }
}

fn message(diagnostic: &Diagnostic<'_>) -> Message {
    let severity = match diagnostic.severity() {
        DiagnosticSeverity::Error => Severity::Error,
        DiagnosticSeverity::Warning => Severity::Warning,
        DiagnosticSeverity::Remark => Severity::Remark,
        DiagnosticSeverity::Note => Severity::Note,
    };
    let location = diagnostic.location().to_string();
    let location = location.strip_prefix("loc(").and_then(|text| text.strip_suffix(')')).unwrap_or(&location).replace('"', "");
    let notes = (0..diagnostic.note_count()).filter_map(|i| diagnostic.note(i).ok()).map(|note| message(&note)).collect();
    Message { severity, location, text: diagnostic.to_string(), notes }
}

/// Runs `body` and gives what it reported beside its result, instead of printing it.
pub fn collect<T>(context: &Context, body: impl FnOnce() -> T) -> (T, Vec<Message>) {
    let messages = Rc::new(RefCell::new(Vec::new()));
    let sink = Rc::clone(&messages);
    let id = context.attach_diagnostic_handler(move |diagnostic| {
        if let Ok(mut messages) = sink.try_borrow_mut() {
            messages.push(message(&diagnostic));
        }
        true
    });
    let result = body();
    context.detach_diagnostic_handler(id);
    let messages = messages.take();
    (result, messages)
}

/// The text of an identifier-like string of MLIR.
#[allow(dead_code)]
pub(crate) fn identifier<'c>(raw: MlirIdentifier) -> &'c str {
    // SAFETY: identifiers live as long as their context.
    unsafe { to_str(mlirIdentifierStr(raw)) }
}

/// For failures that MLIR reported itself.
pub(crate) fn reported_by_mlir() -> Reported {
    Reported(())
}
