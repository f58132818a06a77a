//! What can go wrong, as one enum.
//!
//! Invariant A message starts in lower case, has no full stop at its end, and holds the expected and the actual value.
//!           Nothing here panics; an internal inconsistency is [`RuntimeError::Internal`] and says so.

use std::path::PathBuf;

/// The result of everything in this crate.
pub type Result<T, E = RuntimeError> = std::result::Result<T, E>;

/// An error of loading or of running a plan.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RuntimeError {
    /// The plan contradicts itself; found before anything is loaded.
    #[error("invalid plan: {0}")]
    InvalidPlan(String),
    /// The plan was compiled for something else.
    #[error("the plan is compiled for '{target}' and cannot run on {device}: {reason}")]
    WrongTarget {
        /// The plan's target.
        target: String,
        /// The device asked for.
        device: String,
        /// What does not fit.
        reason: String,
    },
    /// Wrong number of values in a call.
    #[error("the program takes {expected} inputs, got {actual}")]
    InputCount {
        /// Number of user inputs of the plan.
        expected: usize,
        /// Number of values given.
        actual: usize,
    },
    /// A value of the wrong kind or element type.
    #[error("{argument}: expected {expected}, got {actual}")]
    ArgumentType {
        /// What the value was for, such as `input 'x'`.
        argument: String,
        /// Expected dtype or kind.
        expected: String,
        /// Actual dtype or kind.
        actual: String,
    },
    /// A tensor of the wrong shape.
    #[error("{argument}: expected shape {expected}, got {actual}")]
    ArgumentShape {
        /// What the value was for.
        argument: String,
        /// The shape of the plan; symbols by name.
        expected: String,
        /// The shape given.
        actual: String,
    },
    /// Two dims that share a symbol differ.
    #[error(transparent)]
    SymbolConflict(Box<SymbolConflict>),
    /// A dim outside the range of its symbol.
    #[error("symbol '{symbol}' must lie in {range}, got {value} from {place}")]
    SymbolRange {
        /// Its name.
        symbol: String,
        /// Its range, such as `2..=64`.
        range: String,
        /// The value given.
        value: i64,
        /// Where it was given.
        place: String,
    },
    /// Parameters, buffers or constants without a value.
    #[error("no value for {}: give it with set_state before the call", .0.join(", "))]
    MissingState(Vec<String>),
    /// `set_state` with a name that the plan lacks.
    #[error("the plan has no parameter, buffer or constant named '{name}' (it has {known})")]
    UnknownState {
        /// The name given.
        name: String,
        /// Some of the names that exist.
        known: String,
    },
    /// A check inside a kernel failed.
    #[error("{location}: {message} (checked in kernel '{kernel}')")]
    KernelCheck {
        /// Symbol of the kernel.
        kernel: String,
        /// The check's place in the user's program.
        location: String,
        /// The check's message.
        message: String,
    },
    /// A launch failed.
    #[error("{location}: kernel '{kernel}' failed to launch: {source}")]
    Launch {
        /// Symbol of the kernel.
        kernel: String,
        /// Place in the user's program.
        location: String,
        /// Why.
        source: Box<RuntimeError>,
    },
    /// An `assert` step failed.
    #[error("assertion failed: {0}")]
    Assert(String),
    /// A scalar division by zero.
    #[error("division by zero in a size computation ({0})")]
    DivisionByZero(String),
    /// A size does not fit.
    #[error("{what}: the size overflows: {detail}")]
    SizeOverflow {
        /// What has the size.
        what: String,
        /// Dims and element size.
        detail: String,
    },
    /// Bytes of two buffers differ, a view leaves its buffer, or a computed size is negative.
    #[error("{0}")]
    Shape(String),
    /// Operators that the plan calls and nobody registered.
    #[error("no implementation of {}: register it with register_op before the call", .0.join(", "))]
    UnregisteredOps(Vec<String>),
    /// A registered operator reported an error or returned something else than the plan expects.
    #[error("{location}: operator '{name}': {message}")]
    Op {
        /// Qualified name.
        name: String,
        /// Place in the user's program.
        location: String,
        /// The operator's own words, or what is wrong with its results.
        message: String,
    },
    /// No memory.
    #[error("out of memory on {device}: {bytes} bytes for {what}")]
    OutOfMemory {
        /// `the host` or the GPU's name.
        device: String,
        /// Size of the request in bytes.
        bytes: usize,
        /// What it was for.
        what: String,
    },
    /// The CUDA driver is not installed.
    #[error("no CUDA driver on this machine: looked for the shared libraries {looked_for}")]
    NoDriver {
        /// Names of libraries.
        looked_for: String,
    },
    /// The CUDA driver reported an error.
    #[error("CUDA driver: {operation} failed with {name}: {text}")]
    Driver {
        /// What was being done.
        operation: String,
        /// The error's name, such as `CUDA_ERROR_INVALID_VALUE`.
        name: String,
        /// The driver's text, and the JIT log if there is one.
        text: String,
    },
    /// An assembler refused PTX.
    #[error("{kernel}: {assembler} refuses the PTX: {message}")]
    Assemble {
        /// Kernels that the PTX holds, with their places in the user's program.
        kernel: String,
        /// Name and version.
        assembler: String,
        /// Its own words.
        message: String,
    },
    /// Machine code that cannot be loaded.
    #[error("object file: {0}")]
    BadObject(String),
    /// Functions that machine code calls and this crate does not provide.
    #[error("object file calls unknown functions: {}", .0.join(", "))]
    UnknownExternals(Vec<String>),
    /// A kernel that its binary does not define.
    #[error("kernel '{kernel}' ({location}) is not defined in binary {binary}")]
    MissingKernel {
        /// Symbol.
        kernel: String,
        /// Place in the user's program.
        location: String,
        /// Index of the binary.
        binary: u32,
    },
    /// Reading or writing a file.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The system's error.
        source: std::io::Error,
    },
    /// A file that is not what it should be.
    #[error("{}: {message}", path.display())]
    Format {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        message: String,
    },
    /// A tensor used as what it is not.
    #[error("tensor: {0}")]
    Tensor(String),
    /// Something this crate does not do.
    #[error("not supported: {0}")]
    Unsupported(String),
    /// A bug in this crate.
    #[error("internal error in fx-runtime: {0}")]
    Internal(String),
}

/// Two values for one symbol.
#[derive(Debug, thiserror::Error)]
#[error("symbol '{symbol}' (range {range}) is {value} in {place}, but {bound} in {bound_place}")]
pub struct SymbolConflict {
    /// Name of the symbol.
    pub symbol: String,
    /// Its range.
    pub range: String,
    /// The later value.
    pub value: i64,
    /// Where the later value stands.
    pub place: String,
    /// The first value.
    pub bound: i64,
    /// Where the first value stands.
    pub bound_place: String,
}

impl RuntimeError {
    /// Wraps a system error with the path it is about.
    pub(crate) fn io(path: &std::path::Path, source: std::io::Error) -> Self {
        RuntimeError::Io { path: path.to_path_buf(), source }
    }

    /// A malformed file.
    pub(crate) fn format(path: &std::path::Path, message: impl Into<String>) -> Self {
        RuntimeError::Format { path: path.to_path_buf(), message: message.into() }
    }
}
