//! Where a node comes from: Python lines and modules, read from a node's metadata.
//!
//! Everything here is a hint for messages and locations, so text of another form is skipped and is
//! no error.

use super::Node;

/// A line of a Python stack trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Frame<'a> {
    /// The Python file.
    pub file: &'a str,
    /// Line in the file, from 1.
    pub line: u32,
    /// The function.
    pub function: &'a str,
}

/// A place in Python source.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SourceLocation {
    /// The Python file.
    pub file: String,
    /// Line in the file, from 1.
    pub line: u32,
}

impl Node {
    /// The frames of `stack_trace`, outermost first.
    pub fn stack_trace(&self) -> impl DoubleEndedIterator<Item = Frame<'_>> {
        let trace = self.metadata.get("stack_trace");
        trace.into_iter().flat_map(|trace| trace.lines()).filter_map(Frame::parse)
    }

    /// Tags of an activation checkpoint. The archive has no place for PyTorch's own, but keeps what a user put into a node's
    /// `custom` metadata: here `{"recompute": "must_save", "recompute_group": 0}`.
    pub fn recompute(&self) -> Option<(String, Option<i64>)> {
        let custom: serde_json::Value = serde_json::from_str(self.metadata.get("custom")?).ok()?;
        let policy = custom.get("recompute")?.as_str()?.to_owned();
        Some((policy, custom.get("recompute_group").and_then(serde_json::Value::as_i64)))
    }

    /// The line of Python that the node comes from: the innermost frame outside of PyTorch itself,
    /// or the innermost of all.
    pub fn source(&self) -> Option<SourceLocation> {
        let user = self.stack_trace().rfind(|frame| !is_pytorch(frame.file));
        let frame = user.or_else(|| self.stack_trace().next_back())?;
        Some(SourceLocation { file: frame.file.to_owned(), line: frame.line })
    }

    /// Path of the innermost module that the node was traced in, such as `layers.0.attention`; empty
    /// for the outermost module. A suffix `@1` that tells repeated calls apart is cut off.
    pub fn module_path(&self) -> Option<String> {
        let stack = self.metadata.get("nn_module_stack")?;
        let (_, path_and_class) = stack.rsplit(';').next()?.split_once(',')?;
        let (path, _) = path_and_class.rsplit_once(',')?;
        let path = match path.rsplit_once('@') {
            Some((path, call)) if call.bytes().all(|b| b.is_ascii_digit()) => path,
            _ => path,
        };
        Some(path.to_owned())
    }
}

impl<'a> Frame<'a> {
    /// Reads `File "x.py", line 3, in forward`.
    fn parse(line: &'a str) -> Option<Self> {
        let rest = line.trim_start().strip_prefix("File \"")?;
        let (file, rest) = rest.split_once("\", line ")?;
        let (line, function) = match rest.split_once(", in ") {
            Some((line, function)) => (line, function.trim_end()),
            None => (rest.trim_end(), ""),
        };
        Some(Self { file, line: line.parse().ok()?, function })
    }
}

/// Whether a file is part of PyTorch: below a folder `torch` among installed packages, below a
/// relative `torch`, or in one of its own parts in a source checkout. Generated code has names such
/// as `<eval_with_key>.3`.
fn is_pytorch(file: &str) -> bool {
    const PARTS: [&str; 6] = ["nn", "fx", "autograd", "utils", "export", "functional.py"];
    if file.starts_with('<') {
        return true;
    }
    let mut before = "";
    let mut parts = file.split(['/', '\\']).peekable();
    let mut first = true;
    while let Some(part) = parts.next() {
        if part == "torch"
            && let Some(next) = parts.peek()
            && (first || matches!(before, "site-packages" | "dist-packages") || PARTS.contains(next) || next.starts_with('_'))
        {
            return true;
        }
        before = part;
        first = false;
    }
    false
}
