//! A golden case: one program, what it is called with, and what must come out.

use crate::error::CliError;
use crate::gradients::COTANGENT;
use crate::load::open;
use fx_mlir::Program;
use fx_mlir::gradients::Gradients;
use fx_runtime::DType;
use std::path::PathBuf;

/// One program with its input sets.
#[derive(Debug, Clone)]
pub struct Case {
    /// Its name; also the name of its dump.
    pub id: String,
    /// What reports group it by: PyTorch's operator, or the model.
    pub op: String,
    /// The archive.
    pub program: PathBuf,
    /// The file with inputs and expected results.
    pub tensors: PathBuf,
    /// How far results may lie from the reference.
    pub tolerance: Tolerance,
    /// Whether it is a training program (loss, gradients): those belong to `--grad`.
    pub training: bool,
    /// The gradients that our own autodiff adds to the program, and that `sets` expect.
    pub gradients: Option<Gradients>,
    /// Calls: the program is compiled once for all.
    pub sets: Vec<InputSet>,
}

impl Case {
    /// The same case without what our autodiff adds: gradients, and the inputs that they need.
    pub fn without_gradients(mut self) -> Self {
        if self.gradients.take().is_some() {
            for set in &mut self.sets {
                set.inputs.retain(|input| !input.placeholder.starts_with(COTANGENT));
                set.expected.retain(|expected| !matches!(expected.slot, Slot::InputGradient(_) | Slot::ParameterGradient(_)));
            }
        }
        self
    }

    /// The program, differentiated if gradients are wanted.
    pub fn open(&self) -> Result<Program, CliError> {
        open(&self.program, self.gradients.as_ref())
    }
}

/// PyTorch's tolerances.
#[derive(Debug, Clone, Copy, PartialEq, serde::Deserialize)]
pub struct Tolerance {
    /// Times the size of the reference.
    pub rtol: f64,
    /// Absolute.
    pub atol: f64,
}

/// One call.
#[derive(Debug, Clone, PartialEq)]
pub struct InputSet {
    /// User inputs.
    pub inputs: Vec<Input>,
    /// Results that must be there.
    pub expected: Vec<Expected>,
    /// Number of tensors among the outputs, if it is known.
    pub outputs: Option<usize>,
    /// Whether values mean something: inputs that are not expected to change must then not change.
    pub comparable: bool,
}

/// One user input.
#[derive(Debug, Clone, PartialEq)]
pub struct Input {
    /// Name of the placeholder.
    pub placeholder: String,
    /// Its value.
    pub value: InputValue,
}

/// The value of an input.
#[derive(Debug, Clone, PartialEq)]
pub enum InputValue {
    /// A tensor of the file.
    Tensor(String),
    /// An integer.
    Int(i64),
    /// A floating-point number.
    Float(f64),
    /// A truth value.
    Bool(bool),
    /// Text or `None`, which a program holds as a constant.
    Constant(String),
}

/// One result that must be there.
#[derive(Debug, Clone, PartialEq)]
pub struct Expected {
    /// Which result.
    pub slot: Slot,
    /// Its name in golden files and dumps.
    pub name: String,
    /// What it must be.
    pub reference: Reference,
}

/// Which result of a program.
#[derive(Debug, Clone, PartialEq)]
pub enum Slot {
    /// The N-th tensor among the outputs.
    Output(usize),
    /// The new value of the user input with this placeholder.
    MutatedInput(String),
    /// The new value of a buffer.
    Buffer(String),
    /// The gradient of a parameter.
    ParameterGradient(String),
    /// The gradient of the user input with this placeholder.
    InputGradient(String),
}

impl std::fmt::Display for Slot {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Slot::Output(index) => write!(f, "tensor output {index}"),
            Slot::MutatedInput(name) => write!(f, "new value of input '{name}'"),
            Slot::Buffer(name) => write!(f, "new value of buffer '{name}'"),
            Slot::ParameterGradient(name) => write!(f, "gradient of parameter '{name}'"),
            Slot::InputGradient(name) => write!(f, "gradient of input '{name}'"),
        }
    }
}

/// What a result is compared with.
#[derive(Debug, Clone, PartialEq)]
pub enum Reference {
    /// The tensor of the result's name: dtype, shape and values.
    Values {
        /// Name of the result of a float64 run.
        float64: Option<String>,
        /// Largest difference of PyTorch's own result to it.
        error64: f64,
    },
    /// Dtype and shape only: the values are random or undefined.
    Shape {
        /// Element type.
        dtype: DType,
        /// Size of each dimension.
        dims: Vec<usize>,
    },
}

impl Reference {
    /// Values without a float64 run.
    pub fn exact() -> Self {
        Reference::Values { float64: None, error64: 0.0 }
    }
}

/// Reads PyTorch's name of an element type, such as `float32` or `torch.float32`.
pub fn torch_dtype(name: &str) -> Result<DType, String> {
    let short = name.strip_prefix("torch.").unwrap_or(name);
    Ok(match short {
        "float64" => DType::F64,
        "float32" => DType::F32,
        "float16" => DType::F16,
        "bfloat16" => DType::BF16,
        "float8_e4m3fn" => DType::F8E4M3FN,
        "float8_e5m2" => DType::F8E5M2,
        "int64" => DType::I64,
        "int32" => DType::I32,
        "int16" => DType::I16,
        "int8" => DType::I8,
        "uint8" => DType::U8,
        "bool" => DType::Bool,
        "complex64" => DType::C64,
        "complex128" => DType::C128,
        _ => return Err(format!("unknown dtype '{name}'")),
    })
}
