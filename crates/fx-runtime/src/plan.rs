//! The launch plan: what a compiled program does, as data.
//!
//! Holds     Scalar registers, buffers with sizes over registers, and a structured list of steps.
//! Made by   The plan builder of `fx-codegen`, from the host function of phase `kernels`.
//! Read by   [`crate::exec::Executor`], and by people: it is JSON.
//! Invariant Every buffer is contiguous and row-major. A register is written before it is read. A `Bind` register
//!           (a symbolic size) is set from the shape of an input before the first step.

use serde::{Deserialize, Serialize};

/// Element types of buffers and scalars, named as PyTorch's short names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum DType {
    /// IEEE double precision.
    F64,
    /// IEEE single precision.
    F32,
    /// IEEE half precision.
    F16,
    /// Brain float: the upper half of an `f32`.
    BF16,
    /// 8-bit float, 4 exponent bits, finite only.
    F8E4M3FN,
    /// 8-bit float, 5 exponent bits.
    F8E5M2,
    /// Signed 64-bit integer.
    I64,
    /// Signed 32-bit integer.
    I32,
    /// Signed 16-bit integer.
    I16,
    /// Signed 8-bit integer.
    I8,
    /// Unsigned 8-bit integer.
    U8,
    /// Boolean, one byte, 0 or 1.
    Bool,
    /// Complex number of two `f32`.
    C64,
    /// Complex number of two `f64`.
    C128,
}

impl DType {
    /// Bytes of one element.
    pub const fn size(self) -> usize {
        match self {
            DType::C128 => 16,
            DType::F64 | DType::I64 | DType::C64 => 8,
            DType::F32 | DType::I32 => 4,
            DType::F16 | DType::BF16 | DType::I16 => 2,
            DType::F8E4M3FN | DType::F8E5M2 | DType::I8 | DType::U8 | DType::Bool => 1,
        }
    }
}

/// Index of a scalar register. Registers hold 64 bits: an `i64`, an `f64`'s bits, or a bool as 0 or 1.
pub type Reg = u32;
/// Index into [`Plan::buffers`].
pub type BufferId = u32;

/// A scalar: a constant or a register.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Scalar {
    /// An integer (or the bits of a float, where the reader expects one).
    Const(i64),
    /// A register.
    Reg(Reg),
}

/// Operations on scalars. Integer operations wrap; divisions by zero are errors of the call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs)] // the names say it; `S` signed integers, `F` doubles
#[rustfmt::skip] // a table
pub enum ScalarOp {
    /// `dst = a`
    Move,
    AddI, SubI, MulI,
    /// Division rounding towards minus infinity.
    FloorDivI,
    /// Division rounding towards plus infinity.
    CeilDivI,
    /// Division rounding towards zero.
    DivI,
    /// Remainder of [`ScalarOp::DivI`].
    RemI,
    MinI, MaxI,
    AndI, OrI, XorI, ShlI, ShrI,
    EqI, NeI, LtI, LeI, GtI, GeI,
    AddF, SubF, MulF, DivF, PowF, MinF, MaxF, NegF, SqrtF, FloorF, CeilF,
    EqF, NeF, LtF, LeF, GtF, GeF,
    /// Signed integer to double.
    IToF,
    /// Double to signed integer, towards zero.
    FToI,
    /// `dst = a != 0 ? b : c`
    Select,
}

/// A symbolic size: a register that is bound from input shapes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Symbol {
    /// The name in the program, such as `s77`.
    pub name: String,
    /// The register that holds its value.
    pub reg: Reg,
    /// Smallest legal value.
    pub min: i64,
    /// Largest legal value; none is unbounded.
    pub max: Option<i64>,
}

/// What an argument of the program is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ArgumentKind {
    /// A trained parameter, by its dotted name.
    Parameter(String),
    /// A buffer of the module, by its dotted name.
    Buffer(String),
    /// A tensor constant, by its name.
    Constant(String),
    /// A user input, in calling order, with the placeholder's name.
    Input(String),
}

/// One argument: a tensor, or a scalar that goes to a register.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Argument {
    /// Where the value comes from.
    pub kind: ArgumentKind,
    /// Tensor or scalar.
    pub value: ArgumentValue,
}

/// How an argument is held.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ArgumentValue {
    /// A tensor in this buffer, whose `dims` it must have: a dim that is a bound symbol's register binds it.
    Tensor(BufferId),
    /// A number in this register.
    Scalar {
        /// The register.
        reg: Reg,
        /// How the 64 bits are read.
        dtype: DType,
    },
}

/// What a result of the program is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OutputKind {
    /// A user output, in order.
    Output,
    /// The new value of the named module buffer.
    BufferMutation(String),
    /// The new value of the named parameter.
    ParameterMutation(String),
    /// The new value of the user input with this placeholder name.
    InputMutation(String),
    /// The gradient of the named parameter.
    ParameterGradient(String),
    /// The gradient of the user input with this placeholder name.
    InputGradient(String),
}

impl OutputKind {
    /// What a result with the attribute `fx.kind` is; `name` is what it belongs to.
    pub fn of(kind: Option<&str>, name: &str) -> Self {
        let name = name.to_string();
        match kind {
            Some("buffer_mutation") => Self::BufferMutation(name),
            Some("parameter_mutation") => Self::ParameterMutation(name),
            Some("input_mutation") => Self::InputMutation(name),
            Some("parameter_gradient") => Self::ParameterGradient(name),
            Some("input_gradient") => Self::InputGradient(name),
            _ => Self::Output,
        }
    }
}

/// One result.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Output {
    /// What it is.
    pub kind: OutputKind,
    /// Its value.
    pub value: OutputValue,
}

/// How a result is held.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OutputValue {
    /// A tensor; may be the buffer of an argument, which is then copied out.
    Tensor(BufferId),
    /// A number.
    Scalar {
        /// Its value.
        value: Scalar,
        /// How the 64 bits are read.
        dtype: DType,
    },
    /// `None`.
    None,
}

/// Where a buffer's bytes lie.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Storage {
    /// Given by the caller.
    Argument,
    /// Given by the compiler: raw little-endian bytes in [`Plan::constants`].
    Constant(u32),
    /// Computed by [`Plan::setup`] from the state alone, and kept until the state changes. Its dims are constants.
    Kept,
    /// Planned: memory that the executor provides from the step that first names the buffer to the last.
    Planned,
    /// The same bytes as another buffer (a reshape), starting `offset` elements in.
    View {
        /// The viewed buffer (never itself a view).
        of: BufferId,
        /// First element.
        offset: Scalar,
    },
}

/// A contiguous row-major tensor.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Buffer {
    /// Element type.
    pub dtype: DType,
    /// Size of each dimension.
    pub dims: Vec<Scalar>,
    /// Where the bytes lie.
    pub storage: Storage,
}

/// One argument of a kernel: 64 bits each.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum KernelArg {
    /// The address of a buffer.
    Buffer(BufferId),
    /// A scalar's 64 bits.
    Scalar(Scalar),
}

/// How a launch is spread over the machine.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Launch {
    /// On a CPU: the half-open range `0..extent` is cut among workers, pieces no smaller than `grain`.
    Range {
        /// Number of iterations.
        extent: Scalar,
        /// Smallest piece worth a thread.
        grain: i64,
        /// Most pieces for each thread: several, so that uneven threads share the work; one where each piece begins with work of
        /// its own.
        pieces: i64,
    },
    /// On a GPU.
    Grid {
        /// Blocks in x, y and z. A zero means nothing is launched.
        blocks: [Scalar; 3],
        /// Threads of a block in x, y and z.
        threads: [u32; 3],
        /// Dynamic shared memory in bytes.
        shared_bytes: Scalar,
    },
}

/// One step.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Step {
    /// `dst = op(args)`
    Scalar {
        /// Register written.
        dst: Reg,
        /// Operation.
        op: ScalarOp,
        /// One to three operands.
        args: Vec<Scalar>,
    },
    /// Run a kernel.
    Launch {
        /// Index into [`Plan::kernels`].
        kernel: u32,
        /// Its arguments.
        args: Vec<KernelArg>,
        /// Its extent.
        launch: Launch,
    },
    /// Read the one element of a buffer into a register (integers sign-extended, floats as `f64` bits). Synchronises.
    Read {
        /// Register written.
        dst: Reg,
        /// A buffer of one element.
        buffer: BufferId,
    },
    /// Copy all bytes; both buffers have one size.
    Copy {
        /// Source.
        src: BufferId,
        /// Destination.
        dst: BufferId,
    },
    /// Stop with `message` unless `cond` is non-zero.
    Assert {
        /// Tested value.
        cond: Scalar,
        /// What the error says.
        message: String,
    },
    /// Run one of two lists.
    If {
        /// Tested value.
        cond: Scalar,
        /// Steps when non-zero.
        then: Vec<Step>,
        /// Steps when zero.
        otherwise: Vec<Step>,
    },
    /// `loop { before; if cond == 0 { break } body }`
    While {
        /// Steps that compute `cond`.
        before: Vec<Step>,
        /// Tested value.
        cond: Scalar,
        /// Steps of one iteration.
        body: Vec<Step>,
    },
    /// Call an operator that the host program registered (`fx.call`), or that the library has.
    Call {
        /// Qualified name, such as `mylib::op`.
        name: String,
        /// The place in the user's program that it came from, for messages.
        location: String,
        /// Arguments.
        args: Vec<KernelArg>,
        /// Arguments that are neither tensors nor scalars of the program, by name.
        attributes: serde_json::Map<String, serde_json::Value>,
        /// Buffers it writes.
        results: Vec<BufferId>,
        /// Sizes of results that the operator decides.
        sizes: Vec<ResultSize>,
    },
}

/// A size that a call decides: dim `dim` of result `result` goes to `reg`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct ResultSize {
    /// Which result.
    pub result: u32,
    /// Which of its dims.
    pub dim: u32,
    /// Register written.
    pub reg: Reg,
}

/// One compiled kernel.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Kernel {
    /// Symbol in its binary; also its name in reports.
    pub symbol: String,
    /// Index into [`Plan::binaries`].
    pub binary: u32,
    /// The place in the user's program that it came from, for messages.
    pub location: String,
    /// The kernel's run-time checks. A kernel with checks has one more leading argument: the address of three `i64` for
    /// each check in order, all 0 before the launch. A check that fails sets its first to 1, its second to the value that
    /// it found wrong and its third to the bound of that value.
    pub checks: Vec<Check>,
}

/// A run-time check inside a kernel.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Check {
    /// The place in the user's program that it came from.
    pub location: String,
    /// What the error says: `{value}` and `{bound}` stand for the numbers that the kernel found, `{unwrapped}` for the
    /// value without the bound that was added to it if it is negative.
    pub message: String,
}

/// Machine code or PTX.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BinaryKind {
    /// An x86-64 ELF relocatable object. Kernels are `extern "C" fn(args: *const u64, lo: i64, hi: i64)`.
    ElfObject,
    /// PTX text. Kernels take their arguments one by one, each of 64 bits.
    Ptx,
    /// A CUDA binary for one architecture.
    Cubin,
}

/// What code may need of a processor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Need {
    /// A matrix unit for bf16, which the system must grant too.
    AmxBf16,
}

impl Need {
    /// Whether this process has it.
    pub fn is_met(self) -> bool {
        match self {
            Need::AmxBf16 => crate::ffi::matrix_unit::is_granted(),
        }
    }
}

impl std::fmt::Display for Need {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Need::AmxBf16 => "a matrix unit for bf16 (AMX)",
        })
    }
}

/// One module of code, stored beside the plan.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Binary {
    /// What the bytes are.
    pub kind: BinaryKind,
    /// What the processor must have, and the system grant, besides what the machine has that compiled it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub needs: Vec<Need>,
    /// PTX alone: what an assembler made of it already. Where it does not fit the device, the PTX is assembled again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub machine_code: Option<MachineCode>,
    /// The bytes; kept out of the JSON, bundles store them as files of their own.
    #[serde(skip)]
    pub bytes: Vec<u8>,
}

/// A CUDA binary made from PTX.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MachineCode {
    /// The architecture that it runs on, such as `sm_90a`.
    pub arch: String,
    /// Name and version of the assembler.
    pub assembler: String,
    /// The bytes; kept out of the JSON as those of binaries are.
    #[serde(skip)]
    pub bytes: Vec<u8>,
}

impl Binary {
    /// An object for a CPU, which needs something of it.
    pub fn object(bytes: Vec<u8>, needs: Vec<Need>) -> Self {
        Binary { kind: BinaryKind::ElfObject, needs, machine_code: None, bytes }
    }

    /// PTX text.
    pub fn ptx(bytes: Vec<u8>) -> Self {
        Binary { kind: BinaryKind::Ptx, needs: Vec::new(), machine_code: None, bytes }
    }
}

/// Raw tensor data made by the compiler, such as folded constants.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Constant {
    /// Little-endian elements; kept out of the JSON.
    #[serde(skip)]
    pub bytes: Vec<u8>,
}

/// A whole compiled program.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Plan {
    /// Version of this format.
    pub version: u32,
    /// `cpu`, or an architecture such as `sm_90a`.
    pub target: String,
    /// Number of scalar registers.
    pub registers: u32,
    /// Symbolic sizes.
    pub symbols: Vec<Symbol>,
    /// Arguments in order.
    pub arguments: Vec<Argument>,
    /// Results in order.
    pub outputs: Vec<Output>,
    /// All buffers.
    pub buffers: Vec<Buffer>,
    /// Tensor data.
    pub constants: Vec<Constant>,
    /// Kernels.
    pub kernels: Vec<Kernel>,
    /// Their code.
    pub binaries: Vec<Binary>,
    /// What to do once the state is there, and again when it has changed: launches and copies that fill
    /// [`Storage::Kept`] buffers, such as weights in the order that kernels want.
    pub setup: Vec<Step>,
    /// What to do in a call.
    pub steps: Vec<Step>,
}

/// The version that this crate reads and writes.
pub const PLAN_VERSION: u32 = 6;

impl Plan {
    /// A plan for a machine, that does nothing.
    pub fn new(target: &str) -> Self {
        Self {
            version: PLAN_VERSION,
            target: target.to_string(),
            registers: 0,
            symbols: Vec::new(),
            arguments: Vec::new(),
            outputs: Vec::new(),
            buffers: Vec::new(),
            constants: Vec::new(),
            kernels: Vec::new(),
            binaries: Vec::new(),
            setup: Vec::new(),
            steps: Vec::new(),
        }
    }

    /// The kernels that a binary holds, with their places in the user's program, for messages: `kernel 'a' (model.py:3)`.
    pub(crate) fn kernels_of(&self, binary: usize) -> String {
        let mut own = self.kernels.iter().filter(|kernel| kernel.binary as usize == binary);
        let Some(first) = own.next() else { return format!("binary {binary}") };
        let more = own.count();
        let others = if more == 0 { String::new() } else { format!(" and {more} more") };
        format!("kernel '{}' ({}){others}", first.symbol, first.location)
    }

    /// The plan as JSON, without the bytes of binaries and constants.
    ///
    /// # Errors
    /// None for a plan that was built; the serializer's word otherwise.
    pub fn to_json(&self) -> std::result::Result<String, serde_json::Error> {
        serde_json::to_string_pretty(self)
    }
}
