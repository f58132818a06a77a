//! The one error type of the crate.
//!
//! An [`ImportError`] says which archive, which member of it and which place of that member's JSON
//! (index and name of a node) is wrong, and an [`ErrorKind`] says how. Text is lower case without a
//! final full stop. Text taken from the archive is quoted by [`quoted`], which escapes control
//! characters and cuts long strings, so that a hostile archive cannot flood a terminal.

use std::fmt;

/// Why an archive could not be imported, and where.
#[derive(Debug)]
pub struct ImportError {
    archive: String,
    member: String,
    place: String,
    kind: Box<ErrorKind>,
}

/// What is wrong.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The operating system could not open or map the file.
    #[error("cannot read the file: {0}")]
    Io(#[source] std::io::Error),
    /// The ZIP structure is damaged.
    #[error("damaged zip structure: expected {expected}, found {found}")]
    Zip {
        /// What a sound file has here.
        expected: String,
        /// What this file has.
        found: String,
    },
    /// A member's name could point outside the archive, or is no name at all.
    #[error("unsafe member name: {reason}")]
    UnsafeName {
        /// What is wrong with it.
        reason: &'static str,
    },
    /// Two members have one name.
    #[error("expected one member of this name, found two")]
    DuplicateMember,
    /// A member that the program needs is not there.
    #[error("expected this member in the archive, found none")]
    MissingMember,
    /// A size is over a limit that protects the reader's memory.
    #[error("{what}: expected at most {limit}, found {found}")]
    Limit {
        /// What was measured.
        what: &'static str,
        /// The measured size.
        found: u64,
        /// The limit.
        limit: u64,
    },
    /// A member's bytes do not have the checksum that the archive states.
    #[error("checksum mismatch: expected crc32 {expected:08x}, found {found:08x}")]
    Checksum {
        /// The archive's statement.
        expected: u32,
        /// The checksum of the bytes.
        found: u32,
    },
    /// The archive is sound, but uses what this reader does not read.
    #[error("unsupported {what}: expected {expected}, found {found}")]
    Unsupported {
        /// What is unsupported.
        what: &'static str,
        /// What is supported.
        expected: String,
        /// What the archive has.
        found: String,
    },
    /// A text is no JSON, or not of the schema's form.
    #[error("malformed json: {0}")]
    Json(String),
    /// A tensor does not lie in its storage.
    #[error(transparent)]
    Tensor(#[from] crate::tensor_data::TensorError),
    /// The program contradicts itself or its weights.
    #[error("expected {expected}, found {found}")]
    Mismatch {
        /// What a consistent program has here.
        expected: String,
        /// What this program has.
        found: String,
    },
}

impl ImportError {
    pub(crate) fn new(kind: ErrorKind) -> Self {
        Self { archive: String::new(), member: String::new(), place: String::new(), kind: Box::new(kind) }
    }

    pub(crate) fn mismatch(expected: impl Into<String>, found: impl Into<String>) -> Self {
        Self::new(ErrorKind::Mismatch { expected: expected.into(), found: found.into() })
    }

    /// Adds the place within the member, unless an inner one is known already.
    pub(crate) fn at(mut self, place: impl FnOnce() -> String) -> Self {
        if self.place.is_empty() {
            self.place = place();
        }
        self
    }

    /// Adds the member, unless it is known already.
    pub(crate) fn in_member(mut self, member: &str) -> Self {
        if self.member.is_empty() {
            self.member = bounded(member);
        }
        self
    }

    pub(crate) fn in_archive(mut self, archive: &str) -> Self {
        if self.archive.is_empty() {
            self.archive = archive.to_owned();
        }
        self
    }

    /// Path of the archive, empty if the bytes were in memory.
    pub fn archive(&self) -> &str {
        &self.archive
    }

    /// Name of the member below the root folder, empty if the container itself is at fault.
    pub fn member(&self) -> &str {
        &self.member
    }

    /// Place in the member's JSON, such as `graph_module.graph.nodes[3] 'addmm'`, or empty.
    pub fn place(&self) -> &str {
        &self.place
    }

    /// What is wrong.
    pub fn kind(&self) -> &ErrorKind {
        &self.kind
    }
}

impl fmt::Display for ImportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for part in [&self.archive, &self.member, &self.place] {
            if !part.is_empty() {
                write!(f, "{part}: ")?;
            }
        }
        write!(f, "{}", self.kind)
    }
}

impl std::error::Error for ImportError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        std::error::Error::source(&*self.kind)
    }
}

/// The longest text of an archive that a message repeats, in characters.
const LONGEST_QUOTE: usize = 120;

/// Text of an archive for use in a message: escaped, and cut if it is long.
pub(crate) fn bounded(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars().take(LONGEST_QUOTE) {
        match c {
            '\'' | '"' => out.push(c),
            other => out.extend(other.escape_debug()),
        }
    }
    if text.chars().nth(LONGEST_QUOTE).is_some() {
        out.push_str("...");
    }
    out
}

/// [`bounded`] between single quotes.
pub(crate) fn quoted(text: &str) -> String {
    format!("'{}'", bounded(text))
}
