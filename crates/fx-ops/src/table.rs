//! The op table: what the compiler does with each op of the dialect, one row per op.
//!
//! `dialects/fx/include/fx/*.td` say what an op is; the row of the same name says how it is decomposed, lowered and
//! differentiated. No field has a default. A test keeps rows and dialect equal. Every op has a way down; forms of an op that
//! have none are errors of its rule (docs/refused.md lists them).

use fx_ir::{Op, Result, Value};

use crate::fx_builder::Fx;
use crate::fx_op::FxOp;
use crate::lower::Lower;
use crate::scalar::{Number, Scalars};

/// How an op becomes simpler fx ops.
#[derive(Clone, Copy)]
pub enum Decompose {
    /// It stays until it is lowered.
    Primitive,
    /// The rule gives one value per result.
    Rule(for<'c> fn(&Fx<'c>, FxOp<'c>) -> Result<Vec<Value<'c>>>),
}

/// What operands of a pointwise op are converted to before its body runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compute {
    /// The result's element type.
    Result,
    /// The operands' promoted type (comparisons).
    Promoted,
    /// Nothing: the body sees each operand's own type.
    Own,
}

/// What the walk does with an op that has regions, or ends one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Structure {
    /// One of two regions.
    Branch,
    /// A region while another holds.
    While,
    /// A region per index of the first dim, with or without carried values.
    Scan,
    /// The end of a region.
    Yield,
}

/// How an op becomes linalg.
#[derive(Clone, Copy)]
pub enum Lowering {
    /// One element from one element of each operand, broadcast; floats narrower than 32 bits compute in f32.
    Pointwise(Compute, for<'c> fn(&Scalars<'c>, &[Number<'c>], Op<'c>) -> Number<'c>),
    /// A rule that records its results in the walk.
    Rule(for<'c> fn(&mut Lower<'c>, FxOp<'c>) -> Result),
    /// Never reached: it was decomposed.
    ViaDecomposition,
    /// Handled by the walk itself (regions, terminators).
    Structural(Structure),
}

/// A derivative rule.
#[derive(Clone, Copy)]
pub enum Derivative {
    /// Not yet.
    Missing(&'static str),
    /// The op has no derivative: integer, boolean or random results.
    None(&'static str),
}

/// One row.
#[derive(Clone, Copy)]
pub struct OpRow {
    /// Full name of the op.
    pub op: &'static str,
    /// Into simpler fx ops.
    pub decompose: Decompose,
    /// Into linalg.
    pub lower: Lowering,
    /// Reverse-mode rule.
    pub vjp: Derivative,
    /// Forward-mode rule.
    pub jvp: Derivative,
    /// How its derivative rules are tested by numbers.
    pub grad_test: Derivative,
}

/// Shorthand for the rows of a family file: `row(op, decompose, lower)`, derivatives not written yet.
pub const fn row(op: &'static str, decompose: Decompose, lower: Lowering) -> OpRow {
    const LATER: Derivative = Derivative::Missing("derivatives are not written yet");
    OpRow { op, decompose, lower, vjp: LATER, jvp: LATER, grad_test: LATER }
}

/// A row of an op that is lowered one element at a time.
pub const fn pointwise(op: &'static str, compute: Compute, body: for<'c> fn(&Scalars<'c>, &[Number<'c>], Op<'c>) -> Number<'c>) -> OpRow {
    row(op, Decompose::Primitive, Lowering::Pointwise(compute, body))
}

/// A row of an op that is decomposed.
pub const fn composite(op: &'static str, rule: for<'c> fn(&Fx<'c>, FxOp<'c>) -> Result<Vec<Value<'c>>>) -> OpRow {
    row(op, Decompose::Rule(rule), Lowering::ViaDecomposition)
}

/// A row of an op that is lowered by a rule.
pub const fn lowered(op: &'static str, rule: for<'c> fn(&mut Lower<'c>, FxOp<'c>) -> Result) -> OpRow {
    row(op, Decompose::Primitive, Lowering::Rule(rule))
}

/// The row of an op by full name.
pub fn find(op: &str) -> Option<&'static OpRow> {
    use std::collections::HashMap;
    use std::sync::OnceLock;
    static ROWS: OnceLock<HashMap<&'static str, &'static OpRow>> = OnceLock::new();
    ROWS.get_or_init(|| all().map(|row| (row.op, row)).collect()).get(op).copied()
}

/// Every row, family by family.
pub fn all() -> impl Iterator<Item = &'static OpRow> {
    crate::rows::FAMILIES.iter().flat_map(|rows| rows.iter())
}
