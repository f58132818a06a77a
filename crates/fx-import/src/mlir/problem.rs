//! What cannot be imported: collected as diagnostics, all of them in one run.

use fx_ir::{Location, Message, Reported, emit_error};

/// Why something cannot be imported, and what to do about it.
#[derive(Debug)]
pub(super) struct Problem {
    message: String,
    remedy: String,
}

/// The result of importing a part.
pub(super) type Outcome<T> = Result<T, Problem>;

impl Problem {
    pub(super) fn new(message: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self { message: message.into(), remedy: remedy.into() }
    }

    /// A program that says something which no consistent program does.
    pub(super) fn malformed(message: impl Into<String>) -> Self {
        Self::new(message, "the archive is malformed: export the program again")
    }

    /// An op that the dialect rejects, with the dialect's reasons.
    pub(super) fn rejected(what: &str, reasons: &[Message]) -> Self {
        let reasons: Vec<&str> = reasons.iter().map(|reason| reason.text.as_str()).collect();
        let reasons = match reasons.is_empty() {
            true => "its types cannot be inferred".to_owned(),
            false => reasons.join("; "),
        };
        Self::new(format!("{what}: {reasons}"), "if PyTorch accepts this call, the constraint in 'dialects/fx' is too strict")
    }

    /// Puts what the problem is about in front.
    pub(super) fn about(mut self, what: &str) -> Self {
        self.message = format!("{what}: {}", self.message);
        self
    }

    /// Emits the diagnostic.
    pub(super) fn report(self, location: Location<'_>) -> Reported {
        emit_error(location, &self.message, &[(location, self.remedy)])
    }
}
