//! Errors of commands, their exit codes, and printing.

use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// The result of everything in this crate.
pub type Result<T, E = CliError> = std::result::Result<T, E>;

/// Why a command ends without success.
#[derive(Debug, thiserror::Error)]
pub enum CliError {
    /// The command line asks for what does not exist: exit code 2.
    #[error("{0}")]
    Usage(String),
    /// Something failed: exit code 1.
    #[error("{0}")]
    Failed(String),
    /// Importing, compiling or running failed.
    #[error(transparent)]
    Compiler(#[from] fx_mlir::Error),
    /// Running, or reading and writing tensors failed.
    #[error(transparent)]
    Runtime(#[from] fx_runtime::RuntimeError),
    /// A file.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The system's error.
        source: std::io::Error,
    },
    /// Everything has been said already: exit code 1.
    #[error("failed")]
    Reported,
}

impl CliError {
    /// Wraps a system error with the path it is about.
    pub fn io(path: &Path, source: std::io::Error) -> Self {
        CliError::Io { path: path.to_path_buf(), source }
    }

    /// Prints the error on stderr and gives the exit code.
    pub fn report(&self) -> ExitCode {
        if !matches!(self, CliError::Reported) {
            let text = self.to_string();
            // diagnostics of the compiler say themselves where the error is
            let first = text.lines().next().unwrap_or_default();
            let prefix = if is_diagnostic(first) { "" } else { "error: " };
            note(&format!("{prefix}{}", text.trim_end()));
        }
        match self {
            CliError::Usage(_) | CliError::Compiler(fx_mlir::Error::Usage(_)) => ExitCode::from(2),
            _ => ExitCode::FAILURE,
        }
    }
}

fn is_diagnostic(line: &str) -> bool {
    line.starts_with("error: ") || line.contains(": error: ")
}

/// Writes a line to stdout. Fails quietly when the reader has gone (`fxc .. | head`).
pub fn print(text: &str) -> Result<()> {
    print_raw(&format!("{text}\n"))
}

/// Writes text to stdout as it is. Fails as [`print`] does.
pub fn print_raw(text: &str) -> Result<()> {
    let mut stdout = std::io::stdout().lock();
    let written = stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush());
    written.map_err(|error| match error.kind() {
        ErrorKind::BrokenPipe => CliError::Reported,
        _ => CliError::io(Path::new("stdout"), error),
    })
}

/// Writes a line to stderr; nothing can be done if that fails.
pub fn note(text: &str) {
    let _ = writeln!(std::io::stderr().lock(), "{text}");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exit_codes() {
        let code = |error: CliError| format!("{:?}", error.report());
        assert_eq!(code(CliError::Usage("x".into())), format!("{:?}", ExitCode::from(2)));
        assert_eq!(code(CliError::Reported), format!("{:?}", ExitCode::from(1)));
        assert_eq!(code(CliError::Failed("x".into())), format!("{:?}", ExitCode::from(1)));
    }

    #[test]
    fn diagnostics_are_recognised() {
        assert!(is_diagnostic("model.mlir:1:2: error: 'fx.x' op is wrong"));
        assert!(!is_diagnostic("model.pt2: No such file or directory"));
    }
}
