//! A module as plain data: what the walk runs.

use fx_runtime::plan::{ArgumentKind, OutputKind};

use crate::array::{Array, DType};

/// Number of a value; each is written once per run of its block.
pub type ValueId = usize;

/// A scalar's type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NumberKind {
    /// `i64`, `index` and other integers.
    Int,
    /// `f64` and `f32`.
    Float,
    /// `i1`.
    Bool,
    /// `complex<f64>`.
    Complex,
}

/// What a value is.
#[derive(Debug, Clone, PartialEq)]
pub enum ValueType {
    /// A tensor; sizes that are known only at run time are none.
    Array {
        /// Element type.
        dtype: DType,
        /// Sizes.
        shape: Vec<Option<usize>>,
    },
    /// A number.
    Number(NumberKind),
    /// Nothing.
    None,
}

/// An attribute.
#[derive(Debug, Clone, PartialEq)]
pub enum Attr {
    /// An integer of any width.
    Int(i64),
    /// A float.
    Float(f64),
    /// A truth value.
    Bool(bool),
    /// A string or a symbol's name.
    Str(String),
    /// `array<i64: ..>`
    Ints(Vec<i64>),
    /// `array<f64: ..>`
    Floats(Vec<f64>),
    /// `array<i1: ..>`
    Bools(Vec<bool>),
    /// An element type.
    DType(DType),
    /// Elements of a tensor.
    Array(Array),
    /// A list.
    List(Vec<Attr>),
    /// Names and values.
    Dict(Vec<(String, Attr)>),
    /// What no op of fx reads, as text.
    Other(String),
}

/// An op.
#[derive(Debug)]
pub struct Node {
    /// Full name.
    pub name: String,
    /// Where it comes from.
    pub location: String,
    /// Operands in order.
    pub operands: Vec<ValueId>,
    /// Operands by the names of the op's definition; of ops of other dialects there are none.
    pub groups: Vec<(&'static str, Vec<ValueId>)>,
    /// Attributes.
    pub attributes: Vec<(String, Attr)>,
    /// Results.
    pub results: Vec<ValueId>,
    /// What the results are.
    pub types: Vec<ValueType>,
    /// Regions, of one block each.
    pub regions: Vec<Block>,
}

/// A block: its last op, `func.return` or `fx.yield`, has its values as operands.
#[derive(Debug, Default)]
pub struct Block {
    /// Arguments.
    pub arguments: Vec<ValueId>,
    /// Ops in order.
    pub nodes: Vec<Node>,
}

/// An argument of the function.
#[derive(Debug)]
pub struct Argument {
    /// What it is, and its name.
    pub kind: ArgumentKind,
    /// Its type.
    pub ty: ValueType,
    /// Names of sizes, by dim; of a number its own.
    pub symbols: Vec<Option<String>>,
}

/// A size that is known at run time.
#[derive(Debug, Clone)]
pub struct Symbol {
    /// Its name.
    pub name: String,
    /// Least value.
    pub min: i64,
    /// Greatest value, if there is one.
    pub max: Option<i64>,
}

/// The function `@main`.
#[derive(Debug)]
pub struct Graph {
    /// Arguments.
    pub arguments: Vec<Argument>,
    /// What each result is.
    pub outputs: Vec<OutputKind>,
    /// Sizes with names.
    pub symbols: Vec<Symbol>,
    /// The body.
    pub body: Block,
    /// Number of values.
    pub values: usize,
}
