//! What can go wrong, told apart.

use std::fmt;
use std::path::PathBuf;

/// An error of the compiler or of a compiled program.
#[derive(Debug)]
pub enum Error {
    /// The archive cannot be read.
    Import(fx_import::ImportError),
    /// The program cannot be compiled: what was reported, each with its place.
    Diagnostics(Vec<fx_ir::Message>),
    /// The compiled program cannot run, or not with these inputs.
    Runtime(fx_runtime::RuntimeError),
    /// A file cannot be read or written.
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// The call makes no sense.
    Usage(String),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Import(error) => error.fmt(f),
            Error::Diagnostics(messages) if messages.is_empty() => f.write_str("internal bug: the compiler failed without saying why"),
            Error::Diagnostics(messages) => {
                let texts: Vec<_> = messages.iter().map(ToString::to_string).collect();
                f.write_str(&texts.join("\n"))
            }
            Error::Runtime(error) => error.fmt(f),
            Error::Io { path, source } => write!(f, "{}: {source}", path.display()),
            Error::Usage(text) => f.write_str(text),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Error::Import(error) => Some(error),
            Error::Runtime(error) => Some(error),
            Error::Io { source, .. } => Some(source),
            Error::Diagnostics(_) | Error::Usage(_) => None,
        }
    }
}

impl From<fx_import::ImportError> for Error {
    fn from(error: fx_import::ImportError) -> Self {
        Error::Import(error)
    }
}

impl From<fx_runtime::RuntimeError> for Error {
    fn from(error: fx_runtime::RuntimeError) -> Self {
        Error::Runtime(error)
    }
}
